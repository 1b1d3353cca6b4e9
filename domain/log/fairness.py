"""The arithmetic of PBEM-2: anyone can recompute every card and die from the log.

What holds (docs/record-format.md 4):
- The host has bound a key for every period of the battle before anybody contributes. Keys stand in reverse hash
  chains: the anchor of each is in the first event, and each key hashes to the one before it, so a key can be checked
  when it is disclosed and cannot be known earlier.
- A draw is seeded by the key of its period, its scope and the newest contribution of every seat.
- Everything here is arithmetic on bytes: no randomness is created and no state is kept.

Letters are those of the protocol: H is SHA-256 and M is HMAC-SHA-256 over a tag and its parts. A chain is `public` or
`hand:SEAT`, an index counts the periods from 0, a scope is a name such as `draw:north`.

Rejected: a key derived from a master for each period alone (nothing binds it before the master is out); one chain for
all scopes (a seat's hand would be open at the end of each turn).
"""

from base64 import b32decode, b32encode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from hashlib import sha256
from hmac import digest as hmac_digest
from struct import Struct

Part = str | int | bytes
"""Text goes in as UTF-8, a number as unsigned 32-bit big-endian, bytes as they are."""

SECRET_BYTES = 32  # master, key, seed, salt, plain contribution
SEAL_BYTES = 16  # seal, anchor
SEAL_CHARACTERS = 26  # of base32, without padding

_U16 = Struct(">H").pack
_U32 = Struct(">I").pack
_U64 = Struct(">Q").pack
_FOUR_WORDS = Struct(">4Q").unpack
_WORDS = 1 << 64  # how many values a word of the stream can have
_STREAM = b"pbem/2 stream"


def H(tag: str, *parts: Part) -> bytes:
    """SHA-256 over a tag and its parts, each with its length: 32 bytes.

    Shape:   u16be(len tag) ‖ tag ‖ for each part u32be(len part) ‖ part
    """
    return sha256(_framed(tag, parts)).digest()


def M(key: bytes, tag: str, *parts: Part) -> bytes:
    """HMAC-SHA-256 under `key` over the same bytes as `H`: 32 bytes."""
    return hmac_digest(key, _framed(tag, parts), "sha256")


def frame(tag: str, *parts: Part) -> bytes:
    """The bytes that `H` and `M` hash, for whoever makes it again with another program."""
    return _framed(tag, parts)


# --- keys of the host


PUBLIC = "public"
"""The chain of all scopes but those of hands."""
LENGTHS = range(2, 65537)
"""How many keys a chain may have."""
LENGTH = 1024
"""How many keys a chain has, unless a battle says otherwise."""


def chain_of(scope: str) -> str:
    """The chain whose keys seed a scope: a hand's own, else the public one."""
    name = scope.partition("/")[0]
    return name if name.startswith("hand:") else PUBLIC


def seats_in(chains: Iterable[str]) -> tuple[str, ...]:
    """The seats whose hands have chains, in the order in which their contributions enter a seed."""
    return tuple(sorted(chain.removeprefix("hand:") for chain in chains if chain.startswith("hand:")))


def top_key(master: bytes, battle: str, chain: str, generation: int) -> bytes:
    """k_(N-1), the last key of a chain, from which all others follow."""
    return M(master, "pbem/2 top", battle, chain, generation)


def key_before(battle: str, chain: str, generation: int, key: bytes) -> bytes:
    """k_(j-1) of k_j; that of k_0 is the anchor."""
    return H("pbem/2 key", battle, chain, generation, key)


def keys_before(battle: str, chain: str, generation: int, key: bytes) -> Iterator[bytes]:
    """The keys before one, the nearest first, without end: a chain is long, and what they share is framed once."""
    shared = _framed("pbem/2 key", (battle, chain, generation)) + _U32(SECRET_BYTES)
    while True:
        key = sha256(shared + key).digest()
        yield key


def key_below(battle: str, chain: str, generation: int, key: bytes, places: int) -> bytes:
    """The key that is `places` places before one in its chain."""
    shared = _framed("pbem/2 key", (battle, chain, generation)) + _U32(SECRET_BYTES)
    for _ in range(places):
        key = sha256(shared + key).digest()
    return key


def commitment(battle: str, length: int, anchors: Mapping[str, bytes]) -> bytes:
    """C, which the first event has: it binds the anchors of the first chains and their length."""
    parts: list[Part] = [part for chain in sorted(anchors) for part in (chain, anchors[chain])]
    return H("pbem/2 commitment", battle, length, *parts)


# --- contributions


def seal_chain(battle: str, seat: str, secret: bytes, length: int) -> tuple[bytes, ...]:
    """The seals s_0 … s_length of a sealed seat; s_0 is the anchor, s_1 the first contribution.

    Made by the player's own client, from 32 secret bytes that never leave it.
    """
    return seals_to(battle, seat, M(secret, "pbem/2 seal tip", battle, seat)[:SEAL_BYTES], length)


def seals_to(battle: str, seat: str, tip: bytes, length: int) -> tuple[bytes, ...]:
    """The seals s_0 … s_length that lead to the last one, `tip`."""
    seals = [tip]
    for _ in range(length):
        seals.append(seal_before(battle, seat, seals[-1]))
    return tuple(reversed(seals))


