"""Watch the log of another host: that it only grows, that its entries are those of its checkpoint, that it tells no
battle twice, and that it shows each battle as it has logged it.

What a host has signed is kept, and compared with what it signs later. A fork is told only where it is proven by what
the host has signed; whatever can be an accident (a host that is away, a file that is missing) is told since when.
"""

import asyncio
from base64 import b64encode
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from msgspec import Struct

from domain.log.entries import STOPPED, Checkpoint, LogEntry
from domain.log.merkle import Node, consistency_proof, grown, is_consistent, leaf_hash, root, root_of_peaks
from domain.log.tiles import WIDTH
from replay.proof.cosigned import cosigned_times, read_checkpoint, read_public_key, split_note
from replay.proof.notes import BadNote
from replay.proof.policy import WitnessPolicy
from server.witness.reading import LogReader, NotRead
from server.witness.watch_file import UNLOGGED, VANISHED, FollowedLog, WatchFault, WatchFile

ROUND_S = 120.0
BATCH = 16 * WIDTH
MOST_BATCHES = 64
MOST_ASKED = 50
"""Battles after which a host is asked in one round, those first after which it was not asked for longest."""
FORKED, SHRUNK, RETOLD, NOT_SIGNED, DIFFERS = "forked", "shrunk", "retold", "not-signed", "differs"
SILENT, BROKEN, UNSIGNED = "silent", "broken", "unsigned"


class WatchRound(Struct, frozen=True):
    """What one look at a log has brought: its size, entries that were read, battles that were asked after, and those
    that the host has stopped since the look before."""

    host: str
    size: int = 0
    read: int = 0
    asked: int = 0
    stopped: tuple[LogEntry, ...] = ()


class _WrongLog(Exception):
    """The log is not as it should be; there is nothing more to be read in it now."""

    def __init__(self, what: str, said: str) -> None:
        super().__init__(what, said)
        self.what, self.said = what, said


