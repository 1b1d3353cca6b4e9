"""Chapter FAC, the modifiers of melee."""

from msgspec import Struct

from domain.games.shot_to_pieces.chapters.factors import FactorRows, add_shared, gun_weight
from domain.games.shot_to_pieces.state.figures import figures, has, period_of, weapon_of
from domain.games.shot_to_pieces.state.ground import cover_of, level_of
from domain.games.shot_to_pieces.state.profiles import FOOT, MOUNTED
from domain.games.shot_to_pieces.state.state import Aspect, State, Unit
from domain.mechanics.modifiers import Factors

MOST_SUPPORT = 3
"""What friends beside and behind may add together (STP-MEL-04)."""
COVERED_MELEE = 2
"""M of mounted troops that attack or defend cover (STP-WW1-04, STP-GSC-02)."""


class Stance(Struct, frozen=True, gc=False):
    """How one of two units stands in a round of melee.

    Shape: `taken` the aspect at which it is taken; `laterals` the friends beside it that count; `is_supported`,
           `is_wave` whether there is rear support, and that of an assault wave (STP-ACW-04); `has_impetus` whether it
           charged with impetus (STP-CHG-08); `gives_no_quarter` whether event 4 is for it (STP-EVT-04)
    """

    unit: Unit
    foe: Unit
    is_first: bool
    taken: Aspect = "front"
    laterals: int = 0
    is_supported: bool = False
    is_wave: bool = False
    has_impetus: bool = False
    gives_no_quarter: bool = False


def melee_value(state: State, stance: Stance) -> int:
    """M of a unit in a round (STP-MEL-01, STP-INT-12, STP-WW1-04)."""
    unit, foe = stance.unit, stance.foe
    own = figures(state, unit)
    if "cover-m2" in own.flags and (cover_of(state, unit, foe) or cover_of(state, foe, unit)):
        return COVERED_MELEE
    first, later = own.melee
    if stance.is_first or ("m2-cav" in own.flags and not is_cavalry(state, foe)):
        return first
    return later


def is_cavalry(state: State, unit: Unit) -> bool:
    """Whether a unit counts as cavalry in the modifiers of melee: mounted, in close order or skirmishing."""
    return figures(state, unit).arm in MOUNTED


def melee_factors(state: State, stance: Stance) -> Factors:
    """The modifiers of one side of a melee (STP-MEL-03, chapter FAC)."""
    rows, unit, foe = FactorRows(period_of(state)), stance.unit, stance.foe
    add_shared(rows, state, unit, foe, is_first=stance.is_first)
    _add_support(rows, state, stance)
    rows.add("enemy-higher", level_of(state, foe) > level_of(state, unit))
    cover = cover_of(state, foe, unit)
    rows.add(f"enemy-cover-{cover}", cover)
    rows.add(stance.taken, stance.taken != "front")
    is_tireless = rows.period.switches.russian_again and "russian" in unit.traits and figures(state, unit).arm in FOOT
    rows.add("again", unit.fought_k == state.k - 1 and not is_tireless)
    rows.add("impetus", stance.is_first and stance.has_impetus)
    if stance.is_first:
        _add_first(rows, state, unit, foe)
    _add_formation(rows, state, unit, foe, is_first=stance.is_first)
    rows.add("high-rate-melee", stance.is_first and "high-rate" in unit.traits and figures(state, unit).arm == "inf")
    rows.add("vs-cavalry", has(state, unit, "vs-cav") and is_cavalry(state, foe))
    rows.add("no-quarter", stance.is_first and stance.gives_no_quarter)
    # superior and inferior fire are that of experienced and inexperienced shooters (STP-INT-14)
    if stance.is_first and unit.formation == "line" and figures(state, unit).arm == "inf":
        rows.add("superior-fire", "experienced" in unit.traits)
        rows.add("inferior-fire", has(state, unit, "inexperienced"))
    return rows.done()


def rear_support(state: State, unit: Unit, foe: Unit, *, is_wave: bool) -> int:
    """What a base behind a unit adds (STP-FAC-51)."""
    held = period_of(state)
    if is_wave and held.switches.assault_wave:
        return held.factors["assault-wave"]
    if "rear-v-cavalry" in held.factors and is_cavalry(state, foe):
        return held.factors["rear-v-cavalry"]
    if "rear-natives" in held.factors and has(state, unit, "native"):
        return held.factors["rear-natives"]
    return held.factors["rear-support"]


def _add_support(rows: FactorRows, state: State, stance: Stance) -> None:
    """Friends beside and behind, three at most (STP-MEL-04)."""
    before = rows.total()
    rows.add("lateral", times=stance.laterals)
    if stance.is_supported:
        rows.put("rear-support", rear_support(state, stance.unit, stance.foe, is_wave=stance.is_wave))
    rows.put("support-cap", min(0, MOST_SUPPORT - (rows.total() - before)))


def _add_first(rows: FactorRows, state: State, unit: Unit, foe: Unit) -> None:
    """Rows of the first round between arms (STP-FAC-60 to -63)."""
    arm, switches = figures(state, unit).arm, rows.period.switches
    faces_cavalry = is_cavalry(state, foe)
    rows.add("foot-v-cavalry", faces_cavalry and arm in switches.braced)
    rows.add("cavalry-v-foot", arm in MOUNTED and figures(state, foe).arm in FOOT)
    rows.add("pikes", faces_cavalry and "pikes" in unit.traits)
    weapon = weapon_of(state, unit)
    is_kind = not switches.smoothbore_alone or (weapon is not None and "smoothbore" in weapon.marks)
    rows.add("heavy-gun", arm == "art" and gun_weight(state, unit) and is_kind)


def _add_formation(rows: FactorRows, state: State, unit: Unit, foe: Unit, *, is_first: bool) -> None:
    """Lines, squares and closed columns (STP-FAC-64 to -69)."""
    arm, other = figures(state, unit).arm, figures(state, foe).arm
    is_line = unit.formation == "line"
    faces_cavalry = is_cavalry(state, foe)
    rows.add(
        "line-melee", is_line and arm == "inf" and (not faces_cavalry or rows.period.switches.line_melee_v_cavalry)
    )
    is_column = other == "cav" and foe.formation == "column"
    rows.add("line-v-column", is_first and is_line and arm == "cav" and is_column)
    for formation, name in (("square", "square"), ("closed-column", "closed")):
        if unit.formation == formation:
            rows.add(f"{name}-v-cavalry", faces_cavalry)
            rows.add(f"{name}-v-infantry", other in FOOT)
