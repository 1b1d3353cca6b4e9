"""What many ask for at once is made once: the others wait for the answer, and not for a turn of their own.

Whoever asks for an answer that is not there stands in a line (`server.web.turns`), one place for each address or
account that asks. The first whose turn it is makes it, and all who wait for it are served.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Hashable
from contextlib import asynccontextmanager

from server.web.kept import KeptAnswer, KeptAnswers
from server.web.turns import Turns
from server.workers import Busy

FILE_BYTES = 16 << 20
"""The room for battle files: some ten of the longest."""


class Making:
    """One answer that is not there yet: who stands in a line for it, and whether one of them makes it now."""

    def __init__(self) -> None:
        self.whos: set[str] = set()
        self.is_begun = False
        self.done: asyncio.Future[None] = asyncio.get_running_loop().create_future()


class SharedMaking:
    """The answers that are being made, by what they show. `shared` counts how often somebody waited for what another
    made."""

    def __init__(self, kept: KeptAnswers, turns: Turns) -> None:
        self._kept = kept
        self._turns = turns
        self._made: dict[Hashable, Making] = {}
        self.shared = 0

    def __len__(self) -> int:
        return len(self._made)

    @asynccontextmanager
    async def kept_or_turn(
        self, key_of: Callable[[], Hashable], who: str, is_account: bool, begin: Callable[[], None]
    ) -> AsyncIterator[tuple[Hashable, KeptAnswer | None]]:
        """The answer that is kept under a key; None for the one who is to make it, and keep it, within this context:
        under the key of that moment, because meanwhile the battle may have gone on. `begin` is called before somebody
        stands in a line.

        Raises: Busy; what `begin` raises
        """
        while (answer := self._kept.get(key_of())) is None:
            key = key_of()
            making = self._made.get(key)
            if making is not None and (making.is_begun or who in making.whos):
                self.shared += 1
                await asyncio.wait([making.done])
                continue
            begin()
            making = self._made.setdefault(key, Making())
            making.whos.add(who)
            try:
                await self._turns.wait(who, is_account, making.done)
            except BaseException as failure:
                self._give_up(key, making, who)
                if isinstance(failure, Busy) and not making.done.done():
                    await asyncio.wait([making.done])  # others stand in a line for it
                    continue
                raise
            found = self._begun(key_of, key, making)
            if found is None:
                continue
            key, making = found
            try:
                yield key, None
            finally:
                self._end(key, making)
            return
        yield key_of(), answer

    def _begun(self, key_of: Callable[[], Hashable], key: Hashable, making: Making) -> tuple[Hashable, Making] | None:
        """What whoever has a turn makes now; None if another has made it, or does."""
        newest = key_of()
        if newest != key:  # nobody wants the older one any more
            self._end(key, making)
            making = self._made.setdefault(newest, Making())
        if making.is_begun or making.done.done() or self._kept.get(newest) is not None:
            return None
        making.is_begun = True
        return newest, making

    def _give_up(self, key: Hashable, making: Making, who: str) -> None:
        """Somebody waits no longer; if nobody is left in a line, others begin anew."""
        making.whos.discard(who)
        if not making.whos and not making.is_begun:
            self._end(key, making)

    def _end(self, key: Hashable, making: Making) -> None:
        """Let all go on who wait for it."""
        if self._made.get(key) is making:
            del self._made[key]
        if not making.done.done():
            making.done.set_result(None)


class SharedFiles:
    """Battle files: kept as pages are, and put together one at a time."""

    def __init__(self, turns: Turns) -> None:
        self.kept = KeptAnswers(FILE_BYTES)
        self.making = SharedMaking(self.kept, turns)
        self.one_at_a_time = asyncio.Lock()
