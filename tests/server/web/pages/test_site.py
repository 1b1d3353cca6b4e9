"""Every page around the battles: found from the menu, in the reader's language, with nothing left in another one."""

import asyncio
import re
import threading
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import urljoin, urlsplit

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from yarl import URL

from domain.basics.data import scenario_names
from domain.catalogue import RULESETS, army_books
from projections import lobby as entries
from projections.lobby import ANY, Sought
from projections.model import Rows
from replay.telling.rulebook import rules_of
from server.store.tables import correspondents
from server.store.tables.correspondents import Correspondent
from server.web.pages import rendering
from server.web.pages.forms import own_address
from tests.server.web.pages.visiting import OWN, Visitor, visitor_of
from tests.support.french import english_in
from tests.support.lanes import thinned
from tests.support.looping import some
from tests.support.serving import PHRASE, RunningServer
from tests.support.waiting import LIMIT_S

FRENCH = {"Accept": "text/html", "Accept-Language": "fr-FR,fr;q=0.9,en;q=0.5"}
TEMPLATES = Path(rendering.__file__).parent / "templates"
OURS = {"Phalera", "HTML", "SVG", "Markdown"}
NAMES = (*(ruleset.title for ruleset in RULESETS.values()), "English")
PAGES = (
    "/",
    "/learn",
    "/help",
    "/aids/tts",
    "/new",
    "/watch",
    "/scenarios",
    "/scenarios/tts/zama",
    "/armies",
    "/armies/hittite",
    "/rules",
    "/settings",
)


def own_words(template: str) -> list[str]:
    """What a template says itself: text, and attributes that are read out."""
    plain = re.sub(r"\{#.*?#\}|\{%.*?%\}|\{\{.*?\}\}|<code>.*?</code>", " ", template, flags=re.S)
    read_out = re.findall(r'(?:aria-label|title|placeholder|alt)="([^"]*)"', plain)
    text = re.sub(r"""[\w-]+="[^"]*"|<[^>]*>""", " ", plain)
    return re.findall(r"[^\W\d_]{2,}", " ".join([*read_out, text]))


@pytest.mark.parametrize("path", sorted(TEMPLATES.rglob("*.html")), ids=lambda path: path.name)
def test_no_template_says_anything_by_itself(path: Path) -> None:
    """What it says comes from the catalogues, so that it is said in every language."""
    assert set(own_words(path.read_text(encoding="utf-8"))) <= OURS


@pytest.mark.parametrize("path", thinned(PAGES, 3))
async def test_a_page_is_french_for_a_french_browser(server: RunningServer, path: str) -> None:
    page = await Visitor(server).ask("GET", path, FRENCH)
    assert '<html lang="fr">' in page.text
    ours = page._replace(text=re.sub(r"""<li lang="en">.*?</li>|^Sources.*$""", "", page.text, flags=re.M))
    assert english_in(ours.words, NAMES) == []
    assert "Aller au contenu" in page.words


async def test_the_menu_leads_to_every_page_and_says_where_one_is(server: RunningServer) -> None:
    visitor = Visitor(server)
    for address, _ in rendering.MENU:
        page = await visitor.get(address)
        assert page.status == 200
        assert re.search(rf'href="{address}" aria-current="page"', page.text)


# --- language


async def test_a_language_is_kept_by_the_browser(server: RunningServer) -> None:
    visitor = Visitor(server)
    chosen = await visitor.ask("POST", "/language", OWN, {"language": "fr", "back": "/armies"})
    assert chosen.status == 303 and chosen.headers["Location"] == "/armies"
    assert "Armées" in (await visitor.get("/armies")).words
    assert "Army" not in (await visitor.get("/nowhere")).words
    assert "Armies" in (await Visitor(server).get("/armies")).words


ELSEWHERE = ["/\t/elsewhere.example", "//elsewhere.example/", "/\r\nSet-Cookie: a=b", "/\\elsewhere.example"]
ELSEWHERE += ["https://elsewhere.example", "", " //elsewhere.example", "/é", "/a\nb", "/\x00"]


