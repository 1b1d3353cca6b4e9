"""The log of a running host: entered, signed, published as files, and handed on as proofs.

Nothing here waits for a witness: a checkpoint is published as soon as it is signed, and once more with each
cosignature that comes. Where a witness knows more of the log than the host does, as after an old copy of the data
folder was put back, nothing is signed any more: a second history would be.
"""

import os
import threading
from base64 import b64decode, b64encode
from collections.abc import Callable, Collection
from pathlib import Path

from domain.basics.pace import moment_of
from domain.log.entries import battle_name, log_origin
from domain.log.merkle import consistency_proof, inclusion_proof
from domain.log.tiles import WIDTH, tile_path, tiles_of
from replay.proof.cosigned import NoteKey, Signature, cosigned_times, read_public_key, signature_line, split_note
from replay.proof.notes import Signer
from replay.proof.witnessed import LogProof
from server.witness.entering import LogFollower, StoreFeed
from server.witness.entering_campaigns import CampaignFollower
from server.witness.log_file import LogFile, SignedCheckpoint

FOLDER = "tlog"
CHECKPOINT = "checkpoint"


def log_signer(host: Signer) -> Signer:
    """The host's key under the name of its log."""
    return Signer(log_origin(host.name), seed_of(host))


def seed_of(signer: Signer) -> bytes:
    """The 32 private bytes of a key."""
    return b64decode(signer.secret_key().split("+", 4)[4])[1:]


def log_key(host_key: str) -> NoteKey:
    """The public key of a log, from that of its host or its own.

    Raises:  BadNote `bad-key`
    """
    key = read_public_key(host_key)
    return key if key.name.endswith(log_origin("")) else key.named(log_origin(key.name))


class HostLog:
    """The log in a data folder. Its methods take time and may be called by any thread; `now` tells the time as the log
    of a battle writes it."""

    def __init__(self, data: Path, file: LogFile, host: Signer, now: Callable[[], str]) -> None:
        self.file = file
        self.origin = log_origin(host.name)
        self.folder = data / FOLDER
        self._signer = log_signer(host)
        self._now = now
        self._published = 0
        self._follower: LogFollower | None = None
        self._lock = threading.Lock()

    # --- the host's side

    def follow(self, store: StoreFeed) -> bool:
        """Complete the log from the store, sign it and publish it; False if nothing was new."""
        follower = self._follower = self._follower or LogFollower(store, self.file)
        is_new = False
        campaigns = CampaignFollower(store, self.file)
        for each in (follower, campaigns):
            while each.follow():
                is_new = True
        newest = self.file.newest(self.origin)
        if self.file.size and (newest is None or newest.size < self.file.size) and not self.file.further:
            self._sign()
            is_new = True
        if is_new or not self._published:
            self.publish()
        return is_new

    def _sign(self) -> None:
        found = self.file.checkpoint(self.origin)
        self.file.keep(self.origin, found.size, self._signer.sign(found.text()), self.now_s())

    def publish(self) -> None:
        """Write what is missing of the newest checkpoint, tiles before the checkpoint that names them."""
        with self._lock:
            newest = self.file.newest(self.origin)
            if newest is None:
                return
            for tile in tiles_of(newest.size, self._published):
                path = self.folder / tile_path(tile)
                if not path.exists():
                    _write(path, self.file.tile_cut(tile))
                if tile.width == WIDTH:
                    _drop(path.with_name(f"{path.name}.p"))
            self._published = newest.size
            _write(self.folder / CHECKPOINT, newest.whole.encode())

    # --- for witnesses

    def submission(self, old: int) -> tuple[SignedCheckpoint, str] | None:
        """The newest checkpoint, and the body by which a witness that knows `old` entries is asked to sign it."""
        newest = self.file.newest(self.origin)
        if newest is None or old > newest.size:
            return None
        proof = consistency_proof(old, newest.size, self.file.node)
        lines = "".join(f"{_base64(each)}\n" for each in proof)
        return newest, f"old {old}\n{lines}\n{newest.note}"

    def take_cosignature(self, size: int, note: str, answer: str, key: NoteKey) -> bool:
        """Keep the line of a witness, if it is right; whether it was."""
        signed = split_note(note + answer)
        times = list(cosigned_times(note + answer, key))
        lines = [each for each in signed.signatures if _is_of(each, key)]
        if not times or len(lines) != 1:
            return False
        line = signature_line(key, lines[0].content)
        self.file.keep_cosignature(self.origin, size, key.text(), times[0], line)
        self.publish()
        return True

    # --- proofs

    def proof(self, first: bytes, asked: Collection[str], upto: int | None = None) -> str:
        """The proof of the newest head of a battle, of an event up to `upto`, in the checkpoint that most of the
        witnesses `asked` (keys) have signed lately, "" as long as there is none. `first` is the hash of the battle's
        first event."""
        known = self.file.newest_cosigned(self.origin, asked)
        if known is None:
            return ""
        found = self.file.of_battle(battle_name(first), known.size, upto)
        if found is None:
            known = self.file.newest(self.origin)
            found = self.file.of_battle(battle_name(first), known.size, upto) if known else None
        if known is None or found is None:
            return ""
        place, entry = found
        hashes = tuple(inclusion_proof(place, known.size, self.file.node))
        return LogProof(entry, place, hashes, known.whole).text()

    def now_s(self) -> int:
        """The time of the host's clock in Unix seconds."""
        return moment_of(self._now()) // 1000


def _is_of(signature: Signature, key: NoteKey) -> bool:
    return (signature.name, signature.id) == (key.name, key.id)


def _base64(content: bytes) -> str:
    return b64encode(content).decode("ascii")


def _write(path: Path, content: bytes) -> None:
    """Replace a file at once."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    part = path.with_name(f"{path.name}.part")
    with part.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    part.replace(path)


def _drop(folder: Path) -> None:
    """Delete the narrower forms of a tile that is whole."""
    if folder.is_dir():
        for path in folder.iterdir():
            path.unlink()
        folder.rmdir()
