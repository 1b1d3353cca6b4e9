"""A scenario (parsed TOML) becomes the event that opens its battle, all defaults resolved (warmaster-shooting.md 4)."""

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from domain.basics.decoding import convert
from domain.games.warmaster_shooting.state.profiles import CODE, PROFILES
from domain.games.warmaster_shooting.state.scenario_checks import MOST_CORNERS, bad, check
from domain.games.warmaster_shooting.state.scenario_file import (
    AreaGiven,
    ShootingScenarioGiven,
    ShootingSideGiven,
    ShootingUnitGiven,
)
from domain.games.warmaster_shooting.state.setup import BOTH, BattleOpened
from domain.games.warmaster_shooting.state.state import TableArea
from domain.mechanics.outline import clockwise, is_convex


def load(scenario: Mapping[str, Any]) -> BattleOpened:
    """A scenario (parsed TOML) as the event that opens its battle.

    Raises: Refusal wms.bad-scenario with `key` and `fault`
    """
    try:
        given = convert(dict(scenario), ShootingScenarioGiven)
    except msgspec.ValidationError as error:
        raise bad(_path_of(error), "shape", found=str(error).partition(" - at ")[0]) from None
    _require_both(given)
    terrain = tuple(_area(area, f"terrain[{at}]") for at, area in enumerate(given.terrain))
    sides = {side: _side(given.sides[side], f"sides.{side}") for side in BOTH}
    opened = BattleOpened(
        ruleset=CODE,
        title=given.title,
        first=given.first,
        options=given.options,
        board=given.board or TableArea(),
        terrain=terrain,
        edges=given.edge,
        sides=sides,
    )
    check(opened, is_bounded=given.board is not None)
    return opened


def _path_of(error: msgspec.ValidationError) -> str:
    return str(error).partition(" - at `$")[2].rstrip("`").lstrip(".") or "the file"


def _require_both(given: ShootingScenarioGiven) -> None:
    for side in BOTH:
        if side not in given.sides:
            raise bad(f"sides.{side}", "missing")


def _area(area: AreaGiven, key: str) -> AreaGiven:
    if len(area.polygon) > MOST_CORNERS or not is_convex(area.polygon):
        raise bad(f"{key}.polygon", "not-convex")
    if area.kind == "hill":
        return replace(area, polygon=clockwise(area.polygon), height=area.height or 1)
    return replace(area, polygon=clockwise(area.polygon))


def _side(side: ShootingSideGiven, key: str) -> ShootingSideGiven:
    units = tuple(_unit(unit, f"{key}.units[{at}]") for at, unit in enumerate(side.units))
    return replace(side, units=units)


def _unit(unit: ShootingUnitGiven, key: str) -> ShootingUnitGiven:
    """Ids in capitals, sizes as the type has them (WMS-GEO-02)."""
    profile = PROFILES.get(unit.profile)
    if profile is None:
        raise bad(f"{key}.profile", "unknown-profile", profile=unit.profile[:40], known=sorted(PROFILES))
    stands = tuple(
        replace(
            stand,
            id=stand.id.upper(),
            facing=stand.facing % 3600,
            w=stand.w or profile.width,
            d=stand.d or profile.depth,
        )
        for stand in unit.stands
    )
    shooters = tuple(name.upper() for name in unit.shot_by)
    return replace(unit, id=unit.id.upper(), stands=stands, shot_by=shooters)
