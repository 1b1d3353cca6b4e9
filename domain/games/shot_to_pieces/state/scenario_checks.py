"""The checks of a set-up: a scenario that contradicts itself is refused with the key at fault (STP-SCN-01)."""

import re
from collections.abc import Iterator
from typing import Any

from domain.basics.errors import Refusal
from domain.games.shot_to_pieces.plane.base import is_on_table
from domain.games.shot_to_pieces.plane.gaps import is_within, overlap
from domain.games.shot_to_pieces.state.footprints import CLASSES, FORMATIONS
from domain.games.shot_to_pieces.state.profiles import Period
from domain.games.shot_to_pieces.state.scenario_file import UnitGiven
from domain.games.shot_to_pieces.state.setup import BOTH, BattleOpened, opened_state
from domain.games.shot_to_pieces.state.state import State, Unit
from domain.games.shot_to_pieces.state.vocabulary import KEYWORDS, TRAITS

RULE = "STP-SCN-01"
MOST_CORPS, MOST_UNITS, MOST_GROUNDS, MOST_CORNERS, MOST_MELEES = 12, 40, 60, 24, 40
"""What a scenario may bring: corps and units of a side, pieces of terrain and their corners, melees."""
ID = re.compile(r"[A-Z][A-Z0-9-]{0,19}")
LONGEST_TITLE, LONGEST_NAME = 200, 100
"""Characters: lists of battles show both."""
LEAST_TABLE, FARTHEST = 3000, 100_000
"""The smallest side of a table, and the largest coordinate: ten metres."""
LEAST_BASE, LARGEST_BASE = 50, 3000
TOUCHING = 10
"""Bases this near are in contact (STP-GEO-08)."""
MOST_TURNS = 100


def bad(key: str, fault: str, **params: Any) -> Refusal:
    """`fault` says what is wrong at `key` and chooses the sentence."""
    return Refusal("stp.bad-scenario", RULE, key=key, fault=fault, **params)


def require_known(given: UnitGiven, rules: Period, key: str) -> None:
    """Refuse a unit whose type, status, formation, weapon or traits the period does not have.

    Raises: Refusal stp.bad-scenario
    """
    kind = rules.types.get(given.type)
    if kind is None:
        raise bad(f"{key}.type", "unknown", found=given.type[:40], known=sorted(rules.types))
    for member, found, known in (
        ("status", given.status, rules.statuses),
        ("formation", given.formation or kind.usual_formation, kind.formations),
        ("weapon", given.weapon or kind.weapon, ("", *rules.weapons)),
    ):
        if found not in known:
            raise bad(f"{key}.{member}", "unknown", found=found[:40], known=sorted(known))
    for trait in given.traits:
        if trait not in TRAITS:
            raise bad(f"{key}.traits", "unknown", found=trait[:40], known=sorted(TRAITS))


def check(opened: BattleOpened) -> None:
    """Refuse a set-up that contradicts itself (STP-SCN-01).

    Raises: Refusal stp.bad-scenario
    """
    for key, number, least, most in _numbers(opened):
        if not least <= number <= most:
            raise bad(key, "number", number=number, least=least, most=most)
    _check_names(opened)
    _check_sizes(opened)
    for side in BOTH:
        _check_generals(opened, side)
    _check_melees(opened)
    state = opened_state(State(), opened)
    _check_places(opened, state)
    _check_contacts(opened, state)


def _numbers(opened: BattleOpened) -> Iterator[tuple[str, int, int, int]]:
    board, options = opened.board, opened.options
    yield "table.width", board.width, LEAST_TABLE, FARTHEST
    yield "table.height", board.height, LEAST_TABLE, FARTHEST
    yield "title.length", len(opened.title), 0, LONGEST_TITLE
    yield "terrain", len(opened.terrain), 0, MOST_GROUNDS
    yield "melee", len(opened.melees), 0, MOST_MELEES
    yield "options.turn_limit", options.turn_limit, 0, MOST_TURNS
    yield "options.deploy_depth_hcm", options.deploy_depth_hcm, 0, board.height
    yield "options.evade_cone_hdeg", options.evade_cone_hdeg, 0, 9000
    if opened.start:
        yield "start.turn", opened.start.turn, 1, MOST_TURNS
    for at, ground in enumerate(opened.terrain):
        yield f"terrain[{at}].level", ground.level, 0, 20
        yield f"terrain[{at}].name.length", max(len(ground.name), len(ground.name_fr)), 0, LONGEST_NAME
        for x, y in (*ground.outline, *ground.line):
            yield f"terrain[{at}]", max(abs(x), abs(y)), 0, FARTHEST
    for side, given in opened.sides.items():
        yield f"sides.{side}.name.length", len(given.name), 0, LONGEST_NAME
        yield f"sides.{side}.strafes", given.strafes, 0, 20
        yield f"sides.{side}.corps", len(given.corps), 1, MOST_CORPS
        yield f"sides.{side}.units", sum(len(corps.units) for corps in given.corps), 1, MOST_UNITS
        for corps in given.corps:
            yield from _numbers_of_corps(f"sides.{side}.corps.{corps.id[:40]}", corps)


