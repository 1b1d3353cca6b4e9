"""Signed checkpoints with the signatures of witnesses: how they are read, checked and made.

A checkpoint is a signed note (C2SP signed-note) of a log; a witness adds a line of its own, whose signature has a time
in it (C2SP tlog-cosignature v1). Lines of keys that nobody here knows are left alone, as the format demands.
"""

import re
from base64 import b64decode, b64encode
from collections.abc import Iterator
from hashlib import sha256

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from msgspec import Struct

from domain.log.entries import Checkpoint
from domain.log.points import is_strong_key
from replay.proof.notes import DASH, ID_BYTES, KEY_BYTES, BadNote

ED25519, COSIGNATURE = 1, 4
"""The types of signatures of C2SP: of a log or host, and of a witness."""
SIGNATURE_BYTES, TIME_BYTES = 64, 8
MOST_LINES, MOST_NOTE = 100, 64 * 1024
LAST_S = 253_402_300_799
"""The end of the year 9999: a later time is nobody's."""
_NAME = re.compile(r"[^\s+]{1,255}")


class NoteKey(Struct, frozen=True):
    """An Ed25519 key under its name, from the text `NAME+ID+BASE64`. `kind` is `ED25519` or `COSIGNATURE`."""

    name: str
    kind: int
    public: bytes

    @property
    def id(self) -> bytes:
        """Four bytes by which a signature names its key."""
        return sha256(self.name.encode() + b"\n" + bytes((self.kind,)) + self.public).digest()[:ID_BYTES]

    def text(self) -> str:
        """The key as it is handed on."""
        return f"{self.name}+{self.id.hex()}+{_base64(bytes((self.kind,)) + self.public)}"

    def named(self, name: str) -> "NoteKey":
        """The same key under another name."""
        return NoteKey(name, self.kind, self.public)


class Signature(Struct, frozen=True):
    """A signature line of a note: the name and id of its key, and what was signed with it."""

    name: str
    id: bytes
    content: bytes


class SignedText(Struct, frozen=True):
    """A note taken apart; nothing in it is checked."""

    text: str
    signatures: tuple[Signature, ...]


class Cosigner:
    """A witness's private key. `seed` has 32 bytes."""

    def __init__(self, name: str, seed: bytes) -> None:
        self._private = Ed25519PrivateKey.from_private_bytes(seed)
        self.key = NoteKey(name, COSIGNATURE, self._private.public_key().public_bytes_raw())

    def line(self, text: str, time_s: int) -> str:
        """The signature line of a checkpoint, seen at a Unix time, without line feed."""
        signed = self._private.sign(_cosigned_text(text, time_s))
        return signature_line(self.key, time_s.to_bytes(TIME_BYTES, "big") + signed)


def read_public_key(text: str) -> NoteKey:
    """A key from its text.

    Raises:  BadNote `bad-key`, `weak-key` (`domain.log.points`)
    """
    try:
        name, _, encoded = text.split("+", 2)
        material = b64decode(encoded, validate=True)
        found = NoteKey(name, material[0], material[1:])
        is_ours = found.text() == text  # base64 has spare bits
    except (ValueError, IndexError):
        raise BadNote("bad-key") from None
    is_known = found.kind in (ED25519, COSIGNATURE) and len(found.public) == KEY_BYTES
    if not (is_known and is_ours and _NAME.fullmatch(name) and name.isprintable()):
        raise BadNote("bad-key")
    if not is_strong_key(found.public):
        raise BadNote("weak-key")
    return found


def signature_line(key: NoteKey, content: bytes) -> str:
    """A line of a note, without line feed."""
    return f"{DASH}{key.name} {_base64(key.id + content)}"


def split_note(note: str) -> SignedText:
    """Text and signatures of a note.

    Raises:  BadNote `not-a-note`
    """
    if len(note) > MOST_NOTE or not note.endswith("\n"):
        raise BadNote("not-a-note")
    text, gap, lines = note[:-1].rpartition("\n\n")
    found = lines.split("\n")
    if not gap or not text or len(found) > MOST_LINES:
        raise BadNote("not-a-note")
    return SignedText(text + "\n", tuple(_signature(line) for line in found))


def read_checkpoint(note: str, key: NoteKey) -> Checkpoint:
    """The checkpoint in a note that a log has signed under the name of its origin.

    Raises:  BadNote `not-a-note`, `not-a-head`, `other-battle` (of another log), `other-key`, `bad-signature`
    """
    signed = split_note(note)
    try:
        found = Checkpoint.read(signed.text)
    except ValueError:
        raise BadNote("not-a-head") from None
    if found.origin != key.name:
        raise BadNote("other-battle")
    ours = [each for each in signed.signatures if (each.name, each.id) == (key.name, key.id)]
    if not ours:
        raise BadNote("other-key")
    if not all(_is_signed(key, each.content, signed.text.encode()) for each in ours):
        raise BadNote("bad-signature")
    return found


def cosigned_times(note: str, key: NoteKey) -> Iterator[int]:
    """The Unix times at which a witness says that it saw a checkpoint; a line of its that is wrong gives none.

    Raises:  BadNote `not-a-note`
    """
    signed = split_note(note)
    for each in signed.signatures:
        if (each.name, each.id) == (key.name, key.id) and key.kind == COSIGNATURE:
            time_s = int.from_bytes(each.content[:TIME_BYTES], "big")
            text = _cosigned_text(signed.text, time_s)
            if time_s <= LAST_S and _is_signed(key, each.content[TIME_BYTES:], text):
                yield time_s


def _cosigned_text(text: str, time_s: int) -> bytes:
    return f"cosignature/v1\ntime {time_s}\n{text}".encode()


def _is_signed(key: NoteKey, signature: bytes, message: bytes) -> bool:
    try:
        Ed25519PublicKey.from_public_bytes(key.public).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return len(signature) == SIGNATURE_BYTES


def _signature(line: str) -> Signature:
    name, space, encoded = line.removeprefix(DASH).partition(" ")
    try:
        content = b64decode(encoded, validate=True)
    except ValueError:
        raise BadNote("not-a-note") from None
    is_well = line.startswith(DASH) and space and _NAME.fullmatch(name) and len(content) > ID_BYTES
    if not is_well or _base64(content) != encoded:
        raise BadNote("not-a-note")
    return Signature(name, content[:ID_BYTES], content[ID_BYTES:])


def _base64(content: bytes) -> str:
    return b64encode(content).decode("ascii")
