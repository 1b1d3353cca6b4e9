"""Signed notes: what a host signs, and how a signature is checked.

A signed note is text, an empty line, and a signature line `— NAME BASE64` (C2SP signed-note, with
Ed25519). A head is a note over three lines: the origin `HOST/phalera/BATTLE`, the number of the
newest event, and the chain's hash at it. It is plain text, so that it survives mail.

We sign with one key and read notes with exactly one signature line. A note is parsed, rewritten
and compared byte for byte: base64 has spare bits, and a receipt that can be changed without
breaking is worthless.
"""

import hashlib
import re
from base64 import b64decode, b64encode

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from msgspec import Struct

from domain.log.points import is_strong_key, key_id

PRIVATE = "PRIVATE+KEY+"
ED25519 = b"\x01"  # the signature type of C2SP signed-note
DASH = "\N{EM DASH} "
ID_BYTES = 4
HASH_BYTES = 32
_CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f\x7f]")
"""Control characters, the line feed aside."""
KEY_BYTES = 32


class BadNote(Exception):
    """A malformed note, key or head; `what` is a stable code.

    `bad-key`, `weak-key` (`domain.log.points`), `not-a-note`, `other-key` (signed by a key of another name or number),
    `bad-signature`, `not-a-head`, `other-battle`.
    """

    def __init__(self, what: str) -> None:
        super().__init__(what)
        self.what = what


class Head(Struct, frozen=True):
    """The state of a log in three values: `hash` (32 bytes) is that of event `n`, or of the header if n is 0."""

    origin: str
    n: int
    hash: bytes


class Verifier:
    """A public key under its name, from the key string `NAME+ID+BASE64`; `kid` is to be compared by eye.

    Raises:  BadNote `bad-key`, `weak-key`
    """

    __slots__ = ("_public", "id", "key", "kid", "name")

    def __init__(self, key: str) -> None:
        name, public = _parse_key(key, PRIVATE)
        self.key = key
        self.name = name
        self.id = _key_id(name, public)
        self.kid = key_id(public)
        self._public = Ed25519PublicKey.from_public_bytes(public)

    def open(self, note: str) -> str:
        """The text of a note signed by this key, its last line feed included.

        Raises:  BadNote `not-a-note`, `other-key`, `bad-signature`
        """
        text, name, key_id, signature = _split_note(note)
        if (name, key_id) != (self.name, self.id):
            raise BadNote("other-key")
        try:
            self._public.verify(signature, text.encode())
        except (InvalidSignature, UnicodeEncodeError):
            raise BadNote("bad-signature") from None
        return text

    def fingerprint(self) -> str:
        """SHA-256 of the key string: the first 32 hex digits in groups of four, to be read aloud."""
        digits = hashlib.sha256(self.key.encode()).hexdigest()[:32]
        return " ".join(digits[start : start + 4] for start in range(0, 32, 4))


class Signer:
    """A private key under its name.

    Shape:   `seed` is the 32-byte private key of RFC 8032
    Raises:  BadNote `bad-key` for a name that is empty, or has a space or plus
    """

    __slots__ = ("_id", "_private", "key", "name")

    def __init__(self, name: str, seed: bytes) -> None:
        _require_name(name)
        if len(seed) != KEY_BYTES:
            raise BadNote("bad-key")
        self._private = Ed25519PrivateKey.from_private_bytes(seed)
        public = self._private.public_key().public_bytes_raw()
        self.name = name
        self._id = _key_id(name, public)
        self.key = f"{name}+{self._id.hex()}+{_base64(ED25519 + public)}"
        """The verifier key, which is public."""

    def sign(self, text: str) -> str:
        """The note over a text; the same bytes each time.

        Raises:  BadNote `not-a-note` unless the text ends in a line feed and has no control characters
        """
        _require_text(text)
        return f"{text}\n{DASH}{self.name} {_base64(self._id + self._private.sign(text.encode()))}\n"

    def secret_key(self) -> str:
        """The key string to keep: `PRIVATE+KEY+NAME+ID+BASE64`."""
        return f"{PRIVATE}{self.name}+{self._id.hex()}+{_base64(ED25519 + self._private.private_bytes_raw())}"


def signer_from(secret_key: str) -> Signer:
    """The signer whose `secret_key` this is.

    Raises:  BadNote `bad-key`
    """
    if not secret_key.startswith(PRIVATE):
        raise BadNote("bad-key")
    try:
        name, digits, seed = _key_fields(secret_key.removeprefix(PRIVATE))
    except ValueError:
        raise BadNote("bad-key") from None
    signer = Signer(name, seed)
    if signer.secret_key() != secret_key or digits != signer.key.removeprefix(name + "+").partition("+")[0]:
        raise BadNote("bad-key")
    return signer


