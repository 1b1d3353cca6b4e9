"""What computes on the loop comes one at a time, and who asks for much waits for themselves."""

import asyncio
from typing import Any

import pytest

from server.web.turns import MOST_WAITING, ROUNDS, Shares, Turns
from server.workers import Busy


async def settle() -> None:
    for _ in range(ROUNDS * 60):
        await asyncio.sleep(0)


def asking(turns: Turns, who: str, served: list[str], **more: Any) -> asyncio.Task[None]:
    async def ask() -> None:
        await turns.wait(who, **more)
        served.append(who)

    return asyncio.create_task(ask())


async def test_readers_are_served_in_rotation():
    turns, served = Turns(), list[str]()
    tasks = [asking(turns, who, served) for who in ("mallory",) * 6 + ("anna", "bob")]
    await asyncio.gather(*tasks)
    assert served == ["mallory", "mallory", "anna", "bob", *["mallory"] * 4]


async def test_between_two_turns_others_are_served():
    """What is quick goes through from its beginning to its end."""
    turns, served = Turns(), list[str]()
    tasks = [asking(turns, "mallory", served) for _ in range(3)]
    await asyncio.sleep(0)
    assert served == ["mallory"]
    for _ in range(ROUNDS - 1):
        await asyncio.sleep(0)
        assert served == ["mallory"]
    await asyncio.gather(*tasks)
    assert served == ["mallory"] * 3


async def test_what_was_begun_goes_before_what_was_not():
    turns, served = Turns(), list[str]()

    async def page() -> None:
        await turns.wait("anna")
        served.append("begun")
        await turns.goes_on()
        served.append("gone on")

    tasks = [asyncio.create_task(page()), *(asking(turns, who, served) for who in ("bob", "mallory"))]
    await asyncio.gather(*tasks)
    assert served == ["begun", "gone on", "bob", "mallory"]


async def test_nobody_waits_where_nobody_computes():
    turns = Turns()
    for _ in range(3):
        waited = turns.wait("anna")
        with pytest.raises(StopIteration):
            waited.send(None)
        await settle()


async def test_a_line_has_an_end_and_so_have_all_together():
    turns, served = Turns(most_in_all=MOST_WAITING + 1), list[str]()
    tasks = [asking(turns, "mallory", served) for _ in range(1 + MOST_WAITING)]
    await asyncio.sleep(0)
    with pytest.raises(Busy):
        await turns.wait("mallory")
    tasks.append(asking(turns, "anna", served))
    await asyncio.sleep(0)
    with pytest.raises(Busy):
        await turns.wait("bob")
    await asyncio.gather(*tasks)
    assert served.index("anna") == 2
    await turns.wait("bob")  # there is room again


async def test_however_many_strangers_wait_an_account_waits_for_one_of_them():
    turns, served = Turns(), list[str]()
    tasks = [asking(turns, f"192.0.2.{number}", served) for number in range(100)]
    tasks += [asking(turns, who, served, is_account=True) for who in ("anna", "bob")]
    await asyncio.gather(*tasks)
    assert served[:5] == ["192.0.2.0", "anna", "192.0.2.1", "bob", "192.0.2.2"]


async def test_who_waits_for_what_is_made_meanwhile_waits_no_longer():
    turns, served, made = Turns(), list[str](), asyncio.get_running_loop().create_future()
    tasks = [asking(turns, who, served, until=made) for who in ("anna", "bob", "carol", "dave")]
    await asyncio.sleep(0)
    assert served == ["anna"]
    made.set_result(None)
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert served == ["anna", "bob", "carol", "dave"]  # within a turn
    await asyncio.gather(*tasks)
    await settle()
    assert turns.waiting == 0 and not turns._lines[False]


async def test_who_goes_is_passed_over():
    turns, served = Turns(most_waiting=2), list[str]()
    first, gone, last = (asking(turns, who, served) for who in ("anna", "mallory", "bob"))
    await asyncio.sleep(0)
    gone.cancel()
    await asyncio.gather(first, last)
    assert served == ["anna", "bob"]
    assert gone.cancelled()
    await settle()
    tasks = [asking(turns, "mallory", served) for _ in range(3)]  # nothing of the one who has gone is counted
    await asyncio.gather(*tasks)


async def test_a_turn_that_nobody_takes_any_more_is_not_the_last():
    turns, served = Turns(), list[str]()
    first, gone, last = (asking(turns, who, served) for who in ("anna", "mallory", "bob"))
    while not served:
        await asyncio.sleep(0)
    for line in turns._lines[False].values():
        for one in line:
            one.add_done_callback(lambda _: gone.cancel())  # in the moment in which it is their turn
        break
    await asyncio.gather(first, last)
    assert served[-1] == "bob"


def test_nobody_has_more_than_their_share_of_the_workers():
    shares = Shares(most_at_once=2)
    with shares.held("mallory"), shares.held("mallory"):
        with pytest.raises(Busy), shares.held("mallory"):
            pass
        with shares.held("anna"):
            pass
    with shares.held("mallory"), shares.held("mallory"):  # what has ended, or was refused, is counted no more
        pass
    assert not shares._held
