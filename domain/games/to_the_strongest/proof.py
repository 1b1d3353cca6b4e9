"""What a verifier must know of the cards, from the first event alone (docs/record-format.md 4)."""

from collections.abc import Mapping
from typing import Any

from domain.mechanics.cards import COURT_DECK, FULL_DECK, PLAYING_DECK, TEN_SIDED

LOOKS = "StratagemPlayed"
"""The event whose member `shown` is a look at coming cards."""


def decks(opening: Mapping[str, Any]) -> Mapping[str, tuple[str, ...]]:
    """Every deck, whole and in canonical order, by the members of event 1."""
    options = opening.get("options")
    independent = isinstance(options, Mapping) and options.get("deck_mode") == "d10"
    own = TEN_SIDED if independent else PLAYING_DECK
    return {"north": own, "south": own, "terrain": FULL_DECK, "stratagem": COURT_DECK}


DECK_OPTIONS: Mapping[str, tuple[str, ...]] = {"deck_mode": ("d10",)}
"""The option of event 1 by which the decks differ."""

GIVEN = "stratagems"
"""The member of a side that tells how many stratagems the scenario has given it instead of a draw."""
