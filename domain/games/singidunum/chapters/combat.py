"""Chapter CBT: the dice of a combat, its result, and what the losers apply.

A combat is a chain of steps: declared, accepted or forced, thrown, settled for each loser, pursued, and at the end all
who fought are activated (PRG-SEQ-14).
"""

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from msgspec.structs import replace

from domain.engine.judge import Judge
from domain.engine.state import OTHER, unchanged
from domain.events.battle import Event
from domain.games.singidunum.chapters.dice import roll
from domain.games.singidunum.chapters.fight import Fight, Plain, activate_after, fight_of
from domain.games.singidunum.chapters.points import eliminate
from domain.games.singidunum.chapters.rally import rally
from domain.games.singidunum.chapters.retreats import COMBAT, Loss
from domain.games.singidunum.chapters.stakes import turn_stakes
from domain.games.singidunum.state.board import STAKES
from domain.games.singidunum.state.state import State
from domain.mechanics.modifiers import Factor

PURSUE, FATAL, TWO_STEPS = 3, 4, 2
OUTCOMES = ("draw", "retreat-1", "retreat-2", "retreat-2-pursuit", "eliminated")
"""What a difference brings, from 0 up (PRG-CBT-05)."""
NOT_MOVED: Mapping[str, str] = {}


class SideFactor(Factor, frozen=True, gc=False, kw_only=True):
    """A modifier of the total of a side: `plus` is added to it."""

    side: str


# --- event


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
    activate_after(judge, fought, fought.fought, "combat", "PRG-SEQ-03")
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


STEPS: dict[str, Any] = {"combat": step_combat, "losers": step_losers, "lose": step_lose}
EVOLUTIONS: dict[Any, Any] = {CombatResolved: unchanged}
