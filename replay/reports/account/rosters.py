"""The units that were there, and those that were lost."""

from domain.contract.scene import Scene
from domain.engine.state import SIDES
from replay.reports.account.reading import ReportReading


def roster(scene: Scene, side: str) -> list[str]:
    """The units of a side in a scene, by id."""
    grouped = {token for group in scene.groups for token in group.tokens}
    tokens = [token for token in (*scene.tokens, *scene.aside) if token.side == side and token.form == "base"]
    sides = {token.id: token.side for token in tokens}
    groups = [group.label for group in scene.groups if group.tokens and sides.get(group.tokens[0]) == side]
    return groups + [token.id for token in tokens if token.id not in grouped]


def strength(reading: ReportReading) -> dict[str, int]:
    """How many units each side had at the opening."""
    return {side: len(roster(reading.opening, side)) for side in SIDES}


def losses(reading: ReportReading, side: str) -> list[str]:
    """The units of a side that were there at the opening and are no more."""
    left = set(roster(reading.final, side))
    return [unit for unit in roster(reading.opening, side) if unit not in left]
