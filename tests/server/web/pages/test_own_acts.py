"""The page compares what its player does beside orders with the log, and knows the keys of the others (decision 50)."""

from typing import Any

import pytest
from playwright.async_api import Browser, Page, Route, expect

from domain.catalogue import RULESETS
from replay.proof.pins import kid_of
from replay.proof.verify import verify
from server.remote.signing import PlayerKey
from tests.server.web.pages.test_browser import address, new_page
from tests.server.web.pages.test_player_keys import CHOICE, signed_duel
from tests.server.web.pages.test_seals import newest
from tests.server.web.pages.test_watching import NOTICE, battle_of, checked
from tests.support.dishonest import ACTS, LIES, Lie, lying, with_members
from tests.support.lanes import thinned
from tests.support.serving import RunningServer

WORDS = """async (id) => {
  const { allIn } = await import("/static/database.js");
  return (await allIn("words", id)).map(({ type, line, texts, accepted }) => [type ?? "", line ?? texts[1], accepted]);
}"""
IS_SETTLED = """async (id) => {
  const { allIn } = await import("/static/database.js");
  return (await allIn("words", id)).every(({ accepted }) => accepted !== null);
}"""
KNOW = """async (all) => {
  const { forgetText, keepFar, keepPlayers } = await import("/static/kept_log.js");
  for (const [battle, keys] of Object.entries(all)) {
    await keepPlayers(battle, keys);
    await forgetText(battle);
    await keepFar(battle, { n: 0, head: "", note: "", accepted: [], fault: null, isOpaque: false });
  }
}"""
IS_THERE = """async ({ act, events }) => {
  const { isActThere } = await import("/static/acts_there.js");
  try { return isActThere(act, events); } catch (fault) { return [fault.n, fault.what]; }
}"""
ARE_THERE = """async ({ words, events, game }) => {
  const { isAllThere } = await import("/static/own_words.js");
  try { return isAllThere(words, new Set(["k"]), events, game); } catch (fault) { return [fault.n, fault.what]; }
}"""
STRANGE = """async ({ battle, side, events, trusts }) => {
  const { strangeKey, trustKey } = await import("/static/known_keys.js");
  const fault = await strangeKey(battle, side, events);
  if (fault && trusts) await trustKey(fault.details);
  return fault && [fault.n, fault.what, fault.details.kid];
}"""
TURN_MS = 300  # in which the page would have gone elsewhere
KNOWN = {lie.name: lie for lie in (*ACTS, *LIES)}
SEEN = {"n": 2, "hash": "ab" * 32}
ACT: dict[str, Any] = {
    "side": "south",
    "type": "ClockFired",
    "line": "claim",
    "seen": SEEN,
    "serial": 4,
    "signature": "mine",
    "signer": "",
    "anchor": "",
    "phrase": "",
    "accepted": 1,
    "by": 3,
}
WORDS_SENT: dict[str, Any] = {
    "side": "south",
    "isOrder": True,
    "seen": SEEN,
    "phrase": "",
    "seal": "",
    "signatures": [],
    "accepted": 1,
    "by": 3,
}
ORDER_LOGGED = {"side": "south", "key": "k", "line": 1, "seen": SEEN}
CLAIMED = {"side": "south", "what": "claim", "serial": 4, "signature": "mine", "seen": SEEN}
JOINS = {"type": "SideJoined", "line": "", "serial": 0, "signature": "", "signer": "key", "anchor": "00", "phrase": "p"}
JOINED = {"side": "south", "name": "Anna", "player": "p1", "signer": "key", "anchor": "00"}
GIVEN = {"side": "south", "seen": SEEN, "phrase": "p"}


def log(*events: tuple[str, dict[str, Any]]) -> list[dict[str, Any]]:
    """Events behind the two that the act has seen."""
    older: list[dict[str, Any]] = [{"n": n, "type": "BattleOpened", "data": {}} for n in (1, 2)]
    return older + [{"n": n, "type": kind, "data": data} for n, (kind, data) in enumerate(events, 3)]


