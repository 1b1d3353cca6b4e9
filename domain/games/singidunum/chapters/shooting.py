"""Chapter SHT: shots over one hex or two."""

from collections.abc import Sequence
from typing import Any, ClassVar

from msgspec import Struct, field
from msgspec.structs import replace

from domain.basics.commands import Command
from domain.basics.errors import Refusal
from domain.engine.judge import Judge
from domain.engine.state import OTHER, unchanged
from domain.events.battle import Event
from domain.games.singidunum.chapters.ambushes import show_own
from domain.games.singidunum.chapters.combat import SideFactor
from domain.games.singidunum.chapters.decisions import known_unit, own_unit
from domain.games.singidunum.chapters.dice import roll
from domain.games.singidunum.chapters.points import eliminate
from domain.games.singidunum.chapters.rally import rally
from domain.games.singidunum.chapters.retreats import SHOT, Loss
from domain.games.singidunum.chapters.turns import TURNS, begin_action
from domain.games.singidunum.chapters.units import require_in_play, require_ready
from domain.games.singidunum.state.board import BASE, RAMPART, in_order
from domain.games.singidunum.state.state import State, Unit, ground, is_open, touching, with_shown, with_unit
from domain.mechanics import hex as hexes
from domain.mechanics.modifiers import total

RANGES = (2, 3)
MISS, HIT, KILL = "miss", "hit", "eliminated"


# --- command and events


class ShootUnit(Command, frozen=True, gc=False, tag="shoot"):
    """Shoot at an enemy."""

    PHASES: ClassVar[frozenset[str]] = frozenset({TURNS})

    unit: str
    target: str


class ShotDeclared(Event, frozen=True, gc=False, kw_only=True):
    """A unit shoots; `via` are the hexes between, `factors` what makes the shot harder. It cannot be refused
    (PRG-SHT-08)."""

    RULE: ClassVar[str] = "PRG-SHT-02"

    unit: str
    target: str
    from_: str = field(name="from")
    hex: str
    distance: int
    via: tuple[str, ...]
    factors: tuple[SideFactor, ...]


class ShotResolved(Event, frozen=True, gc=False, kw_only=True):
    """Totals and result of a shot; `diff` is the shooter's total less that of the target."""

    RULE: ClassVar[str] = "PRG-SHT-09"
    TOLD_BY: ClassVar[str] = "outcome"

    unit: str
    target: str
    attack_strength: int
    attack_die: int
    attack_total: int
    defence_strength: int
    defence_die: int
    defence_total: int
    factors: tuple[SideFactor, ...]
    diff: int
    outcome: str  # miss | hit | eliminated, before any rally


# --- plan


class Shot(Struct, frozen=True, gc=False):
    """A shot that may be made: from where, over which hexes, with which modifiers."""

    unit: Unit
    target: Unit
    distance: int
    via: tuple[str, ...]
    factors: tuple[SideFactor, ...]


def plan_shot(state: State, side: str, command: ShootUnit) -> Shot:
    """A shot by available archers that touch no enemy (PRG-SHT-01).

    Raises: Refusal with the first code that applies
    """
    unit = own_unit(state, side, command.unit)
    target = known_unit(state, side, command.target)
    require_in_play(unit, target)
    require_ready(unit)
    if target.side == side:
        raise Refusal("singidunum.not-an-enemy", "PRG-CBT-01", unit=target.id)
    state = with_shown(state, (unit.id,))
    unit = state.units[unit.id]
    if not unit.profile.shoots:
        raise Refusal("singidunum.not-archers", "PRG-SHT-01", unit=unit.id)
    touched = touching(state, unit.hex, OTHER[side])
    if touched:
        raise Refusal("singidunum.shooter-in-contact", "PRG-SHT-01", unit=unit.id, enemy=touched[0].id)
    distance = hexes.distance(unit.hex, target.hex)
    if distance not in RANGES:
        raise Refusal("singidunum.out-of-range", "PRG-SHT-02", unit=unit.id, target=target.id, distance=distance)
    _require_bases_allow(state, unit, target)
    via = line(state, unit, target)
    return Shot(unit, target, distance, via, factors_of(state, unit, target, via))


def hexes_in_reach(state: State, unit: Unit) -> tuple[str, ...]:
    """The hexes at which a unit of archers could shoot if an enemy stood there."""
    around = hexes.hexes_within(state.board, unit.hex, max(RANGES))
    return tuple(hex_ for hex_ in around if _reaches(state, unit, hex_))


def _reaches(state: State, unit: Unit, hex_: str) -> bool:
    if hexes.distance(unit.hex, hex_) not in RANGES:
        return False
    there = replace(unit, hex=hex_)
    try:
        _require_bases_allow(state, unit, there)
        line(state, unit, there)
    except Refusal:
        return False
    return True


