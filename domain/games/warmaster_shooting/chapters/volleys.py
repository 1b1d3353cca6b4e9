"""Chapters HIT and SAV: the dice of a volley, one target after the other.

A target whose stands all have the same class from every shooting stand gets all dice together; at any other the stands
shoot one at a time, and the class is looked up again each time (WMS-HIT-06, WMS-INT-17). Dice at a unit that is gone,
or that a stand can no longer reach, are not thrown (WMS-HIT-09, WMS-INT-05). Bouncing balls and skewering bolts are
left out: a volley hurts its target alone (WMS-PRO-03).
"""

from collections.abc import Sequence

from msgspec.structs import replace

from domain.engine.judge import Judge
from domain.engine.state import unchanged
from domain.events.battle import Event
from domain.games.warmaster_shooting.chapters.cover import cover, needed_to_hit
from domain.games.warmaster_shooting.chapters.sight import reachable
from domain.games.warmaster_shooting.state.profiles import NO_SAVE, PIERCE, TroopKind
from domain.games.warmaster_shooting.state.state import COVERS, Cover, Stand, State, Unit, stand_in, with_unit
from domain.mechanics.dice import special
from domain.mechanics.modifiers import Factor, Factors, total

DIE = "WMS-DIE-01"
D6 = special(1, 2, 3, 4, 5, 6)
"""A plain die: its face is its value, and both are told (WMS-DIE-01)."""
BEST = 6

Batches = list[tuple[str, list[str]]]
"""Targets with the stands that shoot at them, in order."""


class HitDiceRolled(Event, frozen=True, gc=False):
    """The dice of some stands of a unit at one target, with all that made their number (WMS-SEQ-07)."""

    RULE = "WMS-HIT-02"

    unit: str
    target: str
    stands: tuple[str, ...]
    cover: Cover
    needed: int
    factors: Factors
    dice: tuple[int, ...]
    hits: int


class SaveDiceRolled(Event, frozen=True, gc=False):
    """The target's dice against these hits."""

    RULE = "WMS-SAV-01"

    unit: str
    needed: int
    factors: Factors
    dice: tuple[int, ...]
    saved: int


class WoundsInflicted(Event, frozen=True, gc=False):
    """Hits that were not saved. `open` are those not yet used up, these included, `total` all of the phase
    (WMS-CAS-04), or of the counter-charge fire of this turn (WMS-CAS-07, WMS-INT-07)."""

    RULE = "WMS-CAS-01"

    unit: str
    wounds: int
    open: int
    total: int


# --- the dice of a unit


def step_volley(judge: Judge[State], *, unit: str, batches: Batches) -> None:
    """The dice at the next target, or at a mixed one those of the next stand."""
    if not batches:
        return
    (name, stands), *later = batches
    state = judge.state
    shooter, target = state.units[unit], state.units[name]
    able = [stand for stand in stands if target.alive and reachable(state, shooter, stand_in(shooter, stand), target)]
    if not able:
        judge.push("volley", unit=unit, batches=later)
        return
    aimed_at = uniform_cover(state, target, [stand_in(shooter, stand) for stand in able])
    if aimed_at is None:
        able, left = able[:1], able[1:]
        later = [(name, left), *later] if left else later
        aimed_at = aim(state, shooter, stand_in(shooter, able[0]), target)
    judge.push("volley", unit=unit, batches=later)
    throw(judge, shooter, able, target, aimed_at)


def uniform_cover(state: State, target: Unit, stands: Sequence[Stand]) -> Cover | None:
    """The class that all stands of a unit have from each of the shooting ones; None if they differ (WMS-INT-17)."""
    found = {cover(state, target, one, stand) for one in target.standing for stand in stands}
    return next(iter(found)) if len(found) == 1 else None


def aim(state: State, shooter: Unit, stand: Stand, target: Unit) -> Cover:
    """The least protected class of a target that a stand can shoot at (WMS-TGT-06)."""
    found = [cover(state, target, one, stand) for one in reachable(state, shooter, stand, target)]
    return min(found, key=COVERS.index)


def throw(judge: Judge[State], shooter: Unit, stands: Sequence[str], target: Unit, aimed_at: Cover) -> None:
    """Throw to hit, then save; what is left are wounds (WMS-HIT-02, WMS-SAV-01, -03)."""
    needed, factors = needed_to_hit(shooter.kind, aimed_at)
    dice = tuple(judge.roll(shooter.side, D6, "hit", stand, DIE) for stand in stands for _ in range(shooter.kind.shots))
    hits = sum(1 for die in dice if die >= needed)
    judge.emit(HitDiceRolled(shooter.id, target.id, tuple(stands), aimed_at, needed, factors, dice, hits), shooter.side)
    wounds = hits - _saved(judge, shooter.kind, target, hits)
    if not wounds:
        return
    is_charger = target.side == judge.state.active
    open_, total_ = (target.charge_open, target.charge_total) if is_charger else (target.open, target.total)
    judge.push("losses", unit=target.id, seen_from=stands[-1])
    judge.emit(WoundsInflicted(target.id, wounds, open_ + wounds, total_ + wounds), target.side)


def _saved(judge: Judge[State], weapon: TroopKind, target: Unit, hits: int) -> int:
    needed, factors = needed_to_save(judge.state, weapon, target.kind)
    if not hits or not needed:
        return 0
    dice = tuple(judge.roll(target.side, D6, "save", target.id, DIE) for _ in range(hits))
    saved = sum(1 for die in dice if die >= needed)
    judge.emit(SaveDiceRolled(target.id, needed, factors, dice, saved), target.side)
    return saved


def needed_to_save(state: State, weapon: TroopKind, target: TroopKind) -> tuple[int, Factors]:
    """The number that saves, with what changes it; 0 for no save (WMS-SAV-02, WMS-PRO-02, WMS-INT-01)."""
    if not target.save or NO_SAVE in weapon.flags:
        return 0, ()
    factors = [Factor("WMS-PRO-02", PIERCE, 1)] if PIERCE in weapon.flags else []
    if state.options.save_compare == ">":
        factors.append(Factor("WMS-SAV-01", "exceed", 1))
    needed = target.save + total(factors)
    return (needed, tuple(factors)) if needed <= BEST else (0, ())


# --- evolutions


def on_hit_dice_rolled(state: State, event: HitDiceRolled) -> State:
    """Whoever threw dice at a unit decides which way it is driven back, hits or not (WMS-INT-08)."""
    target = state.units[event.target]
    return with_unit(state, replace(target, shot_by=(*target.shot_by, *event.stands)))


def on_wounds_inflicted(state: State, event: WoundsInflicted) -> State:
    unit = state.units[event.unit]
    if unit.side == state.active:
        return with_unit(state, replace(unit, charge_open=event.open, charge_total=event.total))
    return with_unit(state, replace(unit, open=event.open, total=event.total))


STEPS = {"volley": step_volley}
EVOLUTIONS = {
    HitDiceRolled: on_hit_dice_rolled,
    SaveDiceRolled: unchanged,
    WoundsInflicted: on_wounds_inflicted,
}
