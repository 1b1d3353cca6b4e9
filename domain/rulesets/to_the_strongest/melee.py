"""Chapter MEL: who may charge whom, with how many cards, and what does the target do to him?

The order of a charge (TTS-MEL-04) is the order of the steps in `plan_charge`; each puts what it
causes on top of the agenda.
"""

from typing import Any

import msgspec
from msgspec import field
from msgspec.structs import replace

from domain.commands import Command
from domain.errors import Refusal
from domain.events import Event
from domain.game import Judge
from domain.mechanics.grid import box_at, frame
from domain.mechanics.modifiers import Factor, Factors, total
from domain.rulesets.to_the_strongest.activation import Plan, difficulties
from domain.rulesets.to_the_strongest.cards import draw
from domain.rulesets.to_the_strongest.geometry import (
    crosses_fortified_side,
    edges_crossed,
    is_diagonal_blocked,
    is_held_by_enemy,
    is_impassable,
    is_rough,
    shot_aspect,
)
from domain.rulesets.to_the_strongest.losses import destroy, lose_step, resolve
from domain.rulesets.to_the_strongest.movement import arrive, move_unit, path_costs
from domain.rulesets.to_the_strongest.replays import offer_replay
from domain.rulesets.to_the_strongest.saves import Strike, is_behind_stakes
from domain.rulesets.to_the_strongest.shooting import spend_ammo
from domain.rulesets.to_the_strongest.stacking import (
    first_hit_by_charge,
    has_room,
    others_in,
    require_room,
    require_same_facing,
)
from domain.rulesets.to_the_strongest.state import State, Unit, enemies_in, kind, units_in, with_unit
from domain.rulesets.to_the_strongest.targets import require_target, target_box
from domain.rulesets.to_the_strongest.zones import HELD, holders, require_free_path

TO_HIT, TO_HIT_BADLY = 6, 8
CLOSING_NEEDED, EXERTION_NEEDED = 5, 3
CLOSED_FORMATIONS = frozenset({"shieldwall", "tortoise"})
_NEAR: dict[tuple[int, int], tuple[tuple[int, int], ...]] = {(1, -1): (), (1, 0): (), (1, 1): ()}
FRONT_ZONE = {1: _NEAR, 2: {**_NEAR, (2, 0): ((1, 0),), (2, -1): ((1, -1),), (2, 1): ((1, 1),)}}
"""Boxes (ahead, right) that a charge may attack, by speed, and the box it goes through (TTS-GEO-14)."""


# --- commands


class Charge(Command, frozen=True, gc=False, tag="charge"):
    """Charge a box, or the unit in it that is hit first; `halt` forgoes the pursuit of an evader."""

    PHASES = frozenset({"turns"})

    unit: str
    target: str
    halt: bool = False


# --- rules


def to_hit_factors(state: State, striker: Unit, target: Unit, origin: str) -> Factors:
    """Why a unit hits on 8+ rather than 6+ in melee: the first line that applies (TTS-MEL-05)."""
    profile = kind(striker)
    if striker.losses:
        why = "disordered"
    elif profile.shooter:
        why = "shooter"
    elif "poor" in profile.flags:
        why = "poor"
    elif profile.light and not kind(target).light:
        why = "light-v-formed"
    elif _suffers_in_rough(striker) and (is_rough(state, origin) or is_rough(state, target.box)):
        why = "rough"
    else:
        return ()
    return (Factor("TTS-MEL-05", why, TO_HIT_BADLY - TO_HIT),)


def _suffers_in_rough(unit: Unit) -> bool:
    profile = kind(unit)
    return profile.mounted or profile.elephant or "close" in profile.flags


def bonus_cards(state: State, charger: Unit, target: Unit, aspect: str, began: str, first: bool) -> Factors:
    """The bonus cards of a charge, in their order, as far as the cap allows (TTS-MEL-06).

    `began` is the box where the charger began; `first` that it is its first charge of the battle.
    """
    flags = kind(charger).flags
    lines = (
        ("TTS-MEL-06a", aspect, aspect != "front"),
        ("TTS-MEL-07", "lance", _couches_lance(state, charger, target, aspect)),
        ("TTS-MEL-08", "pilum", charger.pilum > 0 and not charger.losses),
        ("TTS-MEL-06b", "scythed", "scythed" in flags and began != charger.box),
        ("TTS-MEL-06c", "warriors", "first_charge" in flags and first),
    )
    bonuses = [Factor(rule, why, 1) for rule, why, applies in lines if applies]
    return tuple(bonuses[: state.options.bonus_cap])


