"""Deeds: what units have earned in a battle, read from its events.

A game names its deeds in `deeds.toml` among its data files, as patterns over events. Reports honour units by them, and
campaigns remember them. A pattern says which event completes the deed and whose it is:

- `event`: the type of the event, `where`: members of it, each with the value or one of the values that it must have.
- `of`: the member that names the unit it is done to, `of_is`: what that unit must be (`Presentation.traits`).
- `by`: the member that names the unit that does it. With `last`, a list of `{event, by, at}`, that unit is instead the
  one in the member `by` of the newest such event; with `at`, only events count that name there whom it is done to.
- `is`: what the unit must be that does it. `foe`: it must not be of the same side as the unit it is done to.
- `first`: only the first time in the battle. `count`: only when a unit does it for the `count`th time; with `sum`, when
  this trait of those it is done to adds up to `count`.
- `after`: `{event, by, where, count, turns}`: `count` such events that name the unit in `by` must have come before, in
  this player-turn and the `turns` before it (without `turns`: since the beginning).
- `unless`: `{event, by}`: no such event that names the unit in `by` may come later.
- `worth`: how much the deed weighs beside others. A unit earns each deed once.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from msgspec import Struct, field

from domain.basics.data import has_data, read_toml
from domain.basics.decoding import convert
from domain.contract.ruleset import Ruleset
from domain.events.battle import Event, Fact, TurnBegan

FILE = "deeds.toml"
Values = Mapping[str, Any]


class Last(Struct, frozen=True, forbid_unknown_fields=True):
    """An earlier event that tells whose deed it is; without `at` the newest, whomever it is about."""

    event: str
    by: str
    at: str = ""


class After(Struct, frozen=True, forbid_unknown_fields=True):
    """What must have happened to the unit before."""

    event: str
    by: str
    where: dict[str, Any] = {}
    count: int = 1
    turns: int = -1


class Unless(Struct, frozen=True, forbid_unknown_fields=True):
    """What must not happen to the unit afterwards."""

    event: str
    by: str


class Pattern(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A deed as the game describes it."""

    id: str
    event: str
    worth: int
    by: str = ""
    last: tuple[Last, ...] = ()
    where: dict[str, Any] = {}
    of: str = ""
    of_is: dict[str, Any] = {}
    is_: dict[str, Any] = field(name="is", default_factory=dict)
    foe: bool = False
    first: bool = False
    count: int = 1
    sum: str = ""
    after: After | None = None
    unless: Unless | None = None


class Deed(Struct, frozen=True):
    """A deed of a unit, completed by event `n`; `events` are all that it consists of, in order, `of` whom the last of
    them was about."""

    id: str
    side: str
    unit: str
    n: int
    events: tuple[int, ...]
    worth: int
    of: str = ""


class _Past(Struct):
    """An event that has been read."""

    n: int
    turn: int
    type: str
    event: Event


@cache
def patterns(ruleset: str) -> tuple[Pattern, ...]:
    """The deeds of a game, in the order of its file; () for a game without such a file."""
    return convert(read_toml(ruleset, FILE)["deeds"], tuple[Pattern, ...]) if has_data(ruleset, FILE) else ()


def deeds_of(
    ruleset: Ruleset, facts: Iterable[tuple[int, Any, Fact]], wanted: Sequence[Pattern] | None = None
) -> tuple[Deed, ...]:
    """The deeds of a battle, in the order in which they were completed; `wanted` are by default all of the game.

    Shape: `facts` are the events that count, each as (n, state before it, fact)
    """
    reader = _DeedReader(ruleset, patterns(ruleset.code) if wanted is None else wanted)
    for n, state, fact in facts:
        reader.read(n, state, fact)
    return tuple(reader.deeds)


def awarded(deeds: Sequence[Deed], side: str, most: int) -> list[Deed]:
    """The deeds for which a side is honoured: those that weigh most, no deed and no unit twice, in their order."""
    chosen: list[Deed] = []
    for deed in sorted((deed for deed in deeds if deed.side == side), key=lambda deed: (-deed.worth, deed.n)):
        is_new = all(deed.id != other.id and deed.unit != other.unit for other in chosen)
        if is_new and len(chosen) < most:
            chosen.append(deed)
    return sorted(chosen, key=lambda deed: deed.n)


