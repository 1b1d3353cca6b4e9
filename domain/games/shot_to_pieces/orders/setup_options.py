"""Where a side could place an army before the battle (STP-GAP-25): a few places for whoever has none."""

from collections.abc import Iterator

from domain.contract.option import Option, OrderTarget
from domain.games.shot_to_pieces.orders.references import is_legal
from domain.games.shot_to_pieces.orders.writing import written
from domain.games.shot_to_pieces.state.commands import CloseStep, DeployAt
from domain.games.shot_to_pieces.state.state import Point, State

STEP_HCM, ROWS = 1000, (3, 5, 7)
"""The distance of places across, and tenths of the depth of the strip at which they lie."""
MOST_PLACES = 12


def deployments(state: State, side: str) -> Iterator[Option]:
    """Places for each unit and general without one; then the end of the deployment, once all have theirs."""
    missing = [one.id for one in state.units.values() if one.side == side and not one.placed]
    missing += [one.id for one in state.generals.values() if one.side == side and not one.placed]
    for name in missing:
        yield from places(state, side, name)
    if not missing:
        yield Option(written(CloseStep(), "en"), "end")


def places(state: State, side: str, name: str) -> Iterator[Option]:
    """The first places in the strip that are free for it."""
    found = 0
    for at in _spots(state, side):
        command = DeployAt(name, at)
        if is_legal(state, side, command):
            target = OrderTarget("place", point=at)
            yield Option(written(command, "en"), "deploy", name, exhaustive=False, target=target)
            found += 1
            if found == MOST_PLACES:
                return


def _spots(state: State, side: str) -> Iterator[Point]:
    """Rows of places from the middle of the strip outwards."""
    depth, board = state.options.deploy_depth_hcm, state.board
    middle = board.width // 2
    for row in ROWS:
        y = depth * row // 10
        for aside in range(0, middle, STEP_HCM):
            for x in (middle + aside, middle - aside) if aside else (middle,):
                yield x, y if side == "south" else board.height - y
