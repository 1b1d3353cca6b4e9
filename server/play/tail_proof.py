"""Verify the battles of a store as they grow: each new line at once, each battle as a whole when it has come to rest.

The bytes of a tail are checked line by line, from the hash and the time where the last check ended. The protocol and
the rules judge a battle from its first event (`replay.proof.verify`), some 40 µs an event, so that is done when a turn
or the battle has ended, when nothing has been added for a while, and otherwise before a minute is over. What is known
of each battle is kept in a file, so that nothing is done twice after a restart. A fault stays, until the log of the
battle is another.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Protocol

import msgspec
from msgspec import Struct

from domain.basics.decoding import packed_decoder
from domain.catalogue import RULESETS
from domain.contract.ruleset import Ruleset
from domain.log import record
from domain.log.record import FileFault
from replay.proof import chain
from replay.proof.faults import fault_sentence
from replay.proof.verify import verify
from server.store.cache_file import CacheFile
from server.store.contract import TableRows

FILE = "proofs.db"
"""In the folder of the read models."""
QUIET_S, LONGEST_S = 10.0, 45.0
"""A battle is judged when nothing has come for so long, and at the latest so long after something has."""
ROWS = 500
POSITION = "."
"""The name under which the position in the feed is kept: no battle has it."""
RESTS = (b'"type":"KeyDisclosed"}', b'"type":"MasterRevealed"}')
"""The last line of a turn, and of a battle."""


class StoreLog(TableRows, Protocol):
    """The log of a store, read-only."""

    def states(self, battle: str, after: int, limit: int) -> list[tuple[int, bytes, bytes]]:
        """(n, hash, line) of the events after `after`; `limit` < 0 means all."""

    def lines(self, battle: str, after: int, limit: int) -> list[bytes]:
        """The same, lines only."""

    def feed(self, after: int, limit: int) -> list[tuple[int, str, int, bytes]]:
        """(position, battle, n, line) of all battles in the order of commit."""

    def position(self) -> int:
        """The last position of the feed."""


class ProofFault(Struct, frozen=True):
    """What is wrong with a battle: its first fault, at event `n`, with its code and its sentence."""

    battle: str
    n: int
    what: str
    said: str


class ProofStanding(Struct):
    """How far a battle is verified: `seen` its last event, `n` the last one whose bytes were checked, with its hash and
    time, `judged` the last one that protocol and rules have judged."""

    seen: int = 0
    n: int = 0
    hash: bytes = b""
    at: str = ""
    judged: int = 0
    fault: ProofFault | None = None

    @property
    def is_open(self) -> bool:
        """Whether something is left to verify, or to tell."""
        return self.fault is not None or self.judged < self.seen


_ENCODER, _DECODER = msgspec.msgpack.Encoder(), packed_decoder(ProofStanding)


class TailProof:
    """Verifies the battles of a store. `now_s` counts seconds."""

    def __init__(
        self,
        source: StoreLog,
        cache: CacheFile,
        now_s: Callable[[], float],
        rulesets: Mapping[str, Ruleset] = RULESETS,
    ) -> None:
        self._source, self._cache, self._now_s, self._rulesets = source, cache, now_s, rulesets
        kept = cache.all()
        self._position = int(kept.pop(POSITION, b"0"))
        if self._position > source.position():  # an older copy of the store was put back: nothing is known of it
            self._position = 0
            cache.put(dict.fromkeys(kept, b""))
            kept = {}
        standings = ((battle, _standing_in(content)) for battle, content in kept.items())
        self._open = {battle: standing for battle, standing in standings if standing.is_open and self._is_there(battle)}
        self._since: dict[str, tuple[float, float]] = {}  # when something came: first, and last
        self._resting: set[str] = set()

    @property
    def behind(self) -> int:
        """The events that are not judged yet."""
        return sum(standing.seen - standing.judged for standing in self._open.values() if standing.fault is None)

    @property
    def faults(self) -> tuple[ProofFault, ...]:
        """The first fault of each battle that has one."""
        return tuple(standing.fault for standing in self._open.values() if standing.fault is not None)

    def follow(self) -> bool:
        """Check the bytes of some events that have come; False if there are none."""
        rows = self._source.feed(self._position, ROWS)
        for position, battle, n, line in rows:
            self._position = position
            standing = self._standing(battle)
            standing.seen = max(standing.seen, n)
            if line.endswith(RESTS):
                self._resting.add(battle)
        battles = {battle for _, battle, _, _ in rows}
        for battle in battles:
            self._came(battle)
            self._check_tail(battle, self._open[battle])
        self._keep(battles)
        return bool(rows)

    def judge_one(self) -> bool:
        """Judge the battle that has waited longest, if one is due; False if none is."""
        due = [battle for battle in self._open if self._is_due(battle)]
        if not due:
            return False
        battle = min(due, key=lambda one: self._since.get(one, (0.0, 0.0))[0])
        self._judge(battle, self._open[battle])
        self._since.pop(battle, None)
        self._resting.discard(battle)
        self._keep({battle})
        return True

    def _standing(self, battle: str) -> ProofStanding:
        found = self._open.get(battle)
        if found is None:
            found = self._open[battle] = _standing_in(self._cache.get(battle) or b"")
        return found

    def _came(self, battle: str) -> None:
        now = self._now_s()
        self._since[battle] = self._since.get(battle, (now, now))[0], now

    def _is_due(self, battle: str) -> bool:
        standing, now = self._open[battle], self._now_s()
        if standing.fault is not None or standing.judged >= standing.seen:
            return False
        first, last = self._since.get(battle, (0.0, 0.0))  # a battle that a restart has left is due
        return battle in self._resting or now - last >= QUIET_S or now - first >= LONGEST_S

    def _keep(self, battles: set[str]) -> None:
        kept = {battle: _ENCODER.encode(self._open[battle]) for battle in battles if battle in self._open}
        self._cache.put({**kept, POSITION: b"%d" % self._position})
        for battle in battles:
            if battle in self._open and not self._open[battle].is_open:
                del self._open[battle]

    # --- one battle

    def _check_tail(self, battle: str, standing: ProofStanding) -> None:
        """Check the bytes behind what was checked: each line is canonical, whole, in its place, and chained."""
        try:
            if self._goes_on(battle, standing):
                if standing.fault is not None:
                    return
            else:
                standing.n, standing.judged, standing.fault = 0, 0, None
                header_line = self._header(battle)
                standing.hash, standing.at = record.first_hash(header_line), record.decode_header(header_line).created
            while rows := self._source.states(battle, standing.n, ROWS):
                for n, hash_, line in rows:
                    self._check_line(standing, n, hash_, line)
            standing.seen = standing.n
        except FileFault as fault:
            self._report_fault(battle, standing, fault)

    def _check_line(self, standing: ProofStanding, n: int, hash_: bytes, line: bytes) -> None:
        event = record.require_event_line(record.splice_hash(line, hash_), standing.n + 1, standing.at)
        chained = record.next_hash(standing.hash, line)
        if chained != hash_:
            raise FileFault(n + 1, "wrong-hash", expected=chained.hex())
        standing.n, standing.hash, standing.at = n, hash_, event.at

    def _goes_on(self, battle: str, standing: ProofStanding) -> bool:
        """Whether the log still has what was checked: it may have been removed, or put back from a backup."""
        if not standing.n:
            return False
        rows = self._source.states(battle, standing.n - 1, 1)
        return bool(rows) and rows[0][1] == standing.hash

    def _judge(self, battle: str, standing: ProofStanding) -> None:
        header_line, lines = self._header(battle), self._source.lines(battle, 0, -1)
        if not lines:
            self._forget(standing)
            return
        report = verify(chain.file_bytes(header_line, lines, None), rulesets=self._rulesets, is_closed=False)
        fault = report.fault
        if fault is not None:
            standing.fault = ProofFault(battle, fault.n, fault.what, fault.sentence)
        standing.seen = max(standing.seen, len(lines))
        standing.judged = len(lines)

    def _report_fault(self, battle: str, standing: ProofStanding, fault: FileFault) -> None:
        if fault.what == "other-format":  # of an earlier release, or gone
            self._forget(standing)
            return
        said = fault_sentence(fault.what, fault.details)
        standing.fault = ProofFault(battle, max(fault.line - 1, 0), fault.what, said)

    @staticmethod
    def _forget(standing: ProofStanding) -> None:
        standing.judged = standing.seen

    def _is_there(self, battle: str) -> bool:
        return bool(self._source.rows("SELECT 1 FROM battles WHERE battle=?", (battle,)))

    def _header(self, battle: str) -> bytes:
        """The header line of a battle.

        Raises:  FileFault `other-format` if the battle is gone
        """
        for (line,) in self._source.rows("SELECT header FROM battles WHERE battle=?", (battle,)):
            return bytes(line)
        raise FileFault(0, "other-format")


def _standing_in(content: bytes) -> ProofStanding:
    try:
        return _DECODER.decode(content) if content else ProofStanding()
    except msgspec.MsgspecError:
        return ProofStanding()


def faults_kept(cache: CacheFile) -> Iterator[ProofFault]:
    """The faults that a file tells of."""
    for battle, content in cache.all().items():
        fault = _standing_in(content).fault if battle != POSITION else None
        if fault is not None:
            yield fault
