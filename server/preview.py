"""What would these orders do, as far as their side can know?

Nothing is drawn and nothing stored. The first draw of the first line is told exactly, from the cards that are really
left. For the rest the orders are played many times over on what the side knows, with cards taken at random from the
known piles: a simulation, and it says so. The same question in the same situation gets the same answer.
"""

import asyncio
from collections import Counter
from collections.abc import Sequence
from hashlib import sha256
from typing import Any

from msgspec import UNSET, Struct

from domain.commands import Command
from domain.errors import Refusal
from domain.events import DecisionAsked, Event, Fact
from domain.fairness import Stream
from domain.game import OTHER
from domain.record import type_name
from domain.ruleset import Ruleset, decide, evolve
from server.api.messages import FirstDraw, Preview, PreviewLine
from server.scripts import Line, Script
from server.table import Table

PLAYOUTS = 200
UNTOLD = frozenset({"CardDrawn", "DieRolled", "DecisionAsked", "DecisionMade"})
"""Events that say how, not what."""


class _Drawn(Exception):
    """The first draw has been reached."""


class _Looking:
    """Chance that stops at the first draw and remembers from what it would be."""

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


class _Imagined:
    """Chance of a playout: any card of the known pile."""

    def __init__(self, stream: Stream) -> None:
        self._stream = stream

    def card(self, scope: str, pile: Sequence[str], t: int, deck: str) -> str:
        return pile[self._stream.below(len(pile))]

    def die(self, scope: str, sides: int, t: int = 0) -> int:
        return self._stream.below(sides) + 1


class _Tally:
    """What happened to one line in all playouts."""

    def __init__(self, line: Line) -> None:
        self.line = line
        self.accepted = self.refused = self.unreached = self.asked = 0
        self.events: Counter[str] = Counter()
        self.refusals: Counter[str] = Counter()

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
        )


class _Question(Struct, frozen=True):
    """The orders, and the situation as their side knows it."""

    ruleset: Ruleset
    known: Any
    side: str
    orders: tuple[tuple[Line, Command], ...]
    n: int


async def preview(table: Table, side: str, script: Script, playouts: int = PLAYOUTS) -> Preview:
    """The outlook of a script.

    Raises: Refusal of the first line, as if it were ordered; core.no-order
    """
    if not script.orders:
        raise Refusal("core.no-order", "CORE-ORDER")
    ruleset = table.ruleset
    orders = tuple((line, ruleset.parse(line.text)) for line in script.orders)
    question = _Question(ruleset, table.known(side), side, orders, table.n)
    first = _first_draw(question, table)
    said = "\n".join(ruleset.write(command, "en") for _, command in orders)
    seed = f"preview\n{table.id}\n{table.n}\n{side}\n{said}".encode()
    tallies = [_Tally(line) for line, _ in orders]
    chance = _Imagined(Stream(sha256(seed).digest()))
    for _ in range(playouts):
        _play_out(question, chance, tallies)
        await asyncio.sleep(0)  # others are served between two playouts
    method = f"simulation of {playouts} playouts of the orders, with random cards from the known piles"
    return Preview(table.id, question.n, side, method, playouts, first, tuple(tally.told() for tally in tallies))


def _first_draw(question: _Question, table: Table) -> FirstDraw | None:
    """The first draw of the first line; None if it draws nothing.

    Raises: Refusal
    """
    looking = _Looking()
    command = question.orders[0][1]
    try:
        decide(question.ruleset, question.known, question.side, command, looking)
    except _Drawn:
        pass
    else:
        return None
    text = question.ruleset.write(command, "en")
    option = next((option for option in table.options(question.side) if option.order == text), None)
    deck = looking.scope.partition(":")[2].partition("/")[0] or looking.scope
    size = looking.sides or len(looking.pile)
    if option is None or option.odds is None:
        return FirstDraw(deck, size, 0, None, ())
    return FirstDraw(deck, size, option.needed, option.odds[0], tuple(option.factors))


def _play_out(question: _Question, chance: _Imagined, tallies: Sequence[_Tally]) -> None:
    """Play the orders once, to the first refusal or to a decision of the other side."""
    state, n = question.known, question.n
    left = iter(zip(question.orders, tallies, strict=True))
    for (_, command), tally in left:
        try:
            facts = decide(question.ruleset, state, question.side, command, chance)
        except Refusal as refusal:
            tally.refused += 1
            tally.refusals[refusal.code] += 1
            break
        tally.accepted += 1
        tally.events.update({name for fact in facts if (name := _name(fact))})
        for fact in facts:
            n += 1
            state = evolve(question.ruleset, state, fact.event, n)
        if state.waiting and state.waiting.side == OTHER[question.side]:
            tally.asked += 1
            break
    for _, tally in left:
        tally.unreached += 1


def _name(fact: Fact) -> str:
    """What a fact is counted under: its type, and the value that chooses its sentence."""
    event: Event = fact.event
    name = type_name(type(event))
    if name in UNTOLD and not isinstance(event, DecisionAsked):
        return ""
    how = getattr(event, event.TOLD_BY, UNSET) if event.TOLD_BY else UNSET
    return f"{name}.{how}" if how is not UNSET and how != "" else name
