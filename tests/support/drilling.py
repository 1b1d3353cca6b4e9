"""Run a script in a small battle with stacked cards, without a server."""

import tomllib
from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from domain.basics.errors import Refusal
from domain.catalogue import RULESETS
from domain.contract.option import Option
from domain.contract.ruleset import Ruleset
from domain.contract.senses import Outcome as Seen
from domain.engine.state import OTHER
from domain.events.battle import Event, Fact
from domain.log.chance import Chance, StackedChance
from domain.run.decide import beginning, decide, evolve, opening
from domain.scripts import cursor as script_cursor
from domain.scripts.course import ScriptCourse
from domain.scripts.cursor import LineMark, ScriptCursor
from domain.scripts.program import Script
from domain.scripts.reading import read
from domain.scripts.report import NOT_PLAYED, PARKED, LineOutcome, outcomes

TTS = RULESETS["tts"]
FIELD = """
ruleset = "tts"
title = "A field to drill on"
[options]
auto_end_turn = false
[board]
columns = 8
rows = 8
[sides.south]
name = "South"
[[sides.south.corps]]
id = "I"
general = { id = "G1", attached = "R1", traits = ["commander", "senior"] }
camp = { box = "A1" }
units = [
  { id = "R1", type = "legionaries", box = "D2", facing = "N" },
  { id = "R2", type = "bowmen", box = "F2", facing = "N" },
]
[[sides.south.corps]]
id = "II"
general = { id = "G2", attached = "R3" }
units = [
  { id = "R3", type = "legionaries", box = "B2", facing = "N" },
  { id = "R4", type = "cavalry_javelin", box = "H2", facing = "N" },
]
[sides.north]
name = "North"
[[sides.north.corps]]
id = "III"
general = { id = "H1", attached = "N2" }
camp = { box = "A8" }
units = [
  { id = "N1", type = "cavalry_javelin", box = "H4", facing = "S" },
  { id = "N2", type = "warriors", box = "F4", facing = "S" },
]
"""


class Drilled(Struct, frozen=True):
    """What became of a script: each line, the orders given in their order, and the state after them."""

    outcomes: tuple[LineOutcome, ...]
    given: tuple[str, ...]
    state: Any
    cursor: ScriptCursor
    script: Script

    @property
    def statuses(self) -> list[str]:
        """That of each line."""
        return [outcome.status for outcome in self.outcomes]


class Field:
    """A battle that scripts look at."""

    def __init__(self, ruleset: Ruleset, state: Any, side: str) -> None:
        self.ruleset, self.side, self.state = ruleset, side, state
        self.start = state.n
        self.events: list[Event] = []

    @property
    def known(self) -> Any:
        return self.ruleset.secrets.known(self.state, self.side)

    @property
    def options(self) -> Sequence[Option]:
        return self.ruleset.orders.options(self.known, self.side)

    def it(self, first: int) -> Seen:
        return self.ruleset.orders.senses.outcome(self.side, self.events[first - self.start - 1 :])

    def take(self, facts: Sequence[Fact]) -> None:
        for fact in facts:
            self.state = evolve(self.ruleset, self.state, fact.event, self.state.n + 1)
            self.events.append(fact.event)


def begun(ruleset: Ruleset, scenario: str) -> Any:
    """The state in which the first side may order."""
    state = ruleset.rules.initial
    for fact in opening(ruleset, tomllib.loads(scenario)):
        state = evolve(ruleset, state, fact.event, state.n + 1)
    for fact in beginning(ruleset, state):
        state = evolve(ruleset, state, fact.event, state.n + 1)
    return state


FIRST = begun(TTS, FIELD)


def drill(text: str, *south: int, north: Sequence[int] = (), state: Any = FIRST, side: str = "south") -> Drilled:
    """Run a script with stacked cards for both sides, to its end or until the other side must decide."""
    return run(
        read(text, TTS.orders.parse, TTS.orders.senses), StackedChance({"south": south, "north": north}), state, side
    )


def run(script: Script, chance: Chance, state: Any = FIRST, side: str = "south", ruleset: Ruleset = TTS) -> Drilled:
    """Run a script that was read."""
    field, cursor, marks, given, rest = (
        Field(ruleset, state, side),
        ScriptCursor(),
        list[LineMark](),
        list[str](),
        NOT_PLAYED,
    )
    course = ScriptCourse(Field(ruleset, state, side))
    while not cursor.is_over:
        cursor, made = script_cursor.advance(script, cursor, field)
        marks += made
        if cursor.given is None:
            break
        order = cursor.given.text
        given.append(order)
        try:
            facts = decide(ruleset, field.state, side, ruleset.orders.parse(cursor.given.text), chance)
        except Refusal as refusal:
            cursor, made = script_cursor.refused(script, cursor, refusal, course, field.known)
        else:
            n = field.state.n
            field.take(facts)
            cursor, made = script_cursor.accepted(script, cursor, n + 1, n + len(facts))
        if cursor.given is None:
            course.tried(order)
        marks += made
        waiting = field.state.waiting
        if waiting and waiting.side == OTHER[side]:
            rest = PARKED
            break
    return Drilled(outcomes(script, cursor, marks, rest), tuple(given), field.state, cursor, script)


def why(drilled: Drilled, line: int) -> str:
    """The code of what a line (from 0) is told, or ""."""
    outcome = drilled.outcomes[line]
    reason = outcome.refusal or outcome.why
    return reason.code if reason else ""