def _require_bases_allow(state: State, unit: Unit, target: Unit) -> None:
    """Nobody shoots out of or into the inside of a base, nor from rampart to rampart (PRG-SHT-04, -05, -12)."""
    kinds = [ground(state, hex_).kind for hex_ in (unit.hex, target.hex)]
    if BASE in kinds or kinds == [RAMPART, RAMPART]:
        raise Refusal("singidunum.base-shot", "PRG-SHT-04", unit=unit.id, target=target.id)


def line(state: State, unit: Unit, target: Unit) -> tuple[str, ...]:
    """The hexes over which a shot goes: open ground without enemies, friends do not block (PRG-BRD-08, PRG-SHT-03).

    Rule:    PRG-SHT-13, PRG-INT-02: where two hexes may serve the one without a friend, then in reading order
    Raises:  Refusal singidunum.no-line
    """
    via = []
    for step in hexes.hexes_between(state.board, unit.hex, target.hex):
        open_ = [hex_ for hex_ in in_order(step) if is_open(state, hex_) and not _holds(state, hex_, OTHER[unit.side])]
        if not open_:
            raise Refusal("singidunum.no-line", "PRG-SHT-03", unit=unit.id, target=target.id, hexes=list(step))
        via.append(min(open_, key=lambda hex_: _holds(state, hex_, unit.side)))
    return tuple(via)


def _holds(state: State, hex_: str, side: str) -> bool:
    name = state.places.get(hex_)
    return name is not None and state.units[name].side == side


def factors_of(state: State, unit: Unit, target: Unit, via: Sequence[str]) -> tuple[SideFactor, ...]:
    """What makes a shot harder; it adds up (PRG-SHT-06, PRG-SHT-04)."""
    reasons = (
        ("PRG-SHT-06", "contact", bool(touching(state, target.hex, unit.side))),
        ("PRG-SHT-06", "over-friends", any(_holds(state, hex_, unit.side) for hex_ in via)),
        ("PRG-SHT-04", "rampart", ground(state, target.hex).kind == RAMPART),
    )
    return tuple(SideFactor(rule, why, -1, side=unit.side) for rule, why, applies in reasons if applies)


# --- decision and steps


def decide_shoot(judge: Judge[State], side: str, command: ShootUnit) -> None:
    """Both throw, with the faces that show (PRG-SHT-07, PRG-SEQ-05)."""
    shot = plan_shot(judge.state, side, command)
    unit, target = shot.unit, shot.target
    begin_action(judge, side, "shoot", (unit.id,))
    show_own(judge, (unit.id,))
    judge.emit(
        ShotDeclared(
            unit=unit.id,
            target=target.id,
            from_=unit.hex,
            hex=target.hex,
            distance=shot.distance,
            via=shot.via,
            factors=shot.factors,
        ),
        side,
    )
    attack_die = roll(judge, side, "shot", unit.id)
    defence_die = roll(judge, target.side, "shot", target.id)
    attack_total = unit.force + attack_die + total(shot.factors)
    defence_total = target.force + defence_die
    diff = attack_total - defence_total
    options = judge.state.options
    judge.emit(
        ShotResolved(
            unit=unit.id,
            target=target.id,
            attack_strength=unit.force,
            attack_die=attack_die,
            attack_total=attack_total,
            defence_strength=target.force,
            defence_die=defence_die,
            defence_total=defence_total,
            factors=shot.factors,
            diff=diff,
            outcome=KILL if diff >= options.shot_kill else HIT if diff >= options.shot_hit else MISS,
        )
    )
    judge.push("shot", unit=unit.id, target=target.id, diff=diff)


def step_shot(judge: Judge[State], *, unit: str, target: str, diff: int) -> None:
    """The target is missed, hit, or eliminated; heavy infantry may rally and is hit then (PRG-SHT-09, -14)."""
    state = judge.state
    hit, shooter = state.units[target], state.units[unit]
    if diff >= state.options.shot_hit:
        judge.push("activate", units=[target], cause="hit", rule="PRG-SHT-11")
    judge.push("activate", units=[unit], cause="action", rule="PRG-SEQ-02")
    if diff < state.options.shot_hit:
        return
    rallied = diff >= state.options.shot_kill and hit.type == "HI" and rally(judge, target, SHOT)
    if diff >= state.options.shot_kill and not rallied:
        eliminate(judge, hit, SHOT, "PRG-SHT-09")
        return
    loss = Loss(unit=target, steps=1, causes=(shooter.hex,), cause=SHOT)
    judge.push("settle", loss=loss.plain())


# --- evolutions


def on_shot_resolved(state: State, event: ShotResolved) -> State:
    """A unit that was hit may not burn in this turn (PRG-SHT-11)."""
    if event.outcome != HIT:
        return state
    unit = state.units[event.target]
    return with_unit(state, replace(unit, no_burn=unit.no_burn or "hit"))


DECISIONS: dict[Any, Any] = {ShootUnit: decide_shoot}
STEPS: dict[str, Any] = {"shot": step_shot}
EVOLUTIONS: dict[Any, Any] = {ShotDeclared: unchanged, ShotResolved: on_shot_resolved}
