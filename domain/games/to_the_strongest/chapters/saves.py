"""Chapter SAV: the card a unit needs to save a hit, with every modifier."""

from collections.abc import Mapping
from types import MappingProxyType

from msgspec import Struct

from domain.games.to_the_strongest.chapters.geometry import (
    crosses_fortified_side,
    crosses_obstacle,
    edges_crossed,
    edges_turned_to,
    is_hill,
    is_rough,
)
from domain.games.to_the_strongest.state.ground import COVER
from domain.games.to_the_strongest.state.roster import WEAPONS, save_number
from domain.games.to_the_strongest.state.state import State, Unit, camp_for, kind
from domain.mechanics.modifiers import Factor, Factors, total

LOWEST_SAVE = 2
HIGHEST_SAVE = 10
CHARGES = frozenset({"charge", "second"})
SHOTS = frozenset({"shot", "closing"})
WHEN_CHARGED: Mapping[str, Factor] = MappingProxyType(
    {
        factor.why: factor
        for factor in (
            Factor("TTS-SAV-11", "light-rough", 2),
            Factor("TTS-SAV-12", "fortified", 2),
            Factor("TTS-SAV-13", "uphill", 1),
            Factor("TTS-SAV-14", "foot-rough", 1),
            Factor("TTS-SAV-15", "stakes", 1),
            Factor("TTS-SAV-16", "beast", 2),
            Factor("TTS-SAV-17", "obstacle", 1),
            Factor("TTS-SAV-18", "long-spear", 1),
            Factor("TTS-SAV-19", "steady", 1),
            Factor("TTS-SAV-20", "wagon", 1),
            Factor("TTS-SAV-21", "armour", 1),
            Factor("TTS-SAV-22", "two-handed", -1),
            Factor("TTS-SAV-23", "shieldwall", 1),
        )
    }
)
"""What can help (+) or harm (−) a unit that is charged, by its `why`."""
IN_REPLIES = ("beast", "armour")
"""Those of them that help a charger against the reply, too (TTS-SAV-02)."""
WHEN_SHOT_AT: Mapping[str, Factor] = MappingProxyType(
    {
        factor.why: factor
        for factor in (
            Factor("TTS-SAV-31", "light", 1),
            Factor("TTS-SAV-32", "fortified", 2),
            Factor("TTS-SAV-33", "cover", 1),
            Factor("TTS-SAV-34", "shieldwall", 1),
            Factor("TTS-SAV-35", "tortoise", 2),
            Factor("TTS-SAV-36", "pavise", 1),
            Factor("TTS-SAV-37", "flank", -1),
            Factor("TTS-SAV-37", "rear", -1),
            *(Factor("TTS-SAV-38", weapon.key, weapon.save) for weapon in WEAPONS.values() if weapon.save),
        )
    }
)
"""What can help (+) or harm (−) a unit that is shot at, by its `why`; weapons by their keys."""


class Strike(Struct, frozen=True, gc=False):
    """A blow that may hit: who strikes, how, and from where (plain values, for the agenda).

    `kind` is charge, second, reply, shot, closing or amok; `origin` the box struck from; `weapon`
    is "" in melee.
    """

    attacker: str
    kind: str
    aspect: str
    origin: str
    weapon: str = ""


def bare_save(unit: Unit) -> int:
    """The save number of a unit before modifiers (TTS-SAV-01, TTS-CAT-02)."""
    return save_number(kind(unit), unit.quality)


def save_reckoning(state: State, unit: Unit, blow: Strike) -> tuple[int, Factors]:
    """The number a unit needs to save a hit, and the modifiers for it.

    Rule:    TTS-SAV-01: bare save less the sum, within 2 … 10; amok hits are saved bare
    Returns: (needed, factors in ascending order of ID)
    """
    if blow.kind in CHARGES:
        factors = charge_factors(state, unit, blow)
    elif blow.kind in SHOTS:
        factors = shot_factors(state, unit, blow)
    elif blow.kind == "reply":
        factors = reply_factors(unit, state.units[blow.attacker])
    else:
        factors = ()
    return kept_within(bare_save(unit) - total(factors)), factors


