"""Read a battle file, its chain and notes, and the functions of the protocol (docs/record-format.md 1)."""

import hashlib
import hmac
import json
import re
from base64 import b64decode, b64encode
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

HEADER = {"battle", "created", "format", "host", "key", "rules", "ruleset", "version"}
TIME = re.compile(r"2\d{3}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")
EVENT = {"at", "by", "data", "hash", "n", "rule", "type"}


class Wrong(Exception):
    """A fault of event `n`."""

    def __init__(self, n: int, kind: str) -> None:
        super().__init__(n, kind)
        self.n, self.kind = n, kind


class Line:
    """An event: `own` are its members as they stand there, `data` those with what was opened later."""

    def __init__(self, shape: dict[str, Any]) -> None:
        self.n, self.at, self.by, self.rule, self.type = (shape[name] for name in ("n", "at", "by", "rule", "type"))
        self.own: dict[str, Any] = shape["data"]
        self.data = dict(self.own)
        self.is_sealed = "sealed" in self.own


def canonical(value: object) -> bytes:
    """The one spelling of a value."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()


def digest(*parts: bytes) -> bytes:
    """SHA-256 of bytes that are joined."""
    return hashlib.sha256(b"".join(parts)).digest()


def frame(tag: str, *parts: Any) -> bytes:
    """The frame: texts, numbers and bytes."""
    raw = ("pbem/2 " + tag).encode()
    found = [len(raw).to_bytes(2, "big"), raw]
    for part in parts:
        octets = part.encode() if isinstance(part, str) else part.to_bytes(4, "big") if isinstance(part, int) else part
        found += [len(octets).to_bytes(4, "big"), octets]
    return b"".join(found)


def h(tag: str, *parts: Any) -> bytes:
    """H of the page."""
    return digest(frame(tag, *parts))


def m(key: bytes, tag: str, *parts: Any) -> bytes:
    """M of the page."""
    return hmac.digest(key, frame(tag, *parts), "sha256")


def is_signed(public: bytes, signature: str, message: bytes) -> bool:
    """Whether a signature in base64 fits."""
    try:
        raw = b64decode(signature, validate=True)
        Ed25519PublicKey.from_public_bytes(public).verify(raw, message)
    except (ValueError, InvalidSignature):
        return False
    return b64encode(raw).decode() == signature


def public_of(key: str, name: str) -> bytes:
    """The public key in a verifier key of a host."""
    given, _, rest = key.partition("+")
    short, _, text = rest.partition("+")
    raw = b64decode(text, validate=True)
    expected = digest(name.encode() + b"\n" + raw)[:4].hex()
    if given != name or raw[:1] != b"\x01" or len(raw) != 33 or short != expected or b64encode(raw).decode() != text:
        raise Wrong(0, "bad-note")
    return raw[1:]


class BattleFile:
    """A file without a fault in bytes, chain and notes. `hashes[n]` is that of event n, `hashes[0]` of the header."""

    def __init__(self, content: bytes) -> None:
        if not content.endswith(b"\n"):
            raise Wrong(0, "cut-line")
        lines = content[:-1].split(b"\n")
        self.header = self._shape(0, lines[0])
        if set(self.header) != HEADER or self.header["version"] not in (2, 3):
            raise Wrong(0, "not-a-header")
        self.gid: str = self.header["battle"]
        self.version: int = self.header["version"]
        self.hashes = [digest(lines[0])]
        self.events: list[Line] = []
        self.note = ""
        for n, line in enumerate(lines[1:], 1):
            shape = self._shape(n, line)
            if set(shape) == {"checkpoint"} and n == len(lines) - 1:
                self.note = shape["checkpoint"]
            else:
                self._event(n, line, shape)
        self._require_keys()

    @staticmethod
    def _shape(n: int, line: bytes) -> dict[str, Any]:
        if len(line) > 1 << 20:
            raise Wrong(n, "line-too-long")
        try:
            shape = json.loads(line)
        except ValueError as reason:
            raise Wrong(n, "not-utf-8" if isinstance(reason, UnicodeDecodeError) else "not-json") from None
        if not isinstance(shape, dict) or canonical(shape) != line:
            raise Wrong(n, "not-canonical")
        return shape

    def _event(self, n: int, line: bytes, shape: dict[str, Any]) -> None:
        if set(shape) != EVENT or not isinstance(shape["data"], dict):
            raise Wrong(n, "wrong-keys")
        if shape["n"] != n:
            raise Wrong(n, "wrong-number")
        if not isinstance(shape["at"], str) or not TIME.fullmatch(shape["at"]):
            raise Wrong(n, "bad-time")
        if self.events and shape["at"] < self.events[-1].at:
            raise Wrong(n, "time-goes-back")
        place = line.rindex(b',"n":')
        chained = digest(self.hashes[-1], line[: place - 74] + line[place:])
        if chained.hex() != shape["hash"]:
            raise Wrong(n, "wrong-hash")
        self.hashes.append(chained)
        self.events.append(Line(shape))

    def _require_keys(self) -> None:
        host = self.header["host"]
        key = public_of(self.header["key"], host)
        for line in self.events:
            if line.type == "KeyChanged":
                message = f"{host}/phalera/{self.gid}\nkey\n{line.own['key']}\n".encode()
                if not is_signed(key, line.own["signature"], message):
                    raise Wrong(line.n, "bad-signature")
                key = public_of(line.own["key"], host)
        if self.note:
            self._require_note(key, host)

    def _require_note(self, key: bytes, host: str) -> None:
        n = len(self.events)
        text = f"{host}/phalera/{self.gid}\n{n}\n{b64encode(self.hashes[n]).decode()}\n"
        name = digest(host.encode() + b"\n\x01" + key)[:4]
        found = re.fullmatch(re.escape(f"{text}\n\u2014 {host} ") + r"(\S+)\n", self.note)
        raw = b64decode(found[1], validate=True) if found else b""
        if raw[:4] != name or not is_signed(key, b64encode(raw[4:]).decode(), text.encode()):
            raise Wrong(n, "bad-signature")