@pytest.mark.parametrize("back", ELSEWHERE)
async def test_changing_the_language_leads_nowhere_else(server: RunningServer, back: str) -> None:
    page = await Visitor(server).ask("POST", "/language", OWN, {"language": "fr", "back": back})
    assert (page.status, page.headers["Location"]) == (303, "/")


@pytest.mark.parametrize("path", ["/%09/elsewhere.example", "/%0d%0aSet-Cookie:%20a=b", "/%5celsewhere.example", "/é"])
async def test_each_page_leads_back_to_itself(server: RunningServer, path: str) -> None:
    """What an address escapes stays escaped in the form below its page, so that it is an address of ours again."""
    visitor = Visitor(server)
    page = await visitor.ask("GET", path, {"Accept": "text/html"})
    back = unescape(re.findall(r'name="back" value="([^"]*)"', page.text)[0])
    answer = await visitor.ask("POST", "/language", OWN, {"language": "fr", "back": back})
    assert (answer.status, answer.headers["Location"]) == (303, URL(path).raw_path)


@given(st.text(st.sampled_from("/\\\t\r\n %09:?#@.aé") | st.characters(), max_size=12).map("/".__add__) | st.text())
@example("/\t/elsewhere.example")
def test_an_own_address_is_one_of_ours_to_every_browser(given_: str) -> None:
    """Browsers leave out tabs and line breaks, cut off spaces and control characters at the ends, and read a backslash
    as a slash."""
    own = own_address(given_)
    read = re.sub(r"[\t\r\n]", "", own).strip("".join(map(chr, range(33)))).replace("\\", "/")
    found = urlsplit(urljoin("https://ours.example/here", read))
    assert (found.scheme, found.netloc) == ("https", "ours.example")
    assert own.isascii() and own.isprintable() and own in ("/", given_)


async def test_an_unknown_language_is_not_kept(server: RunningServer) -> None:
    visitor = Visitor(server)
    await visitor.ask("POST", "/language", OWN, {"language": "tlh", "back": "/"})
    assert visitor.cookies == {}


async def test_the_settings_of_a_player_win_over_the_browser(server: RunningServer) -> None:
    anna = await server.player("Anna")
    await server.running.store.write(correspondents.save(Correspondent(anna.player, "fr", "Europe/Paris")))
    page = await (await visitor_of(server, anna)).ask("GET", "/watch", {"Accept": "text/html", "Accept-Language": "en"})
    assert "Batailles publiques" in page.words


# --- lists


@pytest.mark.slow
async def test_battles_are_found_by_state_game_title_and_player(server: RunningServer) -> None:
    guest = Visitor(server)
    cannae = await guest.send("/battles", scenario="tts/cannae", readers="public", name="Cato", phrase=PHRASE)
    woods = await guest.send("/battles", scenario="singidunum/woods", readers="public", opponent="person")
    found = {"": 2, "?status=running": 1, "?status=waiting": 1, "?status=ended": 0, "?game=tts": 1, "?words=CANN": 1}
    found |= {"?words=cato": 2, "?words=%25": 0, "?words=nobody": 0, "?status=waiting&game=tts": 0, "?status=odd": 2}
    for query, count in found.items():
        page = await Visitor(server).get(f"/watch{query}")
        assert len(re.findall(r'<li><a href="/battles/|<li>\n<a href="/battles/', page.text)) == count, query
    assert woods.path in (await Visitor(server).get("/watch?game=singidunum")).text
    assert cannae.path not in (await Visitor(server).get("/watch?game=singidunum")).text


async def test_what_is_typed_into_the_search_is_shown_as_text(server: RunningServer) -> None:
    await server.battle(await server.player("Anna"), await server.player("Bob"))
    async with asyncio.timeout(LIMIT_S):
        await server.running.lobby.waiting_for([])  # on a busy machine the lists are not there at once
    page = await Visitor(server).get("/watch?words=%22%3E%3Cb%3E")
    assert page.status == 200
    assert "<b>" not in page.text and "&#34;&gt;&lt;b&gt;" in page.text


