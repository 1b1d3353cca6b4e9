"""The page of a player checks all that the server adds to the log, and stops at a fault (decision 50)."""

import asyncio
from typing import Any

import pytest
from playwright.async_api import Browser, Download, Page, Request, Route, expect

from replay.proof.notes import Verifier
from replay.proof.verify import verify
from server.web.pages.static_files import WORKERS, imported, packed_static
from tests.server.web.pages.test_browser import UNASKED, new_page, play_now, play_plain, send
from tests.server.web.pages.test_player_keys import signed_duel
from tests.server.web.pages.test_seals import give, newest
from tests.support.dishonest import LIES, SECRET, Lie, Told, lying
from tests.support.lanes import thinned
from tests.support.rechained import put_together, taken_apart
from tests.support.serving import RunningServer

NOTICE = "#watch"
FAR = "async (id) => (await import('/static/kept_log.js')).howFar(id)"
OTHER_HOST = """async () => {
  const { keepHosts } = await import("/static/kept_log.js");
  await keepHosts(new Set(["phalera.example+00000000+AAAA"]));
}"""
MOST_BYTES = 75_000
"""Of the scripts that watch, compressed."""
CAUGHT = (
    "an order is altered",
    "a card is another",
    "a head is replaced by an older one",
    "an order is of another request",
    "a phrase is replaced",
    "an opening is withheld",
    "another content is opened",
    "a disclosed key is not of the chain",
    "a key is not disclosed",
    "a seal is replaced",
    "a head is of another log",
    "a card is of another deck",
    "the master is another",
)
"""The servers that the page of a player who plays with a bot meets; `test_dishonest_servers` has them all."""


ALSO = {"a phrase is replaced": "contribution-differs"}
"""The page's phrase goes with an order, from which its value follows, too."""


async def checked(page: Page) -> None:
    """Wait until all that a page shows was checked, and holds."""
    await page.wait_for_function("""() => {
        const { n, checked } = document.getElementById("battle").dataset;
        return Number(checked || -1) >= Number(n);
    }""")
    await expect(page.locator(NOTICE)).to_be_hidden()


def asked_of(page: Page, method: str) -> list[str]:
    """The paths of the requests of one kind that a page and its worker send from now on."""
    paths: list[str] = []

    def note(request: Request) -> None:
        if request.method == method:
            paths.append(request.url.partition("/battles/")[2].partition("/")[2])

    page.context.on("request", note)
    return paths


def battle_of(page: Page) -> str:
    return page.url.partition("/battles/")[2].partition("?")[0].partition("#")[0]


@pytest.mark.parametrize("name", thinned(CAUGHT, 5))
async def test_a_dishonest_server_is_found_in_time(server: RunningServer, browser: Browser, name: str) -> None:
    lie = next(lie for lie in LIES if lie.name == name)
    page = await (play_plain if lie.seats else play_now)(browser, server)
    await checked(page)
    with lying(lie) as told:
        await send(page, orders_against(lie))
        if lie.plays or lie.of == "MasterRevealed":
            await expect(page.get_by_label("Orders, one to a line")).to_have_value("")
            await newest(server, page)
            await checked(page)
            await send(page, "resign")
        await expect(page.locator(NOTICE)).to_be_visible()
        assert await page.locator(NOTICE).get_attribute("data-what") in (*lie.kinds, ALSO.get(name))
        await require_not_believed(server, page, lie, told)
        sent = asked_of(page, "POST")
        if await page.get_by_label("Orders, one to a line").count():
            await send(page, "end turn")
            await expect(page.locator("#watch-title")).to_be_focused()
        assert [path for path in sent if path.startswith("orders")] == []
    if lie.at != "own":
        assert verify((await proof(page)).encode()).fault is not None