COMPARED: tuple[tuple[str, dict[str, Any], list[dict[str, Any]], Any], ...] = (
    ("as it was sent", {}, log(("ClockFired", CLAIMED)), True),
    ("no answer yet", {"accepted": None}, log(), False),
    ("an earlier look", {"by": 4}, log(("TurnBegan", {})), False),
    ("dropped", {}, log(("TurnBegan", {"side": "north"})), [3, "own-words-missing"]),
    ("another line", {}, log(("ClockFired", {**CLAIMED, "what": "pause"})), [3, "own-text-differs"]),
    ("another kind", {}, log(("SideLeft", CLAIMED)), [3, "own-text-differs"]),
    (
        "another head",
        {},
        log(("ClockFired", {**CLAIMED, "seen": {"n": 1, "hash": "ab" * 32}})),
        [3, "own-head-differs"],
    ),
    ("another signature", {}, log(("ClockFired", {**CLAIMED, "signature": "x"})), [3, "own-signature-differs"]),
    ("unsigned", {"serial": 0}, log(("ClockFired", {"side": "south", "what": "claim"})), True),
    (
        "unsigned, dropped",
        {"serial": 0},
        log(("ClockFired", {"side": "south", "what": "deadline"})),
        [3, "own-words-missing"],
    ),
    (
        "unsigned, a pause",
        {"serial": 0, "line": ""},
        log(("ClockFired", {"side": "south", "what": "pause-asked"})),
        True,
    ),
    (
        "unsigned, no pause",
        {"serial": 0, "line": ""},
        log(("ClockFired", {"side": "south", "what": "pause-over"})),
        [3, "own-words-missing"],
    ),
    ("a seat as it was taken", JOINS, log(("SideJoined", JOINED), ("ContributionGiven", GIVEN)), True),
    ("another's key", JOINS, log(("SideJoined", {**JOINED, "signer": "host"})), [3, "own-key-differs"]),
    ("no key", JOINS, log(("SideJoined", {"side": "south", "anchor": "00"})), [3, "own-key-differs"]),
    ("another book", JOINS, log(("SideJoined", {**JOINED, "anchor": "01"})), [3, "own-book-differs"]),
    (
        "another phrase",
        JOINS,
        log(("SideJoined", JOINED), ("ContributionGiven", {**GIVEN, "phrase": "q"})),
        [4, "own-phrase-differs"],
    ),
    ("somebody before", JOINS, log(("SideJoined", {**JOINED, "signer": "x"}), ("SideJoined", JOINED)), True),
)


async def test_acts_are_compared_one_by_one(server: RunningServer, browser: Browser) -> None:
    page = await new_page(await browser.new_context(), server, "/new")
    for name, changed, events, found in COMPARED:
        assert await page.evaluate(IS_THERE, {"act": {**ACT, **changed}, "events": events}) == found, name


async def open_battle(server: RunningServer, **settings: Any) -> str:
    return f"/battles/{await (await server.player('Host')).open(**settings)}"


async def take(page: Page, side: str, *, signs: bool = True, plain: bool = False) -> None:
    form = page.locator(f"form[data-take][data-side={side}]")
    if plain:
        await form.locator("select[name=chance]").select_option("plain")
    if signs:
        await form.get_by_label(CHOICE).check()
    await form.get_by_role("button", name=f"Take {side}").click()
    await expect(page.locator(f"#sides .{side}")).to_contain_text("(you)")


async def expect_stop(page: Page, what: str) -> None:
    await expect(page.locator(NOTICE)).to_be_visible()
    await expect(page.locator(NOTICE)).to_have_attribute("data-what", what)


JOINING: tuple[tuple[Lie, str, dict[str, bool]], ...] = (
    (KNOWN["a seat is taken with a key of the host's"], "own-key-differs", {}),
    (KNOWN["the book of a player is another"], "own-book-differs", {"signs": False}),
)


@pytest.mark.parametrize(("lie", "what", "seat"), JOINING, ids=lambda one: one.name if isinstance(one, Lie) else None)
async def test_a_seat_that_is_not_as_it_was_taken_stops_the_page(
    server: RunningServer, browser: Browser, lie: Lie, what: str, seat: dict[str, bool]
) -> None:
    page = await new_page(await browser.new_context(), server, await open_battle(server))
    with lying(lie):
        await take(page, "south", **seat)
        await expect_stop(page, what)


@pytest.mark.parametrize("signs", thinned([True, False], 1))
async def test_a_leaving_that_is_dropped_stops_the_page(server: RunningServer, browser: Browser, signs: bool) -> None:
    page = await new_page(await browser.new_context(), server, await open_battle(server))
    await take(page, "south", signs=signs)
    await checked(page)
    with lying(KNOWN["a leaving is dropped"]):
        await page.get_by_role("button", name="Give").click()
        await expect_stop(page, "own-words-missing")
    await expect(page.locator("[data-watch-said]")).to_contain_text("the log does not have it")


