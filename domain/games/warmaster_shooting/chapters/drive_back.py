"""Chapters DRV and CNF: units hit are driven back, friends make way, and who may be confused."""

from typing import Any

from msgspec.structs import replace

from domain.engine.judge import Judge
from domain.engine.state import OTHER, unchanged
from domain.events.battle import Event
from domain.games.warmaster_shooting.chapters.cover import cover
from domain.games.warmaster_shooting.chapters.paths import Walk, Way, direction, heading, make_room, shift, walk
from domain.games.warmaster_shooting.chapters.questions import YES, DecisionAsked, put
from domain.games.warmaster_shooting.chapters.volleys import D6, DIE
from domain.games.warmaster_shooting.state.measure import distance_to
from domain.games.warmaster_shooting.state.profiles import FANATIC, NO_DRIVE
from domain.games.warmaster_shooting.state.state import COVERS, Stand, State, Unit, moved, stand_in, unit_of, with_unit

SIX = 6
MM = 10
"""Millimetres in a centimetre: the dice count centimetres (WMS-DRV-03)."""
IGNORED = {"open": 0, "defended": 1, "fortified": 2}
"""Wounds that protection takes off the drive-back (WMS-DRV-02)."""
CAUSES = {"enemy": "enemy", "blocked": "blocked", "impassable": "impassable", "edge": "table-edge"}


class DriveBackSkipped(Event, frozen=True, gc=False):
    """A unit is not driven back. `reason` is engaged, fanatic, no-drive, defended or fortified."""

    RULE = "WMS-DRV-02"
    TOLD_BY = "reason"

    unit: str
    reason: str


class DriveBackDiceRolled(Event, frozen=True, gc=False):
    """One die for each wound that counts; `distance` in mm."""

    RULE = "WMS-DRV-03"

    unit: str
    wounds: int
    ignored: int
    dice: tuple[int, ...]
    distance: int


class UnitRouted(Event, frozen=True, gc=False):
    """Driven farther than its full pace, or over an open table edge: the unit is destroyed."""

    RULE = "WMS-DRV-06"

    unit: str
    distance: int
    pace: int


class UnitConfused(Event, frozen=True, gc=False):
    """`cause` is six, blocked, enemy, impassable, table-edge or test."""

    RULE = "WMS-CNF-02"
    TOLD_BY = "cause"

    unit: str
    cause: str


class UnitMadeWay(Event, frozen=True, gc=False):
    """A unit let `passing` through, and moved by (dx, dy) mm."""

    RULE = "WMS-DRV-12"

    unit: str
    passing: str
    dx: int
    dy: int


class MakeWayRefused(Event, frozen=True, gc=False):
    """A unit did not let `passing` through. `reason` is refused or no-room."""

    RULE = "WMS-DRV-12"
    TOLD_BY = "reason"

    unit: str
    passing: str
    reason: str


class UnitDrivenBack(Event, frozen=True, gc=False):
    """The block moved `distance` of the `wanted` mm, by (dx, dy)."""

    RULE = "WMS-DRV-03"

    unit: str
    direction: int
    distance: int
    wanted: int
    dx: int
    dy: int


class ConfusionTestRolled(Event, frozen=True, gc=False):
    """A unit tests because of `other`, the friend passed or the unit let through."""

    RULE = "WMS-CNF-04"

    unit: str
    other: str
    die: int
    confused: bool


# --- the queue


def step_drive_next(judge: Judge[State]) -> None:
    """Drive back the next unit with wounds, in the order chosen by its owner (WMS-SEQ-05, WMS-DRV-01)."""
    side = OTHER[judge.state.active]
    queue = tuple(unit.id for unit in judge.state.of(side) if unit.total and not unit.driven)
    if not queue:
        judge.push("clean-up")
        return
    put(judge, DecisionAsked(side, "drive", "", queue), "drive")


