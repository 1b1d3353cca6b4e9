"""Check the order of set-up and contributions of PBEM-1, so that nobody could know a turn's luck.

It follows the seats through a log: the server's commitment, then the players with their anchors, then
the start, then a contribution of each seat before anything is drawn. Each seal opens the previous
one, each plain contribution recomputes from phrase and order. Nothing is drawn here.
"""

from msgspec import UNSET

from domain.basics.seats import SOUTH_AND_NORTH
from domain.events.battle import BattleOpened, ContributionGiven, OrderAccepted, SideJoined, TurnBegan
from domain.log.fairness import SEAL_BYTES, SECRET_BYTES
from domain.log.record import Recorded
from replay.proof.blocks import ProtocolFault, octets
from replay.proof.first import arithmetic

TURN_LIMIT = 1 << 32


class _Seat:
    """One side: `newest` is its newest contribution, `last_seal` what the next seal must hash to."""

    __slots__ = ("bot", "fresh", "last_seal", "last_t", "newest", "sealed", "spare", "taken")

    def __init__(self) -> None:
        self.taken = False
        self.bot = False
        self.sealed = False
        self.last_seal = b""
        self.newest: bytes | None = None
        self.last_t = -1  # of its newest contribution since the last rewind
        self.spare = False  # one contribution more than one per turn, after a rewind
        self.fresh = False  # contributed since the last rewind