def orders_against(lie: Lie) -> str:
    """What the player orders while a server lies: a secret that it has to open, one line that it drops, else a turn."""
    if "own-words-missing" in lie.kinds:
        return "R1 ahead"
    return f"{SECRET[0]}\nR1 ahead" if lie.plays else f"R1 ahead\n{UNASKED}\nend turn"


async def require_not_believed(server: RunningServer, page: Page, lie: Lie, told: Told) -> None:
    """What the page has taken for right ends before the lie can be proven."""
    far: dict[str, Any] = await page.evaluate(FAR, battle_of(page))
    assert told.n and far["n"] > 0
    if "own-words-missing" in lie.kinds:
        return  # what is missing is known with the answer, which may come after the events
    if lie.at != "disclosure":
        assert far["n"] < told.n
        return
    _, events = taken_apart(await server.stranger.export(battle_of(page)))
    disclosed = next(event["n"] for event in events[told.n :] if event["type"] == "KeyDisclosed")
    assert far["n"] < disclosed


async def proof(page: Page) -> str:
    """The file that the notice offers as the proof."""
    async with page.expect_download() as coming:
        await page.locator(f"{NOTICE} li a").last.click()
    download: Download = await coming.value
    path = await download.path()
    return path.read_text()


async def test_a_player_may_go_on_despite_a_fault(server: RunningServer, browser: Browser) -> None:
    page = await play_now(browser, server)
    await checked(page)
    with lying(next(lie for lie in LIES if lie.name == "an order is altered")):
        await send(page, "R1 ahead")
        await expect(page.locator("[data-watch-said]")).to_contain_text("“r1 ahead”, and the log has “offer draw”")
    await page.reload()
    await expect(page.locator(NOTICE)).to_be_visible()
    await page.get_by_role("button", name="Go on all the same").click()
    await checked(page)
    await send(page, "R5 ahead")
    await expect(page.locator("#story")).to_contain_text("South: R5 ahead")
    await checked(page)


async def test_an_honest_battle_raises_nothing_and_a_reload_goes_on(server: RunningServer, browser: Browser) -> None:
    south, north, battle = await signed_duel(server, browser)
    for page in (south, north):
        await checked(page)
    await give(server, south, "R1 ahead\nstanding evade R3 always\nend turn")
    await newest(server, north)
    for page in (south, north):
        await checked(page)
    asked = asked_of(north, "GET")
    await north.reload()
    await checked(north)
    await give(server, north, "N1 ahead\nend turn")
    await checked(north)
    fetched = [path for path in asked if path.startswith(("events", "export"))]
    before = (await north.evaluate(FAR, battle))["n"]
    assert not [path for path in fetched if path == "export"]
    assert all(int(path.partition("after=")[2].partition("&")[0]) > 5 for path in fetched) and fetched
    await newest(server, south)
    await send(south, "resign")
    await expect(south.locator("#end")).to_be_visible()
    await newest(server, north)
    for page in (south, north):
        await checked(page)
    assert (await north.evaluate(FAR, battle))["n"] > before
    assert verify(await server.stranger.export(battle)).fault is None


async def test_a_second_history_is_told_with_both_files(server: RunningServer, browser: Browser) -> None:
    page = await play_now(browser, server)
    await checked(page)
    battle = battle_of(page)
    header, events = taken_apart(await server.stranger.export(battle))
    next(event for event in events if "name" in event["data"])["data"]["name"] = "Rob"
    forged = put_together(header, events, server.running.keys.current)

    async def lie(route: Route) -> None:
        lines = forged.splitlines(keepends=True)
        if route.request.url.endswith("/export"):
            await route.fulfill(body=forged)
            return
        after = int(route.request.url.partition("after=")[2].partition("&")[0])
        await route.fulfill(body=b"".join(lines[after + 1 : -1]))

    await page.context.route("**/events?**", lie)
    await page.context.route("**/export", lie)
    await send(page, "R1 ahead")
    await expect(page.locator(NOTICE)).to_be_visible()
    await expect(page.locator("[data-watch-said]")).to_contain_text("another history")
    await expect(page.locator(f"{NOTICE} li")).to_have_text([f"{battle}.battle", f"{battle}.fault.battle"])
    await page.context.unroute("**/events?**")
    await page.context.unroute("**/export")


