"""A full disk: an order is durable or refused, and the same server goes on when there is room."""

from pathlib import Path

import pytest

from replay.proof.verify import verify
from server.store.append import Statement
from tests.server.play.test_orders import two
from tests.support.serving import Caller, RunningServer, serving

ANSWERS = ("always", "never")
"""Standing orders, each of an event and a row of the commands: some of them fill a page."""
MANY = 100


async def limit(server: RunningServer, pages: int) -> None:
    """Let the store's file grow to so many pages at most: SQLite itself then says that the disk is full."""
    await server.running.store.write(Statement(f"PRAGMA max_page_count={pages}", ()))


async def until_full(anna: Caller, battle: str) -> tuple[str, str, bytes]:
    """Give orders until one finds the disk full: it, its key, and the log before it."""
    for at in range(MANY):
        order, log = f"standing evade R6 {ANSWERS[at % 2]}", await anna.export(battle)
        reply = await anna.order(battle, order, f"key {at}")
        if reply.status != 200:
            assert (reply.status, reply.code, reply.headers["Retry-After"]) == (507, "core.disk-full", "60")
            return order, f"key {at}", log
    raise AssertionError("the disk is never full")


def events_of(content: bytes) -> list[bytes]:
    """The lines of a battle file without its last, the checkpoint, which is signed anew each time."""
    return content.splitlines()[:-1]


@pytest.mark.slow
async def test_an_order_is_durable_or_refused_and_play_goes_on_when_there_is_room(tmp_path: Path) -> None:
    async with serving(tmp_path / "data") as server:
        anna, _, battle = await two(server)
        ((pages,),) = server.running.store.rows("PRAGMA page_count")
        await limit(server, pages)
        order, key, log = await until_full(anna, battle)
        for _ in range(3):
            assert (await anna.order(battle, order, key)).status == 507
        assert events_of(await anna.export(battle)) == events_of(log)
        assert (await anna.view(battle))["n"] == len(events_of(log)) - 1
        assert (await server.stranger.get("/healthz")).status == 200
        await limit(server, 2 * pages)
        reply = await anna.order(battle, order, key)
        assert (reply.status, reply.json["again"]) == (200, False)
        assert (await anna.order(battle, order, key)).json["again"]
        after = await anna.export(battle)
        assert events_of(after)[: len(events_of(log))] == events_of(log)
        assert verify(after).fault is None
    async with serving(tmp_path / "data") as server:
        assert events_of(await server.stranger.export(battle)) == events_of(after)
