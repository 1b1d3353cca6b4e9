"""The clients that hold the places for connections, and which of them gives way to a newcomer when all are taken.

First the connection that has stood longest without ever having asked anything, if it had time to; then the one that
has been idle longest, then a new one after all. Where all are at work, a stream of the address that holds the most
gives way to an address that holds fewer: a browser opens its stream again by itself. An answer that is being made is
never cut.
"""

from collections import Counter, OrderedDict
from collections.abc import Callable, Hashable
from enum import IntEnum
from itertools import islice
from time import monotonic

from server.limits import Limits
from server.web.networks import counted_in

SOON_S = 1.0
"""How long a new connection has to send the head of its first request before others go before it."""


class Doing(IntEnum):
    """What a connection does: nothing has been asked yet; nothing since the last answer; an answer is being made; a
    battle is being watched."""

    NEW = 0
    IDLE = 1
    BUSY = 2
    STREAM = 3


class NoPlace(Exception):
    """All places are taken, and nobody gives way. `who`: whose limit it is, `address` or `server`."""

    def __init__(self, who: str) -> None:
        super().__init__(who)
        self.who = who


Holders = dict[Doing, OrderedDict[Hashable, float]]
"""Connections by what they do, each with when it began that (seconds of a clock), in that order."""


class ConnectionPlaces:
    """The places of one server. `holder` is a connection, `address` of the peer, "" if it is not counted by itself;
    `now`: a clock, in seconds."""

    def __init__(self, limits: Limits, now: Callable[[], float] = monotonic) -> None:
        self._limits = limits
        self._now = now
        self._known: dict[Hashable, tuple[str, Doing]] = {}
        self._all: Holders = _nobody()
        self._of: dict[str, Holders] = {}
        self.gave_way: Counter[Doing] = Counter()
        """How many have given way, by what they did."""
        self.refused: Counter[str] = Counter()
        """How many found no place, by whose limit it was."""

    def __len__(self) -> int:
        return len(self._known)

    def count(self, doing: Doing) -> int:
        """How many do something."""
        return len(self._all[doing])

    def most_of_one(self) -> int:
        """How many one address holds at most."""
        return max(map(_count, self._of.values()), default=0)

    def take(self, holder: Hashable, address: str) -> Hashable | None:
        """Take a place for a newcomer; gives who has to give way for it, and is counted no longer.

        Raises: NoPlace
        """
        try:
            gives_way = self._who_gives_way(address)
        except NoPlace as refused:
            self.refused[refused.who] += 1
            raise
        if gives_way is not None:
            self.gave_way[self._known[gives_way][1]] += 1
            self.leave(gives_way)
        self._known[holder] = (address, Doing.NEW)
        for held in self._held_by(address):
            held[Doing.NEW][holder] = self._now()
        return gives_way

    def does(self, holder: Hashable, doing: Doing) -> None:
        """Note what a connection does from now on."""
        address, before = self._known.get(holder, ("", doing))
        if before is doing:
            return
        self._known[holder] = (address, doing)
        for held in self._held_by(address):
            del held[before][holder]
            held[doing][holder] = self._now()

    def leave(self, holder: Hashable) -> None:
        """Count a connection no longer."""
        if holder not in self._known:
            return
        address, doing = self._known.pop(holder)
        for held in self._held_by(address):
            del held[doing][holder]
        for key, _ in counted_in(address):
            if not _count(self._of[key]):
                del self._of[key]

    def _held_by(self, address: str) -> list[Holders]:
        """All connections, and those of an address and of what is around it."""
        return [self._all, *(self._of.setdefault(key, _nobody()) for key, _ in counted_in(address))]

    def _who_gives_way(self, address: str) -> Hashable | None:
        """Raises: NoPlace"""
        most = self._limits.connections_per_address
        for key, times in counted_in(address):
            held = self._of.get(key)
            if held is not None and 0 < most * times <= _count(held):
                return self._idlest(held, "address")
        if not 0 < self._limits.connections <= len(self):
            return None
        try:
            return self._idlest(self._all, "server")
        except NoPlace:
            return self._stream_for(address)

    def _idlest(self, held: Holders, who: str) -> Hashable:
        """The client that has asked for nothing for the longest time.

        Raises: NoPlace
        """
        soon = self._now() - SOON_S
        late = {holder: began for holder, began in islice(held[Doing.NEW].items(), 1) if began <= soon}
        for some in (late, held[Doing.IDLE], held[Doing.NEW]):
            if some:
                return next(iter(some))
        raise NoPlace(who)

    def _stream_for(self, address: str) -> Hashable:
        """A stream of the address that holds most of them; nobody takes it who holds nearly as many connections.

        Raises: NoPlace
        """
        greediest = max(self._of.values(), key=lambda held: len(held[Doing.STREAM]), default=_nobody())
        own = max((_count(self._of[key]) for key, _ in counted_in(address) if key in self._of), default=0)
        if len(greediest[Doing.STREAM]) <= own + 1:
            raise NoPlace("server")
        return next(iter(greediest[Doing.STREAM]))


def _nobody() -> Holders:
    return {doing: OrderedDict() for doing in Doing}


def _count(held: Holders) -> int:
    return sum(map(len, held.values()))
