"""How large the battle of a scenario is."""

from collections.abc import Mapping
from typing import Any

from domain.contract.size import Size
from domain.games.singidunum.state.roster import cost
from domain.games.singidunum.state.scenario import load


def size_of(scenario: Mapping[str, Any]) -> Size:
    """What the counters of both sides cost, or may cost; hexes of the table, the limit of turns."""
    opened = load(scenario)
    options, board = opened.options, opened.board
    points = tuple(
        sum(cost(unit.type, unit.strength, unit.abilities, paid_asterisk=False) for unit in opened.sides[side].units)
        for side in ("south", "north")
    )
    if not any(points):
        points = (options.budget, options.budget)
    return Size(points, board["columns"], board["rows"], turns=options.turn_limit)
