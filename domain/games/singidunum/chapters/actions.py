"""The actions of single units: stay, move, attack (PRG-MOV-10, -11, -12, PRG-CBT-01).

A move and its attack are one order (PRG-ORD-02). `plan_act` makes every check, in the order of the codes; the options
ask the same plan. A plan never looks at what the other side hides: that happens when the action is carried out.
"""

from typing import Any, ClassVar

from msgspec import Struct

from domain.basics.commands import Command
from domain.basics.errors import Refusal
from domain.engine.judge import Judge, unknown_id
from domain.games.singidunum.chapters.ambushes import reveal, show_own
from domain.games.singidunum.chapters.decisions import known_unit, own_unit, require_on_board
from domain.games.singidunum.chapters.fight import DOUBLE, GENERAL, SIMPLE, Fight
from domain.games.singidunum.chapters.generals import GeneralOrdered
from domain.games.singidunum.chapters.movement import OFF, Path, UnitFled, UnitMoved, Way, plan_path, scrub_passed
from domain.games.singidunum.chapters.turns import TURNS, begin_action
from domain.games.singidunum.chapters.units import require_in_play, require_ready
from domain.games.singidunum.state.roster import is_barred_from_forest
from domain.games.singidunum.state.state import State, Unit, ambush_at, ambush_of, neighbours, with_shown
from domain.mechanics import hex as hexes

NOWHERE = Way()


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


# --- plans


class ActionPlan(Struct, frozen=True, gc=False, kw_only=True):
    """An action that may be taken: who goes where, and whom they attack, "" for nobody; `hex` is the ambush that is
    attacked."""

    kind: str
    units: tuple[str, ...]
    paths: tuple[Path, ...]
    target: str = ""
    hex: str = ""
    general: str = ""


def plan_act(state: State, side: str, command: Act) -> ActionPlan:
    """The plan of a move, of an attack, or of both.

    Raises: Refusal with the first code that applies
    """
    unit = own_unit(state, side, command.unit)
    target, hex_ = _target(state, side, command.target)
    require_on_board(state, *hexes_of(command.way), hex_)
    require_ready(unit)
    require_enemy(side, target)
    shown = with_shown(state, (unit.id,))
    unit = shown.units[unit.id]
    path = plan_path(shown, unit, command.way)
    kind = "attack" if command.target else "move"
    plan = ActionPlan(kind=kind, units=(unit.id,), paths=(path,), target=target.id if target else "", hex=hex_)
    if not command.target:
        return plan
    if unit.type == "HA" and not (state.options.asterisk_attack and "asterisk" in unit.abilities):
        raise Refusal("singidunum.may-not-attack", "PRG-EXT-HA-01", unit=unit.id)
    require_contact(shown, path, target.hex if target else hex_)
    if hex_ and is_barred_from_forest(unit.type):
        raise Refusal("singidunum.may-not-attack", "PRG-EXT-TER-02", unit=unit.id)
    return plan


def hexes_of(way: Way) -> tuple[str, ...]:
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


def require_enemy(side: str, target: Unit | None) -> None:
    if target:
        require_in_play(target)
        if target.side == side:
            raise Refusal("singidunum.not-an-enemy", "PRG-CBT-01", unit=target.id)


def require_contact(state: State, path: Path, hex_: str) -> None:
    if not path.end or hex_ not in neighbours(state, path.end):
        raise Refusal("singidunum.not-in-contact", "PRG-CBT-01", unit=path.unit, hex=hex_)


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
    carry_out(judge, side, plan_act(judge.state, side, command))


def carry_out(judge: Judge[State], side: str, plan: ActionPlan) -> None:
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


def _activated(judge: Judge[State], plan: ActionPlan) -> None:
    if plan.general:
        judge.push("activate", units=[plan.general], cause="order", rule="PRG-EXT-GE-03")
    judge.push("activate", units=list(plan.units), cause="action", rule="PRG-SEQ-02")


def _fight(state: State, side: str, plan: ActionPlan, target: str, hidden: tuple[str, ...]) -> Fight:
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
    return "impact" in unit.abilities and target.activated and len(path.hexes) == 1  # it touched nobody it touches now


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
        if ambush:  # of the enemy, or an own decoy: an own unit would have barred the way
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


DECISIONS: dict[Any, Any] = {Stay: decide_stay, Act: decide_act}
