"""Lots: three seats, by turns, each with a secret and one draw.

Each seat in its turn first hides a number from 1 to 6, then throws one die. When all have thrown, the numbers are shown
and the highest sum wins; of equal ones, that of the seat that plays first. A seat that resigns is out, the others go
on; the last one left has won.
"""

from fractions import Fraction
from typing import Annotated, Any

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from domain.basics.commands import Command, Resign
from domain.basics.errors import Refusal
from domain.basics.seats import Seats
from domain.contract.narration import message_of
from domain.contract.option import Option
from domain.contract.ruleset import DrawRules, OpeningRules, OrderRules, PlayRules, Presentation, Ruleset, SecrecyRules
from domain.contract.scene import Line, Scene, Token
from domain.contract.sealed_rows import SealedRow
from domain.engine.judge import Judge
from domain.engine.state import GameState
from domain.events import battle as core
from domain.events.battle import Event
from domain.mechanics import shared_orders
from domain.mechanics.dice import D6
from domain.mechanics.notation import Reader
from domain.mechanics.stake import Stake

SEATS = Seats(("red", "green", "blue"))
ROUNDS = 2
"""Turns of each seat: one to hide, one to throw."""

Number = Annotated[int, msgspec.Meta(ge=1, le=6)]


class State(GameState, frozen=True, gc=False):
    """`hidden` has the number of each seat and the event that hid it, 0 for a number that is not known; `thrown` has
    the dice, `out` who has resigned."""

    hidden: dict[str, tuple[int, int]] = {}
    thrown: dict[str, int] = {}
    out: tuple[str, ...] = ()
    shown: bool = False


class Hide(Command, frozen=True, tag="hide"):
    """Choose a number that nobody else knows."""

    PHASES = frozenset({"lots"})
    PRIVATE = True

    number: Number


class Throw(Command, frozen=True, tag="throw"):
    """Throw the die."""

    PHASES = frozenset({"lots"})


class NumberHidden(Event, frozen=True):
    """A seat has chosen its number."""

    RULE = "LOTS-1"

    side: str
    number: int | UnsetType = UNSET
    sealed: core.Text = UNSET


class LotThrown(Event, frozen=True):
    """A seat has thrown."""

    RULE = "LOTS-2"

    side: str
    value: int


class NumbersShown(Event, frozen=True):
    """All numbers lie open."""

    RULE = "LOTS-3"

    numbers: dict[str, int]
    opens: tuple[int, ...]


def begin(judge: Judge[State]) -> None:
    judge.emit(core.PhaseBegan("lots"))
    judge.emit(core.TurnBegan(SEATS.names[0], 1), SEATS.names[0])


def decide_hide(judge: Judge[State], side: str, command: Hide) -> None:
    if side in judge.state.hidden:
        raise Refusal("lots.hidden", "LOTS-1", side=side)
    judge.emit(NumberHidden(side, command.number), side)
    _pass_on(judge)


def decide_throw(judge: Judge[State], side: str, command: Throw) -> None:
    if side not in judge.state.hidden:
        raise Refusal("lots.not-hidden", "LOTS-2", side=side)
    judge.emit(LotThrown(side, judge.roll(side, D6, "lot", rule="LOTS-2")), side)
    _pass_on(judge)


def decide_resign(judge: Judge[State], side: str, command: Resign) -> None:
    """The others go on without who resigns; the last one left has won."""
    if side in judge.state.out:
        raise Refusal("lots.out", "LOTS-4", side=side)
    was_active = judge.state.active == side
    judge.emit(core.SideResigned(side), side)
    left = _left(judge.state)
    if len(left) == 1:
        judge.emit(core.BattleEnded(left[0], "resignation"), rule="LOTS-4")
    elif was_active:
        _pass_on(judge)


def _left(state: State) -> list[str]:
    return [side for side in SEATS.names if side not in state.out]


def _pass_on(judge: Judge[State]) -> None:
    """The next seat that is still in, or the end."""
    state = judge.state
    judge.emit(core.TurnEnded(state.active, state.turn), state.active)
    course = [(turn, side) for turn in range(1, ROUNDS + 1) for side in SEATS.names]
    later = course[course.index((state.turn, state.active)) + 1 :]
    following = next(((turn, side) for turn, side in later if side not in state.out), None)
    if following:
        judge.emit(core.TurnBegan(following[1], following[0]), following[1])
        return
    numbers = {side: number for side, (number, _) in state.hidden.items()}
    judge.emit(NumbersShown(numbers, tuple(sorted(n for _, n in state.hidden.values()))))
    winner = max(_left(judge.state), key=lambda side: total(judge.state, side))
    judge.emit(core.BattleEnded(winner, "lots"), rule="LOTS-3")


