"""Check every message of a player: whose it is, how it came, which head it answers, and its signature (fairness.md 2).

A message quotes the newest head of this log that its player had seen, so a forged history would have to change what the
players have written. Where the seat has a key the quotation is signed, and the host cannot change it.
"""

from collections.abc import Sequence
from typing import Any

from msgspec import UNSET, Struct

from domain.events.battle import Seen
from domain.log.record import OPENED, PBEM_2_1, Recorded
from domain.run.signed_lines import (
    SIGNED_CLOCKS,
    WORDED_CLOCKS,
    holder,
    is_bare,
    is_line,
    is_next,
    line_of,
)
from replay.proof.blocks import Block, NotResumable, ProtocolFault, octets
from replay.proof.office import Office
from replay.proof.own_words import is_right
from replay.proof.sealed import Sealed
from replay.proof.seats import ProvenSeat, ProvenSeats

CHANNELS = ("api", "page", "mail", "cli", "bot")
UMPIRE = "umpire"
HASH_BYTES = 32
NEWEST = 64
"""Requests that an index keeps with what they name."""
NUMBER_LIMIT = 1 << 32


class Vouched(Struct, frozen=True):
    """How far the messages of a player vouch for this history: `messages` name a head, the newest that of event `n`;
    `without` name none."""

    messages: int = 0
    n: int = 0
    without: int = 0


class MessagesSoFar(Struct, frozen=True):
    """What the index of a check keeps of messages: serials, the newest requests with the head that each names, and the
    names of all of them, a line each."""

    serials: dict[str, int]
    requests: tuple[tuple[str, str, Seen | None], ...]
    names: str
    rules_changed: int


