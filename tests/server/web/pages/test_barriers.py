"""No page bars anybody's way: axe finds nothing, and nothing scrolls sideways, however narrow the window."""

from pathlib import Path

import pytest
from playwright.async_api import Browser, BrowserContext

from server.store.tables import complaints
from server.web.auth import FRESH_S
from tests.server.web.pages.barriers import LOOKS, OF_LOOKS_AND_WORDS, RULES, found_on
from tests.server.web.pages.test_browser import address, log_in
from tests.server.web.pages.test_disputes import seen
from tests.server.web.pages.test_invitations import invited
from tests.server.web.pages.test_login_form import let_pass
from tests.server.web.pages.visiting import Visitor, visitor_of
from tests.server.web.test_bans import ban
from tests.server.web.test_complaints import quarrel
from tests.server.web.test_notice import tell
from tests.support.flags import run_out
from tests.support.serving import PHRASE, Caller, RunningServer, serving

LOCALES = ("en-GB", "fr-FR")
SITE = (
    *("/", "/new", "/watch", "/figures", "/learn", "/login", "/offline", "/nowhere", "/set-up"),
    *(
        "/scenarios",
        "/scenarios/tts/skirmish",
        "/scenarios/singidunum/ambush",
        "/armies",
        "/rules",
        "/rules/TTS-ZOC-03",
    ),
    *("/help", "/help/playing", "/help/scripts", "/help/fair-chance", "/aids/tts", "/notation/tts"),
)
BARRED = """<img src="x"><p style="width: 700px">Wide</p><button aria-label="No">Yes</button>
<button style="width: 9px; height: 9px; padding: 0">1</button><button style="width: 9px; padding: 0">2</button>"""
"""A page with barriers of several kinds."""
OWN = (
    "/",
    "/new",
    "/settings",
    "/settings/feeds",
    "/settings/webhooks",
    "/settings/remove",
    "/logout",
    "/logout?everywhere",
    "/prove",
)


async def contexts(browser: Browser, server: RunningServer, caller: Caller | None = None) -> list[BrowserContext]:
    """Browsers of both languages, of a stranger or with a player logged in."""
    opened = [await browser.new_context(locale=locale) for locale in LOCALES]
    for context in opened if caller else ():
        assert caller
        await log_in(context, server, caller)
    return opened


async def barriers(server: RunningServer, looking: list[BrowserContext], *paths: str) -> list[str]:
    """What bars the way on some pages, with the path and the language of each. English is seen dark and wide, by all
    rules; French, whose words are longer, light and narrow, by those of looks and words."""
    found = []
    for context, locale, look, rules in zip(looking, LOCALES, LOOKS, (RULES, OF_LOOKS_AND_WORDS), strict=True):
        page = await context.new_page()
        for path in paths:
            await page.goto(address(server, path))
            found += [f"{path} ({locale}): {one}" for one in await found_on(page, [look], rules)]
        await page.close()
    return found


async def test_barriers_are_found(browser: Browser) -> None:
    page = await (await browser.new_context()).new_page()
    await page.set_content(BARRED)
    found = {one.partition(":")[0] for one in await found_on(page)}
    assert {"image-alt", "target-size", "label-content-name-mismatch", "sideways at 320", "sideways at 640"} <= found
    await page.close()


@pytest.mark.slow
async def test_the_pages_of_the_site(server: RunningServer, browser: Browser) -> None:
    assert await barriers(server, await contexts(browser, server), *SITE) == []


@pytest.mark.slow
async def test_the_pages_of_a_player(server: RunningServer, browser: Browser) -> None:
    anna = await server.player("Anna")
    await (await visitor_of(server, anna)).send("/settings/feeds", do="make")
    paths = (*OWN, f"/players/{anna.player}", f"/battles/{await anna.open()}")
    assert await barriers(server, await contexts(browser, server, anna), *paths) == []


