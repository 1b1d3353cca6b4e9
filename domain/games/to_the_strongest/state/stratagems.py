"""The catalogue of stratagems: cards, time, arguments and numbers of each.

The catalogue is data (`stratagems.toml`), read and checked once, when this module is imported.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Literal

import msgspec
from msgspec import Struct

from domain.basics.data import read_toml
from domain.basics.decoding import convert
from domain.basics.errors import BrokenInvariant
from domain.mechanics.cards import COURT_DECK

FILE = "tts/stratagems.toml"


class Stratagem(Struct, frozen=True, forbid_unknown_fields=True):
    """A stratagem as in the data file: `cards` bring it, `when` it may be played, `arguments` are
    the words after its name, `numbers` the figures of its rule."""

    key: str
    rule: str
    cards: tuple[str, ...]
    name: str
    name_fr: str
    when: Literal["first-turn", "own-deployment", "armed", "own-turn", "scouting", "before-deployment"]
    text: str
    text_fr: str
    arguments: tuple[str, ...] = ()
    numbers: dict[str, int] = {}


def load_stratagems(table: Mapping[str, Any]) -> dict[str, Stratagem]:
    """The stratagems in a table of the form of stratagems.toml, by key.

    Rule:    TTS-STR-02
    Raises:  BrokenInvariant if the cards are not those of the deck, each once
    """
    try:
        rows = convert(table["stratagems"], tuple[Stratagem, ...])
    except msgspec.ValidationError as reason:
        raise BrokenInvariant(f"{FILE}: {reason}") from None
    cards = sorted(card for row in rows for card in row.cards)
    if cards != sorted(COURT_DECK):
        raise BrokenInvariant(f"{FILE}: the cards are {', '.join(cards)}")
    return {row.key: row for row in rows}


STRATAGEMS: Mapping[str, Stratagem] = MappingProxyType(load_stratagems(read_toml("tts", "stratagems.toml")))
BY_CARD: Mapping[str, Stratagem] = MappingProxyType({c: row for row in STRATAGEMS.values() for c in row.cards})


def cards_named(stratagems: tuple[str, ...]) -> tuple[str, ...]:
    """The cards for the stratagems that a scenario lists; a second oracle is the other joker."""
    cards: list[str] = []
    for name in stratagems:
        choice = STRATAGEMS[name].cards
        cards.append(next((card for card in choice if card not in cards), choice[0]))
    return tuple(cards)
