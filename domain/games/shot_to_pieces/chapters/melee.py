"""Chapter MEL: every melee is fought once in a phase, in the order of contact (STP-MEL-01 to -03, -15, -16).

Steps of the agenda:
    fight         friends opposite each other join in; then one melee after the other
    fight-next    the next melee: the die of the active side
    fight-met     the die of the other side
    fight-scored  scores, markers, losses, an advance
    fight-over    who stands beside an enemy realigns
"""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from domain.engine.judge import Judge
from domain.engine.state import OTHER
from domain.events.battle import Event
from domain.games.shot_to_pieces.chapters.advances import offer_advance, realign_victors
from domain.games.shot_to_pieces.chapters.fortunes import NO_QUARTER
from domain.games.shot_to_pieces.chapters.leaders import roll_fighting
from domain.games.shot_to_pieces.chapters.melee_factors import Stance, melee_factors, melee_value
from domain.games.shot_to_pieces.chapters.results import Result, destroy, settle
from domain.games.shot_to_pieces.chapters.supports import start_separate_melees, support_of
from domain.games.shot_to_pieces.state.figures import has, melee_effect
from domain.games.shot_to_pieces.state.melees import aspect_of, fighter_of, with_melee
from domain.games.shot_to_pieces.state.state import Melee, State, Unit, changed
from domain.mechanics.modifiers import Factors, total

FRAGILE = {"all-out": "STP-CHG-07", "rash": "STP-CHG-09"}
"""Charges after which a tie or a SHAKEN destroys, and by which rule."""


class MeleeResolved(Event, frozen=True, gc=False):
    """A round of a melee; the attacker is the unit of the active side. `diff` is attack less defence, ties of lancers
    settled."""

    RULE = "STP-MEL-01"

    melee: str
    attacker: str
    defender: str
    round: int
    attack: int
    attack_base: int
    attack_die: int
    attack_factors: Factors
    defence: int
    defence_base: int
    defence_die: int
    defence_factors: Factors
    diff: int
    effects: tuple[str, str]


class Score(Struct, frozen=True, gc=False):
    """What a unit brings into a round: its melee value, modifiers, and die."""

    base: int
    factors: Factors
    die: int

    @property
    def total(self) -> int:
        """The score; modifiers add to it, and leave the die as it fell (STP-GEN-03)."""
        return self.base + total(self.factors) + self.die


# --- the round of every melee


def step_fight(judge: Judge[State]) -> None:
    """S12 (STP-SEQ-03)."""
    start_separate_melees(judge)
    judge.push("fight-over")
    judge.push("fight-next")


def step_fight_next(judge: Judge[State]) -> None:
    """The first melee of this phase that is not fought: the active side throws first (STP-MEL-16)."""
    state = judge.state
    melee = next((one for one in state.melees if one.since <= state.k and one.fought != state.k), None)
    if melee is None:
        return
    judge.push("fight-next")
    _roll(judge, melee, state.side, "fight-met", {"melee": melee.id})


def step_fight_met(judge: Judge[State], *, melee: str, rolled: int) -> None:
    """The other side throws."""
    arguments = {"melee": melee, "attack_die": rolled}
    _roll(judge, _melee(judge.state, melee), OTHER[judge.state.side], "fight-scored", arguments)


def _roll(judge: Judge[State], melee: Melee, side: str, then: str, arguments: Mapping[str, Any]) -> None:
    """The D4 of a side; an all-out charger has two in its first round (STP-CHG-07)."""
    fighter = fighter_of(melee, judge.state, side)
    dice = 2 if melee.rounds == 0 and melee.modes.get(fighter.id) == "all-out" else 1
    roll_fighting(judge, fighter.id, "melee", then, arguments, dice=dice)


def _melee(state: State, name: str) -> Melee:
    return next(one for one in state.melees if one.id == name)


# --- the result


