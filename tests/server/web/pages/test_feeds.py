"""Feeds of what waits for a player, behind a secret that they may take back, and of the public results."""

import re
from html import unescape
from xml.etree import ElementTree as ET

from projections.lobby import LobbyEntry, SeatShown
from server.people import players
from server.store.tables import club_battles
from server.web.pages.feed_forms import ATOM, LONGEST_LINE
from server.web.pages.feeds import atom_of, calendar_of
from server.web.pages.language import PageReader
from tests.server.web.pages.visiting import OWN, Visitor, visitor_of
from tests.support.serving import RunningServer

NAMES = {"atom": ATOM}
ENGLISH = PageReader("en", "")


async def made(visitor: Visitor) -> str:
    """Where the new feeds of a player are."""
    page = await visitor.ask("POST", "/settings/feeds", OWN, {"do": "make"})
    found = re.search(r'value="https?://[^/"]+([^"]*)/waiting.atom"', page.text)
    assert found, page.words
    assert page.headers["Cache-Control"] == "no-store"
    return unescape(found[1])


async def titles(visitor: Visitor, path: str) -> list[str]:
    page = await visitor.get(path)
    assert page.status == 200 and page.headers["Content-Type"].startswith("application/atom+xml")
    return [entry.text or "" for entry in ET.fromstring(page.text).findall("atom:entry/atom:title", NAMES)]


async def test_a_feed_shows_what_waits_for_its_player_alone(server: RunningServer) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    battle = await server.battle(anna, bob, pace="1d+2d", readers="players")
    hers, his = [await made(await visitor_of(server, who)) for who in (anna, bob)]
    program = Visitor(server)
    assert await titles(program, f"{hers}/waiting.atom") == ["Skirmish at the two woods"]
    assert await titles(program, f"{his}/waiting.atom") == []
    calendar = await program.get(f"{hers}/deadlines.ics")
    assert calendar.headers["Content-Type"].startswith("text/calendar")
    assert calendar.text.count("BEGIN:VEVENT") == 1 and f"/battles/{battle}" in calendar.text
    assert re.search(r"^DTSTART:\d{8}T\d{6}Z\r$", calendar.text, re.M)
    again = await program.ask(
        "GET", f"{hers}/waiting.atom", {"If-None-Match": (await program.get(f"{hers}/waiting.atom")).headers["ETag"]}
    )
    assert again.status == 304


async def test_an_address_is_taken_back(server: RunningServer) -> None:
    anna = await server.player("Anna")
    visitor, program = await visitor_of(server, anna), Visitor(server)
    first = await made(visitor)
    second = await made(visitor)
    for feed in ("waiting.atom", "deadlines.ics"):
        assert (await program.get(f"{first}/{feed}")).status == 404
        assert (await program.get(f"{second}/{feed}")).status == 200
    page = await visitor.get("/settings/feeds")
    assert second.rpartition("/")[2] not in page.text and "Revoke" in page.words
    await visitor.ask("POST", "/settings/feeds", OWN, {"do": "revoke"})
    assert (await program.get(f"{second}/waiting.atom")).status == 404
    third = await made(visitor)
    await server.running.store.write(*players.locked_out(anna.player))
    assert (await program.get(f"{third}/waiting.atom")).status == 404


async def test_a_stranger_makes_no_address(server: RunningServer) -> None:
    stranger = Visitor(server)
    assert (await stranger.get("/settings/feeds")).status == 401
    assert (await stranger.ask("POST", "/settings/feeds", OWN, {"do": "make"})).status == 401
    anna = await visitor_of(server, await server.player("Anna"))
    assert (await anna.ask("POST", "/settings/feeds", {"Sec-Fetch-Site": "cross-site"}, {"do": "make"})).status == 403
    assert server.running.store.rows("SELECT * FROM feeds") == []
    for token in ("x", "0" * 32, "%00", "é"):
        assert (await stranger.get(f"/feeds/{token}/waiting.atom")).status == 404