class _DeedReader:
    """Reads a battle event by event."""

    def __init__(self, ruleset: Ruleset, wanted: Sequence[Pattern]) -> None:
        self.deeds: list[Deed] = []
        self._traits = ruleset.shown.traits
        self._patterns = wanted
        self._watched = {name for pattern in self._patterns for name in _types(pattern)}
        self._past: list[_Past] = []
        self._done: dict[tuple[str, str], list[tuple[int, int]]] = {}  # (deed, unit): (event, how much)
        self._had: set[str] = set()
        self._turn = 0

    def read(self, n: int, state: Any, fact: Fact) -> None:
        """The next event."""
        event = fact.event
        name = type(event).__name__
        self._turn += isinstance(event, TurnBegan)
        if name not in self._watched:
            return
        for pattern in self._patterns:
            if pattern.unless and pattern.unless.event == name:
                lost = _named(event, pattern.unless.by)
                self.deeds = [deed for deed in self.deeds if deed.id != pattern.id or deed.unit not in lost]
            if pattern.event == name and _fits(event, pattern.where):
                self._take(pattern, n, state, event)
        self._past.append(_Past(n, self._turn, name, event))

    def _take(self, pattern: Pattern, n: int, state: Any, event: Event) -> None:
        about = next(iter(_named(event, pattern.of)), "") if pattern.of else ""
        of = self._traits(state, about) if about else {}
        doers = self._doers(pattern, event, about)
        if not doers or not _is(of, pattern.of_is) or (pattern.first and pattern.id in self._had):
            return
        unit = doers[0]
        traits = self._traits(state, unit)
        side = traits.get("side", "")
        if not side or not _is(traits, pattern.is_) or (pattern.foe and of.get("side") == side):
            return
        if pattern.after and not self._has_come(pattern.after, unit):
            return
        self._had.add(pattern.id)
        done = self._done.setdefault((pattern.id, unit), [])
        before = sum(much for _, much in done)
        done.append((n, int(of.get(pattern.sum, 0)) if pattern.sum else 1))
        if before < pattern.count <= before + done[-1][1]:
            self.deeds.append(Deed(pattern.id, side, unit, n, tuple(at for at, _ in done), pattern.worth, about))

    def _doers(self, pattern: Pattern, event: Event, about: str) -> Sequence[str]:
        """Whose deed it is: the first named leads."""
        if not pattern.last:
            return _named(event, pattern.by)
        for past in reversed(self._past):
            for last in pattern.last:
                if past.type == last.event and (not last.at or about in _named(past.event, last.at)):
                    return _named(past.event, last.by)
        return ()

    def _has_come(self, after: After, unit: str) -> bool:
        earliest = self._turn - after.turns if after.turns >= 0 else 0
        found = 0
        for past in reversed(self._past):
            if past.turn < earliest:
                break
            found += (
                past.type == after.event and unit in _named(past.event, after.by) and _fits(past.event, after.where)
            )
        return found >= after.count


def _types(pattern: Pattern) -> Iterator[str]:
    """The events that a pattern asks about."""
    yield pattern.event
    yield from (last.event for last in pattern.last)
    yield from (one.event for one in (pattern.after, pattern.unless) if one)


def _named(event: Event, member: str) -> Sequence[str]:
    """Whom a member of an event names."""
    value = getattr(event, member, "")
    if isinstance(value, str):
        return (value,) if value else ()
    return value if isinstance(value, tuple) else ()


def _fits(event: Event, where: Values) -> bool:
    return all(_is_one_of(getattr(event, member, None), values) for member, values in where.items())


def _is(traits: Values, wanted: Values) -> bool:
    return all(_is_one_of(traits.get(name), values) for name, values in wanted.items())


def _is_one_of(value: Any, values: Any) -> bool:
    return value in values if isinstance(values, list) else bool(value == values)