@pytest.mark.parametrize("signs", thinned([True, False], 1))
async def test_a_pause_that_is_dropped_stops_the_page(server: RunningServer, browser: Browser, signs: bool) -> None:
    path = await open_battle(server, pace="2d+1d")
    south, north = [await new_page(await browser.new_context(), server, path) for _ in "sn"]
    await take(south, "south", signs=signs)
    await north.reload()
    await take(north, "north", signs=signs)
    await newest(server, south)
    await checked(south)
    with lying(KNOWN["a pause that is asked for is dropped"]):
        await south.get_by_role("button", name="Ask for a pause").click()
        await expect_stop(south, "own-words-missing")


async def press(page: Page, what: str) -> None:
    await page.locator(f"#{what} summary").click()
    if what == "resign":
        await page.get_by_label("Yes, I give this battle up.").check()
    await page.locator(f"#{what} button").click()


@pytest.mark.parametrize("what", ["offer", "resign"])
async def test_an_offer_and_a_resignation_are_compared_as_orders_are(
    server: RunningServer, browser: Browser, what: str
) -> None:
    south, _, _ = await signed_duel(server, browser)
    await checked(south)
    lie = Lie("a request", "OrderAccepted", with_members(key="0123456789abcdef"), ("own-words-missing",))
    with lying(lie):
        await press(south, what)
        await expect_stop(south, "own-words-missing")


async def test_the_answer_to_a_resignation_is_waited_for(server: RunningServer, browser: Browser) -> None:
    """The page hears of the end before the answer comes: what it makes of the end must not throw the answer away."""
    south, _, _ = await signed_duel(server, browser)
    await checked(south)

    async def hold(route: Route) -> None:
        answer = await route.fetch(max_redirects=0)  # the server has it, the page not its answer
        await told.value
        await south.wait_for_timeout(TURN_MS)
        await route.fulfill(response=answer)

    lie = Lie("a request", "OrderAccepted", with_members(key="0123456789abcdef"), ("own-words-missing",))
    async with south.expect_response(lambda response: "since=" in response.url) as told:
        await south.route("**/orders", hold)
        with lying(lie):
            await press(south, "resign")
            await expect_stop(south, "own-words-missing")


async def test_honest_acts_raise_nothing_and_are_compared_no_more(server: RunningServer, browser: Browser) -> None:
    path = await open_battle(server, pace="2d+1d")
    south, north = [await new_page(await browser.new_context(), server, path) for _ in "sn"]
    battle = path.rsplit("/", 1)[1]
    await take(south, "south", signs=True)
    await checked(south)
    await south.get_by_role("button", name="Give").click()
    await expect(south.locator("form[data-take][data-side=south]")).to_be_visible()
    await take(south, "south", signs=False, plain=True)
    await north.reload()
    await take(north, "north", signs=True)
    await newest(server, south)
    await south.get_by_role("button", name="Ask for a pause").click()
    await expect(south.locator("#time")).to_contain_text("You have asked")
    await newest(server, north)
    await north.get_by_role("button", name="Agree").click()
    await expect(north.get_by_role("button", name="End the pause")).to_be_visible()
    await north.get_by_role("button", name="End the pause").click()
    await expect(north.get_by_role("button", name="Ask for a pause")).to_be_visible()
    await newest(server, south)
    await press(south, "offer")
    await expect(south.locator("#kept")).to_contain_text("You have offered a draw.")
    await south.wait_for_function(IS_SETTLED, arg=battle)  # else the next page is loaded before the answer is kept
    for page in (south, north):
        await page.goto(address(server, f"{path}/disputes"))
        await page.get_by_label("Number of the event").fill("3")
        await page.get_by_label("What is wrong with it").fill("It was   #1, <mine>.")
        await page.get_by_role("button", name="Dispute an event").click()
        await expect(page.get_by_role("heading", level=1)).to_contain_text("d")
    for page in (south, north):
        await page.goto(address(server, path))
        await checked(page)
    await newest(server, south)
    await press(south, "resign")
    await expect(south.locator("#end")).to_be_visible()
    for page in (south, north):
        await page.goto(address(server, path))
        await checked(page)
        # the end of the battle may load the page anew before the resignation's own answer has come
        assert await page.evaluate(WORDS, battle) in ([], [["", "resign", None]])
    assert verify(await server.stranger.export(battle)).fault is None


