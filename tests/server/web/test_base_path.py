"""A server below a path, and behind a proxy: every link, form, redirect, cookie and stream has the path."""

import re
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from server.people import players
from server.settings import Settings, make_folder
from server.web.base_path import linked
from server.web.starting import cautions
from tests.support.serving import RunningServer, serving

FOLLOWED = re.compile(r'(?:href|src)="([^"]*)"')
MOST = 12
"""Links of a page that are followed."""
FIRST = {"scenario": "tts/skirmish", "side": "south", "name": "Anna", "later": "1"}
URL = "https://games.example/phalera"
LINK = re.compile(r'(?:href|action|src|data-live)="([^"]*)"')
OURS = {"Sec-Fetch-Site": "same-origin", "Accept": "text/html"}


def addresses(pattern: re.Pattern[str], text: str) -> set[str]:
    """The addresses that a page names, without those within it."""
    return {link.replace("&amp;", "&").partition("#")[0] for link in pattern.findall(text)} - {""}


async def guest_battle(server: RunningServer, base: str) -> tuple[str, str]:
    """A battle that a guest opens on the page; gives its address and the cookie."""
    answer = await server.client.post(f"{base}/battles", data=FIRST, headers=OURS, allow_redirects=False)
    assert answer.status == 303, await answer.text()
    (cookie,) = answer.headers.getall("Set-Cookie")
    assert "; Path=/phalera" in cookie and "; Secure" in cookie
    return answer.headers["Location"], cookie.partition(";")[0]


@pytest.mark.slow
@pytest.mark.parametrize("base", ["/phalera", ""])  # a proxy may leave the path there, or take it off
async def test_pages_below_a_path_lead_nowhere_else(tmp_path: Path, base: str) -> None:
    async with serving(tmp_path / "data", url=URL) as server:
        location, cookie = await guest_battle(server, base)
        assert location.startswith("/phalera/battles/")
        todo, seen = ["/phalera/", location], set[str]()
        while todo:
            address = todo.pop()
            asked = base + address.removeprefix("/phalera")
            reply = await server.stranger.ask("GET", asked, {"Cookie": cookie, "Accept": "text/html"})
            assert reply.status == 200, address
            if reply.type == "text/html":
                found = addresses(LINK, reply.text) - seen
                assert all(link.startswith(("/phalera/", "?")) for link in found), (address, found)
                todo += sorted(link for link in addresses(FOLLOWED, reply.text) & found if link.startswith("/"))[:MOST]
                seen |= found
        assert any(link.startswith("/phalera/static/") for link in seen)
        assert any(link.endswith("/stream") for link in seen)


async def test_links_of_a_former_address_lead_where_they_led(tmp_path: Path) -> None:
    before, now = "https://trial.example/phalera", "https://games.example"
    origin = {"Origin": "https://trial.example", "Accept": "text/html"}  # a browser without Sec-Fetch-Site
    async with serving(tmp_path / "data", url=now, former_urls=(before,)) as server:
        answer = await server.client.post("/phalera/battles", data=FIRST, headers=OURS, allow_redirects=False)
        location, cookie = answer.headers["Location"], answer.headers["Set-Cookie"].partition(";")[0]
        assert (answer.status, location.startswith("/battles/")) == (303, True)
        location = location.partition("?")[0]
        for path in (location, f"/phalera{location}", f"/phalera{location}?lang=fr"):
            page = await server.stranger.ask("GET", path, {"Accept": "text/html", "Host": "trial.example"})
            assert (page.status, 'href="/phalera' in page.text) == (200, False)
        enrolled = players.enrol(server.running.clock, server.running.entropy, "Berta", "berta@example.org")
        await server.running.store.write(*enrolled.statements)
        link = urlsplit(players.login_link(before, enrolled.login_token)).path
        assert (await server.stranger.ask("GET", link, {"Accept": "text/html"})).status == 200
        assert (await server.client.post(link, headers=origin, allow_redirects=False)).status == 303
        written = {**origin, "Cookie": cookie}
        gone = await server.client.post(f"/phalera{location}/cancel", headers=written, allow_redirects=False)
        assert gone.status == 303
    async with serving(tmp_path / "data", url=now) as server:
        assert (await server.stranger.ask("GET", f"/phalera{location}")).status == 404
        refused = await server.client.post(f"{location}/cancel", headers=written, allow_redirects=False)
        assert refused.status == 403


async def test_the_api_below_a_path_names_it(tmp_path: Path) -> None:
    async with serving(tmp_path / "data", url=URL) as server:
        anna = await server.player("Anna")
        reply = await anna.post("/phalera/api/v1/battles", {"scenario": "skirmish"})
        assert reply.json["url"] == reply.headers["Location"]
        assert reply.headers["Location"].startswith("/phalera/api/v1/battles/")
        events = await anna.get(f"{reply.json['url']}/events?limit=1")
        assert events.status == 200
        assert "Link" not in events.headers or events.headers["Link"].startswith("</phalera/api/")
        assert (await anna.get("/phaleranium")).status == 404
        assert (await anna.get("/phalera")).status == 200


def test_only_addresses_of_pages_are_changed() -> None:
    text = '<a href="/x">href=&#34;/y</a><img src="//other.example"><a href="#z">'
    assert linked(text, "/p") == '<a href="/p/x">href=&#34;/y</a><img src="//other.example"><a href="#z">'
    assert linked(text, "") == text


async def test_a_form_is_ours_by_the_address_of_the_server_too(tmp_path: Path) -> None:
    async with serving(tmp_path / "data", url=URL) as server:
        for origin, status in (("https://games.example", 303), ("https://other.example", 403), ("null", 403)):
            reply = await server.client.post(
                "/battles", data=FIRST, headers={"Origin": origin, "Accept": "text/html"}, allow_redirects=False
            )
            assert reply.status == status


async def test_a_trusted_proxy_says_that_it_is_tls(tmp_path: Path) -> None:
    forwarded = {**OURS, "X-Forwarded-Proto": "https"}
    for trusted, is_secure in (((), False), (("127.0.0.1",), True)):
        async with serving(tmp_path / str(is_secure), trusted_proxies=trusted) as server:
            reply = await server.client.post("/battles", data=FIRST, headers=forwarded, allow_redirects=False)
            assert ("; Secure" in reply.headers["Set-Cookie"]) is is_secure


def test_links_that_nobody_can_open_are_told(tmp_path: Path) -> None:
    make_folder(Settings.at(tmp_path / "data", {}))
    for bind, url, told in (("0.0.0.0", "", 1), ("::", "", 1), ("0.0.0.0", URL, 0), ("127.0.0.1", "", 0)):
        assert len(cautions(Settings.at(tmp_path / "data", {}, bind=bind, url=url))) == told
