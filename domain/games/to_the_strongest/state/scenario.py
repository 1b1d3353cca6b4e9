"""Check a scenario file and make its opening event (to-the-strongest.md 5).

A scenario that contradicts the rules is refused with `tts.bad-scenario`, the key at fault and what is wrong
(TTS-SCN-02). All defaults are resolved here and recorded in `BattleOpened`, so that the state folds from the log alone.
"""

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from domain.basics.decoding import convert
from domain.engine.state import SIDES
from domain.games.to_the_strongest.state.ground import OPEN
from domain.games.to_the_strongest.state.roster import EXTRAS, PROFILES, QUALITIES, starting_medals, victory_points
from domain.games.to_the_strongest.state.scenario_checks import check
from domain.games.to_the_strongest.state.scenario_file import (
    MISSING,
    CampGiven,
    GridCorpsGiven,
    GridScenarioGiven,
    GridSideGiven,
    GridUnitGiven,
    bad,
    in_capitals,
    path_of,
)
from domain.games.to_the_strongest.state.scenario_limits import require_within
from domain.games.to_the_strongest.state.setup import (
    BattleOpened,
    CampSetUp,
    CorpsSetUp,
    GeneralSetUp,
    SideSetUp,
    UnitSetUp,
    camp_parts,
)
from domain.games.to_the_strongest.state.state import HOME_ROW_FACING, TRAITS, Options
from domain.games.to_the_strongest.state.stratagems import STRATAGEMS, cards_named
from domain.mechanics.square import FACINGS, XY, are_linked

IMPLIED = {"brilliant": {"senior"}, "great": {"senior", "heroic"}}
CHOICES = {
    "deck_mode": ("exhaust", "each_turn", "d10"),
    "deep_difficulty": ("double_when_difficult", "always_plus_one"),
}
FORMATION_FLAGS = {"normal": "", "shieldwall": "shieldwall", "tortoise": "tortoise", "dismounted": "dismount"}
UNIT_PER_AMMO_RESERVE, UNITS_PER_MARKER_RESERVE = 2, 3


def load(scenario: Mapping[str, Any]) -> BattleOpened:
    """A scenario (parsed TOML) as the event that opens its battle.

    Raises: Refusal tts.bad-scenario with `key` and `fault`
    """
    try:
        given = convert(dict(scenario), GridScenarioGiven)
        options = convert(_options(given.options), Options)
    except msgspec.ValidationError as error:
        raise bad(path_of(error), "shape", found=str(error).partition(" - at ")[0]) from None
    require_within(given, options)
    opened = _opening(in_capitals(given), options)
    check(opened)
    return opened


def _options(given: Mapping[str, Any]) -> dict[str, Any]:
    for key, choices in CHOICES.items():
        if given.get(key, choices[0]) not in choices:
            raise bad(f"options.{key}", "not-among", choices=list(choices))
    values = dict(given)
    if values.get("ammo_reserve") == "auto":
        del values["ammo_reserve"]
    table = values.get("wound_table")
    if isinstance(table, dict):
        if set(table) != {"killed", "serious", "light"}:
            raise bad("options.wound_table", "keys", needed=["killed", "serious", "light"])
        values["wound_table"] = [table["killed"], table["serious"], table["light"]]
    return values


def _opening(given: GridScenarioGiven, options: Options) -> BattleOpened:
    if given.ruleset != "tts":
        raise bad("ruleset", "not-among", choices=["tts"])
    if set(given.sides) != set(SIDES):
        raise bad("sides", "keys", needed=list(SIDES))
    if given.first not in SIDES:
        raise bad("first", "not-among", choices=list(SIDES))
    return BattleOpened(
        ruleset="tts",
        title=given.title,
        first=given.first,
        options=options,
        board={"columns": given.board.columns, "rows": given.board.rows},
        terrain={entry.box: entry.kind for entry in given.terrain or () if entry.kind != OPEN},
        edges={"/".join(sorted(entry.between)): entry.kind for entry in given.edge},
        sides={side: _side(side, given.sides[side], options) for side in SIDES},
        boxes=_shared_boxes(given),
        terrain_given=given.terrain is not None,
        stratagems=_stratagems(given),
    )


def _stratagems(given: GridScenarioGiven) -> dict[str, tuple[str, ...]] | UnsetType:
    """The cards of the stratagems that the scenario gives to sides; UNSET if no side has any."""
    listed = {side: cards_named(army.stratagems) for side, army in given.sides.items() if army.stratagems}
    return listed or UNSET


def _shared_boxes(given: GridScenarioGiven) -> dict[str, tuple[str, str]]:
    """The boxes with two units: `place` decides who is in front, else the order of the file."""
    by_box: dict[str, list[GridUnitGiven]] = {}
    for army in given.sides.values():
        for corps in army.corps:
            for unit in corps.units:
                if unit.place not in ("", "front", "rear"):
                    raise bad(f"{unit.id}.place", "not-among", choices=["front", "rear"])
                by_box.setdefault(unit.box, []).append(unit)
    shared = {}
    for box, units in by_box.items():
        if box and len(units) > 1:
            front, *rest = sorted(units, key=lambda unit: ("front", "", "rear").index(unit.place))
            if len(rest) > 1:
                raise bad(f"{rest[1].id}.box", "third-unit", box=box)
            shared[box] = (front.id, rest[0].id)
    return shared


