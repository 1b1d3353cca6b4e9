"""Chapter SHT: who may shoot at whom, with how many markers, and the result."""

from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from domain.basics.commands import Command
from domain.basics.errors import Refusal
from domain.engine.judge import Judge
from domain.engine.state import unchanged
from domain.events.battle import Event
from domain.games.to_the_strongest.chapters.activation import ActivationPlan, difficulties
from domain.games.to_the_strongest.chapters.cards import draw
from domain.games.to_the_strongest.chapters.geometry import is_hill, is_in_arc, is_rough, sight_gates
from domain.games.to_the_strongest.chapters.losses import resolve
from domain.games.to_the_strongest.chapters.movement import go, path_costs, require_open_way, route_along
from domain.games.to_the_strongest.chapters.replays import offer_replay
from domain.games.to_the_strongest.chapters.saves import Strike
from domain.games.to_the_strongest.chapters.stacking import first_hit_by_shot, place_on_entering
from domain.games.to_the_strongest.chapters.targets import require_target, target_box
from domain.games.to_the_strongest.chapters.zones import require_free
from domain.games.to_the_strongest.sequence import phases_of
from domain.games.to_the_strongest.state.ground import SEEN_OVER_FROM_ITS_LIKE, SIGHT_STOPPERS
from domain.games.to_the_strongest.state.records import Weapon
from domain.games.to_the_strongest.state.roster import WEAPONS
from domain.games.to_the_strongest.state.state import State, Unit, camp_for, kind, units_in, with_unit, with_unit_in
from domain.mechanics.square import box_at, boxes_within, frame, king_distance

SHOT_NEEDED = 8
BEYOND = 2
"""Boxes that a target must lie beyond a friend for artillery to shoot over it (TTS-SHT-07 c)."""


# --- commands


class Shoot(Command, frozen=True, gc=False, tag="shoot"):
    """Shoot at a box, or at the unit in it that is hit first; `double` spends two markers, `back`
    steps back after it."""

    PHASES = phases_of("shoot")

    unit: str
    target: str
    double: bool = False
    back: bool = False


class AheadShoot(Command, frozen=True, gc=False, tag="ahead-shoot"):
    """Go one box straight ahead, then shoot."""

    PHASES = phases_of("ahead-shoot")

    unit: str
    target: str


class SightLine(Struct, frozen=True, gc=False):
    """A line of sight: free or not, and whether it passes over units that are ignored."""

    free: bool
    overhead: bool


# --- rules


def line_of_sight(state: State, shooter: Unit, box: str) -> SightLine:
    """Whether a shooter sees a box, and whether it shoots over other units.

    Rule: TTS-GEO-11 gates, TTS-SHT-06 what blocks, TTS-SHT-07 what is ignored
    """
    front = state.units[state.boxes[shooter.box][0]]
    overhead = front.id != shooter.id and not kind(front).light
    raised = not SEEN_OVER_FROM_ITS_LIKE.isdisjoint({state.terrain.get(shooter.box), state.terrain.get(box)})
    rows = sight_gates(state.board, shooter.box, shooter.facing, box)
    for row, gates in enumerate(rows, start=1):
        views = [_through(state, shooter, gate, raised, len(rows) + 1 - row) for gate in gates]
        if all(view == "shut" for view in views):
            return SightLine(False, overhead)
        overhead = overhead or "open" not in views
    return SightLine(True, overhead)


def _through(state: State, shooter: Unit, gate: str, raised: bool, beyond: int) -> str:
    """`open`, `shut`, or `over` if units in a gate are ignored; the target lies `beyond` boxes
    behind the gate. `raised`: the shooter or its target stands on a hill that sees over its like."""
    ground = state.terrain.get(gate)
    if ground in SIGHT_STOPPERS or (ground in SEEN_OVER_FROM_ITS_LIKE and not raised):
        return "shut"
    blocking = [unit for unit in units_in(state, gate) if not kind(unit).light]
    if not blocking:
        return "open"
    if is_hill(state, shooter.box) and not is_hill(state, gate):
        return "over"
    if kind(shooter).artillery and blocking[0].side == shooter.side and beyond >= BEYOND:
        return "over"
    return "shut"


def weapon_of(unit: Unit) -> Weapon:
    """The weapon of a unit; refuse a unit without missiles."""
    weapon = kind(unit).weapon
    if not weapon:
        raise Refusal("tts.no-missiles", "TTS-SHT-03", unit=unit.id)
    return WEAPONS[weapon]


