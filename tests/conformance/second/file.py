"""Read a battle file, its chain and notes, and the functions of the protocol (docs/record-format.md 1 to 3)."""

import hashlib
import hmac
import re
from base64 import b64decode, b64encode
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from .lines import Wrong, is_battle, is_host, is_player, is_time, read

TEXTS = ("battle", "created", "format", "host", "key", "rules", "ruleset")
EVENT = ("at", "by", "data", "hash", "n", "rule", "type")
CHECKPOINT = b'{"checkpoint":'
MOST_EVENTS = 1 << 20
PRIME = 2**255 - 19
EIGHT = 0x7A03AC9277FDC74EC6CC392CFA53202A0F67100D760B3CBA4FD84D3D706A17C7
SMALL = (0, 1, PRIME - 1, EIGHT, PRIME - EIGHT)
"""The y of the eight points whose order is 1, 2, 4 or 8."""


class OtherVersion(Exception):
    """The file is of a version that docs/record-format.md does not judge."""


class Line:
    """An event: `own` are its members as they stand there, `data` those with what was opened later."""

    def __init__(self, shape: dict[str, Any]) -> None:
        self.n, self.at, self.by, self.rule, self.type = (shape[name] for name in ("n", "at", "by", "rule", "type"))
        self.own: dict[str, Any] = shape["data"]
        self.data = dict(self.own)
        self.is_sealed = "sealed" in self.own
        self.is_open = not self.is_sealed


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


def from_hex(n: int, text: object, size: int) -> bytes:
    """So many bytes in lower-case hex, in event `n`."""
    if not isinstance(text, str) or not re.fullmatch(f"[0-9a-f]{{{2 * size}}}", text):
        raise Wrong(n, "bad-hex")
    return bytes.fromhex(text)


def from_base64(text: object) -> bytes | None:
    """The bytes of base64 in its one spelling, None if it is not that."""
    try:
        raw = b64decode(text, validate=True) if isinstance(text, str) else b""
    except ValueError:
        return None
    return raw if b64encode(raw).decode() == text else None


def is_signed(public: bytes, signature: object, message: bytes) -> bool:
    """Whether a signature in base64 fits."""
    raw = from_base64(signature)
    if raw is None or len(raw) != 64:
        return False
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(raw, message)
    except (ValueError, InvalidSignature):
        return False
    return True


