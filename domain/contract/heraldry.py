"""The shields of peoples: a sign beside that of the side, which says who fights there.

A game brings them as data (`data/heraldry.toml`), read and checked once: a shape, a field, and on it a pattern, a
charge or both, in colours of a small palette. A light colour lies on a dark one or a dark one on a light one, so that a
shield is read in shades of grey, too. What a word looks like, `replay.drawing.shields` knows. Two of one look are never
in one battle (`Heraldry.borne`); what tells the sides apart is still their dress, not these.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from domain.basics.data import has_data, read_toml
from domain.basics.decoding import convert
from domain.basics.errors import BrokenInvariant
from domain.engine.state import SIDES

Shape = Literal["round", "oval", "scutum", "hexagon", "waisted", "arched", "pavise", "kite", "heater"]
Pattern = Literal[
    "plain",
    "halved",
    "quartered",
    "bars",
    "stripes",
    "bend",
    "chevron",
    "cross",
    "saltire",
    "chequers",
    "border",
    "rings",
]
Charge = Literal[
    "",
    "boss",
    "spine",
    "star",
    "sun",
    "crescent",
    "dots",
    "bolt",
    "lily",
    "cup",
    "spiral",
    "wheel",
    "anchor",
    "trident",
    "eagle",
    "lions",
]
Colour = Literal["", "white", "gold", "red", "blue", "green", "brown", "purple", "black"]

LIGHT = frozenset({"white", "gold"})
"""The colours that lie on all others; those are dark."""
FILE = "heraldry.toml"


class Shield(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """How a shield looks: `paint` is the colour of the pattern, "" on a plain field, `tint` that of the charge, ""
    where there is none."""

    shape: Shape
    field: Colour
    pattern: Pattern = "plain"
    paint: Colour = ""
    charge: Charge = ""
    tint: Colour = ""


class People(Struct, frozen=True, forbid_unknown_fields=True):
    """A people as it is written: its shield, and other names that an army of it may have."""

    shield: Shield
    names: tuple[str, ...] = ()


class Heraldry(Struct, frozen=True, forbid_unknown_fields=True):
    """The shields of a game: `sides` those of whoever is of no people, `battles` the peoples of a scenario by its
    title."""

    sides: dict[str, Shield]
    peoples: dict[str, People] = {}
    battles: dict[str, dict[str, str]] = {}

    def people_named(self, name: str) -> str:
        """The key of the people that has a name; "" if none has."""
        wanted = name.casefold()
        return next((key for key, people in self.peoples.items() if wanted in _folded(people.names)), "")

    def borne(self, title: str, found: Sequence[str]) -> tuple[Shield, ...]:
        """The shields of both sides of a battle, the southern one first; where both are of one look, the northern one
        has its colours exchanged.

        Shape: `found` are the keys of the peoples of a battle whose title is not known, "" for no people
        """
        fought = self.battles.get(title)
        keys = [fought[side] for side in SIDES] if fought else found
        south, north = (self._of(key, side) for key, side in zip(keys, SIDES, strict=True))
        return south, exchanged(north) if north == south else north

    def _of(self, key: str, side: str) -> Shield:
        return self.peoples[key].shield if key in self.peoples else self.sides[side]


NO_HERALDRY = Heraldry({})


def _folded(names: Sequence[str]) -> list[str]:
    return [name.casefold() for name in names]


def exchanged(shield: Shield) -> Shield:
    """The same shield with field and sign in each other's colours."""
    if shield.pattern == "plain":
        return replace(shield, field=shield.tint, tint=shield.field)
    return replace(shield, field=shield.paint, paint=shield.field, tint=shield.field if shield.charge else "")


# --- loading


def read_heraldry(game: str) -> Heraldry:
    """The shields of a game by its code.

    Raises:  BrokenInvariant with file, record and field
    """
    return load_heraldry(f"{game}/{FILE}", read_toml(game, FILE)) if has_data(game, FILE) else NO_HERALDRY


def load_heraldry(file: str, table: Mapping[str, Any]) -> Heraldry:
    """The shields in a table of the form of the packaged files.

    Raises:  BrokenInvariant with file, record and field
    """
    try:
        heraldry = convert(dict(table), Heraldry)
    except msgspec.ValidationError as reason:
        raise BrokenInvariant(f"{file}: {reason}") from None
    for record, field, why in _faults(heraldry):
        raise BrokenInvariant(f"{file}: {record}: {field}: {why}")
    return heraldry


Fault = tuple[str, str, str]
"""Record, field, reason."""


def _faults(heraldry: Heraldry) -> Iterator[Fault]:
    if set(heraldry.sides) != set(SIDES):
        yield "sides", "sides", f"must be {' and '.join(SIDES)}"
    for side, shield in heraldry.sides.items():
        yield from _shield_faults(side, shield)
    seen: dict[Shield, str] = {}
    taken: dict[str, str] = {}
    for key, people in heraldry.peoples.items():
        yield from _shield_faults(key, people.shield)
        if people.shield in seen:
            yield key, "shield", f"is that of {seen[people.shield]}"
        seen[people.shield] = key
        for name in _folded(people.names):
            if name in taken:
                yield key, "names", f"{name!r} is a name of {taken[name]}"
            taken[name] = key
    for title, fought in heraldry.battles.items():
        if set(fought) != set(SIDES):
            yield title, "battles", f"names other sides than {' and '.join(SIDES)}"
        unknown = sorted(set(fought.values()) - set(heraldry.peoples))
        if unknown:
            yield title, "battles", f"unknown: {', '.join(unknown)}"


def _shield_faults(key: str, shield: Shield) -> Iterator[Fault]:
    is_plain = shield.pattern == "plain"
    if not shield.field:
        yield key, "field", "is empty"
    if is_plain and not shield.charge:
        yield key, "charge", "a plain field needs one"
    if is_plain == bool(shield.paint):
        yield key, "paint", "goes with a pattern, and a pattern with it"
    if bool(shield.charge) != bool(shield.tint):
        yield key, "tint", "goes with a charge, and a charge with it"
    if shield.paint and (shield.paint in LIGHT) == (shield.field in LIGHT):
        yield key, "paint", f"{shield.paint} on {shield.field}: one must be light, one dark"
    if is_plain and shield.tint and (shield.tint in LIGHT) == (shield.field in LIGHT):
        yield key, "tint", f"{shield.tint} on {shield.field}: one must be light, one dark"
