"""What a battle came to, turn by turn and order by order, as a stranger may know it.

What a rewind took back is left out, and nothing is said here: the writer of a report finds the words. Each event is
read with the state before it as a stranger knew it then, so a file of a running battle gives nothing away.
"""

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any

from msgspec import Struct

from domain.basics.message import Message
from domain.contract.ruleset import NOBODY
from domain.contract.scene import Scene
from domain.contract.weight import Weight
from domain.engine.state import SIDES
from domain.events.battle import (
    BattleEnded,
    BattleStopped,
    ClockFired,
    Corrected,
    DecisionAsked,
    DecisionMade,
    Fact,
    OrderAccepted,
    TurnBegan,
)
from domain.log.record import Recorded
from domain.run.timeline import is_within
from replay.battle_file import BattleFile
from replay.telling.luck import LuckRow, counted, luck_of

Tally = Mapping[str, int]
HARM = (Weight.HURT, Weight.DECIDED)
TOLD = (Weight.MOVED, Weight.ATTACKED, *HARM)
OPENERS = (OrderAccepted, ClockFired, TurnBegan)
"""What begins an exchange."""


class Happening(Struct, frozen=True):
    """An event that tells something: its weight, its message, and the units that it is about."""

    n: int
    weight: Weight
    message: Message
    units: tuple[str, ...]
    target: str = ""

    @property
    def type(self) -> str:
        """The name of the event."""
        return self.message.id.split(".")[1]


class Exchange(Struct):
    """An order or another input with what followed from it; `side` has given it ("" for none). `before` and `after` are
    what decides the game."""

    n: int
    side: str
    before: Tally
    after: Tally
    happened: list[Happening]

    def of(self, *weights: Weight) -> list[Happening]:
        """What happened of some weights, in order."""
        return [one for one in self.happened if one.weight in weights]

    @property
    def has_harm(self) -> bool:
        """Whether somebody was worse off after it, or better."""
        return any(one.weight in HARM for one in self.happened)


class TurnPart(Struct):
    """A player-turn, or with `turn` 0 all that came before the first."""

    n: int
    turn: int
    side: str
    exchanges: list[Exchange]

    @property
    def has_harm(self) -> bool:
        """Whether it has changed anything for somebody."""
        return any(exchange.has_harm for exchange in self.exchanges) or dict(self.before) != dict(self.after)

    @property
    def before(self) -> Tally:
        """What decides the game, at its start."""
        return self.exchanges[0].before

    @property
    def after(self) -> Tally:
        """The same at its end."""
        return self.exchanges[-1].after


class ReportReading(Struct, frozen=True, dict=True):
    """A battle as its report needs it. `opening` is the table as the first turn found it, `final` as it is at the
    last event; `ended` is None while the battle goes on, and where it was `stopped`."""

    battle: BattleFile
    parts: tuple[TurnPart, ...]
    opening: Scene
    final: Scene
    first: int
    ended: BattleEnded | None
    stopped: BattleStopped | None = None

    @cached_property
    def exchanges(self) -> tuple[Exchange, ...]:
        """All exchanges, in order."""
        return tuple(exchange for part in self.parts for exchange in part.exchanges)

    @cached_property
    def start(self) -> Tally:
        """What decides the game, when the first turn began."""
        turns = [part for part in self.parts if part.turn]
        return turns[0].before if turns else self.parts[-1].after

    @cached_property
    def luck(self) -> dict[int, list[LuckRow]]:
        """{first event of an exchange: the draws that counted in it}, where they put something at stake."""
        starts = sorted(exchange.n for exchange in self.exchanges)
        found: dict[int, list[LuckRow]] = {}
        for row in counted(luck_of(self.battle.timeline)):
            at = bisect_right(starts, row.settled)
            found.setdefault(starts[at - 1] if at else 0, []).append(row)
        return found

    def luck_southwards(self, exchange: Exchange) -> Fraction:
        """What luck has brought the southern side in an exchange, in what decides the game."""
        rows = self.luck.get(exchange.n, ())
        return sum((row.luck if row.side == SIDES[0] else -row.luck for row in rows), Fraction(0))

    @cached_property
    def formations(self) -> dict[tuple[str, str], str]:
        """{(side, unit): formation} for units that act in formations."""
        scenes = (self.final, self.opening)
        tokens = [token for scene in scenes for token in (*scene.tokens, *scene.aside)]
        return {(token.side, token.id): token.formation for token in tokens if token.formation}

    @cached_property
    def sides(self) -> dict[str, str]:
        """{unit: side}, of all that were ever seen."""
        scenes = (self.final, self.opening)
        sides = {token.id: token.side for scene in scenes for token in (*scene.tokens, *scene.aside)}
        groups = {group.label: sides.get(group.tokens[0], "") for scene in scenes for group in scene.groups}
        return {**sides, **groups}

    @cached_property
    def lost_at(self) -> dict[str, int]:
        """{unit: event} for units that are no more: the last event that tells of them."""
        here = {token.id for token in self.final.tokens} | {group.label for group in self.final.groups}
        found = {unit: one.n for exchange in self.exchanges for one in exchange.happened for unit in one.units}
        return {unit: n for unit, n in found.items() if unit not in here}

    def facts(self) -> Iterator[tuple[int, Any, Fact]]:
        """The events that count, from the second on, each with the state before it as a stranger knew it."""
        timeline = self.battle.timeline
        for before, recorded in timeline.along(2):
            if timeline.counts(recorded.n):
                known = self.battle.ruleset.secrets.known(before.game, NOBODY)
                yield recorded.n, known, Fact(recorded.by, recorded.rule, recorded.event)

    def lead(self, tally: Tally) -> float:
        """How far south is ahead, from −1 to 1: by the share that each side has left of what it began with, where it
        began with something, else by what each has gained."""
        south, north = (tally.get(side, 0) / whole for side, whole in zip(SIDES, self.wholes, strict=True))
        return south - north

    @cached_property
    def wholes(self) -> tuple[int, int]:
        """For each side, what all of it would be: what it began with, else the most that any side has gained."""
        began = tuple(self.start.get(side, 0) for side in SIDES)
        if all(began):
            return began[0], began[1]
        most = max((max(exchange.after.values(), default=0) for exchange in self.exchanges), default=0)
        return max(most, 1), max(most, 1)