def step_drive(judge: Judge[State], *, answer: str) -> None:
    """Throw for a unit, and let it go, rout, or stay; the full pace of its profile counts (WMS-DRV-02, -03, -06, -07,
    WMS-INT-09)."""
    state = judge.state
    unit, active = state.units[answer], state.active
    judge.push("drive-next")
    ignored, reason = protection(state, unit)
    if reason:
        rule = {"engaged": "WMS-DRV-09", FANATIC: "WMS-DRV-08", "no-drive": "WMS-DRV-08"}.get(reason, "")
        judge.emit(DriveBackSkipped(unit.id, reason), unit.side, rule)
        return
    dice = tuple(judge.roll(active, D6, "drive", unit.id, DIE) for _ in range(unit.total - ignored))
    wanted, pace = MM * sum(dice), unit.kind.pace
    judge.emit(DriveBackDiceRolled(unit.id, unit.total, ignored, dice, wanted), active)
    if wanted > pace and (SIX in dice or not state.options.rout_needs_confusion):
        judge.emit(UnitRouted(unit.id, wanted, pace), unit.side)
        return
    if SIX in dice:
        confuse(judge, unit.id, "six", "WMS-CNF-01")
    way = direction(unit, [_stand(state, name) for name in unit.shot_by])
    judge.push("path", unit=unit.id, way=way, wanted=wanted, answers={})


def protection(state: State, unit: Unit) -> tuple[int, str]:
    """How many wounds do not count, and why a unit is not driven back at all, "" if it is.

    Rule: WMS-DRV-02, -08, -09; WMS-INT-06: the best cover of its stands, as the nearest shooter sees it
    """
    if unit.engaged:
        return 0, "engaged"
    if FANATIC in unit.kind.flags:
        return 0, "fanatic"
    if NO_DRIVE in unit.kind.flags:
        return 0, "no-drive"
    shooter = min((_stand(state, name) for name in unit.shot_by), key=lambda stand: distance_to(stand, unit))
    classes = [COVERS.index(cover(state, unit, stand, shooter)) for stand in unit.standing]
    best = COVERS[max(classes) if state.options.defended_count == "one" else min(classes)]
    return IGNORED[best], best if unit.total <= IGNORED[best] else ""


def _stand(state: State, name: str) -> Stand:
    unit = unit_of(state, name)
    assert unit is not None, "only stands of the battle shoot"
    return stand_in(unit, name)


# --- the path


def step_path(judge: Judge[State], *, unit: str, way: Way, wanted: int, answers: dict[str, str]) -> None:
    """Let the unit go, and ask the friends that it meets; one without room did not make way (WMS-DRV-12,
    WMS-INT-13)."""
    state = judge.state
    driven = state.units[unit]
    refused = {name: "refused" for name, answer in answers.items() if answer != YES}
    while True:
        passing = {name for name in answers if name not in refused}
        gone = walk(state, driven, way, wanted, passing)
        if gone.stop == "blocked" and not state.units[gone.friend].engaged and gone.friend not in answers:
            asked = DecisionAsked(driven.side, "make-way", gone.friend, (YES, "no"), against=unit)
            put(judge, asked, "make-way", unit=unit, way=way, wanted=wanted, answers=answers, friend=gone.friend)
            return
        moves = _moves_of_friends(state, driven, gone, way)
        stuck = next((name for name, to in moves.items() if to is None), "")
        if not stuck:
            break
        refused[stuck] = "no-room"
    for name, to in moves.items():
        judge.emit(UnitMadeWay(name, unit, *(to or (0, 0))), driven.side)
    for name, reason in refused.items():
        judge.emit(MakeWayRefused(name, unit, reason), driven.side)
    judge.push("tests", unit=unit, passed=list(moves))
    _arrive(judge, driven, gone, way, wanted)


