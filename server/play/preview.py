"""What orders would do, as far as their side can know.

Nothing is drawn and nothing stored. The first draw of the first line is computed exactly, from the cards that are
really left. For the rest the orders are played many times over on what the side knows, with cards taken at random from
the known piles: a simulation, and it says so. The same question in the same situation gets the same answer. A script
takes the path that the same stepper gives it when it is played (`domain.scripts.cursor`).

All of it, reading the script too, is computed in a worker process (`server.workers`): what travels is the text and the
state as its side knows it. The work is bounded by the number of orders and conditions, so the answer does not depend on
the speed of a machine.
"""

from collections import Counter
from collections.abc import Sequence
from functools import partial
from hashlib import sha256
from typing import Any

from msgspec import UNSET, Struct

from domain.basics.commands import Command
from domain.basics.errors import Refusal
from domain.basics.message import Message
from domain.contract.dispute_lines import DisputeOrder
from domain.contract.option import Option
from domain.contract.ruleset import Ruleset
from domain.contract.senses import FAILS, Outcome
from domain.events.battle import DecisionAsked, Event, Fact
from domain.log.chance import DrawReached, StreamChance
from domain.log.fairness import Stream
from domain.log.record import type_name
from domain.run.decide import decide, evolve
from domain.scripts import cursor as script_cursor
from domain.scripts.course import ScriptCourse, prepared
from domain.scripts.cursor import LineMark, ScriptCursor
from domain.scripts.program import Script, ScriptLine
from domain.scripts.report import ACCEPTED, REFUSED, SKIPPED, outcomes
from server.play.live_battle import LiveBattle
from server.play.outlook import FirstDraw, Preview, PreviewLine, Reason
from server.play.scripts import read_script
from server.workers import Runner

PLAYOUTS = 200
MOST_WORK = 10_000
"""Orders given and conditions checked in all playouts of a preview; a long script is played out less often."""
LISTING = 50
"""The work of listing all orders of a side, where a condition asks for it."""
UNTOLD = frozenset({"CardDrawn", "DieRolled", "DecisionAsked", "DecisionMade"})
"""Events about the manner of a result, not the result itself."""


class _Looking:
    """Chance that stops at the first draw and records its pile or die."""

    def __init__(self) -> None:
        self.scope = ""
        self.pile: tuple[str, ...] = ()
        self.sides = 0

    def card(self, scope: str, pile: Sequence[str], t: int, deck: str) -> str:
        self.scope, self.pile = scope, tuple(pile)
        raise DrawReached

    def die(self, scope: str, sides: int, t: int = 0, values: Sequence[int] = ()) -> int:
        self.scope, self.sides = scope, sides
        raise DrawReached


class _Tally:
    """The results of one line in all playouts."""

    def __init__(self, line: ScriptLine) -> None:
        self.line = line
        self.accepted = self.refused = self.unreached = self.asked = self.skipped = self.orders = 0
        self.events: Counter[str] = Counter()
        self.refusals: Counter[str] = Counter()
        self._first: dict[str, Refusal] = {}
        self.failed = 0
        self._has_failed = False  # in this playout
        self._names: set[str] = set()  # what has happened in this playout
        self._after_failing: Counter[str] = Counter()
        self._else: set[str] = set()
        self._said: dict[str, Message | None] = {}  # None for a test itself

    def count(self, status: str, times: int) -> None:
        """Count one playout: the result of the line, and how often it gave an order."""
        self.accepted += status == ACCEPTED
        self.refused += status == REFUSED
        self.skipped += status == SKIPPED
        self.unreached += status not in (ACCEPTED, REFUSED, SKIPPED)
        self.orders += times
        self.events.update(self._names)
        self.failed += self._has_failed
        if self._has_failed:
            self._after_failing.update(self._names)
        else:
            self._else |= self._names
        self._has_failed, self._names = False, set()

    def follow(self, question: "_Question", before: Any, facts: Sequence[Fact]) -> None:
        """Take up what followed from an order of the line, in this playout."""
        ruleset, state = question.ruleset, before
        outcome = ruleset.orders.senses.outcome(question.side, [fact.event for fact in facts])
        self._has_failed |= FAILS in outcome.results
        names = [_name(fact) for fact in facts]
        self._names.update(filter(None, names))
        if not self._has_failed or self._said.keys() >= self._names:
            return
        for n, (name, fact) in enumerate(zip(names, facts, strict=True), start=before.n + 1):
            if name and name not in self._said:
                is_test = ruleset.draws.trial(state, fact) is not None
                self._said[name] = None if is_test else ruleset.shown.narrate(state, fact)
            state = evolve(ruleset, state, fact.event, n)

    def refuse(self, refusal: Refusal) -> None:
        """Count one playout in which the line was refused, and why."""
        self.refusals[refusal.code] += 1
        self._first.setdefault(refusal.code, refusal)

    def _if_fails(self) -> tuple[Message, ...]:
        """What followed whenever it failed, and never else; in the order in which it happens."""
        always = {name for name, times in self._after_failing.items() if times == self.failed} - self._else
        return tuple(message for name, message in self._said.items() if message is not None and name in always)

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
            self.failed,
            self._if_fails(),
        )


class PreviewRequest(Struct, frozen=True):
    """The lines to try, and the battle after event `n` as their side knows it."""

    ruleset: Ruleset
    battle: str
    n: int
    side: str
    known: Any
    text: str
    phrase: str = ""
    seal: str = ""
    playouts: int = PLAYOUTS


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
        self._options: Sequence[Option] | None = None

    @property
    def known(self) -> Any:
        """The state that a condition is judged by."""
        self.looks += 1
        return self.state

    @property
    def options(self) -> Sequence[Option]:
        """The orders that the side may give now."""
        if self._options is None:
            self.looks += LISTING
            self._options = self.ruleset.orders.options(self.state, self.side)
        return self._options

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
        self._options = None