def arc_of(unit: Unit, weapon: Weapon) -> str:
    """The arc a unit shoots in: its weapon's, or both ways for mounted lights (TTS-GEO-10)."""
    return kind(unit).arc or weapon.arc


def boxes_in_reach(state: State, unit: Unit) -> tuple[str, ...]:
    """The boxes that a unit on the field sees within its arc and range, whoever stands there."""
    weapon = weapon_of(unit)
    arc = arc_of(unit, weapon)
    return tuple(
        box
        for box in boxes_within(state.board, unit.box, weapon.range)
        if is_in_arc(arc, *frame(unit.box, unit.facing, box)) and line_of_sight(state, unit, box).free
    )


def shoots_freely(state: State, unit: Unit) -> bool:
    """Whether a shot spends no marker: javelin foot in a camp of its side (TTS-SHT-05, TTS-CMP-05)."""
    profile = kind(unit)
    return profile.foot and profile.weapon == "javelin" and camp_for(state, unit) is not None


def require_shot(state: State, unit: Unit, command: Shoot | AheadShoot) -> tuple[Unit, str, SightLine]:
    """Refuse a shot that the rules forbid; otherwise return target, aspect and line of sight.

    Rule: the codes of to-the-strongest.md 3 in their order, TTS-SHT-03 … -11
    """
    double = isinstance(command, Shoot) and command.double
    profile = kind(unit)
    box = target_box(state, command.target)
    hit = first_hit_by_shot(state, unit.side, box, unit.box)
    target, aspect = require_target(command.target, box, hit)
    weapon = weapon_of(unit)
    _require_ammo(state, unit, 2 if double else 1)
    line = line_of_sight(state, unit, box)
    if double:
        _require_double_shot(state, unit, line)
    if isinstance(command, AheadShoot) and not (profile.light and weapon.key == "javelin"):
        raise Refusal("tts.no-shoot-and-move", "TTS-SHT-09", unit=unit.id, weapon=weapon.key)
    if isinstance(command, Shoot) and command.back and not (profile.light and weapon.key != "javelin"):
        raise Refusal("tts.no-shoot-and-move", "TTS-SHT-09", unit=unit.id, weapon=weapon.key)
    if profile.artillery and unit.shifted:
        raise Refusal("tts.has-moved", "TTS-SHT-11", unit=unit.id)
    distance = king_distance(unit.box, box)
    if distance > weapon.range:
        raise Refusal("tts.out-of-range", "TTS-SHT-03", unit=unit.id, box=box, distance=distance, range=weapon.range)
    if not is_in_arc(arc_of(unit, weapon), *frame(unit.box, unit.facing, box)):
        raise Refusal(
            "tts.out-of-arc", "TTS-GEO-10", unit=unit.id, box=box, facing=unit.facing, arc=arc_of(unit, weapon)
        )
    if not line.free:
        raise Refusal("tts.no-line-of-sight", "TTS-SHT-06", unit=unit.id, box=box, start=unit.box)
    return target, aspect, line


def _require_ammo(state: State, unit: Unit, markers: int) -> None:
    if unit.ammo < markers and not shoots_freely(state, unit):
        raise Refusal("tts.no-ammo", "TTS-SHT-05", unit=unit.id, left=unit.ammo, wanted=markers)


def _require_double_shot(state: State, unit: Unit, line: SightLine) -> None:
    barred = {
        "type": not kind(unit).double_shot,
        "disordered": unit.losses > 0,
        "rough": is_rough(state, unit.box),
        "overhead": line.overhead,
    }
    why = next((why for why, is_so in barred.items() if is_so), "")
    if why:
        raise Refusal("tts.no-double-shot", "TTS-SHT-08", unit=unit.id, why=why)


# --- plans


def plan_shoot(state: State, unit: Unit, command: Shoot) -> ActivationPlan:
    """A shot, or two; lights other than javelins may step back after it (TTS-SHT-01, -09)."""
    back = route_along(state, unit, ((-1, 0),)).path if command.back else ()
    if back:
        require_open_way(state, unit, unit.box, back, unit.facing)
    target, aspect, line = require_shot(state, unit, command)
    shots = _shots_step(unit, target, aspect, line, 2 if command.double else 1)
    if back:
        factors = difficulties(state, unit, **path_costs(state, unit.box, back))
        return ActivationPlan(unit, "shoot-back", factors, (shots, go(unit, back, unit.facing, "shoot")))
    return ActivationPlan(unit, "shoot", difficulties(state, unit), (shots,))