def _couches_lance(state: State, charger: Unit, target: Unit, aspect: str) -> bool:
    """Whether the lance serves (TTS-MEL-07)."""
    box, origin = target.box, charger.box
    if charger.lance <= 0 or charger.losses or "lance" not in kind(charger).flags:
        return False
    if is_rough(state, box) or is_rough(state, origin) or edges_crossed(state, origin, box):
        return False
    if aspect == "front" and ("pike" in kind(target).flags or is_behind_stakes(state, target, origin)):
        return False
    return not crosses_fortified_side(state, origin, box)


def gives_closing_fire(state: State, unit: Unit, aspect: str) -> bool:
    """Whether a unit charged may shoot first (TTS-MEL-16)."""
    steady = kind(unit).closing_fire and not unit.losses and unit.ammo > 0
    return state.options.closing_fire and steady and aspect == "front"


def may_strike_back(charger: Unit, aspect: str) -> bool:
    """Whether a target that survives replies (TTS-MEL-10); a failed evade is the caller's to know."""
    return aspect == "front" and "pike" not in kind(charger).flags


def require_may_charge(state: State, unit: Unit, command: Charge) -> tuple[Unit, str, tuple[str, ...]]:
    """Refuse a charge that the rules forbid; otherwise give target, aspect, and the boxes before.

    Rule: the codes of section 29 in their order; TTS-ZOC-03, -06, TTS-MEL-01, -02, -03
    """
    box = target_box(state, command.target)
    through = _approach(state, unit, box)
    origin = through[-1] if through else unit.box
    _require_holder(state, unit, box, through)
    _require_approach(state, unit, box, through, origin)
    profile = kind(unit)
    if profile.artillery or "wagon" in profile.flags or unit.formation in CLOSED_FORMATIONS:
        raise Refusal("tts.cannot-charge", "TTS-MEL-03", unit=unit.id, formation=unit.formation)
    if box and not _in_front_zone(unit, box):
        raise Refusal("tts.not-in-front-zone", "TTS-GEO-14", unit=unit.id, box=box, start=unit.box, speed=profile.speed)
    target, aspect = require_target(
        command.target, box, first_hit_by_charge(state, unit.side, box, origin, unit.box) if box else None
    )
    if profile.light and not kind(target).light and aspect == "front" and not _is_easy_prey(target):
        raise Refusal("tts.light-frontal", "TTS-MEL-03", unit=unit.id, target=target.id)
    return target, aspect, through


def _is_easy_prey(target: Unit) -> bool:
    """A disordered shooter or disordered artillery (TTS-MEL-03)."""
    return target.losses > 0 and (kind(target).shooter or kind(target).artillery)


def _in_front_zone(unit: Unit, box: str) -> bool:
    ahead, right = frame(unit.box, unit.facing, box)
    if right and "straight_only" in kind(unit).flags:
        return False
    return (ahead, right) in FRONT_ZONE[kind(unit).speed]


def _approach(state: State, unit: Unit, box: str) -> tuple[str, ...]:
    """The box that a charge over two boxes goes through; none for a near one."""
    if not box or not _in_front_zone(unit, box):
        return ()
    offsets = FRONT_ZONE[kind(unit).speed][frame(unit.box, unit.facing, box)]
    return tuple(box_at(state.board, unit.box, unit.facing, a, r) for a, r in offsets)


def _require_holder(state: State, unit: Unit, box: str, through: tuple[str, ...]) -> None:
    """A held unit charges a holder's box; a rider may leave a zone only so (TTS-ZOC-03, -06)."""
    held_by = [other for near in through for other in holders(state, unit, near)]
    if held_by and all(other.box != box for other in held_by):
        require_free_path(state, unit, through)
    held_by = list(holders(state, unit))
    if held_by and all(other.box != box for other in held_by):
        raise Refusal("tts.must-charge-holder", HELD, unit=unit.id, box=box, holders=[other.id for other in held_by])


