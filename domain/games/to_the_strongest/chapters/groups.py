"""Chapter GRP: units that advance or march together."""

from collections.abc import Sequence
from typing import Any

from domain.basics.commands import Command
from domain.basics.errors import Refusal
from domain.engine.judge import Judge
from domain.games.to_the_strongest.chapters.activation import ActivationPlan, difficulties
from domain.games.to_the_strongest.chapters.command import in_command
from domain.games.to_the_strongest.chapters.geometry import is_held_by_enemy, is_impassable, is_rough
from domain.games.to_the_strongest.chapters.movement import (
    arrive,
    go,
    may_pass_through,
    move_unit,
    path_costs,
    require_open_way,
)
from domain.games.to_the_strongest.chapters.stacking import facing_clash, has_room
from domain.games.to_the_strongest.chapters.zones import holders, is_held, require_free, require_free_path
from domain.games.to_the_strongest.sequence import phases_of
from domain.games.to_the_strongest.state.state import CLOSED_FORMATIONS, State, Unit, enemies_in, kind, units_in
from domain.mechanics.modifiers import total
from domain.mechanics.square import VECTOR, box_at, boxes_within, frame, step_between

GROUP = "TTS-GRP-02"
BLOCKED = "TTS-GRP-04"
MARCH = "TTS-GRP-10"
SMALLEST_GROUP = 2
ENEMY_NEAR = 2
"""Boxes (king distance) within which a non-light enemy forbids a march."""


# --- commands


class MoveGroup(Command, frozen=True, gc=False, tag="group"):
    """Advance together: `boxes` None is as far as the slowest goes; `march` up to `box`, or all the
    way where it is ""."""

    PHASES = phases_of("group")

    units: tuple[str, ...]
    boxes: int | None = None
    march: bool = False
    box: str = ""


class March(Command, frozen=True, gc=False, tag="march"):
    """March straight ahead: the whole distance, or up to a box."""

    PHASES = phases_of("march")

    unit: str
    box: str = ""


# --- rules


def straight_path(state: State, unit: Unit, boxes: int) -> tuple[str, ...]:
    """The boxes straight ahead of a unit, "" off the board."""
    return tuple(box_at(state.board, unit.box, unit.facing, count, 0) for count in range(1, boxes + 1))


def march_length(unit: Unit, box: str) -> int:
    """How many boxes a march goes; refuse a goal that is not straight ahead within reach."""
    reach = kind(unit).speed + 1
    if not box:
        return reach
    ahead, right = frame(unit.box, unit.facing, box)
    if right or not 1 <= ahead <= reach:
        raise Refusal("tts.illegal-move", MARCH, unit=unit.id, box=unit.box, goal=box, speed=reach)
    return ahead


def require_may_march(state: State, units: Sequence[Unit], paths: Sequence[tuple[str, ...]]) -> None:
    """Refuse a march that the conditions of TTS-GRP-10 forbid, each code over all units in turn."""
    for unit in units:
        if unit.last:
            raise Refusal("tts.march-not-first", MARCH, unit=unit.id, last=unit.last)
    for unit, path in zip(units, paths, strict=True):
        for box in (unit.box, *path):
            foe = formed_enemy_near(state, unit.side, box)
            if foe:
                raise Refusal("tts.march-enemy-near", MARCH, unit=unit.id, box=box, enemy=foe.id, enemy_box=foe.box)
    for unit, path in zip(units, paths, strict=True):
        for box in (unit.box, *path):
            if is_rough(state, box) or box in state.camps:
                raise Refusal(
                    "tts.march-not-open", MARCH, unit=unit.id, box=box, terrain=state.terrain.get(box, "camp")
                )
    for unit in units:
        if (
            kind(unit).artillery
            or unit.losses
            or unit.formation in CLOSED_FORMATIONS
            or "straight_only" in kind(unit).flags
        ):
            raise Refusal("tts.march-not-allowed", MARCH, unit=unit.id, formation=unit.formation, losses=unit.losses)


def formed_enemy_near(state: State, side: str, box: str) -> Unit | None:
    """A non-light enemy within two boxes of a box (TTS-GRP-10)."""
    for near in (box, *boxes_within(state.board, box, ENEMY_NEAR)):
        if near in state.boxes:
            for foe in enemies_in(state, near, side):
                if not kind(foe).light:
                    return foe
    return None


def is_contiguous(units: Sequence[Unit]) -> bool:
    """Whether each unit is linked to the others by sharing a box or an edge (TTS-GRP-02)."""
    linked, waiting = [units[0]], list(units[1:])
    for unit in linked:
        near = [other for other in waiting if _touch(unit.box, other.box)]
        linked += near
        waiting = [other for other in waiting if other not in near]
    return not waiting


def _touch(box: str, other: str) -> bool:
    return box == other or step_between(box, other) in VECTOR.values()