def _moves_of_friends(state: State, driven: Unit, gone: Walk, way: Way) -> dict[str, tuple[int, int] | None]:
    """How each friend that was passed moves out of the final place; None for one that cannot."""
    there = moved(driven, *shift(way, gone.gone))
    moves: dict[str, tuple[int, int] | None] = {}
    for name in gone.passed:
        friend = state.units[name]
        moves[name] = to = make_room(state, friend, there, way)
        if to:
            state = with_unit(state, moved(friend, *to))
    return moves


def step_make_way(
    judge: Judge[State], *, unit: str, way: Way, wanted: int, answers: dict[str, str], friend: str, answer: str
) -> None:
    """A friend has answered; the unit goes on."""
    judge.push("path", unit=unit, way=way, wanted=wanted, answers={**answers, friend: answer})


def _arrive(judge: Judge[State], driven: Unit, gone: Walk, way: Way, wanted: int) -> None:
    options, active = judge.state.options, judge.state.active
    if gone.stop == "edge" and options.table_edge == "open":
        judge.emit(UnitRouted(driven.id, wanted, driven.kind.pace), driven.side, "WMS-DRV-11")
        return
    dx, dy = shift(way, gone.gone)
    judge.emit(UnitDrivenBack(driven.id, heading(way), gone.gone, wanted, dx, dy), active)
    if gone.stop and not (gone.stop in ("impassable", "edge") and options.impassable_confusion == "on-six"):
        confuse(judge, driven.id, CAUSES[gone.stop], "WMS-CNF-02")


def step_tests(judge: Judge[State], *, unit: str, passed: list[str]) -> None:
    """The unit driven tests for each friend passed, until it is confused; then each friend for it.

    Rule: WMS-CNF-04, -05, WMS-INT-14, -15
    """
    if not judge.state.units[unit].alive:
        return
    for friend in passed:
        if not judge.state.units[unit].confused:
            _test(judge, unit, friend, "WMS-CNF-04")
    if judge.state.units[unit].confused or judge.state.options.make_way_test == "always":
        for friend in passed:
            _test(judge, friend, unit, "WMS-CNF-05")


def _test(judge: Judge[State], name: str, other: str, rule: str) -> None:
    side = judge.state.units[name].side
    die = judge.roll(side, D6, "confusion", name, DIE)
    judge.emit(ConfusionTestRolled(name, other, die, die == SIX), side, rule)
    if die == SIX:
        confuse(judge, name, "test", "WMS-CNF-03")


def confuse(judge: Judge[State], name: str, cause: str, rule: str) -> None:
    """Confuse a unit that is not confused yet (WMS-DRV-14)."""
    unit = judge.state.units[name]
    if not unit.confused:
        judge.emit(UnitConfused(name, cause), unit.side, rule)


# --- evolutions


def on_drive_back_settled(state: State, event: DriveBackSkipped | DriveBackDiceRolled) -> State:
    return with_unit(state, replace(state.units[event.unit], driven=True))


def on_unit_routed(state: State, event: UnitRouted) -> State:
    unit = state.units[event.unit]
    stands = tuple(replace(stand, alive=False) for stand in unit.stands)
    return with_unit(state, replace(unit, stands=stands, open=0))


def on_unit_confused(state: State, event: UnitConfused) -> State:
    return with_unit(state, replace(state.units[event.unit], confused=True))


def on_moved(state: State, event: Any) -> State:
    return with_unit(state, moved(state.units[event.unit], event.dx, event.dy))


STEPS = {
    "drive-next": step_drive_next,
    "drive": step_drive,
    "path": step_path,
    "make-way": step_make_way,
    "tests": step_tests,
}
EVOLUTIONS = {
    DriveBackSkipped: on_drive_back_settled,
    DriveBackDiceRolled: on_drive_back_settled,
    UnitRouted: on_unit_routed,
    UnitConfused: on_unit_confused,
    UnitMadeWay: on_moved,
    MakeWayRefused: unchanged,
    UnitDrivenBack: on_moved,
    ConfusionTestRolled: unchanged,
}