def _require_approach(state: State, unit: Unit, box: str, through: tuple[str, ...], origin: str) -> None:
    for near in (*through, box):
        if near and is_impassable(state, near):
            raise Refusal("tts.impassable", "TTS-MOV-03", unit=unit.id, box=near)
    for near in through:
        if is_held_by_enemy(state, near, unit.side):
            raise Refusal(
                "tts.box-has-enemy", "TTS-MOV-03", unit=unit.id, box=near, enemies=[u.id for u in units_in(state, near)]
            )
    if box and _in_front_zone(unit, box):
        for start, near in zip((unit.box, *through), (*through, box), strict=True):
            if is_diagonal_blocked(state, unit.side, start, near):
                raise Refusal("tts.diagonal-blocked", "TTS-GEO-12", unit=unit.id, box=near, start=start)
    if through:
        require_room(state, unit, origin)
        require_same_facing(state, unit, origin, unit.facing)


# --- plans


def plan_charge(state: State, unit: Unit, command: Charge) -> Plan:
    """A charge: one activation (TTS-MEL-01)."""
    target, aspect, through = require_may_charge(state, unit, command)
    diagonal = frame(unit.box, unit.facing, through[0] if through else target.box)[1] != 0
    factors = difficulties(state, unit, diagonal=diagonal, **path_costs(state, unit.box, (*through, target.box)))
    declared = {
        "unit": unit.id,
        "target": target.id,
        "box": target.box,
        "origin": through[-1] if through else unit.box,
        "aspect": aspect,
        "halt": command.halt,
    }
    return Plan(unit, "charge", factors, (("charge", declared),))


# --- events


class ChargeDeclared(Event, frozen=True, gc=False):
    """A unit charges; `from_` is the last box before the target's, `box`."""

    RULE = "TTS-MEL-01"
    TOLD_BY = "aspect"

    unit: str
    target: str
    from_: str = field(name="from")
    box: str
    aspect: str


class AttackBegan(Event, frozen=True, gc=False):
    """A series of `cards` begins; `factors` are the bonus cards in it."""

    RULE = "TTS-MEL-04"
    TOLD_BY = "kind"

    attacker: str
    target: str
    kind: str  # charge second reply closing
    aspect: str
    cards: int
    factors: Factors


RULE_OF_ATTACK = {
    "charge": "TTS-MEL-04",
    "second": "TTS-MEL-13",
    "reply": "TTS-MEL-10",
    "closing": "TTS-MEL-16",
}


class MarkerSpent(Event, frozen=True, gc=False):
    """A lance or a volley of pila is used; `left` remain."""

    RULE = "TTS-MEL-07"
    TOLD_BY = "marker"

    unit: str
    marker: str
    left: int


class ClosingFireTested(Event, frozen=True, gc=False):
    """Do shooters who are charged keep their nerve?"""

    RULE = "TTS-MEL-16"

    unit: str
    needed: int
    card: int
    passed: bool


class ExertionPassed(Event, frozen=True, gc=False):
    """Cataphracts are still in order after their effort."""

    RULE = "TTS-MEL-17"

    unit: str
    needed: int
    card: int


class ExertionFailed(Event, frozen=True, gc=False):
    """Cataphracts fall into disorder after their effort."""

    RULE = "TTS-MEL-17"

    unit: str
    needed: int
    card: int


# --- steps of a charge, in the order in which they run


def step_charge(judge: Judge[State], *, unit: str, target: str, box: str, origin: str, aspect: str, halt: bool) -> None:
    """Declare the charge, go up to the target, and let it evade (TTS-MEL-02, -04)."""
    charger = judge.state.units[unit]
    began, first = charger.box, not charger.charged
    judge.emit(ChargeDeclared(unit, target, origin, box, aspect), charger.side)
    course = {
        "unit": unit,
        "target": target,
        "box": box,
        "aspect": aspect,
        "began": began,
        "first": first,
        "halt": halt,
    }
    course["evaded"] = False
    judge.push("after", unit=unit)
    judge.push("evade", course=course)
    if origin != began:
        arrive(judge, move_unit(judge, charger, (origin,), charger.facing, "charge"))


def step_closing(judge: Judge[State], *, course: dict[str, Any]) -> None:
    """Steady shooters charged in front may shoot once (TTS-MEL-16)."""
    shooter, charger = judge.state.units[course["target"]], judge.state.units[course["unit"]]
    if not gives_closing_fire(judge.state, shooter, course["aspect"]):
        return
    card = draw(judge, shooter.side, "closing", shooter.id)
    passed = card >= CLOSING_NEEDED
    judge.emit(ClosingFireTested(shooter.id, CLOSING_NEEDED, card, passed), shooter.side)
    if not passed:
        return
    aspect = shot_aspect(judge.state, charger, shooter.box)
    begin_attack(judge, shooter, charger, "closing", aspect, 1, ())
    spend_ammo(judge, shooter)
    hit = draw(judge, shooter.side, "hit", shooter.id)
    judge.push("shot-result", unit=shooter.id, target=charger.id, aspect=aspect, card=hit, manner="closing")