def step_fight_scored(judge: Judge[State], *, melee: str, attack_die: int, rolled: int) -> None:
    """Both scores stand: markers or destruction follow, and perhaps an advance (STP-MEL-03, STP-RES-01)."""
    state = judge.state
    fought = _melee(state, melee)
    attacker, defender = fighter_of(fought, state, state.side), fighter_of(fought, state, OTHER[state.side])
    attack = _score(state, fought, attacker, defender, attack_die)
    defence = _score(state, fought, defender, attacker, rolled)
    is_first = fought.rounds == 0
    diff = attack.total - defence.total
    if diff == 0 and is_first:
        diff = ("lancer" in attacker.traits) - ("lancer" in defender.traits)
    effects = melee_effect(state, attacker), melee_effect(state, defender)
    judge.emit(
        MeleeResolved(
            melee=melee,
            attacker=attacker.id,
            defender=defender.id,
            round=fought.rounds + 1,
            attack=attack.total,
            attack_base=attack.base,
            attack_die=attack.die,
            attack_factors=attack.factors,
            defence=defence.total,
            defence_base=defence.base,
            defence_die=defence.die,
            defence_factors=defence.factors,
            diff=diff,
            effects=effects,
        ),
        attacker.side,
    )
    _settle(judge, fought, Result(attacker.id, defender.id, diff, *effects, "melee", is_first=is_first))
    offer_advance(judge, fought)


def _score(state: State, melee: Melee, unit: Unit, foe: Unit, die: int) -> Score:
    """The score of a unit (STP-MEL-01); the first round is that of the phase of contact (STP-MEL-02); impetus and no
    quarter are for who charged (STP-INT-17, STP-EVT-04)."""
    is_first = melee.rounds == 0
    support = support_of(state, melee, unit, foe)
    charged = unit.id in melee.modes
    stance = Stance(
        unit,
        foe,
        is_first,
        taken=aspect_of(melee, unit),
        laterals=len(support.laterals),
        is_supported=support.is_behind,
        is_wave=support.is_wave,
        has_impetus=charged and has(state, unit, "impetus"),
        gives_no_quarter=any(one.number == NO_QUARTER and unit.id in one.units for one in state.events),
    )
    return Score(melee_value(state, stance), melee_factors(state, stance), die)


def _settle(judge: Judge[State], melee: Melee, result: Result) -> None:
    """Markers and losses; who charged all-out or rashly is destroyed by a tie, which does nothing to its enemy, and by
    any SHAKEN (STP-CHG-07, -09).

    Rule: STP-RES-13 supports suffer nothing; STP-GAP-19 both may be destroyed
    """
    fragile = {name: FRAGILE[mode] for name, mode in melee.modes.items() if mode in FRAGILE and name in _pair(result)}
    if result.diff == 0 and fragile:
        for name, rule in fragile.items():
            destroy(judge, name, "fragile-charge", rule)
        return
    before = {name: len(judge.state.units[name].shaken) for name in fragile}
    settle(judge, result)
    for name, rule in fragile.items():
        if len(judge.state.units[name].shaken) > before[name]:
            destroy(judge, name, "fragile-charge", rule)


def _pair(result: Result) -> tuple[str, str]:
    return result.attacker, result.defender


def step_fight_over(judge: Judge[State]) -> None:
    """All is fought (STP-MEL-13)."""
    realign_victors(judge)


# --- evolutions


def on_melee_resolved(state: State, event: MeleeResolved) -> State:
    """A round is over for everybody in the melee."""
    melee = _melee(state, event.melee)
    state = with_melee(state, replace(melee, rounds=melee.rounds + 1, fought=state.k))
    for name in melee.units:
        state = changed(state, name, fought_k=state.k)
    return state


STEPS = {
    "fight": step_fight,
    "fight-next": step_fight_next,
    "fight-met": step_fight_met,
    "fight-scored": step_fight_scored,
    "fight-over": step_fight_over,
}
EVOLUTIONS = {MeleeResolved: on_melee_resolved}