def seal_before(battle: str, seat: str, seal: bytes) -> bytes:
    """s_(i-1), which anyone can compute from s_i; the reverse is as hard as inverting SHA-256."""
    return H("pbem/2 seal", battle, seat, seal)[:SEAL_BYTES]


def seal_text(seal: bytes) -> str:
    """A seal as the seal book prints it: 26 letters and digits (RFC 4648 base32, no padding)."""
    return b32encode(seal).decode("ascii").rstrip("=")


def seal_from_text(text: str) -> bytes:
    """The seal that a player typed; case, spaces and hyphens do not matter.

    Raises:  ValueError if it is not a seal, or if its two spare bits are set: a seal has exactly one spelling
    """
    letters = "".join(text.split()).replace("-", "").upper()
    if len(letters) != SEAL_CHARACTERS:
        raise ValueError(f"a seal has {SEAL_CHARACTERS} characters, this has {len(letters)}")
    seal = b32decode(letters + "=" * (-len(letters) % 8))
    if seal_text(seal) != letters:
        raise ValueError("not a seal")
    return seal


def plain_contribution(battle: str, t: int, seat: str, phrase: str, first_order: str = "") -> bytes:
    """What a plain seat contributes to player-turn `t`: 32 bytes.

    Shape:   `first_order` is the canonical text of the first accepted order of the seat's own turn; empty if the
             contribution came without an order, or with a private one
    """
    return H("pbem/2 plain", battle, t, seat, phrase, first_order)


# --- draws


def scope_label(scope: str, rewinds: int) -> str:
    """The scope as it enters a seed: after the k-th rewind of a battle every scope ends in `/rk`.

    So a rewound turn is never dealt the same future again.
    """
    return f"{scope}/r{rewinds}" if rewinds else scope


def seed(key: bytes, battle: str, index: int, scope: str, contributions: Sequence[bytes]) -> bytes:
    """The key of the stream of a scope in period `index`, from the host's key of it and the newest contribution of
    each seat, in the order of the seats.

    It is fixed at the first draw of (index, scope): a later contribution does not change it.
    """
    return M(key, "pbem/2 seed", battle, index, scope, *contributions)


def stream_block(number: int) -> bytes:
    """What is hashed under the key of a stream for its block of a number."""
    return _STREAM + _U64(number)


class Stream:
    """The draws of one scope in one period, in order.

    Block j is HMAC-SHA-256(key, "pbem/2 stream" ‖ u64be(j)), cut into four big-endian words.
    `position` counts the words consumed, including rejected ones; a new stream created at that position
    continues where the other stopped.
    """

    __slots__ = ("_words", "key", "position")

    def __init__(self, key: bytes, position: int = 0) -> None:
        self.key = key
        self.position = position
        self._words: tuple[int, ...] = self._block() if position & 3 else ()

    def below(self, n: int) -> int:
        """A number from 0 to n-1, all equally likely.

        A word x with x ≥ 2^64 − (2^64 mod n) is rejected and the next one taken. At least one word
        is consumed, even for n = 1.

        Raises:  ValueError unless 1 ≤ n ≤ 2^64
        """
        if not 1 <= n <= _WORDS:
            raise ValueError(f"cannot draw below {n}")
        limit = _WORDS - _WORDS % n
        while True:
            offset = self.position & 3
            if not offset:
                self._words = self._block()
            word = self._words[offset]
            self.position += 1
            if word < limit:
                return word % n

    def copy(self) -> "Stream":
        """A second stream at the same position, for a trial that may be discarded."""
        other = Stream(self.key)
        other.position = self.position
        other._words = self._words
        return other

    def _block(self) -> tuple[int, ...]:
        return _FOUR_WORDS(hmac_digest(self.key, stream_block(self.position >> 2), "sha256"))


# --- secrets


def sealed_commitment(salt: bytes, battle: str, t: int, seat: str, content: bytes) -> bytes:
    """What the log holds instead of hidden content, until an `Unsealed` event discloses salt and content.

    Shape:   `salt` 32 random bytes; `content` the canonical JSON object of the members taken out
    """
    return M(salt, "pbem/2 sealed", battle, t, seat, content)


# --- the players' own keys


def signed_message(battle: str, seat: str, serial: int, seen: tuple[int, bytes], giving: bytes, text: str) -> bytes:
    """What a player signs with an order or a contribution that comes alone.

    Shape:   `seen` number and hash of the head that the player answers; `giving` the phrase or the raw seal of the
             contribution that the line brings, else empty; `text` the canonical order, else empty
    """
    n, head = seen
    return _framed("pbem/2 signed", (battle, seat, serial, n, head, giving, text))


def _framed(tag: str, parts: tuple[Part, ...]) -> bytes:
    pieces = [_tagged(tag)]
    for part in parts:
        piece = part if isinstance(part, bytes) else part.encode() if isinstance(part, str) else _U32(part)
        pieces.append(_U32(len(piece)))
        pieces.append(piece)
    return b"".join(pieces)


@cache
def _tagged(tag: str) -> bytes:
    encoded = tag.encode("ascii")
    return _U16(len(encoded)) + encoded
