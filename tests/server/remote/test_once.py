"""What a terminal asks for is done once, also where the answer was lost."""

from pathlib import Path

import pytest

from server.remote.connection import Refused, Unanswered
from server.remote.inviting import invite, rematch
from tests.server.remote.remote_player import RemotePlayer, remote_player
from tests.support.entropy import entropy_of_test
from tests.support.serving import PHRASE, Caller, serving

FRIEND, OTHER = "friend@else.test", "other@else.test"


def caller_of(server, player: RemotePlayer) -> Caller:
    """The same player as a program."""
    return Caller(server.client, player.token)


async def test_an_invitation_whose_answer_was_lost_is_made_once(tmp_path: Path) -> None:
    async with serving(tmp_path / "data", mail=True) as server:
        anna, entropy = await remote_player(server, "Anna", tmp_path), entropy_of_test()
        battle = await caller_of(server, anna).open()
        await caller_of(server, anna).sit(battle, "south", phrase=PHRASE)
        place = anna.place(battle)
        anna.wire.lost["invitations"] = 1
        async with anna.wire as wire:
            with pytest.raises(Unanswered):
                await invite(wire, place, FRIEND, "", "Come.", entropy)
            assert place.asked.exists()
            assert (await invite(wire, place, FRIEND, "", "Come.", entropy)).address == FRIEND
            assert not place.asked.exists()
            with pytest.raises(Refused, match=r"core\.side-taken|core\.side-reserved"):
                await invite(wire, place, OTHER, "", "Come.", entropy)
            assert not place.asked.exists()
        assert server.running.store.rows("SELECT COUNT(*) FROM invitations") == [(1,)]


async def test_a_rematch_with_a_bot_whose_answer_was_lost_is_one_battle(tmp_path: Path) -> None:
    async with serving(tmp_path / "data") as server:
        anna, entropy = await remote_player(server, "Anna", tmp_path), entropy_of_test()
        program = caller_of(server, anna)
        battle = await program.open()
        assert (await program.sit(battle, "north", bot="easy")).status == 201
        await anna.take(battle, "south", plain=True)
        assert (await program.order(battle, "resign")).status == 200
        place = anna.place(battle)
        anna.wire.lost["rematch"] = 1
        async with anna.wire as wire:
            with pytest.raises(Unanswered):
                await rematch(wire, place, False, entropy)
            found, _ = await rematch(wire, place, False, entropy)
            assert found.what == "bot"
        assert server.running.store.rows("SELECT COUNT(*) FROM battles") == [(2,)]
