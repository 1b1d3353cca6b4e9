"""Random battles of Singidunum: packaged scenarios, and fields strewn with units and markers, under random options.

A hex holds one unit at most, only those in play stand anywhere, points never fall (docs/rules/singidunum.md 12).
"""

import random
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from benchmarks.random_battles.game import Fault, Game, Watch
from domain.basics.data import read_toml, scenario_names
from domain.catalogue import RULESETS
from domain.engine.state import SIDES
from domain.events.battle import Corrected, Event
from domain.games.singidunum.state.board import BASE, FOREST, MARKERS, RAMPART, SCRUB, layout
from domain.games.singidunum.state.roster import ABILITIES, MODULES, PROFILES, is_barred_from_forest
from domain.games.singidunum.state.state import State, is_in_base

CODE = "singidunum"
BOARDS = (("standard", 9, 11), ("standard", 9, 11), ("standard", 12, 11), ("blank", 8, 9), ("blank", 13, 11))
UNITS, MARKED, DECOYS = (2, 12), (0, 8), 2
"""Units of a side and markers on a field: the least and the most; decoys of a side: the most."""
HIDDEN, ACTIVATED, UNPLACED = 0.5, 0.2, 0.1
"""Share of units on forest that lie in ambush, of units that have acted, and of fields that wait for deployment."""
CHOICES: Mapping[str, Sequence[Any]] = {
    "goal": (0, 0, 1, 3),
    "turn_limit": (2, 4, 8, 12),
    "deploy_rows": (3, 4, 4),
    "reroll_five": (False, True),
    "rally_target": (2, 4, 6),
    "rally_min_diff": (1, 3, 4),
    "isolated": ("no-adjacent-friend", "no-flank-friend"),
    "shot_hit": (1, 2),
    "shot_kill": (2, 4),
    "refusal_activates": (False, True),
    "second_challenge": (False, True),
    "refuge_kill": (False, True),
    "general_range": (1, 3, 6),
    "asterisk_attack": (False, True),
    "scrub_markers": ("none", "both", "picture"),
}
"""The options (singidunum.md 12) that are varied, and their values."""
NOBODY = "X"
"""The id of no unit: an army may not be composed yet."""
BUDGETS = (20, 37, 50, 60, 90)


# --- what is played


