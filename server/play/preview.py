"""What orders would do, as far as their side can know.

Nothing is drawn and nothing stored. The first draw of the first line is computed exactly, from the cards that are
really left. For the rest the orders are played many times over on what the side knows, with cards taken at random from
the known piles: a simulation, and it says so. The same question in the same situation gets the same answer. A script
takes the path that the same stepper gives it when it is played (`domain.scripts.cursor`).
"""

import asyncio
from collections import Counter
from collections.abc import Sequence
from hashlib import sha256
from typing import Any

from msgspec import UNSET, Struct

from domain.engine.decide import decide, evolve
from domain.engine.errors import Refusal
from domain.engine.events import DecisionAsked, Event, Fact
from domain.engine.state import OTHER
from domain.log.chance import StreamChance
from domain.log.fairness import Stream
from domain.log.record import type_name
from domain.ruleset import Ruleset
from domain.scripts import cursor as script_cursor
from domain.scripts.cursor import LineMark, ScriptCursor
from domain.scripts.program import Script, ScriptLine
from domain.scripts.report import ACCEPTED, REFUSED, SKIPPED, outcomes
from domain.scripts.senses import Outcome
from server.play.live_battle import LiveBattle
from server.play.outlook import FirstDraw, Preview, PreviewLine, Reason

PLAYOUTS = 200
MOST_WORK = 20_000
"""Orders given and conditions checked in all playouts of a preview; a long script is played out less often."""
UNTOLD = frozenset({"CardDrawn", "DieRolled", "DecisionAsked", "DecisionMade"})
"""Events about the manner of a result, not the result itself."""


class _Drawn(Exception):
    """The first draw has been reached."""


class _Looking:
    """Chance that stops at the first draw and records its pile or die."""

    def __init__(self) -> None:
        self.scope = ""
        self.pile: tuple[str, ...] = ()
        self.sides = 0

    def card(self, scope: str, pile: Sequence[str], t: int, deck: str) -> str:
        self.scope, self.pile = scope, tuple(pile)
        raise _Drawn

    def die(self, scope: str, sides: int, t: int = 0) -> int:
        self.scope, self.sides = scope, sides
        raise _Drawn


class _Tally:
    """The results of one line in all playouts."""

    def __init__(self, line: ScriptLine) -> None:
        self.line = line
        self.accepted = self.refused = self.unreached = self.asked = self.skipped = self.orders = 0
        self.events: Counter[str] = Counter()
        self.refusals: Counter[str] = Counter()
        self._first: dict[str, Refusal] = {}

    def count(self, status: str, times: int) -> None:
        """Count one playout: the result of the line, and how often it gave an order."""
        self.accepted += status == ACCEPTED
        self.refused += status == REFUSED
        self.skipped += status == SKIPPED
        self.unreached += status not in (ACCEPTED, REFUSED, SKIPPED)
        self.orders += times

    def refuse(self, refusal: Refusal) -> None:
        """Count one playout in which the line was refused, and why."""
        self.refusals[refusal.code] += 1
        self._first.setdefault(refusal.code, refusal)

    def _commonest(self) -> Reason | None:
        if not self.refusals:
            return None
        code = min(self.refusals, key=lambda code: (-self.refusals[code], code))
        return Reason(code, self._first[code].rule, self._first[code].params)

    def told(self) -> PreviewLine:
        return PreviewLine(
            self.line.number,
            self.line.text,
            self.accepted,
            self.refused,
            self.unreached,
            self.asked,
            dict(sorted(self.events.items())),
            dict(sorted(self.refusals.items())),
            self.skipped,
            self.orders if self.orders != self.accepted else 0,
            self._commonest(),
        )


class _Question(Struct, frozen=True):
    """The script, and the situation as its side knows it."""

    ruleset: Ruleset
    known: Any
    side: str
    script: Script
    n: int


class _Imagination:
    """The battle in a playout, as a script sees it. `events` are those since event `start`; `looks` counts how often
    the script has looked."""

    def __init__(self, question: _Question) -> None:
        self.ruleset = question.ruleset
        self.side = question.side
        self.state = question.known
        self.looks = 0
        self.n = self.start = question.n
        self.events: list[Event] = []

    @property
    def known(self) -> Any:
        """The state that a condition is judged by."""
        self.looks += 1
        return self.state

    def it(self, first: int) -> Outcome:
        """The outcome of the order that began with event `first`."""
        self.looks += 1
        return self.ruleset.orders.senses.outcome(self.side, self.events[first - self.start - 1 :])

    def take(self, facts: Sequence[Fact]) -> None:
        """Apply facts."""
        for fact in facts:
            self.n += 1
            self.events.append(fact.event)
            self.state = evolve(self.ruleset, self.state, fact.event, self.n)


