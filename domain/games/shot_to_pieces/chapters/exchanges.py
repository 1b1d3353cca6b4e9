"""Chapter FIR, a shot: the dice of both, which a leader may throw again, the scores, the result (S11)."""

from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from domain.basics.decoding import convert
from domain.engine.judge import Judge
from domain.events.battle import Event
from domain.games.shot_to_pieces.chapters.dice import ROCKET, UNSURE, throw
from domain.games.shot_to_pieces.chapters.factors import Special, WeighedShot, fire_factors, resilience_factors
from domain.games.shot_to_pieces.chapters.fortunes import (
    DEVASTATION,
    OUT_OF_AMMUNITION,
    SUPERIOR,
    used_up,
)
from domain.games.shot_to_pieces.chapters.leaders import roll_fighting
from domain.games.shot_to_pieces.chapters.replies import fired
from domain.games.shot_to_pieces.chapters.results import Result, settle
from domain.games.shot_to_pieces.chapters.targets import range_to
from domain.games.shot_to_pieces.state.figures import figures, fire_effect, has, period_of, resilience, weapon_of
from domain.games.shot_to_pieces.state.profiles import Band
from domain.games.shot_to_pieces.state.state import State, Unit, changed
from domain.mechanics.modifiers import Factors, total

SCORE = "STP-FIR-06"


# --- events


class FireResolved(Event, frozen=True, gc=False):
    """A shot: both scores with what they are made of. A total is base + die + the sum of its factors."""

    RULE = SCORE
    TOLD_BY = "mode"

    salvo: str
    firer: str
    units: tuple[str, ...]
    target: str
    mode: Literal["exchange", "one-way"]
    range_hcm: int
    band: str
    attack: int
    attack_base: int
    attack_die: int
    attack_factors: Factors
    defence: int
    defence_base: int
    defence_die: int
    defence_factors: Factors
    diff: int
    effect: str
    reply_effect: str


class Volley(Struct, frozen=True, gc=False):
    """A salvo being fired, as the agenda keeps it: plain values alone.

    Shape: `units` and `reply` with the reference unit first; `special` and `reply_special` are `why` and what the die
           counts, ("", 0) for no special die; `saturates` a shot of saturation fire, which nobody replies to
    """

    salvo: str
    units: tuple[str, ...]
    target: str
    distance: int
    band: Band
    is_indirect: bool = False
    reply: tuple[str, ...] = ()
    special: tuple[str, int] = ("", 0)
    reply_special: tuple[str, int] = ("", 0)
    attack_die: int = 0
    saturates: bool = False


def kept(volley: Volley) -> dict[str, Any]:
    """A volley as the agenda keeps it."""
    return {name: getattr(volley, name) for name in Volley.__struct_fields__}


def reach(state: State, firer: Unit, target: Unit) -> tuple[int, Band]:
    """The range from a unit to another that it can fire at, and the band of its weapon."""
    far, weapon = range_to(firer, target), weapon_of(state, firer)
    assert weapon is not None, "who fires has a weapon"
    band = weapon.band(far)
    assert band, "a target is in range"
    return far, band


# --- the dice (STP-RES-14)


def step_shot(judge: Judge[State], **shot: Any) -> None:
    """The special die of the firer, if it has one, then its D4."""
    volley = convert(shot, Volley)
    firer = volley.units[0]
    special = _special(judge, firer, is_indirect=volley.is_indirect)
    roll_fighting(judge, firer, "fire", "shot-aimed", kept(replace(volley, special=special)))


def step_shot_aimed(judge: Judge[State], *, rolled: int, **shot: Any) -> None:
    """The dice of the target: a special one if it replies with such a gun, then its D4."""
    volley = replace(convert(shot, Volley), attack_die=rolled)
    purpose = "resilience"
    if volley.reply:
        purpose = "fire"
        volley = replace(volley, reply_special=_special(judge, volley.target, is_indirect=False))
    roll_fighting(judge, volley.target, purpose, "shot-met", kept(volley))


