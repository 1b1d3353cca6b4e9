"""One battle being played: in memory, with the store behind it.

A `LiveBattle` is a `Recording` whose appends are durable. Whoever changes it holds `lock`: orders of one battle queue,
orders of different battles do not wait for each other. Nothing is visible before the commit: draws are adopted, and
listeners notified, only after the store has answered. If the outcome of an append is unknown (a failing disk, a
cancelled caller), the memory is no longer trusted and the battle is read again.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from itertools import islice
from typing import Any

from msgspec import Struct

from domain.basics.errors import Refusal
from domain.basics.seats import Seats
from domain.contract.option import Option
from domain.contract.ruleset import Ruleset
from domain.events.battle import BattleEnded, DecisionAsked, DecisionMade, Rewound, Seen
from domain.run.decide import to_act
from domain.run.seats import Battle
from domain.time.clock import ClockFace
from replay.proof import notes
from replay.writing.clock import Clock
from replay.writing.recording import Batch, Recording
from server.limits import UNLIMITED, Limits
from server.play.announcing import announced
from server.play.rules_version import is_played_on
from server.store import (
    Append,
    CommandRecord,
    Conflict,
    Duplicate,
    EventStore,
    Opening,
    Overloaded,
    Statement,
    Unmatched,
    Violated,
)
from server.store.tables import closings, holdings, parked, requests, vault
from server.watched_clock import is_doubted

SEALED = "sealed"
"""The kind of the vault's rows that hold private members of events."""
ENDED = BattleEnded.__name__
TAIL = 128
"""Events kept in memory for streams."""

BESIDE = 16_384
"""Bytes of memory that a live battle takes besides its recording and its tail, about."""
TAIL_LINE = 600
"""And a line of the tail."""

StoredLine = tuple[int, bytes, bytes]
"""An event as stored: n, hash_n, line without hash."""


class Alongside(Struct, frozen=True):
    """Statements in the transaction of an append besides its events. `is_quiet`: it causes no letters."""

    command: CommandRecord | None = None
    also: Sequence[Statement] = ()
    opens: Opening | None = None
    is_quiet: bool = False


NOTHING_ELSE = Alongside()

Make = Callable[[Recording, str], Batch]
"""Prepares an append, for the current battle and time; may refuse."""
Attach = Callable[[Batch], Alongside]
"""Determines what accompanies the append, given its events."""
WriteLetters = Callable[["LiveBattle", Batch, str], Sequence[Statement]]
"""Makes the letters (outbox rows) that an append causes; the live battle is in its state before it."""
FindBattle = Callable[[str], Awaitable["LiveBattle"]]
"""Finds a battle of the server by its id; may refuse."""
Listener = Callable[["LiveBattle", Batch], None]
"""Called for each append after its commit; must be quick."""


def events_alone(batch: Batch) -> Alongside:
    """An append of events alone."""
    return NOTHING_ELSE


def newest_echo(live: "LiveBattle", heads: Sequence[str]) -> Seen | None:
    """The newest of the heads that a mail echoes, 16 hex digits each; those of other battles are not of this log."""
    found = [seen for digits in heads if (seen := live.recording.head_beginning(digits))]
    return max(found, key=lambda seen: seen.n, default=None)


async def _alone(battle: str) -> "LiveBattle":
    raise Refusal("core.unknown-battle", "CORE-ACCESS", battle=battle)


