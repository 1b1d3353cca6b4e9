"""A state as a bot looks at it while it decides: what units are worth, and sums of factors that it asks for often.

Where units stand is measured roughly here, by centres: what an order does is for the rules to say, and which order is
legal they have said already.
"""

from collections.abc import Callable
from math import isqrt
from typing import Literal, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from domain.engine.state import OTHER
from domain.games.shot_to_pieces.bot.duels import DuelTerms, Prospect, markers_of, melee, shot, spread_of
from domain.games.shot_to_pieces.chapters.charge_checks import forbidden_by
from domain.games.shot_to_pieces.chapters.factors import WeighedShot, fire_factors, resilience_factors
from domain.games.shot_to_pieces.chapters.melee_factors import Stance, melee_factors, melee_value
from domain.games.shot_to_pieces.chapters.paces import allowance
from domain.games.shot_to_pieces.plane.angles import SCALE, vector
from domain.games.shot_to_pieces.plane.base import Base
from domain.games.shot_to_pieces.state.figures import (
    figures,
    fire_effect,
    is_fat,
    is_skeleton,
    melee_effect,
    period_of,
    weapon_of,
)
from domain.games.shot_to_pieces.state.ground import cover_of
from domain.games.shot_to_pieces.state.profiles import Arm, Band, WeaponProfile
from domain.games.shot_to_pieces.state.state import Aspect, Ground, Point, State, Unit
from domain.mechanics.modifiers import Factors, total

HALF_POINT = 50
"""What half a loss point is worth, in hundredths of a unit of the line."""
BREAKS, NEARLY = 250, 130
"""Percentages of that for a unit whose loss breaks its corps, or brings it within a unit of that."""
BROKEN = 60
"""And for a unit of a corps that is broken already."""
CONE = 414
"""The tangent of the half-angle of a fire zone, in thousandths (STP-GEO-06)."""
ABOUT = 600
"""How far the centre of a unit behind a line may be from it."""
COVERED = ("cover-", "enemy-cover-")


class Weights(Struct, frozen=True):
    """How much each thing counts, in percent of the harm expected; the others in hundredths of a unit.

    Shape: `fire` its own, `suffered` that of the enemy; `threat` and `chance` of charges at it and by it; `way` for
           10 cm that are still to go, `held` the same for a corps that holds; `beside` for a friend in contact, `cover`
           for being in some, `far` for being out of command, `odds` for each enemy more than friends nearby
    """

    fire: int = 150
    suffered: int = 150
    threat: int = 70
    chance: int = 35
    way: int = 10
    held: int = 3
    beside: int = 5
    far: int = 8
    odds: int = 4
    cover: int = 6


USUAL = Weights()


class Kit(NamedTuple):
    """What a unit can do: its class, weapon, how far it moves in a phase and fires (0 for not), what it is worth."""

    arm: Arm
    weapon: WeaponProfile | None
    pace: int
    range: int
    value: int


