"""A preview leaves nothing behind, whatever it was asked to try, and is computed apart."""

import asyncio
import gc
from typing import Any

import pytest
from msgspec.structs import replace

from domain.basics.data import parse_toml, scenario_text
from domain.basics.errors import Refusal
from domain.scripts.conditions import needed_now
from server.people.players import Player
from server.play import preview as previews
from server.play.script_view import BattleScriptView
from server.play.seating import take_side
from server.web.turns import MOST_AT_ONCE
from server.workers import INLINE, Busy, Workers
from server.workers.wire import PREFIX, packed, unpacked
from tests.support import messages
from tests.support.lanes import thinned
from tests.support.serving import BATTLES, PHRASE, RunningServer

REFUSED = "\n".join(f"try {name} charge H6" for name in ("R1", "R2", "R3", "R1"))


def refusals() -> int:
    """The refusals in memory that nothing but a cycle may still hold, after a collection."""
    gc.collect()
    return sum(isinstance(found, Refusal) for found in gc.get_objects())


@pytest.mark.slow
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
    "orders", thinned(["R1 ahead\nend turn", REFUSED, "repeat 20 R1 ahead until it fails", "if R1 at E4: R2 ahead"], 4)
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


class Held(Sent):
    """A runner whose jobs wait."""

    def __init__(self) -> None:
        super().__init__()
        self.goes = asyncio.Event()

    async def run(self, job, *given):
        self.jobs.append(job.__name__)
        await self.goes.wait()
        return job(*given)


async def test_nobody_takes_all_places_for_previews(server: RunningServer) -> None:
    anna, ben = await server.player("Anna"), await server.player("Ben")
    battle = await server.battle(anna, ben)
    held = Held()
    server.running.battles.workers = Workers(held, held, held)
    body = {"orders": "R1 ahead"}
    asked = [asyncio.create_task(anna.post(f"{BATTLES}/{battle}/preview", body)) for _ in range(MOST_AT_ONCE)]
    while len(held.jobs) < MOST_AT_ONCE:
        await asyncio.sleep(0.001)
    refused = await anna.post(f"{BATTLES}/{battle}/preview", body)
    assert (refused.status, refused.code) == (503, "core.busy")
    assert int(refused.headers["Retry-After"]) > 0
    asked.append(asyncio.create_task(ben.post(f"{BATTLES}/{battle}/preview", {"orders": "G1 ahead"})))
    while len(held.jobs) <= MOST_AT_ONCE:  # there is a place for somebody else
        await asyncio.sleep(0.001)
    held.goes.set()
    *own, of_ben = await asyncio.gather(*asked)
    assert {reply.status for reply in own} == {200}
    assert of_ben.status == 409  # it is not his turn: his was computed, too
    assert (await anna.post(f"{BATTLES}/{battle}/preview", body)).status == 200


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


@pytest.mark.slow
async def test_a_condition_of_any_game_lists_the_orders_of_a_state_once(
    server: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Singidunum compares dice, so that what an order needs is looked up among all orders."""
    scenario = parse_toml(scenario_text("singidunum", "two-lines"), "two-lines")
    live = await server.running.battles.open("singidunum", scenario, "public")
    anna, ben = await server.player("Anna"), await server.player("Ben")
    for side, caller in (("south", anna), ("north", ben)):
        await take_side(live, side, Player(caller.player, side), phrase=messages.phrase(live.recording, PHRASE))
    listed = 0

    def options(state: Any, side: str) -> Any:
        nonlocal listed
        listed += 1
        return live.ruleset.orders.options(state, side)

    tests = " or ".join(["SEL9 to E9 needs at least 1"] * 24)
    text = "\n".join([f"stop if {tests}"] * 10 + ["SEL9 to E9"])
    slow = replace(live.ruleset, orders=replace(live.ruleset.orders, options=options))
    known = live.known("south")
    outlook = previews.outlook(previews.PreviewRequest(slow, live.id, live.n, "south", known, text, PHRASE))
    looks = 10 * 24 + 1
    assert 1 <= outlook.playouts <= previews.MOST_WORK // (previews.LISTING + looks) + 1
    assert 1 <= listed <= outlook.playouts + 2
    monkeypatch.setattr(BattleScriptView, "ruleset", slow)
    view, listed = BattleScriptView(live, "south", live.n), 0
    assert [needed_now(view, order) for order in ("SEL9 to E9", "SEL9 to A1", "SEL9 stay")] == [0, None, 0]
    assert listed == 1
