"""Proofs that heads of a battle stand in the log of their host, and what witnesses say of that log.

A proof is text (C2SP tlog-proof): the entry as its extra data, its place, the hashes up to the root, and the signed
checkpoint with the lines of witnesses. Whether a witness is believed is said by a policy of the reader's
(`replay.proof.policy`), never by the proof.
"""

from base64 import b64decode, b64encode
from collections.abc import Sequence

from msgspec import Struct

from domain.log.entries import Checkpoint, LogEntry, battle_name
from domain.log.merkle import HASH_BYTES, MOST_PROOF, is_included, leaf_hash
from replay.proof.chain import HeadedLog
from replay.proof.cosigned import NoteKey, read_checkpoint
from replay.proof.heads import texts_in
from replay.proof.notes import BadNote

START = "c2sp.org/tlog-proof@v1"
MOST_TEXT = 128 * 1024


class LogProof(Struct, frozen=True):
    """An entry at its place in a log, the hashes that lead to the root, and the signed checkpoint."""

    entry: LogEntry
    index: int
    hashes: tuple[bytes, ...]
    note: str

    def text(self) -> str:
        """The proof as it is handed on."""
        hashes = "".join(f"{b64encode(each).decode('ascii')}\n" for each in self.hashes)
        extra = b64encode(self.entry.content()).decode("ascii")
        return f"{START}\nextra {extra}\nindex {self.index}\n{hashes}\n{self.note}"


def proofs_in(content: bytes) -> list[LogProof]:
    """The proofs in a file or in a letter as a mail program leaves it.

    Raises:  BadNote `not-a-proof`
    """
    wrong = BadNote("not-a-proof")
    for text in texts_in(content):
        try:
            return read_proofs(text)
        except BadNote as fault:
            wrong = fault
    raise wrong


def read_proofs(text: str) -> list[LogProof]:
    """The proofs in a text, which may have other things before and behind each, as a letter does.

    Raises:  BadNote `not-a-proof`
    """
    if len(text) > MOST_TEXT:
        raise BadNote("not-a-proof")
    found = []
    for piece in text.replace("\r\n", "\n").split(START + "\n")[1:]:
        head, _, note = piece.partition("\n\n")
        body, _, signatures = note.partition("\n\n")
        lines = []
        for line in signatures.split("\n"):
            if not line.startswith("\N{EM DASH} "):
                break
            lines.append(line + "\n")
        found.append(_proof(head.split("\n"), f"{body}\n\n{''.join(lines)}"))
    if not found:
        raise BadNote("not-a-proof")
    return found


def _proof(lines: Sequence[str], note: str) -> LogProof:
    try:
        extra, index, *hashes = lines
        entry = LogEntry.read(b64decode(extra.removeprefix("extra "), validate=True))
        place = int(index.removeprefix("index "))
        path = tuple(b64decode(each, validate=True) for each in hashes)
    except (ValueError, RecursionError):
        raise BadNote("not-a-proof") from None
    found = LogProof(entry, place, path, note)
    is_well = len(path) <= MOST_PROOF and all(len(each) == HASH_BYTES for each in path)
    if not is_well or found.text() != "\n".join([START, *lines]) + "\n\n" + note:
        raise BadNote("not-a-proof")
    return found


def require_proven(proof: LogProof, log: HeadedLog, key: NoteKey) -> Checkpoint:
    """The checkpoint of a proof, if it shows that a head of this very battle is in the log that `key` signs.

    Raises:  BadNote `other-key`, `bad-signature`, `not-a-note`, `not-a-head`, `other-battle`, `log-not-included`;
             `log-fork` if the head is another one than that of the file
    """
    found = read_checkpoint(proof.note, key)
    leaf = leaf_hash(proof.entry.content())
    if not is_included(proof.index, found.size, leaf, proof.hashes, found.root):
        raise BadNote("log-not-included")
    entry = proof.entry
    if len(log.hashes) < 2 or entry.battle != battle_name(log.hashes[1]):
        raise BadNote("other-battle")
    if entry.n < len(log.hashes) and log.hashes[entry.n].hex() != entry.hash:
        raise BadNote("log-fork")
    return found