class BotView:
    """A state for one side, as it decides."""

    def __init__(self, state: State, side: str, weights: Weights = USUAL) -> None:
        self.state, self.side, self.weights = state, side, weights
        self.own, self.foes = state.of(side), state.of(OTHER[side])
        self.open = replace(state, terrain=())
        self.grounds = [(_box(ground), ground) for ground in state.terrain if ground.cover]
        self._sums: dict[tuple[object, ...], int] = {}
        self._shots: dict[tuple[object, ...], Prospect] = {}
        self._kits: dict[tuple[str, str], Kit] = {}
        self._covers: dict[tuple[object, ...], int] = {}

    # --- what units are worth

    def value(self, unit: Unit) -> int:
        """What the loss of a unit is worth, in hundredths of a unit of the line (STP-MOR-01, -02)."""
        corps = self.state.corps.get(unit.home or unit.corps) or self.state.corps[unit.corps]
        left = corps.threshold_halves - corps.loss_halves - unit.worth
        percent = BROKEN if corps.broken else BREAKS if left <= 0 else NEARLY if left <= 2 else 100
        return HALF_POINT * unit.worth * percent // 100

    # --- sums of factors

    def _kept(self, key: tuple[object, ...], find: Callable[[], int]) -> int:
        found = self._sums.get(key)
        if found is None:
            found = self._sums[key] = find()
        return found

    def _attack(self, firer: Unit, target: Unit, band: Band, far: int) -> int:
        """The score of a shot without its die, cover and salvo."""
        key = ("fire", firer.id, firer.formation, target.id, target.formation, band)
        shooting = WeighedShot(firer, target, far, band)
        return self._kept(key, lambda: figures(self.state, firer).fire + uncovered(fire_factors(self.open, shooting)))

    def _resistance(self, unit: Unit, shooter: Unit) -> int:
        key = ("resist", unit.id, unit.formation, shooter.id)
        return self._kept(
            key,
            lambda: figures(self.state, unit).resilience + total(resilience_factors(self.open, unit, shooter)),
        )

    def melee_sum(self, unit: Unit, foe: Unit, *, is_first: bool) -> int:
        """The score of a unit in melee without its die, markers, supports and what the place adds."""
        key = ("melee", unit.id, unit.formation, foe.id, foe.formation, is_first)
        stance = Stance(unit, foe, is_first)
        return self._kept(key, lambda: melee_value(self.open, stance) + bare(melee_factors(self.open, stance)))

    def may_charge(self, unit: Unit, foe: Unit, aspect: Aspect) -> bool:
        """Whether a unit may charge another of its sort at all."""
        key = ("charge", unit.id, unit.formation, foe.id, foe.formation, aspect == "front")
        if unit.formation == "march":
            return False
        return bool(self._kept(key, lambda: int(not forbidden_by(self.state, unit, foe, aspect))))

    def kit(self, unit: Unit) -> Kit:
        """What a unit can do by its sort and formation."""
        key = (unit.id, unit.formation)
        found = self._kits.get(key)
        if found is None:
            weapon, arm = weapon_of(self.open, unit), figures(self.open, unit).arm
            reach = 0 if weapon is None or unit.formation == "march" else weapon.range
            found = self._kits[key] = Kit(arm, weapon, allowance(self.open, unit), reach, self.value(unit))
        return found

    # --- duels

    def shot(
        self, firer: Unit, target: Unit, far: int, covers: tuple[int, int], back: int, others: int = 0
    ) -> Prospect:
        """What a shot does on average.

        Shape: `far` the distance; `covers` what the covers of the target and of the firer take from a score; `back`
               how far the reply has to reach, 0 for no reply; `others` units of the salvo beside the firer
        """
        weapon, answer = self.kit(firer).weapon, self.kit(target).weapon if back else None
        band = weapon.band(far) if weapon else ""
        if not band:
            return Prospect(0, 0)
        back_band: Band | Literal[""] = answer.band(back) if answer else ""
        key = (firer.id, firer.formation, target.id, target.formation, band, back_band, covers, others)
        found = self._shots.get(key)
        if found is None:
            margin = self._attack(firer, target, band, far) + covers[0] + min(others, 2)
            if back_band:
                margin -= self._attack(target, firer, back_band, back) + covers[1]
            else:
                margin -= self._resistance(target, firer)
            found = self._shots[key] = self.volley(firer, target, band, back_band, margin)
        return found

    def volley(self, firer: Unit, target: Unit, band: Band, back_band: Band | Literal[""], margin: int) -> Prospect:
        """What a shot with so much more than the other score does; without `back_band` nobody replies."""
        state = self.state
        terms = DuelTerms(
            markers_of(firer),
            markers_of(target),
            fire_effect(state, firer, band),
            fire_effect(state, target, back_band) if back_band else "none",
            is_fat(state, firer, "fire") or is_skeleton(target),
            bool(back_band) and (is_fat(state, target, "fire") or is_skeleton(firer)),
        )
        return shot(margin, terms, spread_of(state, firer, target))

    def melee(
        self, unit: Unit, foe: Unit, first: int, later: int, *, dice: int = 1, fragile: bool = False, rounds: int = 3
    ) -> Prospect:
        """What a melee does, with so much more in its first round and later; markers are seen to."""
        state = self.state
        terms = DuelTerms(
            markers_of(unit),
            markers_of(foe),
            melee_effect(state, unit),
            melee_effect(state, foe),
            is_fat(state, unit, "melee") or is_skeleton(foe),
            is_fat(state, foe, "melee") or is_skeleton(unit),
        )
        return melee(first, later, terms, spread_of(state, unit, foe, dice), rounds, fragile=fragile)

    def cover(self, unit: Unit) -> int:
        """What the cover of a unit takes from the score of a unit that fires at it; 0 for none."""
        key = (unit.id, unit.at, unit.facing, unit.formation)
        found = self._covers.get(key)
        if found is None:
            found = self._covers[key] = self._cover(unit)
        return found

    def _cover(self, unit: Unit) -> int:
        x, y = unit.at
        near = tuple(one for (west, south, east, north), one in self.grounds if west < x < east and south < y < north)
        cover = cover_of(replace(self.state, terrain=near), unit) if near else unit.cover
        return period_of(self.state).factors.get(f"cover-{cover}", 0) if cover else 0