class LogWatch:
    """Looks at one log. `folder` keeps the proofs of forks; `policy` names the witnesses that are believed, None if
    nobody asks."""

    def __init__(
        self,
        file: WatchFile,
        folder: Path,
        reader: LogReader,
        now_s: Callable[[], int],
        policy: WitnessPolicy | None = None,
    ) -> None:
        self._file, self._folder, self._reader, self._now_s, self._policy = file, folder, reader, now_s, policy

    async def look(self, log: FollowedLog) -> WatchRound:
        """Look once. What is wrong is noted in the file, and what is well again is noted no more."""
        found = WatchRound(log.host)
        try:
            async with asyncio.timeout(ROUND_S):
                checkpoint = await self._checkpoint(log)
                for what in (NOT_SIGNED, SHRUNK, BROKEN):
                    self._file.drop_fault(log.origin, what)
                found = await self._follow(log, checkpoint)
                if found.size:
                    asked = await self._ask_after_battles(log.origin)
                    found = WatchRound(found.host, found.size, found.read, asked, found.stopped)
            self._file.drop_fault(log.origin, SILENT)
        except TimeoutError:
            self._note(log.origin, SILENT, "it is too slow")
        except NotRead as reason:
            self._note(log.origin, SILENT, str(reason))
        except _WrongLog as fault:
            self._file.drop_fault(log.origin, SILENT)
            self._note(log.origin, fault.what, fault.said)
        return found

    def _note(self, origin: str, what: str, said: str, battle: str = "", n: int = 0) -> None:
        self._file.note_fault(origin, WatchFault(what, self._now_s(), said, battle, n))

    # --- checkpoints

    async def _checkpoint(self, log: FollowedLog) -> Checkpoint:
        """The newest checkpoint, which goes on from the one that is known, and is kept."""
        note = await self._reader.checkpoint()
        try:
            found = read_checkpoint(note, read_public_key(log.key))
            self._judge_signatures(log.origin, note, found.size)
        except BadNote as fault:
            raise _WrongLog(NOT_SIGNED, f"its checkpoint is not one of its key ({fault.what})") from None
        if log.note:
            known = Checkpoint.read(split_note(log.note).text)
            if found.size < known.size:
                try:
                    await self._require_growth(log.origin, (found, note), (known, log.note))
                except (NotRead, _WrongLog) as fault:  # a host that has gone back may have lost the newer tiles
                    if isinstance(fault, _WrongLog) and fault.what == FORKED:
                        raise
                raise _WrongLog(SHRUNK, f"its log has {found.size:,} entries, and had {known.size:,}")
            await self._require_growth(log.origin, (known, log.note), (found, note))
        if not self._file.keep_note(log, note):
            raise NotRead("another process looks at it, too")
        return found

    async def _require_growth(self, origin: str, old: tuple[Checkpoint, str], new: tuple[Checkpoint, str]) -> None:
        (before, old_note), (after, new_note) = old, new
        if before == after:
            return

        def reckoned(node: Node) -> tuple[bytes, list[bytes]]:
            return root(before.size, node), consistency_proof(before.size, after.size, node)

        prefix, proof = await self._reader.of_tiles(after.size, reckoned) if before.size < after.size else (b"", [])
        if is_consistent(before.size, after.size, before.root, after.root, proof):
            return
        is_other = before.size == after.size or is_consistent(before.size, after.size, prefix, after.root, proof)
        if not is_other:
            raise _WrongLog(BROKEN, f"its tiles do not lead to its checkpoint of {after.size:,} entries")
        path = self._folder / f"{_file_name(origin)}-{before.size}-{after.size}.fork"
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        path.write_text("\n".join([old_note, new_note, *(_base64(each) for each in (prefix, *proof)), ""]))
        raise _WrongLog(
            FORKED,
            f"it has signed a log of {before.size:,} entries and one of {after.size:,} that does not go on from it;"
            f" both signatures are in {path}",
        )

    def _judge_signatures(self, origin: str, note: str, size: int) -> None:
        """Whether the witnesses that are believed have signed a checkpoint."""
        if self._policy is None:
            return
        times = {name: min(cosigned_times(note, key), default=None) for name, key in self._policy.witnesses.items()}
        signed = {name: time_s for name, time_s in times.items() if time_s is not None}
        if self._policy.holds(signed):
            self._file.drop_fault(origin, UNSIGNED)
        else:
            said = f"{len(signed)} of {len(times)} witnesses have signed what it shows"
            self._note(origin, UNSIGNED, said, n=size)

    # --- entries

    async def _follow(self, log: FollowedLog, checkpoint: Checkpoint) -> WatchRound:
        """Read the entries that are new; the round has size 0 if some are left for the next one."""
        first, read = log.followed, 0
        stopped: list[LogEntry] = []
        for _ in range(MOST_BATCHES):
            if log.followed == checkpoint.size:
                break
            end = min(checkpoint.size, (log.followed // WIDTH) * WIDTH + BATCH)
            entries = await self._entries(log.followed, end, checkpoint.size)
            peaks = grown(log.peaks, log.followed, (leaf_hash(one.content()) for one in entries))
            await self._require_entries(end, root_of_peaks(peaks), checkpoint)
            if not self._file.follow(log, end, peaks, entries, [*self._retold(log.origin, entries)]):
                raise NotRead("another process looks at it, too")
            log = FollowedLog(log.origin, log.key, log.address, log.note, end, peaks)
            read += len(entries)
            stopped += [one for one in entries if one.what == STOPPED]
        size = checkpoint.size if log.followed == checkpoint.size else 0
        return WatchRound(log.host, size, read, 0, tuple(stopped) if first else ())

    async def _entries(self, first: int, end: int, size: int) -> list[LogEntry]:
        found: list[LogEntry] = []
        while first < end:
            stop = min(end, (first // WIDTH + 1) * WIDTH)
            some = await self._reader.entries(first, stop, size)
            if len(some) != stop - first:
                raise _WrongLog(BROKEN, "a bundle of its entries is too short")
            found += some
            first = stop
        return found

    async def _require_entries(self, size: int, found: bytes, checkpoint: Checkpoint) -> None:
        """Entries that lead to another root are no part of the log."""

        def reckoned(node: Node) -> list[bytes]:
            return consistency_proof(size, checkpoint.size, node)

        proof = await self._reader.of_tiles(checkpoint.size, reckoned) if size < checkpoint.size else []
        if not is_consistent(size, checkpoint.size, found, checkpoint.root, proof):
            raise _WrongLog(BROKEN, f"its entries are not those of its checkpoint of {checkpoint.size:,}")

    def _retold(self, origin: str, entries: Sequence[LogEntry]) -> Iterator[WatchFault]:
        """The battles that a log tells a second time: an earlier event, or another hash of the same."""
        newest: dict[str, LogEntry | None] = {}
        for one in entries:
            if one.battle not in newest:
                newest[one.battle] = self._file.battle(origin, one.battle)
            before = newest[one.battle]
            if before is not None and (one.n < before.n or (one.n == before.n and one.hash != before.hash)):
                said = f"its log has event {before.n} of battle {one.battle}, and behind it another event {one.n}"
                yield WatchFault(RETOLD, self._now_s(), said, one.battle, one.n)
            else:
                newest[one.battle] = one

    # --- battles

    async def _ask_after_battles(self, origin: str) -> int:
        """Compare what the host shows of battles with its log; how many were asked after."""
        asked = 0
        for entry in self._file.to_ask(origin, MOST_ASKED):
            head = await self._reader.head(entry.battle)
            if head is None:
                said = f"it does not show battle {entry.battle} any more, which its log has up to event {entry.n}"
                self._note(origin, VANISHED, said, entry.battle, entry.n)
            else:
                self._file.drop_fault(origin, VANISHED, entry.battle)
                self._compare(origin, entry, head.n, head.hash)
            self._file.note_asked(origin, entry.battle, self._now_s())
            asked += 1
        return asked

    def _compare(self, origin: str, entry: LogEntry, n: int, hash_: str) -> None:
        if n < entry.n or (n == entry.n and hash_ != entry.hash):
            said = f"it shows battle {entry.battle} up to event {n}, and its log has another event {entry.n}"
            self._note(origin, DIFFERS, said, entry.battle, entry.n)
        else:
            self._file.drop_fault(origin, DIFFERS, entry.battle)
        known = self._file.fault(origin, UNLOGGED, entry.battle)
        if known is not None and entry.n >= known.n:
            self._file.drop_fault(origin, UNLOGGED, entry.battle)
        if n > entry.n:
            said = f"it shows event {n} of battle {entry.battle}, and its log ends with event {entry.n}"
            self._note(origin, UNLOGGED, said, entry.battle, n)


def _file_name(origin: str) -> str:
    host = origin.rpartition("/")[0]
    is_plain = all(mark.isascii() and (mark.isalnum() or mark in ".-") for mark in host) and host.strip(".")
    return host if is_plain else host.encode().hex()[:200]


def _base64(content: bytes) -> str:
    return b64encode(content).decode("ascii")
