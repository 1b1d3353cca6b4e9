"""Check what each seat gives to the seeds: that it is theirs, in its time, and could not be chosen (fairness.md 2).

What holds:
- A seat that has not contributed since the start, since a rewind, or since another seat changed its book or its player
  is *stale*. It contributes once, whatever the turn: its *entry*. Nothing new is drawn before.
- Otherwise a contribution comes only with the first ordinary order of the side that moves, and every such order has
  one: neither player nor host may leave it out, or give it twice, once something of the turn is known.
- The value is bound: a seal hashes to the one before it, a plain one recomputes from phrase and order.

A new book of seals enters no seed. It makes the others stale, and no seal of it is taken before they have contributed:
whoever has chosen a book cannot have known what it will meet. While one book waits for a seat, that seat begins none
itself: each would wait for the other. The next seal of the old book is not a new book: the player
gave it as a seal.
"""

from typing import Any

from msgspec import UNSET, Struct

from domain.log import fairness
from domain.log.draw_rules import is_open, too_early
from domain.log.fairness import SEAL_BYTES, SECRET_BYTES
from domain.log.record import OPENED, PBEM_2_1
from replay.proof.blocks import Block, ProtocolFault, octets, require_no
from replay.proof.periods import PeriodMoment
from replay.proof.seats import ProvenSeat, ProvenSeats


class _SeatGiven:
    """What a seat has given. `entered` and `ordered` are the periods of its newest contribution to their own turn and
    of its newest ordinary order as the mover; `waits_for` are those who must contribute before a seal of its book."""

    __slots__ = ("alone", "entered", "is_stale", "last_seal", "newest", "ordered", "waits_for")

    def __init__(self) -> None:
        self.newest: bytes | None = None
        self.is_stale = True
        self.last_seal = b""
        self.entered = -1
        self.ordered = -1
        self.waits_for: set[str] = set()
        self.alone = 0  # the event of its newest entry that came alone, since its player took the seat


class GivenSoFar(Struct, frozen=True):
    """What the index of a check keeps of one seat, as `_SeatGiven`."""

    alone: int
    entered: int
    is_stale: bool
    last_seal: bytes
    newest: bytes | None
    ordered: int
    waits_for: frozenset[str]


class ContributionsSoFar(Struct, frozen=True):
    """What the index of a check keeps, by seat, and the newest period from which something was drawn."""

    given: dict[str, GivenSoFar]
    drawn: int


