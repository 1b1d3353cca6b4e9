"""A raid: hexes, any heading, a special die with face and value, two dice at once, single actions, points that grow.

The sides act by turns, one action each: two dice for loot (`raid`), one point at home (`rest`), or one hex of riding
under any heading (`ride C2 137.5`). The other side may then `loose` two arrows in the same player-turn, each of which
takes a point on a 2 or less, or `hold`. Who first has ten points wins.
"""

from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from domain.basics.commands import Command
from domain.basics.errors import Refusal
from domain.contract.narration import message_of
from domain.contract.option import Option
from domain.contract.ruleset import DrawRules, OpeningRules, OrderRules, PlayRules, Presentation, Ruleset
from domain.contract.scene import Arc, Cell, Scene, Token
from domain.engine.judge import Judge
from domain.engine.state import OTHER, SIDES, GameState, unchanged
from domain.events import battle as core
from domain.events.battle import Event
from domain.mechanics import hex as hexes
from domain.mechanics.dice import D6, faces_at_least, special
from domain.mechanics.notation import Reader, decimal_text
from domain.mechanics.trial import How, Trial, die_passes

LOOT = special(1, 2, 3, 3, 4, 5)
NEEDED, MOST, GOAL = 3, 2, 10


BOARD, REACH = (4, 4), 3


class Band(Struct, frozen=True, gc=False):
    """Where a side's riders stand, and their heading in tenths of a degree clockwise from north."""

    hex: str
    heading: int


class State(GameState, frozen=True, gc=False):
    points: dict[str, int] = {}
    bands: dict[str, Band] = {}


class Raid(Command, frozen=True, tag="raid"):
    """Throw two dice for loot."""

    PHASES = frozenset({"raids"})


class Rest(Command, frozen=True, tag="rest"):
    """Stay at home, for one point."""

    PHASES = frozenset({"raids"})


class Ride(Command, frozen=True, tag="ride"):
    """Ride to a hex beside one's own, and face any way (tenths of a degree)."""

    PHASES = frozenset({"raids"})

    hex: str
    heading: int


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


class BandRode(Event, frozen=True):
    """A band stands elsewhere, and faces another way."""

    RULE = "RAID-5"

    side: str
    hex: str
    heading: int


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


def decide_ride(judge: Judge[State], side: str, command: Ride) -> None:
    _require_action(judge.state, side, acts=True)
    bands = judge.state.bands
    if command.hex not in hexes.neighbours(BOARD, bands[side].hex) or command.hex == bands[OTHER[side]].hex:
        raise Refusal("raid.not-beside", "RAID-5", hex=command.hex)
    judge.emit(BandRode(side, command.hex, command.heading), side)
    judge.emit(ReplyBegan(OTHER[side]), OTHER[side])


def decide_loose(judge: Judge[State], side: str, command: Loose) -> None:
    _require_action(judge.state, side, acts=False)
    if _apart(judge.state) > REACH:
        raise Refusal("raid.out-of-reach", "RAID-4", distance=_apart(judge.state), reach=REACH)
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


def _apart(state: State) -> int:
    return hexes.distance(*(band.hex for band in state.bands.values()))


def _win(judge: Judge[State], side: str, points: int) -> None:
    judge.emit(PointsWon(side, points), side)
    if judge.state.points[side] >= GOAL:
        judge.emit(core.BattleEnded(side, "points"), rule="RAID-3")
    judge.emit(ReplyBegan(OTHER[side]), OTHER[side])


def _next_action(judge: Judge[State]) -> None:
    state = judge.state
    follows = OTHER[state.mover]
    judge.emit(core.TurnBegan(follows, state.turn + (follows == "south")), follows)


def on_points_won(state: State, event: PointsWon) -> State:
    return replace(state, points={**state.points, event.side: state.points[event.side] + event.points})


def on_band_rode(state: State, event: BandRode) -> State:
    return replace(state, bands={**state.bands, event.side: Band(event.hex, event.heading)})


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
        loose = Option(
            "loose", "loose", needed=MOST, odds=(D6.sides - faces_at_least(D6, MOST + 1), D6.sides), how="at-most"
        )
        return [*[loose] * (_apart(state) <= REACH), Option("hold", "hold")]
    raid = Option("raid", "raid", needed=NEEDED, odds=(faces_at_least(LOOT, NEEDED), LOOT.sides))
    return [raid, *rides(state, side), Option("rest", "rest")]


def rides(state: State, side: str) -> list[Option]:
    """A band may ride to any hex beside its own and face any way: the options face the foe."""
    heading = hexes.HEADING["NE" if side == "south" else "SW"]
    free = [name for name in hexes.neighbours(BOARD, state.bands[side].hex) if name != state.bands[OTHER[side]].hex]
    return [
        Option(write(Ride(name, heading)), "ride", side, limits={"most_degrees": 360}, exhaustive=False)
        for name in free
    ]


def parse(line: str) -> Command:
    reader = Reader(line, {"chevaucher": "ride"})
    word = reader.need(ORDERS)
    command = Ride(reader.hex(), reader.degrees(1)) if word == "ride" else ORDERS[word]()
    reader.end()
    return command


def write(command: Command, lang: str = "en") -> str:
    if isinstance(command, Ride):
        word = "chevaucher" if lang == "fr" else "ride"
        return f"{word} {command.hex} {decimal_text(command.heading, 1)}"
    return str(command.__struct_config__.tag)


def view(state: State, side: str) -> Scene:
    names = (hexes.name_at(column, row) for row in range(BOARD[1]) for column in range(BOARD[0]))
    cells = tuple(Cell(name, "open", hexes.outline(BOARD, name), label=name, title=name) for name in names)
    middles = {of: hexes.middle(BOARD, band.hex) for of, band in state.bands.items()}
    tokens = tuple(
        Token(of, of, "band", "light_cavalry", middles[of], (60, 30), cell=band.hex, facing=band.heading, label=of[0])
        for of, band in state.bands.items()
    )
    arcs = tuple(
        Arc("fire", middles[of], band.heading, REACH * 100, spread=300, side=of) for of, band in state.bands.items()
    )
    captions = tuple((of, f"{points} points") for of, points in state.points.items())
    return Scene(*hexes.size(BOARD), cells, tokens=tokens, arcs=arcs, grid="hex", captions=captions, title="Raid")


ORDERS: dict[str, Any] = {"raid": Raid, "rest": Rest, "ride": Ride, "loose": Loose, "hold": Hold}
START = State(points=dict.fromkeys(SIDES, 0), bands={"south": Band("B3", 300), "north": Band("C0", 2100)})
EVOLUTIONS: dict[type[Event], Any] = {
    Thrown: unchanged,
    PointsWon: on_points_won,
    ReplyBegan: on_reply_began,
    BandRode: on_band_rode,
}

RAID = Ruleset(
    code="raid",
    version="1",
    title="Raid",
    opening=OpeningRules(begin=begin),
    rules=PlayRules(initial=START, evolutions=EVOLUTIONS),
    orders=OrderRules(
        decisions={Raid: decide_raid, Rest: decide_rest, Ride: decide_ride, Loose: decide_loose, Hold: decide_hold},
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