def _side(side: str, given: GridSideGiven, options: Options) -> SideSetUp:
    for name in given.stratagems or ():
        if name not in STRATAGEMS:
            raise bad(f"sides.{side}.stratagems", "unknown", found=[name])
    corps = tuple(_corps(side, entry) for entry in given.corps)
    units = [unit for entry in corps for unit in entry.units]
    missiles = sum(1 for unit in units if unit.ammo_full)
    ammo = -(-missiles // UNIT_PER_AMMO_RESERVE) if options.ammo_reserve < 0 else options.ammo_reserve
    vp = victory_points(
        [(PROFILES[unit.type], unit.extras) for unit in units],
        [entry.general.traits for entry in corps if entry.general],
        sum(entry.camp.size for entry in given.corps if entry.camp),
    )
    medals = starting_medals(vp) if given.medals is None else given.medals
    listed = UNSET if given.stratagems is None else len(given.stratagems)
    return SideSetUp(
        name=given.name,
        medals=medals,
        ammo=ammo,
        lance=_reserve(units, "lance_full"),
        pilum=_reserve(units, "pilum_full"),
        corps=corps,
        stratagems=listed,
    )


def _reserve(units: list[UnitSetUp], marker: str) -> int:
    carriers = sum(1 for unit in units if getattr(unit, marker))
    return -(-carriers // UNITS_PER_MARKER_RESERVE)


def _corps(side: str, given: GridCorpsGiven) -> CorpsSetUp:
    units = tuple(_unit(side, unit) for unit in given.units)
    camp = _camp(f"camp of {given.id}", given.camp) if given.camp else None
    return CorpsSetUp(given.id, given.name or given.id, _general(given), camp, units)


def _camp(key: str, given: CampGiven) -> CampSetUp:
    if given.size < 1 or (given.box and given.boxes != 1):
        raise bad(key, "camp-boxes")
    if not set(given.fortified) <= set(FACINGS):
        raise bad(key, "not-among", choices=list(FACINGS))
    places = given.places
    if given.size == 1:
        return CampSetUp("".join(places), given.fortified)
    if not places:
        return CampSetUp("", given.fortified, size=given.size)
    for box in places:
        if box not in XY:
            raise bad(key, "off-board", box=box)
    if len(set(places)) < len(places) or not are_linked(places):
        raise bad(key, "camp-apart", boxes=list(places))
    return CampSetUp(places[0], given.fortified, boxes=camp_parts(places, given.fortified))


def _general(given: GridCorpsGiven) -> GeneralSetUp | None:
    general = given.general
    if general is None:
        return None
    unknown = set(general.traits) - TRAITS
    if unknown:
        raise bad(f"{general.id}.traits", "unknown", found=sorted(unknown))
    traits = set(general.traits).union(*(IMPLIED.get(trait, set()) for trait in general.traits))
    if general.attached and general.box:
        raise bad(f"{general.id}.box", "two-places")
    if general.attached and general.attached not in {unit.id for unit in given.units}:
        raise bad(f"{general.id}.attached", "not-of-corps", unit=general.attached, corps=given.id)
    if ("brilliant" in traits and general.attached) or ("great" in traits and general.box):
        raise bad(f"{general.id}.traits", "wrong-place")
    return GeneralSetUp(general.id, general.mounted, general.attached, general.box, tuple(sorted(traits)))


def _unit(side: str, given: GridUnitGiven) -> UnitSetUp:
    if given.type not in PROFILES:
        raise bad(f"{given.id}.type", "unknown", found=[given.type])
    unknown = set(given.extras) - set(EXTRAS)
    if unknown:
        raise bad(f"{given.id}.extras", "unknown", found=sorted(unknown))
    profile = PROFILES[given.type]
    flags = profile.flags | set(given.extras)
    if given.formation not in FORMATION_FLAGS or not {FORMATION_FLAGS[given.formation]} <= flags | {""}:
        raise bad(f"{given.id}.formation", "formation", type=given.type, formation=given.formation)
    lance_full, pilum_full = int("lance" in flags), int("pilum" in flags)
    ammo, lance, pilum = (
        full if wanted == MISSING else wanted
        for wanted, full in ((given.ammo, profile.ammo), (given.lance, lance_full), (given.pilum, pilum_full))
    )
    quality = given.quality or profile.quality
    if quality not in QUALITIES:
        raise bad(f"{given.id}.quality", "not-among", choices=list(QUALITIES))
    if min(ammo, lance, pilum) < 0 or not 0 <= given.disorder < profile.steps:
        raise bad(f"{given.id}.disorder", "losses", steps=profile.steps)
    return UnitSetUp(
        id=given.id,
        type=given.type,
        quality=quality,
        box=given.box,
        facing=given.facing or HOME_ROW_FACING[side],
        hero=given.hero,
        disorder=given.disorder,
        steps=profile.steps,
        ammo=ammo,
        ammo_full=max(ammo, profile.ammo),
        lance=lance,
        lance_full=max(lance, lance_full),
        pilum=pilum,
        pilum_full=max(pilum, pilum_full),
        formation=given.formation,
        extras=given.extras,
    )
