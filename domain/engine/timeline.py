"""Fold the log of a battle, and go back to any event of it.

What holds:
- `Timeline` is the only reader of logs that knows of rewinds. After a `Rewound` the state is again that after event
  `to`; seats, seals and the count of rewinds are not taken back (`domain.engine.seats.rewound`).
- Events stay. What a rewind took back is marked (`voided`), never removed: numbers and hashes go on.
- The vault may be empty, hold one side's secrets, or all of them. Two timelines with the same log and the same vault
  are equal, and the fold of a log that has opened everything equals the fold that knew everything from the start.
- A keyframe every `KEYFRAME_EVERY` events: any event is reached by folding fewer than that many.

An `Unsealed` event changes the past: the sealed event counts whole from its own place on. Such events come in runs, one
for each secret, so `feed` only notes the earliest event that was opened; the fold from there on is made once, before
anything else is looked at. Keyframes behind that point are made anew on the way.

Rejected: undoing events for a rewind (each evolution would need an inverse, and a secret opened later could not be put
under what came after it); a state for each event (a long battle would hold thousands); folding again at every
`Unsealed` (the end of a battle opens all secrets at once, which made the time quadratic).
"""

from collections.abc import Mapping
from typing import Any

from msgspec import UNSET

from domain.engine.errors import BrokenInvariant
from domain.engine.events import CORE_EVENTS, Event, Unsealed
from domain.engine.seats import Battle, evolve_battle, rewound
from domain.log.record import Recorded, opened
from domain.ruleset import Ruleset

KEYFRAME_EVERY = 128
"""Events between two keyframes: a seek folds fewer than this many."""


class Timeline:
    """A log being folded, from event 1 on; every event of it can be gone back to.

    `now` is the battle after the last event fed. `events` holds them all, `events[n - 1]` being
    event n. Where the log is sealed, `vault` has the content of sealed events by n: with it the fold
    is the full one, without it that of a stranger, who knows an event from the moment that the log
    opens it.
    """

    def __init__(self, ruleset: Ruleset, vault: Mapping[int, Mapping[str, Any]] | None = None, rules: str = "") -> None:
        """`rules` is the version that the log's header names; "" for the ruleset's own."""
        self.ruleset = ruleset
        self.vault = dict(vault or {})
        self.events: list[Recorded] = []
        self._now = Battle(0, ruleset.rules.initial, rules=rules or ruleset.version)
        self._opened = 0  # the earliest event opened since the last fold; 0: none
        self._keyframes = {0: self._now}
        self._rewinds: list[tuple[int, int]] = []

    @property
    def now(self) -> Battle:
        """The battle after the last event fed."""
        if self._opened:
            self._fold_again()
        return self._now

    def feed(self, recorded: Recorded) -> Battle:
        """Fold the next event. What several opened events change is folded once, before anything else."""
        event = recorded.event
        now = self._now if isinstance(event, Unsealed) else self.now
        if recorded.n != now.n + 1:
            raise BrokenInvariant(f"event {recorded.n} after event {now.n}")
        self.events.append(recorded)
        if isinstance(event, Unsealed) and event.n not in self.vault:
            self.vault[event.n] = event.content
            self._opened = min(event.n, self._opened or event.n)
        self._now = self._after(now, recorded)
        if recorded.n % KEYFRAME_EVERY == 0:
            self._keyframes[recorded.n] = self.now
        return self._now

    def _fold_again(self) -> None:
        """Fold again from the earliest event that has been opened: it counts whole from its own place on."""
        first, self._opened = self._opened, 0
        start = (first - 1) - (first - 1) % KEYFRAME_EVERY
        battle = self._keyframes[start]
        for recorded in self.events[start:]:
            battle = self._after(battle, recorded)
            if recorded.n % KEYFRAME_EVERY == 0:
                self._keyframes[recorded.n] = battle
        self._now = battle

    def at(self, n: int) -> Battle:
        """The battle after event `n` (0: before the first)."""
        if not 0 <= n <= self.now.n:
            raise BrokenInvariant(f"no event {n}: the log has {self.now.n}")
        if n == self.now.n:
            return self._now
        start = n - n % KEYFRAME_EVERY
        battle = self._keyframes[start]
        for recorded in self.events[start:n]:
            battle = self._after(battle, recorded)
        return battle

    def whole(self, recorded: Recorded) -> Event:
        """An event with its private part, where the vault has it."""
        content = self.vault.get(recorded.n)
        return opened(recorded.event, content) if content is not None else recorded.event

    def voided(self) -> list[tuple[int, int]]:
        """The spans (first, last) of events that do not count any more, in order.

        A rewind may itself be taken back; then what it had voided counts again.
        """
        spans: list[tuple[int, int]] = []
        end = self.now.n
        for to, last in reversed(self._rewinds):
            if last < end:
                spans.append((to + 1, last))
                end = to
        return spans[::-1]

    def _after(self, battle: Battle, recorded: Recorded) -> Battle:
        to = getattr(recorded.event, "to", None) if recorded.type == "Rewound" else None
        if to is None:
            is_sealed = getattr(recorded.event, "sealed", UNSET) is not UNSET
            return evolve_battle(self.ruleset, battle, self.whole(recorded), recorded.n, is_sealed)
        if (to, recorded.n - 1) not in self._rewinds:
            self._rewinds.append((to, recorded.n - 1))
        rewinds = sum(1 for _, last in self._rewinds if last < recorded.n)
        return rewound(self.at(to), battle, recorded.n, rewinds)


def vault_of(events: list[Recorded]) -> dict[int, Mapping[str, Any]]:
    """What a log itself has opened: the content of each sealed event, by n."""
    return {recorded.event.n: recorded.event.content for recorded in events if isinstance(recorded.event, Unsealed)}


def catalogue_of(ruleset: Ruleset) -> dict[str, type[Event]]:
    """Every event type that a log of this game may have: the core's and its own."""
    return {**CORE_EVENTS, **ruleset.events}
