"""The legal orders of a side.

Legality is not decided here: candidates are put to the same plans as an order that is given. Not listed are standing
orders, resigning and offering a draw; of double attacks one is listed for each pair of units and target, by the
shortest ways. The last option always lets the battle go on: `pass`, `done`, the quiet answer.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations, product

from domain.basics.errors import Refusal
from domain.contract.option import Option, OrderTarget
from domain.engine.state import OTHER
from domain.games.singidunum.chapters.actions import NOWHERE, Act, ActionPlan, plan_act
from domain.games.singidunum.chapters.combat import SideFactor, factors_of
from domain.games.singidunum.chapters.dice import FIGHT
from domain.games.singidunum.chapters.doubles import Double, plan_double
from domain.games.singidunum.chapters.fight import Fight
from domain.games.singidunum.chapters.movement import OFF, TWO, Way, checked
from domain.games.singidunum.chapters.shooting import RANGES, ShootUnit, plan_shot
from domain.games.singidunum.chapters.stakes import REMOVE, RESTORE, may_touch
from domain.games.singidunum.orders.notation import write
from domain.games.singidunum.orders.setup_options import before_turns
from domain.games.singidunum.state.roster import is_barred_from_forest
from domain.games.singidunum.state.state import (
    State,
    Unit,
    ambush_at,
    ambush_of,
    available,
    is_at_side_edge,
    neighbours,
    own,
    touching,
    with_shown,
)
from domain.mechanics import hex as hexes

VERBS = {
    "retreat": "retreat ",
    "second": "propose ",
    "allow": "allow ",
    "pursuit": "pursue ",
    "hold": "hold ",
    "challenge": "challenge ",
}
"""What stands before an answer, where the kind of decision has one verb (PRG-SEQ-12)."""


def options(state: State, side: str) -> list[Option]:
    """Every legal order of a side, for a state as `known` to it."""
    if state.winner is not None or not state.phase:
        return []
    listed = [Option(f"{word} draw", "draw") for word in ("accept", "decline") if state.draw_offer == OTHER[side]]
    if state.waiting:
        return [*listed, *_answers(state, side)]
    if state.phase != "turns":
        return [*listed, *before_turns(state, side)]
    if state.active != side:
        return listed
    for unit in available(state, side):
        listed += unit_options(state, unit)
    listed += _doubles(state, side)
    return [*listed, Option("pass", "pass")]


# --- answers


def _answers(state: State, side: str) -> Iterator[Option]:
    """The answers to the question that waits, if it waits for this side; a `no`, or staying, last."""
    waiting = state.waiting
    if waiting is None or waiting.side != side:
        return
    verb = VERBS.get(waiting.kind, "")
    candidates: Sequence[str] = getattr(waiting, "candidates", ()) or ()
    answers = sorted(waiting.options, key=lambda answer: answer in ("no", "stay", "none"))
    for answer in answers:
        named = candidates if answer == "yes" and len(candidates) > 1 else ("",)
        for name in named:
            order = f"{verb}{answer}{f' with {name}' if name else ''}"
            yield Option(order, "answer", waiting.unit, target=_answer_target(state, answer, name))


def _answer_target(state: State, answer: str, name: str) -> OrderTarget | None:
    """The hex that an answer names, or that of the unit that it names."""
    hex_ = answer.rpartition(" ")[2]
    if hex_ in hexes.XY:
        return OrderTarget("move", hex_)
    return OrderTarget("join", state.units[name].hex, unit=name) if name in state.units else None


# --- orders to one unit


def unit_options(state: State, unit: Unit) -> list[Option]:
    """Every legal order to one unit that may act."""
    side, here = unit.side, OrderTarget("stay", hex_of(state, unit))
    listed = [*_moves(state, unit), *_shots(state, unit)]
    if may_touch(state, unit):
        listed += (Option(f"{unit.id} {what}", "stakes", unit.id, target=here) for what in (RESTORE, REMOVE))
    for way, target in _attacks(state, unit):
        command = Act(unit.id, way, target)
        try:
            plan = plan_act(state, side, command)
        except Refusal:
            continue
        listed.append(_fight_option(state, side, write(command), plan))
    return [*listed, Option(f"{unit.id} stay", "stay", unit.id, target=here)]


def hex_of(state: State, unit: Unit) -> str:
    """The hex on which a unit of one's own stands, or lies in ambush."""
    ambush = ambush_of(state, unit.id)
    return ambush.hex if ambush else unit.hex


def ways(state: State, unit: Unit) -> list[Way]:
    """The ways that a unit may go, each hex once: by the shortest path that is legal."""
    state = with_shown(state, (unit.id,))
    unit = state.units[unit.id]
    found: dict[str, Way] = {}
    near = neighbours(state, unit.hex)
    paths: list[tuple[str, ...]] = [(hex_,) for hex_ in near]
    if unit.profile.moves >= TWO:
        paths += [(mid, last) for mid in near for last in neighbours(state, mid) if last != unit.hex]
    for path in paths:
        if path[-1] in found:
            continue
        try:
            checked(state, unit, path)
        except Refusal:
            continue
        found[path[-1]] = Way(path[-1], path[0] if len(path) == TWO else "")
    return [*found.values(), *([Way(OFF)] if is_at_side_edge(state, unit.hex) else [])]


