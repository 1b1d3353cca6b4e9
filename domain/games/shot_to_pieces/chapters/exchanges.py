"""Chapter FIR, resolving fire: salvo after salvo, the reply that each obliges, the dice, the result (S11)."""

from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from domain.basics.decoding import convert
from domain.engine.judge import Judge
from domain.engine.state import standing_order
from domain.events.battle import Event
from domain.games.shot_to_pieces.chapters.decisions import DecisionAsked, put
from domain.games.shot_to_pieces.chapters.dice import ROCKET, UNSURE, throw
from domain.games.shot_to_pieces.chapters.factors import Shot, Special, fire_factors, resilience_factors
from domain.games.shot_to_pieces.chapters.fortunes import (
    DEVASTATION,
    OUT_OF_AMMUNITION,
    SUPERIOR,
    salvoes_allowed,
    used_up,
)
from domain.games.shot_to_pieces.chapters.leaders import roll_fighting
from domain.games.shot_to_pieces.chapters.results import Result, settle
from domain.games.shot_to_pieces.chapters.salvoes import large_mate
from domain.games.shot_to_pieces.chapters.targets import (
    direct_targets,
    is_able,
    is_in_arc,
    range_to,
    shots_taken,
)
from domain.games.shot_to_pieces.plane.contacts import abuts
from domain.games.shot_to_pieces.state.figures import figures, fire_effect, has, period_of, resilience, weapon_of
from domain.games.shot_to_pieces.state.profiles import Band
from domain.games.shot_to_pieces.state.state import Salvo, State, Unit, changed
from domain.games.shot_to_pieces.state.vocabulary import ASK
from domain.mechanics.modifiers import Factors, total

ORDER, REPLY, SCORE = "STP-SEQ-04", "STP-FIR-05", "STP-FIR-06"
FIRE_ORDER = "fire-order"


# --- events


class ReplyObliged(Event, frozen=True, gc=False):
    """A unit fired at must fire back, with the abutting friends who aimed at the same enemy."""

    RULE = REPLY

    unit: str
    against: str
    units: tuple[str, ...]


class FireLost(Event, frozen=True, gc=False):
    """A unit does not fire the salvo that it declared: it is destroyed, shaken, has fired, or its target is gone."""

    RULE = ORDER
    TOLD_BY = "reason"

    unit: str
    reason: str


class UnitRevealed(Event, frozen=True, gc=False):
    """A hidden unit is seen, by the unit `to`, or by all because it fires ("")."""

    RULE = "STP-VIS-02"

    unit: str
    to: str


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


# --- which salvo is next (STP-SEQ-04)


def step_resolve_fire(judge: Judge[State]) -> None:
    """The next salvo: in the order of declaration, those of the side whose phase it is first, or as that side says."""
    state = judge.state
    if not state.salvoes:
        return
    waiting = sorted(state.salvoes, key=lambda salvo: salvo.side != state.side)
    order = standing_order(state, state.side, FIRE_ORDER)
    judge.push("resolve-fire")
    if len(waiting) > 1 and order and order.value == ASK:
        ids = tuple(salvo.id for salvo in waiting)
        put(judge, DecisionAsked(state.side, FIRE_ORDER, "", ids, set_by=order.n), "salvo")
    else:
        judge.push("salvo", answer=waiting[0].id)


def step_salvo(judge: Judge[State], *, answer: str) -> None:
    """Those of a salvo who still can fire; the others lose their fire."""
    salvo = next(one for one in judge.state.salvoes if one.id == answer)
    for name in salvo.units:
        reason = _lost(judge.state, salvo, judge.state.units[name])
        if reason:
            judge.emit(FireLost(name, reason), salvo.side)
    left = next((one for one in judge.state.salvoes if one.id == answer), None)
    if left is not None:
        _fire(judge, left)


def _lost(state: State, salvo: Salvo, unit: Unit) -> str:
    """Why a unit cannot fire what it declared, or ""."""
    if not unit.here:
        return "destroyed"
    if unit.shaken:
        return "shaken"
    if shots_taken(state, unit) >= salvoes_allowed(state, unit):
        return "fired"
    return "" if state.units[salvo.target].here else "target-gone"


def _fire(judge: Judge[State], salvo: Salvo) -> None:
    """Hidden firers are seen; then the reply that the salvo obliges, and the first dice (STP-VIS-02, STP-RES-14)."""
    for name in salvo.units:
        if judge.state.units[name].hidden:
            judge.emit(UnitRevealed(name, ""), salvo.side)
    state = judge.state
    firer, target = state.units[salvo.units[0]], state.units[salvo.target]
    volley = volley_of(state, salvo)
    if volley.band != "short" and _bombards(state, firer):
        judge.push("saturate", **kept(volley))
        return
    reply = repliers(state, firer, target)
    if reply:
        judge.emit(ReplyObliged(target.id, firer.id, reply), target.side)
    judge.push("shot", **kept(replace(volley, reply=reply)))


def volley_of(state: State, salvo: Salvo) -> Volley:
    """A salvo as it is fired: range and band of its reference unit."""
    firer = state.units[salvo.units[0]]
    far, band = _reach(state, firer, state.units[salvo.target])
    return Volley(salvo.id, salvo.units, salvo.target, far, band, is_indirect=salvo.mode == "indirect")


def _bombards(state: State, firer: Unit) -> bool:
    weapon = weapon_of(state, firer)
    return weapon is not None and "bombardment" in weapon.marks


def _reach(state: State, firer: Unit, target: Unit) -> tuple[int, Band]:
    far, weapon = range_to(firer, target), weapon_of(state, firer)
    assert weapon is not None, "who fires has a weapon"
    band = weapon.band(far)
    assert band, "a target is in range"
    return far, band


