"""Random battles of the shooting phase: packaged scenarios, and fields strewn with troops, under random options.

No two units overlap, none leaves the table, and wounds that suffice remove a stand (docs/rules/warmaster-shooting.md).
"""

import random
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

from benchmarks.random_battles.game import Fault, Game, Watch
from domain.basics.data import read_toml, scenario_names
from domain.catalogue import RULESETS
from domain.engine.state import SIDES
from domain.games.warmaster_shooting.state.measure import is_on_table, overlap
from domain.games.warmaster_shooting.state.profiles import PROFILES
from domain.games.warmaster_shooting.state.state import StandBase, State, TableArea

CODE = "warmaster-shooting"
CHOICES: Mapping[str, Sequence[Any]] = {
    "turns": (1, 4, 8),
    "command_phase": (True, True, False),
    "auto_end_shooting": (True, False),
    "arc_slope": (100, 100, 50, 200),
    "los_points": ("three", "corners"),
    "save_compare": (">=", ">"),
    "make_way_test": ("only-if-confused", "always"),
    "rout_needs_confusion": (False, True),
    "impassable_confusion": ("automatic", "on-six"),
    "defended_count": ("one", "all"),
    "table_edge": ("impassable", "open"),
}
"""The options (warmaster-shooting.md 1) that are varied, and their values."""
WIDTH, HEIGHT = (500, 900), (340, 700)
"""Millimetres of a table: the least and the most."""
UNITS, AREAS, EDGES, TRIES = (2, 7), (0, 5), (0, 3), 12
"""Units of a side, pieces of ground and obstacles of a field; how often a unit is tried that has no room."""
AREA = (30, 160)
"""Millimetres that a piece of ground may go east and north."""
GROUND = ("wood", "built", "hill", "marsh", "river", "works", "lake", "impassable")
LINES = ("low-wall", "hedge", "stream", "high-wall", "rampart")
COVERS = ("defended", "fortified")
COVERED, ENGAGED, CONFUSED, TURNED = 0.1, 0.05, 0.1, 0.4
"""Share of stands with cover of their own, of units in combat, of confused ones, and of those that face anywhere."""


# --- what is played