def total(state: State, side: str) -> int:
    """The number and the die of a seat, as far as they are known."""
    return state.hidden.get(side, (0, 0))[0] + state.thrown.get(side, 0)


def on_number_hidden(state: State, event: NumberHidden) -> State:
    number = 0 if event.number is UNSET else event.number
    return replace(state, hidden={**state.hidden, event.side: (number, state.n + 1)})


def on_lot_thrown(state: State, event: LotThrown) -> State:
    return replace(state, thrown={**state.thrown, event.side: event.value})


def on_numbers_shown(state: State, event: NumbersShown) -> State:
    hidden = {side: (number, state.hidden[side][1]) for side, number in event.numbers.items()}
    return replace(state, hidden=hidden, shown=True)


def on_side_resigned(state: State, event: core.SideResigned) -> State:
    return replace(state, out=(*state.out, event.side))


def known(state: State, side: str) -> State:
    """A seat knows its own number, and everybody all of them once they are shown."""
    if state.shown or state.winner is not None:
        return state
    return replace(state, hidden={of: (v if of == side else 0, n) for of, (v, n) in state.hidden.items()})


def parse(line: str) -> Command:
    reader = Reader(line, {})
    command: Command = READERS[reader.need(tuple(READERS))](reader)
    reader.end()
    return command


def write(command: Command, lang: str = "en") -> str:
    return " ".join(WRITERS[type(command)](command))


READERS: Any = {
    "hide": lambda reader: Hide(int(reader.need(tuple("123456")))),
    "throw": lambda reader: Throw(),
    **shared_orders.READERS,
}
WRITERS: dict[Any, Any] = {
    Hide: lambda command: ["hide", str(command.number)],
    Throw: lambda command: ["throw"],
    **shared_orders.WRITERS,
}


def options(state: State, side: str) -> list[Option]:
    if side != state.active:
        return []
    if side not in state.hidden:
        return [Option(f"hide {number}", "hide") for number in range(1, 7)]
    return [Option("throw", "throw", needed=1, odds=(6, 6))]


def view(state: State, side: str) -> Scene:
    seats = [
        Token(of, of, "player", "star", (20 + 30 * at, 10), (6, 6), title=f"{of}: {total(state, of)}")
        for at, of in enumerate(SEATS.names)
    ]
    return Scene(100, 20, (), (Line("table", ((0, 10), (100, 10))),), tuple(seats), title="Lots", sides=SEATS.names)


def stake(drawn: Any, fact: Any, earlier: Any) -> tuple[Stake, ...] | None:
    """A lot of 4 or more is a success: 5 on average against 2."""
    if not isinstance(fact.event, LotThrown):
        return None
    thrown = fact.event
    return tuple(Stake(one.n, thrown.side, thrown.side, thrown.value > 3, 3, 6, Fraction(3)) for one in drawn)


EVOLUTIONS: dict[type[Event], Any] = {
    NumberHidden: on_number_hidden,
    LotThrown: on_lot_thrown,
    NumbersShown: on_numbers_shown,
    core.SideResigned: on_side_resigned,
}
LOTS = Ruleset(
    code="lots",
    version="1",
    title="Lots",
    seats=SEATS,
    opening=OpeningRules(begin=begin),
    rules=PlayRules(initial=State(), evolutions=EVOLUTIONS),
    orders=OrderRules(
        decisions={Hide: decide_hide, Throw: decide_throw, Resign: decide_resign},
        parse=parse,
        write=write,
        options=options,
    ),
    draws=DrawRules(stake=stake),
    secrets=SecrecyRules(
        fields=lambda state, event: ("number",) if isinstance(event, NumberHidden) else (),
        rows={"NumberHidden": (SealedRow(("number",)),)},
        known=known,
    ),
    shown=Presentation(
        view=view,
        narrate=lambda state, fact: message_of(fact, "lots"),
        final=lambda state: {"thrown": state.thrown, "out": list(state.out)},
        tally=lambda state: {side: total(state, side) for side in SEATS.names},
    ),
)
