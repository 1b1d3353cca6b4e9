"""Make up a legal army of a list.

`new_army` makes a legal one: first what the list demands, then random units, weighted by the room the list has
for them, until no other can be paid for; the rest of the points goes into better troops, heroes and
generals. Chance is a parameter, so a seed decides everything.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import reduce
from typing import NamedTuple

from msgspec.structs import replace

from domain.basics.errors import Refusal
from domain.games.to_the_strongest.armies.army import (
    ArmyCamp,
    ArmyCorps,
    ArmyFile,
    ArmyGeneral,
    ArmyUnit,
    general_price,
    price,
    quality_of,
    unit_price,
)
from domain.games.to_the_strongest.armies.lists import (
    SIZES,
    UNITS_IN_CORPS,
    ArmyList,
    GeneralsAllowed,
    Troop,
    least_units,
    most_units,
)
from domain.games.to_the_strongest.state.records import Profile
from domain.games.to_the_strongest.state.roster import COSTS, PROFILES, camp_cost

Below = Callable[[int], int]
"""A number from 0 to n − 1, all equally likely: `domain.log.fairness.Stream.below`."""

POINTS_FOR_A_CORPS = 43
POINTS_FOR_A_CAMP = 65
UNUSUAL_QUALITY = 4
"""One unit in this many is not of the usual quality of its line, if the list allows another."""
RARE = 3
"""One commander in this many is of each of the rarer kinds that the list allows."""
WITH_A_UNIT = "unit"
"""Stands for the unit to which a commander will be attached while there are none yet."""
GRADES = ("raw", "standard", "veteran")
LAST_TO_LEAD = frozenset({"elephant", "artillery", "wagon", "scythed"})
CORPS_NAMES = {
    2: ("Left wing", "Right wing"),
    3: ("Left wing", "Centre", "Right wing"),
    4: ("Left wing", "Left centre", "Right centre", "Right wing"),
    5: ("Left wing", "Left centre", "Centre", "Right centre", "Right wing"),
}
NUMERALS = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X")


class FutureUnit(NamedTuple):
    """A unit of the future army, without its id."""

    key: str
    unit: ArmyUnit
    profile: Profile
    points: int


def new_army(entry: ArmyList, size: int, below: Below) -> ArmyFile:
    """A legal army of a list that spends nearly all of its points.

    Rule:    TTS-CAT-04
    Units:   size in points
    Raises:  Refusal tts.army-size; tts.army-too-small if what the list demands costs more than that
    """
    if size not in SIZES:
        raise Refusal("tts.army-size", "TTS-CAT-04", size=size, least=SIZES[0], most=SIZES[-1])
    commander = _commander(entry.generals, below)
    demanded = [_chosen(entry, key) for key, troop in entry.troops.items() for _ in range(least_units(troop, size))]
    count = _corps_count(entry, size, len(demanded), below)
    camps = min(count, max(entry.camps.least, min(entry.camps.most, 1 + below(1 + size // POINTS_FOR_A_CAMP))))
    purse = size - general_price(commander) - (count - 1) * _dearest_general() - camps * camp_cost()
    units = _all_chosen(entry, size, demanded, purse, count, below)
    army = ArmyFile("tts", entry.key, entry.name, size, _corps(entry, units, count, camps, commander))
    return _improved(entry, army, below)


# --- how much of what


def _dearest_general() -> int:
    """The reserve for each general other than the commander, who may ride or be detached."""
    return COSTS.general.base + COSTS.general.mounted + COSTS.general.detached


def _commander(allowed: GeneralsAllowed, below: Below) -> ArmyGeneral:
    """The commander in detached form, without an id."""
    if allowed.brilliant and not below(RARE):
        return ArmyGeneral("", "", allowed.mounted, ("commander", "brilliant"))
    if allowed.great and not below(RARE):
        return ArmyGeneral("", WITH_A_UNIT, allowed.mounted, ("commander", "great"))
    detached = allowed.detached and not below(RARE)
    return ArmyGeneral("", "" if detached else WITH_A_UNIT, allowed.mounted, ("commander",))


def _corps_count(entry: ArmyList, size: int, demanded: int, below: Below) -> int:
    least = max(entry.corps.least, -(-demanded // UNITS_IN_CORPS[-1]))
    wanted = (size + below(POINTS_FOR_A_CORPS)) // POINTS_FOR_A_CORPS
    return max(least, min(entry.corps.most, wanted))


def _chosen(entry: ArmyList, key: str, quality: str = "") -> FutureUnit:
    troop = entry.troops[key]
    unit = ArmyUnit("", key, quality or troop.qualities[0])
    return FutureUnit(key, unit, PROFILES[troop.type], unit_price(unit, troop))


def _all_chosen(
    entry: ArmyList, size: int, demanded: Sequence[FutureUnit], purse: int, corps: int, below: Below
) -> list[FutureUnit]:
    """What the list demands, and as much else as can be paid for and led."""
    units = _affordable(entry, demanded, purse, size)
    purse -= sum(chosen.points for chosen in units)
    while len(units) < corps * UNITS_IN_CORPS[-1]:
        counted = Counter(chosen.key for chosen in units)
        room = {key: most_units(troop, size) - counted[key] for key, troop in entry.troops.items()}
        offers = [chosen for key in room if room[key] > 0 for chosen in (_random_choice(entry, key, below),)]
        offers = [chosen for chosen in offers if chosen.points <= purse]
        if not offers:
            break
        units.append(_weighed(offers, [room[chosen.key] for chosen in offers], below))
        purse -= units[-1].points
    if len(units) < corps * UNITS_IN_CORPS[0]:
        raise Refusal("tts.army-too-small", "TTS-CAT-04", list=entry.key, size=size)
    return units


def _affordable(entry: ArmyList, demanded: Sequence[FutureUnit], purse: int, size: int) -> list[FutureUnit]:
    """The demanded troops, in their cheapest quality where the usual one is too expensive."""
    if sum(chosen.points for chosen in demanded) <= purse:
        return list(demanded)
    cheapest = [
        min((_chosen(entry, chosen.key, quality) for quality in entry.troops[chosen.key].qualities), key=_points)
        for chosen in demanded
    ]
    if sum(chosen.points for chosen in cheapest) > purse:
        raise Refusal("tts.army-too-small", "TTS-CAT-04", list=entry.key, size=size)
    return cheapest


def _points(chosen: FutureUnit) -> int:
    return chosen.points


def _random_choice(entry: ArmyList, key: str, below: Below) -> FutureUnit:
    qualities = entry.troops[key].qualities
    unusual = len(qualities) > 1 and not below(UNUSUAL_QUALITY)
    return _chosen(entry, key, qualities[1 + below(len(qualities) - 1)] if unusual else qualities[0])


def _weighed(offers: Sequence[FutureUnit], weights: Sequence[int], below: Below) -> FutureUnit:
    at = below(sum(weights))
    for chosen, weight in zip(offers, weights, strict=True):
        at -= weight
        if at < 0:
            return chosen
    raise AssertionError(at)


# --- who stands where


def _corps(
    entry: ArmyList, units: Sequence[FutureUnit], count: int, camps: int, commander: ArmyGeneral
) -> tuple[ArmyCorps, ...]:
    numbers: Counter[str] = Counter()
    centre = count // 2
    with_camps = sorted(range(count), key=lambda at: abs(at - centre))[:camps]
    made = []
    for at, members in enumerate(_divided(_in_line(entry, units), count)):
        named = [(_named(chosen, numbers), chosen.profile) for chosen in members]
        made.append(
            ArmyCorps(
                NUMERALS[at],
                CORPS_NAMES[count][at],
                _general(f"G{at + 1}", named, entry.generals, commander if at == centre else None),
                ArmyCamp() if at in with_camps else None,
                tuple(unit for unit, _ in named),
            )
        )
    return tuple(made)


def _in_line(entry: ArmyList, units: Sequence[FutureUnit]) -> list[FutureUnit]:
    """The line of battle from left to right: horse on the wings, foot between, light foot among the foot."""
    order = list(entry.troops)
    ranked = sorted(units, key=lambda chosen: order.index(chosen.key))
    lights = [one for one in ranked if one.profile.light and one.profile.mounted]
    horse = [one for one in ranked if one.profile.mounted and not one.profile.light]
    foot = [one for one in ranked if one.profile.foot and not one.profile.light]
    light_foot = [one for one in ranked if one.profile.foot and one.profile.light]
    return [
        *lights[::2],
        *horse[::2],
        *_shuffled_together(foot, light_foot),
        *reversed(horse[1::2]),
        *reversed(lights[1::2]),
    ]


def _shuffled_together(some: Sequence[FutureUnit], others: Sequence[FutureUnit]) -> list[FutureUnit]:
    """Two rows as one, each evenly spread over it."""
    placed = [((2 * at + 1) * max(1, len(others)), chosen) for at, chosen in enumerate(some)]
    placed += [((2 * at + 1) * max(1, len(some)), chosen) for at, chosen in enumerate(others)]
    return [chosen for _, chosen in sorted(placed, key=lambda pair: pair[0])]


def _divided(line: Sequence[FutureUnit], count: int) -> Iterator[Sequence[FutureUnit]]:
    """A line cut into corps whose numbers differ by one at most."""
    for at in range(count):
        yield line[at * len(line) // count : (at + 1) * len(line) // count]


def _named(chosen: FutureUnit, numbers: Counter[str]) -> ArmyUnit:
    """The unit with an id: two letters, so that it is never a box (TTS-ORD-01), and a number."""
    letters = chosen.key.replace("_", "")[:2].upper()
    numbers[letters] += 1
    return replace(chosen.unit, id=f"{letters}{numbers[letters]}")


def _general(
    name: str, units: Sequence[tuple[ArmyUnit, Profile]], allowed: GeneralsAllowed, commander: ArmyGeneral | None
) -> ArmyGeneral:
    """The general of a corps, with its best unit, or a commander of the detached kind."""
    if commander and not commander.attached:
        return replace(commander, id=name)
    best, profile = max(units, key=_worth_leading)
    mounted = profile.mounted and allowed.mounted
    return ArmyGeneral(name, best.id, mounted, commander.traits if commander else ())


def _worth_leading(pair: tuple[ArmyUnit, Profile]) -> tuple[bool, bool, int, int]:
    unit, profile = pair
    return not profile.light, not LAST_TO_LEAD & profile.flags, GRADES.index(unit.quality), profile.cost


# --- what is left


def _improved(entry: ArmyList, army: ArmyFile, below: Below) -> ArmyFile:
    """The army with its remaining points spent, as far as possible."""
    while True:
        left = army.size - price(army).points
        offers = [
            (at, better)
            for at, corps in enumerate(army.corps)
            for cost, better in _improvements(entry, corps)
            if 0 < cost <= left
        ]
        if not offers:
            return army
        at, better = offers[below(len(offers))]
        army = replace(army, corps=(*army.corps[:at], better, *army.corps[at + 1 :]))


def _improvements(entry: ArmyList, corps: ArmyCorps) -> Iterator[tuple[int, ArmyCorps]]:
    """The possible purchases for a corps: the extra cost, and the corps with the purchase."""
    general, camp = corps.general, corps.camp
    if camp and camp.fortified < entry.camps.fortified:
        yield COSTS.camp.fortified_side, replace(corps, camp=replace(camp, fortified=camp.fortified + 1))
    if general and not {"brilliant", "great"} & set(general.traits):
        for trait in entry.generals.traits:
            if trait not in general.traits:
                better = replace(general, traits=(*general.traits, trait))
                yield general_price(better) - general_price(general), replace(corps, general=better)
    for at, unit in enumerate(corps.units):
        troop = entry.troops[unit.troop]
        for finer in _finer(unit, troop, corps):
            units = (*corps.units[:at], finer, *corps.units[at + 1 :])
            yield unit_price(finer, troop) - unit_price(unit, troop), replace(corps, units=units)


def _finer(unit: ArmyUnit, troop: Troop, corps: ArmyCorps) -> Iterator[ArmyUnit]:
    """A unit a grade better, with a hero, or with an extra; one hero and one standard to a corps."""
    finer = GRADES[GRADES.index(quality_of(unit, troop)) + 1 :][:1]
    if finer and finer[0] in troop.qualities:
        yield replace(unit, quality=finer[0])
    if troop.hero and not any(other.hero for other in corps.units):
        yield replace(unit, hero=True)
    taken: set[str] = reduce(set.union, ({*other.extras} & {"standard"} for other in corps.units), set(unit.extras))
    for extra in troop.extras:
        if extra not in taken:
            yield replace(unit, extras=(*unit.extras, extra))
