"""A raid: a special die with face and value, two dice at once, points that grow.

The side whose turn it is throws two dice for loot (`raid`), or goes home richer by one (`rest`); who first has
ten points wins.
"""

from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from domain.engine import events as core
from domain.engine.commands import Command
from domain.engine.errors import Refusal
from domain.engine.events import Event
from domain.engine.judge import Judge
from domain.engine.narration import message_of
from domain.engine.state import OTHER, SIDES, GameState
from domain.mechanics.dice import faces_at_least, special
from domain.ruleset import OpeningRules, Option, OrderRules, PlayRules, Presentation, Ruleset
from domain.scene import Cell, Scene

LOOT = special(1, 2, 3, 3, 4, 5)
NEEDED, GOAL = 3, 10


class State(GameState, frozen=True, gc=False):
    points: dict[str, int] = {}


class Raid(Command, frozen=True, tag="raid"):
    """Throw two dice for loot."""

    PHASES = frozenset({"raids"})


class Rest(Command, frozen=True, tag="rest"):
    """Stay at home, for one point."""

    PHASES = frozenset({"raids"})


class PointsWon(Event, frozen=True):
    """A side is richer."""

    RULE = "RAID-2"

    side: str
    points: int


def begin(judge: Judge[State]) -> None:
    judge.emit(core.PhaseBegan("raids"))
    judge.emit(core.TurnBegan("south", 1), "south")


def decide_raid(judge: Judge[State], side: str, command: Raid) -> None:
    loot = [judge.roll(side, LOOT, "loot", rule="RAID-1") for _ in range(2)]
    _win(judge, side, sum(1 for value in loot if value >= NEEDED))


def decide_rest(judge: Judge[State], side: str, command: Rest) -> None:
    _win(judge, side, 1)


def _win(judge: Judge[State], side: str, points: int) -> None:
    judge.emit(PointsWon(side, points), side)
    if judge.state.points[side] >= GOAL:
        judge.emit(core.BattleEnded(side, "points"), rule="RAID-3")
    turn = judge.state.turn
    judge.emit(core.TurnEnded(side, turn), side)
    judge.emit(core.TurnBegan(OTHER[side], turn + (side == "north")), OTHER[side])


def on_points_won(state: State, event: PointsWon) -> State:
    return replace(state, points={**state.points, event.side: state.points[event.side] + event.points})


def options(state: State, side: str) -> list[Option]:
    if state.active != side:
        return []
    raid = Option("raid", "raid", needed=NEEDED, odds=(faces_at_least(LOOT, NEEDED), LOOT.sides))
    return [raid, Option("rest", "rest")]


def parse(line: str) -> Command:
    kinds: dict[str, type[Command]] = {"raid": Raid, "rest": Rest}
    if line not in kinds:
        raise Refusal("core.parse", "CORE-PARSE", line=line, word=line, expected=sorted(kinds))
    return kinds[line]()


def write(command: Command, lang: Literal["en", "fr"] | str = "en") -> str:
    return str(command.__struct_config__.tag)


def view(state: State, side: str) -> Scene:
    return Scene(100, 100, (Cell("hall", "open", ((0, 0), (100, 0), (100, 100), (0, 100))),))


EVOLUTIONS: dict[type[Event], Any] = {PointsWon: on_points_won}

RAID = Ruleset(
    code="raid",
    version="1",
    title="Raid",
    opening=OpeningRules(begin=begin),
    rules=PlayRules(initial=State(points=dict.fromkeys(SIDES, 0)), evolutions=EVOLUTIONS),
    orders=OrderRules(decisions={Raid: decide_raid, Rest: decide_rest}, parse=parse, write=write, options=options),
    shown=Presentation(
        view=view,
        narrate=lambda state, fact: message_of(fact, "raid"),
        final=lambda state: msgspec.to_builtins(state.points),
        tally=lambda state: state.points,
    ),
)