async def preview(
    runner: Runner, live: LiveBattle, side: str, text: str, phrase: str = "", seal: str = "", playouts: int = PLAYOUTS
) -> Preview:
    """The outlook of the lines of a script.

    Raises: Unreadable; Refusal of its first order, as if it were given; core.no-order …; Busy
    """
    request = PreviewRequest(live.ruleset, live.id, live.n, side, live.known(side), text, phrase, seal, playouts)
    return await runner.run(outlook, request)


def outlook(request: PreviewRequest) -> Preview:
    """The outlook that was asked for, computed here.

    Raises: Unreadable; Refusal
    """
    ruleset = request.ruleset
    orders = ruleset.orders
    script = read_script(
        request.text, partial(_tried, ruleset), request.phrase, request.seal, orders.senses, preview=True
    )
    if not script.gives_orders:
        raise Refusal("core.no-order", "CORE-ORDER")
    question = _Question(ruleset, request.known, request.side, script, request.n)
    first = _first_draw(question)
    said = "\n".join(_canonical(ruleset, line.text) for line in script.orders)
    seed = f"preview\n{request.battle}\n{request.n}\n{request.side}\n{said}".encode()
    tallies = [_Tally(line) for line in script.orders]
    chance = StreamChance(Stream(sha256(seed).digest()))
    done = work = 0
    while done < request.playouts and work < MOST_WORK:
        work += _play_out(question, chance, tallies)
        done += 1
    method = f"simulation of {done} playouts of the orders, with random cards from the known piles"
    lines = tuple(tally.told() for tally in tallies)
    return Preview(request.battle, request.n, request.side, method, done, first, lines)


def _tried(ruleset: Ruleset, line: str) -> Command:
    """An order line that can be tried: one of a dispute is not.

    Raises: Refusal core.docket-not-tried, and as `Ruleset.read`
    """
    command = ruleset.read(line)
    if isinstance(command, DisputeOrder):
        raise Refusal("core.docket-not-tried", "CORE-DSP", line=ruleset.write(command, "en"))
    return command


def _canonical(ruleset: Ruleset, text: str) -> str:
    """The canonical spelling of an order, whatever its language; a line of a script unchanged."""
    try:
        return ruleset.orders.write(ruleset.orders.parse(text), "en")
    except Refusal:
        return text


def _first_draw(question: _Question) -> FirstDraw | None:
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
    _, known = prepared(question.ruleset, question.known, question.side, cursor.given.text)
    try:
        decide(question.ruleset, known, question.side, command, looking)
    except DrawReached:
        pass
    except Refusal:
        if cursor.given.tries:
            return None
        raise
    else:
        return None
    text = question.ruleset.orders.write(command, "en")
    listed = question.ruleset.orders.options(known, question.side)
    option = next((option for option in listed if text in (option.order, option.target and option.target.said)), None)
    deck = looking.scope.partition(":")[2].partition("/")[0] or looking.scope
    size = looking.sides or len(looking.pile)
    if option is None or option.odds is None:
        return FirstDraw(deck, size, 0, None, (), dice=bool(looking.sides))
    return FirstDraw(deck, size, option.needed, option.odds[0], tuple(option.factors), option.how, bool(looking.sides))


def _play_out(question: _Question, chance: StreamChance, tallies: Sequence[_Tally]) -> int:
    """Play the script once, to its end or to a decision of the other side; returns the amount of work."""
    script, cursor, marks = question.script, ScriptCursor(), list[LineMark]()
    battle = _Imagination(question)
    course = ScriptCourse(_Imagination(question))
    while not cursor.is_over and battle.looks < MOST_WORK:
        cursor, made = script_cursor.advance(script, cursor, battle)
        marks += made
        if cursor.given is None:
            break
        line, order = cursor.given.line, cursor.given.text
        command = question.ruleset.orders.parse(order)
        try:
            facts = decide(question.ruleset, battle.state, question.side, command, chance)
        except Refusal as caught:
            refusal = caught.with_traceback(None)  # its frames would keep the states of the playout
            cursor, made = script_cursor.refused(script, cursor, refusal, course, battle.state)
            battle.looks += 1
            if any(mark.refusal or mark.status == SKIPPED for mark in made):
                tallies[line].refuse(refusal)
        else:
            cursor, made = script_cursor.accepted(script, cursor, battle.n + 1, battle.n + len(facts))
            tallies[line].follow(question, battle.state, facts)
            battle.take(facts)
        if cursor.given is None:
            course.tried(order)
        marks += made
        waiting = battle.state.waiting
        if waiting and waiting.side in question.ruleset.seats.others(question.side):
            tallies[line].asked += 1
            break
    for tally, outcome in zip(tallies, outcomes(script, cursor, marks), strict=True):
        tally.count(outcome.status, len(outcome.spans))
    return cursor.place - 1 + battle.looks


def _name(fact: Fact) -> str:
    """The name under which a fact is counted: its type, and the value that chooses its sentence."""
    event: Event = fact.event
    name = type_name(type(event))
    if name in UNTOLD and not isinstance(event, DecisionAsked):
        return ""
    how = getattr(event, event.TOLD_BY, UNSET) if event.TOLD_BY else UNSET
    return f"{name}.{how}" if how is not UNSET and how != "" else name
