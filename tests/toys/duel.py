"""A duel: dice, free measure (mm), one decision (dodge?), and a secret, simultaneous first step: each
side chooses a stance, hidden until both have chosen. The first hit wins."""

from typing import Annotated, Any, Literal

import msgspec
from msgspec.structs import astuple, replace

from domain.basics.commands import Command
from domain.basics.errors import Refusal
from domain.basics.message import Message
from domain.contract.option import Option
from domain.contract.ruleset import OpeningRules, OrderRules, PlayRules, Presentation, Ruleset, SecrecyRules
from domain.contract.scene import Cell, Scene, Token
from domain.contract.sealed_rows import SealedRow
from domain.contract.senses import FAILS, PASSES, Outcome, Senses
from domain.engine.judge import Judge
from domain.engine.state import OTHER, SIDES, GameState
from domain.events import battle as core
from domain.events.battle import Event, Text
from domain.mechanics.dice import D6

REACH_MM, PACE_MM, TABLE_MM, NEEDED = 300, 200, 1000, 4


class State(GameState, frozen=True, gc=False):
    at_mm: dict[str, int] = {}
    stances: dict[str, tuple[str, int]] = {}


def command(tag: str, *fields: Any, **about: Any) -> Any:
    return msgspec.defstruct(tag.title(), fields, bases=(Command,), tag=tag, namespace=about, frozen=True)


Choose = command("choose", ("stance", Literal["bold", "wary"]), PHASES=frozenset({"plan"}), PRIVATE=True)
Walk = command("walk", ("mm", Annotated[int, msgspec.Meta(ge=1, le=PACE_MM)]), PHASES=frozenset({"duel"}))
Throw = command("throw", PHASES=frozenset({"duel"}))
Dodge = command("dodge", ("answer", Literal["yes", "no"]), ANSWERS="dodge")
COMMANDS = Choose | Walk | Throw | Dodge


def fact(name: str, **fields: Any) -> Any:
    kinds = [(field, kind, msgspec.UNSET) if kind is Text else (field, kind) for field, kind in fields.items()]
    return msgspec.defstruct(name, kinds, bases=(Event,), frozen=True)


StanceChosen = fact("StanceChosen", side=str, stance=Text, sealed=Text)
StancesShown = fact("StancesShown", stances=dict[str, str], opens=tuple[int, ...])
Walked = fact("Walked", side=str, to_mm=int)


def decide_choose(judge: Judge[State], side: str, command: Any) -> None:
    judge.emit(StanceChosen(side, command.stance), side, "TOY-1")
    chosen = judge.state.stances
    if len(chosen) == len(SIDES):
        shown = {chooser: stance for chooser, (stance, _) in chosen.items()}
        judge.emit(StancesShown(shown, tuple(sorted(n for _, n in chosen.values()))), rule="TOY-1")
        judge.emit(core.PhaseBegan("duel"), rule="TOY-1")
        judge.emit(core.TurnBegan("south", 1), "south", "TOY-2")


def decide_walk(judge: Judge[State], side: str, command: Any) -> None:
    goal = judge.state.at_mm[side] + (command.mm if side == "south" else -command.mm)
    judge.emit(Walked(side, max(0, min(TABLE_MM, goal))), side, "TOY-2")
    judge.push("end")


def decide_throw(judge: Judge[State], side: str, command: Any) -> None:
    if distance(judge.state) > REACH_MM:
        raise Refusal("toy.out-of-reach", "TOY-3", distance_mm=distance(judge.state), reach_mm=REACH_MM)
    judge.push("end")
    if roll(judge, side, "throw") >= NEEDED:
        judge.ask(core.DecisionAsked(OTHER[side], "dodge", "", ("yes", "no")), "hit", side=OTHER[side])


def step_hit(judge: Judge[State], *, side: str, answer: str) -> None:
    if answer == "no" or roll(judge, side, "dodge") < (5 if judge.state.stances[side][0] == "bold" else 4):
        judge.emit(core.BattleEnded(OTHER[side], "hit"), rule="TOY-4")


def step_end(judge: Judge[State]) -> None:
    side, turn = judge.state.active, judge.state.turn
    judge.emit(core.TurnEnded(side, turn), side, "TOY-2")
    judge.emit(core.TurnBegan(OTHER[side], turn + (side == "north")), OTHER[side], "TOY-2")


def active(state: State) -> tuple[str, ...]:
    return tuple(s for s in SIDES if s not in state.stances) if state.phase == "plan" else (state.active,)


