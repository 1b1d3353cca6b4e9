"""The events that tell of a test: shots and melees, where the die of the attacker counts against all else, orders sent,
leaders, impetuous troops."""

from typing import Any

from msgspec.structs import replace

from domain.events.battle import Fact
from domain.games.shot_to_pieces.chapters.activation import ActivationRolled
from domain.games.shot_to_pieces.chapters.command import (
    WAYS,
    GeneralOrderFailed,
    GeneralOrderReceived,
    ways_to_receive,
)
from domain.games.shot_to_pieces.chapters.dice import die
from domain.games.shot_to_pieces.chapters.exchanges import FireResolved
from domain.games.shot_to_pieces.chapters.fortunes import dice_to_roll
from domain.games.shot_to_pieces.chapters.impetuous import MUST, ImpetuousTested
from domain.games.shot_to_pieces.chapters.leaders import FALLS, LeaderTested, fighting_die
from domain.games.shot_to_pieces.chapters.melee import MeleeResolved
from domain.games.shot_to_pieces.state.state import State, Unit, melee_of
from domain.log.chance import Die
from domain.mechanics.modifiers import Factor
from domain.mechanics.trial import Trial, die_passes

D4, D6 = die(4), die(6)


def trial(state: State, fact: Fact) -> Trial | None:
    """The test that a fact was; None for any other."""
    event: Any = fact.event
    if isinstance(event, FireResolved):
        return _opposed(state, fact.by, "fire", event, event.firer)
    if isinstance(event, MeleeResolved):
        return _opposed(state, fact.by, "melee", event, event.attacker)
    if isinstance(event, (GeneralOrderReceived, GeneralOrderFailed)):
        return _order(fact.by, event)
    if isinstance(event, LeaderTested):
        return _plain(fact.by, "leader-lost", event.general, event.face, FALLS + 1)
    if isinstance(event, ImpetuousTested):
        return _plain(fact.by, "impetuous", event.unit, event.face, MUST - 1, how="at-most")
    if isinstance(event, ActivationRolled):
        return Trial(side=fact.by, purpose="activation", units=(event.corps,), draws=(event.face,))
    return None


def _plain(side: str, purpose: str, unit: str, face: int, needed: int, **more: Any) -> Trial:
    """One D6 against a number."""
    made = Trial(side=side, purpose=purpose, units=(unit,), draws=(face,), needed=needed, base=needed, **more)
    return replace(made, passes=die_passes(D6, made))


def _order(side: str, event: GeneralOrderReceived | GeneralOrderFailed) -> Trial:
    """Two dice together, at most a number (STP-CMD-02)."""
    return Trial(
        side=side,
        purpose="order",
        units=(event.corps,),
        draws=(event.total,),
        needed=event.needed,
        base=event.needed,
        how="at-most",
        passes=(ways_to_receive(event.needed), WAYS),
    )


def _opposed(state: State, side: str, purpose: str, event: Any, attacker: str) -> Trial:
    """The attacker's die must bring more than the other score needs; what is good for it makes that less."""
    base = event.defence_base + event.defence_die - event.attack_base
    factors = (
        *(Factor(one.rule, one.why, -one.plus) for one in event.attack_factors),
        *event.defence_factors,
    )
    needed = base + sum(one.plus for one in factors)
    roller = state.units.get(attacker)
    thrown, count = (fighting_die(state, roller), _dice(state, roller, purpose)) if roller else (D4, 1)
    return Trial(
        side=side,
        purpose=purpose,
        units=(attacker,),
        draws=(event.attack_die,),
        needed=needed,
        base=base,
        factors=factors,
        how="opposed",
        passes=_passes(thrown, count, needed),
    )


def _dice(state: State, roller: Unit, purpose: str) -> int:
    """How many D4 a unit rolls: two in the first round behind an all-out charge (STP-CHG-07), or by an event."""
    melee = melee_of(state, roller) if purpose == "melee" else None
    is_all_out = melee is not None and melee.rounds == 0 and melee.modes.get(roller.id) == "all-out"
    return 2 if is_all_out else dice_to_roll(state, roller, purpose)


def _passes(thrown: Die, count: int, needed: int) -> tuple[int, int]:
    """The ways in which the best of some dice is more than a number, of all."""
    fails = sum(1 for value in thrown.values if value <= needed)
    ways = thrown.sides**count
    return ways - fails**count, ways