@pytest.mark.slow
async def test_the_nearest_deadline_comes_first(server: RunningServer) -> None:
    guest = Visitor(server)
    paces = {"": "skirmish", "live": "cannae", "steady": "adrianople"}
    opened = [
        await guest.send("/battles", scenario=f"tts/{name}", pace=pace, phrase=PHRASE) for pace, name in paces.items()
    ]
    page = await guest.get("/")
    calm, hasty, slow = (page.text.index(battle.path) for battle in opened)
    assert hasty < slow < calm
    assert "Your battles (3)" in page.words
    assert "<title>(3) " in page.text


# --- to look up


@pytest.mark.slow
async def test_every_scenario_has_its_page(server: RunningServer) -> None:
    visitor = Visitor(server)
    listed = (await visitor.get("/scenarios")).text
    for code in RULESETS:
        for name in scenario_names(code):
            assert f'href="/scenarios/{code}/{name}"' in listed
            page = await visitor.get(f"/scenarios/{code}/{name}")
            assert page.status == 200 and f"/new?scenario={code}/{name}" in page.text
            board = await visitor.get(f"/scenarios/{code}/{name}/board.svg", accept="image/svg+xml")
            assert board.status == 200 and board.text.startswith("<svg") and "max-age" in board.headers["Cache-Control"]
    chosen = await visitor.get("/new?scenario=tts/zama")
    assert re.search(r'value="tts/zama" checked', chosen.text) and chosen.text.count(" checked") == 1 + sum(
        choice.usual is True for book in army_books().values() for choice in book.choices
    )


@pytest.mark.parametrize(
    "path", ["/scenarios/tts/nowhere", "/scenarios/chess/zama", "/armies/martians", "/rules/TTS-XXX-99"]
)
async def test_what_there_is_not_is_a_clear_404(server: RunningServer, path: str) -> None:
    assert (await Visitor(server).get(path)).status == 404


async def test_every_army_list_can_be_read_and_played(server: RunningServer) -> None:
    visitor = Visitor(server)
    for book in army_books().values():
        for key in book.lists():
            assert (await visitor.get(f"/armies/{key}")).status == 200
    assert '<option value="hittite" selected>' in (await visitor.get("/new?south=hittite")).text


async def test_a_rule_is_found_by_its_id(server: RunningServer) -> None:
    visitor = Visitor(server)
    for code in RULESETS:
        page = await visitor.get(f"/rules/{code}")
        assert all(f'id="{rule.id}"' in page.text for rule in rules_of(code))
    way = await visitor.ask("GET", "/rules/TTS-ZOC-03", {"Accept": "text/html"})
    assert way.headers["Location"] == "/rules/tts#TTS-ZOC-03"
    page = await visitor.get("/rules/campaign")
    assert all(f'id="{rule.id}"' in page.text for rule in some(rules_of("campaign")))
    way = await visitor.ask("GET", "/rules/CAM-CUP-05", {"Accept": "text/html"})
    assert way.headers["Location"] == "/rules/campaign#CAM-CUP-05"
    assert '<a href="/rules/campaign">Campaigns</a>' in (await visitor.get("/rules")).text


async def test_nobody_waits_while_words_are_searched(server: RunningServer, monkeypatch: pytest.MonkeyPatch) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    await server.battle(anna, bob, readers="public")
    search, begun, go_on = entries.public, threading.Event(), threading.Event()

    def slow(rows: Rows, sought: Sought = ANY, *rest: Any) -> Any:
        if sought.words:
            begun.set()
            assert go_on.wait(LIMIT_S)
        return search(rows, sought, *rest)

    monkeypatch.setattr(entries, "public", slow)
    found = asyncio.create_task(Visitor(server).get("/watch?words=woods"))
    assert await asyncio.to_thread(begun.wait, LIMIT_S)
    assert "Skirmish at the two woods" in (await Visitor(server).get("/watch")).words
    go_on.set()
    assert "Skirmish at the two woods" in (await found).words