async def preview(live: LiveBattle, side: str, script: Script, playouts: int = PLAYOUTS) -> Preview:
    """The outlook of a script.

    Raises: Refusal of its first order, as if it were given; core.no-order
    """
    if not script.gives_orders:
        raise Refusal("core.no-order", "CORE-ORDER")
    ruleset = live.ruleset
    question = _Question(ruleset, live.known(side), side, script, live.n)
    first = _first_draw(question, live)
    said = "\n".join(_canonical(ruleset, line.text) for line in script.orders)
    seed = f"preview\n{live.id}\n{live.n}\n{side}\n{said}".encode()
    tallies = [_Tally(line) for line in script.orders]
    chance = StreamChance(Stream(sha256(seed).digest()))
    done = work = 0
    while done < playouts and work < MOST_WORK:
        work += _play_out(question, chance, tallies)
        done += 1
        await asyncio.sleep(0)  # others are served between two playouts
    method = f"simulation of {done} playouts of the orders, with random cards from the known piles"
    return Preview(live.id, question.n, side, method, done, first, tuple(tally.told() for tally in tallies))


def _canonical(ruleset: Ruleset, text: str) -> str:
    """The canonical spelling of an order, whatever its language; a line of a script unchanged."""
    try:
        return ruleset.orders.write(ruleset.orders.parse(text), "en")
    except Refusal:
        return text


def _first_draw(question: _Question, live: LiveBattle) -> FirstDraw | None:
    """The first draw of the first order; None if it draws nothing, or if none is given in this situation.

    Raises: Refusal
    """
    cursor, marks = script_cursor.advance(question.script, ScriptCursor(), _Imagination(question))
    refusal = next((mark.refusal for mark in marks if mark.refusal), None)
    if refusal is not None:
        raise refusal
    if cursor.given is None:
        return None
    looking = _Looking()
    command = question.ruleset.orders.parse(cursor.given.text)
    try:
        decide(question.ruleset, question.known, question.side, command, looking)
    except _Drawn:
        pass
    except Refusal:
        if cursor.given.tries:
            return None
        raise
    else:
        return None
    text = question.ruleset.orders.write(command, "en")
    option = next((option for option in live.options(question.side) if option.order == text), None)
    deck = looking.scope.partition(":")[2].partition("/")[0] or looking.scope
    size = looking.sides or len(looking.pile)
    if option is None or option.odds is None:
        return FirstDraw(deck, size, 0, None, (), dice=bool(looking.sides))
    return FirstDraw(deck, size, option.needed, option.odds[0], tuple(option.factors), option.how, bool(looking.sides))


def _play_out(question: _Question, chance: StreamChance, tallies: Sequence[_Tally]) -> int:
    """Play the script once, to its end or to a decision of the other side; returns the amount of work."""
    script, cursor, marks = question.script, ScriptCursor(), list[LineMark]()
    battle = _Imagination(question)
    counted: list[set[str]] = [set() for _ in tallies]
    while not cursor.is_over:
        cursor, made = script_cursor.advance(script, cursor, battle)
        marks += made
        if cursor.given is None:
            break
        line, command = cursor.given.line, question.ruleset.orders.parse(cursor.given.text)
        try:
            facts = decide(question.ruleset, battle.state, question.side, command, chance)
        except Refusal as caught:
            refusal = caught.with_traceback(None)  # its frames would keep the states of the playout
            cursor, made = script_cursor.refused(script, cursor, refusal)
            if any(mark.refusal or mark.status == SKIPPED for mark in made):
                tallies[line].refuse(refusal)
        else:
            cursor, made = script_cursor.accepted(script, cursor, battle.n + 1, battle.n + len(facts))
            battle.take(facts)
            counted[line].update(name for fact in facts if (name := _name(fact)))
        marks += made
        waiting = battle.state.waiting
        if waiting and waiting.side == OTHER[question.side]:
            tallies[line].asked += 1
            break
    for tally, outcome, names in zip(tallies, outcomes(script, cursor, marks), counted, strict=True):
        tally.count(outcome.status, len(outcome.spans))
        tally.events.update(names)
    return cursor.place - 1 + battle.looks


def _name(fact: Fact) -> str:
    """The name under which a fact is counted: its type, and the value that chooses its sentence."""
    event: Event = fact.event
    name = type_name(type(event))
    if name in UNTOLD and not isinstance(event, DecisionAsked):
        return ""
    how = getattr(event, event.TOLD_BY, UNSET) if event.TOLD_BY else UNSET
    return f"{name}.{how}" if how is not UNSET and how != "" else name