def step_attack(judge: Judge[State], *, course: dict[str, Any]) -> None:
    """The series of the charge: markers spent, cards drawn one by one (TTS-MEL-06, -09)."""
    charger, target = judge.state.units[course["unit"]], judge.state.units[course["target"]]
    if not charger.alive or not target.alive:
        return
    aspect = course["aspect"]
    bonuses = bonus_cards(judge.state, charger, target, aspect, course["began"], course["first"])
    for bonus in bonuses:
        if bonus.why in ("lance", "pilum"):
            spend_marker(judge, charger, bonus.why)
    begin_attack(judge, charger, target, "charge", aspect, 1 + total(bonuses), bonuses)


def begin_attack(
    judge: Judge[State], striker: Unit, target: Unit, manner: str, aspect: str, cards: int, bonuses: Factors
) -> None:
    """Announce a series and, but for closing fire, put its first card on the agenda."""
    event = AttackBegan(striker.id, target.id, manner, aspect, cards, bonuses)
    judge.emit(event, striker.side, RULE_OF_ATTACK[manner])
    if manner != "closing":
        judge.push("strike", unit=striker.id, target=target.id, manner=manner, aspect=aspect, cards=cards)


def step_strike(judge: Judge[State], *, unit: str, target: str, manner: str, aspect: str, cards: int) -> None:
    """Draw one card of a series; the rest of it waits behind what the card causes (TTS-MEL-09)."""
    striker, struck = judge.state.units[unit], judge.state.units[target]
    if not cards or not striker.alive or not struck.alive:
        return
    judge.push("strike", unit=unit, target=target, manner=manner, aspect=aspect, cards=cards - 1)
    factors = to_hit_factors(judge.state, striker, struck, striker.box)
    needed = TO_HIT + total(factors)
    card = draw(judge, striker.side, "hit", unit)
    blow = msgspec.to_builtins(Strike(unit, manner, aspect, striker.box))
    arguments = {
        "target": target,
        "needed": needed,
        "card": card,
        "factors": msgspec.to_builtins(factors),
        "strike": blow,
    }
    replayable = card < needed and manner != "reply"
    if not replayable or not offer_replay(judge, [unit], "hit", card, needed, "strike-result", arguments):
        judge.push("strike-result", **arguments)


def step_strike_result(
    judge: Judge[State],
    *,
    target: str,
    needed: int,
    card: int,
    factors: list[dict[str, Any]],
    strike: dict[str, Any],
    replayed: int = 0,
) -> None:
    """The final card stands."""
    resolve(judge, target, needed, replayed or card, msgspec.convert(factors, Factors), Strike(**strike))


def step_reply(judge: Judge[State], *, unit: str, target: str, aspect: str) -> None:
    """A target that survives strikes back with one card, and its pila (TTS-MEL-10)."""
    charger, struck = judge.state.units[unit], judge.state.units[target]
    if not charger.alive or not struck.alive or not may_strike_back(charger, aspect):
        return
    bonuses: Factors = ()
    if struck.pilum > 0 and not struck.losses:
        spend_marker(judge, struck, "pilum")
        bonuses = (Factor("TTS-MEL-08", "pilum", 1),)
    begin_attack(judge, struck, charger, "reply", "front", 1 + total(bonuses), bonuses)


def step_second(judge: Judge[State], *, course: dict[str, Any]) -> None:
    """The first target is destroyed or away: the other unit of the box is attacked at once
    (TTS-MEL-13)."""
    charger, box = judge.state.units[course["unit"]], course["box"]
    if not charger.alive or not _is_gone(judge.state, course):
        return
    hit = first_hit_by_charge(judge.state, charger.side, box, charger.box, course["began"])
    if hit is None:
        return
    target, aspect = hit
    bonuses = () if aspect == "front" else (Factor("TTS-MEL-06a", aspect, 1),)
    judge.push("reply", unit=charger.id, target=target.id, aspect=aspect)
    begin_attack(judge, charger, target, "second", aspect, 1 + total(bonuses), bonuses)


def _is_gone(state: State, course: dict[str, Any]) -> bool:
    """Whether the first target is destroyed, or has evaded with success."""
    return bool(course["evaded"]) or not state.units[course["target"]].alive