# --- the reply (STP-FIR-05)


def repliers(state: State, firer: Unit, target: Unit) -> tuple[str, ...]:
    """Who replies to a salvo, the target first; () if it is not obliged to, or cannot.

    Rule: STP-FIR-05: it is able to fire, has not declared against somebody else, and the firer is the nearest of those
          whom it could fire at; friends beside it who declared against the firer join, and so does the other half of a
          large battalion (STP-EMP-08)
    """
    if not is_able(state, target, is_reply=True) or not _may_reply(state, target, firer):
        return ()
    far = range_to(target, firer)
    nearest = next(direct_targets(state, target), None)
    if nearest is not None and nearest.distance < far:
        return ()
    aimed = {name for salvo in state.salvoes if salvo.target == firer.id for name in salvo.units}
    mate = large_mate(state, target)
    joining = [
        one.id
        for one in state.of(target.side)
        if one.id != target.id
        and (one.id in aimed or (mate is not None and one.id == mate.id))
        and abuts(target.base, one.base)
        and is_able(state, one, is_reply=True)
        and _may_reply(state, one, firer)
        and (figures(state, one).arm == "art") == (figures(state, target).arm == "art")
    ]
    return (target.id, *joining)


def _may_reply(state: State, unit: Unit, firer: Unit) -> bool:
    """Whether a firer is in range and arc of a unit that has not declared against somebody else."""
    weapon = weapon_of(state, unit)
    if weapon is None or any(unit.id in salvo.units and salvo.target != firer.id for salvo in state.salvoes):
        return False
    far = range_to(unit, firer)
    is_too_near = "bombardment" in weapon.marks and weapon.band(far) != "short"
    return far <= weapon.range and not is_too_near and is_in_arc(state, unit, firer)


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

    Rule: STP-ALG-03 rockets, STP-WW1-07 and its like indirect fire, STP-F70-04 imperial gunners in direct fire
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
    """Both scores stand: markers or destruction follow (STP-FIR-06)."""
    volley = convert(shot, Volley)
    state = judge.state
    firer, target = state.units[volley.units[0]], state.units[volley.target]
    attack_base, attack_factors = _attack(state, volley, firer, target)
    defence_base, defence_factors = _defence(state, volley, firer, target)
    attack = attack_base + volley.attack_die + total(attack_factors)
    defence = defence_base + rolled + total(defence_factors)
    effect = fire_effect(state, firer, volley.band)
    reply_effect = fire_effect(state, target, _reach(state, target, firer)[1]) if volley.reply else "none"
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
    others = 0 if volley.saturates else len(volley.units) - 1
    shot = Shot(firer, target, volley.distance, volley.band, others, _counted(volley.special), volley.saturates)
    return figures(state, firer).fire, fire_factors(state, shot)


def _defence(state: State, volley: Volley, firer: Unit, target: Unit) -> tuple[int, Factors]:
    if not volley.reply:
        return resilience(state, target), resilience_factors(state, target, firer)
    far, band = _reach(state, target, firer)
    shot = Shot(target, firer, far, band, len(volley.reply) - 1, _counted(volley.reply_special))
    return figures(state, target).fire, fire_factors(state, shot)


def _counted(special: tuple[str, int]) -> Special | None:
    why, plus = special
    return Special(why, plus) if why else None


# --- evolutions


def on_reply_obliged(state: State, event: ReplyObliged) -> State:
    """Those who reply have fired; what they had declared is used up."""
    return fired(state, event.units)


def on_fire_lost(state: State, event: FireLost) -> State:
    """The first salvo in which the unit was is without it."""
    salvo = next((one for one in state.salvoes if event.unit in one.units), None)
    return state if salvo is None else _without(state, salvo, (event.unit,))


def on_unit_revealed(state: State, event: UnitRevealed) -> State:
    return changed(state, event.unit, hidden=False)


def on_fire_resolved(state: State, event: FireResolved) -> State:
    """The firers have fired, the target was fired at, and what was for their next fire is used up (STP-EVT-06, …)."""
    if event.salvo:
        state = fired(state, event.units, event.salvo)
    for number in (OUT_OF_AMMUNITION, DEVASTATION, SUPERIOR) if state.events else ():
        for name in (event.firer, event.target) if event.mode == "exchange" else (event.firer,):
            state = used_up(state, number, name)
    return changed(state, event.target, target_k=state.k)


def fired(state: State, names: tuple[str, ...], salvo: str = "") -> State:
    """The state in which units have fired: out of the salvo, or of the first that each was in."""
    for name in names:
        unit = state.units[name]
        again = unit.fired_k == state.k
        earlier = unit.fired_earlier_k if again else unit.fired_k
        state = changed(state, name, fired_k=state.k, fired_earlier_k=earlier, shots=unit.shots + 1 if again else 1)
        held = next((one for one in state.salvoes if name in one.units and salvo in ("", one.id)), None)
        if held is not None:
            state = _without(state, held, (name,))
    return state


def _without(state: State, salvo: Salvo, names: tuple[str, ...]) -> State:
    """The state with units out of a salvo; one without units is gone."""
    left = tuple(name for name in salvo.units if name not in names)
    changed_one = replace(salvo, units=left)
    salvoes = (changed_one if one.id == salvo.id else one for one in state.salvoes)
    return replace(state, salvoes=tuple(one for one in salvoes if one.units))


STEPS = {
    "resolve-fire": step_resolve_fire,
    "salvo": step_salvo,
    "shot": step_shot,
    "shot-aimed": step_shot_aimed,
    "shot-met": step_shot_met,
}
EVOLUTIONS = {
    ReplyObliged: on_reply_obliged,
    FireLost: on_fire_lost,
    UnitRevealed: on_unit_revealed,
    FireResolved: on_fire_resolved,
}
