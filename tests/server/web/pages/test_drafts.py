"""What a player has written and not sent is kept for them, and lines that waited in vain come back."""

import json
from pathlib import Path
from typing import Any

import pytest

from domain.events.battle import OrderAccepted
from server.store.tables import drafts
from server.web.api.battles import lines_of
from tests.server.play.test_orders import EVADE
from tests.server.web.pages.visiting import OWN, Page, Visitor, visitor_of
from tests.support.serving import Caller, RunningServer, serving
from tests.support.waiting import eventually

WRITTEN = "R1 ahead\nR2 ah"
CHARGE = "R1 charge D3\nR2 shoot A5\nR3 ahead"
AGAIN = "It is in the box again"
TOO_LONG = "x" * (drafts.LONGEST + 1)


def box(page: Page) -> str:
    """What stands in the order box."""
    return page.text.partition("<textarea")[2].partition(">")[2].partition("</textarea>")[0]


async def keep(visitor: Visitor, battle: str, orders: str) -> Page:
    return await visitor.ask("POST", f"/battles/{battle}/draft", OWN, {"orders": orders, "side": "south"})


@pytest.mark.slow
async def test_a_draft_is_there_on_the_next_page_and_on_another_device(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        anna, bob = await server.player("Anna"), await server.player("Bob")
        battle = await server.battle(anna, bob)
        one, other, north = [await visitor_of(server, who) for who in (anna, anna, bob)]
        assert (await keep(one, battle, WRITTEN)).status == 204
        assert box(await other.get(f"/battles/{battle}")) == WRITTEN
        assert box(await north.get(f"/battles/{battle}")) == ""
        assert "R2 ah" not in (await Visitor(server).get(f"/battles/{battle}")).text
    async with serving(tmp_path) as server:
        other.server = server
        assert box(await other.get(f"/battles/{battle}")) == WRITTEN
        await keep(other, battle, "  ")
        assert box(await other.get(f"/battles/{battle}")) == ""


@pytest.mark.slow
async def test_what_is_sent_leaves_the_draft_and_what_is_refused_stays(server: RunningServer) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    battle = await server.battle(anna, bob)
    visitor = await visitor_of(server, anna)
    await keep(visitor, battle, "R1 charge H6")
    await visitor.order(battle, "R1 charge H6")
    assert box(await visitor.get(f"/battles/{battle}")) == "R1 charge H6\n"
    await visitor.order(battle, "standing evade R3 never")
    assert box(await visitor.get(f"/battles/{battle}")) == ""


@pytest.mark.slow
async def test_two_windows_lose_nothing_of_each_other(server: RunningServer) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    battle = await server.battle(anna, bob)
    visitor = await visitor_of(server, anna)
    await keep(visitor, battle, "R1 ahead\n")
    refused = await visitor.ask(
        "POST", f"/battles/{battle}/draft", OWN, {"orders": "R2 ahead\n", "side": "south", "was": ""}
    )
    assert (refused.status, json.loads(refused.text)) == (409, {"orders": "R1 ahead\n"})
    await visitor.order(battle, "standing evade R3 never", was="")
    assert box(await visitor.get(f"/battles/{battle}")) == "R1 ahead\n"
    await visitor.order(battle, "standing evade R3 always", was="R1 ahead\n")
    assert box(await visitor.get(f"/battles/{battle}")) == ""


async def test_a_stranger_keeps_no_draft_and_a_long_one_is_refused(server: RunningServer) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    battle = await server.battle(anna, bob)
    assert (await keep(Visitor(server), battle, WRITTEN)).status == 401
    assert (await keep(await visitor_of(server, bob), battle, WRITTEN)).status == 403
    assert (await keep(await visitor_of(server, anna), battle, TOO_LONG)).status == 422


async def asked(server: RunningServer) -> tuple[Caller, Caller, str]:
    """A charge that makes the rules ask the north; the two lines behind it wait."""
    anna, bob = await server.player("Anna"), await server.player("Bob")
    for _ in range(40):  # the charge needs a card
        battle = await server.battle(anna, bob, scenario="", scenario_toml=EVADE)
        reply = await anna.order(battle, CHARGE, battle)
        if reply.status == 200 and any(line["status"] == "parked" for line in reply.json["lines"]):
            return anna, bob, battle
    pytest.fail("no charge came so far as to ask")


async def test_a_line_that_waited_and_is_refused_comes_back_and_is_told(server: RunningServer) -> None:
    anna, bob, battle = await asked(server)
    visitor, other = await visitor_of(server, anna), await visitor_of(server, bob)
    live: Any = await server.running.battles.get(battle)
    assert lines_of(live.parked["south"].lines) == ("R2 shoot A5", "R3 ahead")
    await keep(visitor, battle, "R1 rally\n")
    assert (await bob.order(battle, "evade no")).status == 200

    async def gone_on() -> bool:
        return not live.parked and not live.lock.locked()

    await eventually("the lines that waited are tried", gone_on)
    page = await visitor.get(f"/battles/{battle}")
    assert box(page) == "R2 shoot A5\nR3 ahead\nR1 rally\n"
    told = page.words.partition("A line waited")[2].partition(AGAIN)[0]
    assert "R2 shoot A5" in told and "[" in told  # with the rule of whatever refuses it now
    ordered = [one.event for one in live.recording.timeline.events if isinstance(one.event, OrderAccepted)]
    assert [order.side for order in ordered] == ["south", "north"]
    assert "R2 shoot A5" not in (await other.get(f"/battles/{battle}")).text
    await keep(visitor, battle, box(page))
    assert AGAIN not in (await visitor.get(f"/battles/{battle}")).words