@pytest.mark.slow
async def test_the_pages_of_the_administration(server: RunningServer, browser: Browser) -> None:
    anna = await server.administrator("Anna")
    bob, cato = [await server.player(name) for name in ("Bob", "Cato the Elder of Tusculum")]
    battle = await server.battle(anna, bob)
    visitor = await visitor_of(server, anna)
    await visitor.send(f"/admin/players/{cato.player}", do="ban", sure="yes")
    paths = ["/admin", "/admin/battles", f"/admin/battles/{battle}", "/admin/players?done=ban"]
    paths += [f"/admin/players/{one.player}" for one in (anna, bob, cato)]
    looking = await contexts(browser, server, anna)
    assert await barriers(server, looking, *paths) == []
    page = await looking[0].new_page()
    await page.goto(address(server, f"/admin/players/{bob.player}"))
    await page.click("button[value=ban]")
    assert await page.locator("[name=sure]").count() == 1
    assert await found_on(page) == []
    await page.close()


@pytest.mark.slow
async def test_the_pages_of_reports_under_a_notice(server: RunningServer, browser: Browser) -> None:
    anna, _, cato, battle, post = await quarrel(server)
    await tell(server, {"en": "We are back at ten. " * 10, "fr": "Nous revenons à dix heures. " * 9})
    form, kept = f"/complain?kind=post&battle={battle}&item={post}", "/complaints"
    hers, theirs = await contexts(browser, server, cato), await contexts(browser, server, anna)
    found = await barriers(server, hers, form, kept, f"/battles/{battle}")
    await (await visitor_of(server, anna)).send("/admin/bans", do="ban", network="203.0.113.0/24", why="spam " * 9)
    found += await barriers(server, theirs, "/admin/complaints", "/admin/bans")
    reporter = await visitor_of(server, cato)
    await reporter.send("/complain", kind="post", battle=battle, item=post, why="rude" * 60)
    (report,) = complaints.waiting(server.running.store, 9)
    found += await barriers(server, hers, kept)
    paths = ("/admin/complaints", f"/admin/complaints/{report.id}")
    found += await barriers(server, theirs, *paths)
    await (await visitor_of(server, anna)).send(paths[1], do="acted", answer="They are warned.")
    found += await barriers(server, theirs, *paths, "/admin/deeds") + await barriers(server, hers, kept)
    assert found == []


@pytest.mark.slow
async def test_the_page_of_a_banned_network(tmp_path: Path, browser: Browser) -> None:
    async with serving(tmp_path, trusted_proxies=("127.0.0.1",)) as server:
        await ban(server, "203.0.113.0/24")
        looking = await contexts(browser, server)
        for context in looking:
            await context.set_extra_http_headers({"X-Forwarded-For": "203.0.113.7"})
        page = await looking[0].new_page()
        answer = await page.goto(address(server, "/"))
        assert answer and answer.status == 403
        assert await barriers(server, looking, "/", "/learn") == []
        await page.close()


@pytest.mark.slow
async def test_a_battle_with_words_and_notes_beside_it(server: RunningServer, browser: Browser) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    battle = await server.battle(anna, bob, pace="1d+2d")
    await (await visitor_of(server, bob)).send(
        f"/battles/{battle}/words", words="Good luck!\nAnd no hurry.", key="bob-1-1234567890"
    )
    visitor = await visitor_of(server, anna)
    await visitor.send(f"/battles/{battle}/note", note="Bob always charges.")
    assert "Good luck!" in (await visitor.get(f"/battles/{battle}/words")).words
    paths = [f"/battles/{battle}{part}" for part in ("", "/words", "/units", "/why/4", "?n=4")]
    assert await barriers(server, await contexts(browser, server, anna), *paths) == []


@pytest.mark.slow
async def test_what_spectators_say(server: RunningServer, browser: Browser) -> None:
    anna, bob, eve, zoe = [await server.player(name) for name in ("Anna", "Bob", "Eve", "Zoe")]
    battle = await server.battle(anna, bob)
    path = f"/battles/{battle}"
    speakers = [await visitor_of(server, caller) for caller in (eve, zoe)]
    for caller, visitor in zip((eve, zoe), speakers, strict=True):
        words = f"{caller.player}: {'their long wing ' * 12}"
        await visitor.send(f"{path}/spectators", words=words, key="key-1-1234567890")
        await visitor.send(f"{path}/spectators", words="x" * 300, key="key-2-1234567890")
    await speakers[-1].send(f"{path}/spectators/remove", post="1")
    hers, strange = await contexts(browser, server, eve), await contexts(browser, server)
    found = await barriers(server, hers, path, f"{path}/spectators") + await barriers(server, strange, path)
    await bob.order(battle, "resign")
    for looking in (strange, await contexts(browser, server, anna)):
        found += await barriers(server, looking, f"{path}/spectators")
    found += await barriers(server, hers, path, f"{path}/spectators")
    assert found == []


