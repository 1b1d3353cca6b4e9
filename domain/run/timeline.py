"""Fold the log of a battle, and go back to any event of it.

What holds:
- `Timeline` is the only reader of logs that knows of rewinds. After a `Rewound` the state is again that after event
  `to`; seats, seals and the count of rewinds are not taken back (`domain.run.seats.rewound`).
- Events stay. What a rewind took back is marked (`voided`), never removed: numbers and hashes go on.
- A rewind goes back to an event that counts. The events that count are a stack: a rewind cuts it back to `to`, so that
  each event is entered and cut once, however many rewinds there are.
- The vault may be empty, hold one side's secrets, or all of them. Two timelines with the same log and the same vault
  are equal, and the fold of a log that has opened everything equals the fold that knew everything from the start.
- A keyframe every `KEYFRAME_EVERY` events, at each `Rewound` and at what it goes back to: any event is reached by
  folding fewer than that many, and never through a rewind.
- A timeline may begin in the middle (`resumed`). What came before is read and folded only when somebody looks at it;
  a rewind may be the one who does.

An `Unsealed` event changes the past: the sealed event counts whole from its own place on, and what follows it must be
folded again. Whoever asks for `now` or `at` gets that state. `feed` alone pays for it only as the log grows: each event
earns `EARNED` evolutions, and where many blocks each open something old, what they open waits until it can be
paid for. So whatever a log opens, feeding it costs linear time; in a battle as people play it nothing ever waits.

Rejected: undoing events for a rewind (each evolution would need an inverse, and a secret opened later could not be put
under what came after it); a state for each event (a long battle would hold thousands); folding again at every
`Unsealed` (a log that opens one old event in each block made the time quadratic).
"""

from bisect import bisect_right, insort
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from typing import Any, Self

from msgspec import UNSET, Struct

from domain.basics.errors import BrokenInvariant
from domain.contract.ruleset import Ruleset
from domain.events.battle import CORE_EVENTS, Event, Rewound, Unsealed
from domain.log.record import OPENED, Recorded, opened
from domain.run.late_events import LateEvents
from domain.run.seats import Battle, evolve_battle, rewound

KEYFRAME_EVERY = 128
"""Events between two keyframes: a seek folds fewer than this many."""
EARNED = 32
"""Evolutions that an event earns for folding again what the log opens later."""

Span = tuple[int, int]
"""The first and the last of a run of events."""


class WrongReference(BrokenInvariant):
    """Event `n` names event `to`, which it cannot mean. `what` is a stable code: `bad-rewind`, `bad-opening`."""

    def __init__(self, n: int, what: str, to: int) -> None:
        super().__init__(f"event {n}: {what}, event {to}")
        self.n = n
        self.what = what
        self.to = to


class Milestone(Struct, frozen=True):
    """What a timeline can go on from, without the events before: the battle after one of them, and which events count
    by then, as runs in order and the start of the newest."""

    battle: Battle
    runs: tuple[Span, ...]
    run_start: int