def is_strong(key: bytes) -> bool:
    """Whether a key is a point of the curve in its one encoding, and not of small order."""
    y = int.from_bytes(key, "little") & (1 << 255) - 1
    if y >= PRIME or y in SMALL:
        return False
    u, v = (y * y - 1) % PRIME, (-121665 * pow(121666, -1, PRIME) * y * y + 1) % PRIME
    return pow(u * pow(v, -1, PRIME), (PRIME - 1) // 2, PRIME) == 1


def signer_of(n: int, text: object) -> bytes:
    """The public key of a player or an umpire, in event `n`."""
    key = from_base64(text)
    if key is None or len(key) != 32:
        raise Wrong(n, "bad-member")
    if not is_strong(key):
        raise Wrong(n, "weak-key")
    return key


def host_key(n: int, key: object) -> tuple[str, bytes]:
    """Name and public key in a verifier key of a host."""
    parts = key.split("+", 2) if isinstance(key, str) else []
    raw = from_base64(parts[2]) if len(parts) == 3 else None
    is_name = bool(parts) and re.fullmatch(r"[^\s+\x00-\x1f\x7f-\x9f]+", parts[0]) is not None
    if raw is None or len(raw) != 33 or raw[0] != 1 or not is_name:
        raise Wrong(n, "bad-key")
    if digest(parts[0].encode() + b"\n" + raw)[:4].hex() != parts[1]:
        raise Wrong(n, "bad-key")
    if not is_strong(raw[1:]):
        raise Wrong(n, "weak-key")
    return parts[0], raw[1:]


class BattleFile:
    """A file without a fault in bytes, chain and notes. `hashes[n]` is that of event n, `hashes[0]` of the header."""

    def __init__(self, content: bytes) -> None:
        lines, closing = self._cut(content)
        self.header = self._header(lines[0])
        self.gid: str = self.header["battle"]
        self.version: int = self.header["version"]
        self.origin = f"{self.header['host']}/phalera/{self.gid}"
        self.key = host_key(0, self.header["key"])[1]
        self.hashes = [digest(lines[0])]
        self.events: list[Line] = []
        self.is_signed = closing is not None
        for n, line in enumerate(lines[1:], 1):
            self._event(n, line)
        if closing is not None:
            self._checkpoint(closing)

    @staticmethod
    def _cut(content: bytes) -> tuple[list[bytes], bytes | None]:
        """The lines of header and events, and that of the checkpoint."""
        if not content:
            raise Wrong(0, "empty")
        *lines, rest = content.split(b"\n", MOST_EVENTS + 3)
        if len(lines) > MOST_EVENTS + 2:
            raise Wrong(0, "too-many-events")
        if rest:
            raise Wrong(len(lines), "no-final-newline")
        for at, line in enumerate(lines):
            if not line:
                raise Wrong(at, "empty-line")
            if at and line.startswith(CHECKPOINT) and at < len(lines) - 1:
                raise Wrong(at, "checkpoint-not-last")
        closing = lines.pop() if len(lines) > 1 and lines[-1].startswith(CHECKPOINT) else None
        if len(lines) < 2:
            raise Wrong(0, "no-events")
        return lines, closing

    @staticmethod
    def _header(line: bytes) -> dict[str, Any]:
        header = read(0, line)
        version, is_ours = header.get("version"), header.get("format") == "phalera-battle"
        if is_ours and type(version) is int and version >= 1 and version not in (2, 3):
            raise OtherVersion
        is_whole = all(isinstance(header.get(name), str) for name in TEXTS) and type(version) is int
        if sorted(header) != [*TEXTS, "version"] or not is_whole:
            raise Wrong(0, "not-a-header")
        if not is_ours or version not in (2, 3):
            raise Wrong(0, "other-format")
        for kind, is_right in (
            ("bad-time", is_time(header["created"])),
            ("bad-battle", is_battle(header["battle"])),
            ("bad-host", is_host(header["host"])),
            ("key-of-another", header["key"].split("+")[0] == header["host"]),
        ):
            if not is_right:
                raise Wrong(0, kind)
        return header

    def _event(self, n: int, line: bytes) -> None:
        shape = read(n, line)
        if sorted(shape) != [*EVENT]:
            raise Wrong(n, "wrong-keys")
        texts = all(isinstance(shape[name], str) for name in ("at", "by", "hash", "rule", "type"))
        if not texts or type(shape["n"]) is not int or not isinstance(shape["data"], dict):
            raise Wrong(n, "not-an-event")
        if shape["n"] != n:
            raise Wrong(n, "wrong-number")
        if not is_time(shape["at"]):
            raise Wrong(n, "bad-time")
        if shape["at"] < (self.events[-1].at if self.events else self.header["created"]):
            raise Wrong(n, "time-goes-back")
        if "player" in shape["data"] and not is_player(shape["data"]["player"]):
            raise Wrong(n, "bad-player")
        place = line.rindex(b',"n":')
        chained = digest(self.hashes[-1], line[: place - 74] + line[place:])
        if line[place - 74 : place] != b',"hash":"%b"' % chained.hex().encode():
            raise Wrong(n, "wrong-hash")
        self.hashes.append(chained)
        self.events.append(Line(shape))
        if shape["type"] == "KeyChanged":
            self._new_key(n, shape["data"])

    def _new_key(self, n: int, data: dict[str, Any]) -> None:
        if not isinstance(data.get("key"), str) or not isinstance(data.get("signature"), str):
            raise Wrong(n, "wrong-data")
        if not is_signed(self.key, data["signature"], f"{self.origin}\nkey\n{data['key']}\n".encode()):
            raise Wrong(n, "bad-signature")
        name, key = host_key(n, data["key"])
        if name != self.header["host"]:
            raise Wrong(n, "other-name")
        self.key = key

    def _checkpoint(self, line: bytes) -> None:
        n = len(self.events)
        note = read(n + 1, line)
        if list(note) != ["checkpoint"] or not isinstance(note["checkpoint"], str):
            raise Wrong(n + 1, "not-a-checkpoint")
        found = re.fullmatch(r"([^\x00-\x09\x0b-\x1f\x7f]*\n)\n\u2014 ([^\s+]+) (\S+)\n", note["checkpoint"])
        raw = from_base64(found[3]) if found else None
        if found is None or raw is None or len(raw) <= 4:
            raise Wrong(n, "not-a-note")
        host = self.header["host"]
        if found[2] != host or raw[:4] != digest(host.encode() + b"\n\x01" + self.key)[:4]:
            raise Wrong(n, "other-key")
        if not is_signed(self.key, b64encode(raw[4:]).decode(), found[1].encode()):
            raise Wrong(n, "bad-signature")
        if found[1] != f"{self.origin}\n{n}\n{b64encode(self.hashes[n]).decode()}\n":
            head = re.fullmatch(r".*\n(0|[1-9]\d*)\n(\S+)\n", found[1])
            is_head = head is not None and int(head[1]) < 1 << 53 and len(from_base64(head[2]) or b"") == 32
            raise Wrong(n, "other-head" if is_head else "not-a-head")
