"""What a witness keeps: for each log that it watches its key, size and root, in one SQLite file.

A checkpoint is cosigned only after the file has it for good, and two requests for one log come one after the other. So
no crash and no race makes a witness sign two histories. The file also names the witnesses that this host asks.
"""

import threading
from collections.abc import Callable
from pathlib import Path

from msgspec import Struct

from domain.log.entries import Checkpoint
from domain.log.merkle import EMPTY_ROOT, is_consistent
from replay.proof.cosigned import Cosigner, NoteKey, read_checkpoint, read_public_key, split_note
from replay.proof.notes import BadNote
from server.store.schema import connect, transaction
from server.witness.submitting import Submission

FILE = "witness.db"
FORMAT = 1
TABLES = (
    "CREATE TABLE IF NOT EXISTS logs (origin TEXT PRIMARY KEY, key TEXT NOT NULL, size INTEGER NOT NULL,"
    " root BLOB NOT NULL, time_s INTEGER NOT NULL) STRICT",
    "CREATE TABLE IF NOT EXISTS asked (key TEXT PRIMARY KEY, url TEXT NOT NULL, since_s INTEGER NOT NULL) STRICT",
)


class WatchedLog(Struct, frozen=True):
    """A log whose checkpoints this witness signs: the state that it has signed last, and when."""

    origin: str
    key: str
    size: int
    root: bytes
    time_s: int


class AskedWitness(Struct, frozen=True):
    """A witness that this host asks, by its address, and since when."""

    key: str
    url: str
    since_s: int


class WitnessAnswer(Struct, frozen=True):
    """An answer of HTTP: `size` for the media type of a size."""

    status: int
    text: str
    is_size: bool = False


class WitnessFile:
    """The file; any thread may use it, and other processes.

    Raises: sqlite3.Error, WrongDatabase
    """

    def __init__(self, path: Path) -> None:
        self._lock = threading.RLock()
        self._db = connect(str(path), "FULL")
        self._db.execute("PRAGMA journal_mode=WAL")
        with self._lock, transaction(self._db, "IMMEDIATE"):
            for statement in TABLES:
                self._db.execute(statement)
            self._db.execute(f"PRAGMA user_version={FORMAT}")

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._db.close()

    # --- who is watched, who is asked

    def watch(self, key: NoteKey) -> None:
        """Sign the checkpoints of a log from now on; another key takes the place of the one before."""
        with self._lock:
            self._db.execute(
                "INSERT INTO logs VALUES (?,?,0,?,0) ON CONFLICT (origin) DO UPDATE SET key=excluded.key",
                (key.name, key.text(), EMPTY_ROOT),
            )

    def ask(self, key: NoteKey, url: str, now_s: int) -> None:
        """Ask a witness from now on."""
        with self._lock:
            self._db.execute(
                "INSERT INTO asked VALUES (?,?,?) ON CONFLICT (key) DO UPDATE SET url=excluded.url",
                (key.text(), url, now_s),
            )

    def forget(self, name: str) -> bool:
        """Ask a witness no more; whether there was one. What was signed of a log is never forgotten."""
        with self._lock:
            before = self._db.total_changes
            self._db.execute("DELETE FROM asked WHERE key LIKE ? ESCAPE '!'", (_like(name),))
            return self._db.total_changes > before

    def watched(self) -> list[WatchedLog]:
        """The logs whose checkpoints are signed here."""
        with self._lock:
            rows = self._db.execute("SELECT origin, key, size, root, time_s FROM logs ORDER BY origin").fetchall()
        return [WatchedLog(*row) for row in rows]

    def asked(self) -> list[AskedWitness]:
        """The witnesses that are asked."""
        with self._lock:
            return [AskedWitness(*row) for row in self._db.execute("SELECT key, url, since_s FROM asked ORDER BY key")]

    # --- signing

    def add_checkpoint(self, given: Submission, cosigner: Cosigner, now_s: Callable[[], int]) -> WitnessAnswer:
        """Answer a request to sign (C2SP tlog-witness `add-checkpoint`): 200 with the line; 400, 403 (a key that is not
        the log's), 404 (a log that nobody named), 409 with the size that is known, 422 for a wrong proof."""
        try:
            text = split_note(given.note).text
            origin = text.partition("\n")[0]
        except BadNote:
            return WitnessAnswer(400, "not a checkpoint\n")
        with self._lock, transaction(self._db, "IMMEDIATE"):
            row = self._db.execute(
                "SELECT origin, key, size, root, time_s FROM logs WHERE origin=?", (origin,)
            ).fetchone()
            if row is None:
                return WitnessAnswer(404, "nobody here watches this log\n")
            known = WatchedLog(*row)
            try:
                found = read_checkpoint(given.note, read_public_key(known.key))
            except BadNote as fault:
                return WitnessAnswer(400 if fault.what == "not-a-head" else 403, f"{fault.what}\n")
            refusal = _refusal(known, found, given)
            if refusal is not None:
                return refusal
            time_s = max(now_s(), known.time_s)
            self._db.execute(
                "UPDATE logs SET size=?, root=?, time_s=? WHERE origin=?", (found.size, found.root, time_s, origin)
            )
        return WitnessAnswer(200, cosigner.line(text, time_s) + "\n")  # the file has it: the transaction has ended


def _refusal(known: WatchedLog, found: Checkpoint, given: Submission) -> WitnessAnswer | None:
    if given.old > found.size:
        return WitnessAnswer(400, "the old size is the larger one\n")
    if given.old != known.size or (found.size == known.size and found.root != known.root):
        return WitnessAnswer(409, f"{known.size}\n", is_size=True)
    if not is_consistent(known.size, found.size, known.root, found.root, given.proof):
        return WitnessAnswer(422, "the proof does not hold\n")
    return None


def _like(name: str) -> str:
    plain = name.replace("!", "!!").replace("%", "!%").replace("_", "!_")
    return f"{plain}+%"
