"""The actions of units: stay, move, attack, and two units together (PRG-MOV-10, -11, -12, PRG-CBT-01, -02).

A move and its attack are one order (PRG-ORD-02). `plan_…` makes every check, in the order of the codes; the options ask
the same plans. A plan never looks at what the other side hides: that happens when the action is carried out.
"""

from typing import Any, ClassVar

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from domain.engine.commands import Command
from domain.engine.errors import Refusal
from domain.engine.events import Event
from domain.engine.judge import Judge, unknown_id
from domain.games.singidunum.chapters.combat import DOUBLE, GENERAL, SIMPLE
from domain.games.singidunum.chapters.decisions import known_unit, own_unit, require_on_board
from domain.games.singidunum.chapters.fight import Fight
from domain.games.singidunum.chapters.movement import (
    OFF,
    Path,
    UnitFled,
    UnitMoved,
    Way,
    plan_path,
    scrub_passed,
)
from domain.games.singidunum.chapters.retreats import GeneralOrdered
from domain.games.singidunum.chapters.turns import TURNS, begin_action
from domain.games.singidunum.chapters.units import require_in_play, require_ready
from domain.games.singidunum.state.roster import is_barred_from_forest
from domain.games.singidunum.state.state import (
    Ambush,
    State,
    Unit,
    ambush_at,
    ambush_of,
    neighbours,
    touching,
    with_shown,
    with_unit,
)
from domain.mechanics import hex as hexes

NOWHERE = Way()
Plain = dict[str, Any]


# --- commands


class Stay(Command, frozen=True, gc=False, tag="stay"):
    """Do nothing, and be activated."""

    PHASES: ClassVar[frozenset[str]] = frozenset({TURNS})

    unit: str


class Act(Command, frozen=True, gc=False, tag="act"):
    """Move, attack, or both; `target` is a unit or the hex of an ambush, "" for no attack."""

    PHASES: ClassVar[frozenset[str]] = frozenset({TURNS})

    unit: str
    way: Way = NOWHERE
    target: str = ""


class Double(Command, frozen=True, gc=False, tag="double"):
    """Two units attack together, on the order of a general or ("") without."""

    PHASES: ClassVar[frozenset[str]] = frozenset({TURNS})

    units: tuple[str, str]
    ways: tuple[Way, Way]
    target: str
    general: str = ""


# --- events


class AmbushRevealed(Event, frozen=True, gc=False, kw_only=True):
    """What lies under a marker is shown: a unit, or nothing but a decoy."""

    RULE: ClassVar[str] = "PRG-EXT-TER-02"

    side: str
    hex: str
    unit: str
    opens: tuple[int, ...] | UnsetType = UNSET


# --- plans


class Plan(Struct, frozen=True, gc=False, kw_only=True):
    """An action that may be taken: who goes where, and whom they attack, "" for nobody; `hex` is the ambush that is
    attacked."""

    kind: str
    units: tuple[str, ...]
    paths: tuple[Path, ...]
    target: str = ""
    hex: str = ""
    general: str = ""


def plan_act(state: State, side: str, command: Act) -> Plan:
    """The plan of a move, of an attack, or of both.

    Raises: Refusal with the first code that applies
    """
    unit = own_unit(state, side, command.unit)
    target, hex_ = _target(state, side, command.target)
    require_on_board(state, *_hexes(command.way), hex_)
    require_ready(unit)
    _require_enemy(side, target)
    shown = with_shown(state, (unit.id,))
    unit = shown.units[unit.id]
    path = plan_path(shown, unit, command.way)
    kind = "attack" if command.target else "move"
    plan = Plan(kind=kind, units=(unit.id,), paths=(path,), target=target.id if target else "", hex=hex_)
    if not command.target:
        return plan
    if unit.type == "HA" and not (state.options.asterisk_attack and "asterisk" in unit.abilities):
        raise Refusal("singidunum.may-not-attack", "PRG-EXT-HA-01", unit=unit.id)
    _require_contact(shown, path, target.hex if target else hex_)
    if hex_ and is_barred_from_forest(unit.type):
        raise Refusal("singidunum.may-not-attack", "PRG-EXT-TER-02", unit=unit.id)
    return plan


