"""Follow who is umpire of a battle, with which key, and whom the sides want (fairness.md 5).

From PBEM-2.1 on an umpire may bring a key, and then signs each line. An agreement names one player and one key.
"""

from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from msgspec import UNSET, Struct

from domain.engine.dockets import needs_key
from domain.log.points import key_id
from domain.log.record import PBEM_2_1
from replay.proof.blocks import ProtocolFault
from replay.proof.seats import ProvenSeats, public_key


class Proposed(Struct, frozen=True):
    """Whom a side wants, with which key ("": none), since event `n`."""

    player: str
    signer: str
    n: int


class OfficeSoFar(Struct, frozen=True):
    """What the index of a check keeps of the office; `key` is b"" for none."""

    umpire: str
    key: bytes
    proposed: dict[str, Proposed]
    former: frozenset[str]


class Office:
    """The umpire's office in one battle of a version of the protocol. `umpire` holds it, "" for nobody; `key` is
    theirs, None for none, `kid` its id. `unsigned` is what the opening says of an umpire without a key."""

    def __init__(self, seats: ProvenSeats, version: int, unsigned: object) -> None:
        self.umpire = ""
        self.key: Ed25519PublicKey | None = None
        self.kid = ""
        self.proposed: dict[str, Proposed] = {}
        self.has_keys = version >= PBEM_2_1
        self._seats = seats
        self._former: set[str] = set()  # all that ever were
        self._unsigned = unsigned

    def so_far(self) -> OfficeSoFar:
        """What an index keeps."""
        key = b"" if self.key is None else self.key.public_bytes_raw()
        return OfficeSoFar(self.umpire, key, {**self.proposed}, frozenset(self._former))

    def resume(self, kept: OfficeSoFar) -> None:
        """Go on from there."""
        self.umpire, self.proposed, self._former = kept.umpire, {**kept.proposed}, {*kept.former}
        self.key = Ed25519PublicKey.from_public_bytes(kept.key) if kept.key else None
        self.kid = key_id(kept.key) if kept.key else ""

    def opened(self) -> None:
        """The opening says nothing of umpires that it may not say.

        Raises: ProtocolFault `bad-member`
        """
        if self._unsigned is not UNSET and (self._unsigned is not True or not self.has_keys):
            raise ProtocolFault(1, "bad-member", member="unsigned_umpire")

    def was(self, player: str) -> bool:
        """Whether a player is or was umpire here."""
        return player in self._former

    def proposes(self, n: int, event: Any) -> None:
        """A side wants an umpire.

        Raises: ProtocolFault `bad-member`, `weak-key`
        """
        self._read(n, event.signer)
        self.proposed[event.side] = Proposed(event.player, event.signer or "", n)

    def is_agreed(self, player: str, signer: str) -> bool:
        """Whether all sides want this player with this key."""
        wanted = (self.proposed.get(side) for side in self._seats.names)
        return all(one is not None and (one.player, one.signer) == (player, signer) for one in wanted)

    def is_newest(self, player: str, signer: str, side: str, seen: int | None) -> bool:
        """Whether this is whom the sides but one have proposed last, where that one could see it: it has seen event
        `seen`, None: all."""
        others = [one for of, one in self.proposed.items() if of != side]
        newest = max(others, key=lambda one: one.n, default=None)
        if newest is None or (seen is not None and newest.n > seen):
            return False
        return (newest.player, newest.signer) == (player, signer)

    def named(self, n: int, event: Any) -> None:
        """Somebody takes the office.

        Raises: ProtocolFault `umpire-plays`, `bad-member`, `weak-key`, `umpire-unsigned`
        """
        if not event.player or any(seat.player == event.player for seat in self._seats.all()):
            raise ProtocolFault(n, "umpire-plays", found=event.player)
        key, is_opened_so = self._read(n, event.signer), self._unsigned is True
        persons = [seat for seat in self._seats.all() if seat.is_taken and not seat.is_bot]
        signers = ("" if seat.signer is None else "key" for seat in persons)
        is_early = event.how == "opening" and not is_opened_so  # nobody sits yet, and everybody may bring a key
        if self.has_keys and key is None and (is_early or needs_key(signers, is_opened_so)):
            raise ProtocolFault(n, "umpire-unsigned", player=event.player)
        self.umpire, self.key = event.player, key
        self.kid = "" if key is None else key_id(key.public_bytes_raw())
        self._former.add(event.player)

    def _read(self, n: int, signer: object) -> Ed25519PublicKey | None:
        if signer is UNSET:
            return None
        if not self.has_keys:
            raise ProtocolFault(n, "bad-member", member="signer")
        return Ed25519PublicKey.from_public_bytes(public_key(n, signer))
