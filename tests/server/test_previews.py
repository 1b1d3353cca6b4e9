"""A preview leaves nothing behind, whatever it was asked to try, and is computed apart."""

import gc

import pytest

from domain.engine.errors import Refusal
from server.play import preview as previews
from server.workers import INLINE, Busy, Workers
from server.workers.wire import PREFIX, packed, unpacked
from tests.support.serving import BATTLES, PHRASE, RunningServer

REFUSED = "\n".join(f"try {name} charge H6" for name in ("R1", "R2", "R3", "R1"))


def refusals() -> int:
    """The refusals in memory that nothing but a cycle may still hold, after a collection."""
    gc.collect()
    return sum(isinstance(found, Refusal) for found in gc.get_objects())


async def test_previews_keep_no_refusals(server: RunningServer) -> None:
    anna, ben = await server.player("Anna"), await server.player("Ben")
    battle = await server.battle(anna, ben)
    body = {"orders": f"phrase {PHRASE}\n{REFUSED}"}

    async def preview() -> None:
        reply = await anna.post(f"{BATTLES}/{battle}/preview", body)
        assert reply.status == 200, reply
        assert sum(line["refused"] + line.get("skipped", 0) for line in reply.json["lines"]) > 100

    await preview()
    before = refusals()
    await preview()
    await preview()
    assert refusals() == before


class Sent:
    """A runner whose jobs and results are sent as between processes."""

    def __init__(self) -> None:
        self.jobs: list[str] = []

    async def run(self, job, *given):
        self.jobs.append(job.__name__)
        job, given = unpacked(packed((job, given))[PREFIX:])
        return unpacked(packed(job(*given))[PREFIX:])

    async def close(self) -> None:
        """Nothing runs."""


class Full:
    """A runner that takes nothing."""

    async def run(self, job, *given):
        raise Busy

    async def close(self) -> None:
        """Nothing runs."""


@pytest.mark.parametrize(
    "orders", ["R1 ahead\nend turn", REFUSED, "repeat 20 R1 ahead until it fails", "if R1 at E4: R2 ahead"]
)
async def test_a_preview_can_be_sent_and_stays_the_same(server: RunningServer, orders: str) -> None:
    anna, ben = await server.player("Anna"), await server.player("Ben")
    battle = await server.battle(anna, ben)
    body = {"orders": f"phrase {PHRASE}\n{orders}"}
    told = await anna.post(f"{BATTLES}/{battle}/preview", body)
    sent = Sent()
    server.running.battles.workers = Workers(sent, sent, sent)
    assert (await anna.post(f"{BATTLES}/{battle}/preview", body)).json == told.json
    assert (told.status, sent.jobs) == (200, ["outlook"])


async def test_a_preview_that_cannot_be_computed_now_may_be_asked_again(server: RunningServer) -> None:
    server.running.battles.workers = Workers(Full(), Full(), Full())
    anna, ben = await server.player("Anna"), await server.player("Ben")
    battle = await server.battle(anna, ben)
    reply = await anna.post(f"{BATTLES}/{battle}/preview", {"orders": "R1 ahead"})
    assert (reply.status, reply.code) == (503, "core.busy")
    assert int(reply.headers["Retry-After"]) > 0
    assert (await anna.order(battle, "R1 ahead")).status == 200


async def test_the_work_of_a_preview_is_bounded(server: RunningServer, monkeypatch: pytest.MonkeyPatch) -> None:
    anna, ben = await server.player("Anna"), await server.player("Ben")
    battle = await server.battle(anna, ben)
    live = await server.running.battles.get(battle)
    tests = " or ".join(["R1 at A1"] * 24)
    text = "\n".join(["R1 ahead", *[f"if {tests}: R2 ahead"] * 10])
    counted = 0

    class Counting(previews._Imagination):
        @property
        def known(self):
            nonlocal counted
            counted += 1
            return super().known

    monkeypatch.setattr(previews, "_Imagination", Counting)
    outlook = await previews.preview(INLINE.people, live, "south", text, PHRASE)
    assert 1 <= outlook.playouts < previews.PLAYOUTS
    assert counted < 2 * previews.MOST_WORK
