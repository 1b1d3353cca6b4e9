"""The orders that a side could give, found by putting candidates to the same plans that decide.

A charge may take any path; listed is the straight one into contact with each enemy, and how far the unit could go.
"""

from collections.abc import Iterator
from fractions import Fraction

from domain.basics.errors import Refusal
from domain.contract.option import Act, Option, OrderTarget
from domain.contract.scene import Point
from domain.engine.state import OTHER
from domain.games.warmaster_shooting.chapters import charges
from domain.games.warmaster_shooting.chapters.charges import ChargeAlong, Pose
from domain.games.warmaster_shooting.chapters.counter_fire import CounterFire
from domain.games.warmaster_shooting.chapters.cover import needed_to_hit
from domain.games.warmaster_shooting.chapters.paths import Way, shift, way
from domain.games.warmaster_shooting.chapters.questions import Drive, LoseStand, MakeWay, Target
from domain.games.warmaster_shooting.chapters.targets import Hold, ShootWithStands, can_shoot, eligible, main_targets
from domain.games.warmaster_shooting.chapters.turns import EndCommand, EndShooting
from domain.games.warmaster_shooting.chapters.volleys import D6, aim
from domain.games.warmaster_shooting.orders.notation import write
from domain.games.warmaster_shooting.state.measure import (
    centre,
    distance_of,
    in_contact,
    nearest_stand,
    outline,
    overlap,
)
from domain.games.warmaster_shooting.state.state import State, Unit, moved, stand_in, unit_of
from domain.mechanics.dice import faces_at_least
from domain.mechanics.outline import gap
from domain.mechanics.plane import FINE, measured

ANSWERS = {
    "target": Target,
    "remove": LoseStand,
    "drive": Drive,
    "make-way": MakeWay,
    "fire": CounterFire,
}
TRIES = 4
"""How many millimetres before the nearest approach a charge may end and still be in contact, because of rounding."""


def options(state: State, side: str) -> list[Option]:
    """All orders of a side that lead on, from the state as it knows it; the last one lets the battle go on."""
    if state.winner is not None:
        return []
    listed = [Option(f"{word} draw", "draw") for word in ("accept", "decline") if state.draw_offer == OTHER[side]]
    if state.waiting:
        return [*listed, *_answers(state)] if state.waiting.side == side else listed
    if state.active != side:
        return listed
    if state.phase == "command":
        return [*listed, *_charges(state, side), Option(write(EndCommand()), "end")]
    if state.phase == "shooting":
        return [*listed, *_shots(state, side), Option(write(EndShooting()), "end")]
    return listed


def tried(state: State, unit: str, place: str) -> tuple[str, ...]:
    """What a unit without orders may have been meant to do."""
    return (write(ShootWithStands(unit)),) if unit in state.units else ()


def _answers(state: State) -> Iterator[Option]:
    waiting = state.waiting
    assert waiting is not None, "only a question has answers"
    for answer in waiting.options:
        yield Option(write(ANSWERS[waiting.kind](answer)), "answer", waiting.unit, target=_answer_target(state, answer))


def _answer_target(state: State, answer: str) -> OrderTarget | None:
    """The unit, or the stand, that an answer names."""
    unit = state.units.get(answer)
    stand = stand_in(owner, answer) if (owner := unit_of(state, answer)) else unit.standing[0] if unit else None
    return OrderTarget("stay", point=_spot(state, stand.base.at), unit=unit.id if unit else "") if stand else None


def _spot(state: State, point: Point) -> Point:
    """A point of the table, seen from its south-west corner."""
    return point[0] - state.board.origin[0], point[1] - state.board.origin[1]


