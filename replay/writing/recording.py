"""One battle in memory while it is written: fold, chain, streams, secrets.

A `Recording` turns facts into lines and hashes (`prepare`) and adopts them once they are durable (`adopt`). It knows no
store and no network: the library and `demo` play on it alone, the server's live battles add a store.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import UNSET, Struct

from domain.basics.errors import BrokenInvariant, Refusal
from domain.contract import dispute_lines
from domain.contract.ruleset import Ruleset
from domain.disputes.inputs import enter_dispute
from domain.engine.draws import draws_of, look_of
from domain.events.battle import INPUTS, BattleOpened, Event, Fact, RulesChanged, Seen, Text
from domain.log import record
from domain.log.fairness import LENGTH
from domain.log.keys import HostKeys
from domain.log.record import Header, Recorded
from domain.run import inputs, leaving
from domain.run.block_writer import Entered, Secret, Secrets
from domain.run.inputs import Entry, Phrase
from domain.run.own_word import OwnWord
from domain.run.seats import Battle, Seat
from domain.run.terms import USUAL_TERMS, Terms
from domain.run.timeline import Milestone, Timeline, catalogue_of
from domain.time import clock, silence
from domain.time.clock import ClockFace, Clocks
from replay.called_off import calling_off
from replay.writing.dealer import Dealer, SeededChance
from replay.writing.signatures import require_right

HASH_BYTES = 32

IN_MEMORY, STATE_IN_MEMORY, SECRET_IN_MEMORY = 4, 8, 1000
"""About how many bytes of memory a byte of a line takes, one of an encoded state (which leaves out whatever has its
default), and the secret part of an event."""

TIMED = INPUTS | clock.TIMED_FACTS
"""What clocks may change with."""

Scenario = Mapping[str, Any] | tuple[Fact, ...]
"""A scenario, parsed; or what `domain.run.inputs.facts_of_opening` has made of it."""
Row = tuple[str, bytes, bytes]
"""One event: type, canonical line without hash, hash_n."""

StoredPast = Callable[[], Sequence[tuple[bytes, bytes]]]
"""Reads (line, hash_n) of the events, from event 1 on, that a recording was resumed without."""


class RecordingPosition(Struct, frozen=True):
    """What a recording goes on from at an event, without the events before: where its timeline stands, hash_n, the
    clocks, the newest change of rules, the streams that may still be drawn from, as (period, scope, key, position), and
    the bytes of all lines so far. `size` is that of the state in bytes, 0 where nobody has encoded it."""

    milestone: Milestone
    head: bytes
    clocks: Clocks | None
    rules_changed: int
    streams: tuple[tuple[int, str, bytes, int], ...]
    written: int
    size: int = 0


class Batch(Struct, frozen=True):
    """One append, prepared: the rows for the store, and the new state to adopt after the commit."""

    entered: tuple[Entered, ...]
    recorded: tuple[Recorded, ...]
    rows: tuple[Row, ...]
    secrets: Mapping[int, Secret]
    chance: Any = None


class _Dealing:
    """Deals the chance of one append, and remembers it until after the commit."""

    def __init__(self, dealer: Dealer) -> None:
        self._dealer = dealer
        self.chance: SeededChance | None = None

    def __call__(self, battle: Battle) -> SeededChance:
        self.chance = self._dealer.deal(battle)
        return self.chance


class Recording:
    """One battle. `head` is hash_n of the last event; `vault` has the sealed parts by n."""

    def __init__(
        self,
        header: Header,
        master: bytes,
        ruleset: Ruleset,
        salt: Callable[[], bytes],
        key_length: int = LENGTH,
    ) -> None:
        self.header = header
        self.header_line = record.encode_header(header)
        self.ruleset = ruleset
        self._catalogue = catalogue_of(ruleset)
        self.timeline = Timeline(ruleset, rules=header.rules, version=header.version)
        self.vault: dict[int, Secret] = {}
        self._salt = salt
        self._take_keys(master, key_length)
        self.clocks: Clocks | None = None  # as of the last input; none in a battle without a pace
        self.rules_changed = 0  # the newest event since which other rules judge
        self.head = record.first_hash(self.header_line)
        self.newest_at = header.created  # the time of the last event
        self._hashes = bytearray()  # hash_1, hash_2 …, or those since the position resumed from
        self._unhashed = 0  # events at the start whose hashes are not in memory
        self._past: StoredPast = tuple
        self._resumed: RecordingPosition | None = None
        self.snapshot_n = 0  # the event of its newest snapshot
        self.written = 0  # bytes of all lines

    def _take_keys(self, master: bytes, length: int) -> None:
        seats = self.ruleset.seats.seeding
        keys = HostKeys(master, self.gid, seats, length)
        self.dealer = Dealer(keys, seats)
        self.secrets = Secrets(keys, self._salt, self.vault)

    @property
    def gid(self) -> str:
        """The id of the battle."""
        return self.header.battle

    @property
    def battle(self) -> Battle:
        """The current battle, in full."""
        return self.timeline.now

    def known(self, side: str) -> Any:
        """The game as a side knows it ("" for a stranger)."""
        return self.ruleset.secrets.known(self.battle.game, side)

    def is_secret_of(self, side: str, n: int) -> bool:
        """Whether event `n` has a part that this side alone may see."""
        secret = self.vault.get(n)
        return secret is not None and secret.seat == side

    def seen(self, side: str, recorded: Recorded) -> Event:
        """An event as a side may see it: with its private part, if it is the side's own."""
        return self.timeline.whole(recorded) if self.is_secret_of(side, recorded.n) else recorded.event

    def clock(self, at: str) -> Mapping[str, ClockFace]:
        """What the clocks show at a moment, by side; empty in a battle without a pace."""
        return clock.faces(self.clocks, self.ruleset, self.battle, at) if self.clocks else {}

    def silent_since(self, side: str, at: str) -> int:
        """The event since which a side has been silent, 0 if it has not (CORE-DSP-12)."""
        return silence.silent_since(self.ruleset, self.battle, self.clocks, self.timeline.events, side, at)

    @property
    def size(self) -> int:
        """About how many bytes of memory the recording takes."""
        missing = self._resumed if self.timeline.missing else None
        lines = self.written - (missing.written if missing else 0)
        state = self._resumed.size if self._resumed else 0
        return IN_MEMORY * lines + STATE_IN_MEMORY * state + SECRET_IN_MEMORY * len(self.vault)

    # --- heads

    def newest_head(self) -> Seen | None:
        """The newest head, as somebody who has seen it names it; None before the first event."""
        return self.head_at(self.battle.n) if self.battle.n else None

    def head_beginning(self, digits: str) -> Seen | None:
        """The newest head whose hash begins with these 16 hex digits, as our letters name it; None if there is none."""
        self._recall_hashes()
        start, sought = len(self._hashes), bytes.fromhex(digits)
        while (start := self._hashes.rfind(sought, 0, start)) >= 0:
            if start % HASH_BYTES == 0:
                return self.head_at(start // HASH_BYTES + 1)
            start += len(sought) - 1
        return None

    def require_own_head(self, seen: Seen | None) -> None:
        """Refuse a head that is not one of this log: the player has been shown another history.

        Raises: Refusal core.other-history
        """
        if seen is not None and (not 0 < seen.n <= self.battle.n or self.head_at(seen.n) != seen):
            raise Refusal("core.other-history", "CORE-FAIR", n=seen.n, hash=seen.hash[:64])

    def head_at(self, n: int) -> Seen:
        """The head at event `n`, as somebody who has seen it names it."""
        if n <= self._unhashed:
            self._recall_hashes()
        place = (n - 1 - self._unhashed) * HASH_BYTES
        return Seen(self._hashes[place : place + HASH_BYTES].hex(), n)

    def _recall_hashes(self) -> None:
        if self._unhashed:
            past = b"".join(hash_ for _, hash_ in self._past())  # that of the position is here already
            self._hashes[:0] = past[: self._unhashed * HASH_BYTES]
            self._unhashed = 0

    # --- inputs, prepared

    def facts_of(self, scenario: Scenario) -> tuple[Fact, ...]:
        """What opens a battle of a scenario. Raises: Refusal of the ruleset for a bad one; core.bad-text"""
        return scenario if isinstance(scenario, tuple) else inputs.facts_of_opening(self.ruleset, scenario)

    def open(self, scenario: Scenario, readers: str, at: str, pace: str = "", terms: Terms = USUAL_TERMS) -> Batch:
        """The battle's first append."""
        return self.prepare(self.opening(scenario, readers, pace, terms), at)

    def opening(self, scenario: Scenario, readers: str, pace: str, terms: Terms) -> tuple[Entered, ...]:
        """What the first append records."""
        facts = self.facts_of(scenario)
        return inputs.open_battle(self.ruleset, facts, self.secrets, readers, pace, terms, self.header.version)

    def join(self, seat: Seat, phrases: Mapping[str, Phrase], at: str, word: OwnWord | None = None) -> Batch:
        """A player takes a side; one with a key gives their word (header version 3)."""
        self.require_own_head(word.seen if word else None)
        dealing = _Dealing(self.dealer)
        silent = self.silent_since(seat.side, at) if self.battle.named_for(seat.side, seat.player) else 0
        entered = inputs.join(self.ruleset, self.battle, seat, dealing, self.secrets, phrases, silent, word)
        require_right(self.gid, self.battle, entered)
        return self.prepare(entered, at, dealing.chance)

    def leave(self, side: str, reason: str, at: str, word: OwnWord | None = None) -> Batch:
        """A player gives a side back before the start, by their word where the seat signs all."""
        self.require_own_head(word.seen if word else None)
        entered = leaving.leave(self.ruleset, self.battle, side, reason, self.secrets, word)
        require_right(self.gid, self.battle, entered)
        return self.prepare(entered, at)

    def stop(self, how: str, reason: str, at: str) -> Batch:
        """The host ends the battle without a winner, or whoever opened it cancels it before it begins."""
        return self.prepare(leaving.stop(self.ruleset, self.battle, how, reason, self.secrets), at)

    def call_off(self, effect: str, at: str) -> Batch:
        """The campaign of the battle has decided it (CAM-LOG-05). The caller has seen that all events are in memory.

        Raises: Refusal as `calling_off`
        """
        facts = calling_off(self.timeline, effect)
        return self.prepare(inputs.enter_facts(self.ruleset, self.battle, facts, self.secrets), at)

    def contribute(self, side: str, phrase: Phrase, at: str, seal: str = "") -> Batch:
        """A contribution alone; an empty batch if none is owed."""
        self.require_own_head(phrase.seen)
        dealing = _Dealing(self.dealer)
        entered = inputs.contribute(self.ruleset, self.battle, side, dealing, self.secrets, phrase, seal)
        require_right(self.gid, self.battle, entered)
        return self.prepare(entered, at, dealing.chance)

    def change_book(self, side: str, anchor: Phrase, at: str) -> Batch:
        """Another book of seals; an empty batch if it is the one in use."""
        self.require_own_head(anchor.seen)
        entered = inputs.change_book(self.ruleset, self.battle, side, anchor, self.secrets)
        require_right(self.gid, self.battle, entered)
        return self.prepare(entered, at)

    def order(self, entry: Entry, at: str) -> Batch:
        """One order; a `Refusal` if it may not be given."""
        self.require_own_head(entry.seen)
        if entry.seen is not None and entry.seen.n < self.rules_changed:
            raise Refusal("core.rules-changed", "CORE-RULES", n=self.rules_changed, rules=self.battle.rules)
        dealing = _Dealing(self.dealer)
        order = dispute_lines.read(entry.text, self.ruleset.seats)
        if order is None:
            entered = inputs.enter_order(self.ruleset, self.battle, entry, dealing, self.secrets)
        else:
            log, flags = self.timeline, clock.flagged(self.clocks, self.ruleset, self.battle, at)
            silent = silence.silent_side(self.ruleset, self.battle, self.clocks, log.events, order, at)
            entered = enter_dispute(
                self.ruleset, self.battle, entry, order, self.secrets, log, at, flags, silent, dealing
            )
        require_right(self.gid, self.battle, entered)
        return self.prepare(entered, at, dealing.chance)

    def fire_clock(self, what: str, side: str, at: str, text: Text = UNSET, word: OwnWord | None = None) -> Batch:
        """A clock event, or a side's request about time; a `Refusal` if it is not allowed."""
        self.require_own_head(word.seen if word else None)
        facts = clock.fired(self.clocks, self.ruleset, self.battle, what, side, at, text, word)
        entered = inputs.enter_facts(self.ruleset, self.battle, facts, self.secrets)
        require_right(self.gid, self.battle, entered)
        return self.prepare(entered, at)

    def moment(self, now: str) -> str:
        """The time of an event that is written now: whatever the clock says, time in a log never goes back."""
        return max(now, self.newest_at)

    def prepare(self, entered: Sequence[Entered], now: str, chance: SeededChance | None = None) -> Batch:
        """Lines and hashes for facts; nothing is adopted yet.

        Raises: BrokenInvariant for what the reader of the log would refuse
        """
        at = self.moment(now)
        rows: list[Row] = []
        recorded: list[Recorded] = []
        secrets: dict[int, Secret] = {}
        head, n = self.head, self.battle.n
        for item in entered:
            n += 1
            fact = item.fact
            kind = record.type_name(type(fact.event))
            if self._catalogue.get(kind) is not type(fact.event):
                raise BrokenInvariant(f"event {n} would be refused by its reader: unknown-type {kind}")
            line = record.encode(n, at, fact, at if rows else self.newest_at)
            head = record.next_hash(head, line)
            rows.append((kind, line, head))
            recorded.append(Recorded(n, at, fact.by, fact.rule, kind, fact.event))
            if item.secret:
                secrets[n] = item.secret
        return Batch(tuple(entered), tuple(recorded), tuple(rows), secrets, chance)

    def adopt(self, batch: Batch) -> None:
        """Adopt a durable batch: the battle continues from it."""
        for n, secret in batch.secrets.items():
            self.vault[n] = secret
            self.timeline.vault[n] = msgspec.json.decode(secret.content)
        is_folded = self.battle.n > 0  # the writer of an opening does not know what the header says of the rules
        for recorded, entered in zip(batch.recorded, batch.entered, strict=True):
            self._feed(recorded, entered.after if is_folded else None)
        for _, line, head in batch.rows:
            self._pass(line, head)
        if batch.chance is not None:
            self.dealer.adopt(batch.chance)

    def _feed(self, recorded: Recorded, after: Battle | None = None) -> None:
        self.newest_at = recorded.at
        if recorded.n == 1:
            self._require_key_length(recorded.event)
            self.clocks = clock.opened_clocks(recorded.event, recorded.at, self.ruleset.seats)
        elif self.clocks and type(recorded.event) in TIMED:
            self.clocks = clock.evolve_clocks(self.clocks, self.ruleset, self.battle, recorded)
        if isinstance(recorded.event, RulesChanged):
            self.rules_changed = recorded.n
        self.timeline.feed(recorded, after)

    def _require_key_length(self, opened: Event) -> None:
        """Take the length of the chains that the battle was opened with."""
        keys = self.secrets.keys
        if isinstance(opened, BattleOpened) and opened.keys is not UNSET and opened.keys.length != keys.length:
            self._take_keys(keys.master, opened.keys.length)

    def _pass(self, line: bytes, head: bytes) -> None:
        self.written += len(line)
        self.head = head
        self._hashes += head

    def _recall_draws(self, recorded: Recorded) -> None:
        battle, event = self.battle, self.timeline.whole(recorded)
        looker = look_of(event, recorded.by)
        pile = self.ruleset.draws.pile(battle.game, looker) if looker else ()
        self.dealer.recall(battle, draws_of(event, recorded.by, battle.game.rewinds, pile))

    # --- coming back

    @property
    def position(self) -> RecordingPosition:
        """What another recording can be resumed from, now."""
        streams = self.dealer.streams_since(self.battle.period)
        return RecordingPosition(
            self.timeline.milestone, self.head, self.clocks, self.rules_changed, streams, self.written
        )

    def resume(self, position: RecordingPosition, at: str, past: StoredPast) -> None:
        """Go on from a position in the log; `at` is the time of its event. `past` is asked only by those who look at
        what came before."""
        battle = position.milestone.battle
        if battle.key_length != self.secrets.keys.length:
            self._take_keys(self.secrets.keys.master, battle.key_length)
        catalogue = self._catalogue  # not of `self`: a battle that leaves the memory is gone at once

        def read() -> list[Recorded]:
            return [record.decode(line, catalogue) for line, _ in past()]

        self.timeline = Timeline.resumed(self.ruleset, position.milestone, read, self.timeline.vault, self.header.rules)
        self.head = position.head
        self.newest_at = at
        self.clocks = position.clocks
        self.rules_changed = position.rules_changed
        self.written = position.written
        self.dealer.resume(position.streams)
        self._hashes += position.head
        self._unhashed = battle.n - 1
        self._past = past
        self._resumed = position
        self.snapshot_n = battle.n

    def recall(self, lines: Sequence[tuple[bytes, bytes]], vault: Mapping[int, Secret]) -> None:
        """Fold a log read back from the store: (line, hash_n) from event 1 on, or behind the position resumed from.

        Shape: `vault` what is sealed, of all events
        """
        self.vault.update(vault)
        self.timeline.vault.update({n: msgspec.json.decode(secret.content) for n, secret in vault.items()})
        for line, head in lines:
            recorded = record.decode(line, self._catalogue)
            self._recall_draws(recorded)
            self._feed(recorded)
            self._pass(line, head)
