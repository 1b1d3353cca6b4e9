"""A terminal finds each kind of dishonest server, at the first moment at which it can be proven, and stops."""

import re
from pathlib import Path

import pytest

from replay.proof import verify
from server.remote import judging, own_words
from server.remote.errors import NotDone
from server.remote.judging import FaultFound
from tests.server.remote.remote_player import RemotePlayer, remote_player
from tests.server.remote.test_remote_play import two
from tests.support.dishonest import LIES, OTHER_SIGNER, Lie, Told, lying
from tests.support.lanes import thinned
from tests.support.serving import RunningServer

ROUNDS = 12


def provable(lie: Lie, told: Told, player: RemotePlayer, battle: str) -> bool:
    """Whether what a player has read and believed shows the lie."""
    if not told.n:
        return False
    lines = player.place(battle).log.read_bytes().splitlines()[1:-1]
    if lie.at != "disclosure":
        return len(lines) >= told.n
    return any(b'"type":"KeyDisclosed"' in line for line in lines[told.n :])


async def a_fault(server: RunningServer, folder: Path, lie: Lie, told: Told) -> tuple[FaultFound, RemotePlayer, str]:
    """Two players play until one of them is stopped."""
    anna, bob = [await remote_player(server, name, folder) for name in ("Anna", "Bob")]
    battle = await (await server.player("Host")).open()
    watching = (anna,) if lie.at == "own" else (anna, bob)
    player = anna
    try:
        await anna.take(battle, "south", **lie.seats)
        player = bob
        await bob.take(battle, "north", **lie.seats)
        for turn in range(ROUNDS):
            for player in watching:
                await player.look(battle)
                assert not provable(lie, told, player, battle), "the lie was read and believed"
            player = anna
            now = await anna.look(battle)
            player = (anna, bob)[("south", "north").index(now.to_act[0])]
            await player.order(battle, _orders(lie, turn, await _first(player, battle), bool(now.waiting)))
    except FaultFound as found:
        return found, player, battle
    pytest.fail(f"nobody was stopped; the lie was told at event {told.n}")


async def _first(player: RemotePlayer, battle: str) -> str:
    options = (await player.options(battle)).options
    return next((option.order for option in options if option.order != "end turn"), "end turn").lower()


def _orders(lie: Lie, turn: int, first: str, is_asked: bool) -> str:
    if turn < len(lie.plays):
        return lie.plays[turn]
    if turn > 5:
        return "resign"
    return first if is_asked else f"{first}\nend turn"


PLAYING = tuple(lie for lie in LIES if lie.at != "joining")


@pytest.mark.parametrize("lie", thinned(PLAYING, 8), ids=lambda lie: lie.name)
async def test_a_dishonest_server_is_found_in_time(server: RunningServer, tmp_path: Path, lie: Lie) -> None:
    with lying(lie) as told:
        found, player, battle = await a_fault(server, tmp_path, lie, told)
        assert told.n and found.fault.what in lie.kinds, found
        sent = len(player.wire.sent)
        with pytest.raises(FaultFound):
            await player.order(battle, "resign")
        assert len(player.wire.sent) == sent, "a message was sent behind a fault"
    if lie.at != "own":
        report = verify.verify(player.place(battle).faulty_log.read_bytes())
        assert report.fault is not None and report.fault.n <= found.fault.n  # the rules may see it earlier


@pytest.mark.parametrize("lie", [lie for lie in LIES if lie.at == "joining"], ids=lambda lie: lie.name)
async def test_a_seat_that_is_not_as_it_was_taken_is_not_played(
    server: RunningServer, tmp_path: Path, lie: Lie
) -> None:
    anna = await remote_player(server, "Anna", tmp_path)
    battle = await (await server.player("Host")).open()
    with lying(lie) as told, pytest.raises(NotDone, match=r"in another way|player-signature-differs"):
        await anna.take(battle, "south", **lie.seats)
    assert told.n


@pytest.mark.slow
async def test_a_player_may_go_on_despite_a_fault(server: RunningServer, tmp_path: Path) -> None:
    lie = next(lie for lie in LIES if lie.name == "a disclosed key is not of the chain")
    with lying(lie) as told:
        found, player, battle = await a_fault(server, tmp_path, lie, told)
    place = player.place(battle)
    assert judging.accept(place).what == found.fault.what
    now = await player.look(battle)
    assert place.log.read_bytes().count(b"\n") == now.n + 2
    with pytest.raises(NotDone, match="No fault"):
        judging.accept(place)


async def test_a_contribution_that_was_accepted_and_is_not_in_the_log_is_missed(
    server: RunningServer, tmp_path: Path
) -> None:
    anna, bob, battle = await two(server, tmp_path, plain=True)
    place, now = anna.place(battle), await anna.look(battle)
    own_words.keep_words(place, own_words.SentWords("south", now.head, request="r", phrase="x" * 16))
    assert (await anna.look(battle)).n == now.n  # no answer yet: it may still come
    own_words.answered(place, "r", 0)
    with pytest.raises(FaultFound, match="own-words-missing"):
        await anna.look(battle)
    assert (await bob.look(battle)).n == now.n


async def test_what_was_refused_is_not_missed(server: RunningServer, tmp_path: Path) -> None:
    anna, _, battle = await two(server, tmp_path, plain=True)
    assert (await anna.order(battle, "X9 ahead")).refused
    await anna.look(battle)
    assert b"X9" not in anna.place(battle).sent.read_bytes()


async def test_another_key_of_a_known_player_stops_until_it_is_trusted(server: RunningServer, tmp_path: Path) -> None:
    anna, bob, battle = await two(server, tmp_path, sign=True)
    await anna.look(battle)
    file = anna.place(battle).server.pins
    own = file.read_text()
    host, *players = own.splitlines()
    assert len(players) == 2 and all(line.split()[0] == host.split()[0] for line in players)
    strange = "\n".join([host, *(" ".join([*line.split()[:3], OTHER_SIGNER]) for line in players), ""])
    file.write_text(strange)
    with pytest.raises(NotDone, match=r"ANOTHER KEY .*phalera remote trust"):
        await anna.order(battle, "end turn")
    file.write_text(strange + own)
    assert (await anna.order(battle, "end turn")).lines
    file.write_text("nonsense\n")
    with pytest.raises(NotDone, match="is damaged"):
        await anna.look(battle)
    assert (await bob.look(battle)).to_act == ("north",)


async def test_another_key_in_another_battle_is_told_once_and_stops_nobody(
    server: RunningServer, tmp_path: Path
) -> None:
    anna, bob, first = await two(server, tmp_path, sign=True)
    await anna.look(first)
    bob.place(first).server.key_file.unlink()  # as a browser, which makes a key for each battle
    second = await (await server.player("Guest")).open()
    await anna.take(second, "south", sign=True)
    await bob.take(second, "north", sign=True)
    before = anna.wire.told
    await anna.look(second)
    (told,) = anna.wire.told
    assert not before and second in told and "Bob" in told
    assert (await anna.order(second, "end turn")).lines
    assert anna.wire.told == (told,)


async def test_an_order_that_the_server_gives_first_for_another_is_no_fault(
    server: RunningServer, tmp_path: Path
) -> None:
    anna, _, battle = await two(server, tmp_path)
    await anna.order(battle, "R6 to H3\nR1 to C3")
    await anna.look(battle)
    log = anna.place(battle).log.read_text()
    assert [text for text in re.findall(r'"text":"([^"]+)"', log) if text[:3] in ("R6 ", "cor", "R1 ")] == [
        "R6 to H3",
        "corps I",
        "R1 to C3",
    ]