def _special(judge: Judge[State], name: str, *, is_indirect: bool) -> tuple[str, int]:
    """Throw the special die of a gun: `why` and what it counts; ("", 0) for none.

    Rule: STP-ALG-03 rockets, STP-WW1-07 and its like indirect fire, STP-F70-04 imperial gunners in direct fire, with
          the same die (STP-INT-16)
    """
    state = judge.state
    unit, held = state.units[name], period_of(state)
    if has(state, unit, "rocket"):
        return "rocket", throw(judge, unit.side, ROCKET, "rocket", name, "STP-ALG-03")
    if is_indirect:
        if held.switches.indirect != "field":
            return "", 0
        return "indirect", throw(judge, unit.side, UNSURE, "indirect", name, held.rules["indirect"])
    if held.switches.irregular_dice and "imperial" in unit.traits and figures(state, unit).arm == "art":
        return "irregular", throw(judge, unit.side, UNSURE, "irregular", name, held.rules["irregular_dice"])
    return "", 0


# --- the result


def step_shot_met(judge: Judge[State], *, rolled: int, **shot: Any) -> None:
    """Both scores stand, base, die and modifiers added up, which may be less than nothing (STP-FIR-06, STP-GEN-03):
    markers or destruction follow."""
    volley = convert(shot, Volley)
    state = judge.state
    firer, target = state.units[volley.units[0]], state.units[volley.target]
    attack_base, attack_factors = _attack(state, volley, firer, target)
    defence_base, defence_factors = _defence(state, volley, firer, target)
    attack = attack_base + volley.attack_die + total(attack_factors)
    defence = defence_base + rolled + total(defence_factors)
    effect = fire_effect(state, firer, volley.band)
    reply_effect = fire_effect(state, target, reach(state, target, firer)[1]) if volley.reply else "none"
    judge.emit(
        FireResolved(
            salvo="" if volley.saturates else volley.salvo,
            firer=firer.id,
            units=volley.units,
            target=target.id,
            mode="exchange" if volley.reply else "one-way",
            range_hcm=volley.distance,
            band=volley.band,
            attack=attack,
            attack_base=attack_base,
            attack_die=volley.attack_die,
            attack_factors=attack_factors,
            defence=defence,
            defence_base=defence_base,
            defence_die=rolled,
            defence_factors=defence_factors,
            diff=attack - defence,
            effect=effect,
            reply_effect=reply_effect,
        ),
        firer.side,
    )
    is_gun, is_reply_gun = (figures(state, one).arm == "art" for one in (firer, target))
    result = Result(firer.id, target.id, attack - defence, effect, reply_effect, "fire", is_gun, is_reply_gun)
    settle(judge, result)


def _attack(state: State, volley: Volley, firer: Unit, target: Unit) -> tuple[int, Factors]:
    """Base and modifiers of the reference unit; the others of its salvo are a number to them (STP-INT-43)."""
    others = 0 if volley.saturates else len(volley.units) - 1
    shot = WeighedShot(firer, target, volley.distance, volley.band, others, _counted(volley.special), volley.saturates)
    return figures(state, firer).fire, fire_factors(state, shot)


def _defence(state: State, volley: Volley, firer: Unit, target: Unit) -> tuple[int, Factors]:
    if not volley.reply:
        return resilience(state, target), resilience_factors(state, target, firer)
    far, band = reach(state, target, firer)
    shot = WeighedShot(target, firer, far, band, len(volley.reply) - 1, _counted(volley.reply_special))
    return figures(state, target).fire, fire_factors(state, shot)


def _counted(special: tuple[str, int]) -> Special | None:
    why, plus = special
    return Special(why, plus) if why else None


# --- evolutions


def on_fire_resolved(state: State, event: FireResolved) -> State:
    """The firers have fired, the target was fired at, and what was for their next fire is used up (STP-EVT-06, …)."""
    if event.salvo:
        state = fired(state, event.units, event.salvo)
    for number in (OUT_OF_AMMUNITION, DEVASTATION, SUPERIOR) if state.events else ():
        for name in (*event.units, event.target) if event.mode == "exchange" else event.units:
            state = used_up(state, number, name)
    return changed(state, event.target, target_k=state.k)


STEPS = {
    "shot": step_shot,
    "shot-aimed": step_shot_aimed,
    "shot-met": step_shot_met,
}
EVOLUTIONS = {
    FireResolved: on_fire_resolved,
}
