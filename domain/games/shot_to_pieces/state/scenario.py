"""A scenario (parsed TOML) becomes the event that opens its battle, all defaults resolved (STP-SCN-01)."""

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from domain.basics.decoding import convert
from domain.games.shot_to_pieces.state.profiles import Period, period
from domain.games.shot_to_pieces.state.scenario_checks import (
    MOST_CORNERS,
    bad,
    check,
    require_known,
)
from domain.games.shot_to_pieces.state.scenario_file import (
    LINES,
    UNSAID,
    CorpsGiven,
    GeneralGiven,
    GroundGiven,
    MeleeGiven,
    ScenarioGiven,
    Side,
    SideGiven,
    UnitGiven,
)
from domain.games.shot_to_pieces.state.setup import BOTH, HOMEWARD, BattleOpened
from domain.games.shot_to_pieces.state.state import Options, TableSize
from domain.games.shot_to_pieces.state.vocabulary import CODE
from domain.mechanics.outline import clockwise, is_convex


def load(scenario: Mapping[str, Any]) -> BattleOpened:
    """A scenario (parsed TOML) as the event that opens its battle.

    Raises: Refusal stp.bad-scenario with `key` and `fault`
    """
    try:
        given = convert(dict(scenario), ScenarioGiven)
    except msgspec.ValidationError as error:
        raise bad(_path_of(error), "shape", found=str(error).partition(" - at ")[0]) from None
    for side in BOTH:
        if side not in given.sides:
            raise bad(f"sides.{side}", "missing")
    rules = period(given.period)
    opened = BattleOpened(
        ruleset=CODE,
        title=given.title,
        period=given.period,
        first=given.first,
        options=_options(given.options, rules),
        board=TableSize(given.table.width, given.table.height),
        terrain=tuple(_ground(ground, f"terrain[{at}]") for at, ground in enumerate(given.terrain)),
        sides={side: _side(given.sides[side], side, rules) for side in BOTH},
        start=given.start,
        melees=tuple(_melee(melee) for melee in given.melee),
    )
    check(opened)
    return opened


def _path_of(error: msgspec.ValidationError) -> str:
    return str(error).partition(" - at `$")[2].rstrip("`").lstrip(".") or "the file"


def _options(options: Options, rules: Period) -> Options:
    """The options as they count in this period (STP-OPT-04)."""
    fired = rules.switches.infantry_fired
    return options if fired == "option" else replace(options, infantry_fired=fired == "always")


def _ground(given: GroundGiven, key: str) -> GroundGiven:
    if given.kind in LINES:
        if len(given.line) != 2 or given.line[0] == given.line[1] or given.outline:
            raise bad(f"{key}.line", "line")
        return replace(given, id=given.id.upper())
    if given.line or not 3 <= len(given.outline) <= MOST_CORNERS or not is_convex(given.outline):
        raise bad(f"{key}.outline", "not-convex")
    level = given.level or (1 if given.kind == "hill" else 0)
    return replace(given, id=given.id.upper(), outline=clockwise(given.outline), level=level)


def _side(given: SideGiven, side: Side, rules: Period) -> SideGiven:
    corps = tuple(_corps(one, side, rules, f"sides.{side}.corps[{at}]") for at, one in enumerate(given.corps))
    return replace(given, corps=corps)


def _corps(given: CorpsGiven, side: Side, rules: Period, key: str) -> CorpsGiven:
    units = tuple(_unit(unit, side, rules, f"{key}.units[{at}]") for at, unit in enumerate(given.units))
    general = _general(given.general) if given.general else None
    return replace(given, id=given.id.upper(), units=units, general=general, size=given.size or len(units))


def _general(given: GeneralGiven) -> GeneralGiven:
    return replace(given, id=given.id.upper(), with_=given.with_.upper())


def _unit(given: UnitGiven, side: Side, rules: Period, key: str) -> UnitGiven:
    """Ids in capitals; facing, formation and weapon as its type has them (STP-GAP-18)."""
    require_known(given, rules, key)
    kind = rules.types[given.type]
    return replace(
        given,
        id=given.id.upper(),
        facing=HOMEWARD[side] if given.facing == UNSAID else given.facing % 36000,
        formation=given.formation or kind.usual_formation,
        weapon=given.weapon or kind.weapon,
        brigade=given.brigade.upper(),
    )


def _melee(given: MeleeGiven) -> MeleeGiven:
    charger, target = given.units
    return replace(given, units=(charger.upper(), target.upper()))