async def test_another_key_of_the_host_is_asked_about_once(server: RunningServer, browser: Browser) -> None:
    page = await new_page(await browser.new_context(), server)
    await page.evaluate(OTHER_HOST)
    await page.get_by_role("button", name="Play To the Strongest!").click()
    await expect(page.locator(NOTICE)).to_be_visible()
    kid = Verifier(server.running.keys.current.key).kid
    await expect(page.locator("[data-watch-said]")).to_contain_text(kid)
    await page.get_by_role("button", name="Go on all the same").click()
    await checked(page)
    await page.goto(page.url.partition("/battles/")[0])
    await page.get_by_role("button", name="Play To the Strongest!").click()
    await expect(page.locator("#status")).to_contain_text("It is your turn")
    await checked(page)


async def test_nothing_is_sent_before_what_is_shown_was_checked(server: RunningServer, browser: Browser) -> None:
    page = await play_now(browser, server)
    await checked(page)
    await page.context.route("**/events?**", lambda route: route.fulfill(status=500))
    await send(page, "R1 ahead")
    await expect(page.locator("#story")).to_contain_text("South: R1 ahead")
    sent = asked_of(page, "POST")
    await send(page, "R5 ahead")
    await expect(page.locator("#told")).to_contain_text("Nothing was sent")
    assert [path for path in sent if path.startswith("orders")] == []
    await page.context.unroute("**/events?**")
    await send(page, "R5 ahead")
    await expect(page.locator("#story")).to_contain_text("South: R5 ahead")


async def test_a_log_that_does_not_come_at_once_is_asked_for_again(server: RunningServer, browser: Browser) -> None:
    page, refusals = await play_now(browser, server), iter([503, 500, 503])
    await checked(page)

    async def busy(route: Route) -> None:
        status = next(refusals, 0)
        await (route.fulfill(status=status) if status else route.continue_())

    await page.context.route("**/events?**", busy)
    await send(page, "R1 ahead")
    await expect(page.locator("#story")).to_contain_text("South: R1 ahead")
    await send(page, "R5 ahead")
    await expect(page.locator("#story")).to_contain_text("South: R5 ahead")
    assert next(refusals, None) is None


async def test_what_is_written_while_orders_wait_is_not_sent(server: RunningServer, browser: Browser) -> None:
    page, is_checked = await play_now(browser, server), asyncio.Event()
    await checked(page)

    async def wait(route: Route) -> None:
        await is_checked.wait()
        await route.continue_()

    await page.context.route("**/events?**", wait)
    await send(page, "R1 ahead")
    await expect(page.locator("#story")).to_contain_text("South: R1 ahead")
    await send(page, "R5 ahead\n")
    box = page.get_by_label("Orders, one to a line")
    await box.press_sequentially("R2 ah")
    is_checked.set()
    await expect(page.locator("#story")).to_contain_text("South: R5 ahead")
    await expect(box).to_have_value("R2 ah")


async def test_a_stranger_watches_nothing(server: RunningServer, browser: Browser) -> None:
    page = await play_now(browser, server)
    stranger = await new_page(await browser.new_context(), server, f"/battles/{battle_of(page)}")
    await expect(stranger.locator("#status")).to_contain_text("You watch.")
    assert await stranger.locator(NOTICE).count() == 0


def test_what_watches_is_fetched_apart_and_is_light() -> None:
    assert "watch_worker.js" in WORKERS and not {"watching.js", "watcher.js"} & set(imported("page.js"))
    scripts = {"watching.js", "watch_worker.js", *imported("watching.js"), *imported("watch_worker.js")}
    assert sum(len(packed_static(name)) for name in scripts) <= MOST_BYTES
