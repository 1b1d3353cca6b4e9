"""Chapter FAC, the modifiers of fire and resilience; those of melee stand in `melee_factors`.

Every row has a rule (`RULES`), and a period says what it adds (`Period.factors`); a row that a period does not have
does not exist in it. Rows come in the order of their IDs.
"""

from collections.abc import Iterable

from msgspec import Struct

from domain.games.shot_to_pieces.chapters.fortunes import DEVASTATION, OUT_OF_AMMUNITION, concerns, is_raining
from domain.games.shot_to_pieces.plane.contacts import is_behind
from domain.games.shot_to_pieces.state.factor_keys import RULES
from domain.games.shot_to_pieces.state.figures import (
    Use,
    figures,
    has,
    is_fat,
    is_shooting_militia,
    is_skeleton,
    period_of,
    weapon_of,
)
from domain.games.shot_to_pieces.state.ground import cover_of
from domain.games.shot_to_pieces.state.profiles import FOOT, Band, Period
from domain.games.shot_to_pieces.state.state import State, Unit
from domain.mechanics.modifiers import Factor, Factors

MOST_BRITTLE, MOST_SALVO = 2, 2
CLOSE_GUN = 1000
"""Guns closer than this are at close range."""


class Special(Struct, frozen=True, gc=False):
    """A special die of a shot: `indirect`, `rocket` or `irregular`, and what it counts."""

    why: str
    plus: int


class WeighedShot(Struct, frozen=True, gc=False):
    """A shot to be weighed: `others` are the units of the salvo beside the firer; `distance` in 1/100 cm."""

    firer: Unit
    target: Unit
    distance: int
    band: Band
    others: int = 0
    special: Special | None = None
    is_dispersed: bool = False


class FactorRows:
    """The rows of one roll, as a period adds them."""

    __slots__ = ("found", "period")

    def __init__(self, held: Period) -> None:
        self.period = held
        self.found: list[Factor] = []

    def add(self, why: str, is_so: object = True, *, times: int = 1) -> None:
        """A row, if it is so and the period has it; `times` of what it adds."""
        plus = self.period.factors.get(why, 0) * times if is_so else 0
        if plus:
            self.found.append(Factor(RULES[why], why, plus))

    def put(self, why: str, plus: int) -> None:
        """A row whose sum the period does not give; left out when 0."""
        if plus:
            self.found.append(Factor(RULES[why], why, plus))

    def total(self) -> int:
        """What the rows add so far."""
        return sum(row.plus for row in self.found)

    def done(self) -> Factors:
        """All of them, in order."""
        return tuple(self.found)


# --- fire and resilience


def fire_factors(state: State, shot: WeighedShot) -> Factors:
    """The modifiers of a shot, and of the defence in an exchange (STP-FIR-06, -07)."""
    rows, firer = FactorRows(period_of(state)), shot.firer
    _add_status(rows, firer)
    _add_experience(rows, state, shot)
    _add_cap(rows, state, firer, figures(state, firer).fire)
    _add_condition(rows, state, firer, shot.target, "fire")
    rows.add("salvo", times=min(shot.others, MOST_SALVO))
    cover = cover_of(state, shot.target, firer)
    rows.add(f"cover-{cover}", cover)
    _add_band(rows, state, shot)
    is_gun = figures(state, firer).arm == "art"
    rows.add("prolonged", is_gun and firer.moved_k == state.k and firer.moved_hcm > 0)
    rows.add("fired-before", pays_for_firing(state, firer))
    rows.add("supported-target", is_gun and is_supported_infantry(state, shot.target))
    if is_gun:
        _add_gun(rows, state, shot)
    rows.add("high-rate", "high-rate" in firer.traits)
    rows.add("line", firer.formation == "line" and figures(state, firer).arm != "cav")
    rows.add("square", firer.formation == "square")
    if shot.special:
        rows.put(shot.special.why, shot.special.plus)
    rows.add("dispersion", shot.is_dispersed)
    rows.add("rain", is_raining(state))
    rows.add("no-ammunition", concerns(state, OUT_OF_AMMUNITION, firer))
    rows.add("devastation", concerns(state, DEVASTATION, firer))
    return rows.done()


def resilience_factors(state: State, unit: Unit, shooter: Unit | None) -> Factors:
    """The modifiers of a unit that cannot reply; `shooter` is None for an aircraft.

    Rule: STP-FIR-08; STP-INT-04 cover, which is the attacker's alone, is not among them; STP-INT-22 who has fired
          before pays for it only if shaken
    """
    rows, own = FactorRows(period_of(state)), figures(state, unit)
    _add_status(rows, unit)
    _add_cap(rows, state, unit, own.resilience)
    _add_condition(rows, state, unit, shooter, "resilience")
    rows.add("fired-before", unit.shaken and pays_for_firing(state, unit))
    is_steady = unit.formation == "line" and (own.arm != "cav" or rows.period.switches.cavalry_line_resists)
    rows.add("line-v-artillery", is_steady and shooter and figures(state, shooter).arm == "art")
    rows.add("square", unit.formation == "square")
    rows.add("large-battalion", "large" in unit.traits)
    return rows.done()


