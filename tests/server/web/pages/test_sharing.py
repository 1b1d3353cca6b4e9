"""What other sites fetch: the card of a battle, robots.txt, an icon at the address of old."""

import re
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

from domain.basics.data import scenario_names
from domain.catalogue import RULESETS
from replay.drawing.card import HEIGHT, WIDTH
from server.limits import Limits
from server.web.keys import PICTURES, RATES
from server.web.pictures import BoardKey
from tests.server.web.pages.visiting import Visitor, visitor_of
from tests.support.lanes import thinned
from tests.support.serving import PHRASE, RunningServer, serving


async def card(server: RunningServer, path: str) -> bytes:
    async with server.client.get(path) as answer:
        assert (answer.status, answer.content_type) == (200, "image/png")
        return await answer.read()


async def status(server: RunningServer, path: str) -> int:
    async with server.client.get(path) as answer:
        return answer.status


async def test_a_public_battle_names_its_card_and_the_card_is_made_once(server: RunningServer) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    battle = await server.battle(anna, bob)
    page = await Visitor(server).get(f"/battles/{battle}")
    named = dict(re.findall(r'<meta (?:property|name)="([\w:]+)" content="([^"]*)">', page.text))
    address = named["og:image"].replace("&amp;", "&")
    assert address.startswith("http") and named["og:url"].endswith(f"/battles/{battle}")
    assert (named["og:title"], named["twitter:card"]) == ("Skirmish at the two woods", "summary_large_image")
    assert named["og:description"] and named["og:image:alt"]
    path = "/battles/" + address.partition("/battles/")[2]
    drawn = await card(server, path)
    with Image.open(BytesIO(drawn)) as picture:
        assert picture.size == (WIDTH, HEIGHT) == (1200, 630)
    kept = server.app[PICTURES].kept
    live = await server.running.battles.get(battle)
    assert kept.get(BoardKey(battle, live.n, "", "en", "card")) is not None
    assert await card(server, path) == drawn
    assert (await anna.order(battle, "R1 ahead")).status == 200
    assert live.n and await card(server, path) == drawn  # that of event n
    assert await card(server, f"/battles/{battle}/card.png") != drawn


@pytest.mark.parametrize("code", thinned(RULESETS, len(RULESETS)))
async def test_every_game_has_a_card(server: RunningServer, code: str) -> None:
    guest = Visitor(server)
    page = await guest.send("/battles", scenario=f"{code}/{scenario_names(code)[0]}", phrase=PHRASE)
    battle = page.path.partition("/battles/")[2].partition("?")[0]
    assert (await card(server, f"/battles/{battle}/card.png")).startswith(b"\x89PNG")


async def test_a_private_battle_has_no_card_for_anybody(server: RunningServer) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    battle = await server.battle(anna, bob, readers="players")
    mine = await visitor_of(server, anna)
    assert 'property="og:' not in (await mine.get(f"/battles/{battle}")).text
    for reader in (mine, Visitor(server)):
        assert (await reader.get(f"/battles/{battle}/card.png")).status == 404


@pytest.mark.slow
async def test_a_card_shows_what_a_stranger_knows(server: RunningServer) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    battle = await server.battle(anna, bob)
    mine = await visitor_of(server, anna)
    last = (await server.running.battles.get(battle)).n
    async with server.client.get(f"/battles/{battle}/card.png?n={last}", cookies=mine.cookies) as answer:
        assert await answer.read() == await card(server, f"/battles/{battle}/card.png?n={last}")
    assert (await Visitor(server).get(f"/battles/{battle}/card.png?n=9999")).status == 404


@pytest.mark.slow
async def test_cards_are_counted_as_pictures(tmp_path: Path) -> None:
    async with serving(tmp_path / "data", limits=Limits()) as server:
        anna, bob = await server.player("Anna"), await server.player("Bob")
        battle = await server.battle(anna, bob)
        server.app[RATES].count("picture", 299, "127.0.0.1")
        paths = (f"/battles/{battle}/card.png?n=3", f"/battles/{battle}/card.png?n=3")
        assert [await status(server, path) for path in paths] == [200, 429]


async def test_robots_and_the_icon(server: RunningServer) -> None:
    robots = (await Visitor(server).get("/robots.txt")).text.splitlines()
    assert robots[0] == "User-agent: *"
    assert {"Disallow: /api/", "Disallow: /settings", "Disallow: /invitations/"} <= {*robots}
    async with server.client.get("/favicon.ico") as answer:
        assert (answer.status, answer.content_type) == (200, "image/svg+xml")
