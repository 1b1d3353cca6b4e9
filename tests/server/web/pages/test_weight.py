"""What a browser fetches to show a battle for the first time: few bytes, each compressed."""

import gzip
import re
from importlib.resources import files

import pytest
from aiohttp import ClientSession, DummyCookieJar

from domain.basics.data import scenario_names
from domain.catalogue import RULESETS
from server.web.pages.static_files import COMMENTS, SCRIPTS, WORKERS, imported, static_content, static_link
from tests.server.web.pages.visiting import Visitor
from tests.support.lanes import thinned
from tests.support.looping import some
from tests.support.serving import PHRASE, RunningServer

MOST_BYTES = 100_000
"""Of a first view: what is transferred, heads of answers and bodies."""
FEWEST_FIRST = sorted(RULESETS, key=lambda code: len(scenario_names(code)))
"""The games by their number of scenarios."""


async def transferred(server: RunningServer, path: str, cookies: dict[str, str]) -> tuple[bytes, int]:
    """The body of an answer, packed, and the bytes that are transferred for it."""
    cookie = "; ".join(f"{name}={value}" for name, value in cookies.items())
    headers = {"Cookie": cookie, "Accept": "text/html", "Accept-Encoding": "gzip"}
    async with (
        ClientSession(auto_decompress=False, cookie_jar=DummyCookieJar()) as session,
        session.get(server.client.make_url(path), headers=headers) as answer,
    ):
        assert (answer.status, answer.headers["Content-Encoding"]) == (200, "gzip")
        body = await answer.read()
        head = sum(len(name) + len(value) + len(": \r\n") for name, value in answer.raw_headers)
        return body, len("HTTP/1.1 200 OK\r\n\r\n") + head + len(body)


async def fetched(server: RunningServer, path: str, cookies: dict[str, str], packed: bool = True) -> tuple[bytes, str]:
    """The body of an answer as it is transferred, and its Content-Encoding."""
    cookie = "; ".join(f"{name}={value}" for name, value in cookies.items())
    headers = {"Cookie": cookie, "Accept": "text/html", "Accept-Encoding": "gzip, br" if packed else "identity"}
    url = server.client.make_url(path)
    async with (
        ClientSession(auto_decompress=False, cookie_jar=DummyCookieJar()) as session,
        session.get(url, headers=headers) as answer,
    ):
        assert answer.status == 200
        return await answer.read(), answer.headers.get("Content-Encoding", "")


@pytest.mark.parametrize("code", thinned(FEWEST_FIRST, len(RULESETS)))
async def test_the_first_view_of_a_battle_is_light(server: RunningServer, code: str) -> None:
    guest = Visitor(server)
    scripts = {static_link(name) for name in ("page.js", *imported("page.js"))}
    sizes: dict[str, int] = {}
    for scenario in some(scenario_names(code)):
        page = await guest.send("/battles", scenario=f"{code}/{scenario}", phrase=PHRASE)
        body, size = await transferred(server, page.path, guest.cookies)
        linked = re.findall(r'(?:href|src)="(/static/[^"]+)"', gzip.decompress(body).decode())
        parts = {*linked, *scripts}
        sizes |= {part: (await transferred(server, part, {}))[1] for part in parts - sizes.keys()}
        assert size + sum(sizes[part] for part in parts) <= MOST_BYTES, scenario


async def test_what_a_script_asks_for_later_is_of_the_same_version(server: RunningServer) -> None:
    assert "proof_part.js" not in imported("page.js")
    async with server.client.get(static_link("page.js")) as answer:
        script = await answer.text()
    later = re.findall(r'import\("\./([^"]+)"\)', script)
    assert static_link("proof_part.js").rpartition("/")[2] in later
    assert all("?v=" in address for address in later)


async def test_a_script_leaves_its_comments_at_home(server: RunningServer) -> None:
    """The lines keep their numbers, and no text of a script looks like a comment."""
    for name in some(SCRIPTS):
        whole = files("server.web.pages").joinpath("static", name).read_text()
        for comment in COMMENTS.finditer(whole):
            assert whole[: comment.start()].count("`") % 2 == 0, name
        served = static_content(name).decode()
        assert not re.search(r"^\s*//", served, re.M) and "/**" not in served
        assert served.count("\n") == whole.count("\n")
    assert "function" in static_content("lines.js").decode()


async def test_a_script_that_runs_by_itself_has_a_policy_of_its_own(server: RunningServer) -> None:
    for name in ("proof_worker.js", "page.js"):
        async with server.client.get(static_link(name)) as answer:
            policy = answer.headers["Content-Security-Policy"]
        assert ("connect-src 'self'" in policy) == (name in WORKERS)
        assert answer.headers["X-Content-Type-Options"] == "nosniff"


async def test_a_static_file_is_compressed_for_who_unpacks_it(server: RunningServer) -> None:
    packed, encoding = await fetched(server, static_link("page.css"), {})
    plain, none = await fetched(server, static_link("page.css"), {}, packed=False)
    assert (encoding, none) == ("gzip", "")
    assert gzip.decompress(packed) == plain
    assert len(packed) < len(plain) / 2


async def test_the_faces_come_with_their_licence_and_the_style_asks_for_their_newest(server: RunningServer) -> None:
    style = static_content("page.css").decode()
    asked = re.findall(r'url\("\./([\w-]+\.woff2\?v=\w+)"\)', style)
    assert len(asked) == style.count("@font-face") == 3
    sizes = []
    for address in asked:
        async with server.client.get(f"/static/{address}") as answer:
            assert (answer.status, answer.content_type) == (200, "font/woff2")
            assert "immutable" in answer.headers["Cache-Control"]
            sizes.append(len(await answer.read()))
    assert sum(sizes) <= MOST_BYTES
    assert "SIL OPEN FONT LICENSE" in static_content("OFL.txt").decode()
