"""How large the battle of a scenario is."""

from collections.abc import Mapping
from typing import Any

from domain.contract.size import Size
from domain.games.shot_to_pieces.state.scenario import load

HCM = 100


def size_of(scenario: Mapping[str, Any]) -> Size:
    """The table in centimetres, and the turns; units have no points here."""
    opened = load(scenario)
    return Size((), opened.board.width // HCM, opened.board.height // HCM, is_cm=True, turns=opened.options.turn_limit)
