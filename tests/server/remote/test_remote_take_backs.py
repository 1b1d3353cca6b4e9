"""Who agrees to a take-back at a terminal brings their share of the chance with it (header version 3)."""

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from domain.log.record import PBEM_2_1
from replay.proof.verify import verify
from server.remote.judging import FaultFound
from tests.server.remote.remote_player import RemotePlayer
from tests.server.remote.test_remote_play import two
from tests.support.serving import RunningServer, serving

SEATS: tuple[dict[str, bool], ...] = ({"plain": True}, {}, {"plain": True, "sign": True}, {"sign": True})
NAMES = ("plain", "sealed", "plain and signed", "sealed and signed")


async def asked_back(server: RunningServer, folder: Path, **seats: Any) -> tuple[RemotePlayer, RemotePlayer, str]:
    """The south has ordered, and asks for it back."""
    anna, bob, battle = await two(server, folder, **seats)
    for line in ("R1 ahead", "takeback"):
        assert not (await anna.order(battle, line)).refused
    return anna, bob, battle


@pytest.mark.parametrize("line", ["agree d1", "offer d1 rewind {to}"])
@pytest.mark.parametrize("seats", SEATS, ids=NAMES)
async def test_agreeing_brings_the_entry_of_the_side_that_agrees(
    tmp_path: Path, seats: dict[str, bool], line: str
) -> None:
    async with serving(tmp_path / "data", opens=PBEM_2_1) as server:
        anna, bob, battle = await asked_back(server, tmp_path, **seats)
        live = await server.running.battles.get(battle)
        remedy = live.recording.battle.disputes.dockets[0].offers["south"].what
        played = await bob.order(battle, line.format(to=remedy.partition(" ")[2]))
        assert not played.refused, played.refused
        assert (live.game.rewinds, live.recording.battle.owing) == (1, ("south",))
        assert not (await anna.order(battle, "R1 ahead")).refused
        assert not (await anna.order(battle, "end turn")).refused
        assert not (await bob.order(battle, "end turn")).refused
        report = verify(await server.stranger.export(battle))
    assert report.fault is None, report.fault


@pytest.mark.parametrize("line", ["decline d1", "answer d1 No.", "offer d1 none"])
async def test_other_answers_bring_none(tmp_path: Path, line: str) -> None:
    async with serving(tmp_path / "data", opens=PBEM_2_1) as server:
        _, bob, battle = await asked_back(server, tmp_path, sign=True)
        before = bob.place(battle).book.read_bytes()
        assert not (await bob.order(battle, line)).refused
        assert bob.place(battle).book.read_bytes() == before
        sent = next(body for path, body, _ in reversed(bob.wire.sent) if path.endswith("/orders"))
        assert sent is not None and b'"seal"' not in sent


async def test_an_entry_that_is_not_the_one_sent_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with serving(tmp_path / "data", opens=PBEM_2_1) as server:
        _, bob, battle = await asked_back(server, tmp_path, plain=True)
        play = server.running.play
        honest = play.orders

        async def changed(orders: Any, *rest: Any, **more: Any) -> Any:
            return await honest(replace(orders, phrase="a phrase of the host alone"), *rest, **more)

        monkeypatch.setattr(play, "orders", changed)
        with pytest.raises(FaultFound, match="own-phrase-differs"):
            await bob.order(battle, "agree d1")