def battle_of(number: int, pick: random.Random) -> tuple[str, dict[str, Any]]:
    """Name and scenario of a battle: one in two is a strewn field, the others are packaged, half as they are."""
    own = {key: pick.choice(values) for key, values in CHOICES.items()}
    if not number % 2:
        return "field", field(pick, {**own, "modules": list(MODULES)})
    names = scenario_names(CODE)
    name = names[(number // 2) % len(names)]
    table = read_toml(CODE, "scenarios", f"{name}.toml")
    if pick.random() < 0.5:
        return name, table
    given = table.get("options", {})
    if not any(side.get("units") for side in table["sides"].values()):
        own |= {"budget": pick.choice(BUDGETS), "modules": pick.sample(MODULES, pick.randint(0, len(MODULES)))}
        own["modules"] += [] if "terrain" in own["modules"] else ["terrain"]
    return name, {**table, "options": {**given, **own}}


def field(pick: random.Random, options: Mapping[str, Any]) -> dict[str, Any]:
    """Two armies of any counters, anywhere on a board with markers; some lie in ambush, some have acted."""
    shape, columns, rows = pick.choice(BOARDS)
    ground = layout(shape, (columns, rows))
    names = [f"{chr(ord('A') + column)}{row}" for column in range(columns) for row in range(rows)]
    pick.shuffle(names)
    bases = {name for name in names if name in ground and ground[name].kind in (BASE, RAMPART)}
    scrub = {name for name in names if name in ground and ground[name].kind == SCRUB}
    closed = bases | (scrub if options["scrub_markers"] == "none" else set())
    marked = [name for name in names if name not in closed][: pick.randint(*MARKED)]
    markers = {name: pick.choice(MARKERS) for name in marked}
    free = [name for name in names if name not in scrub or name in markers]
    sides: dict[str, Any] = {side: {"units": list(_units(pick, side, free, markers))} for side in SIDES}
    ambushes = list(_ambushes(pick, sides, free, markers))
    if pick.random() < UNPLACED:
        for side in sides.values():
            for unit in side["units"]:
                unit.pop("hex", None)
        ambushes = []
    return {
        "ruleset": CODE,
        "title": "A field",
        "first": pick.choice(["", *SIDES]),
        "options": dict(options),
        "board": {"layout": shape, "columns": columns, "rows": rows},
        "marker": [{"hex": name, "kind": kind, "active": pick.random() < 0.8} for name, kind in markers.items()],
        "ambush": ambushes,
        "sides": sides,
    }


def _units(pick: random.Random, side: str, free: list[str], markers: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    """Counters of a side, each on a hex that is taken from `free`; where forest is closed to one it is left out."""
    counters = [(type_, strength) for type_, profile in PROFILES.items() for strength in profile.strengths]
    for number, (type_, strength) in enumerate(pick.sample(counters, pick.randint(*UNITS))):
        hex_ = free.pop()
        if markers.get(hex_) == FOREST and is_barred_from_forest(type_):
            continue
        yield {
            "id": f"{side[0].upper()}{type_}-{number}",
            "type": type_,
            "strength": strength,
            "hex": hex_,
            "state": "activated" if pick.random() < ACTIVATED else "available",
            "abilities": [ability for ability in ABILITIES.get(type_, ()) if pick.randrange(2)],
        }


def _ambushes(
    pick: random.Random, sides: Mapping[str, Any], free: Sequence[str], markers: Mapping[str, str]
) -> Iterator[dict[str, Any]]:
    """Units on forest that lie in ambush, and decoys on empty forest."""
    for side, army in sides.items():
        for unit in army["units"]:
            if markers.get(unit["hex"]) == FOREST and pick.random() < HIDDEN:
                yield {"hex": unit.pop("hex"), "side": side, "unit": unit["id"]}
    for hex_ in [name for name in free if markers.get(name) == FOREST][:DECOYS]:
        yield {"hex": hex_, "side": pick.choice(SIDES)}


# --- what always holds


class Stand(Watch):
    """Who stands where, and the points."""

    def __init__(self) -> None:
        self.points: Mapping[str, int] = dict.fromkeys(SIDES, 0)

    def after_event(self, state: State, event: Event) -> None:
        """Points never fall; a unit stands on one hex, a hex holds one unit, and only those in play stand."""
        stands = {unit.hex: unit.id for unit in state.units.values() if unit.hex}
        if stands != dict(state.places) or not all(state.units[name].in_play for name in stands.values()):
            raise Fault(f"{stands} stand, {dict(state.places)} is noted")
        falls = any(state.half_vp.get(side, 0) < self.points[side] for side in SIDES)
        if falls and not isinstance(event, Corrected):
            raise Fault(f"points fall from {self.points} to {state.half_vp}")
        self.points = {side: state.half_vp.get(side, 0) for side in SIDES}

    def after_order(self, state: State) -> None:
        """No two ambushes, and no ambush and unit, on one hex; a unit in the enemy base has held it."""
        laid = [ambush.hex for ambush in state.ambushes]
        if len(set(laid)) < len(laid) or not state.places.keys().isdisjoint(laid):
            raise Fault(f"ambushes at {laid}, units at {sorted(state.places)}")
        for hex_, name in state.places.items():
            side = state.units[name].side
            marker = state.markers.get(hex_)
            if marker and marker.kind == FOREST and is_barred_from_forest(state.units[name].type):
                raise Fault(f"{name} stands on the forest of {hex_}")
            if is_in_base(state, hex_) and not is_in_base(state, hex_, side) and side not in state.held:
                raise Fault(f"{name} is on {hex_}, and {side} has not held it")


# --- what an umpire may set


def setting_of(state: State, pick: random.Random) -> str:
    """A line about anything."""
    unit, side = pick.choice([*state.units, NOBODY]), pick.choice(SIDES)
    hex_ = f"{chr(ord('A') + pick.randrange(state.board[0]))}{pick.randrange(state.board[1])}"
    lines = [
        *[f"set {unit} hex {hex_}"] * 4,
        f"set {unit} {pick.choice(('available', 'activated', 'removed'))}",
        f"set points {side} {pick.randrange(8) / 2}",
        f"set hex {hex_} {pick.choice(('burned', 'intact'))}",
        f"set active {side}",
        "set turn ended",
    ]
    return pick.choice(lines)


GAME = Game(RULESETS[CODE], battle_of, Stand, setting_of)