class Messages:
    """Follows the messages of one battle; `hashes[n]` is the hash of event n, `hashes[0]` that of the header. `vouched`
    goes by the event with which a player took their seat, 0 for umpires."""

    def __init__(
        self, battle: str, hashes: Sequence[bytes], seats: ProvenSeats, sealed: Sealed, version: int = OPENED
    ) -> None:
        self.vouched: dict[int, Vouched] = {}
        self._battle = battle
        self._hashes = hashes
        self._seats = seats
        self._sealed = sealed
        self._requests: dict[tuple[str, str], object] = {}
        self._serials: dict[str, int] = {}
        self._rules_changed = 0
        self._signs_all = version >= PBEM_2_1
        self._older = ""  # the names of the requests that are not in `_requests`

    def so_far(self) -> MessagesSoFar:
        """What an index keeps."""
        names = "".join(_name_of(*request) for request in self._requests if _name_of(*request) not in self._older)
        newest = [*self._requests.items()][-NEWEST:]
        requests = tuple((side, key, seen if isinstance(seen, Seen) else None) for (side, key), seen in newest)
        return MessagesSoFar({**self._serials}, requests, self._older + names, self._rules_changed)

    def resume(self, kept: MessagesSoFar) -> None:
        """Go on from there."""
        self._serials, self._rules_changed, self._older = {**kept.serials}, kept.rules_changed, kept.names
        self._requests = {(side, key): UNSET if seen is None else seen for side, key, seen in kept.requests}

    def rules_changed(self, n: int) -> None:
        """From here on every order must have seen that other rules judge."""
        self._rules_changed = n

    def ordered(self, entry: Recorded, office: Office, contribution: Any) -> None:
        """Check an order; `contribution` is the event that it brings, None if it brings none."""
        n, event = entry.n, entry.event
        assert hasattr(event, "side")
        order: Any = event
        if not self._seats.began:
            raise ProtocolFault(n, "order-before-start")
        if not 1 <= order.line < NUMBER_LIMIT:
            raise ProtocolFault(n, "bad-member", member="line")
        is_open = not self._sealed.is_sealed(n) or n in self._sealed.contents
        if is_open:
            self._require_whole(entry)
        if order.side == UMPIRE:
            self._umpires(n, order, office)
            return
        seat = self._seats.taken(n, order.side)
        if order.player != seat.player:
            raise ProtocolFault(n, "other-player", expected=seat.player, found=order.player)
        self._require_channel(n, order.channel, seat.is_bot)
        self._require_head(n, order, seat, order.key, counts=seat.signer is None or is_open)
        if self._rules_changed and not seat.is_bot:
            self._require_consent(n, order)
        signature = self._sealed.member(entry, "signature")
        self._require_signature(n, order, seat, signature, self._sealed.is_sealed(n))
        if seat.signer is not None and is_open:
            self._verify(n, order, seat, signature, _giving(contribution), self._sealed.member(entry, "text"))

    def gave_alone(self, n: int, event: Any) -> None:
        """Check a contribution that came without an order."""
        seat = self._seats.taken(n, event.side)
        self._require_channel(n, event.channel, seat.is_bot)
        self._require_head(n, event, seat, "")
        self._require_signature(n, event, seat, event.signature, False)
        if seat.signer is not None:
            self._verify(n, event, seat, event.signature, _giving(event), "")

    @staticmethod
    def gave_with_order(n: int, event: Any) -> None:
        """Check a contribution that came with an order: head and signature stand there."""
        for name in ("seen", "serial", "signature"):
            if getattr(event, name) is not UNSET:
                raise ProtocolFault(n, "bad-member", member=name)

    # --- what a player does beside orders

    def joined(self, entry: Recorded, seat: ProvenSeat) -> None:
        """Check that a seat with a key is taken with it (header version 3)."""
        self._require_line(entry, seat, is_join=True)

    def left(self, entry: Recorded, is_taken_away: bool) -> None:
        """Check that who gives a seat back has signed it; not where others have named who follows (`authority`)."""
        event: Any = entry.event
        if not (is_taken_away and self._signs_all and is_bare(event)):
            self._require_line(entry, self._seats.taken(entry.n, event.side))

    def clock_fired(self, entry: Recorded) -> None:
        """Check that what a player does about the clocks is signed, and that its line is one."""
        event: Any = entry.event
        if not self._signs_all or event.what not in SIGNED_CLOCKS:
            self._require_bare(entry, "" if self._signs_all else event.side)
            return
        seat = self._seats.taken(entry.n, event.side)
        self._require_line(entry, seat)
        has_line = is_line(event.what, event.text) if event.what in WORDED_CLOCKS else event.text is UNSET
        if seat.signer is not None and not has_line:
            raise ProtocolFault(entry.n, "bad-member", member="text")

    def _require_line(self, entry: Recorded, seat: ProvenSeat, is_join: bool = False) -> None:
        n, event = entry.n, entry.event
        if not self._signs_all or seat.signer is None:
            self._require_bare(entry, seat.side)
            return
        said: Any = event
        if said.serial is UNSET or said.signature is UNSET:
            raise ProtocolFault(n, "signature-missing", side=seat.side)
        if said.seen is UNSET:
            raise ProtocolFault(n, "head-missing")
        self._require_known(n, said.seen)
        self._count(seat.since, said.seen)
        self._require_serial(n, said.serial, seat, is_join)
        self._verify(n, said, seat, said.signature, b"", line_of(event))

    def _require_bare(self, entry: Recorded, side: str) -> None:
        """Refuse the members of a signed line where nobody signs one."""
        if is_bare(entry.event):
            return
        if not self._signs_all:
            raise ProtocolFault(entry.n, "wrong-data", type=entry.type, reason="unexpected member")
        if not side:
            raise ProtocolFault(entry.n, "bad-member", member="signature")
        raise ProtocolFault(entry.n, "signature-without-key", side=side)

    # --- the parts of a message

    def _require_whole(self, entry: Recorded) -> None:
        """Check that an order says what was ordered: unless it is still sealed, `text` and `command` are there."""
        for name, kind in (("text", str), ("command", dict)):
            if not isinstance(self._sealed.member(entry, name), kind):
                raise ProtocolFault(entry.n, "bad-member", member=name)

    def _umpires(self, n: int, order: Any, office: Office) -> None:
        """A line of the umpire, who signs as the seat `umpire` if they have a key."""
        if not office.umpire or order.player != office.umpire:
            raise ProtocolFault(n, "no-umpire", found=order.player)
        self._require_channel(n, order.channel, False)
        self._require_head(n, order, None, order.key)
        if self._rules_changed:
            self._require_consent(n, order)
        seat = ProvenSeat(UMPIRE)
        seat.signer = office.key
        self._require_signature(n, order, seat, order.signature, False)
        if seat.signer is not None:
            self._verify(n, order, seat, order.signature, b"", order.text)

    @staticmethod
    def _require_channel(n: int, channel: object, is_bot: bool) -> None:
        if channel not in CHANNELS or (channel == "bot") is not is_bot:
            raise ProtocolFault(n, "other-channel", found=channel if isinstance(channel, str) else "")

    def _require_head(self, n: int, event: Any, seat: ProvenSeat | None, key: str, counts: bool = True) -> None:
        """Check the head that a message names, and count the message: the lines of a request are one. A message whose
        signature is still sealed does not count."""
        seen = event.seen
        is_bot = seat is not None and seat.is_bot
        if seen is UNSET:
            if not is_bot and (event.channel != "mail" or (seat is not None and seat.signer is not None)):
                raise ProtocolFault(n, "head-missing")
        elif is_bot:
            raise ProtocolFault(n, "head-of-a-bot")
        else:
            self._require_known(n, seen)
        if is_bot or not counts:
            return
        is_new = not key or (event.side, key) not in self._requests
        if is_new and key and _name_of(event.side, key) in self._older:
            raise NotResumable
        if key and self._requests.setdefault((event.side, key), seen) != seen:
            raise ProtocolFault(n, "request-differs", key=key)
        if not is_new:
            return
        self._count(0 if seat is None else seat.since, seen)

    def _require_known(self, n: int, seen: Any) -> None:
        named = octets(n, "seen", seen.hash, HASH_BYTES)
        if not 0 <= seen.n < n or self._hashes[seen.n] != named:
            raise ProtocolFault(n, "head-of-another-log", found=seen.n)

    def _count(self, since: int, seen: Any) -> None:
        before = self.vouched.get(since, Vouched())
        self.vouched[since] = (
            Vouched(before.messages, before.n, before.without + 1)
            if seen is UNSET
            else Vouched(before.messages + 1, max(before.n, seen.n), before.without)
        )

    def _require_consent(self, n: int, order: Any) -> None:
        if order.seen is UNSET or order.seen.n < self._rules_changed:
            raise ProtocolFault(n, "rules-not-accepted", changed=self._rules_changed)

    def _require_signature(self, n: int, event: Any, seat: ProvenSeat, signature: object, is_sealed: bool) -> None:
        """Check that signature and serial stand where they must, and nowhere else."""
        if seat.signer is None:
            if event.serial is not UNSET or signature is not UNSET:
                raise ProtocolFault(n, "signature-without-key", side=seat.side)
            return
        is_open_yet = not is_sealed or n in self._sealed.contents
        if event.channel == "mail" or event.serial is UNSET or (is_open_yet and signature is UNSET):
            raise ProtocolFault(n, "signature-missing", side=seat.side)
        if is_sealed and event.signature is not UNSET:
            raise ProtocolFault(n, "bad-member", member="signature")
        self._require_serial(n, event.serial, seat)

    def _require_serial(self, n: int, serial: int, seat: ProvenSeat, is_join: bool = False) -> None:
        """Check that a serial goes on: up to version 2 with the seat, then with the key at the seat."""
        name, is_right_next = seat.side, True
        if self._signs_all:
            assert seat.signer is not None
            name = holder(seat.side, seat.signer.public_bytes_raw().hex())
            is_right_next = seat.side == UMPIRE or is_next(self._serials.get(name, 0), serial, is_join)
        if not (is_right_next and self._serials.get(name, 0) < serial < NUMBER_LIMIT):
            raise ProtocolFault(n, "serial-differs", side=seat.side, found=serial)
        self._serials[name] = serial

    def _verify(self, n: int, event: Any, seat: ProvenSeat, signature: object, giving: bytes, text: str) -> None:
        if not is_right(seat.signer, self._battle, seat.side, event, giving, text, signature):
            raise ProtocolFault(n, "player-signature-differs", side=seat.side)


def _name_of(side: str, key: str) -> str:
    return f"{side} {key}\n"


def brought_by(block: Block | None, side: str) -> Any:
    """The contribution that an order of a side brings: that of the block before it, unless it came alone."""
    if block is None or block.first.type != "ContributionGiven":
        return None
    event: Any = block.first.event
    return event if event.side == side and event.channel is UNSET else None


def _giving(contribution: Any) -> bytes:
    if contribution is None:
        return b""
    if contribution.kind == "plain":
        return str(contribution.phrase).encode()
    return bytes.fromhex(contribution.value)