@pytest.mark.slow
async def test_a_battle_that_is_over(server: RunningServer, browser: Browser) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    battle = await server.battle(anna, bob)
    for orders in ("R1 ahead", "end turn"):
        await anna.order(battle, orders)
    await bob.order(battle, "resign")
    paths = [f"/battles/{battle}{part}" for part in ("", "/report", "/disputes")]
    assert await barriers(server, await contexts(browser, server, anna), *paths) == []


@pytest.mark.slow
async def test_the_pages_of_disputes_in_every_state(server: RunningServer, browser: Browser) -> None:
    anna, bob, judge = [await server.player(name) for name in ("Anna", "Bob", "Judge")]
    battle = await anna.open(umpire="Judge", pace="live")
    for caller, side in ((anna, "south"), (bob, "north")):
        await caller.sit(battle, side, phrase=PHRASE)
    live = await server.running.battles.get(battle)
    path = f"/battles/{battle}/disputes"
    hers, his, theirs = [await contexts(browser, server, caller) for caller in (anna, bob, judge)]
    south, north, umpire = [await visitor_of(server, caller) for caller in (anna, bob, judge)]
    found = await barriers(server, hers, path)
    await anna.order(battle, "standing evade R6 never")
    await north.send(path, say="dispute", remedy=str(live.n), text="It was mine.", seen=await seen(north, path))
    await south.send(path, say="takeback", seen=await seen(south, path))
    for looking in (hers, theirs):
        found += await barriers(server, looking, path, f"{path}/d1", f"{path}/d2")
    found += await barriers(server, his, f"{path}/d1")
    correct = "rule d1 correct set medals south 2 because the clerk miscounted"
    assert (await judge.order(battle, correct)).status == 200
    ruling = {"say": "rule d2", "docket": "d2", "remedy": "none", "text": "It stands."}
    page = await umpire.send(path, seen=await seen(umpire, f"{path}/d2"), **ruling)
    assert page.status == 200, page.words
    for docket in ("d1", "d2"):
        assert "ruled" in (await north.get(f"{path}/{docket}")).words
    found += await barriers(server, hers, f"{path}/d1", f"{path}/d2")
    await run_out(server, live)
    found += await barriers(server, his, path) + await barriers(server, theirs, path, f"/battles/{battle}")
    assert "is up" in (await north.get(path)).words
    assert found == []


@pytest.mark.slow
async def test_an_invitation_in_every_state(tmp_path, browser: Browser) -> None:
    async with serving(tmp_path / "data", mail=True) as server:
        strangers = await contexts(browser, server)
        anna = await server.player("Anna")
        _, path = await invited(server, anna, "Well?")
        found = await barriers(server, strangers, path, f"{path}/never")
        await Visitor(server).send(path, do="decline")
        found += await barriers(server, strangers, path)
        assert found == []


@pytest.mark.slow
async def test_the_pages_of_somebody_who_logged_in_long_ago(tmp_path: Path, browser: Browser) -> None:
    async with serving(tmp_path / "data", mail=True) as server:
        anna, bob = await server.player("Anna"), await server.player("Bob")
        battle = await bob.open()
        await bob.sit(battle, "south", name="Hannibal Barca", phrase=PHRASE)
        await anna.sit(battle, "north", phrase=PHRASE)
        await (await visitor_of(server, anna)).send("/settings/feeds", do="make")
        looking = await contexts(browser, server, anna)
        let_pass(server, seconds=FRESH_S + 1)
        paths = ("/settings", "/settings/remove", "/logout?everywhere", "/prove", f"/battles/{battle}")
        assert await barriers(server, looking, *paths) == []
