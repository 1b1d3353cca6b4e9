"""Chapter CHG, who may charge whom: each function refuses by one code, in the order of shot-to-pieces.md 3."""

from domain.basics.errors import Refusal
from domain.games.shot_to_pieces.plane.contacts import abuts
from domain.games.shot_to_pieces.state.commands import Charge
from domain.games.shot_to_pieces.state.figures import figures, period_of
from domain.games.shot_to_pieces.state.ground import cover_of
from domain.games.shot_to_pieces.state.melees import opponent_of
from domain.games.shot_to_pieces.state.profiles import MOUNTED, SKIRMISHERS
from domain.games.shot_to_pieces.state.state import Aspect, State, Unit, melee_of

MOST_CHARGES = 2
"""Charges in consecutive own phases (STP-CHG-02)."""
OWN_PHASES = 2
"""From one own phase to the next."""
MELEE_CLOSED = "STP-MEL-06"


def forbidden_by(state: State, unit: Unit, target: Unit, aspect: Aspect) -> str:
    """The rule that forbids a unit to charge a target of this sort, "" for none.

    Rule: STP-CHG-03 types that never charge; STP-MEL-09, STP-INT-28 skirmishers; STP-EMP-03 Cossacks; STP-EMP-04
          attack columns; STP-EMP-02, STP-AWI-03, STP-GSC-03, STP-ALG-02 infantry against cavalry (elsewhere it keeps
          away: STP-INT-44)
    """
    own, other = figures(state, unit), figures(state, target)
    if "no-charge" in own.flags:
        return "STP-CHG-03"
    if own.arm in SKIRMISHERS:
        prey = other.arm == "skm" or (own.arm == "skc" and other.arm == "skc") or (other.arm == "art" and target.shaken)
        return "" if prey else "STP-MEL-09"
    held = period_of(state)
    shuns = own.arm == "inf" and held.switches.foot_never_charges_cavalry and "meets-cav" not in own.flags
    if shuns and other.arm == "cav":
        return held.rules["foot_never_charges_cavalry"]
    is_formed = other.arm == "cav" or (other.arm == "inf" and target.formation == "line")
    if "cossack" in own.flags and is_formed and not target.shaken and aspect == "front":
        return held.flags["cossack"]
    if "attack-column-only" in unit.traits and unit.formation == "column" and not cover_of(state, target, unit):
        return "STP-EMP-04"
    return ""


def require_not_forbidden(state: State, unit: Unit, target: Unit, aspect: Aspect) -> None:
    """Refuse a march column, and a charge that is not for this type or against this target.

    Raises: Refusal stp.march-column, stp.charge-forbidden
    """
    if unit.formation == "march":
        raise Refusal("stp.march-column", "STP-FRM-03", unit=unit.id)
    rule = forbidden_by(state, unit, target, aspect)
    if rule:
        raise Refusal("stp.charge-forbidden", rule, unit=unit.id, target=target.id)


def is_poor(state: State, unit: Unit) -> bool:
    """Whether a unit is poor cavalry (STP-GAP-16)."""
    return figures(state, unit).arm in MOUNTED and ("poor" in unit.traits or unit.status in ("reserve", "militia"))


def require_eligible(state: State, unit: Unit, command: Charge, *, is_driven: bool) -> None:
    """Refuse an all-out charge of other than poor cavalry, and a rash one of other than cavalry; who is driven to an
    all-out charge makes no other (STP-CHG-07, -09, STP-EVT-03).

    Raises: Refusal stp.not-eligible
    """
    if command.mode == "rash" and (is_driven or figures(state, unit).arm not in MOUNTED):
        raise Refusal("stp.not-eligible", "STP-CHG-09", unit=unit.id, mode=command.mode)
    if command.mode == "all-out" and not (is_driven or is_poor(state, unit)):
        raise Refusal("stp.not-eligible", "STP-CHG-07", unit=unit.id, mode=command.mode)


def require_below_limit(state: State, unit: Unit) -> None:
    """Refuse a third charge in consecutive own phases (STP-CHG-02).

    Raises: Refusal stp.charge-limit
    """
    if unit.charges >= MOST_CHARGES and unit.charge_k == state.k - OWN_PHASES:
        raise Refusal("stp.charge-limit", "STP-CHG-02", unit=unit.id, charges=unit.charges, allowed=MOST_CHARGES)


def must_run(state: State, target: Unit, charger: Unit) -> bool:
    """Whether skirmishers that fight skirmishers have to run from a charger in close order (STP-EVD-03); who is shaken
    does not (STP-EVD-09)."""
    melee = melee_of(state, target)
    if melee is None or target.shaken or figures(state, target).arm not in SKIRMISHERS:
        return False
    is_close = figures(state, charger).arm not in SKIRMISHERS
    return is_close and figures(state, opponent_of(melee, state, target)).arm in SKIRMISHERS


def is_open_to(state: State, unit: Unit, target: Unit) -> bool:
    """Whether a unit may join whatever melee its target is in: from beside a friend in it, if that ends by it, or if it
    has begun by a charge of this phase (STP-MEL-06, -15, STP-EVD-03)."""
    melee = melee_of(state, target)
    if melee is None or must_run(state, target, unit) or (melee.since == state.k and melee.rounds == 0):
        return True
    friends = (state.units[name] for name in melee.units)
    return any(
        friend.side == unit.side and friend.id != unit.id and abuts(unit.base, friend.base) for friend in friends
    )


def require_open(state: State, unit: Unit, target: Unit) -> None:
    """Refuse to join a melee from elsewhere than beside a friend in it.

    Raises: Refusal stp.melee-closed
    """
    if not is_open_to(state, unit, target):
        raise Refusal("stp.melee-closed", MELEE_CLOSED, unit=unit.id, target=target.id, melee=target.melee)
