"""Chapter REA: an attack is declared; its target refuses, accepts, or is forced (PRG-SEQ-14)."""

from typing import Any, ClassVar

from msgspec.structs import replace

from domain.engine.judge import Judge
from domain.engine.state import OTHER, unchanged
from domain.events.battle import Event
from domain.games.singidunum.chapters.decisions import ACCEPT, NONE, REFUSE, put_question, question
from domain.games.singidunum.chapters.fight import SIMPLE, Plain, activate_after, fight_of
from domain.games.singidunum.chapters.retreats import REFUSAL, retreat, retreat_hexes
from domain.games.singidunum.state.state import State, touching

IMPACT, NO_HEX = "PRG-EXT-SC-01", "PRG-REA-02"


# --- events


class AttackDeclared(Event, frozen=True, gc=False):
    """Units attack an enemy that they touch."""

    RULE: ClassVar[str] = "PRG-CBT-01"
    TOLD_BY: ClassVar[str] = "kind"

    side: str
    attackers: tuple[str, ...]
    target: str
    hex: str
    kind: str  # simple | double | general


class CombatForced(Event, frozen=True, gc=False):
    """The target may not refuse; `reason` is the rule that compels it."""

    RULE: ClassVar[str] = "PRG-REA-02"

    unit: str
    reason: str


class CombatAccepted(Event, frozen=True, gc=False):
    """The target fights."""

    RULE: ClassVar[str] = "PRG-REA-01"

    unit: str


class CombatRefused(Event, frozen=True, gc=False):
    """The target goes back instead of fighting."""

    RULE: ClassVar[str] = "PRG-REA-01"

    unit: str
    to: str


# --- steps


def step_attack(judge: Judge[State], *, fight: Plain) -> None:
    """Declare the attack; the target may refuse it, unless something compels it (PRG-REA-01, -02, -05, -06)."""
    fought = fight_of(fight)
    state = judge.state
    target = state.units[fought.target]
    rule = "PRG-CBT-01" if fought.kind == SIMPLE else "PRG-CBT-02"
    judge.emit(AttackDeclared(fought.side, fought.attackers, target.id, target.hex, fought.kind), fought.side, rule)
    ways = retreat_hexes(state, target, fought.hexes)
    if fought.impact or not ways:
        reason = IMPACT if fought.impact else NO_HEX
        judge.emit(CombatForced(target.id, reason), rule=reason)
        judge.push("combat", fight=fight)
        return
    options = [ACCEPT, *(f"{REFUSE} {way}" for way in ways)]
    put_question(judge, question(target.side, "reaction", target.id, options), "reaction", fight=fight)


def step_reaction(judge: Judge[State], *, fight: Plain, answer: str) -> None:
    """The target fights, or goes back one hex, which costs no die (PRG-REA-01, -03, PRG-SEQ-04)."""
    fought = fight_of(fight)
    target = judge.state.units[fought.target]
    if answer == ACCEPT:
        judge.emit(CombatAccepted(target.id), target.side)
        judge.push("combat", fight=fight)
        return
    to = answer.split()[1]
    judge.emit(CombatRefused(target.id, to), target.side)
    retreat(judge, target, to, 1, REFUSAL, "PRG-REA-01")
    activate_after(judge, fought, fought.attackers, "action", "PRG-SEQ-02")
    if judge.state.options.second_challenge and fought.kind == SIMPLE and not fought.again:
        judge.push("challenge?", fight=fight)
    if judge.state.options.refusal_activates:
        judge.push("activate", units=[target.id], cause="refusal", rule="PRG-SEQ-04")


def step_may_challenge(judge: Judge[State], *, fight: Plain) -> None:
    """After a refused simple attack, one more on another enemy that is touched (PRG-REA-04)."""
    fought = fight_of(fight)
    attacker = fought.attackers[0]
    others = [unit.id for unit in touching(judge.state, fought.hexes[0], OTHER[fought.side])]
    others = [name for name in others if name != fought.target]
    if others:
        asked = question(fought.side, "challenge", attacker, (*others, NONE))
        put_question(judge, asked, "challenge", fight=fight)


def step_challenge(judge: Judge[State], *, fight: Plain, answer: str) -> None:
    """The attacker challenges another enemy, or nobody (PRG-REA-04)."""
    if answer != NONE:
        fought = fight_of(fight)
        hex_ = judge.state.units[answer].hex
        judge.push("attack", fight=replace(fought, target=answer, hex=hex_, impact=False, again=True).plain())


STEPS: dict[str, Any] = {
    "attack": step_attack,
    "reaction": step_reaction,
    "challenge?": step_may_challenge,
    "challenge": step_challenge,
}
EVOLUTIONS: dict[Any, Any] = {
    AttackDeclared: unchanged,
    CombatForced: unchanged,
    CombatAccepted: unchanged,
    CombatRefused: unchanged,
}
