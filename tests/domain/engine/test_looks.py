"""Whose deck an event looks into."""

from types import SimpleNamespace
from typing import Any

import pytest
from msgspec import UNSET

from domain.engine.draws import look_of


@pytest.mark.parametrize(
    ("event", "side"),
    [
        (SimpleNamespace(side="south"), ""),
        (SimpleNamespace(side="south", shown=UNSET), ""),
        (SimpleNamespace(side="south", shown=("7x1",)), "south"),
    ],
)
def test_an_event_that_shows_cards_looks_into_the_deck_of_its_seat(event: Any, side: str) -> None:
    assert look_of(event, "south") == side
