"""What a bot does before the turns: it takes the first army, and draws it up in lines."""

from collections.abc import Sequence

from domain.contract.option import Option
from domain.games.singidunum.chapters.deployment import DeployCounter
from domain.games.singidunum.orders.notation import parse
from domain.games.singidunum.state.state import State, Unit, ambush_of, own
from domain.mechanics import hex as hexes

REAR = ("AR", "HA", "GE", "SV")
"""Types that stand behind the others."""


def set_up(state: State, side: str, options: Sequence[Option]) -> str:
    """The next order of a side that musters or deploys."""
    if options[-1].order == "done":
        return "done"
    if state.phase == "muster":
        return options[0].order
    waiting = next(unit for unit in own(state, side) if not unit.hex and ambush_of(state, unit.id) is None)
    places = [parse(option.order) for option in options if option.unit == waiting.id and option.kind == "deploy"]
    hexes_ = [place.hex for place in places if isinstance(place, DeployCounter)]
    return f"deploy {waiting.id} {min(hexes_, key=lambda hex_: _badness(state, waiting, hex_))}"


def _badness(state: State, unit: Unit, hex_: str) -> tuple[int, int, int]:
    """How far a hex is from where a unit of this type wants to stand: its line, and its part of that."""
    column, row = hexes.XY[hex_]
    from_edge = row if unit.side == "north" else state.board[1] - 1 - row
    line = state.options.deploy_rows - (2 if unit.type in REAR else 1)
    middle = abs(2 * column - state.board[0] + 1)
    return abs(from_edge - line), -middle if unit.profile.mounted else middle, column
