"""The units of a side on its board, and which formation each belongs to."""

from collections.abc import Mapping

from domain.contract.scene import Scene


def standing(scene: Scene, side: str) -> Mapping[str, str]:
    """The units of a side on the table by their names, in the order of the scene, each with the id of its formation, ""
    for none. Several tokens may be one unit; what goes with units is none."""
    named = {token: group.label for group in scene.groups for token in group.tokens}
    units = [token for token in scene.tokens if token.side == side and token.form == "base"]
    return {named.get(token.id, token.id): token.formation for token in units}


def whole(scene: Scene, side: str, formation: str) -> tuple[str, ...]:
    """The units of one formation that are on the table."""
    return tuple(unit for unit, of in standing(scene, side).items() if formation and of == formation)