def require_group(state: State, units: Sequence[Unit]) -> None:
    """Refuse a group that the conditions of TTS-GRP-01, -02 forbid, in the order of to-the-strongest.md 3."""
    ids = [unit.id for unit in units]
    if not SMALLEST_GROUP <= len(units) <= state.options.group_max or len(set(ids)) < len(ids):
        raise Refusal("tts.group-size", "TTS-GRP-01", size=len(units), most=state.options.group_max)
    for unit in units:
        if unit.facing != units[0].facing:
            raise Refusal("tts.group-facing", GROUP, unit=unit.id, facing=unit.facing, wanted=units[0].facing)
    if not is_contiguous(units):
        raise Refusal("tts.group-not-contiguous", GROUP, units=ids)
    tests = (
        ("tts.group-out-of-command", lambda unit: not in_command(state, unit)),
        ("tts.group-disordered", lambda unit: unit.losses),
        ("tts.group-held", lambda unit: is_held(state, unit)),
        ("tts.group-activated", lambda unit: unit.last),
        ("tts.group-artillery", lambda unit: kind(unit).artillery),
    )
    for code, fails in tests:
        for unit in units:
            if fails(unit):
                raise Refusal(code, GROUP, unit=unit.id)


def require_group_way(state: State, units: Sequence[Unit], paths: Sequence[tuple[str, ...]]) -> None:
    """Refuse a group of which a member cannot make the whole move (TTS-GRP-04).

    Boxes that members leave count as free. Members in one box need room together only at the end of the move: a box
    that they pass needs room for each alone.
    """
    ids = {unit.id for unit in units}
    for unit, path in zip(units, paths, strict=True):
        barred = _barred_box(state, unit, path, ids)
        if barred is not None or unit.formation in CLOSED_FORMATIONS:
            raise Refusal("tts.group-blocked", BLOCKED, unit=unit.id, box=barred or unit.box, formation=unit.formation)


def _barred_box(state: State, unit: Unit, path: tuple[str, ...], members: set[str]) -> str | None:
    """The first box of a path that a member of a group cannot enter or pass; None if it can."""
    mates = [state.units[name] for name in state.boxes[unit.box] if name in members and name != unit.id]
    for at, box in enumerate(path):
        last = at == len(path) - 1
        if not box or is_impassable(state, box) or is_held_by_enemy(state, box, unit.side):
            return box
        friends = [other for other in units_in(state, box) if other.id not in members]
        if last and (not has_room(state, unit, [*friends, *mates]) or facing_clash(unit, unit.facing, friends)):
            return box
        if not last and (holders(state, unit, box) or not _may_pass(state, unit, friends)):
            return box
    return None


def _may_pass(state: State, unit: Unit, friends: list[Unit]) -> bool:
    return has_room(state, unit, friends) or may_pass_through(unit, friends)


# --- plans


def plan_march(state: State, unit: Unit, command: March) -> ActivationPlan:
    """A march of one unit (TTS-GRP-10)."""
    path = straight_path(state, unit, march_length(unit, command.box))
    require_free(state, unit)
    require_free_path(state, unit, path[:-1])
    require_open_way(state, unit, unit.box, path, unit.facing)
    require_may_march(state, [unit], [path])
    factors = difficulties(state, unit, **path_costs(state, unit.box, path))
    return ActivationPlan(unit, "march", factors, (go(unit, path, unit.facing, "march"),))


def plan_group(state: State, units: Sequence[Unit], command: MoveGroup) -> ActivationPlan:
    """A group move or march: one card, the highest number among the members (TTS-GRP-03)."""
    require_group(state, units)
    length = _group_length(units, command)
    paths = [straight_path(state, unit, length) for unit in units]
    require_group_way(state, units, paths)
    if command.march:
        require_may_march(state, units, paths)
    # No member has acted this turn, so the highest number is that of the most difficulties.
    reckonings = (difficulties(state, u, **path_costs(state, u.box, p)) for u, p in zip(units, paths, strict=True))
    factors = max(reckonings, key=total)
    cause = "march" if command.march else "group"
    moves = {"units": [unit.id for unit in _in_order_of_moving(state, units)], "boxes": length, "cause": cause}
    action = "group-march" if command.march else "group"
    group = tuple(unit.id for unit in units)
    return ActivationPlan(units[0], action, factors, (("go-group", moves),), group)


def _group_length(units: Sequence[Unit], command: MoveGroup) -> int:
    slowest = min(kind(unit).speed for unit in units)
    if not command.march:
        length = slowest if command.boxes is None else command.boxes
        if not 1 <= length <= slowest:
            raise Refusal(
                "tts.illegal-move", "TTS-GRP-01", unit=units[0].id, box=units[0].box, boxes=length, speed=slowest
            )
        return length
    length = march_length(units[0], command.box) if command.box else slowest + 1
    if length > slowest + 1:
        raise Refusal(
            "tts.illegal-move", MARCH, unit=units[0].id, box=units[0].box, goal=command.box, speed=slowest + 1
        )
    return length


def _in_order_of_moving(state: State, units: Sequence[Unit]) -> list[Unit]:
    """Foremost first, in a box front before rear, then in the order named (TTS-GRP-03)."""
    first = units[0]

    def rank(unit: Unit) -> tuple[int, int]:
        return -frame(first.box, first.facing, unit.box)[0], state.boxes[unit.box].index(unit.id)

    return sorted(units, key=rank)


# --- steps


def step_go_group(judge: Judge[State], *, units: list[str], boxes: int, cause: str) -> None:
    """Move all members; cataphracts then test, in the same order (TTS-MEL-17)."""
    far = []
    for name in units:
        unit = judge.state.units[name]
        path = straight_path(judge.state, unit, boxes)
        moved = move_unit(judge, unit, path, unit.facing, cause)
        arrive(judge, moved)
        if moved.box in path[1:]:
            far.append(name)
    if far:
        judge.push("exertion", units=far)


STEPS: dict[str, Any] = {"go-group": step_go_group}
PLANS: dict[Any, Any] = {March: plan_march}
