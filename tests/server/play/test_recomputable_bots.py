"""In battles of header version 3 the bots of a server can be played again from the file."""

from pathlib import Path

import pytest

from domain.log.fairness import seal_chain, seal_text
from domain.log.record import PBEM_2_1
from domain.run.bots import MOST_EVENTS
from replay.proof.bots import with_bots
from replay.proof.report import Report
from replay.proof.verify import OK, verify
from server.play import bots, snapshots
from tests.support.serving import RunningServer, serving
from tests.support.waiting import eventually

RESTART_AT = 20


async def report_of(server: RunningServer, battle: str) -> Report:
    content = await server.stranger.export(battle)
    return with_bots(verify(content), content)


async def ended(server: RunningServer, battle: str) -> None:
    live = await server.running.battles.get(battle)
    await eventually("the battle ends", lambda: live.recording.battle.ended)


def recomputed(report: Report) -> dict[str, int]:
    return {one.side: one.orders for one in report.bots or () if not one.left_out}


@pytest.mark.slow
async def test_bots_that_went_on_after_a_restart_are_played_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It comes back from a snapshot: what the bots ordered in the period stands before it."""
    monkeypatch.setattr(snapshots, "EVERY", 8)
    async with serving(tmp_path, opens=PBEM_2_1) as server:
        server.running.bots.pause_s = 0.02
        anna = await server.player("Anna")
        battle = await anna.open(options={"turn_limit": 3})
        await anna.sit(battle, "south", bot="easy")
        await anna.sit(battle, "north", bot="random")
        live = await server.running.battles.get(battle)
        await eventually("the bots have begun", lambda: live.n > RESTART_AT)
        server.running.bots.stop()
        assert not live.recording.battle.ended
    async with serving(tmp_path, opens=PBEM_2_1) as server:
        await ended(server, battle)
        report = await report_of(server, battle)
    assert (report.exit, report.fault) == (OK, None)
    assert recomputed(report).keys() == {"south", "north"}


async def test_a_bot_that_plays_with_a_person_is_played_again(tmp_path: Path) -> None:
    """It contributes alone beside a sealed seat, orders with and without a phrase, and answers a take-back."""
    async with serving(tmp_path, opens=PBEM_2_1) as server:
        anna = await server.player("Anna")
        battle = await anna.open()
        seals = seal_chain(battle, "south", bytes(32), 9)
        assert (await anna.sit(battle, "north", bot="random")).status == 201
        assert (await anna.sit(battle, "south", mode="sealed", anchor=seals[0].hex())).status == 201
        live = await server.running.battles.get(battle)
        await eventually("the bot contributes", lambda: "north" not in live.recording.battle.owing)
        first = f"seal {seal_text(seals[1])}\nstanding evade R1 always"
        assert (await anna.order(battle, first, phrase="")).status == 200
        assert (await anna.order(battle, "takeback", phrase="")).status == 200
        await eventually("the bot answers", lambda: live.recording.battle.game.rewinds == 1)
        reply = await anna.order(battle, f"seal {seal_text(seals[2])}\nend turn", phrase="")
        assert reply.status == 200, reply
        await eventually("the bot has played", lambda: live.to_act() == ("south",))
        assert (await anna.order(battle, "resign", phrase="")).status == 200
        report = await report_of(server, battle)
    assert (report.exit, report.fault) == (OK, None)
    assert recomputed(report)["north"] > 1


@pytest.mark.slow
async def test_the_draw_that_two_bots_agree_on_is_their_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    most = 60
    assert most < MOST_EVENTS
    monkeypatch.setattr(bots, "MOST_EVENTS", most)
    async with serving(tmp_path, opens=PBEM_2_1) as server:
        anna = await server.player("Anna")
        battle = await anna.open(options={"turn_limit": 0})
        await anna.sit(battle, "south", bot="random")
        await anna.sit(battle, "north", bot="random")
        await ended(server, battle)
        early = await report_of(server, battle)
        monkeypatch.setattr("replay.proof.bots.MOST_EVENTS", most)
        report = await report_of(server, battle)
    assert early.fault is not None
    assert early.fault.what in ("bot-order-differs", "bot-not-asked")
    assert (report.exit, report.fault) == (OK, None)