def roll(judge: Judge[State], side: str, purpose: str) -> int:
    return judge.roll(side, D6, purpose, rule="TOY-3")


def distance(state: State) -> int:
    return abs(state.at_mm["south"] - state.at_mm["north"])


def options(state: State, side: str) -> list[Option]:
    if state.waiting or side not in active(state):
        return [Option(f"dodge {a}", "answer") for a in ("yes", "no") if state.waiting and state.waiting.side == side]
    if state.phase == "plan":
        return [Option(f"choose {stance}", "choose") for stance in ("bold", "wary")]
    near = [Option("throw", "throw", "", NEEDED, odds=(7 - NEEDED, 6))] * (distance(state) <= REACH_MM)
    return [Option(f"walk {PACE_MM}", "walk", limits={"most_mm": PACE_MM}, exhaustive=False), *near]


def known(state: State, side: str) -> State:
    hidden = {s: (v if s == side or state.phase != "plan" else "", n) for s, (v, n) in state.stances.items()}
    return replace(state, stances=hidden)


def outcome(side: str, events: Any) -> Outcome:
    thrown = [e.value for e in events if isinstance(e, core.DieRolled) and e.purpose == "throw"]
    return Outcome(frozenset({FAILS if thrown and thrown[-1] < NEEDED else PASSES}), thrown[-1] if thrown else 0)


def read_test(words: tuple[str, ...]) -> tuple[str, ...] | None:
    return words if words[0] == "man" and len(words) == 3 else None


def view(state: State, side: str) -> Scene:
    corners = ((0, 0), (TABLE_MM, 0), (TABLE_MM, TABLE_MM), (0, TABLE_MM))
    men = [Token(s, s, "man", "foot", (500, mm), (60, 60), title=f"{s}: {mm} mm") for s, mm in state.at_mm.items()]
    return Scene(TABLE_MM, TABLE_MM, (Cell("field", "open", corners),), tokens=tuple(men))


def parse(line: str) -> Command:
    word, _, value = line.partition(" ")
    fields = {"choose": "stance", "walk": "mm", "dodge": "answer"}
    try:
        return msgspec.convert({"order": word, fields.get(word, ""): value}, COMMANDS, strict=False)
    except msgspec.ValidationError as error:
        raise Refusal("core.parse", "CORE-PARSE", line=line, word=value, expected=[str(error)]) from None


def write(command: Any, lang: str = "en") -> str:
    return " ".join([command.__struct_config__.tag, *map(str, astuple(command))])


OWN: dict[Any, Any] = {
    Choose: decide_choose, Walk: decide_walk, Throw: decide_throw,
    Dodge: lambda j, side, c: j.resume(core.DecisionMade(side, "dodge", "", c.answer, False), side, answer=c.answer),
}  # fmt: skip
START = State(at_mm={"south": 100, "north": 900})
EVENTS: dict[type[Event], Any] = {
    StanceChosen: lambda s, e: replace(s, stances={**s.stances, e.side: (e.stance or "", s.n + 1)}),
    StancesShown: lambda s, e: replace(s, stances={k: (v, s.stances[k][1]) for k, v in e.stances.items()}),
    Walked: lambda s, e: replace(s, at_mm={**s.at_mm, e.side: e.to_mm}),
}
TOY = Ruleset(
    code="toy",
    version="1",
    title="Duel",
    opening=OpeningRules(begin=lambda judge: judge.emit(core.PhaseBegan("plan"))),
    rules=PlayRules(initial=START, evolutions=EVENTS, steps={"hit": step_hit, "end": step_end}, active=active),
    orders=OrderRules(
        decisions=OWN,
        parse=parse,
        write=write,
        options=options,
        senses=Senses(outcome, read_test=read_test, holds=lambda known, side, t: known.at_mm[t[1]] == int(t[2])),
    ),
    secrets=SecrecyRules(
        fields=lambda state, event: ("stance",) if isinstance(event, StanceChosen) else (),
        rows={"StanceChosen": (SealedRow(("stance",)),)},
        known=known,
    ),
    shown=Presentation(
        view=view,
        narrate=lambda state, fact: Message(f"toy.{type(fact.event).__name__}", {}),
        final=lambda s: {"at_mm": s.at_mm, "winner": s.winner, "active": s.active, "phase": s.phase},
        tally=lambda s: s.at_mm,
    ),
)
