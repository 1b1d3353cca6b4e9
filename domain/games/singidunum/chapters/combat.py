"""Chapter CBT: reaction, dice, result, pursuit (PRG-REA, PRG-CBT).

A combat is a chain of steps: declared, accepted or forced, thrown, settled for each loser, pursued, and at the end all
who fought are activated (PRG-SEQ-14).
"""

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from msgspec import field
from msgspec.structs import replace

from domain.engine.events import Event
from domain.engine.judge import Judge
from domain.engine.state import OTHER, unchanged
from domain.games.singidunum.chapters.decisions import ACCEPT, NONE, REFUSE, YES, put_question, question
from domain.games.singidunum.chapters.dice import roll, roll_plain
from domain.games.singidunum.chapters.fight import Fight, Plain, fight_of
from domain.games.singidunum.chapters.movement import is_closed
from domain.games.singidunum.chapters.points import eliminate
from domain.games.singidunum.chapters.retreats import COMBAT, REFUSAL, Loss, retreat, retreat_hexes
from domain.games.singidunum.chapters.stakes import turn_stakes
from domain.games.singidunum.state.board import STAKES
from domain.games.singidunum.state.state import State, touching, with_unit
from domain.mechanics.modifiers import Factor

PURSUE, FATAL, TWO_STEPS = 3, 4, 2
OUTCOMES = ("draw", "retreat-1", "retreat-2", "retreat-2-pursuit", "eliminated")
"""What a difference brings, from 0 up (PRG-CBT-05)."""
SIMPLE, DOUBLE, GENERAL = "simple", "double", "general"
NOT_MOVED: Mapping[str, str] = {}
IMPACT, NO_HEX = "PRG-EXT-SC-01", "PRG-REA-02"


class SideFactor(Factor, frozen=True, gc=False, kw_only=True):
    """A modifier of the total of a side: `plus` is added to it."""

    side: str


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


class CombatResolved(Event, frozen=True, gc=False, kw_only=True):
    """Totals and result of a combat; `diff` is 1 for a tie that was won, `outcome` that before any rally."""

    RULE: ClassVar[str] = "PRG-CBT-05"
    TOLD_BY: ClassVar[str] = "outcome"

    attackers: tuple[str, ...]
    target: str
    attack_strength: int
    attack_die: int
    attack_total: int
    defence_strength: int
    defence_die: int
    defence_total: int
    factors: tuple[SideFactor, ...]
    diff: int
    winner: str
    outcome: str


class RallyRolled(Event, frozen=True, gc=False):
    """Heavy infantry tries to rally, after a `combat` or a `shot`; then it counts as hit."""

    RULE: ClassVar[str] = "PRG-CBT-09"

    unit: str
    needed: int
    value: int
    success: bool
    cause: str


class UnitPursued(Event, frozen=True, gc=False, kw_only=True):
    """A winner steps into the hex that the loser left first."""

    RULE: ClassVar[str] = "PRG-CBT-07"

    unit: str
    from_: str = field(name="from")
    to: str


class PursuitDeclined(Event, frozen=True, gc=False):
    """The winner stays where it is."""

    RULE: ClassVar[str] = "PRG-CBT-07"

    unit: str


# --- declaration and reaction


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
    _activate_after(judge, fought, fought.attackers, "action", "PRG-SEQ-02")
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


# --- dice and result


def step_combat(judge: Judge[State], *, fight: Plain) -> None:
    """Both throw; the totals decide (PRG-CBT-04, -05); stakes are turned (PRG-EXT-TER-03)."""
    fought = fight_of(fight)
    state, defender = judge.state, OTHER[fought.side]
    factors = tuple(factors_of(state, fought))
    plus = {side: sum(f.plus for f in factors if f.side == side) for side in (fought.side, defender)}
    strength = sum(state.units[name].force for name in fought.attackers)
    defence = state.units[fought.target].force
    attack_die = roll(judge, fought.side, "combat", fought.attackers[0])
    defence_die = roll(judge, defender, "combat", fought.target)
    attack_total = strength + attack_die + plus[fought.side]
    defence_total = defence + defence_die + plus[defender]
    diff, winner, rule = result(state, fought, attack_total - defence_total)
    judge.emit(
        CombatResolved(
            attackers=fought.attackers,
            target=fought.target,
            attack_strength=strength,
            attack_die=attack_die,
            attack_total=attack_total,
            defence_strength=defence,
            defence_die=defence_die,
            defence_total=defence_total,
            factors=factors,
            diff=diff,
            winner=winner,
            outcome=OUTCOMES[min(diff, FATAL)],
        ),
        rule=rule,
    )
    turn_stakes(judge, fought, winner)
    fought = replace(fought, diff=diff, winner=winner)
    _activate_after(judge, fought, fought.fought, "combat", "PRG-SEQ-03")
    if winner:
        judge.push("losers", fight=fought.plain())


def factors_of(state: State, fight: Fight, moved: Mapping[str, str] = NOT_MOVED) -> Iterator[SideFactor]:
    """The modifiers of a combat: an ambush and stakes, which add up, each once for a side (PRG-INT-15).

    Shape: `moved` are the hexes of attackers who have yet to go there
    """
    defender = OTHER[fight.side]
    if fight.ambushers:
        yield SideFactor("PRG-EXT-TER-02", "ambush", -1, side=defender)
    for names, against in (((fight.target,), fight.side), (fight.attackers, defender)):
        markers = [state.markers.get(moved.get(name) or state.units[name].hex) for name in names]
        if any(marker and marker.kind == STAKES and marker.active for marker in markers):
            yield SideFactor("PRG-EXT-TER-03", "stakes", -1, side=against)


