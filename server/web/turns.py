"""Which page computes next on the loop: the parts of new pages one at a time, their readers in rotation.

What computes on the loop holds everybody else up. A handler that is about to compute for milliseconds waits for its
turn, which lasts until it waits for anything again. Between two turns the loop goes round a few times, in which all
that is quick is served, from the request to its answer. A reader who asks for many pages at once waits in a line of
their own, and so for themselves. A page that was begun goes before one that was not. The lines of accounts and those of
strangers are served in turns: however many strangers wait, they make the wait of a player twice as long and no longer.
"""

import asyncio
from collections import Counter, OrderedDict, deque
from collections.abc import Iterator
from contextlib import contextmanager

from server.workers import Busy

MOST_WAITING, MOST_WAITING_IN_ALL = 64, 4096
"""Parts of pages in the line of one reader, and in all lines. One more is refused. What many ask for stands in each
line once (`server.web.shared_making`)."""
MOST_AT_ONCE = 8
"""Jobs of one person that a worker process computes or that wait for it: a quarter of those that may wait."""
ROUNDS = 4
"""How often the loop goes round between two turns: an order takes as many from its bytes to the store."""


Lines = OrderedDict[str, deque[asyncio.Future[None]]]
"""Who waits, by account or address; the first is served next."""


class Turns:
    """The lines of those who wait for their turn."""

    def __init__(self, most_waiting: int = MOST_WAITING, most_in_all: int = MOST_WAITING_IN_ALL) -> None:
        self._most_waiting = most_waiting
        self.most_in_all = most_in_all
        self._begun: deque[asyncio.Future[None]] = deque()
        self._lines: dict[bool, Lines] = {True: OrderedDict(), False: OrderedDict()}  # of accounts, of strangers
        self._is_accounts_next = True
        self.waiting = 0
        self._is_taken = False

    async def goes_on(self) -> None:
        """Return when it is the turn of a page that was begun."""
        if not self._is_taken:
            self._take()
            return
        turn = asyncio.get_running_loop().create_future()
        self._begun.append(turn)
        await turn

    async def wait(self, who: str, is_account: bool = False, until: asyncio.Future[None] | None = None) -> None:
        """Return when it is the turn of a reader, by account or address; or without a turn when `until` is done: what
        they wait for has been made by another.

        Raises: Busy if too many wait already
        """
        if not self._is_taken:
            self._take()
            return
        lines = self._lines[is_account]
        if len(lines.get(who, ())) >= self._most_waiting or self.waiting >= self.most_in_all:
            raise Busy("turns")
        turn = asyncio.get_running_loop().create_future()
        lines.setdefault(who, deque()).append(turn)
        self.waiting += 1

        def leave(_: object) -> None:
            self._leave(lines, who, turn)

        if until is not None:
            until.add_done_callback(leave)
        try:
            await turn
        finally:
            leave(None)
            if until is not None:
                until.remove_done_callback(leave)

    def _leave(self, lines: Lines, who: str, turn: asyncio.Future[None]) -> None:
        """Take somebody out of the line, if they are in it still, and let them go on."""
        line = lines.get(who, deque())
        if turn in line:
            line.remove(turn)
            self.waiting -= 1
            if not line:
                del lines[who]
            if not turn.done():
                turn.set_result(None)

    def _take(self) -> None:
        self._is_taken = True
        self._pass(ROUNDS)

    def _pass(self, rounds: int) -> None:
        """Let the loop go round, then give the next their turn."""
        if rounds:
            asyncio.get_running_loop().call_soon(self._pass, rounds - 1)
            return
        self._is_taken = False
        turn = self._next()
        if turn is not None:
            if not turn.done():  # who waited for it may have gone
                turn.set_result(None)
            self._take()

    def _next(self) -> asyncio.Future[None] | None:
        if self._begun:
            return self._begun.popleft()
        lines = self._lines[self._is_accounts_next] or self._lines[not self._is_accounts_next]
        if not lines:
            return None
        self._is_accounts_next = lines is self._lines[False]
        who, line = lines.popitem(last=False)
        self.waiting -= 1
        turn = line.popleft()
        if line:
            lines[who] = line  # behind all others
        return turn


class Shares:
    """How many jobs each person has in the worker processes: nobody takes all places in a queue."""

    def __init__(self, most_at_once: int = MOST_AT_ONCE) -> None:
        self._most_at_once = most_at_once
        self._held: Counter[str] = Counter()

    @contextmanager
    def held(self, who: str) -> Iterator[None]:
        """A place for a job, as long as it lasts.

        Raises: Busy if somebody has their share already
        """
        if self._held[who] >= self._most_at_once:
            raise Busy("share")
        self._held[who] += 1
        try:
            yield
        finally:
            self._held[who] -= 1
            if not self._held[who]:
                del self._held[who]