def read(battle: BattleFile) -> ReportReading:
    """Read a battle, finished or not."""
    ruleset, timeline = battle.ruleset, battle.timeline
    shown = ruleset.shown
    weights = {**shown.gist, **shown.story}
    spans = timeline.voided()
    parts: list[TurnPart] = [TurnPart(1, 0, "", [])]
    exchange = Exchange(1, "", shown.tally(timeline.at(1).game), {}, [])
    parts[-1].exchanges.append(exchange)
    ended: BattleEnded | None = None
    asked: Exchange | None = None
    first = 0
    last = max((recorded.n for recorded in battle.events if not is_within(spans, recorded.n)), default=battle.last)
    for before, recorded in timeline.along():
        n, event = recorded.n, recorded.event
        if n == 1 or is_within(spans, n):
            continue
        known = None
        if isinstance(event, DecisionMade) and asked is not None and not event.standing:
            parts[-1].exchanges.remove(exchange)  # an answer goes on with what it was asked about
            exchange, asked = asked, None
        elif isinstance(event, DecisionAsked):
            asked = exchange
        if isinstance(event, OPENERS) or recorded.type in shown.apart:
            known = ruleset.secrets.known(before.game, NOBODY)
            exchange.after = tally = shown.tally(known)
            if isinstance(event, TurnBegan):
                first = first or n
                if (parts[-1].turn, parts[-1].side) != (event.turn, event.side):  # else single actions in turns
                    parts.append(TurnPart(n, event.turn, event.side, []))
            exchange = Exchange(n, _side_of(recorded), tally, tally, [])
            parts[-1].exchanges.append(exchange)
        if isinstance(event, BattleEnded):
            ended = event
        weight = Weight.HURT if isinstance(event, Corrected) else weights.get(recorded.type)
        if weight is not None:
            known = ruleset.secrets.known(before.game, NOBODY) if known is None else known
            exchange.happened.append(_happening(weight, ruleset, known, recorded))
    end = ruleset.secrets.known(timeline.at(last).game, NOBODY)
    exchange.after = shown.tally(end)
    start = ruleset.secrets.known(timeline.at(first or last).game, NOBODY)
    opening, final = shown.view(start, NOBODY), shown.view(end, NOBODY)
    told = tuple(_worth_telling(parts))
    return ReportReading(battle, told, opening, final, first or last, ended, timeline.now.stopped)


def _side_of(opening: Recorded) -> str:
    """Whose exchange begins with an event: that of who ordered, or attacks by what was ordered."""
    if isinstance(opening.event, OrderAccepted):
        return opening.event.side
    return "" if isinstance(opening.event, OPENERS) else opening.by


def _worth_telling(parts: Sequence[TurnPart]) -> Iterator[TurnPart]:
    """The parts, but for those in which nothing happened, or only in vain, of a side that has another one in the same
    turn, as where it gives general orders first."""
    for at, part in enumerate(parts):
        others = [one for one in parts[at + 1 :] if (one.turn, one.side) == (part.turn, part.side)]
        if not others or any(exchange.of(*TOLD) for exchange in part.exchanges):
            yield part


def _happening(weight: Weight, ruleset: Any, known: Any, recorded: Recorded) -> Happening:
    message = ruleset.shown.narrate(known, Fact(recorded.by, recorded.rule, recorded.event))
    target = getattr(recorded.event, "target", getattr(recorded.event, "defender", ""))
    return Happening(
        recorded.n, weight, message, tuple(_units(recorded.event)), target if isinstance(target, str) else ""
    )


def _units(event: Any) -> Iterator[str]:
    """The units that an event is about."""
    for member in ("unit", "attackers", "attacker", "firer"):
        value = getattr(event, member, "")
        if isinstance(value, str) and value:
            yield value
            return
        if isinstance(value, tuple) and value:
            yield from value
            return
