"""Check an army against its list: every reason against it, not only the first.

A finding is like a refusal, a code with its rule and what was measured and allowed, but nothing is
refused: the checks are advisory (TTS-CAT-04), and a player wants to see everything left to do.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from domain.games.to_the_strongest.armies.army import (
    ArmyCorps,
    ArmyFile,
    ArmyGeneral,
    ArmyUnit,
    list_of,
    price,
    quality_of,
    traits_of,
    troop_of,
    units_of,
)
from domain.games.to_the_strongest.armies.lists import (
    CORPS,
    MOST_SIDES,
    SIZES,
    UNITS_IN_CORPS,
    ArmyList,
    CampsAllowed,
    GeneralsAllowed,
    Span,
    Troop,
    extra_fits,
    least_units,
    most_units,
)
from domain.games.to_the_strongest.state.identifiers import begins_an_order, is_box, is_well_formed
from domain.games.to_the_strongest.state.roster import EXTRAS, LEAST_CAMPS, MOST_CAMPS, PROFILES
from domain.games.to_the_strongest.state.scenario_file import BoardGiven
from domain.games.to_the_strongest.state.state import TRAITS

USUAL_BOARD = (BoardGiven().columns, BoardGiven().rows)
SIZE_RULE, GENERAL_RULE, QUALITY_RULE, EXTRA_RULE = "TTS-CAT-04", "TTS-GEN-01", "TTS-CAT-02", "TTS-CAT-03"
CAMP_RULE, TYPE_RULE, ID_RULE, CORPS_ID_RULE = "TTS-CMP-01", "TTS-CAT-01", "TTS-ORD-01", "TTS-ORD-02"
ANY = GeneralsAllowed(brilliant=CORPS[-1], great=CORPS[-1])
"""The defaults where a list does not say otherwise."""


class Finding(Struct, frozen=True):
    """A fault of an army: code, rule, what was measured and allowed (plain values)."""

    code: str
    rule: str
    params: dict[str, Any]


def findings(army: ArmyFile) -> tuple[Finding, ...]:
    """All faults of an army, from the whole to its parts.

    Rule:    TTS-CAT-01, TTS-CAT-02, TTS-CAT-03, TTS-CAT-04, TTS-GEN-01, TTS-CMP-01, TTS-ORD-01, TTS-ORD-02
    Returns: () for a legal army
    """
    entry = list_of(army)
    return (
        *_size(army),
        *_corps(army, entry),
        *_numbers(army, entry),
        *_units(army, entry),
        *_generals(army, entry),
        *_camps(army, entry),
        *_ids(army),
    )


def _found(code: str, rule: str, **params: Any) -> Finding:
    return Finding(code, rule, params)


# --- the whole


def _size(army: ArmyFile) -> Iterator[Finding]:
    points = price(army).points
    if army.size not in SIZES:
        yield _found("tts.army-size", SIZE_RULE, size=army.size, least=SIZES[0], most=SIZES[-1])
    if points > army.size:
        yield _found("tts.army-over", SIZE_RULE, points=points, size=army.size, over=points - army.size)


def _corps(army: ArmyFile, entry: ArmyList | None) -> Iterator[Finding]:
    span = entry.corps if entry else Span(CORPS[0], CORPS[-1])
    if not span.least <= len(army.corps) <= span.most:
        yield _found("tts.army-corps", SIZE_RULE, count=len(army.corps), least=span.least, most=span.most)
    for corps in army.corps:
        if len(corps.units) not in UNITS_IN_CORPS:
            least, most = UNITS_IN_CORPS[0], UNITS_IN_CORPS[-1]
            yield _found(
                "tts.army-corps-units", SIZE_RULE, corps=corps.id, count=len(corps.units), least=least, most=most
            )
        if corps.general is None:
            yield _found("tts.army-no-general", SIZE_RULE, corps=corps.id)


def _numbers(army: ArmyFile, entry: ArmyList | None) -> Iterator[Finding]:
    if entry is None or army.size not in SIZES:
        return
    counted = Counter(unit.troop for unit in units_of(army))
    for key, troop in entry.troops.items():
        count, least, most = counted[key], least_units(troop, army.size), most_units(troop, army.size)
        if count < least:
            yield _found("tts.army-too-few", SIZE_RULE, troop=key, name=troop.name, count=count, least=least)
        if count > most:
            yield _found("tts.army-too-many", SIZE_RULE, troop=key, name=troop.name, count=count, most=most)


# --- units


def _units(army: ArmyFile, entry: ArmyList | None) -> Iterator[Finding]:
    for unit in units_of(army):
        troop = troop_of(entry, unit.troop)
        if troop is None:
            known = tuple(entry.troops) if entry else ()
            yield _found(
                "tts.army-no-such-troop", TYPE_RULE, unit=unit.id, troop=unit.troop, list=army.list, known=known
            )
        else:
            yield from _unit(unit, troop)


def _unit(unit: ArmyUnit, troop: Troop) -> Iterator[Finding]:
    quality = quality_of(unit, troop)
    if quality not in troop.qualities:
        yield _found("tts.army-quality", QUALITY_RULE, unit=unit.id, quality=quality, allowed=troop.qualities)
    for extra, times in Counter(unit.extras).items():
        if extra not in EXTRAS or not extra_fits(PROFILES[troop.type], extra) or extra not in troop.extras or times > 1:
            allowed = tuple(name for name in troop.extras if extra_fits(PROFILES[troop.type], name))
            yield _found("tts.army-extra", EXTRA_RULE, unit=unit.id, extra=extra, allowed=allowed)
    if unit.hero and not troop.hero:
        yield _found("tts.army-hero", EXTRA_RULE, unit=unit.id, name=troop.name)


# --- generals


def _generals(army: ArmyFile, entry: ArmyList | None) -> Iterator[Finding]:
    allowed = entry.generals if entry else ANY
    leaders = [corps.general for corps in army.corps if corps.general]
    for corps in army.corps:
        if corps.general:
            yield from _general(corps, corps.general, allowed)
    for trait, most in (("commander", 1), ("brilliant", allowed.brilliant), ("great", allowed.great)):
        count = sum(trait in general.traits for general in leaders)
        if count > most:
            yield _found("tts.army-generals", GENERAL_RULE, trait=trait, count=count, most=most)


def _general(corps: ArmyCorps, general: ArmyGeneral, allowed: GeneralsAllowed) -> Iterator[Finding]:
    name, traits = general.id, traits_of(general)
    may = {*allowed.traits, "commander", "brilliant", "great"}
    unknown = tuple(trait for trait in general.traits if trait not in TRAITS or trait not in may)
    if unknown:
        yield _found("tts.army-traits", GENERAL_RULE, general=name, traits=unknown, allowed=tuple(sorted(may)))
    if "brilliant" in traits and "great" in traits:
        yield _found("tts.army-brilliant-and-great", GENERAL_RULE, general=name)
    elif "brilliant" in traits and general.attached:
        yield _found("tts.army-brilliant-attached", GENERAL_RULE, general=name)
    elif "great" in traits and not general.attached:
        yield _found("tts.army-great-detached", GENERAL_RULE, general=name)
    if general.attached and general.attached not in {unit.id for unit in corps.units}:
        yield _found("tts.army-attached", GENERAL_RULE, general=name, unit=general.attached, corps=corps.id)
    if not general.attached and not allowed.detached:
        yield _found("tts.army-detached", GENERAL_RULE, general=name)
    if general.mounted and not allowed.mounted:
        yield _found("tts.army-mounted", GENERAL_RULE, general=name)


# --- camps


def _camps(army: ArmyFile, entry: ArmyList | None) -> Iterator[Finding]:
    allowed = entry.camps if entry else CampsAllowed(LEAST_CAMPS, MOST_CAMPS, MOST_SIDES)
    camps = [(corps.id, corps.camp) for corps in army.corps if corps.camp]
    count = sum(camp.boxes for _, camp in camps)
    if not allowed.least <= count <= allowed.most:
        yield _found("tts.army-camps", CAMP_RULE, count=count, least=allowed.least, most=allowed.most)
    for corps, camp in camps:
        if not 0 <= camp.fortified <= allowed.fortified:
            yield _found("tts.army-camp-sides", CAMP_RULE, corps=corps, sides=camp.fortified, most=allowed.fortified)


# --- ids


def _ids(army: ArmyFile) -> Iterator[Finding]:
    for name, times in Counter(corps.id for corps in army.corps).items():
        if times > 1:
            yield _found("tts.army-corps-twice", CORPS_ID_RULE, corps=name)
        if not is_well_formed(name):
            yield _found("tts.army-id", ID_RULE, id=name)
    units = [unit.id for unit in units_of(army)]
    named = [*units, *(corps.general.id for corps in army.corps if corps.general)]
    for name, times in Counter(named).items():
        if times > 1:
            yield _found("tts.army-id-twice", ID_RULE, id=name)
        if not is_well_formed(name) or begins_an_order(name):
            yield _found("tts.army-id", ID_RULE, id=name)
        elif name in units and is_box(name, USUAL_BOARD):
            yield _found("tts.id-is-box", ID_RULE, key=name)
