"""What it is worth to stand somewhere: whom a unit could fire at, who could fire at it, charge it or be charged, what
friends stand beside it, how near it is to where it is of use."""

from collections.abc import Sequence

from domain.games.shot_to_pieces.bot.field import BotView, aspect_from, gap, is_between, is_in_arc
from domain.games.shot_to_pieces.chapters.factors import MOST_SALVO
from domain.games.shot_to_pieces.chapters.melee_factors import MOST_SUPPORT
from domain.games.shot_to_pieces.plane.contacts import abuts, is_behind
from domain.games.shot_to_pieces.plane.gaps import is_surely_apart
from domain.games.shot_to_pieces.state.figures import period_of
from domain.games.shot_to_pieces.state.profiles import FOOT, MOUNTED, SKIRMISHERS
from domain.games.shot_to_pieces.state.state import State, Unit, general_of, place_of

COMMAND_HCM = 5000
"""The radius of command (STP-GEO-10)."""


ALIKE = 200
"""Who is so much nearer is fired at rather than the other."""
NEAR, CLOSE = 2500, 1500
"""Within which enemies and friends are counted against each other."""


def place_worth(field: BotView, unit: Unit, friends: Sequence[Unit], *, eager: bool, is_moved: bool = False) -> int:
    """What it is worth to a unit to stand as it does, in hundredths of a unit of the line.

    Shape: `friends` as they would stand then; `eager` for a unit that is to close with the enemy
    """
    state, weights = field.state, field.weights
    value = field.kit(unit).value
    covered = field.cover(unit)
    beside = sum(1 for one in friends if _is_near(unit, one) and abuts(unit.base, one.base))
    gaps = [(gap(unit.base, foe.base), foe) for foe in field.foes]
    found = weights.beside * min(beside, 2) + (weights.cover if covered else 0)
    found += _fire_at(field, unit, friends, gaps, covered, is_moved=is_moved) * weights.fire // 100
    found -= _fire_from(field, unit, friends, gaps, covered) * value // 100 * weights.suffered // 100
    threat, chance = _melees(field, unit, friends, gaps, beside)
    found -= threat * weights.threat // 100
    found += chance * weights.chance // 100
    found -= _way(field, unit, gaps) * (weights.way if eager else weights.held) // 1000
    close = sum(1 for far, foe in gaps if far < NEAR)
    if close:
        helping = 1 + sum(1 for one in friends if gap(unit.base, one.base) < CLOSE)
        found -= weights.odds * max(0, close - helping)
    if _is_out_of_command(state, unit):
        found -= weights.far
    return found


def _is_near(unit: Unit, other: Unit) -> bool:
    return not is_surely_apart(unit.base, other.base, 60)


def _is_out_of_command(state: State, unit: Unit) -> bool:
    general = general_of(state, state.corps[unit.corps])
    if general is None or general.unit == unit.id:
        return False
    x, y = place_of(state, general)
    dx, dy = unit.at[0] - x, unit.at[1] - y
    return dx * dx + dy * dy > COMMAND_HCM * COMMAND_HCM


# --- fire


