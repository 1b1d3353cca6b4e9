"""Random battles of Shot to Pieces: packaged scenarios, and armies of any troops of a period, under random options.

No two units overlap, none leaves the table, and three markers destroy a unit (docs/rules/shot-to-pieces.md).
"""

import random
from collections.abc import Mapping, Sequence
from typing import Any

from benchmarks.random_battles.game import Fault, Game, Watch
from domain.basics.data import read_toml, scenario_names
from domain.basics.errors import Refusal
from domain.catalogue import RULESETS
from domain.engine.state import SIDES
from domain.games.shot_to_pieces.chapters.corrections import require
from domain.games.shot_to_pieces.chapters.results import KILL
from domain.games.shot_to_pieces.state.profiles import period
from domain.games.shot_to_pieces.state.state import State, units_here
from domain.games.shot_to_pieces.state.vocabulary import CODE, FORMATIONS, PERIODS, TURNS

CHOICES: Mapping[str, Sequence[Any]] = {
    "free_fire": (True, True, False),
    "arc_mode": ("any", "any", "whole"),
    "square_zone": ("own", "cavalry"),
    "d20_events": (False, True),
    "infantry_fired": (False, True),
    "army_reserve": (False, True),
    "detachment": (False, True),
    "erratic": (False, True),
    "second_line_infantry": (False, True),
    "militia_fire": ("none", "long", "shaken"),
    "turn_limit": (3, 6, 6, 10),
    "leader_loss": (True, True, False),
    "evade_cone_hdeg": (2250, 2250, 4500),
}
"""The options that are varied (STP-OPT), and their values."""
GROUND = [
    {"id": "W1", "kind": "wood", "cover": "light", "outline": [[5000, 5000], [7000, 5000], [7000, 6500], [5000, 6500]]},
    {"id": "B1", "kind": "building", "cover": "hard"} | {"outline": [[8000, 4800], [8600, 4800], [8600, 5400]]},
    {"id": "H1", "kind": "hill", "outline": [[9000, 4000], [11000, 4000], [11000, 6000], [9000, 6000]]},
    {"id": "L1", "kind": "wall", "line": [[3000, 4600], [5000, 4600]], "cover": "light"},
]
TRAITS = ("fat", "skeleton", "experienced", "impetuous", "impetus", "hidden", "lancer", "poor", "heavy", "regimental")
UNITS, COLUMNS, CORPS_OF, BRIGADE_OF = 12, 6, 6, 3
"""Units of an army and in a row of it, units of a corps and of a brigade."""
GAPS, ROW = (2000, 2800, 4200), 800
"""From army to army and from row to row."""


# --- what is played


def battle_of(number: int, pick: random.Random) -> tuple[str, dict[str, Any]]:
    """Name and scenario of a battle: one in two has armies of any troops, the periods in turn; the others are packaged,
    half as they are."""
    options = {key: pick.choice(values) for key, values in CHOICES.items()}
    if not number % 2:
        code = PERIODS[number // 2 % len(PERIODS)]
        return code, armies(pick, code, options)
    names = scenario_names(CODE)
    name = names[(number // 2) % len(names)]
    table = read_toml(CODE, "scenarios", f"{name}.toml")
    return name, table if pick.random() < 0.5 else {**table, "options": {**table.get("options", {}), **options}}


def armies(pick: random.Random, code: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """Two armies of twelve units of any type of a period, 20 to 42 cm apart, or to be deployed."""
    is_deployed = pick.random() < 0.2
    gap = pick.choice(GAPS)
    return {
        "ruleset": CODE,
        "title": f"Any troops of {code}",
        "period": code,
        "options": dict(options),
        "terrain": GROUND,
        "sides": {
            side: _army(pick, side, code, y, rows, is_deployed=is_deployed)
            for side, y, rows in (("south", 4500 - gap // 4, -ROW), ("north", 4500 + gap, ROW))
        },
    }


def _army(pick: random.Random, side: str, code: str, y: int, rows: int, *, is_deployed: bool) -> dict[str, Any]:
    types, statuses = list(period(code).types), period(code).statuses
    places = [3000]
    for _ in range(COLUMNS - 1):
        places.append(places[-1] + pick.choice((850, 850, 1200, 1900)))
    letter = side[0].upper()
    units = [
        {"id": f"{letter}U{at}", "type": pick.choice(types), "status": pick.choice(statuses)}
        | {"brigade": f"{letter}B{at // BRIGADE_OF}", "traits": [pick.choice(TRAITS)] if pick.random() < 0.4 else []}
        | ({} if is_deployed else {"at": [places[at % COLUMNS], y + rows * (at // COLUMNS)]})
        for at in range(UNITS)
    ]
    chief = {"id": f"G{letter}1", "at": [5000, y], "commander": True}
    other = {"id": f"G{letter}2", "with": units[CORPS_OF]["id"]}
    return {
        "name": side,
        "strafes": 1 if code == "ww1" else 0,
        "corps": [
            {"id": f"{letter}I", "units": units[:CORPS_OF], "general": chief},
            {"id": f"{letter}II", "units": units[CORPS_OF:], "general": other},
        ],
    }


# --- what always holds


class Table(Watch):
    """Who stands where, and who has how many markers."""

    def after_order(self, state: State) -> None:
        """No units overlap, none leaves the table; who has three markers is gone."""
        if state.winner is not None or state.phase != TURNS:
            return
        for unit in units_here(state):
            if unit.markers >= KILL:
                raise Fault(f"{unit.id} has {unit.markers} markers")
        for corps in state.corps.values():
            if corps.ap < 0:
                raise Fault(f"{corps.id} has {corps.ap} points")
        try:
            require(state)
        except Refusal as refusal:
            raise Fault(f"{refusal.code} {refusal.params}") from None


# --- what an umpire may set


def setting_of(state: State, pick: random.Random) -> str:
    """A line about anything."""
    unit, corps, general = pick.choice([*state.units]), pick.choice([*state.corps]), pick.choice([*state.generals])
    x, y = pick.randint(0, state.board.width), pick.randint(0, state.board.height)
    facing = pick.choice(("", f" facing {pick.randrange(360)}"))
    lines = [
        *[f"set {unit} at {x / 100},{y / 100}{facing}"] * 4,
        f"set {general} at {x / 100},{y / 100}",
        f"set {unit} removed",
        *[f"set {unit} {pick.choice(('shaken', 'steady'))}"] * 2,
        f"set {unit} brittle {pick.randrange(3)}",
        f"set {unit} formation {pick.choice(FORMATIONS)}",
        f"set {corps} points {pick.randrange(8)}",
        f"set {corps} {pick.choice(('advance', 'hold'))}",
        f"set active {pick.choice(SIDES)}",
        "set turn ended",
    ]
    return pick.choice(lines)


GAME = Game(RULESETS[CODE], battle_of, Table, setting_of)