def step_follow_up(judge: Judge[State], *, course: dict[str, Any]) -> None:
    """The charger takes the box that its attack has emptied (TTS-MEL-14, -15)."""
    charger, box = judge.state.units[course["unit"]], course["box"]
    if not charger.alive or enemies_in(judge.state, box, charger.side) or not _is_gone(judge.state, course):
        return
    if may_follow_up(judge.state, charger, box):
        arrive(judge, move_unit(judge, charger, (box,), charger.facing, "follow-up"))


def step_pursue(judge: Judge[State], *, course: dict[str, Any]) -> None:
    """The only unit of the box has evaded: the charger moves in, unless told to halt (TTS-EVD-08)."""
    if not course["halt"]:
        charger = judge.state.units[course["unit"]]
        arrive(judge, move_unit(judge, charger, (course["box"],), charger.facing, "pursuit"))


def may_follow_up(state: State, charger: Unit, box: str) -> bool:
    """Whether a charger takes the box that its attack has emptied (TTS-MEL-14)."""
    profile, camp = kind(charger), state.camps.get(charger.box)
    stuck = profile.artillery or ("pike" in profile.flags and charger.losses > 0) or bool(camp and camp.fortified)
    return not stuck and has_room(state, charger, others_in(state, charger, box))


def step_after(judge: Judge[State], *, unit: str) -> None:
    """Exertion, and scythed chariots that have attacked are gone (TTS-MEL-17, -19)."""
    judge.push("spent", unit=unit)
    judge.push("exertion", units=[unit])


def step_spent(judge: Judge[State], *, unit: str) -> None:
    """Scythed chariots are removed after the first charge in which they have attacked."""
    charger = judge.state.units[unit]
    if charger.alive and charger.attacked and "scythed" in kind(charger).flags:
        destroy(judge, charger, "spent")
        judge.push("bereave", unit=unit)


def step_exertion(judge: Judge[State], *, units: list[str]) -> None:
    """Cataphracts that have charged or moved two boxes test, in the order of moving (TTS-MEL-17)."""
    for name in units:
        unit = judge.state.units[name]
        if not judge.state.options.exertion or "exertion" not in kind(unit).flags or not unit.box or unit.losses:
            continue
        card = draw(judge, unit.side, "exertion", name)
        if card >= EXERTION_NEEDED:
            judge.emit(ExertionPassed(name, EXERTION_NEEDED, card), unit.side)
        else:
            judge.emit(ExertionFailed(name, EXERTION_NEEDED, card), unit.side)
            lose_step(judge, unit, "exertion")


def spend_marker(judge: Judge[State], unit: Unit, marker: str) -> None:
    """Use one lance or pilum marker (TTS-MEL-07, -08)."""
    rule = "TTS-MEL-07" if marker == "lance" else "TTS-MEL-08"
    judge.emit(MarkerSpent(unit.id, marker, getattr(unit, marker) - 1), unit.side, rule)


# --- evolutions


def on_charge_declared(state: State, event: ChargeDeclared) -> State:
    return with_unit(state, replace(state.units[event.unit], charged=True))


def on_attack_began(state: State, event: AttackBegan) -> State:
    """Scythed chariots that have attacked are spent (TTS-MEL-19): it must be remembered."""
    if event.kind not in ("charge", "second"):
        return state
    return with_unit(state, replace(state.units[event.attacker], attacked=True))


def on_marker_spent(state: State, event: MarkerSpent) -> State:
    return with_unit(state, replace(state.units[event.unit], **{event.marker: event.left}))


def on_tested(state: State, event: ClosingFireTested | ExertionPassed | ExertionFailed) -> State:
    return state


EVOLUTIONS: dict[Any, Any] = {
    ChargeDeclared: on_charge_declared,
    AttackBegan: on_attack_began,
    MarkerSpent: on_marker_spent,
    ClosingFireTested: on_tested,
    ExertionPassed: on_tested,
    ExertionFailed: on_tested,
}
STEPS: dict[str, Any] = {
    "charge": step_charge,
    "closing": step_closing,
    "attack": step_attack,
    "strike": step_strike,
    "strike-result": step_strike_result,
    "reply": step_reply,
    "second": step_second,
    "follow-up": step_follow_up,
    "pursue": step_pursue,
    "after": step_after,
    "spent": step_spent,
    "exertion": step_exertion,
}
PLANS: dict[Any, Any] = {Charge: plan_charge}