def plan_double(state: State, side: str, command: Double) -> Plan:
    """The plan of a double attack; a general who orders it is not one of the two (PRG-EXT-GE-03, PRG-INT-10).

    Raises: Refusal with the first code that applies
    """
    general = own_unit(state, side, command.general) if command.general else None
    units = [own_unit(state, side, name) for name in command.units]
    target = known_unit(state, side, command.target)
    require_on_board(state, *(hex_ for way in command.ways for hex_ in _hexes(way)))
    if general:
        _require_general(general)
    require_ready(*units)
    _require_enemy(side, target)
    if len({*command.units, command.general}) < len(units) + 1:
        raise Refusal("singidunum.bad-double", "PRG-CBT-02", units=list(command.units))
    shown = with_shown(state, command.units)
    if general:
        _require_in_range(shown, general, command.units)
    paths: list[Path] = []
    moved = shown
    for name, way in zip(command.units, command.ways, strict=True):
        path = plan_path(moved, moved.units[name], way)
        paths.append(path)
        moved = with_unit(moved, replace(moved.units[name], hex=path.end))
    for path in paths:
        _require_contact(moved, path, target.hex)
    require_isolated(moved, target, [path.end for path in paths])
    kind = "general" if general else "double"
    return Plan(kind=kind, units=command.units, paths=tuple(paths), target=target.id, general=command.general)


def _hexes(way: Way) -> tuple[str, ...]:
    return tuple(hex_ for hex_ in (way.to, way.via) if hex_ != OFF)


def _target(state: State, side: str, name: str) -> tuple[Unit | None, str]:
    """What is attacked: a unit of that name, else the ambush marker on that hex (PRG-ORD-01)."""
    if not name:
        return None, ""
    if name in state.units or name not in hexes.XY:
        return known_unit(state, side, name), ""
    require_on_board(state, name)
    ambush = ambush_at(state, name)
    if ambush is None or ambush.side == side:
        raise unknown_id(name)
    return None, name


def _require_enemy(side: str, target: Unit | None) -> None:
    if target:
        require_in_play(target)
        if target.side == side:
            raise Refusal("singidunum.not-an-enemy", "PRG-CBT-01", unit=target.id)


def _require_contact(state: State, path: Path, hex_: str) -> None:
    if not path.end or hex_ not in neighbours(state, path.end):
        raise Refusal("singidunum.not-in-contact", "PRG-CBT-01", unit=path.unit, hex=hex_)


def _require_general(general: Unit) -> None:
    """A general who is available; one that has fought, or was hit, orders nobody (PRG-EXT-GE-04)."""
    if general.type != "GE":
        raise Refusal("singidunum.not-a-general", "PRG-EXT-GE-03", unit=general.id)
    if general.activated:
        raise Refusal("singidunum.general-activated", "PRG-EXT-GE-04", unit=general.id)
    require_in_play(general)


def _require_in_range(state: State, general: Unit, names: tuple[str, ...]) -> None:
    reach = state.options.general_range
    for name in names:
        distance = hexes.distance(general.hex, state.units[name].hex)
        if distance > reach:
            far = {"unit": name, "general": general.id, "distance": distance, "reach": reach}
            raise Refusal("singidunum.general-range", "PRG-EXT-GE-03", **far)


def require_isolated(state: State, target: Unit, from_: list[str]) -> None:
    """The target of a double attack has no friend beside it, or with `no-flank-friend` none that the attackers touch
    as well (PRG-CBT-03)."""
    friends = touching(state, target.hex, target.side)
    if state.options.isolated == "no-flank-friend":
        friends = [friend for friend in friends if any(friend.hex in neighbours(state, hex_) for hex_ in from_)]
    if friends:
        raise Refusal("singidunum.not-isolated", "PRG-CBT-03", unit=target.id, friend=friends[0].id)


# --- decisions


def decide_stay(judge: Judge[State], side: str, command: Stay) -> None:
    """The unit does nothing and is activated (PRG-MOV-12)."""
    unit = own_unit(judge.state, side, command.unit)
    require_ready(unit)
    begin_action(judge, side, "stay", (unit.id,))
    judge.push("activate", units=[unit.id], cause="action", rule="PRG-SEQ-02")
    show_own(judge, (unit.id,))


def decide_act(judge: Judge[State], side: str, command: Act) -> None:
    """Move, then attack (PRG-MOV-10)."""
    _begin(judge, side, plan_act(judge.state, side, command))


def decide_double(judge: Judge[State], side: str, command: Double) -> None:
    """Both move, then attack together (PRG-CBT-02, PRG-EXT-GE-03)."""
    _begin(judge, side, plan_double(judge.state, side, command))


