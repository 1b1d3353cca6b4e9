"""Random battles of To the Strongest!: packaged scenarios, and battles of points between two lists of chance.

Medals are conserved, a deck deals each card once an epoch, no box holds enemies (docs/rules/to-the-strongest.md 1).
"""

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from benchmarks.random_battles.game import Fault, Game, Watch
from domain.basics.data import read_toml, scenario_names
from domain.basics.errors import Refusal
from domain.catalogue import RULESETS
from domain.events.battle import CardDrawn, Corrected, Event
from domain.games.to_the_strongest.armies.army import ArmyFile, units_of
from domain.games.to_the_strongest.armies.lists import army_list, list_keys
from domain.games.to_the_strongest.armies.making import new_army
from domain.games.to_the_strongest.armies.points_battle import points_battle
from domain.games.to_the_strongest.chapters.medals import MedalsTransferred
from domain.games.to_the_strongest.chapters.stacking import UNITS_IN_A_BOX
from domain.games.to_the_strongest.state.state import FORMATIONS, MARKERS, State, kind

SIZES = (80, 130)
COLUMNS, ROWS = (8, 16), (6, 10)
"""Points of an army, columns and rows of a board: the least and the most."""
TURN_LIMITS = (0, 0, 10)
CHOICES: Mapping[str, Sequence[Any]] = {
    "deck_mode": ("exhaust", "each_turn", "d10"),
    "deep_difficulty": ("double_when_difficult", "always_plus_one"),
    "disorder_difficulty": (0, 1),
    "rally_costs_medal": (False, True),
    "rout_strict": (True, False),
    "rout_same_box": (True, False),
    "closing_fire": (True, False),
    "exertion": (True, False),
    "run_amok": (True, False),
    "hero_shooting": (False, True),
    "auto_end_turn": (True, False),
    "turn_limit": TURN_LIMITS,
    "deploy_rows": (2, 2, 3),
    "terrain_phase": (True, True, False),
    "blind_deployment": (False, True),
    "stratagems_per_side": (0, 1, 2, 3),
}
"""The options (to-the-strongest.md 1) that are varied, and their values."""


# --- what is played


def battle_of(number: int, pick: random.Random) -> tuple[str, dict[str, Any]]:
    """Name and scenario of a battle: one in two of points, under options of chance."""
    if number % 2:
        names = scenario_names("tts")
        name = names[(number // 2) % len(names)]
        table = read_toml("tts", "scenarios", f"{name}.toml")
        if pick.random() < 0.5:
            own = {key: pick.choice(values) for key, values in CHOICES.items() if key != "deploy_rows"}
            table = {**table, "options": {**table.get("options", {}), **own}}
        return name, table
    return points(pick, {key: pick.choice(values) for key, values in CHOICES.items()})


def points(pick: random.Random, options: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """A battle between two armies of points on a board of some size; larger ones get the room they need."""
    size = pick.randint(*SIZES)
    south, north = any_army(pick, size), any_army(pick, size)
    live = points_battle(south, north, options)
    most = max(len(list(units_of(army))) for army in (south, north))
    columns = max(pick.randint(*COLUMNS), -(-most // 2) + 2)
    return "points", {**live, "board": {"columns": columns, "rows": pick.randint(*ROWS)}}


def any_army(pick: random.Random, size: int) -> ArmyFile:
    """An army of any list that can be had for so many points."""
    while True:
        try:
            return new_army(army_list(pick.choice(list_keys())), size, pick.randrange)
        except Refusal:
            continue


# --- what always holds


class Ledger(Watch):
    """The medals paid, the cards dealt, and who stands in which box."""

    def __init__(self) -> None:
        self.paid: Counter[str] = Counter()
        self.dealt: dict[tuple[str, int], set[str]] = {}

    def after_event(self, state: State, event: Event) -> None:
        """Medals are conserved, and a deck deals each card once an epoch. An umpire may set what is left."""
        if isinstance(event, CardDrawn):
            self._deal(event)
        elif isinstance(event, Corrected):
            self.paid = Counter({side: army.medals_full - army.medals for side, army in state.armies.items()})
        elif isinstance(event, MedalsTransferred):
            back = event.reason == "return"
            self.paid[event.to if back else event.from_] += -event.count if back else event.count
            for army in state.armies.values():
                if army.medals + self.paid[army.side] != army.medals_full or army.medals < 0:
                    raise Fault(f"{army.side} has {army.medals} medals, paid {self.paid[army.side]}")

    def after_order(self, state: State) -> None:
        """No box holds enemies, hidden ones too, or more than goes into it."""
        for box, names in state.boxes.items():
            units = [state.units[name] for name in names]
            units += [state.units[name] for ambush in state.ambushes if ambush.box == box for name in ambush.units]
            size = sum(kind(unit).stack for unit in units)
            too_many = len(units) > UNITS_IN_A_BOX or size > state.options.stack_capacity
            if too_many or len({unit.side for unit in units}) > 1:
                raise Fault(f"{box} holds {', '.join(unit.id for unit in units)}")
            elsewhere = any(unit.box not in ("", box) or not unit.alive for unit in units)
            if elsewhere or state.terrain.get(box) == "impassable":
                raise Fault(f"{', '.join(unit.id for unit in units)} cannot stand in {box}")

    def _deal(self, drawn: CardDrawn) -> None:
        """Each card once an epoch, unless draws are independent (TTS-DCK-03, -04)."""
        card = str(drawn.card)
        epoch = self.dealt.setdefault((drawn.deck, drawn.epoch), set())
        if card in epoch and card[-1] != "0":
            raise Fault(f"{card} of {drawn.deck} is dealt twice in epoch {drawn.epoch}")
        epoch.add(card)


# --- what an umpire may set


def setting_of(state: State, pick: random.Random) -> str:
    """A line about anything."""
    unit, general = pick.choice([*state.units.values()]), pick.choice([*state.generals.values(), None])
    columns, rows = state.board
    box = f"{chr(ord('A') + pick.randrange(columns))}{pick.randint(1, rows)}"
    lines = [
        *[f"set {unit.id} box {box} facing {pick.choice(('north', 'east', 'south', 'west'))}"] * 3,
        f"set {unit.id} box {box} {pick.choice(('front', 'rear'))}",
        f"set {unit.id} losses {pick.randint(0, 2)}",
        f"set {unit.id} {pick.choice(MARKERS)} {pick.randint(0, 3)}",
        f"set {unit.id} formation {pick.choice(FORMATIONS)}",
        f"set {unit.id} removed",
        f"set medals {unit.side} {pick.randint(1, state.armies[unit.side].medals_full)}",
        "set turn ended",
    ]
    if general:
        where = pick.choice((f"box {box}", f"with {unit.id}", f"attached {unit.id}", "removed", "wound light"))
        lines += [f"set general {general.id} {where}"] * 3
    return pick.choice(lines)


GAME = Game(RULESETS["tts"], battle_of, Ledger, setting_of)
