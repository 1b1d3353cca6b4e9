"""What many ask for is made once, and nobody who waits for it is forgotten."""

import asyncio
from collections.abc import Callable

import pytest

from server.web.kept import KeptAnswer, KeptAnswers
from server.web.shared_making import SharedMaking
from server.web.turns import Turns
from server.workers import Busy


class Readers:
    """Readers of one thing; `state` is what it shows now."""

    def __init__(self, turns: Turns | None = None) -> None:
        self.kept, self.turns = KeptAnswers(1000), turns or Turns()
        self.making = SharedMaking(self.kept, self.turns)
        self.state, self.made, self.charged = 1, list[int](), list[str]()
        self.on_making: Callable[[], None] = lambda: None
        self.is_kept = True

    async def read(self, who: str, is_account: bool = False) -> bytes:
        def begin() -> None:
            self.charged.append(who)

        async with self.making.kept_or_turn(lambda: self.state, who, is_account, begin) as (key, kept):
            if kept is not None:
                return kept.body
            self.made.append(self.state)
            shown = self.state
            await asyncio.sleep(0)
            self.on_making()
            await self.turns.goes_on()
            answer = KeptAnswer(b"%d" % shown)
            if self.is_kept:
                self.kept.keep(key, answer)
            return answer.body


async def test_a_crowd_from_one_address_and_from_many_has_it_made_once() -> None:
    for whos in (["192.0.2.1"] * 1000, [f"192.0.2.{number}" for number in range(600)]):
        readers = Readers()
        assert set(await asyncio.gather(*map(readers.read, whos))) == {b"1"}
        assert readers.made == [1]
        assert len(readers.charged) == len(set(readers.charged))  # an address pays once at most
        assert len(readers.making) == 0 and readers.turns.waiting == 0


async def test_what_goes_on_while_it_is_made_is_made_anew_once() -> None:
    readers = Readers()

    def order() -> None:
        readers.state, readers.on_making = 2, lambda: None

    readers.on_making = order
    shown = await asyncio.gather(*(readers.read(f"192.0.2.{number % 9}") for number in range(100)))
    assert readers.made == [1, 2]
    assert shown.count(b"1") == 1 and set(shown) == {b"1", b"2"}


async def test_a_maker_who_fails_or_goes_away_leaves_it_to_the_next() -> None:
    readers, failures = Readers(), 0

    def fail() -> None:
        nonlocal failures
        failures += 1
        if failures <= 2:
            raise OSError if failures == 1 else asyncio.CancelledError

    readers.on_making = fail
    came = await asyncio.gather(
        *(readers.read(f"192.0.2.{number % 3}") for number in range(12)), return_exceptions=True
    )
    assert [type(one) for one in came if not isinstance(one, bytes)] == [OSError, asyncio.CancelledError]
    assert came.count(b"1") == 10
    assert readers.made == [1, 1, 1]
    assert len(readers.making) == 0


async def test_what_cannot_be_kept_is_made_for_each_who_asks() -> None:
    readers = Readers()
    readers.is_kept = False
    assert await asyncio.gather(*(readers.read("192.0.2.1") for _ in range(5))) == [b"1"] * 5
    assert len(readers.made) == 5


async def test_who_finds_the_lines_full_waits_for_those_who_stand_there() -> None:
    readers = Readers(Turns(most_in_all=2))
    await readers.turns.wait("somebody")  # whose turn it is
    tasks = [asyncio.create_task(readers.read(f"192.0.2.{number}")) for number in range(5)]
    assert await asyncio.gather(*tasks) == [b"1"] * 5
    assert readers.made == [1]
    await readers.turns.wait("somebody")
    others = [asyncio.create_task(readers.turns.wait(f"203.0.113.{number}")) for number in range(2)]
    await asyncio.sleep(0)
    readers.state = 2
    with pytest.raises(Busy):
        await readers.read("192.0.2.1")  # nobody stands there for this
    await asyncio.gather(*others)
    assert await readers.read("192.0.2.1") == b"2"


async def test_who_may_not_have_it_made_is_refused_before_they_stand_in_a_line() -> None:
    readers = Readers()

    def refuse() -> None:
        raise Busy

    with pytest.raises(Busy):
        async with readers.making.kept_or_turn(lambda: 1, "192.0.2.1", False, refuse):
            pass
    assert await readers.read("192.0.2.2") == b"1"
