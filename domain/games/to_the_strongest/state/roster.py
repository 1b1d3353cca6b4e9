"""The troop types, weapons and extras: what they can do, cost and are worth.

The catalogue is data: `domain/games/to_the_strongest/data/` has the troop types (TTS-CAT-01), the weapons
(TTS-SHT-03), and qualities, extras and general costs (TTS-CAT-02, TTS-CAT-03). It is read and
checked once, when this module is imported; a fault in it names file, record and field.
"""

from collections.abc import Collection, Iterable, Mapping
from types import MappingProxyType

import msgspec

from domain.basics.data import read_toml
from domain.games.to_the_strongest.state.records import (
    Arc,
    Costs,
    Profile,
    QualityRow,
    Weapon,
    load_costs,
    load_profiles,
    load_weapons,
)

LEAST_CAMPS, MOST_CAMPS = 1, 3
"""Camp boxes of an army (TTS-CMP-01); a scenario may do without."""
FLAGS_OF_EXTRAS = frozenset({"lance", "two_handed"})  # an extra that gives the flag of its name


# --- values for the rules


def profile_of(key: str, *, dismounted: bool = False, extras: Collection[str] = ()) -> Profile:
    """The current profile of a unit's troop type: with its equipment, mounted or on foot.

    Rule:    TTS-MOV-10, TTS-CAT-03
    Reading: dismounted knights no longer count as knights (TTS-EVD-04), but keep their armour
    """
    profile = PROFILES[key]
    flags = profile.flags | (FLAGS_OF_EXTRAS & set(extras))
    if dismounted:
        flags = (flags | {"two_handed"}) - {"lance", "knight"}
        return msgspec.structs.replace(profile, flags=flags, cls="F", foot=True, mounted=False, speed=1)
    return profile if flags == profile.flags else msgspec.structs.replace(profile, flags=flags)


def save_number(profile: Profile, quality: str) -> int:
    """The bare save: the card needed before any factor.

    Rule:    TTS-SAV-01, TTS-CAT-02
    Reading: a quality counts from the one printed in the catalogue (raw for mobs)
    """
    return profile.save + QUALITIES[quality].save - QUALITIES[profile.quality].save


def rout_number(quality: str) -> int:
    """The card needed in a rout test, before the factor of a general.

    Rule:    TTS-MOR-01, TTS-CAT-02
    Returns: 5, 6 or 7
    """
    return QUALITIES[quality].rout


def shooting_arc(profile: Profile) -> Arc:
    """The arc in which a unit shoots, "" if it has no weapon.

    Rule:    TTS-SHT-03, TTS-GEO-10
    """
    return profile.arc or (WEAPONS[profile.weapon].arc if profile.weapon else "")


def unit_victory_points(profile: Profile, extras: Collection[str] = ()) -> int:
    """The victory points that a unit adds to its side; an army standard counts too.

    Rule:    TTS-MED-01
    """
    return profile.av + (COSTS.victory.standard if "standard" in extras else 0)


def general_victory_points(traits: Collection[str] = ()) -> int:
    """The value of a general, in victory points and in medals.

    Rule:    TTS-MED-01, TTS-MED-02
    """
    if "brilliant" in traits:
        return COSTS.victory.brilliant
    return COSTS.victory.great if "great" in traits else COSTS.victory.general


def victory_points(
    units: Iterable[tuple[Profile, Collection[str]]],
    generals: Iterable[Collection[str]] = (),
    camps: int = 0,
) -> int:
    """The victory points of a side.

    Rule:    TTS-MED-01
    Shape:   each unit as (profile, extras), each general as their traits, the number of camps
    """
    return (
        sum(unit_victory_points(profile, extras) for profile, extras in units)
        + sum(general_victory_points(traits) for traits in generals)
        + camps * CAMP_VP
    )


def starting_medals(total_vp: int) -> int:
    """Medals at the start: a third of the victory points, to the nearest, half up, at least 1.

    Rule:    TTS-MED-01
    """
    return max(1, (2 * total_vp + 3) // 6)


def unit_cost(profile: Profile, quality: str | None = None, extras: Collection[str] = (), *, hero: bool = False) -> int:
    """Points of a unit; `quality` defaults to the printed one.

    Rule:    TTS-CAT-01, TTS-CAT-02, TTS-CAT-03
    Reading: "per step" are the steps that the unit can lose, so a better quality costs a light
             unit 1, a standard unit 2, a deep unit 3
    """
    steps_up = QUALITIES[quality or profile.quality].cost - QUALITIES[profile.quality].cost
    return (
        profile.cost
        + steps_up * profile.steps
        + sum(EXTRAS[extra] for extra in extras)
        + (COSTS.hero.cost if hero else 0)
    )


def general_cost(traits: Collection[str] = (), *, detached: bool = False, mounted: bool = False) -> int:
    """Points of a general.

    Rule:    TTS-CAT-03
    Reading: "in all" covers everything, horse and further traits too
    """
    price = COSTS.general
    if "brilliant" in traits:
        return price.brilliant_in_all
    if "great" in traits:
        return price.great_in_all
    return (
        price.base
        + (price.detached if detached else 0)
        + (price.mounted if mounted else 0)
        + (price.heroic if "heroic" in traits else 0)
        + (price.senior if "senior" in traits else 0)
    )


def camp_cost(fortified_sides: int = 0) -> int:
    """Points of a camp.

    Rule:    TTS-CAT-03
    """
    return COSTS.camp.cost + fortified_sides * COSTS.camp.fortified_side


# --- the catalogue

WEAPONS: Mapping[str, Weapon] = MappingProxyType(load_weapons(read_toml("tts", "weapons.toml")))
PROFILES: Mapping[str, Profile] = MappingProxyType(load_profiles(read_toml("tts", "units.toml"), WEAPONS))
COSTS: Costs = load_costs(read_toml("tts", "costs.toml"))
QUALITIES: Mapping[str, QualityRow] = MappingProxyType(COSTS.quality)
EXTRAS: Mapping[str, int] = MappingProxyType(COSTS.extras)
CAMP_VP: int = COSTS.victory.camp
FLAGS: Mapping[str, str] = MappingProxyType(read_toml("tts", "units.toml")["flags"])
"""Each flag with the rule that gives it its meaning."""
