"""Which orders can be picked from a list, for whom, and what do they need?

The legal options of a side grouped by unit: what waits for an answer and what concerns the whole side first, then the
units in the order of the options.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import Any

from msgspec import Struct

from domain.ruleset import Option
from domain.scene import Scene
from replay import words
from server.pages.outcome import percent

ANSWERS = ("answer", "draw")
"""Kinds of option that something waits for."""


class Pick(Struct, frozen=True):
    """An order to click. `need` and `odds` are said in words, "" where no card or die decides; `bounds` where a choice
    is continuous."""

    order: str
    need: str
    odds: str
    why: str
    bounds: str


class Picks(Struct, frozen=True):
    """The orders of one unit (`id` "" : of the side). `urgent`: something waits for one of them."""

    id: str
    title: str
    urgent: bool
    picks: tuple[Pick, ...]


def grouped(options: Sequence[Option], scene: Scene, lang: str = words.ENGLISH) -> tuple[Picks, ...]:
    """All options, by unit; the scene is worded."""
    titles = {token.id: token.title for token in scene.tokens}
    by_unit: dict[str, list[Option]] = {}
    for option in options:
        by_unit.setdefault("" if option.kind in ANSWERS else option.unit, []).append(option)
    found = [_group(unit, titles.get(unit, unit), listed, lang) for unit, listed in by_unit.items()]
    return tuple(sorted(found, key=lambda group: (not group.urgent, group.id != "")))


def _group(unit: str, title: str, options: Iterable[Option], lang: str) -> Picks:
    listed = tuple(options)
    urgent = any(option.kind in ANSWERS for option in listed)
    if not unit:
        title = "Answers" if urgent else "The whole side"
    return Picks(unit, title, urgent, tuple(_pick(option, lang) for option in listed))


def _pick(option: Option, lang: str) -> Pick:
    need = f"needs {option.needed}" if option.needed else ""
    return Pick(
        option.order, need, _odds(option.odds) if option.needed else "", _why(option, lang), _bounds(option.limits)
    )


def _odds(odds: tuple[int, int] | None) -> str:
    """ "37 of 71, 52 %"."""
    if not odds or not odds[1]:
        return ""
    good, left = odds
    return f"{good} of {left}, {percent(good, left)}"


def _why(option: Option, lang: str) -> str:
    """The number needed with each thing that makes it so, and its rule."""
    if not option.factors or not option.needed:
        return ""
    base = option.needed - sum(_plus(line) for line in option.factors)
    return words.factors(base, option.factors, option.needed, lang)


def _plus(line: Any) -> int:
    plus: int = line["plus"] if isinstance(line, Mapping) else line.plus
    return plus


def _bounds(limits: Mapping[str, Any] | None) -> str:
    if not limits:
        return ""
    return ", ".join(f"{name} {value}" for name, value in islice(sorted(limits.items()), 6))