def pays_for_firing(state: State, unit: Unit) -> bool:
    """Whether a unit pays for having fired in the phase before, once: artillery always, foot where the period or the
    option says so (STP-ART-06, STP-ALG-05, STP-OPT-04)."""
    if state.k - 1 not in (unit.fired_k, unit.fired_earlier_k):
        return False
    arm = figures(state, unit).arm
    return arm == "art" or (arm in FOOT and foot_pays_for_firing(state))


def foot_pays_for_firing(state: State) -> bool:
    """Whether foot that fired in the phase before is worse (STP-OPT-04)."""
    switch = period_of(state).switches.infantry_fired
    return switch == "always" or (switch == "option" and state.options.infantry_fired)


def is_supported_infantry(state: State, unit: Unit) -> bool:
    """Whether a unit is infantry with a friend in rear contact (STP-ART-06)."""
    if figures(state, unit).arm != "inf":
        return False
    base = unit.base
    return any(is_behind(one.base, base) for one in state.of(unit.side) if one.id != unit.id)


# --- rows that are shared with melee


def add_shared(rows: FactorRows, state: State, unit: Unit, foe: Unit, *, is_first: bool) -> None:
    """The rows that every roll of a melee begins with (STP-FAC-01 to -11)."""
    _add_status(rows, unit)
    if is_first and rows.period.switches.experience_in_melee:
        rows.add("experienced", "experienced" in unit.traits)
        rows.add("inexperienced", has(state, unit, "inexperienced"))
    _add_condition(rows, state, unit, foe, "melee", is_first=is_first)


def _add_status(rows: FactorRows, unit: Unit) -> None:
    rows.add(unit.status, unit.status != "line")


def _add_condition(
    rows: FactorRows, state: State, unit: Unit, foe: Unit | None, use: Use, *, is_first: bool = True
) -> None:
    """Markers, march column, FAT against SKELETON (STP-FAC-08 to -11). A unit that fires is not shaken.

    Rule: STP-RES-08 each BRITTLE, two at most; STP-INT-21 SHAKEN once, and BRITTLE beside it
    """
    rows.add("shaken", use != "fire" and unit.shaken)
    rows.add("brittle", times=min(unit.brittle, MOST_BRITTLE))
    rows.add("march-column", unit.formation == "march")
    is_fatter = foe is not None and is_skeleton(foe) and is_fat(state, unit, use, is_first=is_first)
    rows.add("fat-v-skeleton", is_fatter)


def _add_experience(rows: FactorRows, state: State, shot: WeighedShot) -> None:
    """How well a unit shoots (STP-FAC-05, -06, STP-OPT-06)."""
    firer, switches = shot.firer, rows.period.switches
    militia = state.options.militia_fire if is_shooting_militia(state, firer) else "none"
    shoots_well = militia == "shaken" or (militia == "long" and shot.band == "long")
    is_british = switches.british_experienced and "british" in firer.traits
    rows.add("experienced", "experienced" in firer.traits or is_british or shoots_well)
    rows.add("inexperienced", has(state, firer, "inexperienced"))


def _add_cap(rows: FactorRows, state: State, unit: Unit, base: int) -> None:
    """Base, status and experience are cut at the most of the arm (STP-EMP-01)."""
    most = rows.period.switches.cap.get(figures(state, unit).arm)
    if most is not None:
        rows.put("cap", min(0, most - base - rows.total()))


def _add_band(rows: FactorRows, state: State, shot: WeighedShot) -> None:
    """Small arms pay at long range, guns and machine guns of three bands at medium and long (STP-FAC-23 to -25)."""
    weapon = weapon_of(state, shot.firer)
    assert weapon is not None, "who fires has a weapon"
    has_three = weapon.kind == "art" or (weapon.kind == "mg" and weapon.bands[1] > 0)
    rows.add("long-range", shot.band == "long" and not has_three)
    rows.add("medium-band", shot.band == "medium")
    rows.add("long-band", shot.band == "long" and has_three)


def _add_gun(rows: FactorRows, state: State, shot: WeighedShot) -> None:
    """Calibre, and how near the target is (STP-FAC-29 to -31)."""
    weight = gun_weight(state, shot.firer)
    rows.add(weight, weight)
    weapon = weapon_of(state, shot.firer)
    is_kind = not rows.period.switches.smoothbore_alone or (weapon is not None and "smoothbore" in weapon.marks)
    rows.add("close-range-gun", shot.distance < CLOSE_GUN and is_kind)


def gun_weight(state: State, unit: Unit) -> str:
    """`heavy`, `extra-heavy`, or "" for an ordinary gun.

    Rule: STP-FAC-29, -30; STP-INT-13: where the gun is FAT instead, it is not heavy
    """
    weapon = weapon_of(state, unit)
    if _has_any(unit, ("extra-heavy", "extra-heavy-fat")) or (weapon and "extra-heavy" in weapon.marks):
        return "extra-heavy"
    if "fat-gun" in unit.traits or not (_has_any(unit, ("heavy", "heavy-fat")) or has(state, unit, "heavy")):
        return ""
    return "heavy"


def _has_any(unit: Unit, traits: Iterable[str]) -> bool:
    return not unit.traits.isdisjoint(traits)
