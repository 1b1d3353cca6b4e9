"""Follow the log exactly once, in batches, and rebuild when needed.

A batch is at most 500 events of the feed. Each battle in it is folded on from its last state, or read whole if it is
not in memory; then the changed rows and the new position are committed in one transaction. A crash before the commit
leaves the old rows *and* the old position, so the batch is folded again and nothing is ever counted twice.

A rebuild goes battle by battle, which reads each log once, in one piece, however the feed interleaves them. It writes
a fresh file and copies that over the old one in a single transaction: readers notice only new rows.
"""

import logging
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from hashlib import sha256
from pathlib import Path

import msgspec

from domain.catalogue import RULESETS
from domain.contract.ruleset import Ruleset
from domain.log.record import FileFault
from projections.catalogue import MODELS
from projections.database import NOWHERE, Database, Tracked, remove
from projections.model import BattleLog, FeedRow, ModelRow, ReadModel
from projections.reading import Games, Reading, whole

BATCH = 500
"""Events in one transaction."""

KEEP = 1024
"""Battles in memory: 40 to 70 kilobytes each. Reading one that is not in memory takes a few milliseconds."""

SCAN = 5_000
"""Rows of the feed per query when only its end is needed."""

WRITE_AT = 20_000
"""Rows that a rebuild gathers before it writes them: a few megabytes."""

RebuildProgress = Callable[[int, int], None]
"""Called with the number of events done and the total."""

_logger = logging.getLogger(__name__)


class Overtaken(Exception):
    """Another process has written to the file."""


class Interrupted(Exception):
    """A rebuild was stopped; the old rows stand."""


def never() -> bool:
    """Do not stop."""
    return False


