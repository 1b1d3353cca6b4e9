"""A tug of war, made by the recipe of docs/adding-a-ruleset.md; its headings are those of the steps there.

The sides pull a rope in turns. A pull is a roll of a die: 4 or more moves the rope by a step. To heave needs 5 or more,
and moves it by two; after one heave comes no other. The side with the knot three steps on it wins.
"""

from typing import Any

from msgspec.structs import replace

from domain.basics.commands import Command
from domain.basics.errors import Refusal
from domain.contract.narration import message_of
from domain.contract.option import Option
from domain.contract.order_help import HelpChapter, OrderForm
from domain.contract.ruleset import NOBODY, DrawRules, OpeningRules, OrderRules, PlayRules, Presentation, Ruleset
from domain.contract.scene import Line, Scene, Token
from domain.contract.senses import FAILS, PASSES, Outcome, Senses
from domain.engine.judge import Judge
from domain.engine.state import OTHER, GameState
from domain.events import battle as core
from domain.mechanics import shared_orders
from domain.mechanics.dice import D6
from domain.mechanics.notation import Reader
from domain.mechanics.trial import Trial, die_passes

# --- Number the rules

BEGIN, PULL, HEAVE, WIN = "TUG-01", "TUG-02", "TUG-03", "TUG-04"
GOAL, WAY, NEEDED = 3, {"south": -1, "north": 1}, {1: 4, 2: 5}  # needed by the steps to move

# --- Write the state


class State(GameState, frozen=True, gc=False):
    """`knot` is how many steps north of the middle it is; `heaved`: the last order was to heave."""

    knot: int = 0
    heaved: bool = False


# --- Write the first chapter


class Pull(Command, frozen=True, gc=False, tag="pull"):
    steps: int


class Pulled(core.Event, frozen=True, gc=False):
    RULE = PULL

    side: str
    steps: int
    value: int
    knot: int


def begin(judge: Judge[State]) -> None:
    judge.emit(core.PhaseBegan("pulling"), rule=BEGIN)
    judge.emit(core.TurnBegan("south", 1), "south", BEGIN)


def decide_pull(judge: Judge[State], side: str, command: Pull) -> None:
    if command.steps == 2 and judge.state.heaved:
        raise Refusal("tug.out-of-breath", HEAVE, side=side)
    value = judge.roll(side, D6, "pull", rule=PULL)
    knot = judge.state.knot + (command.steps * WAY[side] if value >= NEEDED[command.steps] else 0)
    judge.emit(Pulled(side, command.steps, value, knot), side)
    if abs(knot) >= GOAL:
        judge.emit(core.BattleEnded(side, "pulled"), rule=WIN)
    judge.emit(core.TurnEnded(side, judge.state.turn), side, BEGIN)
    judge.emit(core.TurnBegan(OTHER[side], judge.state.turn + (side == "north")), OTHER[side], BEGIN)


def on_pulled(state: State, event: Pulled) -> State:
    return replace(state, knot=event.knot, heaved=event.steps == 2)


# --- Write the notation

FRENCH = {"pull": "tire", "heave": "hisse", "resign": "abandonne"}
STEPS = {"pull": 1, "heave": 2}
READERS: Any = {word: lambda reader, n=n: Pull(n) for word, n in STEPS.items()} | {**shared_orders.READERS}
WRITERS: dict[Any, Any] = {Pull: lambda command: ["heave" if command.steps == 2 else "pull"], **shared_orders.WRITERS}


def parse(line: str) -> Command:
    reader = Reader(line, {french: english for english, french in FRENCH.items()})
    command: Command = READERS[reader.need(tuple(READERS))](reader)
    reader.end()
    return command


def write(command: Command, lang: str = "en") -> str:
    return " ".join(FRENCH.get(word, word) if lang == "fr" else word for word in WRITERS[type(command)](command))


# --- List the options


def options(state: State, side: str) -> list[Option]:
    steps = ((1,) if state.heaved else (2, 1)) * (side == state.active)
    return [Option(write(Pull(n)), "pull", needed=NEEDED[n], odds=(7 - NEEDED[n], 6)) for n in steps]


# --- Say what was tested


def trial(state: State, fact: core.Fact) -> Trial | None:
    if not isinstance(fact.event, Pulled):
        return None
    needed = NEEDED[fact.event.steps]
    made = Trial(side=fact.by, purpose="pull", draws=(fact.event.value,), needed=needed, base=needed)
    return replace(made, passes=die_passes(D6, made))


# --- Draw the scene


def view(state: State, side: str) -> Scene:
    knot = Token("knot", NOBODY, "knot", "star", (state.knot * 10 + 40, 10), (6, 6), title=f"knot: {state.knot}")
    return Scene(80, 20, (), (Line("rope", ((0, 10), (80, 10))),), (knot,), title="Tug of war")


# --- Tell scripts and helpers


def outcome(side: str, events: Any) -> Outcome:
    fails = any(isinstance(event, Pulled) and event.value < NEEDED[event.steps] for event in events)
    return Outcome(frozenset({FAILS if fails else PASSES}))


HELP = (HelpChapter("Pulling", (OrderForm("pull", "one step"), OrderForm("heave", "two steps"))),)

# --- Put it together

TUG = Ruleset(
    code="tug", version="1", title="Tug of war",
    opening=OpeningRules(begin=begin),
    rules=PlayRules(initial=State(), evolutions={Pulled: on_pulled}),
    orders=OrderRules(decisions={Pull: decide_pull}, parse=parse, write=write, options=options, senses=Senses(outcome)),
    draws=DrawRules(trial=trial),
    shown=Presentation(
        view=view,
        narrate=lambda state, fact: message_of(fact, "tug"),
        final=lambda state: {"knot": state.knot},
        tally=lambda state: {side: way * state.knot for side, way in WAY.items()},
        help=lambda lang: HELP,
    ),
)  # fmt: skip
