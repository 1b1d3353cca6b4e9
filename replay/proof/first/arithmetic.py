"""The arithmetic of PBEM-1: what its verifier recomputes. Letters are those of `domain.log.fairness`.

The server commits to a master secret; each (t, scope) has a nonce made from it, and a seed from the nonce and the
newest contribution of both seats.
"""

from hmac import digest as hmac_digest
from struct import Struct

from domain.log.fairness import H, M, Stream

_U64 = Struct(">Q").pack
_FOUR_WORDS = Struct(">4Q").unpack
_STREAM = b"pbem/1 stream"


def commitment(battle: str, master: bytes) -> bytes:
    """C, which the server publishes before anybody contributes; `master` opens it at the end."""
    return H("pbem/1 server commit", battle, master)


def seal_before(battle: str, seat: str, seal: bytes) -> bytes:
    """s_(i-1) of s_i: 16 bytes."""
    return H("pbem/1 seal", battle, seat, seal)[:16]


def plain_contribution(battle: str, t: int, seat: str, phrase: str, first_order: str = "") -> bytes:
    """What a plain seat gives to player-turn `t`: 32 bytes."""
    return H("pbem/1 plain", battle, t, seat, phrase, first_order)


def nonce(master: bytes, battle: str, t: int, scope: str) -> bytes:
    """The server's part of the seed of (t, scope), disclosed when the turn is over."""
    return M(master, "pbem/1 nonce", battle, t, scope)


def seed(turn_nonce: bytes, battle: str, t: int, scope: str, contributions: tuple[bytes, bytes]) -> bytes:
    """The key of the stream of (t, scope), from the nonce and the newest contribution of each seat, north first."""
    return M(turn_nonce, "pbem/1 seed", battle, t, scope, *contributions)


def sealed_commitment(salt: bytes, battle: str, t: int, seat: str, content: bytes) -> bytes:
    """What stands in the log instead of hidden content, until an `Unsealed` event gives salt and content."""
    return M(salt, "pbem/1 sealed", battle, t, seat, content)


class FirstStream(Stream):
    """The draws of one (t, scope), in order: as today, but for the tag of a block."""

    __slots__ = ()

    def _block(self) -> tuple[int, ...]:
        return _FOUR_WORDS(hmac_digest(self.key, _STREAM + _U64(self.position >> 2), "sha256"))
