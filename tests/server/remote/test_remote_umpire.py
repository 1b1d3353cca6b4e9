"""An umpire at a terminal brings a key, is named with it, and signs what they rule."""

from pathlib import Path

import pytest

from domain.log import record
from replay.proof.verify import verify
from server.cli import remote_umpire
from server.remote import carrying, umpiring
from server.remote.errors import NotDone
from server.remote.history import seat_in
from tests.server.remote.remote_player import RemotePlayer, remote_player
from tests.server.remote.test_remote_commands import Terminal, address_of, token_of
from tests.server.remote.test_remote_play import _log
from tests.support.entropy import entropy_of_test
from tests.support.serving import RunningServer, serving


async def brings_key(server: RunningServer, folder: Path, name: str = "Judge Dee") -> tuple[RemotePlayer, str]:
    """A judge at a terminal, whose account has their key."""
    judge = await remote_player(server, name, folder)
    async with judge.wire as wire:
        return judge, await umpiring.bring_key(wire, judge.home.server(judge.address), judge.entropy)


async def judges(judge: RemotePlayer, battle: str) -> bool:
    async with judge.wire as wire:
        return (await umpiring.judge(wire, judge.place(battle)))[1]


async def test_an_umpire_at_a_terminal_signs_what_they_rule(tmp_path: Path) -> None:
    async with serving(tmp_path / "data", opens=record.PBEM_2_1) as server:
        anna, bob = [await remote_player(server, name, tmp_path) for name in ("Anna", "Bob")]
        judge, signer = await brings_key(server, tmp_path)
        battle = await (await server.player("Host")).open()
        for player, side in ((anna, "south"), (bob, "north")):
            await player.take(battle, side)
        assert (await anna.order(battle, "umpire Judge Dee")).refused == ""
        assert (await bob.order(battle, "agree umpire")).refused == ""
        assert (await bob.order(battle, "dispute 5 facts It was otherwise")).refused == ""
        assert await judges(judge, battle)
        assert (await judge.order(battle, "answer d1 I look at it")).refused == ""
        played = await judge.order(battle, "rule d1 award south as I see it")
        assert [(line.order, line.status) for line in played.lines] == [("rule d1 award south as I see it", "accepted")]
        office = seat_in(_log(judge, battle), "umpire")
        assert (office.signer, office.serial) == (signer, 2)
        report = verify(await server.stranger.export(battle))
    assert report.fault is None
    assert {act.what: act.is_unsigned for act in report.listed}["ruling"] is False


async def test_an_umpires_key_follows_them_to_another_terminal(tmp_path: Path) -> None:
    async with serving(tmp_path / "data", opens=record.PBEM_2_1) as server:
        anna, bob = await server.player("Anna"), await server.player("Bob")
        judge, _ = await brings_key(server, tmp_path)
        battle = await server.battle(anna, bob, umpire="Judge Dee")
        await anna.order(battle, "dispute 5 facts It was otherwise")
        away = RemotePlayer(server, judge.token, tmp_path / "away")
        with pytest.raises(NotDone, match="phalera remote carry"):
            await judges(away, battle)
        async with judge.wire as wire:
            words = await carrying.show_words(wire, judge.home.server(judge.address), judge.entropy)
            assert (await carrying.carry(wire, judge.place(battle), judge.entropy)).side == "umpire"
        async with away.wire as wire:
            await carrying.take_words(wire, away.home.server(away.address), words)
            await carrying.carry(wire, away.place(battle), away.entropy)
        assert await judges(away, battle)
        assert (await away.order(battle, "rule d1 award south as I see it")).refused == ""
        report = verify(await server.stranger.export(battle))
    assert report.fault is None
    assert {act.what: act.is_unsigned for act in report.listed}["ruling"] is False


async def test_a_ruling_whose_answer_was_lost_is_given_once(tmp_path: Path) -> None:
    async with serving(tmp_path / "data", opens=record.PBEM_2_1) as server:
        anna, bob = await server.player("Anna"), await server.player("Bob")
        judge, _ = await brings_key(server, tmp_path)
        battle = await server.battle(anna, bob, umpire="Judge Dee")
        await anna.order(battle, "dispute 5 facts It was otherwise")
        await judges(judge, battle)
        judge.wire.lost["orders"] = 1
        with pytest.raises(NotDone):
            await judge.order(battle, "halt d1")
        played = await judge.order(battle, "halt d1")
        assert [line.status for line in played.lines] == ["accepted"]
        assert seat_in(_log(judge, battle), "umpire").serial == 1


async def test_the_key_of_another_judges_nothing(tmp_path: Path) -> None:
    async with serving(tmp_path / "data", opens=record.PBEM_2_1) as server:
        anna, bob = await server.player("Anna"), await server.player("Bob")
        judge, _ = await brings_key(server, tmp_path)
        battle = await server.battle(anna, bob, umpire="Judge Dee")
        judge.home.server(judge.address).key_file.write_bytes(b"A" * 43 + b"=")
        with pytest.raises(NotDone, match="not the key"):
            await judges(judge, battle)


async def test_the_commands_of_an_umpire(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remote_umpire, "entropy", entropy_of_test)
    async with serving(tmp_path / "data", opens=record.PBEM_2_1) as server:
        anna, bob = await server.player("Anna"), await server.player("Bob")
        judge, address = Terminal(tmp_path / "judge"), address_of(server)
        await judge.type("login", address, typed=f"{await token_of(server, 'Judge')}\n")
        assert "You sign as umpire with the key" in (await judge.type("umpire-key", address)).out
        battle = await server.battle(anna, bob, umpire="Judge")
        await anna.order(battle, "dispute 5 facts It was otherwise")
        said = await judge.type("judge", f"{address}/battles/{battle}")
        assert said.out.strip().endswith("Your lines are signed.")
        assert (await judge.type("order", battle, "rule d1 draw so be it")).code == 0
        assert verify(await server.stranger.export(battle)).ended
