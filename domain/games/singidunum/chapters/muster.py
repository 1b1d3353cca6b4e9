"""Chapter ARM: armies are chosen in secret.

A list may be named anew until `done` closes it (PRG-ARM-08).
"""

from collections import Counter
from typing import Any, ClassVar

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from domain.basics.commands import Command
from domain.basics.errors import Refusal
from domain.engine.judge import Judge
from domain.events.battle import Event, Text
from domain.games.singidunum.chapters.decisions import LETTERS
from domain.games.singidunum.chapters.turns import MUSTER
from domain.games.singidunum.state.roster import ABILITIES, PROFILES, cost
from domain.games.singidunum.state.state import State, Unit

COPIES = ("", "B", "C", "D")


class Counted(Struct, frozen=True, gc=False):
    """A unit of an army."""

    id: str
    type: str
    strength: int
    abilities: tuple[str, ...]


# --- command


class NameArmy(Command, frozen=True, gc=False, tag="army"):
    """Name one's army: counters like `HI7`, `HA4*`, `SC6+impact`."""

    PHASES: ClassVar[frozenset[str]] = frozenset({MUSTER})
    PRIVATE: ClassVar[bool] = True

    counters: tuple[str, ...]


# --- events


class ArmyComposed(Event, frozen=True, gc=False, kw_only=True):
    """A side names its army; what is in it is known to that side alone until the deployment is revealed."""

    RULE: ClassVar[str] = "PRG-ARM-02"

    side: str
    units: tuple[Counted, ...] | UnsetType = UNSET
    cost: int | UnsetType = UNSET
    budget: int
    sealed: Text = UNSET


class ArmyConfirmed(Event, frozen=True, gc=False):
    """A side's list is closed."""

    RULE: ClassVar[str] = "PRG-ARM-08"

    side: str


# --- the army


def decide_army(judge: Judge[State], side: str, command: NameArmy) -> None:
    """Name the army of a side, anew if it has one (PRG-ARM-08).

    Raises: Refusal with the first code that applies; counters from left to right, the cost at the end
    """
    require_open(judge.state, side, "singidunum.army-closed", "PRG-ARM-08")
    units, price = army_of(judge.state, side, command.counters)
    judge.emit(ArmyComposed(side=side, units=units, cost=price, budget=judge.state.options.budget), side)


def army_of(state: State, side: str, counters: tuple[str, ...]) -> tuple[tuple[Counted, ...], int]:
    """The units of a list with their ids, and what they cost (PRG-ARM-02, -04, -09).

    Raises: Refusal singidunum.no-such-counter, singidunum.module-off, singidunum.over-budget
    """
    options, used, price = state.options, Counter[str](), 0
    units = []
    for counter in counters:
        name, _, marks = counter.partition("+")
        type_, strength = name[:2], int(name[2])
        abilities = tuple(mark for mark in marks.split("+") if mark) + (("asterisk",) if "*" in name else ())
        abilities = tuple(ability for ability in ("impact", "ties", "asterisk") if ability in abilities)
        profile = PROFILES[type_]
        used[name[:3]] += 1
        known = set(abilities) <= set(ABILITIES.get(type_, ()))
        if used[name[:3]] > profile.strengths.count(strength) or not known:
            raise Refusal("singidunum.no-such-counter", "PRG-ARM-08", counter=counter)
        if profile.module and profile.module not in options.modules:
            raise Refusal("singidunum.module-off", "PRG-ARM-08", counter=counter, module=profile.module)
        price += cost(type_, strength, abilities, paid_asterisk=options.asterisk_attack)
        id_ = f"{LETTERS[side]}{name[:3]}{COPIES[used[name[:3]] - 1]}"
        units.append(Counted(id_, type_, strength, abilities))
    if price > options.budget:
        raise Refusal("singidunum.over-budget", "PRG-ARM-04", cost=price, budget=options.budget)
    return tuple(units), price


def require_open(state: State, side: str, code: str, rule: str) -> None:
    if side in state.done:
        raise Refusal(code, rule, side=side)


# --- evolutions


def on_army_composed(state: State, event: ArmyComposed) -> State:
    """The newest list of a side takes the place of the one before."""
    units = state.units
    if event.units is not UNSET:
        others = {name: unit for name, unit in units.items() if unit.side != event.side}
        fresh = {u.id: Unit(u.id, event.side, u.type, u.strength, abilities=u.abilities) for u in event.units}
        units = {**others, **fresh} if event.side == "north" else {**fresh, **others}
    return replace(state, units=units, lists={**state.lists, event.side: state.n + 1})


DECISIONS: dict[Any, Any] = {NameArmy: decide_army}
EVOLUTIONS: dict[Any, Any] = {ArmyComposed: on_army_composed}