class FirstSeats:
    """Follows set-up and contributions of one battle; raises ProtocolFault at the first wrong one.

    Every event must pass `follow` first, then the method for its type: a plain contribution is
    judged by the order that directly follows it.
    """

    def __init__(self, battle: str) -> None:
        self.battle = battle
        self.commitment: bytes | None = None
        self.without_entropy: list[tuple[int, str]] = []  # (t, seat) whose phrase binds nobody
        self._seats = {name: _Seat() for name in SOUTH_AND_NORTH.seeding}
        self._began = False
        self._rewound = False
        self._early: tuple[int, str] | None = None  # a contribution before BattleBegan: (n, seat)
        self._pending: tuple[int, ContributionGiven, bool] | None = None  # n, event, may come without an order
        self._turns: list[tuple[int, int, str]] = []  # (n, t, mover) of the player-turns opened
        self._drawn: set[int] = set()  # player-turns with draws since the last rewind, `open:` scopes aside

    def follow(self, after: Recorded | None) -> None:
        """Settle the contribution that `after` follows; None at the end of the log."""
        if self._pending is None:
            return
        n, given, alone = self._pending
        self._pending = None
        order = after.event if after is not None and after.type == "OrderAccepted" else None
        own = isinstance(order, OrderAccepted) and (order.side, order.t) == (given.side, given.t)
        if not own and not alone:
            raise ProtocolFault(n, "contribution-without-order", side=given.side, t=given.t)
        if given.kind == "plain":
            text = order.text if isinstance(order, OrderAccepted) and own else ""
            self._require_plain(n, given, text if isinstance(text, str) else "", alone)

    def opened(self, n: int, event: BattleOpened) -> None:
        """Check the commitment, which is in the first event, before anybody can have joined."""
        if n != 1 or self.commitment is not None:
            raise ProtocolFault(n, "opened-late")
        self.commitment = octets(n, "commitment", event.commitment, SECRET_BYTES)

    def joined(self, n: int, event: SideJoined) -> None:
        """A seat is taken; a sealed one brings its anchor. A substitute may come later, with their own."""
        if self.commitment is None:
            raise ProtocolFault(n, "joined-before-commitment", side=event.side)
        seat = self._seat(n, event.side)
        if seat.taken:
            raise ProtocolFault(n, "seat-taken", side=event.side)
        seat.taken = True
        seat.bot = event.kind == "bot"
        seat.sealed = event.mode == "sealed"
        seat.last_seal = octets(n, "anchor", event.anchor, SEAL_BYTES) if seat.sealed else b""

    def left(self, n: int, side: str) -> None:
        """A seat is given back; its contributions stay."""
        self._seat(n, side).taken = False

    def began(self, n: int) -> None:
        """Both seats are taken. Only plain seats may have contributed before."""
        if self._began:
            raise ProtocolFault(n, "began-twice")
        free = [name for name, seat in self._seats.items() if not seat.taken]
        if free:
            raise ProtocolFault(n, "began-before-joined", sides=free)
        if self._early is not None and any(seat.sealed for seat in self._seats.values()):
            raise ProtocolFault(self._early[0], "contribution-before-start", side=self._early[1])
        self._began = True

    def contributed(self, n: int, event: ContributionGiven) -> None:
        """Check a contribution: of the seat's kind, the only one of its player-turn, and before its draws."""
        require_turn(n, event.t)
        seat = self._seat(n, event.side)
        if not seat.taken:
            raise ProtocolFault(n, "contribution-without-player", side=event.side)
        if event.kind not in (("seal", "reanchor") if seat.sealed else ("plain",)):
            raise ProtocolFault(n, "contribution-of-other-kind", side=event.side, kind=event.kind)
        if event.kind == "reanchor":  # a new chain begins; its anchor enters no seed
            seat.last_seal = octets(n, "anchor", event.value, SEAL_BYTES)
            return
        alone = event.t == 0 or (self._rewound and not seat.fresh)
        self._require_in_time(n, event, seat)
        if not self._began:
            self._early = self._early or (n, event.side)
        if event.kind == "seal":
            value = octets(n, "seal", event.value, SEAL_BYTES)
            if arithmetic.seal_before(self.battle, event.side, value) != seat.last_seal:
                raise ProtocolFault(n, "seal-not-of-chain", side=event.side, t=event.t, previous=seat.last_seal.hex())
            seat.last_seal = value
        else:
            value = octets(n, "contribution", event.value, SECRET_BYTES)
            if seat.bot or not event.phrase:
                self.without_entropy.append((event.t, event.side))
        seat.newest = value
        seat.fresh = True
        self._pending = (n, event, alone)

    def turn_began(self, n: int, event: TurnBegan) -> None:
        """A player-turn opens, later than all before it: the one that the event names, or the next."""
        newest = self._turns[-1][1] if self._turns else 0
        named = getattr(event, "t", UNSET)
        t = newest + 1 if named is UNSET else named
        require_turn(n, t)
        if t <= newest:
            raise ProtocolFault(n, "bad-turn", found=t)
        self._seat(n, event.side)  # a known one
        self._turns.append((n, t, event.side))

    def rewound(self, to: int) -> None:
        """Play goes on after event `to`: both seats must contribute again before anything new is drawn."""
        self._turns = [turn for turn in self._turns if turn[0] <= to]
        self._rewound = True
        self._drawn.clear()
        for seat in self._seats.values():
            seat.fresh = False
            seat.spare = True
            seat.last_t = -1

    def for_draw(self, n: int, t: int, scope: str) -> tuple[bytes, bytes]:
        """The contributions that enter the seed of (t, scope), first drawn from at event `n`."""
        if not self._began:
            raise ProtocolFault(n, "draw-before-start", t=t, scope=scope)
        values = []
        for name, seat in self._seats.items():
            if seat.newest is None or not seat.fresh:
                raise ProtocolFault(n, "draw-before-contribution", t=t, scope=scope, side=name)
            values.append(seat.newest)
        if not scope.startswith("open:"):  # such scopes serve what the rules draw before the mover's contribution
            mover = next((side for _, opened, side in reversed(self._turns) if opened == t), "")
            owing = [self._seats[mover]] if mover else self._seats.values()
            if t > 0 and all(seat.last_t != t for seat in owing):
                raise ProtocolFault(n, "draw-before-contribution", t=t, scope=scope, side=mover)
            self._drawn.add(t)
        return values[0], values[1]

    def _require_in_time(self, n: int, event: ContributionGiven, seat: _Seat) -> None:
        if event.t in self._drawn:
            raise ProtocolFault(n, "contribution-after-draw", side=event.side, t=event.t)
        if event.t <= seat.last_t:
            if not seat.spare:
                raise ProtocolFault(n, "contribution-twice", side=event.side, t=event.t)
            seat.spare = False
        seat.last_t = event.t

    def _require_plain(self, n: int, given: ContributionGiven, text: str, alone: bool) -> None:
        orders = {text, ""} if alone else {text}
        values = [
            arithmetic.plain_contribution(self.battle, given.t, given.side, given.phrase, order) for order in orders
        ]
        if bytes.fromhex(given.value) not in values:
            raise ProtocolFault(n, "contribution-differs", side=given.side, t=given.t, phrase=given.phrase, order=text)

    def _seat(self, n: int, side: str) -> _Seat:
        seat = self._seats.get(side)
        if seat is None:
            raise ProtocolFault(n, "unknown-side", side=side)
        return seat


def require_turn(n: int, t: int) -> None:
    """Refuse a player-turn that does not fit the 32 bits it has in a hash.

    Raises:  ProtocolFault `bad-turn`
    """
    if not 0 <= t < TURN_LIMIT:
        raise ProtocolFault(n, "bad-turn", found=t)