def _moves(state: State, unit: Unit) -> Iterator[Option]:
    for way in ways(state, unit):
        order = write(Act(unit.id, way))
        path = tuple(filter(None, (way.via, way.to)))
        yield Option(order, "move", unit.id, target=None if way.to == OFF else OrderTarget("move", way.to, path=path))


def _attacks(state: State, unit: Unit) -> Iterator[tuple[Way, str]]:
    """Ways with what can be attacked at their end: enemies, and the ambushes of the enemy."""
    state = with_shown(state, (unit.id,))
    unit = state.units[unit.id]
    for way in (NOWHERE, *ways(state, unit)):
        if way.to == OFF:
            continue
        at = way.to or unit.hex
        for enemy in touching(state, at, OTHER[unit.side]):
            yield way, enemy.id
        for hex_ in () if is_barred_from_forest(unit.type) else neighbours(state, at):
            ambush = ambush_at(state, hex_)
            if ambush and ambush.side != unit.side:
                yield way, hex_


def _shots(state: State, unit: Unit) -> Iterator[Option]:
    if not unit.profile.shoots:
        return
    for enemy in own(state, OTHER[unit.side]):
        if not enemy.hex or hexes.distance(hex_of(state, unit), enemy.hex) not in RANGES:
            continue
        try:
            shot = plan_shot(state, unit.side, ShootUnit(unit.id, enemy.id))
        except Refusal:
            continue
        order = write(ShootUnit(unit.id, enemy.id))
        target = OrderTarget("shoot", enemy.hex, unit=enemy.id)
        yield _opposed(order, "shoot", unit.id, unit.force, enemy.force, shot.factors, unit.side, target)


# --- two units together


def _doubles(state: State, side: str) -> Iterator[Option]:
    """Double attacks, by themselves or on the order of a general: each pair and target once."""
    units = available(state, side)
    reaching = {unit.id: _reaching(state, unit) for unit in units}
    generals = ["", *(unit.id for unit in units if unit.type == "GE")]
    for one, other in combinations(units, 2):
        for target in [name for name in reaching[one.id] if name in reaching[other.id]]:
            pairs = product(reaching[one.id][target], reaching[other.id][target])
            for general in generals:
                found = _first_double(state, side, (one.id, other.id), pairs, target, general)
                if found:
                    yield found
                    break


def _reaching(state: State, unit: Unit) -> dict[str, list[Way]]:
    found: dict[str, list[Way]] = {}
    for way, target in _attacks(state, unit):
        found.setdefault(target, []).append(way)
    return found


def _first_double(
    state: State, side: str, units: tuple[str, str], pairs: Iterator[tuple[Way, Way]], target: str, general: str
) -> Option | None:
    for pair in pairs:
        command = Double(units, pair, target, general)
        try:
            plan = plan_double(state, side, command)
        except Refusal as refusal:
            if refusal.code in ("singidunum.not-isolated", "singidunum.general-range", "core.unknown-id"):
                return None
            continue
        return _fight_option(state, side, write(command), plan)
    return None


# --- odds


def _fight_option(state: State, side: str, order: str, plan: ActionPlan) -> Option:
    unit, path = plan.units[0], plan.paths[0].hexes
    if not plan.target:
        return Option(order, plan.kind, unit, target=OrderTarget("charge", plan.hex, path=path))
    shown = with_shown(state, plan.units)
    force = sum(shown.units[name].force for name in plan.units)
    fight = Fight(
        side=side,
        kind=plan.kind,
        attackers=plan.units,
        hexes=(),
        target=plan.target,
        hex="",
        through=(),
        ambushers=tuple(name for name in plan.units if ambush_of(state, name)),
    )
    moved = {name: path.end for name, path in zip(plan.units, plan.paths, strict=True)}
    factors = tuple(factors_of(shown, fight, moved))
    attacked = state.units[plan.target]
    group = tuple((path.unit, path.end) for path in plan.paths) if len(plan.paths) > 1 else ()
    target = OrderTarget("charge", attacked.hex, unit=attacked.id, path=path, group=group)
    return _opposed(order, plan.kind, unit, force, attacked.force, factors, side, target)


def _opposed(
    order: str,
    kind: str,
    unit: str,
    force: int,
    against: int,
    factors: tuple[SideFactor, ...],
    side: str,
    target: OrderTarget,
) -> Option:
    """An option with the chances of the die against the die of the other side: pairs of faces that win, of all."""
    margin = force - against + sum(factor.plus if factor.side == side else -factor.plus for factor in factors)
    faces = FIGHT.values
    wins = sum(1 for own_face in faces for other in faces if own_face + margin > other)
    return Option(order, kind, unit, factors=factors, odds=(wins, len(faces) ** 2), target=target)
