"""A tug of war on a windy day: as each turn begins a die falls, before its side has ordered anything (`open:SIDE`).

On a 6 the wind moves the knot by a step against the side whose turn it is. The first gust waits until all seats have
contributed (`proceed`); every later one falls in the block of the order that ends a turn.
"""

from msgspec.structs import replace

from domain.contract.ruleset import OpeningRules
from domain.engine.judge import Judge
from domain.engine.state import OTHER
from domain.events import battle as core
from domain.mechanics.dice import D6
from tests.toys import tug
from tests.toys.tug import BEGIN, GOAL, NEEDED, PULL, TUG, WAY, WIN, Pull, Pulled

GUST = "TUG-05"


class State(tug.State, frozen=True, gc=False):
    """`gust_t` is the player-turn of the newest gust."""

    gust_t: int = 0


class GustBlew(core.Event, frozen=True, gc=False):
    RULE = GUST

    value: int
    knot: int


def begin(judge: Judge[State]) -> None:
    judge.emit(core.PhaseBegan("pulling"), rule=BEGIN)
    judge.emit(core.TurnBegan("south", 1), "south", BEGIN)


def blow(judge: Judge[State]) -> None:
    """The gust of this turn, if it has not fallen yet."""
    side = judge.state.mover
    if not side or judge.state.gust_t == judge.state.t:
        return
    value = judge.roll(side, D6, "gust", rule=GUST, scope="open")
    knot = judge.state.knot - (WAY[side] if value == D6.sides else 0)
    judge.emit(GustBlew(value, knot))
    end_if_won(judge)


def decide_pull(judge: Judge[State], side: str, command: Pull) -> None:
    value = judge.roll(side, D6, "pull", rule=PULL)
    knot = judge.state.knot + (command.steps * WAY[side] if value >= NEEDED[command.steps] else 0)
    judge.emit(Pulled(side, command.steps, value, knot), side)
    end_if_won(judge)
    judge.emit(core.TurnEnded(side, judge.state.turn), side, BEGIN)
    judge.emit(core.TurnBegan(OTHER[side], judge.state.turn + (side == "north")), OTHER[side], BEGIN)
    blow(judge)


def end_if_won(judge: Judge[State]) -> None:
    if abs(judge.state.knot) >= GOAL:
        winner = next(side for side, way in WAY.items() if way * judge.state.knot > 0)
        judge.emit(core.BattleEnded(winner, "pulled"), rule=WIN)


def on_gust_blew(state: State, event: GustBlew) -> State:
    return replace(state, knot=event.knot, gust_t=state.t)


GUSTS = replace(
    TUG,
    code="gusts",
    title="Tug of war in the wind",
    opening=OpeningRules(begin=begin, proceed=blow),
    rules=replace(TUG.rules, initial=State(), evolutions={**TUG.rules.evolutions, GustBlew: on_gust_blew}),
    orders=replace(TUG.orders, decisions={Pull: decide_pull}),
)