class Contributions:
    """Follows the contributions of one battle. `without_phrase` are the persons that gave nothing of theirs,
    by the event with which they took their seats."""

    def __init__(self, battle: str, seats: ProvenSeats, *, version: int = OPENED, is_branch: bool = False) -> None:
        self.without_phrase: set[int] = set()
        self._battle = battle
        self._keeps_entries = version >= PBEM_2_1
        self._is_branch = is_branch
        self._seats = seats
        self._given = {side: _SeatGiven() for side in seats.names}
        self._drawn = -1  # the newest period from which something was drawn, `open:` scopes aside

    def so_far(self) -> ContributionsSoFar:
        """What an index keeps."""
        given = {side: _so_far(one) for side, one in self._given.items()}
        return ContributionsSoFar(given, self._drawn)

    def resume(self, kept: ContributionsSoFar) -> None:
        """Go on from there."""
        self._drawn = kept.drawn
        for side, one in kept.given.items():
            given = self._given[side]
            for name in GivenSoFar.__struct_fields__:
                setattr(given, name, getattr(one, name))
            given.waits_for = {*one.waits_for}

    # --- what makes seats stale

    def joined(self, seat: ProvenSeat) -> None:
        """A player takes a seat; after the start they are a substitute."""
        given = self._given[seat.side]
        given.last_seal = seat.anchor
        given.waits_for = set()
        given.alone = 0
        if not self._seats.began:
            return
        if seat.is_sealed:
            self._new_book(seat.since, seat.side)
        else:
            for each in self._given.values():
                each.is_stale = True

    def rewound(self) -> None:
        """Play is taken back: all seats must contribute again."""
        for given in self._given.values():
            given.is_stale = True

    def _new_book(self, n: int, side: str) -> None:
        if any(side in given.waits_for for given in self._given.values()):
            raise ProtocolFault(n, "book-too-early", side=side)
        others = [seat.side for seat in self._seats.others(side)]
        for other in others:
            self._given[other].is_stale = True
        self._given[side].waits_for = set(others)

    # --- contributions

    def contributed(self, n: int, event: Any, now: PeriodMoment, block: Block, following: Block | None) -> None:
        """Check a contribution; `following` is the block behind its own, None at the end of the log."""
        seat = self._seats.taken(n, event.side)
        if not self._seats.began:
            raise ProtocolFault(n, "contribution-before-start", side=event.side)
        if event.kind not in (("seal", "reanchor") if seat.is_sealed else ("plain",)):
            raise ProtocolFault(n, "contribution-of-other-kind", side=event.side, kind=event.kind)
        order = _order_of(event.side, following)
        alone = event.channel is not UNSET
        if not alone and order is None:
            raise ProtocolFault(n, "contribution-without-order", side=event.side, t=event.t)
        given = self._given[event.side]
        if event.kind == "reanchor":
            self._require_turn(n, now.t, event)
            anchor = octets(n, "anchor", event.value, SEAL_BYTES)
            if fairness.seal_before(self._battle, event.side, anchor) == given.last_seal:
                raise ProtocolFault(n, "seal-as-book", side=event.side)
            given.last_seal = anchor
            self._new_book(n, event.side)
            return
        is_entry = given.is_stale
        if is_entry:
            is_first = alone and given.newest is None and not self._is_branch
            self._require_turn(n, 0 if is_first else now.t, event)
        else:
            self._require_in_turn(n, event, now, block, following if order is not None and not alone else None)
        given.newest = self._value(n, event, seat, order, is_entry)
        if is_entry and alone:
            given.alone = n
        given.is_stale = False
        if event.t == now.t:
            given.entered = now.index
        for other in self._given.values():
            other.waits_for.discard(event.side)

    def saw_its_entry(self, n: int, event: Any) -> None:
        """Check that a signed line names a head that has the entry of its seat, if that came alone: so nobody can drop
        an entry from which nothing has been drawn (version 3)."""
        given = self._given.get(event.side)
        if not self._keeps_entries or given is None or event.serial is UNSET or event.seen is UNSET:
            return
        if event.seen.n < given.alone:
            raise ProtocolFault(n, "entry-missing", side=event.side)

    def ordered(self, n: int, side: str, now: PeriodMoment, block: Block) -> None:
        """Check that the mover's first ordinary order of a turn brings a contribution, and that of a seat which owes
        its entry brings that (version 3)."""
        given = self._given.get(side)
        if self._keeps_entries and block.is_ordinary_order and given and (given.newest is None or given.is_stale):
            raise ProtocolFault(n, "entry-missing", side=side)
        if not block.is_ordinary_order or now.begun_by != "turn" or side != now.mover:
            return
        given = self._given[side]
        if now.index not in (given.ordered, given.entered):
            raise ProtocolFault(n, "contribution-missing", side=side, t=now.t)
        given.ordered = now.index

    def for_draw(self, n: int, now: PeriodMoment, scope: str) -> list[bytes]:
        """The contributions that enter the seed of a scope, first drawn from in event `n`."""
        waiting = [side for side, given in self._given.items() if given.newest is None or given.is_stale]
        owes = now.begun_by == "turn" and self._given[now.mover].entered != now.index
        require_no(n, too_early(scope, self._seats.began > 0, waiting, now.mover if owes else ""))
        if not is_open(scope):
            self._drawn = now.index
        return [given.newest for given in self._given.values() if given.newest is not None]

    # --- one contribution

    @staticmethod
    def _require_turn(n: int, t: int, event: Any) -> None:
        if event.t != t:
            raise ProtocolFault(n, "other-turn", expected=t, found=event.t)

    def _require_in_turn(self, n: int, event: Any, now: PeriodMoment, block: Block, following: Block | None) -> None:
        """Check a contribution that is not an entry: the mover's, with their first ordinary order, before any draw."""
        side = event.side
        given = self._given[side]
        if now.begun_by != "turn" or side != now.mover:
            raise ProtocolFault(n, "contribution-out-of-turn", side=side, t=event.t)
        self._require_turn(n, now.t, event)
        if now.index in (given.entered, given.ordered):
            raise ProtocolFault(n, "contribution-twice", side=side, t=event.t)
        if following is None or not following.is_ordinary_order or len(block.events) > 1:
            raise ProtocolFault(n, "contribution-without-order", side=side, t=event.t)
        if self._drawn == now.index:
            raise ProtocolFault(n, "contribution-after-draw", side=side, t=event.t)

    def _value(self, n: int, event: Any, seat: ProvenSeat, order: Any, is_entry: bool) -> bytes:
        given = self._given[event.side]
        if event.kind == "seal":
            seal = octets(n, "seal", event.value, SEAL_BYTES)
            if given.waits_for:
                raise ProtocolFault(n, "seal-too-early", side=event.side, others=sorted(given.waits_for))
            if fairness.seal_before(self._battle, event.side, seal) != given.last_seal:
                raise ProtocolFault(n, "seal-not-of-chain", side=event.side, previous=given.last_seal.hex())
            given.last_seal = seal
            return seal
        value = octets(n, "contribution", event.value, SECRET_BYTES)
        text = order.text if order is not None and isinstance(order.text, str) else ""
        if not any(
            fairness.plain_contribution(self._battle, event.t, event.side, event.phrase, with_order) == value
            for with_order in ({text, ""} if is_entry else {text})
        ):
            raise ProtocolFault(n, "contribution-differs", side=event.side, t=event.t, phrase=event.phrase, order=text)
        if not event.phrase and not seat.is_bot:
            self.without_phrase.add(seat.since)
        return value


def _so_far(given: _SeatGiven) -> GivenSoFar:
    members = {name: getattr(given, name) for name in GivenSoFar.__struct_fields__}
    return GivenSoFar(**members | {"waits_for": frozenset(given.waits_for)})


def _order_of(side: str, following: Block | None) -> Any:
    """The order of a side that is the next input, None if another one is."""
    if following is None or following.first.type != "OrderAccepted":
        return None
    order: Any = following.first.event
    return order if order.side == side else None