def kept_within(needed: int) -> int:
    """A save number, kept within 2 … 10: an ace fails, a 10 saves."""
    return max(LOWEST_SAVE, min(HIGHEST_SAVE, needed))


def charge_factors(state: State, unit: Unit, blow: Strike) -> Factors:
    """What helps or harms a unit that is charged (TTS-SAV-02), two-handed weapons too (TTS-MEL-12)."""
    charger = state.units[blow.attacker]
    profile, foe = kind(unit), kind(charger)
    box, origin = unit.box, blow.origin
    foot, elephant, light_infantry = profile.foot, profile.elephant, profile.light_infantry
    pikes_or_mounted = foe.mounted or "pike" in foe.flags
    rough = is_rough(state, box)
    frontal = blow.aspect == "front"
    applies = (
        ("light-rough", light_infantry and not foe.light_infantry and (rough or box in state.camps)),
        (
            "fortified",
            foot and not elephant and "wagon" not in profile.flags and _is_behind_camp(state, unit, origin),
        ),
        ("uphill", foot and is_hill(state, box) and not is_hill(state, origin)),
        ("foot-rough", rough and pikes_or_mounted and _is_nimble_foot(unit)),
        ("stakes", foot and not elephant and frontal and foe.mounted and is_behind_stakes(state, unit, origin)),
        ("beast", "beast" in profile.flags and foe.mounted),
        ("obstacle", crosses_obstacle(state, origin, box)),
        ("long-spear", frontal and foe.mounted and "long_spear" in profile.flags),
        ("steady", frontal and foe.mounted and _is_steady(unit)),
        ("wagon", foe.mounted and "wagon" in profile.flags),
        ("armour", "armour" in profile.flags),
        ("two-handed", "two_handed" in foe.flags),
        ("shieldwall", frontal and unit.formation == "shieldwall"),
    )
    return tuple(WHEN_CHARGED[why] for why, holds in applies if holds)


def reply_factors(unit: Unit, striker: Unit) -> Factors:
    """What helps a charger against the reply: only beasts and armour (TTS-SAV-02)."""
    profile = kind(unit)
    applies = {
        "beast": "beast" in profile.flags and kind(striker).mounted,
        "armour": "armour" in profile.flags,
    }
    return tuple(WHEN_CHARGED[why] for why in IN_REPLIES if applies[why])


def shot_factors(state: State, unit: Unit, blow: Strike) -> Factors:
    """What helps or harms a unit that is shot at (TTS-SAV-03)."""
    profile = kind(unit)
    camp = camp_for(state, unit)
    walled = camp and profile.foot and any(side in camp.fortified for side in edges_turned_to(unit.box, blow.origin))
    applies = (
        ("light", profile.light),
        ("fortified", walled),
        ("cover", state.terrain.get(unit.box) in COVER),
        ("shieldwall", unit.formation == "shieldwall"),
        ("tortoise", unit.formation == "tortoise"),
        ("pavise", "pavise" in unit.extras and blow.aspect == "front"),
        (blow.aspect, blow.aspect != "front"),
        (blow.weapon, blow.weapon in WHEN_SHOT_AT),
    )
    return tuple(WHEN_SHOT_AT[why] for why, holds in applies if holds)


def is_behind_stakes(state: State, unit: Unit, origin: str) -> bool:
    """Whether an attack from a box meets stakes: on the edge crossed, or the unit's own on its
    front (TTS-TER-01, TTS-CAT-03). Called only for frontal attacks."""
    return "stakes" in unit.extras or "stakes" in edges_crossed(state, origin, unit.box)


def _is_behind_camp(state: State, unit: Unit, origin: str) -> bool:
    return camp_for(state, unit) is not None and crosses_fortified_side(state, origin, unit.box)


def _is_nimble_foot(unit: Unit) -> bool:
    profile = kind(unit)
    return profile.foot and not (profile.light or profile.elephant or "pike" in profile.flags)


def _is_steady(unit: Unit) -> bool:
    profile = kind(unit)
    return profile.foot and not unit.losses and not (profile.elephant or profile.artillery or profile.light)