# --- heads


def origin(host: str, battle: str) -> str:
    """The first line of every head of a battle."""
    return f"{host}/phalera/{battle}"


def sign_head(signer: Signer, head: Head) -> str:
    """The receipt: the note over a head."""
    return signer.sign(_head_text(head))


def open_head(verifier: Verifier, note: str) -> Head:
    """Verify a note with this key and return its head.

    Raises:  BadNote
    """
    return read_head(verifier.open(note))


def unverified_head(note: str) -> Head:
    """The head in a note whose signature is *not* checked: to know which key to ask for.

    Raises:  BadNote
    """
    return read_head(_split_note(note)[0])


def read_head(text: str) -> Head:
    """The head in the text of a note.

    Raises:  BadNote `not-a-head`
    """
    try:
        name, n, encoded, end = text.split("\n")
        head = Head(name, int(n), b64decode(encoded, validate=True))
    except ValueError:
        raise BadNote("not-a-head") from None
    if end or head.n < 0 or len(head.hash) != HASH_BYTES or _head_text(head) != text:
        raise BadNote("not-a-head")
    return head


def _head_text(head: Head) -> str:
    return f"{head.origin}\n{head.n}\n{_base64(head.hash)}\n"


# --- change of key


def require_new_key(old: Verifier, log_origin: str, new_key: str, signature: str) -> Verifier:
    """The verifier of the new key, if the old one signed for it.

    Raises:  BadNote `bad-key`, `weak-key`, `bad-signature`
    """
    try:
        signed = b64decode(signature, validate=True)
        if _base64(signed) != signature:
            raise BadNote("bad-signature")
        old._public.verify(signed, _new_key_text(log_origin, new_key))
    except (InvalidSignature, ValueError):
        raise BadNote("bad-signature") from None
    return Verifier(new_key)


def _new_key_text(log_origin: str, new_key: str) -> bytes:
    return f"{log_origin}\nkey\n{new_key}\n".encode()


# --- notes and keys, taken apart


def _split_note(note: str) -> tuple[str, str, bytes, bytes]:
    """Text, name, key id and signature of a note with one signature line, in our spelling."""
    text, gap, line = note.rpartition("\n\n")
    text += "\n"
    name, space, encoded = line.removeprefix(DASH).removesuffix("\n").rpartition(" ")
    try:
        signature = b64decode(encoded, validate=True)
    except ValueError:
        raise BadNote("not-a-note") from None
    if (
        not gap
        or not space
        or not _is_name(name)
        or f"{text}\n{DASH}{name} {_base64(signature)}\n" != note
        or len(signature) <= ID_BYTES
    ):
        raise BadNote("not-a-note")
    _require_text(text)
    return text, name, signature[:ID_BYTES], signature[ID_BYTES:]


def _require_text(text: str) -> None:
    if not text.endswith("\n") or _CONTROL.search(text):
        raise BadNote("not-a-note")


def _is_name(name: str) -> bool:
    return name.isprintable() and not any(mark.isspace() or mark == "+" for mark in name) and name != ""


def _require_name(name: str) -> None:
    if not _is_name(name):
        raise BadNote("bad-key")


def _parse_key(key: str, refused: str) -> tuple[str, bytes]:
    """Name and public key; the id must match them and the spelling must be ours."""
    try:
        name, digits, public = _key_fields(key)
    except ValueError:
        raise BadNote("bad-key") from None
    _require_name(name)
    if key.startswith(refused) or digits != _key_id(name, public).hex() or len(public) != KEY_BYTES:
        raise BadNote("bad-key")
    if key != f"{name}+{digits}+{_base64(ED25519 + public)}":
        raise BadNote("bad-key")
    if not is_strong_key(public):
        raise BadNote("weak-key")
    return name, public


def _key_fields(key: str) -> tuple[str, str, bytes]:
    """Raises ValueError unless it is NAME+ID+BASE64 of an Ed25519 key."""
    name, digits, encoded = key.split("+", 2)
    material = b64decode(encoded, validate=True)
    if material[:1] != ED25519:
        raise ValueError("not an Ed25519 key")
    return name, digits, material[1:]


def _key_id(name: str, public: bytes) -> bytes:
    return hashlib.sha256(name.encode() + b"\n" + ED25519 + public).digest()[:ID_BYTES]


def _base64(content: bytes) -> str:
    return b64encode(content).decode("ascii")
