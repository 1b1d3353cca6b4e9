"""The statistics of a battle over the API, and its luck on the page of its end."""

from pathlib import Path

import pytest

from domain.basics.decoding import decode
from projections.luck import by_side, luck_of
from replay import battle_file
from replay.reports.account.aftermath import Aftermath, aftermath
from replay.reports.luck import as_data
from server.mail.outgoing.letters.position import ending
from server.mail.outgoing.letters.reader import LetterReader
from server.play.archive import import_battle
from tests.support.serving import BATTLES, RunningServer

MEDALS = Path(__file__).parents[2] / "golden" / "medals.battle"


def taken_in(server: RunningServer) -> str:
    """A battle that was fought to its end, on this server."""
    return import_battle(server.running.store, MEDALS.read_bytes())


@pytest.mark.slow
async def test_the_api_has_draws_tests_and_luck(server: RunningServer) -> None:
    id_ = taken_in(server)
    found = (await server.stranger.get(f"{BATTLES}/{id_}/statistics")).json
    rows = luck_of(battle_file.load(str(MEDALS)).timeline)
    assert found["battle"] == id_
    assert [side["side"] for side in found["counted"]] == ["south", "north"]
    assert sum(draw["count"] for side in found["counted"] for draw in side["draws"]) > 0
    assert [draw["luck"] for draw in found["luck"]["draws"]] == [draw.luck for draw in as_data("tts.tally", rows).draws]
    assert [side["total"] for side in found["luck"]["sides"]] == [round(1000 * side.total) for side in by_side(rows)]


@pytest.mark.slow
async def test_the_api_has_the_honours_of_the_report(server: RunningServer) -> None:
    id_ = taken_in(server)
    for lang in ("en", "fr"):
        found = (await server.stranger.get(f"{BATTLES}/{id_}/statistics", {"Accept-Language": lang})).json["honours"]
        told = decode(aftermath(MEDALS.read_bytes(), lang), Aftermath).honours
        assert [one["side"] for one in found] == ["south", "north"]
        assert [[(given["title"], given["text"]) for given in one["honours"]] for one in found] == [
            [(given.title, given.text) for given in one.given] for one in told
        ]
        assert any(one["honours"] for one in found)


async def test_a_battle_that_goes_on_has_its_honours_so_far(server: RunningServer) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    found = (await anna.get(f"{BATTLES}/{await server.battle(anna, bob)}/statistics")).json
    assert found["honours"] == [{"side": "south", "honours": []}, {"side": "north", "honours": []}]


@pytest.mark.slow
async def test_the_page_of_the_end_shows_it(server: RunningServer) -> None:
    id_ = taken_in(server)
    assert 'id="luck"' not in (await server.stranger.get(f"/battles/{id_}?n=20")).text
    shown = (await server.stranger.get(f"/battles/{id_}")).text
    assert "Luck in medals" in shown
    assert "uckiest draw: event" in shown
    assert "La chance en médailles" in (await server.stranger.get(f"/battles/{id_}?lang=fr")).text


async def test_a_battle_that_goes_on_has_no_luck_on_its_page(server: RunningServer) -> None:
    anna = await server.player("Anna")
    await server.player("Bob")
    assert 'id="luck"' not in (await anna.get(f"/battles/{await server.battle(anna, anna)}")).text


async def test_the_letter_of_the_end_tells_it(server: RunningServer) -> None:
    live = await server.running.battles.get(taken_in(server))
    for lang, told in (
        ("en", "all in all: +0.17 for North. Luckiest draw: event 432"),
        ("fr", "+0,17 pour le Nord. Le"),
    ):
        letter = ending(live, "south", LetterReader("p", lang=lang), "2026-01-01T00:00:00.000Z")
        assert [piece for piece in letter if told in str(piece)]


async def test_strangers_do_not_read_those_of_a_closed_battle(server: RunningServer) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    id_ = await server.battle(anna, bob, readers="players")
    assert (await server.stranger.get(f"{BATTLES}/{id_}/statistics")).status in (401, 403, 404)
    assert (await anna.get(f"{BATTLES}/{id_}/statistics")).status == 200