class ProjectionRunner:
    """Maintains one file of read models. Its methods may be called from any thread, one at a time."""

    def __init__(
        self,
        path: Path | str,
        log: BattleLog,
        models: Sequence[ReadModel] = MODELS,
        rulesets: Mapping[str, Ruleset] = RULESETS,
        keep: int = KEEP,
    ) -> None:
        self._path = Path(path)
        self._log = log
        self._models = models
        self._games = Games(rulesets)
        self._keep = keep
        self._schema = schema_of(models, rulesets)
        self._lock = threading.Lock()
        self._database = Database(self._path, models)
        self._at_hand: OrderedDict[str, Reading] = OrderedDict()
        self._tracked = self._database.tracked()
        self._trusted = False

    def position(self) -> int:
        """How far the feed is folded into the rows of the file."""
        return self._tracked.position if self._tracked.schema == self._schema else 0

    def unreadable(self) -> list[tuple[str, int, str]]:
        """The battles whose log this release cannot fold: (battle, last event, reason). They are tried again with
        their next event."""
        with self._lock:
            return self._database.unreadable()

    def catch_up(self, stopped: Callable[[], bool] = never) -> int:
        """Fold new events of the feed; returns the position. A file that is empty, of another schema or of another log
        is rebuilt first. `stopped` is asked between batches, and between the battles of a rebuild."""
        with self._lock:
            while not stopped():
                try:
                    self._require_ours(stopped)
                except Interrupted:
                    break
                rows = self._log.feed(self._tracked.position, BATCH)
                if not rows:
                    break
                try:
                    self._fold(rows)
                except Overtaken:
                    self._tracked = self._database.tracked()
                    self._trusted = False
            return self.position()

    def rebuild(self, progress: RebuildProgress | None = None) -> int:
        """Fold everything again from the start; returns the position."""
        with self._lock:
            self._rebuild(progress, never)
            self._trusted = True
            return self.position()

    def close(self) -> None:
        """Close the file and leave it in order."""
        with self._lock:
            self._database.close()

    # --- following

    def _require_ours(self, stopped: Callable[[], bool]) -> None:
        if not self._trusted:
            if not self._is_ours():
                self._rebuild(None, stopped)
            self._trusted = True

    def _is_ours(self) -> bool:
        """Whether the rows belong to these models and this log: our last folded event must still be at its position."""
        tracked = self._tracked
        if tracked.schema != self._schema:
            return False
        if not tracked.position:
            return True
        found = self._log.feed(tracked.position - 1, 1)
        return bool(found) and self._tracked_at(found[0]) == tracked

    def _tracked_at(self, row: FeedRow) -> Tracked:
        position, battle, n, line = row
        return Tracked(self._schema, position, battle, n, sha256(line).hexdigest()[:16])

    def _fold(self, rows: Sequence[FeedRow]) -> None:
        """Fold one batch, then write it."""
        batch: dict[str, list[tuple[int, bytes]]] = {}
        for _, battle, n, line in rows:
            batch.setdefault(battle, []).append((n, line))
        written_anew: list[str] = []
        changed: list[Reading] = []
        aside: list[tuple[str, int, str]] = []
        try:
            for battle, events in batch.items():
                reading = self._continued(battle, events)
                if reading is None:
                    last = events[-1][0]
                    reading = self._read_whole(battle, last, self._lines(battle, events), aside)
                    if reading is None:
                        continue
                    written_anew.append(battle)
                self._remember(battle, reading)
                changed.append(reading)
            self._write(self._tracked_at(rows[-1]), written_anew, changed, aside)
        except BaseException:
            self._at_hand.clear()  # they are ahead of the rows now
            raise

    def _continued(self, battle: str, events: Sequence[tuple[int, bytes]]) -> Reading | None:
        """The battle in memory, folded on; None if it must be read whole."""
        reading = self._at_hand.pop(battle, None)
        if reading is None or reading.now.n != events[0][0] - 1:
            return None
        try:
            for _, line in events:
                reading.feed(line)
        except Exception:  # a rewind, or an event that reading it whole will fail on as well, and report
            return None
        return reading

    def _lines(self, battle: str, events: Sequence[tuple[int, bytes]]) -> Sequence[bytes]:
        """The lines of a battle from its first event to the last of the batch; a new battle is in the batch itself."""
        (first, _), (last, _) = events[0], events[-1]
        return [line for _, line in events] if first == 1 else self._log.lines(battle, 0, last)

    def _read_whole(
        self, battle: str, n: int, lines: Sequence[bytes], aside: list[tuple[str, int, str]]
    ) -> Reading | None:
        """Read a battle whole, or set it aside: a broken one must not stop the others."""
        try:
            return whole(battle, lines, self._games, self._models)
        except Exception as failure:
            _logger.exception("battle %s cannot be read", battle)
            reason = failure.what if isinstance(failure, FileFault) else type(failure).__name__
            aside.append((battle, n, reason))  # nothing of its content
            return None

    def _write(
        self,
        end: Tracked,
        written_anew: Sequence[str],
        changed: Sequence[Reading],
        aside: Iterable[tuple[str, int, str]],
    ) -> None:
        rows: Gathered = {}
        for reading in changed:
            gather(rows, reading)
        with self._database.transaction():
            if self._database.tracked() != self._tracked:
                raise Overtaken(self._path)
            self._database.forget(written_anew)
            self._database.write(rows)
            for entry in aside:
                self._database.set_aside(*entry)
            self._database.track(end)
        self._tracked = end

    def _remember(self, battle: str, reading: Reading) -> None:
        self._at_hand[battle] = reading
        if len(self._at_hand) > self._keep:
            self._at_hand.popitem(last=False)

    # --- anew

    def _rebuild(self, progress: RebuildProgress | None, stopped: Callable[[], bool]) -> None:
        self._at_hand.clear()
        fresh_path = self._path.with_name(self._path.name + ".new")
        remove(fresh_path)
        fresh = Database(fresh_path, self._models, scratch=True)
        try:
            fresh.create()
            end = self._fill(fresh, progress, stopped)
            self._database.copy_from(fresh)
            self._tracked = end
        except BaseException:
            self._at_hand.clear()
            raise
        finally:
            fresh.close()
            remove(fresh_path)

    def _fill(self, fresh: Database, progress: RebuildProgress | None, stopped: Callable[[], bool]) -> Tracked:
        """Fold every battle up to the current end of the feed."""
        heads, end = self._heads()
        done, total = 0, sum(heads.values())
        rows: Gathered = {}
        aside: list[tuple[str, int, str]] = []
        for battle, n in heads.items():
            if stopped():
                raise Interrupted
            reading = self._read_whole(battle, n, self._log.lines(battle, 0, n), aside)
            if reading is not None:
                gather(rows, reading)
                if not reading.now.ended:
                    self._remember(battle, reading)
            if sum(map(len, rows.values())) >= WRITE_AT:
                fresh.insert(rows)
                rows = {}
            done += n
            if progress:
                progress(done, total)
        fresh.insert(rows)
        for entry in aside:
            fresh.set_aside(*entry)
        fresh.track(end)
        return end

    def _heads(self) -> tuple[dict[str, int], Tracked]:
        """The last event of every battle, and the end of the feed that includes them."""
        heads: dict[str, int] = {}
        end = NOWHERE._replace(schema=self._schema)
        while rows := self._log.feed(end.position, SCAN):
            for _, battle, n, _ in rows:
                heads[battle] = n
            end = self._tracked_at(rows[-1])
        return heads, end


Gathered = dict[str, list[ModelRow]]


def gather(rows: Gathered, reading: Reading) -> None:
    """Add the rows of a battle, table by table."""
    for changes in reading.changes():
        for table, values in changes.items():
            rows.setdefault(table, []).extend(values)


def schema_of(models: Sequence[ReadModel], rulesets: Mapping[str, Ruleset]) -> str:
    """A key for the tables, and for what the models and rules of this release write to them."""
    tables = [
        (table.name, [(name, kind.__name__ if kind else "") for name, kind in table.columns.items()], table.key)
        for model in models
        for table in model.tables
    ]
    versions = [(model.name, model.version) for model in models], sorted((r.code, r.version) for r in rulesets.values())
    return sha256(msgspec.json.encode((tables, versions))).hexdigest()[:16]