def _box(ground: Ground) -> tuple[int, int, int, int]:
    """The sides of a box about a piece of ground and all who could stand behind it."""
    points = ground.outline or ground.line
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return min(xs) - ABOUT, min(ys) - ABOUT, max(xs) + ABOUT, max(ys) + ABOUT


def uncovered(factors: Factors) -> int:
    """The sum of factors, those of cover left out."""
    return sum(one.plus for one in factors if not one.why.startswith(COVERED))


PLACED = frozenset(
    ("shaken", "brittle", "lateral", "rear-support", "support-cap", "enemy-higher", "flank", "rear", "again")
)


def bare(factors: Factors) -> int:
    """The sum of factors, without markers, supports and what the place adds."""
    return sum(one.plus for one in factors if one.why not in PLACED and not one.why.startswith(COVERED))


# --- where they stand


def seen_from(base: Base, at: Point) -> Point:
    """A point to the right and ahead of the centre of a base."""
    sine, cosine = vector(base.facing)
    dx, dy = at[0] - base.at[0], at[1] - base.at[1]
    return (dx * cosine - dy * sine) // SCALE, (dx * sine + dy * cosine) // SCALE


def gap(one: Base, other: Base) -> int:
    """How far two bases are apart, roughly."""
    dx, dy = one.at[0] - other.at[0], one.at[1] - other.at[1]
    return max(0, isqrt(dx * dx + dy * dy) - (one.depth + other.depth) // 2)


def is_in_arc(base: Base, other: Base) -> bool:
    """Whether a base is in the fire zone of another, roughly (STP-GEO-06)."""
    right, ahead = seen_from(base, other.at)
    ahead -= base.depth // 2
    half = max(other.width, other.depth) // 2
    return ahead > -half and abs(right) - half <= max(3 * base.width // 2, CONE * ahead // 1000)


def aspect_from(base: Base, at: Point) -> Aspect:
    """From which side a point sees a base."""
    right, ahead = seen_from(base, at)
    if abs(right) * base.depth > abs(ahead) * base.width:
        return "flank"
    return "front" if ahead > 0 else "rear"


def is_between(base: Base, one: Point, other: Point) -> bool:
    """Whether a base lies across the way from a point to another, roughly."""
    dx, dy = other[0] - one[0], other[1] - one[1]
    square = dx * dx + dy * dy
    px, py = base.at[0] - one[0], base.at[1] - one[1]
    along = px * dx + py * dy
    if not 0 < along < square:
        return False
    aside = abs(px * dy - py * dx)
    limit = base.width // 2
    return aside * aside < limit * limit * square