async def test_public_results_are_a_feed_that_pages_name(server: RunningServer) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    public = await server.battle(anna, bob, readers="public")
    hidden = await server.battle(anna, bob, readers="players")
    for battle in (public, hidden):
        assert (await anna.order(battle, "resign")).status == 200
    visitor = Visitor(server)
    assert 'type="application/atom+xml" href="/feeds/results.atom"' in (await visitor.get("/watch")).text
    text = (await visitor.get("/feeds/results.atom")).text
    assert public in text and hidden not in text and "Bob" in text


def entry(title: str, deadline: str = "2026-03-05T18:30:00.000Z") -> LobbyEntry:
    seats = (SeatShown("south", "p1", "Änne, <the> 2nd; & all", "person"), SeatShown("north", "p2", "Bob", "person"))
    at = "2026-03-01T12:00:00.000Z"
    return LobbyEntry(
        battle="b1",
        title=title,
        ruleset="tts",
        created=at,
        readers="public",
        phase="play",
        turn=3,
        t=5,
        to_act=("south",),
        status="running",
        winner=None,
        how="",
        n=57,
        at=at,
        deadline=deadline,
        branch_of="",
        branch_n=0,
        umpire="",
        disputed=0,
        seats=seats,
    )


def test_what_players_wrote_stays_text_in_every_form() -> None:
    title = 'A <b>"fine"</b> & \x00\x0b long day; at sea, \\n ' + "é" * 100
    feed = ET.fromstring(atom_of([entry(title)], "p1", ENGLISH, "https://x.example", "https://x.example/feed", "T"))
    shown = feed.find("atom:entry/atom:title", NAMES)
    assert shown is not None and shown.text is not None
    assert shown.text.startswith('A <b>"fine"</b> & ')
    calendar = calendar_of([entry(title + "\r\nBEGIN:VEVENT")], "p1", ENGLISH, "https://x.example")
    lines = calendar.split("\r\n")
    assert all(len(line.encode()) <= LONGEST_LINE for line in lines) and lines[-1] == ""
    whole = calendar.replace("\r\n ", "")
    assert whole.count("\r\nBEGIN:VEVENT\r\n") == 1
    assert "day\\; at sea\\, \\\\n" in whole and "DTSTART:20260305T183000Z" in whole


async def test_feeds_are_narrowed_as_lists_are(server: RunningServer) -> None:
    anna, bob, eve = [await server.player(name) for name in ("Anna", "Bob", "Eve")]
    for tags, north in ((["spring"], bob), (["autumn"], bob), ([], eve)):
        battle = await server.battle(anna, north, tags=tags, pace="1d+2d")
        if north is eve:
            assert (await anna.order(battle, "resign")).status == 200
    over = await server.battle(anna, eve, tags=["spring"])
    assert (await anna.order(over, "resign")).status == 200
    assert (await anna.post("/api/v1/clubs", {"club": "leeds", "name": "Leeds Night Owls"})).status == 201
    await server.running.store.write(club_battles.put(over, "leeds", server.running.clock.now()))
    visitor, hers = Visitor(server), await made(await visitor_of(server, anna))
    results = "/feeds/results.atom"
    for query, many in (
        ("", 2),
        ("?tag=spring", 1),
        ("?club=leeds&tag=spring", 1),
        ("?club=leeds&tag=autumn", 0),
        ("?tag=autumn", 0),
        (f"?player={eve.player}", 2),
        (f"?player={bob.player}", 0),
        ("?game=stp", 0),
        ("?since=2030-01-01", 0),
        ("?scenario=skirmish&status=running", 2),
    ):
        assert len(await titles(visitor, f"{results}{query}")) == many, query
    for query, many in (("", 2), ("?tag=spring", 1), (f"?player={bob.player}", 2), (f"?player={eve.player}", 0)):
        assert len(await titles(visitor, f"{hers}/waiting.atom{query}")) == many, query
        assert (await visitor.get(f"{hers}/deadlines.ics{query}")).text.count("BEGIN:VEVENT") == many, query
    assert (await visitor.get(f"{results}?tag=No-such!")).status == 400
    here = ET.fromstring((await visitor.get(f"{results}?tag=spring")).text).find("atom:link", NAMES)
    assert here is not None and here.get("href", "").endswith(f"{results}?tag=spring")
    assert 'href="/feeds/results.atom?tag=spring"' in (await visitor.get("/watch?tag=spring")).text
