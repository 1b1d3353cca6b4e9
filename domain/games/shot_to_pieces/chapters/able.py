"""Chapter FIR, who may fire at all (STP-FIR-01)."""

from domain.basics.errors import Refusal
from domain.games.shot_to_pieces.chapters.fortunes import is_stuck, salvoes_allowed
from domain.games.shot_to_pieces.plane.contacts import in_contact
from domain.games.shot_to_pieces.state.figures import figures, weapon_of
from domain.games.shot_to_pieces.state.state import State, Unit, phase_of

ELIGIBLE = "STP-FIR-01"


def require_able(state: State, unit: Unit, *, is_reply: bool = False) -> None:
    """Refuse who may not fire now.

    Rule: STP-FIR-01; STP-FRM-03 and STP-INT-32 a march column replies; STP-MOV-15 guns that moved do not fire, and all
          others do (STP-GAP-17); STP-WW1-08
    Raises: Refusal stp.unit-shaken, stp.unit-engaged, stp.no-fire-value, stp.march-column, stp.moved-too-far,
            stp.already-fired, stp.not-emplaced
    """
    if unit.shaken:
        raise Refusal("stp.unit-shaken", ELIGIBLE, unit=unit.id)
    if unit.engaged or is_supporting(state, unit):
        raise Refusal("stp.unit-engaged", "STP-MEL-07", unit=unit.id, melee=unit.melee)
    weapon = weapon_of(state, unit)
    if weapon is None:
        raise Refusal("stp.no-fire-value", ELIGIBLE, unit=unit.id)
    if unit.formation == "march" and not is_reply:
        raise Refusal("stp.march-column", "STP-FRM-03", unit=unit.id)
    if figures(state, unit).arm == "art" and (unit.far_k == state.k or is_stuck(state, unit)):
        raise Refusal("stp.moved-too-far", "STP-MOV-15", unit=unit.id, moved=unit.moved_hcm)
    if shots_taken(state, unit) + (0 if is_reply else len(salvoes_of(state, unit))) >= salvoes_allowed(state, unit):
        raise Refusal("stp.already-fired", "STP-SEQ-02", unit=unit.id)
    if "bombardment" in weapon.marks and not is_emplaced(state, unit):
        raise Refusal("stp.not-emplaced", "STP-WW1-08", unit=unit.id)


def is_able(state: State, unit: Unit, *, is_reply: bool = False) -> bool:
    """Whether a unit may fire now, whoever its target may be."""
    try:
        require_able(state, unit, is_reply=is_reply)
    except Refusal:
        return False
    return unit.here


def shots_taken(state: State, unit: Unit) -> int:
    """How often a unit has fired in this phase, replies included (STP-SEQ-02)."""
    return unit.shots if unit.fired_k == state.k else 0


def salvoes_of(state: State, unit: Unit) -> tuple[str, ...]:
    """The salvoes, declared and not fired, that a unit is in."""
    return tuple(salvo.id for salvo in state.salvoes if unit.id in salvo.units)


def is_emplaced(state: State, unit: Unit) -> bool:
    """Whether a bombardment gun has stood through a whole phase of its own side (STP-WW1-08); the trait `emplaced` says
    so of the start of the battle."""
    if "emplaced" in unit.traits and unit.moved_k < 0:
        return True
    own = phase_of(state, unit.side, state.turn)
    last = own if own < state.k else own - 2
    return last > 0 and unit.moved_k < last


def is_supporting(state: State, unit: Unit) -> bool:
    """Whether a unit is in lateral or rear contact with the reference unit or the target of a melee, on its own side
    (STP-MEL-18)."""
    return any(
        name != unit.id and state.units[name].side == unit.side and in_contact(unit.base, state.units[name].base)
        for melee in state.melees
        for name in (melee.charger, melee.target)
    )
