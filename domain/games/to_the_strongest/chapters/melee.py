"""Chapter MEL: the cards of a charge, the reply, and who takes the box.

The order of a charge (TTS-MEL-04) is the order of the steps here; each puts what it causes on top of
the agenda. `charges.py` comes before them, `aftermath.py` after.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import msgspec
from msgspec.structs import replace

from domain.basics.decoding import convert
from domain.engine.judge import Judge
from domain.engine.state import unchanged
from domain.events.battle import Event
from domain.games.to_the_strongest.chapters.cards import draw
from domain.games.to_the_strongest.chapters.course import Course, Plain, course_of
from domain.games.to_the_strongest.chapters.geometry import crosses_fortified_side, edges_crossed, is_rough, shot_aspect
from domain.games.to_the_strongest.chapters.losses import resolve
from domain.games.to_the_strongest.chapters.movement import arrive, move_unit
from domain.games.to_the_strongest.chapters.replays import offer_replay
from domain.games.to_the_strongest.chapters.saves import Strike, is_behind_stakes
from domain.games.to_the_strongest.chapters.shooting import spend_ammo
from domain.games.to_the_strongest.chapters.stacking import first_hit_by_charge, has_room, others_in
from domain.games.to_the_strongest.state.state import State, Unit, enemies_in, is_fortified_camp, kind, with_unit
from domain.mechanics.modifiers import Factor, Factors, total

TO_HIT, TO_HIT_BADLY = 6, 8
CLOSING_NEEDED = 5
HITS_BADLY: Mapping[str, Factor] = MappingProxyType(
    {
        why: Factor("TTS-MEL-05", why, TO_HIT_BADLY - TO_HIT)
        for why in ("disordered", "shooter", "poor", "light-v-formed", "rough")
    }
)
"""Why a unit hits on 8+ in melee, by their `why` in the order in which they are checked."""
BONUS_CARDS: Mapping[str, Factor] = MappingProxyType(
    {
        factor.why: factor
        for factor in (
            Factor("TTS-MEL-06a", "flank", 1),
            Factor("TTS-MEL-06a", "rear", 1),
            Factor("TTS-MEL-07", "lance", 1),
            Factor("TTS-MEL-08", "pilum", 1),
            Factor("TTS-MEL-06b", "scythed", 1),
            Factor("TTS-MEL-06c", "warriors", 1),
        )
    }
)
"""The bonus cards of an attack, by their `why`, in the order in which the cap takes them."""


# --- rules


def to_hit_factors(state: State, striker: Unit, target: Unit, origin: str) -> Factors:
    """Why a unit hits on 8+ rather than 6+ in melee: the first line that applies (TTS-MEL-05).

    Several disorders count as one (TTS-DIS-04).
    """
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
    return (HITS_BADLY[why],)


def _suffers_in_rough(unit: Unit) -> bool:
    profile = kind(unit)
    return profile.mounted or profile.elephant or "close" in profile.flags


def bonus_cards(state: State, charger: Unit, target: Unit, aspect: str, began: str, first: bool) -> Factors:
    """The bonus cards of a charge, in their order, as far as the cap allows (TTS-MEL-06).

    `began` is the box where the charger began; `first` that it is its first charge of the battle.
    """
    flags = kind(charger).flags
    applies = (
        (aspect, aspect != "front"),
        ("lance", _couches_lance(state, charger, target, aspect)),
        ("pilum", charger.pilum > 0 and not charger.losses),
        ("scythed", "scythed" in flags and began != charger.box),
        ("warriors", "first_charge" in flags and first),
    )
    return _capped(state, *(BONUS_CARDS[why] for why, holds in applies if holds))


def _capped(state: State, *bonuses: Factor) -> Factors:
    """The bonus cards that a series may have: the cap counts for each series of an attack (TTS-MEL-06)."""
    return bonuses[: state.options.bonus_cap]


def _couches_lance(state: State, charger: Unit, target: Unit, aspect: str) -> bool:
    """Whether the lance counts (TTS-MEL-07)."""
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
    """Whether a target that survives replies (TTS-MEL-10); the caller excludes a failed evade."""
    return aspect == "front" and "pike" not in kind(charger).flags


def may_follow_up(state: State, charger: Unit, box: str) -> bool:
    """Whether a charger takes the box that its attack has emptied (TTS-MEL-14)."""
    profile = kind(charger)
    shaken = "pike" in profile.flags and charger.losses > 0
    stuck = profile.artillery or shaken or is_fortified_camp(state, charger.box)
    return not stuck and has_room(state, charger, others_in(state, charger, box))


# --- events


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
    """Whether shooters who are charged keep their nerve."""

    RULE = "TTS-MEL-16"

    unit: str
    needed: int
    card: int
    passed: bool


# --- steps of a charge, in the order in which they run


def step_closing(judge: Judge[State], *, course: Plain) -> None:
    """Steady shooters charged in front may shoot once (TTS-MEL-16)."""
    charge = course_of(course)
    shooter, charger = judge.state.units[charge.target], judge.state.units[charge.unit]
    if not gives_closing_fire(judge.state, shooter, charge.aspect):
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


def step_attack(judge: Judge[State], *, course: Plain) -> None:
    """The series of the charge: markers spent, cards drawn one by one (TTS-MEL-06, -09). The comrade of
    the charger adds nothing (TTS-STK-06)."""
    charge = course_of(course)
    charger, target = judge.state.units[charge.unit], judge.state.units[charge.target]
    if not charger.alive or not target.alive:
        return
    aspect = charge.aspect
    bonuses = bonus_cards(judge.state, charger, target, aspect, charge.began, charge.first)
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
    resolve(judge, target, needed, replayed or card, convert(factors, Factors), Strike(**strike))


def step_reply(judge: Judge[State], *, unit: str, target: str, aspect: str) -> None:
    """A target that survives strikes back with one card, and its pila (TTS-MEL-10); that is all of the
    charge (TTS-MEL-11)."""
    charger, struck = judge.state.units[unit], judge.state.units[target]
    if not charger.alive or not struck.alive or not may_strike_back(charger, aspect):
        return
    throws = struck.pilum > 0 and not struck.losses
    bonuses = _capped(judge.state, BONUS_CARDS["pilum"]) if throws else ()
    if bonuses:
        spend_marker(judge, struck, "pilum")
    begin_attack(judge, struck, charger, "reply", "front", 1 + total(bonuses), bonuses)


def step_second(judge: Judge[State], *, course: Plain) -> None:
    """If the first target is destroyed or away, the other unit of the box is attacked at once
    (TTS-MEL-13)."""
    charge = course_of(course)
    charger, box = judge.state.units[charge.unit], charge.box
    if not charger.alive or not _is_gone(judge.state, charge):
        return
    hit = first_hit_by_charge(judge.state, charger.side, box, charger.box, charge.began)
    if hit is None:
        return
    target, aspect = hit
    bonuses = () if aspect == "front" else _capped(judge.state, BONUS_CARDS[aspect])
    judge.push("reply", unit=charger.id, target=target.id, aspect=aspect)
    begin_attack(judge, charger, target, "second", aspect, 1 + total(bonuses), bonuses)


def _is_gone(state: State, charge: Course) -> bool:
    """Whether the first target is destroyed, or has evaded successfully."""
    return charge.evaded or not state.units[charge.target].alive


def step_follow_up(judge: Judge[State], *, course: Plain) -> None:
    """The charger takes the box that its attack has emptied (TTS-MEL-14, -15)."""
    charge = course_of(course)
    charger, box = judge.state.units[charge.unit], charge.box
    if not charger.alive or enemies_in(judge.state, box, charger.side) or not _is_gone(judge.state, charge):
        return
    if may_follow_up(judge.state, charger, box):
        arrive(judge, move_unit(judge, charger, (box,), charger.facing, "follow-up"))


def step_pursue(judge: Judge[State], *, course: Plain) -> None:
    """The only unit of the box has evaded: the charger moves in, unless told to halt (TTS-EVD-08)."""
    charge = course_of(course)
    if not charge.halt:
        charger = judge.state.units[charge.unit]
        arrive(judge, move_unit(judge, charger, (charge.box,), charger.facing, "pursuit"))


def spend_marker(judge: Judge[State], unit: Unit, marker: str) -> None:
    """Use one lance or pilum marker (TTS-MEL-07, -08)."""
    rule = "TTS-MEL-07" if marker == "lance" else "TTS-MEL-08"
    judge.emit(MarkerSpent(unit.id, marker, getattr(unit, marker) - 1), unit.side, rule)


# --- evolutions


def on_attack_began(state: State, event: AttackBegan) -> State:
    """Scythed chariots that have attacked are spent (TTS-MEL-19), which is recorded here."""
    if event.kind not in ("charge", "second"):
        return state
    return with_unit(state, replace(state.units[event.attacker], attacked=True))


def on_marker_spent(state: State, event: MarkerSpent) -> State:
    return with_unit(state, replace(state.units[event.unit], **{event.marker: event.left}))


EVOLUTIONS: dict[Any, Any] = {
    AttackBegan: on_attack_began,
    MarkerSpent: on_marker_spent,
    ClosingFireTested: unchanged,
}
STEPS: dict[str, Any] = {
    "closing": step_closing,
    "attack": step_attack,
    "strike": step_strike,
    "strike-result": step_strike_result,
    "reply": step_reply,
    "second": step_second,
    "follow-up": step_follow_up,
    "pursue": step_pursue,
}
