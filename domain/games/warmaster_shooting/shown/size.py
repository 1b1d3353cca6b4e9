"""How large the battle of a scenario is."""

from collections.abc import Mapping
from typing import Any

from domain.contract.size import Size
from domain.games.warmaster_shooting.state.scenario import load

CM = 10


def size_of(scenario: Mapping[str, Any]) -> Size:
    """The table in centimetres, and the turns; units have no points here."""
    opened = load(scenario)
    return Size((), opened.board.width // CM, opened.board.height // CM, is_cm=True, turns=opened.options.turns)
