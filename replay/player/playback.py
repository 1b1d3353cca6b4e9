"""What somebody looks at in a battle: an event, as one side or a stranger, and where the next step leads.

No screen stands here: all that a player of battles does can be asked of a `Playback`. Sentences are made when they are
first looked at; what takes the whole battle (search, curves) is read on bit by bit (`read_on`), or at once when it is
asked for.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import Any

from msgspec import Struct

from domain.basics.seats import Seats
from domain.contract.ruleset import NOBODY
from domain.contract.scene import Scene
from domain.engine.dockets import Disputes
from domain.events.battle import INPUTS, BattleEnded, DeckShuffled, PhaseBegan, TurnBegan, Unsealed
from domain.log.record import Recorded
from domain.run.timeline import is_within
from projections.luck import LuckMemory
from projections.model import OpenedBattle
from replay.battle_file import BattleFile
from replay.player.keys_out import DrawKeys
from replay.reports import plain
from replay.search import SearchIndex, Term, folded, read_search
from replay.telling.luck import LuckRow, brought, counted, of_events
from replay.telling.why import Explanation, explain
from replay.telling.words import ENGLISH, worded
from replay.telling.words.names import name_in

AT_ONCE = 200
"""Events that are read on in one go while nobody waits."""
KEPT = 64
"""States that are kept."""

STEPS: dict[str, Callable[[Recorded], bool]] = {
    "event": lambda recorded: True,
    "input": lambda recorded: isinstance(recorded.event, tuple(INPUTS)),
    "turn": lambda recorded: isinstance(recorded.event, TurnBegan),
    "phase": lambda recorded: isinstance(recorded.event, (PhaseBegan, TurnBegan)),
}
"""What a step may go to."""


class Tallies(Struct):
    """What decides the game, at the start of each player-turn and at the end: event by event, a number per side."""

    at: list[int] = []
    of: list[dict[str, int]] = []

    @property
    def highest(self) -> int:
        """The highest number of any side so far."""
        return max((number for tally in self.of for number in tally.values()), default=0)

    def until(self, n: int, side: str) -> list[int]:
        """The numbers of a side up to an event."""
        return [tally.get(side, 0) for tally in self.of[: bisect_right(self.at, n)]]


class LuckCourse:
    """What luck has brought each side, after each event that settled draws."""

    def __init__(self, seats: Seats) -> None:
        self._seats = seats
        self._at: list[int] = []
        self._total: list[dict[str, Fraction]] = []

    def add(self, rows: Sequence[LuckRow]) -> None:
        """Take in the draws that an event has settled."""
        for row in counted(rows):
            before = self._total[-1] if self._total else dict.fromkeys(self._seats.names, Fraction(0))
            self._at.append(row.settled)
            self._total.append({side: luck + brought(row, side, self._seats) for side, luck in before.items()})

    def until(self, n: int) -> dict[str, Fraction] | None:
        """The luck up to an event; None if nothing was at stake yet."""
        place = bisect_right(self._at, n)
        return self._total[place - 1] if place else None


class Playback:
    """A battle file, the event that is looked at (`n`), and whose eyes see it (`side`)."""

    def __init__(self, battle: BattleFile, lang: str = ENGLISH) -> None:
        self.lang = lang
        self.n = battle.last
        self.side = NOBODY
        self.unit = ""
        self.found: list[int] = []
        self.tallies = Tallies()
        self.luck = LuckCourse(battle.ruleset.seats)
        self._memory = LuckMemory(OpenedBattle("", battle.ruleset, ""), is_open=True)
        self.of_unit: list[int] = []
        self._said: dict[tuple[str, int], str] = {}
        self._known: dict[tuple[str, int], Any] = {}
        self._index = SearchIndex()
        self._take(battle)

    def _take(self, battle: BattleFile) -> None:
        """Take what follows from the log as it is; what has been read of it stays read."""
        self.battle = battle
        self.keys_out = DrawKeys(battle.events)
        self._decks = sorted({one.event.deck for one in battle.events if isinstance(one.event, DeckShuffled)})
        self._spans = battle.timeline.voided()
        self._stops = {how: [one.n for one in battle.events if stops(one)] for how, stops in STEPS.items()}
        self._reading = self._read(len(self._index) + 1)

    def extend(self, battle: BattleFile) -> None:
        """Take the same battle with more events. A reader at the last event goes on with it, nobody else is moved."""
        last = self.last
        self._take(battle)
        if any(isinstance(one.event, Unsealed) for one in battle.events[last:]):  # the past is better known by it
            self._said.clear()
            self._known.clear()
        if self.unit:
            self.follow(self.unit)
        if self.n == last:
            self.go(self.last)

    # --- going

    @property
    def last(self) -> int:
        """The number of the last event."""
        return self.battle.last

    def go(self, n: int) -> None:
        """Look at event `n`, or the nearest that there is."""
        self.n = min(max(n, 1), self.last)

    def step(self, how: str, forward: bool) -> None:
        """Go to the next event of a kind (`STEPS`), or of the unit that is followed; to the end if there is none."""
        stops = self.of_unit if self.unit and how == "event" else self._stops[how]
        self.go(_next(stops, self.n, forward) or (self.last if forward else 1))

    def search(self, text: str) -> None:
        """Find events, and go to the first one from here on.

        Raises:  BadSearch
        """
        terms = read_search(text, self.lang)
        self.read_all()
        self.found = self._index.find(terms) if terms else []
        if self.found and self.n not in self.found:
            self.next_found(True)

    def next_found(self, forward: bool) -> None:
        """Go to the next event that the search has found; behind the last comes the first."""
        if self.found:
            self.go(_next(self.found, self.n, forward) or self.found[0 if forward else -1])

    def follow(self, unit: str) -> bool:
        """Step from event to event of a unit, "" to stop that; whether there is any."""
        self.unit, self.of_unit = "", []
        if unit:
            self.read_all()
            self.of_unit = self._index.find([Term("unit", folded(unit))])
            self.unit = unit if self.of_unit else ""
        return bool(self.unit) or not unit

    # --- looking

    @property
    def now(self) -> Recorded:
        """The event that is looked at."""
        return self.battle.events[self.n - 1]

    @property
    def title(self) -> str:
        """What the battle is called: its title, else its id."""
        title = getattr(self.battle.events[0].event, "title", "")
        return name_in(title, self.lang) if title and isinstance(title, str) else self.battle.log.header.battle

    def known(self, n: int) -> Any:
        """The game after event `n`, as the viewer knew it then. Those asked for just now are kept: each pane asks."""
        key = self.side, n
        if key not in self._known:
            if len(self._known) >= KEPT:
                self._known.clear()
            self._known[key] = self.battle.ruleset.secrets.known(self.battle.timeline.at(n).game, self.side)
        return self._known[key]

    def scene(self) -> Scene:
        """The table after the event, as the viewer saw it."""
        return worded(self.battle.ruleset.shown.view(self.known(self.n), self.side), self.lang)

    def said(self, n: int) -> str:
        """The sentence of an event, for the viewer."""
        if (self.side, n) not in self._said:
            self._said[self.side, n] = plain.said_to(self.battle, n, self.side, self.lang, self.known(n - 1))
        return self._said[self.side, n]

    def is_voided(self, n: int) -> bool:
        """Whether a rewind took an event back."""
        return is_within(self._spans, n)

    @property
    def disputes(self) -> Disputes:
        """The disputes of the battle, as far as the log goes."""
        return self.battle.timeline.now.disputes

    def is_disputed(self, n: int) -> bool:
        """Whether a docket is about an event."""
        return any(docket.about == n for docket in self.disputes.dockets)

    def why(self) -> Explanation:
        """All that can be said of the event."""
        events, battle = self.battle.events, self.battle.log.header.battle
        before = self.known(self.n - 1)
        return explain(self.battle.ruleset, before, events[: self.n], events[self.n :], self.lang, battle)

    def luck_until(self) -> list[dict[str, Fraction]]:
        """What luck had brought each side at the start of each player-turn up to the event, and then; empty as long as
        the battle has not been read so far, and while nothing was at stake."""
        if len(self._index) < self.n or self.luck.until(self.n) is None:
            return []
        stops = [n for n in self.tallies.at if n < self.n]
        nothing = dict.fromkeys(self.battle.ruleset.seats.names, Fraction(0))
        return [self.luck.until(n) or nothing for n in (*stops, self.n)]

    def decks(self) -> dict[str, int]:
        """How many cards each deck can still give, as far as the viewer knew."""
        known = self.known(self.n)
        return {deck: len(self.battle.ruleset.draws.pile(known, deck)) for deck in self._decks}

    # --- what takes the whole battle

    def read_on(self) -> bool:
        """Read a bit further; whether there is more."""
        for _, _ in zip(range(AT_ONCE), self._reading, strict=False):
            pass
        return len(self._index) < self.last

    def read_all(self) -> None:
        """Read to the end."""
        for _ in self._reading:
            pass

    def _read(self, first: int) -> Iterator[None]:
        """Sentences for the search, as a stranger hears them, tallies and luck; one event at a time."""
        ruleset, memory = self.battle.ruleset, self._memory
        for before, recorded in self.battle.timeline.along(first):
            known = ruleset.secrets.known(before.game, NOBODY)
            rows = memory.read(before, recorded, self.is_voided(recorded.n))
            self.luck.add(rows)
            said = plain.say(ruleset, known, recorded, lang=self.lang)
            self._index.add(recorded, said, of_events(rows).get(recorded.n, ()))
            if isinstance(recorded.event, (TurnBegan, BattleEnded)):
                self.tallies.at.append(recorded.n)
                self.tallies.of.append(ruleset.shown.tally(known))
            yield


def _next(stops: list[int], n: int, forward: bool) -> int:
    """The stop behind an event, or the one before it; 0 for none."""
    place = bisect_right(stops, n) if forward else bisect_left(stops, n) - 1
    return stops[place] if 0 <= place < len(stops) else 0