def result(state: State, fight: Fight, margin: int) -> tuple[int, str, str]:
    """Difference, winner ("" for a draw) and rule; the tie ability of one side alone wins a draw by one
    (PRG-EXT-SC-02, PRG-INT-09)."""
    defender = OTHER[fight.side]
    if margin:
        return abs(margin), fight.side if margin > 0 else defender, "PRG-CBT-05"
    attack_wins = any("ties" in state.units[name].abilities for name in fight.attackers)
    defence_wins = "ties" in state.units[fight.target].abilities
    if attack_wins == defence_wins:
        return 0, "", "PRG-CBT-05"
    return 1, fight.side if attack_wins else defender, "PRG-EXT-SC-02"


# --- losers


def step_losers(judge: Judge[State], *, fight: Plain) -> None:
    """The losers apply the result: the target, or each attacker in the order named (PRG-CBT-06, -08, -12)."""
    fought = fight_of(fight)
    if fought.winner == fought.side:
        judge.push("lose", fight=fight, unit=fought.target, first=True)
        return
    for place in reversed(range(len(fought.attackers))):
        judge.push("lose", fight=fight, unit=fought.attackers[place], first=place == 0)


def step_lose(judge: Judge[State], *, fight: Plain, unit: str, first: bool) -> None:
    """One loser: rally, elimination, or retreats.

    Rule: PRG-CBT-05, -09, PRG-INT-05: heavy infantry that lost by so much throws a die first; PRG-CBT-08: the second
          attacker of a double attack is never eliminated by the result
    """
    fought = fight_of(fight)
    state = judge.state
    loser = state.units[unit]
    rallied = False
    if first and loser.type == "HI" and fought.diff >= state.options.rally_min_diff:
        rallied = rally(judge, loser.id, COMBAT)
    if unit == fought.target and fought.diff >= PURSUE and not rallied:  # a rally takes the pursuit away (PRG-CBT-09)
        judge.push("pursuit?", fight=fight)
    if first and fought.diff >= FATAL and not rallied:
        eliminate(judge, loser, COMBAT, "PRG-CBT-05")
        return
    is_target = unit == fought.target
    place = 0 if is_target else fought.attackers.index(unit)
    loss = Loss(
        unit=unit,
        steps=1 if fought.diff == 1 and not rallied else TWO_STEPS,
        causes=fought.hexes if is_target else (fought.hex,),
        cause=COMBAT,
        through="" if is_target else fought.through[place],
        fought=fought.fought,
    )
    judge.push("settle", loss=loss.plain())


def rally(judge: Judge[State], name: str, cause: str) -> bool:
    """Whether heavy infantry rallies on the plain die (PRG-CBT-09)."""
    unit = judge.state.units[name]
    needed = judge.state.options.rally_target
    value = roll_plain(judge, unit.side, "rally", name)
    judge.emit(RallyRolled(name, needed, value, value >= needed, cause), unit.side)
    return value >= needed


# --- pursuit and end


def step_may_pursue(judge: Judge[State], *, fight: Plain) -> None:
    """The side that attacked and won by three or more may follow the loser, who has left (PRG-CBT-11, PRG-INT-12)."""
    fought = fight_of(fight)
    state = judge.state
    if fought.hex in state.places:
        return
    units = [state.units[name] for name in fought.attackers]
    able = [unit.id for unit in units if unit.hex and not is_closed(state, unit.type, fought.hex)]
    if able:
        asked = question(fought.side, "pursuit", able[0], (YES, "no"), able if len(fought.attackers) > 1 else ())
        put_question(judge, asked, "pursue", fight=fight, unit=able[0])


def step_pursue(judge: Judge[State], *, fight: Plain, unit: str, answer: str, with_: str = "") -> None:
    """A winner steps into the hex left, with no further attack (PRG-CBT-07)."""
    pursuer = judge.state.units[with_ or unit]
    if answer == YES:
        judge.emit(UnitPursued(unit=pursuer.id, from_=pursuer.hex, to=fight["hex"]), pursuer.side)
    else:
        judge.emit(PursuitDeclined(pursuer.id), pursuer.side)


def _activate_after(judge: Judge[State], fight: Fight, units: tuple[str, ...], cause: str, rule: str) -> None:
    """Push what ends a combat: the units that fought are activated, then the general who ordered it (PRG-CBT-10)."""
    if fight.again:  # the first declaration has pushed it already
        if cause == "combat":
            judge.push("activate", units=list(units), cause=cause, rule=rule)
        return
    if fight.general:
        judge.push("activate", units=[fight.general], cause="order", rule="PRG-EXT-GE-03")
    judge.push("activate", units=list(units), cause=cause, rule=rule)


# --- evolutions


def on_rally_rolled(state: State, event: RallyRolled) -> State:
    """A unit that rallied from a shot counts as hit (PRG-SHT-14, PRG-INT-04): it may not burn."""
    unit = state.units[event.unit]
    if event.cause == COMBAT or not event.success:
        return state
    return with_unit(state, replace(unit, no_burn=unit.no_burn or "hit"))


def on_unit_pursued(state: State, event: UnitPursued) -> State:
    return with_unit(state, replace(state.units[event.unit], hex=event.to))


STEPS: dict[str, Any] = {
    "attack": step_attack,
    "reaction": step_reaction,
    "challenge?": step_may_challenge,
    "challenge": step_challenge,
    "combat": step_combat,
    "losers": step_losers,
    "lose": step_lose,
    "pursuit?": step_may_pursue,
    "pursue": step_pursue,
}
EVOLUTIONS: dict[Any, Any] = {
    AttackDeclared: unchanged,
    CombatForced: unchanged,
    CombatAccepted: unchanged,
    CombatRefused: unchanged,
    CombatResolved: unchanged,
    RallyRolled: on_rally_rolled,
    UnitPursued: on_unit_pursued,
    PursuitDeclined: unchanged,
}
