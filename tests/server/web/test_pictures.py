"""A picture of a board is drawn once, whoever asks and however many at once; the room for pictures is bounded."""

import asyncio
from typing import Any

import pytest

from domain.catalogue import RULESETS
from server.web.keys import PICTURES
from server.web.pages.battle import board
from server.web.pictures import BoardKey, Pictures
from server.workers import Inline
from tests.support.serving import BATTLES, RunningServer

TTS = RULESETS["tts"]


class Counted(Inline):
    """A runner that counts its jobs, and answers with as many bytes as it was told."""

    def __init__(self, size: int = 10) -> None:
        self.size = size
        self.jobs: list[Any] = []

    async def run(self, job: Any, *given: Any) -> Any:
        self.jobs.append(given)
        await asyncio.sleep(0)
        return bytes(self.size)


def key(n: int, side: str = "", lang: str = "en", form: str = "png") -> BoardKey:
    return BoardKey("b", n, side, lang, form)


async def test_a_crowd_that_asks_for_one_picture_gets_one_drawing() -> None:
    counted = Counted()
    pictures = Pictures(counted)
    found = await asyncio.gather(*(pictures.get(key(1), TTS, lambda: None) for _ in range(100)))
    assert found == [bytes(10)] * 100
    assert await pictures.get(key(1), TTS, lambda: None) == bytes(10)
    assert len(counted.jobs) == 1


async def test_what_shows_something_else_is_another_picture() -> None:
    counted = Counted()
    pictures = Pictures(counted)
    for one in (key(1), key(2), key(1, "south"), key(1, lang="fr"), key(1, form="svg")):
        await pictures.get(one, TTS, lambda: None)
    assert len(counted.jobs) == 5


async def test_the_oldest_pictures_make_room() -> None:
    counted = Counted(size=100)
    pictures = Pictures(counted, most_bytes=250)
    for n in (1, 2, 1, 3, 1, 2):
        await pictures.get(key(n), TTS, lambda: None)
    assert len(counted.jobs) == 4  # 1, 2, 3, and 2 again, which was used before 1
    assert pictures.kept.bytes == 200


async def test_a_picture_larger_than_the_room_is_not_kept() -> None:
    counted = Counted(size=300)
    pictures = Pictures(counted, most_bytes=250)
    for _ in range(2):
        assert len(await pictures.get(key(1), TTS, lambda: None)) == 300
    assert (len(counted.jobs), pictures.kept.bytes) == (2, 0)


async def test_boards_are_asked_of_the_pictures(server: RunningServer) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    battle = await server.battle(anna, bob)
    counted = server.app[PICTURES]._runner = Counted()
    for caller in (anna, anna, bob, server.stranger, anna):
        for accept in ("image/svg+xml", "image/png"):
            assert (await caller.get(f"{BATTLES}/{battle}/board?n=9", {"Accept": accept})).text == "\0" * 10
    assert len(counted.jobs) == 6


async def test_a_page_draws_its_board_once(server: RunningServer) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    battle = await server.battle(anna, bob)
    pictures = server.app[PICTURES]
    pages = ["?turned=no", "?turned=yes", "?n=9&turned=no", "?n=9&turned=yes", "?turned=no&lang=fr"]
    first = [board_in((await server.stranger.get(f"/battles/{battle}{page}")).text) for page in pages]
    kept = dict(pictures.kept._answers)
    forms = {"page", "turned page"}
    assert {key.form for key in kept if isinstance(key, BoardKey)} == forms | {f"{form} in text" for form in forms}
    assert len(kept) == 2 * len(pages)
    assert len(set(first)) == 3  # nothing has moved since event 9
    assert [board_in((await server.stranger.get(f"/battles/{battle}{page}")).text) for page in pages] == first
    assert pictures.kept._answers == kept


async def test_a_page_that_is_kept_makes_no_scene_of_the_turn_before(
    server: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    page = f"/battles/{await server.battle(anna, bob)}"
    first = text_board_in((await server.stranger.get(page)).text)
    assert "|" in first
    monkeypatch.setattr(board, "marked", None)  # fails if it is called
    assert text_board_in((await server.stranger.get(page)).text) == first


def board_in(page: str) -> str:
    return page.partition("<svg")[2].partition("</svg>")[0]


def text_board_in(page: str) -> str:
    return page.partition('<pre id="text"')[2].partition("</pre>")[0]