def _numbers_of_corps(key: str, corps: Any) -> Iterator[tuple[str, int, int, int]]:
    yield f"{key}.units", len(corps.units), 1, MOST_UNITS
    yield f"{key}.ap", corps.ap, 0, 20
    yield f"{key}.size", corps.size, 1, 2 * MOST_UNITS
    yield f"{key}.threshold_shift", corps.threshold_shift, -5, 5
    yield f"{key}.loss_halves", corps.loss_halves, 0, 6 * MOST_UNITS
    for point in (corps.goal, corps.general.at if corps.general else None):
        if point:
            yield f"{key}.at", max(map(abs, point)), 0, FARTHEST
    for unit in corps.units:
        within = f"{key}.units.{unit.id[:40]}"
        yield f"{within}.brittle", unit.brittle, 0, 2
        yield f"{within}.shaken", unit.shaken, 0, 2 - min(2, unit.brittle)
        yield f"{within}.charges", unit.charges, 0, 2
        if unit.at:
            yield f"{within}.at", max(map(abs, unit.at)), 0, FARTHEST


def _check_names(opened: BattleOpened) -> None:
    seen: set[str] = set()
    for key, name in _names(opened):
        if not ID.fullmatch(name):
            raise bad(key, "id", name=name[:40])
        if name in KEYWORDS:
            raise bad(key, "keyword", name=name)
        if name in seen:
            raise bad(key, "twice", name=name)
        seen.add(name)


def _names(opened: BattleOpened) -> Iterator[tuple[str, str]]:
    for side, given in opened.sides.items():
        for at, corps in enumerate(given.corps):
            yield f"sides.{side}.corps[{at}].id", corps.id
            if corps.general:
                yield f"sides.{side}.corps.{corps.id}.general.id", corps.general.id
            for number, unit in enumerate(corps.units):
                yield f"sides.{side}.corps.{corps.id}.units[{number}].id", unit.id
    for at, ground in enumerate(opened.terrain):
        yield f"terrain[{at}].id", ground.id


def _check_sizes(opened: BattleOpened) -> None:
    known = {*CLASSES, *FORMATIONS, "line"}
    for name, size in opened.options.base_sizes.items():
        if name not in known:
            raise bad(f"options.base_sizes.{name[:40]}", "unknown", found=name[:40], known=sorted(known))
        if not (min(size) >= LEAST_BASE and max(size) <= LARGEST_BASE):
            params = {"number": max(size), "least": LEAST_BASE, "most": LARGEST_BASE}
            raise bad(f"options.base_sizes.{name}", "number", **params)


def _check_generals(opened: BattleOpened, side: Any) -> None:
    given = opened.sides[side]
    if sum(1 for corps in given.corps if corps.general and corps.general.commander) > 1:
        raise bad(f"sides.{side}.corps", "commanders")
    units = {unit.id for corps in given.corps for unit in corps.units}
    for corps in given.corps:
        general, key = corps.general, f"sides.{side}.corps.{corps.id}.general"
        if general and general.with_ and (general.at or general.with_ not in units):
            raise bad(f"{key}.with", "with", found=general.with_[:40])


def _check_melees(opened: BattleOpened) -> None:
    of = {unit.id: side for side in BOTH for corps in opened.sides[side].corps for unit in corps.units}
    chargers, targets = set[str](), set[str]()
    for at, melee in enumerate(opened.melees):
        key = f"melee[{at}].units"
        for name in melee.units:
            if name not in of:
                raise bad(key, "unknown", found=name[:40], known=sorted(of))
        charger, target = melee.units
        if of[charger] == of[target]:
            raise bad(key, "sides")
        if charger in chargers | targets or target in chargers:
            raise bad(key, "twice", name=charger if charger in chargers | targets else target)
        chargers.add(charger)
        targets.add(target)


def _check_places(opened: BattleOpened, state: State) -> None:
    placed: list[Unit] = []
    for unit in state.units.values():
        key = f"sides.{unit.side}.corps.{unit.corps}.units.{unit.id}.at"
        if not unit.placed:
            if opened.start or unit.engaged:
                raise bad(key, "missing")
            continue
        if not is_on_table(unit.base, state.board.width, state.board.height):
            raise bad(key, "off-table")
        by = next((one for one in placed if overlap(unit.base, one.base)), None)
        if by:
            raise bad(key, "overlap", by=by.id)
        placed.append(unit)
    for general in state.generals.values():
        key = f"sides.{general.side}.corps.{general.corps}.general.at"
        if not general.placed and opened.start:
            raise bad(key, "missing")
        is_on = 0 <= general.at[0] <= state.board.width and 0 <= general.at[1] <= state.board.height
        if general.placed and not general.unit and not is_on:
            raise bad(key, "off-table")


def _check_contacts(opened: BattleOpened, state: State) -> None:
    for at, melee in enumerate(opened.melees):
        charger, target = (state.units[name] for name in melee.units)
        if not is_within(charger.base, target.base, TOUCHING):
            raise bad(f"melee[{at}].units", "apart")
        if melee.since > state.k:
            raise bad(f"melee[{at}].since", "number", number=melee.since, least=0, most=state.k)