def _aimed(state: State, act: Act, enemy: Unit, way: tuple[Point, ...] = ()) -> OrderTarget:
    stand = enemy.standing[len(enemy.standing) // 2]
    return OrderTarget(act, point=_spot(state, stand.base.at), unit=enemy.id, way=way)


# --- shooting


def _shots(state: State, side: str) -> Iterator[Option]:
    for unit in state.of(side):
        if not can_shoot(state, unit):
            continue
        mains = main_targets(state, unit)
        for main in mains:
            order = write(ShootWithStands(unit.id, main if len(mains) > 1 else ""))
            needed, factors = _first_needed(state, unit, main)
            odds = faces_at_least(D6, needed), D6.sides
            target = _aimed(state, "shoot", state.units[main])
            yield Option(order, "shoot", unit.id, needed, factors, odds, target=target)
        here = OrderTarget("stay", point=_spot(state, unit.standing[0].base.at))
        yield Option(write(Hold(unit.id)), "hold", unit.id, target=here)


def _first_needed(state: State, unit: Unit, main: str) -> tuple[int, tuple[object, ...]]:
    """What the first stand that shoots at the main target needs."""
    stand = next(name for name, enemies in eligible(state, unit).items() if main in enemies)
    aimed_at = aim(state, unit, stand_in(unit, stand), state.units[main])
    return needed_to_hit(unit.kind, aimed_at)


# --- charges


def _charges(state: State, side: str) -> Iterator[Option]:
    for unit in state.of(side):
        if unit.engaged or unit.confused or unit.kind.type == "artillery":
            continue
        for enemy in state.enemies(unit):
            if distance_of(unit, enemy) > unit.kind.pace:
                continue
            found = next((charge for charge in _straight(unit, enemy) if _is_allowed(state, side, charge)), None)
            if found:
                limits = {"most_mm": unit.kind.pace}
                target = _aimed(state, "charge", enemy, tuple(_spot(state, (pose.x, pose.y)) for pose in found.path))
                yield Option(write(found), "charge", unit.id, limits=limits, exhaustive=False, target=target)


def _straight(unit: Unit, enemy: Unit) -> Iterator[ChargeAlong]:
    """Charges straight at the nearest stand of an enemy, with the facing kept: those that end in contact."""
    stand = min(unit.standing, key=lambda one: min(_apart(one.base.at, other.base.at) for other in enemy.standing))
    target = nearest_stand(stand, enemy.standing)
    for along, far in _ways(unit, enemy, stand.id, target.id):
        low, high = 0, min(far, unit.kind.pace)
        if not _reaches(unit, enemy, along, high):
            continue
        while low < high:
            middle = (low + high) // 2
            low, high = (low, middle) if _reaches(unit, enemy, along, middle) else (middle + 1, high)
        for length in range(low, max(-1, low - TRIES), -1):
            there = moved(unit, *shift(along, length))
            if in_contact(there, enemy) and not _overlaps(there, enemy):
                yield ChargeAlong(unit.id, enemy.id, (Pose(*there.lead.base.at),))
                break


def _ways(unit: Unit, enemy: Unit, stand: str, target: str) -> Iterator[tuple[Way, int]]:
    """The shortest way between two stands, then from centre to centre, each with its length in mm: at its end the two
    are in contact."""
    one, other = stand_in(unit, stand).base, stand_in(enemy, target).base
    ends = gap(outline(one), outline(other)).ends
    for from_, to in (ends, (centre(one), centre(other))):
        along = way(from_, to)
        square = Fraction((to[0] - from_[0]) ** 2 + (to[1] - from_[1]) ** 2)
        yield along, measured(square / FINE**2)


def _reaches(unit: Unit, enemy: Unit, along: Way, length: int) -> bool:
    there = moved(unit, *shift(along, length))
    return in_contact(there, enemy) or _overlaps(there, enemy)


def _overlaps(one: Unit, other: Unit) -> bool:
    return any(overlap(a.base, b.base) for a in one.standing for b in other.standing)


def _apart(one: tuple[int, int], other: tuple[int, int]) -> int:
    return (one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2


def _is_allowed(state: State, side: str, charge: ChargeAlong) -> bool:
    try:
        charges.plan_of(state, side, charge)
    except Refusal:
        return False
    return True
