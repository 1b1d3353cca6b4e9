"""The orders that can be picked from a list, with what they need.

The legal options of a side grouped by unit: what waits for an answer and what concerns the whole side first, then the
units in the order of the options. Orders of the whole side that begin alike and are many are a group
of their own; a group of many places and no cards is a menu instead of a row of buttons.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import islice
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from domain.basics.decoding import convert
from domain.contract.option import Option, OrderTarget
from domain.contract.ruleset import Ruleset
from domain.contract.scene import Scene
from domain.mechanics.modifiers import Factor
from replay.telling import words
from replay.telling.words.sentences import fragment
from server.shown.menus import head, menus, tail
from server.shown.outcome import percent
from server.words import say

ANSWERS = ("answer", "draw")
"""Kinds of option that something waits for."""


REASONS_KEPT = 4096


class Pick(Struct, frozen=True):
    """An order to click. `need` and `odds` are in words, "" where no card or die decides; `bounds` where a choice
    is continuous. `chance` is the share of the cards or faces that do, `target` where the order leads;
    `note` what it does, where its words leave that open."""

    order: str
    need: str
    odds: str
    why: str
    bounds: str
    chance: str = ""
    target: OrderTarget | None = None
    note: str = ""


class Picks(Struct, frozen=True):
    """The orders of one unit (`id` "" : of the side). `urgent`: something waits for one of them; `menu`: those that
    begin with `head`, each with what follows it; `targets` where they lead."""

    id: str
    title: str
    urgent: bool
    picks: tuple[Pick, ...]
    head: str = ""
    menu: tuple[tuple[str, str], ...] = ()
    targets: tuple[OrderTarget | None, ...] = ()

    @property
    def count(self) -> int:
        """How many orders there are."""
        return len(self.picks) + len(self.menu)


def in_language(options: Sequence[Option], ruleset: Ruleset, lang: str) -> Sequence[Option]:
    """Options whose orders are written in the notation of a language."""
    if lang == words.ENGLISH:
        return options
    return [
        replace(
            option,
            order=words.order_in(ruleset, option.order, lang),
            target=option.target and replace(option.target, said=_order_words(option.target, ruleset, lang)),
        )
        for option in options
    ]


def _order_words(target: OrderTarget, ruleset: Ruleset, lang: str) -> str:
    return words.order_in(ruleset, target.said, lang) if target.said else ""


class Arranged(Struct, frozen=True):
    """The options of one unit, or of those of the whole side that are alike: the `menu` of those that begin with
    `head`, and the others."""

    unit: str
    kind: str
    urgent: bool
    options: tuple[Option, ...]
    head: str
    menu: tuple[Option, ...]

    @property
    def id(self) -> str:
        """The unit, or what the options have in common."""
        return self.unit or self.kind.replace(" ", "-")


def arranged(options: Sequence[Option], kinds: Mapping[str, str]) -> tuple[Arranged, ...]:
    """All options, by unit, without words. `kinds` are the game's (`Presentation.kinds`)."""
    many = menus(options)
    groups: dict[tuple[str, str], list[Option]] = {}
    for option in options:
        groups.setdefault(_key(option, many, kinds), []).append(option)
    found = [_arranged(unit, kind, listed) for (unit, kind), listed in groups.items()]
    return tuple(sorted(found, key=lambda group: (not group.urgent, group.id != "")))


def _arranged(unit: str, kind: str, options: Sequence[Option]) -> Arranged:
    runs = menus(options)
    begins = max(runs, key=lambda one: len(runs[one]), default="")
    menu = tuple(runs.get(begins, ()))
    told = {option.order for option in menu}
    others = tuple(option for option in options if option.order not in told)
    return Arranged(unit, kind, any(option.kind in ANSWERS for option in options), others, begins, menu)


def grouped(
    options: Sequence[Option],
    scene: Scene,
    kinds: Mapping[str, str],
    lang: str = words.ENGLISH,
    notes: Mapping[str, str] = {},
) -> tuple[Picks, ...]:
    """The same in words; the scene is worded. `kinds` and `notes` are the game's (`Presentation`)."""
    titles = {token.id: token.called for token in (*scene.aside, *scene.tokens)}
    return tuple(_group(group, titles, kinds, lang, notes) for group in arranged(options, kinds))


def _key(option: Option, many: Mapping[str, object], kinds: Mapping[str, str]) -> tuple[str, str]:
    """The group of an option: its unit, or what it has in common with others of the whole side."""
    if option.kind in ANSWERS:
        return "", ""
    if option.unit:
        return option.unit, ""
    if option.kind in kinds:
        return "", option.kind
    return "", head(option) if head(option) in many else ""


def _group(
    group: Arranged, titles: Mapping[str, str], kinds: Mapping[str, str], lang: str, notes: Mapping[str, str]
) -> Picks:
    if group.unit:
        title = titles.get(group.unit, group.unit)
    elif group.kind in kinds:
        title = words.phrase(kinds[group.kind], {}, lang)
    else:
        title = _title(group.kind, group.urgent, lang)
    return Picks(
        group.id,
        title,
        group.urgent,
        tuple(picked(option, lang, notes) for option in group.options),
        group.head,
        tuple((option.order, tail(option)) for option in group.menu),
        tuple(option.target for option in group.menu),
    )


def _title(kind: str, urgent: bool, lang: str) -> str:
    if kind:
        return kind.replace("_", " ").capitalize()
    return say(lang, "pages.picks.answers" if urgent else "pages.picks.side")


def picked(option: Option, lang: str, notes: Mapping[str, str] = {}) -> Pick:
    """An option in words; its order is in the language already."""
    need = fragment("pages.picks.needs", {"needed": option.needed, "how": option.how}, lang) if option.needed else ""
    return Pick(
        option.order,
        need,
        _odds(option.odds, lang) if option.needed else "",
        _why(option, lang),
        _bounds(option.limits),
        percent(*option.odds, lang) if option.odds and option.odds[1] else "",
        option.target,
        fragment(notes[option.kind], {}, lang) if not option.unit and option.kind in notes else "",
    )


def _odds(odds: tuple[int, int] | None, lang: str) -> str:
    """ "37 of 71, 52%"."""
    if not odds or not odds[1]:
        return ""
    good, left = odds
    return fragment("pages.picks.odds", {"good": good, "left": left, "share": percent(good, left, lang)}, lang)


def _why(option: Option, lang: str) -> str:
    """The number needed with each thing that makes it so, and its rule."""
    if not option.factors or not option.needed:
        return ""
    return _reckoned(tuple(convert(line, Factor, from_attributes=True) for line in option.factors), option.needed, lang)


@lru_cache(REASONS_KEPT)
def _reckoned(lines: tuple[Factor, ...], needed: int, lang: str) -> str:
    """The same few reckonings stand behind most orders."""
    return words.factors(needed - sum(line.plus for line in lines), lines, needed, lang)


def _bounds(limits: Mapping[str, Any] | None) -> str:
    if not limits:
        return ""
    return ", ".join(f"{name} {value}" for name, value in islice(sorted(limits.items()), 6))
