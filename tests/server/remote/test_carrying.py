"""A seat on all devices: a terminal and the script of the page open each other's lockers, and play the same seat."""

import json
import subprocess
from pathlib import Path

import pytest

from server.remote import carrying
from server.remote.book import book_from_tip, make_book
from server.remote.errors import NotDone
from server.remote.lockers import LockerName, WrongLocker, from_words, locked, mark_of, unlocked, words_of
from tests.server.remote.remote_player import RemotePlayer
from tests.server.remote.test_remote_play import two
from tests.support.entropy import entropy_of_test
from tests.support.serving import RunningServer
from tests.support.waiting import LIMIT_S

STATIC = Path(__file__).parents[3] / "server" / "web" / "pages" / "static"
KEY, PLAYER = bytes.fromhex("000102030405060708090a0b0c0dfeff"), "p7xk2m"
NAME = LockerName(PLAYER, "seat", "b1", 3)
THING = {"books": [{"side": "south", "anchor": "00", "length": 400, "tip": "ff"}], "keys": []}


def by_the_page(expression: str) -> object:
    """What the script of the page makes."""
    source = (STATIC / "lockers.js").as_uri()
    name = json.dumps({"player": PLAYER, "kind": "seat", "place": "b1", "version": 3})
    script = f"import * as l from {source!r}; const K = {KEY.hex()!r}, N = {name}, P = {PLAYER!r};"
    command = ["node", "--input-type=module", "-e", f"{script} console.log(JSON.stringify(await {expression}))"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT_S, check=True)
    return json.loads(done.stdout)


def test_page_and_terminal_open_each_others_lockers() -> None:
    theirs = by_the_page(f"l.locked(K, N, {json.dumps(THING)})")
    assert unlocked(KEY, NAME, str(theirs)) == THING
    ours = locked(KEY, NAME, THING, entropy_of_test())
    assert by_the_page(f"l.unlocked(K, N, {ours!r})") == THING
    assert by_the_page("l.wordsOf(K, P)") == words_of(KEY, PLAYER)
    assert by_the_page("l.markOf(K, P)") == mark_of(KEY, PLAYER)


def test_a_locker_is_opened_by_its_key_alone_and_for_what_it_was_made() -> None:
    text = locked(KEY, NAME, THING, entropy_of_test())
    for key, name, content in (
        (KEY[::-1], NAME, text),
        (KEY, LockerName(PLAYER, "seat", "b1", 2), text),
        (KEY, LockerName(PLAYER, "seat", "b2", 3), text),
        (KEY, NAME, text[4:]),
        (KEY, NAME, "AAAA"),
    ):
        with pytest.raises(WrongLocker):
            unlocked(key, name, content)


def test_a_slip_of_the_pen_is_found() -> None:
    words = words_of(KEY, PLAYER)
    assert from_words(f" {words.upper()}. ", PLAYER) == KEY
    for wrong in (words.replace(words.split()[0], "zuzuz"), words.rsplit(" ", 1)[0], "", "nine words"):
        assert from_words(wrong, PLAYER) is None
    assert from_words(words, "p7xk2n") is None


async def _carry(player: RemotePlayer, battle: str) -> carrying.CarriedSeat:
    async with player.wire as wire:
        return await carrying.carry(wire, player.place(battle), player.entropy)


async def test_a_seat_is_played_from_a_second_terminal(server: RunningServer, tmp_path: Path) -> None:
    anna, bob, battle = await two(server, tmp_path, sign=True)
    async with anna.wire as wire:
        words = await carrying.show_words(wire, anna.place(battle).server, anna.entropy)
    assert (await _carry(anna, battle)).side == "south"
    second = RemotePlayer(server, anna.token, tmp_path / "second")
    with pytest.raises(NotDone, match="words"):
        await _carry(second, battle)
    async with second.wire as wire:
        with pytest.raises(NotDone, match="not the nine words"):
            await carrying.take_words(wire, second.place(battle).server, "zuzuz " + words.split(" ", 1)[1])
        await carrying.take_words(wire, second.place(battle).server, words)
    assert await _carry(second, battle) == carrying.CarriedSeat("south")
    assert [line.status for line in (await second.order(battle, "end turn")).lines] == ["accepted"]
    await bob.order(battle, "end turn")
    assert [line.status for line in (await anna.order(battle, "end turn")).lines] == ["accepted"]


def altered(path: str, content: bytes) -> bytes:
    """A server that alters the lockers that it gives."""
    return content.replace(b'"content":"', b'"content":"AAAA') if "lockers?place" in path else content


async def test_a_locker_that_is_altered_or_older_is_told_of_and_put_right(
    server: RunningServer, tmp_path: Path
) -> None:
    anna, _, battle = await two(server, tmp_path)
    await _carry(anna, battle)
    anna.wire.changed = altered
    assert await _carry(anna, battle) == carrying.CarriedSeat("south", is_altered=True)
    anna.wire.changed = lambda path, content: content
    assert await _carry(anna, battle) == carrying.CarriedSeat("south")
    anna.place(battle).locker_seen.write_text('{"version":5}')
    assert await _carry(anna, battle) == carrying.CarriedSeat("south", is_older=True)
    assert await _carry(anna, battle) == carrying.CarriedSeat("south")


def test_a_book_by_its_last_seal_is_the_same_book() -> None:
    book = make_book("b1", "south", entropy_of_test(), 12)
    assert book_from_tip("b1", "south", book.seals[-1].hex(), 12).seals == book.seals
