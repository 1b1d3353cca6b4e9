"""Orders to a unit that are worth checking.

Cheap tests only (is there a box, an enemy, a marker?), so that almost nothing is tried in vain:
`options` puts each candidate to the plans, and they alone decide what is legal.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache

from domain.basics.commands import Command
from domain.games.to_the_strongest.chapters.charges import ChargeBox
from domain.games.to_the_strongest.chapters.field import OWN_EDGE, Leave, Return, edge_of
from domain.games.to_the_strongest.chapters.geometry import FRONT_ZONE, is_held_by_enemy, is_in_arc
from domain.games.to_the_strongest.chapters.groups import March, straight_path
from domain.games.to_the_strongest.chapters.movement import WAYS, Move, Pass
from domain.games.to_the_strongest.chapters.rally import Rally, Replenish
from domain.games.to_the_strongest.chapters.shooting import AheadShoot, Shoot, arc_of
from domain.games.to_the_strongest.chapters.turning import FORMATIONS, Form, Swap, Turn
from domain.games.to_the_strongest.chapters.turns import flank_of
from domain.games.to_the_strongest.chapters.zones import is_held
from domain.games.to_the_strongest.state.roster import WEAPONS
from domain.games.to_the_strongest.state.state import MARKERS, State, Unit, kind, units_in
from domain.mechanics.square import REVERSE, Board, box_at, box_by, boxes_within

Candidate = tuple[str, Command]
"""An order line, in canonical notation, and its command."""


def candidates(state: State, unit: Unit) -> Iterator[Candidate]:
    """The order lines worth trying for a unit: all that are legal, and few that are not."""
    if not unit.box:
        yield from _returns(state, unit)
        return
    held = is_held(state, unit)
    yield from _moves(state, unit, ("back",) if held else tuple(WAYS))
    yield from _turns(state, unit, held)
    yield from _charges(state, unit)
    yield from _shots(state, unit, held)
    yield from _passes(state, unit)
    if unit.losses:
        yield f"{unit.id} rally", Rally(unit.id)
    if not held:
        yield from _quiet_orders(state, unit)
        yield from _marches(state, unit)


def _moves(state: State, unit: Unit, ways: Sequence[str]) -> Iterator[Candidate]:
    """The rows of the table of moves except turn and swap (TTS-MOV-02)."""
    profile, name = kind(unit), unit.id
    straight = "straight_only" in profile.flags
    for way in ways:
        ahead, right = WAYS[way]
        if (right and straight) or not _is_enterable(state, unit, ahead, right):
            continue
        reverse = f" facing {REVERSE[unit.facing]}" if way == "back" else ""
        yield f"{name} {way}", Move(name, way)
        if reverse:
            yield f"{name} {way}{reverse}", Move(name, way, 1, REVERSE[unit.facing])
        if profile.speed < 2:
            continue
        if not right and _is_enterable(state, unit, 2 * ahead, 0):
            yield f"{name} {way} 2", Move(name, way, 2)
            if reverse:
                yield f"{name} {way} 2{reverse}", Move(name, way, 2, REVERSE[unit.facing])
        if right and ahead and _is_enterable(state, unit, 2, right):
            yield f"{name} {way} then ahead", Move(name, way, 1, "", True)


def _is_enterable(state: State, unit: Unit, ahead: int, right: int) -> bool:
    """Whether the board has a box there, without an enemy."""
    box = box_at(state.board, unit.box, unit.facing, ahead, right)
    return bool(box) and not is_held_by_enemy(state, box, unit.side)


def _turns(state: State, unit: Unit, held: bool) -> Iterator[Candidate]:
    name, riders = unit.id, kind(unit).speed > 1
    for turn, ahead, right in (("left", 0, -1), ("right", 0, 1), ("about", -1, 0)):
        yield f"{name} turn {turn}", Turn(name, turn)
        if riders and not held and _is_enterable(state, unit, ahead, right):
            yield f"{name} turn {turn} then ahead", Turn(name, turn, True)
    if not held and len(state.boxes[unit.box]) > 1:
        yield f"{name} swap", Swap(name)
        if riders and _is_enterable(state, unit, 1, 0):
            yield f"{name} swap then ahead", Swap(name, True)


def _charges(state: State, unit: Unit) -> Iterator[Candidate]:
    for ahead, right in FRONT_ZONE[kind(unit).speed]:
        box = box_at(state.board, unit.box, unit.facing, ahead, right)
        if box and is_held_by_enemy(state, box, unit.side):
            yield f"{unit.id} charge {box}", ChargeBox(unit.id, box)


def _shots(state: State, unit: Unit, held: bool) -> Iterator[Candidate]:
    profile, name = kind(unit), unit.id
    if not profile.weapon:
        return
    weapon = WEAPONS[profile.weapon]
    javelins = weapon.key == "javelin"
    arc = arc_of(unit, weapon)
    for box in _boxes_in_arc(state.board, unit.box, unit.facing, arc, weapon.range):
        if not is_held_by_enemy(state, box, unit.side):
            continue
        yield f"{name} shoot {box}", Shoot(name, box)
        if profile.double_shot:
            yield f"{name} shoot {box} x2", Shoot(name, box, True)
        if profile.light and not javelins:
            yield f"{name} shoot {box} then back", Shoot(name, box, False, True)
    if profile.light and javelins and not held and _is_enterable(state, unit, 1, 0):
        ahead = box_at(state.board, unit.box, unit.facing, 1, 0)
        for box in _boxes_in_arc(state.board, ahead, unit.facing, arc, weapon.range):
            if is_held_by_enemy(state, box, unit.side):
                yield f"{name} ahead then shoot {box}", AheadShoot(name, box)


@lru_cache(maxsize=1 << 13)
def _boxes_in_arc(board: Board, box: str, facing: str, arc: str, reach: int) -> tuple[str, ...]:
    """The boxes in an arc within range, the nearest row first (TTS-GEO-10)."""
    places = (
        (sign * row, right)
        for row in range(1, reach + 1)
        for sign in (1, -1)
        for right in range(-row, row + 1)
        if is_in_arc(arc, sign * row, right)
    )
    return tuple(filter(None, (box_at(board, box, facing, ahead, right) for ahead, right in places)))


def _passes(state: State, unit: Unit) -> Iterator[Candidate]:
    if kind(unit).light:
        for way, sign in (("ahead", 1), ("back", -1)):
            if units_in(state, box_at(state.board, unit.box, unit.facing, sign, 0)):
                yield f"{unit.id} pass {way}", Pass(unit.id, way)


def _quiet_orders(state: State, unit: Unit) -> Iterator[Candidate]:
    name, flags = unit.id, kind(unit).flags
    for marker in MARKERS:
        if getattr(unit, marker) < getattr(unit, f"{marker}_full"):
            yield f"{name} replenish {marker}", Replenish(name, marker)
    for formation, flag in (("normal", ""), *FORMATIONS.items()):
        if unit.formation != formation and (not flag or flag in flags):
            yield f"{name} form {formation}", Form(name, formation)
    if edge_of(state, unit.box, OWN_EDGE[unit.side]):
        yield f"{name} leave", Leave(name)


def _marches(state: State, unit: Unit) -> Iterator[Candidate]:
    """Each length, as long as the way is not barred for all that are longer (TTS-GRP-10)."""
    if unit.last or unit.losses or kind(unit).artillery:
        return
    path = straight_path(state, unit, kind(unit).speed + 1)
    for count, box in enumerate(path, start=1):
        if not box or is_held_by_enemy(state, box, unit.side):
            return
        goal = "" if count == len(path) else box
        yield f"{unit.id} march {goal}".rstrip(), March(unit.id, goal)


def _returns(state: State, unit: Unit) -> Iterator[Candidate]:
    """The edge box that it left, and those next to it (TTS-MOV-12); after a flank march the whole edge
    (TTS-STR-05)."""
    flank = flank_of(state, unit)
    if unit.left_box:
        for box in (unit.left_box, *boxes_within(state.board, unit.left_box, 1)):
            if edge_of(state, box, unit.left_edge):
                yield f"{unit.id} return {box}", Return(unit.id, box)
    elif flank and flank.arrived:
        columns, rows = state.board
        for row in range(rows):
            box = box_by(state.board, "A1", columns - 1 if flank.edge == "E" else 0, row)
            yield f"{unit.id} return {box}", Return(unit.id, box)
