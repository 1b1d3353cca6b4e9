"""Read the orders by reference: moves for a player without a ruler (STP-ORD-10)."""

from collections.abc import Callable, Mapping
from typing import Any

from domain.games.shot_to_pieces.orders.words import OrderWords
from domain.games.shot_to_pieces.state.commands import NONE, ByReference, Heading, Side

PLACE, FRIEND = "the id of a unit or of terrain, or a point", "the id of a unit"
SIDES = ("left", "right")
BANDS = ("short", "long", "max")
OTHERS = "end|general|order|deploy|detach|strafe|standing|fire"
"""What an order may begin with that is not the name of a unit."""
UNRESOLVED = (
    rf"(?:^(?:group )?|\+ )(?!(?:{OTHERS}) )\S+ (?:(?:face \S+(?: \S+)? )?ahead|to|towards|behind|into|along|wheel|turn"
    r"|level|join|back(?= \+|$))(?: |$)"
)
"""What a line by reference has in English: the name of a unit, and behind it one of these words."""


def ahead(words: OrderWords, unit: str, face: Heading | None = None) -> ByReference:
    """Straight on: so far, or as far as may be."""
    words.skip("toi")
    return ByReference(unit, "ahead", face, _length(words))


def _length(words: OrderWords) -> int:
    return words.length() if words.is_number() else NONE


def _to(words: OrderWords, unit: str) -> ByReference:
    """To contact, to a band of the range, or towards a place: French has one word for `to` and `towards`."""
    if words.take("contact"):
        words.skip("from")
        return ByReference(unit, "contact", place=words.id(FRIEND))
    if words.peek() in BANDS:
        return _range(words, unit)
    return _towards(words, unit)


def _range(words: OrderWords, unit: str) -> ByReference:
    band = words.need(BANDS)
    words.skip("of")
    words.skip("from")
    place = words.id(FRIEND)
    if band == "short":
        return ByReference(unit, "range", band="short", place=place)
    return ByReference(unit, "range", band="long" if band == "long" else "max", place=place)


def _a(words: OrderWords, unit: str) -> ByReference:
    """`à portée …` and `à hauteur de …`, of which French has the first word in common."""
    if words.need(("range", "level")) == "range":
        return _range(words, unit)
    return _level(words, unit)


def _towards(words: OrderWords, unit: str) -> ByReference:
    place = _place(words)
    return ByReference(unit, "towards", distance=_length(words), **place)


def _place(words: OrderWords) -> dict[str, Any]:
    return {"at": words.place()} if words.is_number() else {"place": words.id(PLACE)}


def _along(words: OrderWords, unit: str) -> ByReference:
    words.skip("long")
    words.skip("from")
    return ByReference(unit, "along", **_place(words))


def _side(words: OrderWords) -> Side:
    return "left" if words.need(SIDES) == "left" else "right"


def _level(words: OrderWords, unit: str) -> ByReference:
    words.skip("with")
    words.skip("from")
    return ByReference(unit, "level", place=words.id(FRIEND))


def _join(words: OrderWords, unit: str) -> ByReference:
    friend = words.id(FRIEND)
    return ByReference(unit, "join", place=friend, side=_side(words) if words.peek() in SIDES else "")


REFERENCES: Mapping[str, Callable[[OrderWords, str], ByReference]] = {
    "ahead": ahead,
    "to": _to,
    "a": _a,
    "towards": _towards,
    "behind": lambda words, unit: ByReference(unit, "behind", **_place(words)),
    "into": lambda words, unit: ByReference(unit, "into", **_place(words)),
    "along": _along,
    "wheel": lambda words, unit: ByReference(unit, "wheel", side=_side(words), angle=words.angle()),
    "turn": lambda words, unit: ByReference(unit, "turn", side=_side(words)),
    "level": _level,
    "join": _join,
}
"""What reads an order behind its first word."""
