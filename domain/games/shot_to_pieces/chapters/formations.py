"""Chapter FRM: formations, mounting and dismounting (STP-FRM-01 to -06, STP-ACW-05, STP-ACT-09)."""

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from domain.basics.errors import Refusal
from domain.engine.judge import Judge
from domain.events.battle import Event
from domain.games.shot_to_pieces.chapters.control import require_no_cavalry_near, require_outside_zones
from domain.games.shot_to_pieces.chapters.course import StepOrder
from domain.games.shot_to_pieces.chapters.moving import fit, require_whole_battalions
from domain.games.shot_to_pieces.chapters.paces import MARCH, reach
from domain.games.shot_to_pieces.chapters.points import ELSE, Payment, pay, price, require_payable
from domain.games.shot_to_pieces.plane.angles import fraction
from domain.games.shot_to_pieces.plane.base import Base, is_on_table
from domain.games.shot_to_pieces.plane.gaps import overlap
from domain.games.shot_to_pieces.state.commands import ChangeFormation
from domain.games.shot_to_pieces.state.figures import period_of
from domain.games.shot_to_pieces.state.footprints import base_size
from domain.games.shot_to_pieces.state.state import NEVER, State, Unit, with_unit
from domain.games.shot_to_pieces.state.vocabulary import FORMING

RULE = "STP-FRM-01"
SPENT: Mapping[str, tuple[int, int]] = {
    "militia": (1, 1),
    "reserve": (3, 4),
    "line": (1, 2),
    "veteran": (1, 2),
    "elite": (1, 4),
}
"""The part of its movement that a change of formation takes, by status."""
BATTLE, SKIRMISH, EXTENDED, MOUNTED, DISMOUNTED = "battle", "skirmish", "extended", "mounted", "dismounted"
STRETCHED = ("elite", "line")
"""Whose infantry may stand in extended line (STP-ACW-05)."""


class FormationChanged(Event, frozen=True, gc=False, rename={"from_": "from"}):
    """A unit has another formation, or is mounted or dismounted; `left_hcm` is what it may still move."""

    RULE = RULE

    unit: str
    from_: str
    to: str
    left_hcm: int


class Forming(Struct, frozen=True, gc=False):
    """Changes of formation that may be made: each unit as it will be; nothing is paid for march columns."""

    units: tuple[Unit, ...]
    payment: Payment | None


# --- what a unit may become


def formations_of(state: State, unit: Unit) -> Mapping[str, str]:
    """The formations that a unit may take on, each with the type whose figures it then has.

    Rule: STP-FRM-05, STP-EMP-07 light infantry skirmishes and comes back; STP-ACW-06 cavalry dismounts and mounts
    """
    held = period_of(state)
    if unit.formation == SKIRMISH:
        return {name: unit.type for name in held.types[unit.type].formations if name in (BATTLE, "column")}
    own = held.types[unit.key]
    found = {name: "skirmisher" if name == SKIRMISH else unit.key for name in own.formations}
    if own.dismounts:
        found[DISMOUNTED] = own.dismounts
    if own.mounts:
        found[MOUNTED] = unit.type if held.types[unit.type].dismounts == unit.key else own.mounts
    if unit.status not in STRETCHED:
        found.pop(EXTENDED, None)
    if unit.formation in (MOUNTED, DISMOUNTED):
        found.pop(BATTLE, None)
    found.pop(unit.formation, None)
    return found


def formed(state: State, unit: Unit, formation: str, key: str) -> Unit:
    """A unit as it is in another formation: its figures, its base about the same centre, and what it may still move.

    Rule: STP-FRM-01 what it takes is the same in every period (STP-ACW-06, STP-EMP-07); STP-FRM-02 marching takes none
    """
    made = _shaped(state, unit, formation, key, NEVER, 0)
    most = reach(with_unit(state, made), made)
    parts, of = (0, 1) if formation == MARCH else SPENT[unit.status]
    return replace(made, form_k=state.k, left_hcm=most - fraction(most, parts, of))


