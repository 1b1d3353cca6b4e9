"""The arithmetic of lockers, as the page does it (`lockers.js`, docs/account.md): AES-256-GCM under a player's own key.

A locker is bound to its player, kind, place and version: the server cannot give one for another.
"""

import re
from base64 import b64decode, b64encode
from typing import Any

import msgspec
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from msgspec import Struct

from domain.log.fairness import M, frame
from replay.writing.entropy import Entropy

KEY_BYTES, NONCE_BYTES, MARK_BYTES, CHECK_BYTES = 16, 12, 8, 2
WORDS = (KEY_BYTES + CHECK_BYTES) // 2
CONSONANTS, VOWELS = "bdfghjklmnprstvz", "aiou"
"""A word of five letters, consonants and vowels in turn, is 16 bits."""


class LockerName(Struct, frozen=True):
    """What a locker is bound to."""

    player: str
    kind: str
    place: str
    version: int


class WrongLocker(Exception):
    """A locker that this key does not open: another key, an altered byte, another locker."""


def new_key(entropy: Entropy) -> bytes:
    """The key of a player's lockers."""
    return entropy.bytes(KEY_BYTES)


def mark_of(key: bytes, player: str) -> str:
    """The name of a key, by which the server tells it from others."""
    return M(key, "phalera/1 locker mark", player)[:MARK_BYTES].hex()


def words_of(key: bytes, player: str) -> str:
    """A key as nine words; the last one finds a slip of the pen."""
    octets = key + bytes.fromhex(mark_of(key, player))[:CHECK_BYTES]
    return " ".join(_word(octets[at] << 8 | octets[at + 1]) for at in range(0, len(octets), 2))


def from_words(text: str, player: str) -> bytes | None:
    """The key in words that somebody typed, None if they are not those of a key of this player."""
    words = re.findall("[a-z]+", text.lower()[:1000])
    numbers = [_number(word) for word in words]
    if len(numbers) != WORDS or -1 in numbers:
        return None
    key = b"".join(number.to_bytes(2, "big") for number in numbers[:-1])
    return key if words_of(key, player) == " ".join(words) else None


def locked(key: bytes, name: LockerName, thing: object, entropy: Entropy) -> str:
    """A thing as the server keeps it, base64, under a nonce of its own."""
    nonce = entropy.bytes(NONCE_BYTES)
    sealed = AESGCM(_secret(key, name)).encrypt(nonce, msgspec.json.encode(thing), _bound(name))
    return b64encode(nonce + sealed).decode("ascii")


def unlocked(key: bytes, name: LockerName, text: str) -> Any:
    """The thing in a locker, as plain values.

    Raises:  WrongLocker
    """
    try:
        content = b64decode(text, validate=True)
        nonce, sealed = content[:NONCE_BYTES], content[NONCE_BYTES:]
        return msgspec.json.decode(AESGCM(_secret(key, name)).decrypt(nonce, sealed, _bound(name)))
    except (InvalidTag, ValueError):  # msgspec's errors are ValueErrors, too
        raise WrongLocker from None


def _secret(key: bytes, name: LockerName) -> bytes:
    return M(key, "phalera/1 locker key", name.player)


def _bound(name: LockerName) -> bytes:
    return frame("phalera/1 locker", name.player, name.kind, name.place, name.version)


def _word(number: int) -> str:
    parts = (number >> 12, number >> 10 & 3, number >> 6 & 15, number >> 4 & 3, number & 15)
    return "".join((VOWELS if at % 2 else CONSONANTS)[part] for at, part in enumerate(parts))


def _number(word: str) -> int:
    if len(word) != 5:
        return -1
    number = 0
    for at, letter in enumerate(word):
        part = (VOWELS if at % 2 else CONSONANTS).find(letter)
        if part < 0:
            return -1
        number = number << (2 if at % 2 else 4) | part
    return number
