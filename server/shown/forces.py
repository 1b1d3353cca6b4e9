"""The armies of a battle or of a scenario in words: what everybody may know of them before the first order.

Of a battle whose armies are made up only after it has begun, there is nothing to tell; secrets of a side never are.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from domain.contract.dossier import Force, ForcePart, Troops
from domain.contract.heraldry import Shield
from domain.contract.ruleset import NOBODY, Ruleset
from domain.contract.scene import Scene
from replay.drawing.palette import letter_of
from replay.telling.words import worded
from replay.telling.words.catalogue import find
from replay.telling.words.names import name_in
from replay.telling.words.sentences import fragment
from server.words import say

WORDS = ("quality", "extra", "trait")
"""Where the catalogue has the words of a rank."""


class PartShown(Struct, frozen=True):
    """A part of an army, "" for all of it, and its troops, a line for those that are alike."""

    title: str
    lines: tuple[str, ...]


class MusteredArmy(Struct, frozen=True):
    """The army of a side: its letter, its name and points in a line, its parts, and the shield of its people."""

    side: str
    letter: str
    title: str
    parts: tuple[PartShown, ...]
    shield: Shield | None = None


def forces_of(ruleset: Ruleset, state: Any, lang: str) -> tuple[Force, ...]:
    """The armies as a stranger knows them in a state; () where there are none yet."""
    known = ruleset.secrets.known(state, NOBODY)
    found = ruleset.shown.table.forces(known)
    if found is None:
        found = tuple(_of_scene(worded(ruleset.shown.view(known, NOBODY), lang)))
    return tuple(force for force in found if any(part.troops for part in force.parts))


def forces_shown(ruleset: Ruleset, state: Any, lang: str) -> tuple[MusteredArmy, ...]:
    """The same in words."""
    known = ruleset.secrets.known(state, NOBODY)
    shields = dict(zip(ruleset.seats.names, ruleset.shown.table.shields(known), strict=False))  # () for a game without
    return tuple(
        replace(force, shield=shields.get(force.side)) for force in in_words(forces_of(ruleset, state, lang), lang)
    )


def in_words(forces: Iterable[Force], lang: str) -> tuple[MusteredArmy, ...]:
    """Armies in words."""
    return tuple(_force_view(force, lang) for force in forces)


def options_shown(ruleset: Ruleset, state: Any, lang: str) -> tuple[str, ...]:
    """What a battle of points has been opened with, beside its armies: blind deployment, for one."""
    book, options = ruleset.armies, getattr(state, "options", None)
    values = {choice: getattr(options, choice.option, False) for choice in book.choices} if book and options else {}
    return tuple(
        say(lang, choice.title)
        if isinstance(choice.usual, bool)
        else say(lang, "pages.named", name=say(lang, choice.title), words=str(value))
        for choice, value in values.items()
        if value or not isinstance(choice.usual, bool)
    )


def _of_scene(scene: Scene) -> Iterator[Force]:
    """The armies on a table: each unit once, by the parts in which they act."""
    inside = {token: group.tokens[0] for group in scene.groups for token in group.tokens}
    units = [one for one in scene.tokens if one.form != "site" and inside.get(one.id, one.id) == one.id]
    for side in scene.sides:
        own = [unit for unit in units if unit.side == side]
        titles = {one.id: one.title for one in scene.formations if one.side == side}
        parts = []
        for formation in dict.fromkeys(unit.formation for unit in own):
            counted = Counter(unit.type for unit in own if unit.formation == formation)
            troops = tuple(Troops(type_, count) for type_, count in counted.items())
            parts.append(ForcePart(formation, titles.get(formation, ""), troops))
        yield Force(side, "", 0, tuple(parts))


def _force_view(force: Force, lang: str) -> MusteredArmy:
    told = {"side": force.side, "name": name_in(force.name, lang), "points": force.points}
    title = say(lang, "pages.forces.army", **{key: value for key, value in told.items() if value})
    return MusteredArmy(force.side, letter_of(force.side), title, tuple(_part(part, lang) for part in force.parts))


def _part(part: ForcePart, lang: str) -> PartShown:
    name = name_in(part.name, lang)
    title = name or part.id
    if name and part.id and name != part.id:
        title = f"{part.id}, {name}"
    return PartShown(title, tuple(_line(troops, lang) for troops in part.troops))


def _line(troops: Troops, lang: str) -> str:
    what = find(f"type.{troops.type}", lang) or fragment(f"pages.forces.{troops.type}", {}, lang)
    rank = ", ".join(_word(word, lang) for word in troops.rank)
    return f"{troops.count} × {what}{f' ({rank})' if rank else ''}"


def _word(word: str, lang: str) -> str:
    return next((found for form in WORDS if (found := find(f"{form}.{word}", lang))), word)
