"""Chapter CBT: an attack that is going on: what its steps hand on to each other, and what ends it."""

from typing import Any

import msgspec
from msgspec import Struct

from domain.basics.decoding import convert
from domain.engine.judge import Judge
from domain.games.singidunum.state.state import State

Plain = dict[str, Any]
SIMPLE, DOUBLE, GENERAL = "simple", "double", "general"


class Fight(Struct, frozen=True, gc=False, kw_only=True):
    """An attack, from its declaration to the pursuit.

    `hexes` are those from which the attackers fight, `through` the scrub hexes by which they came, "" for none
    (PRG-RET-06). `impact` says that the target may not refuse (PRG-EXT-SC-01), `ambushers` are attackers who came out
    of an ambush. `general` gave the order, "" for none. `diff` and `winner` are known after the dice. `again` says that
    this is the second challenge (PRG-REA-04).
    """

    side: str
    kind: str
    attackers: tuple[str, ...]
    hexes: tuple[str, ...]
    target: str
    hex: str
    through: tuple[str, ...]
    impact: bool = False
    ambushers: tuple[str, ...] = ()
    general: str = ""
    diff: int = 0
    winner: str = ""
    again: bool = False

    def plain(self) -> Plain:
        """As plain values, for the agenda."""
        plain: Plain = msgspec.to_builtins(self)
        return plain

    @property
    def fought(self) -> tuple[str, ...]:
        """All units of the combat: the attackers in the order named, then the target."""
        return (*self.attackers, self.target)


def fight_of(plain: Plain) -> Fight:
    """A fight from the plain values of the agenda."""
    return convert(plain, Fight)


def activate_after(judge: Judge[State], fight: Fight, units: tuple[str, ...], cause: str, rule: str) -> None:
    """Push what ends a combat: the units that fought are activated, then the general who ordered it (PRG-CBT-10)."""
    if fight.again:  # the first declaration has pushed it already
        if cause == "combat":
            judge.push("activate", units=list(units), cause=cause, rule=rule)
        return
    if fight.general:
        judge.push("activate", units=[fight.general], cause="order", rule="PRG-EXT-GE-03")
    judge.push("activate", units=list(units), cause=cause, rule=rule)