async def test_another_key_of_another_player_stops_until_it_is_trusted(server: RunningServer, browser: Browser) -> None:
    path = await open_battle(server)
    south, north = [await new_page(await browser.new_context(), server, path) for _ in "sn"]
    await take(south, "south")
    await checked(south)
    await take(north, "north")
    await checked(north)
    battle = battle_of(north)
    seat = (await server.running.battles.get(battle)).recording.battle.seats["south"]
    await north.goto(address(server, "/help"))  # a check that still runs would keep the true key over this one
    await north.evaluate(KNOW, {battle: {seat.player: [KEYS[1]]}})
    await north.goto(address(server, path))
    await expect_stop(north, "player-key-unknown")
    await expect(north.locator("[data-watch-said]")).to_contain_text(kid_of(KEYS[1]))
    await expect(north.locator("[data-watch-player-key]")).to_be_visible()
    await north.get_by_role("button", name="Go on all the same").click()
    await checked(north)
    await north.reload()
    await checked(north)


KEYS = [PlayerKey(bytes([n] * 32)).public for n in range(4)]


def joined(n: int, side: str, key: str) -> dict[str, Any]:
    return {"n": n, "type": "SideJoined", "data": {"side": side, "player": "p1", "name": "Anna", "signer": key}}


def named(n: int, key: str) -> dict[str, Any]:
    return {"n": n, "type": "UmpireNamed", "data": {"player": "p2", "name": "Judge", "signer": key}}


async def test_keys_are_known_by_battle_and_those_of_umpires_by_host(server: RunningServer, browser: Browser) -> None:
    page = await new_page(await browser.new_context(), server, "/new")
    kid = kid_of(KEYS[1])

    async def strange(battle: str, *events: dict[str, Any], trusts: bool = False) -> Any:
        asked = {"battle": battle, "side": "south", "events": list(events), "trusts": trusts}
        return await page.evaluate(STRANGE, asked)

    assert await strange("b0", joined(2, "north", KEYS[0]), joined(4, "north", KEYS[1])) is None
    assert await strange("b1", joined(2, "north", KEYS[0]), named(3, KEYS[2])) is None
    assert await strange("b2", joined(2, "north", KEYS[1]), named(3, KEYS[2])) is None
    assert await strange("b1", joined(2, "north", KEYS[0])) is None
    assert await strange("b1", joined(5, "south", KEYS[1])) is None  # one's own is compared with what was sent
    assert await strange("b1", joined(9, "north", KEYS[1])) == [9, "player-key-unknown", kid]
    assert (await strange("b3", named(4, KEYS[3])))[:2] == [4, "player-key-unknown"]
    assert await strange("b1", joined(9, "north", KEYS[1]), trusts=True) is not None
    assert await strange("b1", joined(9, "north", KEYS[1])) is None


@pytest.mark.parametrize(
    ("typed", "logged", "is_fault"),
    [
        ("A3 level with A1", "A3 move 9.5", False),
        ("group A1 ahead + A2 ahead", "group A1 move 15 + A2 move 15", False),
        ("A3 move 5", "A3 move 9.5", True),
        ("end turn", "done", True),
    ],
)
async def test_only_a_line_whose_figures_are_to_be_found_may_stand_there_otherwise(
    server: RunningServer, browser: Browser, typed: str, logged: str, is_fault: bool
) -> None:
    page = await new_page(await browser.new_context(), server)
    words = {**WORDS_SENT, "texts": {"1": typed}}
    accepted = {"n": 3, "type": "OrderAccepted", "data": {**ORDER_LOGGED, "text": logged}}
    events = [{"n": 1, "type": "", "data": {}}, {"n": 2, "type": "", "data": {}}, accepted]
    game = {"prepares": [], "unresolved": RULESETS["stp"].orders.unresolved}
    found = await page.evaluate(ARE_THERE, {"words": words, "events": events, "game": game})
    assert found == ([3, "own-text-differs"] if is_fault else True)
    plain = await page.evaluate(ARE_THERE, {"words": words, "events": events, "game": {"prepares": []}})
    assert plain == [3, "own-text-differs"]
