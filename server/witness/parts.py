"""The log of a running host, and the host as a witness. Files are opened at first need."""

import threading
from collections.abc import Callable
from pathlib import Path

from replay.proof.cosigned import Cosigner
from replay.proof.notes import Signer
from replay.writing.entropy import Entropy
from server.store.contract import TableRows
from server.store.tables import campaigns
from server.witness import keys, log_file, state
from server.witness.entering import StoreFeed
from server.witness.host_log import HostLog
from server.witness.log_file import LogFile
from server.witness.state import WitnessFile

OLD_S = 24 * 3600
"""After so long without a cosignature of what was added, the operator is told."""


class WitnessParts:
    """The log of a host in its data folder, and its own files as a witness. `asks`: whether others are asked to sign,
    and `late_s` for how many seconds one of them has not signed what is new, as its rounds have found."""

    def __init__(self, data: Path, host: Signer, now: Callable[[], str], entropy: Entropy) -> None:
        self.asks, self.late_s = False, 0
        self._data, self._host, self._now, self._entropy = data, host, now, entropy
        self._log: HostLog | None = None
        self._file: WitnessFile | None = None
        self._cosigner: Cosigner | None = None
        self._lock = threading.Lock()

    @property
    def log(self) -> HostLog:
        """The host's log; a new one begins if there is none."""
        with self._lock:
            if self._log is None:
                self._log = HostLog(self._data, LogFile(self._data / log_file.FILE), self._host, self._now)
            return self._log

    @property
    def has_log(self) -> bool:
        """Whether a log was begun."""
        return self._log is not None or (self._data / log_file.FILE).is_file()

    @property
    def file(self) -> WitnessFile:
        """Which logs are watched here, and which witnesses are asked."""
        with self._lock:
            if self._file is None:
                self._file = WitnessFile(self._data / state.FILE)
            return self._file

    @property
    def cosigner(self) -> Cosigner:
        """This host as a witness."""
        with self._lock:
            if self._cosigner is None:
                self._cosigner = keys.cosigner_of(self._data, self._host.name, self._entropy)
            return self._cosigner

    def proof(self, store: StoreFeed, battle: str) -> str:
        """The proof of the newest head of a battle that is in the log, "" if none is. It reads files."""
        first = store.read(battle, 0, 1) if self.has_log else []
        return self.log.proof(first[0][1], {one.key for one in self.file.asked()}) if first else ""

    def campaign_proof(self, store: TableRows, campaign: str) -> str:
        """The proof of the newest head of a campaign that is in the log, "" if none is. It reads files."""
        first = campaigns.hash_of(store, campaign, 1) if self.has_log else None
        return self.log.proof(first, {one.key for one in self.file.asked()}) if first else ""

    def cosigned_proof(self, store: StoreFeed, battle: str) -> str:
        """The same, "" where no witness is asked: the host's signature alone stands in every battle file."""
        return self.proof(store, battle) if self.has_log and self.file.asked() else ""

    def unsigned_s(self) -> int:
        """For how many seconds an asked witness has signed nothing of what was added; 0 if all are up."""
        if not self.has_log:
            return 0
        return unsigned_s(self.log.file, self.log.origin, self.file, self.log.now_s())

    def close(self) -> None:
        """Close the files."""
        with self._lock:
            if self._log is not None:
                self._log.file.close()
            if self._file is not None:
                self._file.close()
            self._log = self._file = None


def unsigned_s(log: LogFile, origin: str, witnesses: WitnessFile, now_s: int) -> int:
    """The longest time for which a witness that is asked has signed nothing, while the log has grown."""
    late = 0
    for witness in witnesses.asked():
        size, time_s = log.cosigned_by(origin, witness.key)
        late = max(late, late_s(log.size, size, time_s, witness.since_s, now_s))
    return late


def late_s(size: int, upto: int, signed_s: int, since_s: int, now_s: int) -> int:
    """For how many seconds one witness, asked since `since_s`, has signed nothing; 0 if it has all entries of the log.

    Shape: `size` entries of the log, `upto` that it has signed, last at `signed_s`; times in Unix seconds
    """
    return now_s - max(signed_s, since_s) if upto < size else 0