class Timeline:
    """A log being folded, from event 1 on; every event of it can be gone back to.

    `now` is the battle after the last event fed. `events` holds them all, `events[n - 1]` being
    event n. Where the log is sealed, `vault` has the content of sealed events by n: with it the fold
    is the full one, without it that of a stranger, who knows an event from the moment that the log
    opens it.
    """

    def __init__(
        self,
        ruleset: Ruleset,
        vault: Mapping[int, Mapping[str, Any]] | None = None,
        rules: str = "",
        version: int = OPENED,
    ) -> None:
        """`rules` is the version of the rules that the log's header names, "" for the ruleset's own; `version` that of
        the protocol, in the header, too."""
        self.ruleset = ruleset
        self.vault = dict(vault or {})
        self.events: list[Recorded] | LateEvents = []
        self._rules = rules
        self._version = version
        self._now = Battle(0, ruleset.rules.initial, rules=rules or ruleset.version, version=version)
        self._keyframes = {0: self._now}
        self._places = [0]  # of the keyframes, in order
        self._runs: list[Span] = []  # the events that count, as a stack of runs
        self._run_start = 1  # of the newest run, which goes on
        self._opened: dict[int, Mapping[str, Any]] = {}  # what the log has opened since the last fold
        self._oldest_opened = 0  # the first event of it
        self._credit = 0  # evolutions that folding again may cost now
        self._asked: Battle | None = None  # the state folded last for whoever looked back: they often go on from there

    @classmethod
    def resumed(
        cls,
        ruleset: Ruleset,
        milestone: Milestone,
        past: Callable[[], Sequence[Recorded]],
        vault: Mapping[int, Mapping[str, Any]] | None = None,
        rules: str = "",
    ) -> Self:
        """The timeline of a log from a milestone on. `past` reads the events up to it, when one of them is asked for.

        Shape: `vault` as for a timeline from event 1 on; the content of what a milestone knows to be sealed is there
        """
        timeline = cls(ruleset, vault, rules, milestone.battle.version)
        n = milestone.battle.n
        timeline.events = LateEvents(n, past)
        timeline._now = milestone.battle
        timeline._keyframes = {n: milestone.battle}
        timeline._places = [n]
        timeline._runs = list(milestone.runs)
        timeline._run_start = milestone.run_start
        return timeline

    @property
    def milestone(self) -> Milestone:
        """What another timeline can be resumed from, after the last event fed."""
        return Milestone(self.now, tuple(self._runs), self._run_start)

    @property
    def missing(self) -> int:
        """How many events, the first ones, have not been read: 0 in a timeline that was not resumed."""
        return self.events.missing if isinstance(self.events, LateEvents) else 0

    def fold_past(self) -> "Timeline":
        """A timeline of the events before the milestone. Nothing changes here: it may run in another thread."""
        before = Timeline(self.ruleset, self.vault, self._rules, self._version)
        for recorded in self._before(self._places[0]):
            before.feed(recorded)
        return before

    def _before(self, n: int) -> Sequence[Recorded]:
        """The events up to `n`; read if they are missing, and not kept."""
        events = self.events
        return events.read() if isinstance(events, LateEvents) and events.missing else events[:n]

    def take_past(self, before: "Timeline") -> None:
        """Take over the events that were missing, and the keyframes among them."""
        if isinstance(self.events, LateEvents):
            self.events.put_before(before.events)
        self._keyframes = {**before._keyframes, **self._keyframes}
        self._places = sorted(self._keyframes)

    @cached_property
    def now(self) -> Battle:
        """The battle after the last event fed. It is asked for dozens of times between two events."""
        if self._opened:
            self._fold_again()
        return self._now

    def feed(self, recorded: Recorded, after: Battle | None = None) -> Battle:
        """Fold the next event. `after` is the battle after it where that is known, folded from `now` and from the event
        whole; it is then taken over.

        Returns: the battle after it; where a log opens more of its past than its length pays for, some of that may
                 not count in it yet, but does in `now`
        Raises:  BrokenInvariant if it is not the next one, WrongReference if it goes back to, or opens, what it cannot
        """
        n = recorded.n
        event: Any = recorded.event
        kind = type(event)
        if n != len(self.events) + 1:
            raise BrokenInvariant(f"event {n} after event {len(self.events)}")
        if kind is Unsealed:
            self._open(n, event)
        elif self._opened and self._credit >= len(self.events) - self._place_before(self._oldest_opened):
            self._fold_again()
        self._now = self._after(self._now, recorded) if after is None else after
        if self._opened:
            vars(self).pop("now", None)  # folded again when it is asked for
        else:
            self.now = self._now
        self.events.append(recorded)
        self._credit += EARNED
        if kind is Rewound:
            self._cut(n, event)
        if kind is Rewound or n % KEYFRAME_EVERY == 0:
            self._keep(self._now)
        return self._now

    def at(self, n: int) -> Battle:
        """The battle after event `n` (0: before the first)."""
        if not 0 <= n <= self.now.n:
            raise BrokenInvariant(f"no event {n}: the log has {self.now.n}")
        return self._now if n == self._now.n else self._folded_to(n)

    def along(self, first: int = 1, last: int | None = None) -> Iterator[tuple[Battle, Recorded]]:
        """The events from `first` to `last` (None: to the end), each with the battle before it. That is folded on from
        one event to the next, which takes less than asking `at` for each."""
        battle = self.at(first - 1)
        for recorded in self.events[first - 1 : last]:
            yield battle, recorded
            battle = self._after(battle, recorded)

    def whole(self, recorded: Recorded) -> Event:
        """An event with its private part, where the vault has it or the log has opened it."""
        content = self.vault.get(recorded.n) or self._opened.get(recorded.n)
        return opened(recorded.event, content) if content and _is_sealed(recorded.event) else recorded.event

    def counts(self, n: int) -> bool:
        """Whether an event counts: no rewind has taken it back."""
        return self._run_start <= n <= len(self.events) or is_within(self._runs, n)

    def voided(self) -> list[Span]:
        """The spans of events that do not count any more, in order."""
        runs = [(0, 0), *self._runs, (self._run_start, len(self.events))]
        return [(before[1] + 1, after[0] - 1) for before, after in pairwise(runs) if before[1] + 1 < after[0]]

    # --- rewinds

    def _cut(self, n: int, event: Rewound) -> None:
        """Cut the stack of what counts back to `to`; event `n` stands on it."""
        if event.to >= self._run_start:
            self._runs.append((self._run_start, event.to))
        else:
            while self._runs[-1][0] > event.to:
                self._runs.pop()
            self._runs[-1] = self._runs[-1][0], event.to
        self._run_start = n

    # --- folding

    def _after(self, battle: Battle, recorded: Recorded) -> Battle:
        n, event = recorded.n, recorded.event
        if type(event) is Rewound:
            return self._rewound(battle, n, event)
        if not _is_sealed(event):
            return evolve_battle(self.ruleset, battle, event, n)
        content = self.vault.get(n)
        return evolve_battle(self.ruleset, battle, event if content is None else opened(event, content), n, True)

    def _rewound(self, battle: Battle, n: int, event: Rewound) -> Battle:
        if n > len(self.events) and not self.counts(event.to):  # it is being fed
            raise WrongReference(n, "bad-rewind", event.to)
        then = self._folded_to(event.to)
        self._keep(then)  # it may be gone back to again
        return rewound(then, battle, n, battle.game.rewinds + 1)

    def _folded_to(self, n: int) -> Battle:
        """The battle after event `n`, from the keyframe before it; no rewind stands between them."""
        self._reach(n)
        start = self._place_before(n)
        battle, asked = self._keyframes[start], self._asked
        if asked is not None and start < asked.n <= n:
            battle = asked
        for recorded in self.events[battle.n : n]:
            battle = self._after(battle, recorded)
        self._asked = battle
        return battle

    def _reach(self, n: int) -> None:
        """Read what is missing, if event `n` is before the first keyframe."""
        if n < self._places[0]:
            self.take_past(self.fold_past())

    def _keep(self, battle: Battle) -> None:
        if battle.n not in self._keyframes:
            insort(self._places, battle.n)
        self._keyframes[battle.n] = battle

    def _place_before(self, n: int) -> int:
        """The newest keyframe that is not behind event `n`."""
        return self._places[bisect_right(self._places, n) - 1]

    # --- what the log opens

    def _open(self, n: int, event: Unsealed) -> None:
        if not 1 <= event.n < n or not self._has_sealed(event.n):
            raise WrongReference(n, "bad-opening", event.n)
        if event.n not in self.vault:
            self._oldest_opened = min(self._oldest_opened, event.n) if self._opened else event.n
            self._opened[event.n] = event.content

    def _has_sealed(self, n: int) -> bool:
        """Whether an event has a private part; of one that is missing the vault says so."""
        return n in self.vault if n <= self.missing else _is_sealed(self.events[n - 1].event)

    def _fold_again(self) -> None:
        """What has been opened was so from the beginning: fold again from there on."""
        self._reach(self._oldest_opened - 1)
        start = self._place_before(self._oldest_opened - 1)
        self.vault.update(self._opened)
        self._opened.clear()
        self._asked = None
        battle = self._keyframes[start]
        for recorded in self.events[start:]:
            battle = self._after(battle, recorded)
            if recorded.n in self._keyframes:
                self._keyframes[recorded.n] = battle
        self._now = battle
        self._credit -= len(self.events) - start


def _is_sealed(event: Event) -> bool:
    return getattr(event, "sealed", UNSET) is not UNSET


def is_within(spans: Sequence[Span], n: int) -> bool:
    """Whether an event is in one of some spans, which are in order."""
    at = bisect_right(spans, n, key=lambda span: span[0])
    return at > 0 and spans[at - 1][1] >= n


def vault_of(events: list[Recorded]) -> dict[int, Mapping[str, Any]]:
    """What a log itself has opened: the content of each sealed event, by n."""
    return {recorded.event.n: recorded.event.content for recorded in events if isinstance(recorded.event, Unsealed)}


def catalogue_of(ruleset: Ruleset) -> dict[str, type[Event]]:
    """Every event type that a log of this game may have: the core's and its own."""
    return {**CORE_EVENTS, **ruleset.events}
