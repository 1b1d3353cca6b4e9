"""Check who takes which seat, and when: the order of set-up, substitutes, players' keys (fairness.md 2, 3).

A seat names everything that the later checks lean on: its player, whether it is a person's or a bot's, plain or sealed,
and the player's own key if it has one. Whether a substitute is allowed is `authority`'s.
"""

from base64 import b64decode, b64encode
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from msgspec import UNSET

from domain.log.fairness import SEAL_BYTES
from domain.log.limits import is_player
from replay.proof.blocks import SEATS, ProtocolFault, octets, require_seat

KEY_BYTES = 32


class Seat:
    """One side, as one player holds it from event `since` on; `until` is the event that gave it back, 0 before. What a
    player has brought stays known when they leave, until the next one comes."""

    __slots__ = (
        "anchor",
        "is_operator",
        "is_taken",
        "kind",
        "mode",
        "name",
        "player",
        "side",
        "signer",
        "since",
        "until",
    )

    def __init__(self, side: str, since: int = 0) -> None:
        self.side = side
        self.since = since
        self.until = 0
        self.player = ""
        self.name = ""
        self.kind = ""
        self.mode = ""
        self.anchor = b""
        self.signer: Ed25519PublicKey | None = None
        self.is_taken = False
        self.is_operator = False

    @property
    def is_bot(self) -> bool:
        """Whether the server plays it."""
        return self.kind == "bot"

    @property
    def is_sealed(self) -> bool:
        """Whether its contributions come from a book of seals."""
        return self.mode == "sealed"


class Seats:
    """The seats of a battle; `began` is the event of its start, 0 before."""

    def __init__(self) -> None:
        self.began = 0
        self._seats = {side: Seat(side) for side in SEATS}
        self._given_back: list[Seat] = []  # after the start

    def __getitem__(self, side: str) -> Seat:
        return self._seats[side]

    def all(self) -> tuple[Seat, ...]:
        """The seats, in the order in which their contributions enter a seed."""
        return tuple(self._seats.values())

    def holders(self) -> tuple[Seat, ...]:
        """Everybody who has held a seat in play, by seat and time: before the start nobody gives or orders anything."""
        held = [*self._given_back, *(seat for seat in self._seats.values() if seat.is_taken)]
        return tuple(seat for side in SEATS for seat in held if seat.side == side)

    def others(self, side: str) -> tuple[Seat, ...]:
        """The seats but one."""
        return tuple(seat for seat in self._seats.values() if seat.side != side)

    def taken(self, n: int, side: str) -> Seat:
        """The seat of a side that somebody holds.

        Raises:  ProtocolFault `unknown-side`, `seat-empty`
        """
        require_seat(n, side)
        seat = self._seats[side]
        if not seat.is_taken:
            raise ProtocolFault(n, "seat-empty", side=side)
        return seat

    def joined(self, n: int, event: Any) -> Seat:
        """Somebody takes a seat."""
        require_seat(n, event.side)
        if self._seats[event.side].is_taken:
            raise ProtocolFault(n, "seat-taken", side=event.side)
        if event.kind not in ("person", "bot") or event.mode not in ("plain", "sealed"):
            raise ProtocolFault(n, "other-seat", kind=event.kind or "", mode=event.mode or "")
        if not isinstance(event.player, str) or not is_player(event.player):
            raise ProtocolFault(n, "bad-player", found=event.player or "")
        if event.operator is not UNSET and event.operator is not True:
            raise ProtocolFault(n, "bad-member", member="operator")
        is_sealed = event.mode == "sealed"
        if is_sealed is (event.anchor is UNSET):
            raise ProtocolFault(n, "anchor-of-other-seat", side=event.side, mode=event.mode)
        if event.kind == "bot" and event.signer is not UNSET:
            raise ProtocolFault(n, "bad-member", member="signer")
        seat = Seat(event.side, n)
        seat.anchor = octets(n, "anchor", event.anchor, SEAL_BYTES) if is_sealed else b""
        seat.signer = None if event.signer is UNSET else _signer(n, event.signer)
        seat.player, seat.name, seat.kind, seat.mode = event.player, event.name, event.kind, event.mode
        seat.is_operator = event.operator is True
        seat.is_taken = True
        self._seats[event.side] = seat
        return seat

    def left(self, n: int, side: str) -> None:
        """A seat is given back; its contributions stay."""
        seat = self.taken(n, side)
        seat.is_taken, seat.until = False, n
        if self.began:
            self._given_back.append(seat)

    def begin(self, n: int) -> None:
        """The battle begins: once, and when all seats are taken."""
        if self.began:
            raise ProtocolFault(n, "began-twice")
        free = [side for side, seat in self._seats.items() if not seat.is_taken]
        if free:
            raise ProtocolFault(n, "began-before-joined", sides=free)
        self.began = n


def signature_bytes(text: object, size: int) -> bytes | None:
    """The bytes of a standard base64 text with padding, in its one spelling; None if it is not that."""
    try:
        value = b64decode(text, validate=True) if isinstance(text, str) else b""
    except ValueError:
        return None
    return value if len(value) == size and b64encode(value).decode("ascii") == text else None


def _signer(n: int, text: object) -> Ed25519PublicKey:
    public = signature_bytes(text, KEY_BYTES)
    if public is None:
        raise ProtocolFault(n, "bad-member", member="signer")
    try:
        return Ed25519PublicKey.from_public_bytes(public)
    except ValueError:
        raise ProtocolFault(n, "bad-member", member="signer") from None