def _fire_at(
    field: BotView,
    unit: Unit,
    friends: Sequence[Unit],
    gaps: Sequence[tuple[int, Unit]],
    covered: int,
    *,
    is_moved: bool,
) -> int:
    """What its fire at the nearest enemy that it sees would do, less what the reply does; in the value of units. A part
    of it for an enemy whom it will have in range soon."""
    kit = field.kit(unit)
    if not kit.range:
        return 0
    farthest = kit.range + (kit.pace // 2 if kit.arm != "art" else 0)
    seen = [(far, foe) for far, foe in gaps if far <= farthest and not foe.engaged and not foe.hidden]
    for far, foe in sorted(seen, key=lambda one: one[0]):
        if not is_in_arc(unit.base, foe.base):
            continue
        if any(is_between(one.base, unit.at, foe.at) for one in friends if gap(unit.base, one.base) < far):
            continue
        at = min(far, kit.range)
        beside = (one for one in friends if _is_near(unit, one) and field.kit(one).arm == kit.arm)
        others = min(MOST_SALVO, sum(1 for one in beside if abuts(unit.base, one.base)))
        theirs = field.kit(foe)
        replies = 0 if foe.shaken or theirs.range < at or not is_in_arc(foe.base, unit.base) else at
        hit = field.shot(unit, foe, at, (field.cover(foe), covered), replies, others)
        worth = (hit.done * theirs.value - hit.suffered * kit.value) // (100 * (1 + others) // 2 + 50)
        if far > at or (is_moved and kit.arm == "art"):
            worth //= 3
        return worth
    return 0


def _fire_from(
    field: BotView, unit: Unit, friends: Sequence[Unit], gaps: Sequence[tuple[int, Unit]], covered: int
) -> int:
    """What enemies could do to it by fire, in hundredths of it: those who have it before them whole, those who would
    have to turn or come nearer a third, each the less the more others they have before them."""
    found = 0
    for far, foe in gaps:
        kit = field.kit(foe)
        reach = kit.range
        if not reach or foe.engaged or foe.shaken:
            continue
        if far <= reach and is_in_arc(foe.base, unit.base):
            share = 100
        elif far <= reach or (kit.arm != "art" and far <= reach + kit.pace // 2):
            share = 33
        else:
            continue
        before = [one_far for one in friends if (one_far := gap(one.base, foe.base)) < far + ALIKE]
        if any(one_far < far - ALIKE for one_far in before):
            share //= 4  # it fires at the nearest
        hit = field.shot(foe, unit, min(far, reach), (covered, 0), 0)
        found += share * hit.done // (100 * (1 + len(before)) // 2 + 50)
    return found


# --- melee


def _melees(
    field: BotView, unit: Unit, friends: Sequence[Unit], gaps: Sequence[tuple[int, Unit]], beside: int
) -> tuple[int, int]:
    """The worst that a charge at it could do, and the best that a charge of its own could: in the value of units."""
    worst = best = 0
    supported = _rear(field, unit, friends)
    for far, foe in gaps:
        if foe.engaged:
            continue
        reach = field.kit(foe).pace + 200
        if far <= reach and not foe.shaken:
            others = sum(1 for one in friends if gap(one.base, foe.base) <= reach)
            found = _onset(field, foe, unit, min(MOST_SUPPORT, min(beside, 2) + supported))
            worst = max(worst, 2 * found // (2 + min(others, 4)))
        if far <= field.kit(unit).pace + 200 and not unit.shaken:
            best = max(best, _onset(field, unit, foe))
    return worst, best


def _rear(field: BotView, unit: Unit, friends: Sequence[Unit]) -> int:
    """What a friend behind adds in melee."""
    if field.kit(unit).arm != "inf":
        return 0
    for one in friends:
        if _is_near(unit, one) and is_behind(one.base, unit.base) and field.kit(one).arm == "inf":
            return period_of(field.state).factors.get("rear-support", 0)
    return 0


def _onset(field: BotView, unit: Unit, foe: Unit, support: int = 0) -> int:
    """What a charge of a unit at another would bring, who has so much support, in the value of units; not less than
    nothing, for nobody has to."""
    factors = period_of(field.state).factors
    aspect = "front" if foe.formation == "square" else aspect_from(foe.base, unit.at)
    if not field.may_charge(unit, foe, aspect):
        return 0
    less = support + (factors.get(aspect, 0) if aspect != "front" else 0)
    first = field.melee_sum(unit, foe, is_first=True) - field.melee_sum(foe, unit, is_first=True) - less
    later = field.melee_sum(unit, foe, is_first=False) - field.melee_sum(foe, unit, is_first=False) - less
    hit = field.melee(unit, foe, first, later, rounds=2)
    return max(0, hit.done * field.kit(foe).value - hit.suffered * field.kit(unit).value) // 100


# --- the way


def _way(field: BotView, unit: Unit, gaps: Sequence[tuple[int, Unit]]) -> int:
    """How far it still has to go to where it is of use, in 1/100 cm."""
    if not gaps:
        return 0
    return max(0, min(far for far, _ in gaps) - _wanted(field, unit))


def _wanted(field: BotView, unit: Unit) -> int:
    """How near to the enemy a unit is of use."""
    kit = field.kit(unit)
    weapon, arm = kit.weapon, kit.arm
    if weapon is None:
        return 0 if arm in MOUNTED or arm in FOOT else COMMAND_HCM
    short, medium, _ = weapon.bands
    if arm == "art":
        return medium or short
    return weapon.range * 4 // 5 if arm in SKIRMISHERS else short