def _begin(judge: Judge[State], side: str, plan: Plan) -> None:
    named = (plan.general, *plan.units) if plan.general else plan.units
    begin_action(judge, side, plan.kind, named)
    if plan.general:
        judge.emit(GeneralOrdered(plan.general, "double", plan.units), side, "PRG-EXT-GE-03")
    hidden = tuple(name for name in plan.units if ambush_of(judge.state, name))
    show_own(judge, plan.units)
    went = [_move(judge, path) for path in plan.paths]
    if not plan.target and not plan.hex:
        _activated(judge, plan)
        return
    target = plan.target
    if plan.hex:
        ambush = ambush_at(judge.state, plan.hex)
        if all(went) and ambush:
            reveal(judge, ambush)
            target = ambush.unit
    if not all(went) or not target:  # stopped by what was hidden, or only a decoy
        _activated(judge, plan)
        return
    judge.push("attack", fight=_fight(judge.state, side, plan, target, hidden).plain())


def _activated(judge: Judge[State], plan: Plan) -> None:
    if plan.general:
        judge.push("activate", units=[plan.general], cause="order", rule="PRG-EXT-GE-03")
    judge.push("activate", units=list(plan.units), cause="action", rule="PRG-SEQ-02")


def _fight(state: State, side: str, plan: Plan, target: str, hidden: tuple[str, ...]) -> Fight:
    enemy = state.units[target]
    kind = GENERAL if plan.general else DOUBLE if len(plan.units) > 1 else SIMPLE
    return Fight(
        side=side,
        kind=kind,
        attackers=plan.units,
        hexes=tuple(path.end for path in plan.paths),
        target=target,
        hex=enemy.hex,
        through=tuple(scrub_passed(state, path) for path in plan.paths),
        impact=any(has_impact(state, path, enemy) for path in plan.paths),
        ambushers=hidden,
        general=plan.general,
    )


def has_impact(state: State, path: Path, target: Unit) -> bool:
    """Whether shock cavalry may not be refused: it moved one hex into contact with an activated unit
    (PRG-EXT-SC-01)."""
    unit = state.units[path.unit]
    came = len(path.hexes) == 1 and target.hex not in neighbours(state, path.start)
    return "impact" in unit.abilities and target.activated and came


# --- carrying it out


def _move(judge: Judge[State], path: Path) -> bool:
    """Move a unit along its path; False if it was stopped by an ambush (PRG-EXT-TER-02, PRG-INT-14)."""
    unit = judge.state.units[path.unit]
    if path.off:
        judge.emit(UnitFled(unit=unit.id, from_=unit.hex, to="", cause="move"), unit.side)
        return True
    walked: list[str] = []
    stopped = False
    for hex_ in path.hexes:
        ambush = ambush_at(judge.state, hex_)
        if ambush and ambush.side != unit.side:
            reveal(judge, ambush)
            stopped = bool(ambush.unit)
        if stopped:
            break
        walked.append(hex_)
    if walked:
        moved = UnitMoved(unit=unit.id, from_=path.start, to=walked[-1], path=tuple(walked), cause="action")
        judge.emit(moved, unit.side)
    if path.flees and not stopped:
        judge.emit(UnitFled(unit=unit.id, from_=walked[-1], to=walked[-1], cause="move"), unit.side)
    return not stopped


def show_own(judge: Judge[State], units: tuple[str, ...]) -> None:
    """Units that act come out of their ambush (PRG-EXT-TER-02)."""
    for name in units:
        ambush = ambush_of(judge.state, name)
        if ambush:
            reveal(judge, ambush)


def reveal(judge: Judge[State], ambush: Ambush) -> None:
    """Show what lies under a marker; the event that laid it is opened."""
    opens = (ambush.n,) if ambush.n else UNSET
    judge.emit(AmbushRevealed(side=ambush.side, hex=ambush.hex, unit=ambush.unit, opens=opens), ambush.side)


# --- evolutions


def on_ambush_revealed(state: State, event: AmbushRevealed) -> State:
    state = replace(state, ambushes=tuple(ambush for ambush in state.ambushes if ambush.hex != event.hex))
    return with_unit(state, replace(state.units[event.unit], hex=event.hex)) if event.unit else state


DECISIONS: dict[Any, Any] = {Stay: decide_stay, Act: decide_act, Double: decide_double}
EVOLUTIONS: dict[Any, Any] = {AmbushRevealed: on_ambush_revealed}