def battle_of(number: int, pick: random.Random) -> tuple[str, dict[str, Any]]:
    """Name and scenario of a battle: one in two is a strewn field, the others are packaged, half as they are."""
    options = {key: pick.choice(values) for key, values in CHOICES.items()}
    if not number % 2:
        return "field", field(pick, options)
    names = scenario_names(CODE)
    name = names[(number // 2) % len(names)]
    table = read_toml(CODE, "scenarios", f"{name}.toml")
    return name, table if pick.random() < 0.5 else {**table, "options": options}


def field(pick: random.Random, options: Mapping[str, Any]) -> dict[str, Any]:
    """Two forces of any troops, anywhere on a table with ground and obstacles."""
    width, height = pick.randint(*WIDTH), pick.randint(*HEIGHT)
    board = TableArea(width, height, (-width // 2, -height // 2))
    placed: list[StandBase] = []
    sides = {
        side: {"name": side, "units": list(_units(pick, side, board, placed, pick.randint(*UNITS)))} for side in SIDES
    }
    return {
        "ruleset": CODE,
        "title": "A field",
        "first": pick.choice(SIDES),
        "options": dict(options),
        "board": {"width": width, "height": height, "origin": list(board.origin)},
        "terrain": [_area(pick, board) for _ in range(pick.randint(*AREAS))],
        "edge": [
            {"kind": pick.choice(LINES), "from": _spot(pick, board), "to": _spot(pick, board)}
            for _ in range(pick.randint(*EDGES))
        ],
        "sides": sides,
    }


def _units(
    pick: random.Random, side: str, board: TableArea, placed: list[StandBase], wanted: int
) -> Iterator[dict[str, Any]]:
    """Units in line, each where no other stands; one that finds no room is left out, but not the first."""
    number = 0
    for attempt in range(1000):
        if attempt >= TRIES * wanted and number:
            return
        profile = pick.choice(list(PROFILES.values()))
        facing = pick.randrange(3600) if pick.random() < TURNED else 0 if side == "south" else 1800
        x, y = _spot(pick, board)
        step = (profile.width, 0) if facing % 1800 == 0 else (0, profile.width)
        count = profile.stands if facing % 900 == 0 else 1
        bases = [
            StandBase((x + at * step[0], y + at * step[1]), facing, profile.width, profile.depth) for at in range(count)
        ]
        if any(overlap(one, other) for one in bases for other in placed) or not all(
            is_on_table(base, board) for base in bases
        ):
            continue
        placed += bases
        number += 1
        name = f"{side[0].upper()}{number}"
        yield {
            "id": name,
            "profile": profile.name,
            "engaged": pick.random() < ENGAGED,
            "confused": pick.random() < CONFUSED,
            "wounds": pick.randrange(profile.hits),
            "stands": [
                {
                    "id": f"{name}-{at}",
                    "at": list(base.at),
                    "facing": facing,
                    "cover": pick.choice(COVERS) if pick.random() < COVERED else "",
                }
                for at, base in enumerate(bases, start=1)
            ],
        }
        if number == wanted:
            return


def _area(pick: random.Random, board: TableArea) -> dict[str, Any]:
    """A piece of ground with four corners, somewhat askew."""
    (x, y), east, north = _spot(pick, board), pick.randint(*AREA), pick.randint(*AREA)
    lean = pick.randint(-north // 2, north // 2)
    polygon = [[x, y], [x + east, y + lean], [x + east, y + lean + north], [x, y + north]]
    kind = pick.choice(GROUND)
    return {"kind": kind, "polygon": polygon, **({"height": pick.randint(1, 3)} if kind == "hill" else {})}


def _spot(pick: random.Random, board: TableArea) -> list[int]:
    return [board.origin[0] + pick.randint(0, board.width), board.origin[1] + pick.randint(0, board.height)]


# --- what always holds


class Table(Watch):
    """Who stands where, and who has how many wounds."""

    def after_order(self, state: State) -> None:
        """No units overlap, none leaves the table; wounds that suffice have removed a stand, or are about to."""
        units = [unit for unit in state.units.values() if unit.alive]
        for one, other in combinations(units, 2):
            if any(overlap(a.base, b.base) for a in one.standing for b in other.standing):
                raise Fault(f"{one.id} and {other.id} overlap")
        for unit in units:
            if not all(is_on_table(stand.base, state.board) for stand in unit.standing):
                raise Fault(f"{unit.id} leaves the table")
            is_asked = state.waiting is not None and state.waiting.unit == unit.id
            if not is_asked and not (0 <= unit.open < unit.kind.hits and 0 <= unit.charge_open < unit.kind.hits):
                raise Fault(f"{unit.id} has {unit.open} and {unit.charge_open} open wounds")


# --- what an umpire may set


def setting_of(state: State, pick: random.Random) -> str:
    """A line about anything."""
    unit = pick.choice([*state.units.values()])
    name = pick.choice((unit.id, pick.choice(unit.stands).id))
    x, y = _spot(pick, state.board)
    facing = pick.choice(("", f" facing {pick.randrange(3600) / 10}"))
    mark = pick.choice(("confused", "steady", "shot", "ready", "engaged", "free"))
    lines = [
        *[f"set {name} at {x / 10},{y / 10}{facing}"] * 4,
        f"set {name} removed",
        f"set {unit.id} wounds {pick.randrange(2)}",
        *[f"set {unit.id} {mark}"] * 2,
        f"set phase {pick.choice(('command', 'shooting'))}",
        "set turn ended",
    ]
    return pick.choice(lines)


GAME = Game(RULESETS[CODE], battle_of, Table, setting_of)
