"""Check who takes which seat, and when: the order of set-up, substitutes, players' keys (fairness.md 2, 3).

A seat names everything that the later checks lean on: its player, whether it is a person's or a bot's, plain or sealed,
and the player's own key if it has one. Whether a substitute is allowed is `authority`'s.
"""

from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from msgspec import UNSET, Struct

from domain.basics.seats import SOUTH_AND_NORTH, Seats
from domain.contract.ruleset import Ruleset
from domain.log.fairness import SEAL_BYTES, seats_in
from domain.log.limits import is_player
from domain.log.points import KEY_BYTES, is_strong_key, key_id
from replay.proof.blocks import ProtocolFault, octets, require_seat
from replay.proof.own_words import signature_bytes


def names_of(ruleset: Ruleset | None, opened: Any) -> tuple[str, ...]:
    """The seats of a battle, in the order in which their contributions enter a seed: those of its game. Of a game that
    nobody here knows, those whose hands have chains in the first event."""
    if ruleset is not None:
        return ruleset.seats.seeding
    keys = getattr(opened, "keys", UNSET)
    try:
        return Seats(seats_in(() if keys is UNSET else keys.anchors)).seeding
    except ValueError:
        return SOUTH_AND_NORTH.seeding


class ProvenSeat:
    """One side, as one player holds it from event `since` on; `until` is the event that gave it back, 0 before. What a
    player has brought stays known when they leave, until the next one comes."""

    __slots__ = (
        "anchor",
        "is_operator",
        "is_program",
        "is_taken",
        "kid",
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
        self.kid = ""
        self.is_taken = False
        self.is_operator = False
        self.is_program = False

    @property
    def is_bot(self) -> bool:
        """Whether the server plays it."""
        return self.kind == "bot"

    @property
    def is_sealed(self) -> bool:
        """Whether its contributions come from a book of seals."""
        return self.mode == "sealed"


class SeatSoFar(Struct, frozen=True):
    """A seat as the index of a check keeps it (`replay.proof.growing`); `signer` is b"" for none."""

    side: str
    since: int
    until: int
    player: str
    name: str
    kind: str
    mode: str
    anchor: bytes
    signer: bytes
    is_taken: bool
    is_operator: bool
    is_program: bool


class SeatsSoFar(Struct, frozen=True):
    """The seats of a battle, without those that were given back."""

    began: int
    seats: tuple[SeatSoFar, ...]


class ProvenSeats:
    """The seats of a battle; `names` are in the order in which contributions enter a seed. `began` is the event of its
    start, 0 before."""

    def __init__(self, names: tuple[str, ...]) -> None:
        self.names = names
        self.began = 0
        self._seats = {side: ProvenSeat(side) for side in names}
        self._given_back: list[ProvenSeat] = []  # after the start

    def __getitem__(self, side: str) -> ProvenSeat:
        return self._seats[side]

    def so_far(self) -> SeatsSoFar:
        """What an index keeps of the seats."""
        return SeatsSoFar(self.began, tuple(_seat_so_far(seat) for seat in self._seats.values()))

    def resume(self, kept: SeatsSoFar) -> None:
        """Go on from there."""
        self.began = kept.began
        self._seats = {one.side: _seat_of(one) for one in kept.seats}

    def all(self) -> tuple[ProvenSeat, ...]:
        """The seats, in the order in which their contributions enter a seed."""
        return tuple(self._seats.values())

    def holders(self) -> tuple[ProvenSeat, ...]:
        """Everybody who has held a seat in play, by seat and time: before the start nobody gives or orders anything."""
        held = [*self._given_back, *(seat for seat in self._seats.values() if seat.is_taken)]
        return tuple(seat for side in self.names for seat in held if seat.side == side)

    def others(self, side: str) -> tuple[ProvenSeat, ...]:
        """The seats but one."""
        return tuple(seat for seat in self._seats.values() if seat.side != side)

    def taken(self, n: int, side: str) -> ProvenSeat:
        """The seat of a side that somebody holds.

        Raises:  ProtocolFault `unknown-side`, `seat-empty`
        """
        require_seat(n, side, self.names)
        seat = self._seats[side]
        if not seat.is_taken:
            raise ProtocolFault(n, "seat-empty", side=side)
        return seat

    def joined(self, n: int, event: Any) -> ProvenSeat:
        """Somebody takes a seat."""
        require_seat(n, event.side, self.names)
        if self._seats[event.side].is_taken:
            raise ProtocolFault(n, "seat-taken", side=event.side)
        if event.kind not in ("person", "bot") or event.mode not in ("plain", "sealed"):
            raise ProtocolFault(n, "other-seat", kind=event.kind or "", mode=event.mode or "")
        if not isinstance(event.player, str) or not is_player(event.player):
            raise ProtocolFault(n, "bad-player", found=event.player or "")
        if event.operator is not UNSET and event.operator is not True:
            raise ProtocolFault(n, "bad-member", member="operator")
        if event.program is not UNSET and (event.program is not True or event.kind == "bot"):
            raise ProtocolFault(n, "bad-member", member="program")
        is_sealed = event.mode == "sealed"
        if is_sealed is (event.anchor is UNSET):
            raise ProtocolFault(n, "anchor-of-other-seat", side=event.side, mode=event.mode)
        if event.kind == "bot" and event.signer is not UNSET:
            raise ProtocolFault(n, "bad-member", member="signer")
        seat = ProvenSeat(event.side, n)
        seat.anchor = octets(n, "anchor", event.anchor, SEAL_BYTES) if is_sealed else b""
        if event.signer is not UNSET:
            public = public_key(n, event.signer)
            seat.signer, seat.kid = Ed25519PublicKey.from_public_bytes(public), key_id(public)
        seat.player, seat.name, seat.kind, seat.mode = event.player, event.name, event.kind, event.mode
        seat.is_operator, seat.is_program = event.operator is True, event.program is True
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


def _seat_so_far(seat: ProvenSeat) -> SeatSoFar:
    members = {name: getattr(seat, name) for name in SeatSoFar.__struct_fields__}
    return SeatSoFar(**members | {"signer": b"" if seat.signer is None else seat.signer.public_bytes_raw()})


def _seat_of(kept: SeatSoFar) -> ProvenSeat:
    seat = ProvenSeat(kept.side)
    for name in SeatSoFar.__struct_fields__:
        setattr(seat, name, getattr(kept, name))
    seat.signer = Ed25519PublicKey.from_public_bytes(kept.signer) if kept.signer else None
    seat.kid = key_id(kept.signer) if kept.signer else ""
    return seat


def public_key(n: int, text: object) -> bytes:
    """The public key of a player or an umpire in event `n`: 32 bytes.

    Raises:  ProtocolFault `bad-member`, `weak-key`
    """
    public = signature_bytes(text, KEY_BYTES)
    if public is None:
        raise ProtocolFault(n, "bad-member", member="signer")
    if not is_strong_key(public):
        raise ProtocolFault(n, "weak-key")
    return public