class LiveBattle:
    """One live battle. `listeners` belong to this battle; `everybody` is notified about all battles. `parked` are the
    waiting scripts, by side; `foreign_note` is the checkpoint of a battle that another host has signed, which needs no
    `signer`; `limits` has what one account may hold; `operators` are who runs the server."""

    def __init__(
        self,
        recording: Recording,
        store: EventStore,
        clock: Clock,
        recalled: Callable[[], Recording],
        everybody: Sequence[Listener] = (),
        letters: WriteLetters | None = None,
        parked_scripts: Mapping[str, parked.ParkedScript] | None = None,
        foreign_note: str = "",
        limits: Limits = UNLIMITED,
        operators: Collection[str] = (),
        signer: notes.Signer | None = None,
    ) -> None:
        self.id = recording.gid
        self.recording = recording
        self.store = store
        self.limits = limits
        self._clock = clock
        self.lock = asyncio.Lock()
        self.listeners: set[Listener] = set()
        self.hearers: set[Callable[[], None]] = set()  # told that a player has said something to the other
        self.watchers: set[Callable[[], None]] = set()  # told that a spectator has said something
        self.parked = dict(parked_scripts or {})
        self.cut: dict[str, tuple[str, str]] = {}  # by side: (account, key) of a request that a failure cut
        self.tail: deque[StoredLine] = deque(maxlen=TAIL)
        self.frames: tuple[int, int, int, bytes, bytes] | None = None  # sent last by streams (server.web.api.streams)
        self.foreign_note = foreign_note
        self.closed = ""  # how it was closed here (server.store.tables.closings), "" while it is open
        self.operators = operators
        self.spectators_talk = True  # the host lets them (server.settings)
        self.weighed: Callable[[LiveBattle], None] = lambda live: None  # told that more of it is in memory
        self.other: FindBattle = _alone  # finds other battles of the server
        self._recalled = recalled
        self._signer = signer
        self._everybody = everybody
        self._letters = letters
        self._is_stale = False
        self._options: dict[str, tuple[int, Sequence[Option]]] = {}
        self._note: tuple[int, str] | None = None
        self._acting: tuple[Battle | None, tuple[str, ...]] = (None, ())  # to act, in a battle that is not halted

    # --- looking

    def heard(self) -> None:
        """Tell the open pages of the players that something was said."""
        for hearer in tuple(self.hearers):
            hearer()

    def tell_spectators(self) -> None:
        """Tell the open pages of spectators that one of them has said something. Each asks whether its reader still is
        one."""
        for watcher in tuple(self.watchers):
            watcher()

    @property
    def ruleset(self) -> Ruleset:
        """Its game."""
        return self.recording.ruleset

    @property
    def n(self) -> int:
        """Its last event."""
        return self.recording.timeline.now.n

    @property
    def size(self) -> int:
        """About how many bytes of memory the battle takes."""
        return BESIDE + TAIL_LINE * len(self.tail) + self.recording.size

    @property
    def game(self) -> Any:
        """Its whole state, for the server alone. Anything shown to others is made from `known`."""
        return self.recording.timeline.now.game

    def known(self, side: str) -> Any:
        """The state as a side knows it ("" for a stranger)."""
        return self.recording.known(side)

    def to_act(self) -> tuple[str, ...]:
        """The sides whose orders, or first contributions, the battle waits for; none before the start and after the
        end, when it is closed, and while a docket halts play."""
        battle = self.recording.timeline.now
        if self.closed or battle.is_halted or battle.stopped is not None:
            return ()
        of, acting = self._acting
        if of is not battle:
            acting = to_act(self.recording.ruleset, battle.game) or battle.owing
            self._acting = battle, acting
        return acting

    def clock(self, at: str) -> Mapping[str, ClockFace]:
        """What the clocks show at a moment, by side; empty in a battle without a pace, or that is over."""
        return self.recording.clock(at)

    def now(self) -> str:
        """The time, as the log writes it."""
        return self._clock.now()

    @property
    def is_clock_doubted(self) -> bool:
        """Whether the clock cannot be believed now: nobody loses anything by the time."""
        return is_doubted(self._clock)

    @property
    def seats(self) -> Seats:
        """The seats of the game that is played."""
        return self.ruleset.seats

    def asks_another(self, side: str) -> bool:
        """Whether another side than this must decide something before anything else can happen."""
        return self.question() in self.seats.others(side)

    def question(self) -> str:
        """The side that must decide something before anything else can happen, or ""."""
        return self.game.waiting.side if self.game.waiting else ""

    def options(self, side: str) -> Sequence[Option]:
        """What a side may order now; computed once per event and side."""
        n, listed = self._options.get(side, (-1, ()))
        if n != self.n:
            listed = self.ruleset.orders.options(self.known(side), side)
            self._options[side] = (self.n, listed)
        return listed

    def note(self) -> str:
        """The signed head, signed once however often it is requested; that of its own host if it was imported."""
        n = self.n
        if self._note is None or self._note[0] != n:
            self._note = (n, self.signed(n, self.recording.head))
        return self._note[1]

    def signed(self, n: int, head: bytes) -> str:
        """The note over its head at event `n`, under the name and with the key of its opening; that of its own host if
        it was imported."""
        if self.foreign_note:
            return self.foreign_note
        assert self._signer is not None
        return notes.sign_head(self._signer, notes.Head(notes.origin(self.recording.header.host, self.id), n, head))

    def lines(self, after: int, limit: int | None = None) -> list[StoredLine]:
        """The public lines of the events after `after`: from memory if they are recent, else from the store."""
        if after >= self.n:
            return []
        if self.tail and self.tail[0][0] <= after + 1:
            start = after + 1 - self.tail[0][0]
            return list(islice(self.tail, start, None if limit is None else start + limit))
        return self.store.read(self.id, after, limit)

    async def remember(self) -> None:
        """Have the past in memory, not only what came since a snapshot: whoever is going to look at older events asks
        for it beforehand, so that nobody has to wait while it is read."""
        timeline = self.recording.timeline
        if timeline.missing:
            timeline.take_past(await asyncio.to_thread(timeline.fold_past))
            self.weighed(self)

    async def reach(self, n: int) -> None:
        """Have event `n`, which is in the store. An append is there before it is in memory: a reader who has heard of
        it waits until it is; what another process has appended is read. The caller does not hold the lock."""
        if self.n < n:
            async with self.lock:
                if self.n < n:
                    await self.reread()

    # --- changing; the caller holds the lock

    async def freshen(self) -> None:
        """Reread the battle if its memory cannot be trusted."""
        if self._is_stale:
            await self.reread()

    async def reread(self) -> None:
        """Reread the battle from the store."""
        self._is_stale = True
        self.recording = await asyncio.to_thread(self._recalled)
        self.parked = parked_at(self.store, self.id)
        self.tail.clear()
        self.frames = None
        self._options.clear()
        self._note = None
        self._is_stale = False

    async def append(self, make: Make, attach: Attach = events_alone) -> Batch:
        """Prepare, store, adopt, notify. If another process was faster, try once more from the new state.

        Raises: Refusal of `make`, core.battle-closed; Conflict (twice), Duplicate, Violated, Unmatched, Overloaded,
                Closed, StoreFailed
        """
        try:
            return await self._append(make, attach)
        except Conflict:
            return await self._append(make, attach)

    async def _append(self, make: Make, attach: Attach) -> Batch:
        await self.freshen()
        if self.closed:
            raise Refusal("core.battle-closed", "CORE-END", how=self.closed)
        if not is_played_on(self.recording.header):
            raise Refusal("core.battle-closed", "CORE-END", how=closings.OUTDATED)
        at = self.recording.moment(self._clock.now())
        batch = make(self.recording, at)
        beside = attach(batch)
        if not batch.rows and beside.command is None and not beside.also:
            return batch
        recording = self.recording
        secrets = [
            vault.put(vault.VaultSecret(self.id, n, SEALED, secret.seat, secret.salt, secret.content))
            for n, secret in batch.secrets.items()
        ]
        letters = self._letters(self, batch, at) if self._letters and not beside.is_quiet else ()
        acting = {*self.to_act(), *self.parked}  # lines that wait go on by themselves
        told = announced(self.ruleset, self.id, self.recording.battle, acting, batch, at)
        dropped = self._parked_dropped() if is_rewound(batch) else ()
        over = [holdings.over(self.id)] if is_over(batch) else []
        also = (*secrets, *beside.also, *dropped, *letters, *told, *over)
        try:
            await self.store.submit(
                Append(self.id, recording.battle.n, batch.rows, beside.command, also, beside.opens, recording.head)
            )
        except (Duplicate, Violated, Unmatched, Overloaded):
            raise  # nothing was stored, and nothing else is known to have changed
        except BaseException:
            self._is_stale = True
            raise
        if dropped:
            self.parked.clear()
        self._adopt(batch)
        return batch

    def _parked_dropped(self) -> tuple[Statement, ...]:
        """What waits for an answer is not played on a board that has been taken back."""
        waiting = tuple(self.parked.values())
        ends = tuple(requests.close(script.account, script.key, self.id) for script in waiting)
        return (*(parked.drop(self.id, script.side) for script in waiting), *ends)

    def _adopt(self, batch: Batch) -> None:
        n = self.n
        self.recording.adopt(batch)
        for _, line, hash_ in batch.rows:
            n += 1
            self.tail.append((n, hash_, line))
        if not batch.rows:
            return
        self._tell(batch)

    async def close(self, how: str, reason: str = "") -> None:
        """Stop or cancel the battle: its log says so, and nothing is added to it any more, by anybody.

        Raises: Refusal core.battle-ended, core.battle-closed, core.bad-reason
        """
        beside = Alongside(also=(closings.close(self.id, self.now(), how), holdings.over(self.id)))
        await self.append(lambda recording, at: recording.stop(how, reason, at), lambda batch: beside)
        self.closed = how
        self.tell()

    def tell(self) -> None:
        """Wake all listeners without an append of ours: another process has made one."""
        self._tell(self.recording.prepare((), self._clock.now()))

    def _tell(self, batch: Batch) -> None:
        for listener in (*self.listeners, *self._everybody):
            listener(self, batch)


def is_over(batch: Batch) -> bool:
    """Whether an append ends the battle."""
    for kind, _, _ in batch.rows:  # noqa: SIM110 - `any` takes three times as long, and each order passes here
        if kind == ENDED:
            return True
    return False


def is_rewound(batch: Batch) -> bool:
    """Whether an append takes play back."""
    for recorded in batch.recorded:  # noqa: SIM110 - as above
        if isinstance(recorded.event, Rewound):
            return True
    return False


def question_after(before: str, batch: Batch) -> str:
    """The side that must decide something after an append, or ""; `before`: the side asked before it."""
    if is_rewound(batch):
        return ""
    for recorded in reversed(batch.recorded):
        event = recorded.event
        if isinstance(event, DecisionAsked):
            return event.side
        if isinstance(event, (DecisionMade, BattleEnded)):
            return ""
    return before


def parked_at(store: EventStore, battle: str) -> dict[str, parked.ParkedScript]:
    """The parked scripts of a battle by side."""
    return {script.side: script for script in parked.of_battle(store, battle)}