def _shaped(state: State, unit: Unit, formation: str, key: str, form_k: int, left: int) -> Unit:
    width, depth = base_size(period_of(state).types[key].arm, formation, state.options.base_sizes)
    base = Base(unit.at, unit.facing, width, depth)
    return replace(unit, formation=formation, key=key, base=base, form_k=form_k, left_hcm=left)


# --- orders


def plan_form(state: State, side: str, command: ChangeFormation) -> Forming:
    """The order of one unit.

    Raises: Refusal of shot-to-pieces.md 3 for formations, in its order
    """
    return plan_forming(state, side, [command])


def plan_forming(state: State, side: str, commands: Sequence[ChangeFormation], why: str = "form") -> Forming:
    """One order to one unit or several."""
    units = fit(state, side, *(command.unit for command in commands))
    require_whole_battalions(state, units)
    made = [_formed(state, unit, command.formation) for unit, command in zip(units, commands, strict=True)]
    _require_few_extended(state, made)
    for unit in made:
        if not is_on_table(unit.base, state.board.width, state.board.height):
            raise Refusal("stp.leaves-table", "STP-GEO-01", unit=unit.id)
    _require_room(state, made)
    for unit, after in zip(units, made, strict=True):
        require_no_cavalry_near(state, unit, after)
    for unit, after in zip(units, made, strict=True):
        require_outside_zones(state, unit, unit.base, after.base)
    if all(unit.formation == MARCH for unit in made):
        return Forming(tuple(made), None)
    payment = Payment(units[0].corps, units[0].id, why, price(state, units), ELSE)
    require_payable(state, payment)
    return Forming(tuple(made), payment)


def _formed(state: State, unit: Unit, formation: str) -> Unit:
    allowed = formations_of(state, unit)
    if formation not in allowed:
        raise Refusal("stp.bad-formation", RULE, unit=unit.id, formation=formation, allowed=sorted(allowed))
    if unit.form_k == state.k:
        raise Refusal("stp.already-moved", "STP-ACT-08", unit=unit.id)
    return formed(state, unit, formation, allowed[formation])


def _require_few_extended(state: State, made: Iterable[Unit]) -> None:
    """Refuse more extended lines in a corps than there may be at a time (STP-ACW-05)."""
    most = period_of(state).switches.extended_limit
    new = [unit for unit in made if unit.formation == EXTENDED]
    for at, unit in enumerate(new):
        others = sum(one.formation == EXTENDED for one in state.under(unit.corps))
        if others + at >= most:
            raise Refusal("stp.limit-reached", "STP-ACW-05", unit=unit.id, allowed=most)


def _require_room(state: State, made: Sequence[Unit]) -> None:
    after = {unit.id: unit.base for unit in made}
    for unit in made:
        for other in state.units.values():
            if other.here and other.id != unit.id and overlap(unit.base, after.get(other.id, other.base)):
                raise Refusal("stp.overlap", "STP-GEO-02", unit=unit.id, by=other.id)


def carry_out(judge: Judge[State], side: str, forming: Forming) -> None:
    """Pay, then change; into march column it is free (STP-FRM-02)."""
    if forming.payment:
        pay(judge, side, forming.payment)
    for unit in forming.units:
        before = judge.state.units[unit.id].formation
        rule = "STP-FRM-02" if unit.formation == MARCH else RULE
        judge.emit(FormationChanged(unit.id, before, unit.formation, unit.left_hcm), side, rule)


def on_formation_changed(state: State, event: FormationChanged) -> State:
    unit = state.units[event.unit]
    key = formations_of(state, unit).get(event.to, unit.key)
    return with_unit(state, _shaped(state, unit, event.to, key, state.k, event.left_hcm))


STEP_ORDERS = {ChangeFormation: StepOrder((FORMING,), plan_form, carry_out)}
EVOLUTIONS = {FormationChanged: on_formation_changed}