def plan_ahead_shoot(state: State, unit: Unit, command: AheadShoot) -> ActivationPlan:
    """Light javelins step ahead and shoot (TTS-SHT-09)."""
    path = (box_at(state.board, unit.box, unit.facing, 1, 0),)
    require_free(state, unit)
    require_open_way(state, unit, unit.box, path, unit.facing)
    there = with_unit_in(state, unit, path[0], place_on_entering(state, path[0], unit.box))
    moved = there.units[unit.id]
    target, aspect, line = require_shot(there, moved, command)
    factors = difficulties(state, unit, **path_costs(state, unit.box, path))
    shots = _shots_step(moved, target, aspect, line, 1)
    return ActivationPlan(unit, "move-shoot", factors, (go(unit, path, unit.facing, "shoot"), shots))


def _shots_step(unit: Unit, target: Unit, aspect: str, line: SightLine, shots: int) -> tuple[str, dict[str, Any]]:
    return "shoot", {
        "unit": unit.id,
        "target": target.id,
        "box": target.box,
        "aspect": aspect,
        "shots": shots,
        "overhead": line.overhead,
    }


# --- events


class ShotDeclared(Event, frozen=True, gc=False):
    """A unit shoots `shots` times at a box `range` boxes away; `overhead` over another unit."""

    RULE = "TTS-SHT-01"

    unit: str
    target: str
    box: str
    weapon: str
    range: int
    aspect: str
    shots: int
    overhead: bool


class AmmoSpent(Event, frozen=True, gc=False):
    """One marker spent; `left` remain."""

    RULE = "TTS-SHT-05"

    unit: str
    spent: int
    left: int


# --- steps


def step_shoot(
    judge: Judge[State], *, unit: str, target: str, box: str, aspect: str, shots: int, overhead: bool
) -> None:
    """Declare the shots; each then has its card."""
    shooter = judge.state.units[unit]
    distance = king_distance(shooter.box, box)
    weapon = kind(shooter).weapon
    judge.emit(ShotDeclared(unit, target, box, weapon, distance, aspect, shots, overhead), shooter.side)
    judge.push("shot", unit=unit, box=box, shots=shots)


def step_shot(judge: Judge[State], *, unit: str, box: str, shots: int) -> None:
    """One shot: a marker, a card; the next one at the unit that is then hit first (TTS-SHT-08)."""
    shooter = judge.state.units[unit]
    hit = first_hit_by_shot(judge.state, shooter.side, box, shooter.box) if shooter.box else None
    if hit is None:
        return
    target, aspect = hit
    if shots > 1:
        judge.push("shot", unit=unit, box=box, shots=shots - 1)
    spend_ammo(judge, shooter)
    card = draw(judge, shooter.side, "hit", unit)
    arguments = {"unit": unit, "target": target.id, "aspect": aspect, "card": card}
    if card >= SHOT_NEEDED or not offer_replay(judge, [unit], "hit", card, SHOT_NEEDED, "shot-result", arguments, True):
        judge.push("shot-result", **arguments)


def step_shot_result(
    judge: Judge[State], *, unit: str, target: str, aspect: str, card: int, replayed: int = 0, manner: str = "shot"
) -> None:
    """The final card stands; `manner` is `shot`, or `closing` for closing fire."""
    shooter = judge.state.units[unit]
    blow = Strike(unit, manner, aspect, shooter.box, kind(shooter).weapon)
    resolve(judge, target, SHOT_NEEDED, replayed or card, (), blow)


def spend_ammo(judge: Judge[State], shooter: Unit) -> None:
    """Spend one marker, unless the shot is free (TTS-SHT-05)."""
    if not shoots_freely(judge.state, shooter):
        judge.emit(AmmoSpent(shooter.id, 1, shooter.ammo - 1), shooter.side)


# --- evolutions


def on_ammo_spent(state: State, event: AmmoSpent) -> State:
    return with_unit(state, replace(state.units[event.unit], ammo=event.left))


EVOLUTIONS: dict[Any, Any] = {
    ShotDeclared: unchanged,
    AmmoSpent: on_ammo_spent,
}
STEPS: dict[str, Any] = {"shoot": step_shoot, "shot": step_shot, "shot-result": step_shot_result}
PLANS: dict[Any, Any] = {Shoot: plan_shoot, AheadShoot: plan_ahead_shoot}
