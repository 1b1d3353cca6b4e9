"""A raid: a special die with face and value, two dice at once, single actions in turns, points that grow.

The sides act by turns, one action each: two dice for loot (`raid`), or one point at home (`rest`). The other side
may then `loose` two arrows in the same player-turn, each of which takes a point on a 2 or less, or `hold`. Who first
has ten points wins.
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
from domain.engine.state import OTHER, SIDES, GameState, unchanged
from domain.mechanics.dice import D6, faces_at_least, faces_at_most, special
from domain.mechanics.trial import How, Trial, die_passes
from domain.ruleset import DrawRules, OpeningRules, Option, OrderRules, PlayRules, Presentation, Ruleset
from domain.scene import Cell, Scene

LOOT = special(1, 2, 3, 3, 4, 5)
NEEDED, MOST, GOAL = 3, 2, 10


class State(GameState, frozen=True, gc=False):
    points: dict[str, int] = {}


class Raid(Command, frozen=True, tag="raid"):
    """Throw two dice for loot."""

    PHASES = frozenset({"raids"})


class Rest(Command, frozen=True, tag="rest"):
    """Stay at home, for one point."""

    PHASES = frozenset({"raids"})


class Loose(Command, frozen=True, tag="loose"):
    """Two arrows at those who have just acted."""

    PHASES = frozenset({"raids"})


class Hold(Command, frozen=True, tag="hold"):
    """No arrows."""

    PHASES = frozenset({"raids"})


class Thrown(Event, frozen=True):
    """Two dice lie on the table, each a test of its own."""

    RULE = "RAID-1"

    side: str
    purpose: str
    values: tuple[int, ...]


class PointsWon(Event, frozen=True):
    """A side is richer, or poorer where `points` is negative."""

    RULE = "RAID-2"

    side: str
    points: int


class ReplyBegan(Event, frozen=True):
    """The other side orders, in the same player-turn."""

    RULE = "RAID-4"

    side: str


def begin(judge: Judge[State]) -> None:
    judge.emit(core.PhaseBegan("raids"))
    judge.emit(core.TurnBegan("south", 1), "south")


def decide_raid(judge: Judge[State], side: str, command: Raid) -> None:
    _require_action(judge.state, side, acts=True)
    values = tuple(judge.roll(side, LOOT, "loot", rule="RAID-1") for _ in range(2))
    thrown = Thrown(side, "loot", values)
    judge.emit(thrown, side)
    _win(judge, side, sum(test_of(thrown).results()))


def decide_rest(judge: Judge[State], side: str, command: Rest) -> None:
    _require_action(judge.state, side, acts=True)
    _win(judge, side, 1)


def decide_loose(judge: Judge[State], side: str, command: Loose) -> None:
    _require_action(judge.state, side, acts=False)
    thrown = Thrown(side, "arrow", tuple(judge.roll(side, D6, "arrow", rule="RAID-4") for _ in range(2)))
    judge.emit(thrown, side, "RAID-4")
    lost = min(sum(test_of(thrown).results()), judge.state.points[OTHER[side]])
    judge.emit(PointsWon(OTHER[side], -lost), side, "RAID-4")
    _next_action(judge)


def decide_hold(judge: Judge[State], side: str, command: Hold) -> None:
    _require_action(judge.state, side, acts=False)
    _next_action(judge)


def _require_action(state: State, side: str, *, acts: bool) -> None:
    """An action of the side whose player-turn it is, or the reply of the other."""
    if (side == state.mover) != acts:
        raise Refusal("raid.not-now", "RAID-4", side=side)


def _win(judge: Judge[State], side: str, points: int) -> None:
    judge.emit(PointsWon(side, points), side)
    if judge.state.points[side] >= GOAL:
        judge.emit(core.BattleEnded(side, "points"), rule="RAID-3")
    judge.emit(ReplyBegan(OTHER[side]), OTHER[side])


def _next_action(judge: Judge[State]) -> None:
    state = judge.state
    follows = OTHER[state.mover]
    judge.emit(core.TurnBegan(follows, state.turn + (follows == "south"), state.t + 1), follows)


def on_points_won(state: State, event: PointsWon) -> State:
    return replace(state, points={**state.points, event.side: state.points[event.side] + event.points})


def on_reply_began(state: State, event: ReplyBegan) -> State:
    return replace(state, active=event.side)


def test_of(event: Thrown) -> Trial:
    """Loot is what a die brings at the least, an arrow hits with little."""
    how: How
    needed, die, how = (NEEDED, LOOT, "at-least") if event.purpose == "loot" else (MOST, D6, "at-most")
    test = Trial(
        side=event.side, purpose=event.purpose, draws=event.values, needed=needed, base=needed, how=how, stands="each"
    )
    return replace(test, passes=die_passes(die, test))


def options(state: State, side: str) -> list[Option]:
    if state.active != side:
        return []
    if side != state.mover:
        return [
            Option("loose", "loose", needed=MOST, odds=(faces_at_most(D6, MOST), D6.sides), how="at-most"),
            Option("hold", "hold"),
        ]
    raid = Option("raid", "raid", needed=NEEDED, odds=(faces_at_least(LOOT, NEEDED), LOOT.sides))
    return [raid, Option("rest", "rest")]


def parse(line: str) -> Command:
    kinds: dict[str, type[Command]] = {"raid": Raid, "rest": Rest, "loose": Loose, "hold": Hold}
    if line not in kinds:
        raise Refusal("core.parse", "CORE-PARSE", line=line, word=line, expected=sorted(kinds))
    return kinds[line]()


def write(command: Command, lang: Literal["en", "fr"] | str = "en") -> str:
    return str(command.__struct_config__.tag)


def view(state: State, side: str) -> Scene:
    return Scene(100, 100, (Cell("hall", "open", ((0, 0), (100, 0), (100, 100), (0, 100))),))


EVOLUTIONS: dict[type[Event], Any] = {Thrown: unchanged, PointsWon: on_points_won, ReplyBegan: on_reply_began}

RAID = Ruleset(
    code="raid",
    version="1",
    title="Raid",
    opening=OpeningRules(begin=begin),
    rules=PlayRules(initial=State(points=dict.fromkeys(SIDES, 0)), evolutions=EVOLUTIONS),
    orders=OrderRules(
        decisions={Raid: decide_raid, Rest: decide_rest, Loose: decide_loose, Hold: decide_hold},
        parse=parse,
        write=write,
        options=options,
    ),
    draws=DrawRules(trial=lambda state, fact: test_of(fact.event) if isinstance(fact.event, Thrown) else None),
    shown=Presentation(
        view=view,
        narrate=lambda state, fact: message_of(fact, "raid"),
        final=lambda state: msgspec.to_builtins(state.points),
        tally=lambda state: state.points,
    ),
)
