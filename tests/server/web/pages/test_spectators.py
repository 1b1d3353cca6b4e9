"""Those who watch a battle talk apart: no player hears of it before the battle is over, and then everybody may read."""

import asyncio
import json
import re

import pytest
from playwright.async_api import Browser, expect

from domain.basics.errors import Refusal
from server.acts.remark import LONGEST, remark
from server.people.players import Player
from server.store.tables import outbox, spectators
from tests.server.test_secrecy import everything, scrubbed
from tests.server.web.pages.test_browser import log_in, new_page
from tests.server.web.pages.visiting import OWN, Page, Visitor, visitor_of
from tests.support.clock import ManualClock
from tests.support.serving import BATTLES, PHRASE, Caller, RunningServer, serving

NEW = "New messages: "
WORDS = "Her left wing is bait"
TALK = "Words of the spectators"
OFFER = "have an account with an address"


async def watched(server: RunningServer, **more: str) -> tuple[Caller, Caller, Caller, str]:
    """Anna and Bob at their battle, and Eve, who watches it."""
    anna, bob, eve = [await server.player(name) for name in ("Anna", "Bob", "Eve")]
    return anna, bob, eve, await server.battle(anna, bob, **more)


def player_of(caller: Caller) -> Player:
    """A player as the server knows them."""
    return Player(caller.player, "Somebody", "somebody@example.org")


async def say(visitor: Visitor, battle: str, words: str = WORDS, key: str = "k1", **more: str) -> Page:
    return await visitor.ask("POST", f"/battles/{battle}/spectators", OWN, {"words": words, "key": key, **more})


async def test_spectators_talk_beside_the_board(server: RunningServer) -> None:
    _, _, eve, battle = await watched(server)
    hers, theirs = await visitor_of(server, eve), await visitor_of(server, await server.player("Zoe"))
    path = f"/battles/{battle}"
    for _ in range(2):  # the same form again says it once
        said = await say(hers, battle, f"{WORDS} <now>", beside="yes")
        assert (said.status, said.headers["Location"]) == (303, f"{path}#talk")
    page = await theirs.get(path)
    assert page.text.count(f"{WORDS} &lt;now&gt;") == 1 and f"{NEW}1" in page.words and "<title>(1) " in page.text
    assert NEW not in (await hers.get(path)).words
    part = await theirs.get(f"{path}/spectators?part")
    assert WORDS in part.words and f"{NEW}1" in part.words and "<html" not in part.text
    assert WORDS in (await theirs.get(f"{path}/spectators")).words
    assert NEW not in (await theirs.get(path)).words
    await say(hers, battle, "Again", "k2")
    seen = re.search(r'data-heard="([^"]+)"', (await theirs.get(path)).text)
    assert seen and f"{NEW}1" in (await theirs.get(path)).words
    assert (await theirs.ask("POST", f"{path}/spectators/read", OWN, {"seen": seen[1]})).status == 204
    assert NEW not in (await theirs.get(path)).words


async def test_too_many_words_at_once_are_refused(server: RunningServer) -> None:
    _, _, eve, battle = await watched(server)
    page = await say(await visitor_of(server, eve), battle, "x" * (LONGEST + 1))
    assert page.status == 422
    assert spectators.of_battle(server.running.store, battle, 9) == []
    with pytest.raises(Refusal, match=r"core\.remark-too-long"):
        live = await server.running.battles.get(battle)
        await remark(live, player_of(eve), "x" * (LONGEST + 1), "k")


# --- what no player hears of


async def pages_of(server: RunningServer, battle: str, *callers: Caller) -> dict[str, str]:
    """What players can read anywhere while they play."""
    shown = await everything(server, battle, {caller.player: caller for caller in callers})
    for caller in callers:
        visitor = await visitor_of(server, caller)
        for path in ("/", "/watch", f"/battles/{battle}", "/settings/data", "/feeds/results.atom"):
            text = (await visitor.get(path)).text
            if path == "/settings/data":  # each look at these pages is by a session of its own
                text = json.dumps({**json.loads(text), "tokens": []})
            shown[f"{caller.player} {path}"] = scrubbed(text, battle)
        for other in callers:
            shown[f"{caller.player} of {other.player}"] = (await visitor.get(f"/players/{other.player}")).text
    return shown


@pytest.mark.slow
async def test_no_player_can_tell_that_spectators_talk(server: RunningServer) -> None:
    anna, bob, eve, battle = await watched(server)
    before, due = await pages_of(server, battle, anna, bob), outbox.unsent(server.running.store)
    hers = await visitor_of(server, eve)
    assert (await say(hers, battle)).status == 303
    after = await pages_of(server, battle, anna, bob)
    assert before.keys() == after.keys()
    for path, text in before.items():
        assert after[path] == text, path
    assert outbox.unsent(server.running.store) == due
    assert TALK not in "".join(after.values())


async def test_the_talk_is_no_page_for_who_plays_or_has_no_address(server: RunningServer) -> None:
    anna, _, eve, battle = await watched(server)
    hers = await visitor_of(server, eve)
    assert (await say(hers, battle)).status == 303
    (remark,) = spectators.of_battle(server.running.store, battle, 9)
    guest = Visitor(server)
    await guest.send("/battles", scenario="tts/skirmish", phrase=PHRASE)
    for visitor in (await visitor_of(server, anna), guest, Visitor(server)):
        path = f"/battles/{battle}/spectators"
        answers = [await visitor.get(path), await visitor.get(f"{path}?part"), await say(visitor, battle, "Me", "k2")]
        answers.append(await visitor.ask("POST", f"{path}/read", OWN, {"seen": str(remark.n)}))
        answers.append(await visitor.ask("POST", f"{path}/remove", OWN, {"post": str(remark.n)}))
        assert [page.status for page in answers] == [404] * 5
        assert WORDS not in "".join(page.text for page in [*answers, await visitor.get(f"/battles/{battle}")])
    assert OFFER in (await guest.get(f"/battles/{battle}")).words
    assert OFFER in (await Visitor(server).get(f"/battles/{battle}")).words
    assert OFFER not in (await (await visitor_of(server, anna)).get(f"/battles/{battle}")).words
    assert [one.text for one in spectators.of_battle(server.running.store, battle, 9)] == [WORDS]


@pytest.mark.parametrize("readers", ["players", "link"])
async def test_a_battle_for_its_players_alone_has_no_talk(server: RunningServer, readers: str) -> None:
    _, bob, eve, battle = await watched(server, readers=readers)
    hers = await visitor_of(server, eve)
    assert (await say(hers, battle)).status == (303 if readers == "link" else 404)
    assert (await bob.order(battle, "resign")).status == 200
    seen = [await visitor.get(f"/battles/{battle}/spectators") for visitor in (hers, Visitor(server))]
    assert [page.status for page in seen] == ([200] * 2 if readers == "link" else [404] * 2)


async def test_who_takes_a_side_loses_the_talk_until_the_end(server: RunningServer) -> None:
    anna, eve, zoe = [await server.player(name) for name in ("Anna", "Eve", "Zoe")]
    battle = await anna.open()
    await anna.sit(battle, "south", phrase=PHRASE)
    hers, theirs = await visitor_of(server, eve), await visitor_of(server, zoe)
    async with server.client.get(f"{BATTLES}/{battle}/stream", headers=eve.headers) as stream:
        await stream.content.readline()
        await say(theirs, battle, "Said before", "k1")
        heard = b""
        while b"spectators" not in heard:
            heard += await stream.content.readline()
        assert "Said before" in (await hers.get(f"/battles/{battle}")).words and b"Said before" not in heard
        await eve.sit(battle, "north", phrase=PHRASE)
        await say(theirs, battle, "Said after", "k2")
        page = await hers.get(f"/battles/{battle}")
        assert "Said before" not in page.text and "Said after" not in page.text and TALK not in page.text
        assert (await hers.get(f"/battles/{battle}/spectators")).status == 404
        await anna.order(battle, "standing evade R6 never")
        while b"StandingOrder" not in heard:
            heard += await stream.content.readline()
    assert heard.count(b"event: spectators\n") == 1
    await anna.order(battle, "resign")
    page = await hers.get(f"/battles/{battle}")
    assert "Said before" in page.words and "Said after" in page.words


async def test_who_gave_their_side_to_a_substitute_stays_out(server: RunningServer) -> None:
    anna, bob, eve, battle = await watched(server)
    hers = await visitor_of(server, eve)
    await say(hers, battle)
    for caller in (anna, bob):
        await caller.order(battle, "substitute south Eve")
    assert (await hers.get(f"/battles/{battle}/spectators")).status == 200
    assert (await eve.sit(battle, "south")).status == 201
    for caller in (anna, bob, eve):
        visitor = await visitor_of(server, caller)
        assert (await visitor.get(f"/battles/{battle}/spectators")).status == 404
        assert (await say(visitor, battle, "I know where they hide", "k2")).status == 404
        page = await visitor.get(f"/battles/{battle}")
        assert WORDS not in page.words and OFFER not in page.words


async def test_streams_of_players_and_strangers_hear_nothing(server: RunningServer) -> None:
    anna, bob, eve, battle = await watched(server)
    path = f"{BATTLES}/{battle}/stream"
    async with server.client.get(path, headers=bob.headers) as his, server.client.get(path) as strange:
        for response in (his, strange):
            await response.content.readline()
        await say(await visitor_of(server, eve), battle)
        await anna.order(battle, "standing evade R6 never")
        for response in (his, strange):
            heard = b""
            while b"StandingOrder" not in heard:
                heard += await response.content.readline()
            assert b"event:" not in heard


# --- when the battle is over


async def test_everybody_reads_it_when_the_battle_is_over(server: RunningServer) -> None:
    anna, bob, eve, battle = await watched(server)
    hers = await visitor_of(server, eve)
    await say(hers, battle)
    assert (await bob.order(battle, "resign")).status == 200
    for visitor in (await visitor_of(server, anna), hers, Visitor(server)):
        for path in (f"/battles/{battle}", f"/battles/{battle}/spectators"):
            page = await visitor.get(path)
            assert WORDS in page.words and TALK in page.words and NEW not in page.words, path
        late = await say(visitor, battle, "Too late", "k2")
        assert late.status in (401, 409)
    with pytest.raises(Refusal, match=r"core\.remarks-over"):
        await remark(await server.running.battles.get(battle), player_of(eve), "Too late", "k2")
    assert len(spectators.of_battle(server.running.store, battle, 9)) == 1


# --- bounds, and who takes words away


async def test_words_are_bounded_in_length_and_by_the_day(tmp_path) -> None:
    clock = ManualClock()
    async with serving(tmp_path / "data", clock=clock) as server:
        _, _, eve, battle = await watched(server)
        hers = await visitor_of(server, eve)
        assert (await say(hers, battle, "x" * 1001)).status == 422
        assert (await say(hers, battle, " \u200b ")).status == 422
        assert (await hers.ask("POST", f"/battles/{battle}/spectators", OWN, {"words": "no key"})).status == 422
        foreign = {"Sec-Fetch-Site": "cross-site"}
        assert (
            await hers.ask("POST", f"/battles/{battle}/spectators", foreign, {"words": "x", "key": "k"})
        ).status == 403
        for at in range(30):
            assert (await say(hers, battle, "é" * 1000, f"k{at}")).status == 303
        refused = await say(hers, battle, "One more", "k31")
        assert refused.status == 429 and "One more" in refused.text
        clock.wait(hours=24)
        assert (await say(hers, battle, "The next day", "k32")).status == 303


async def test_a_fast_talker_is_slowed_down(tmp_path) -> None:
    from server.limits import Limits

    async with serving(tmp_path / "data", limits=Limits()) as server:
        _, _, eve, battle = await watched(server)
        hers, other = await visitor_of(server, eve), await eve.open()
        places = [battle, other]
        statuses = [(await say(hers, places[at % 2], "Quick", f"k{at}")).status for at in range(61)]
        assert statuses[:60].count(303) == 60 and statuses[60] == 429


async def test_umpire_host_and_administrator_take_words_away_and_spectators_their_own(tmp_path) -> None:
    async with serving(tmp_path / "data", operators=("Host@example.org",)) as server:
        first = await server.administrator("First")
        anna, bob, eve, zoe, judge, host = [
            await server.player(name) for name in ("Anna", "Bob", "Eve", "Zoe", "Judge", "Host")
        ]
        battle = await anna.open(umpire="Judge")
        for caller, side in ((anna, "south"), (bob, "north")):
            await caller.sit(battle, side, phrase=PHRASE)
        hers, path = await visitor_of(server, eve), f"/battles/{battle}/spectators"
        for key in ("k1", "k2", "k3", "k4"):
            await say(hers, battle, f"Rude {key}", key)
        ids = [str(one.n) for one in spectators.of_battle(server.running.store, battle, 9)]
        for caller in (zoe, anna):
            visitor = await visitor_of(server, caller)
            assert f"{path}/remove" not in (await visitor.get(path)).text
            assert (await visitor.ask("POST", f"{path}/remove", OWN, {"post": ids[0]})).status == 404
        umpire = await visitor_of(server, judge)
        assert "The umpire reads here" in (await umpire.get(f"/battles/{battle}")).words
        assert (await say(umpire, battle, "Order!", "k9")).status == 403
        with pytest.raises(Refusal, match=r"core\.umpire-silent"):
            await remark(await server.running.battles.get(battle), player_of(judge), "Order!", "k9")
        runs, administers = await visitor_of(server, host), await visitor_of(server, first)
        for at, visitor in enumerate((umpire, runs, administers, hers)):
            page = await visitor.send(f"{path}/remove", post=ids[at])
            assert page.status == 200 and f"Rude k{at + 1}" not in page.text and "Removed." in page.words
        for bad, status in (("", 422), ("0", 404), ("9" * 70, 422), ("x", 422)):
            assert (await umpire.ask("POST", f"{path}/remove", OWN, {"post": bad})).status == status
        assert {one.text for one in spectators.of_battle(server.running.store, battle, 9)} == {""}


async def test_a_host_who_plays_reads_nothing_of_it(tmp_path) -> None:
    async with serving(tmp_path / "data", operators=("Anna@example.org",)) as server:
        anna, bob, eve = [await server.player(name) for name in ("Anna", "Bob", "Eve")]
        battle = await anna.open()
        await anna.sit(battle, "south", phrase=PHRASE, mode="plain")
        await bob.sit(battle, "north", phrase=PHRASE)
        await say(await visitor_of(server, eve), battle)
        hosts = await visitor_of(server, anna)
        assert WORDS not in (await hosts.get(f"/battles/{battle}")).text
        assert (await hosts.get(f"/battles/{battle}/spectators")).status == 404


async def test_a_host_can_leave_it_out(tmp_path) -> None:
    async with serving(tmp_path / "data", spectators_talk=False) as server:
        _, _, eve, battle = await watched(server)
        hers = await visitor_of(server, eve)
        assert (await say(hers, battle)).status == 404
        assert TALK not in (await hers.get(f"/battles/{battle}")).text
        assert OFFER not in (await Visitor(server).get(f"/battles/{battle}")).words


async def test_what_was_said_watching_is_in_the_own_data_and_goes_with_the_account(server: RunningServer) -> None:
    from server.people import players

    _, _, eve, battle = await watched(server)
    hers = await visitor_of(server, eve)
    await say(hers, battle)
    assert WORDS in (await hers.get("/settings/data")).text
    await server.running.store.write(*players.erased(eve.player))
    assert spectators.of_battle(server.running.store, battle, 9) == []


# --- live


async def test_words_of_spectators_come_live(server: RunningServer, browser: Browser) -> None:
    anna, _, eve, battle = await watched(server)
    zoe = await server.player("Zoe")
    contexts = [await browser.new_context() for _ in range(3)]
    for context, caller in zip(contexts, (anna, eve, zoe), strict=True):
        await log_in(context, server, caller)
    player, one, other = [await new_page(context, server, f"/battles/{battle}") for context in contexts]
    await one.locator("#talk summary").click()
    await one.locator("#talk-words").fill(WORDS)
    await one.locator("#talk-words").press("Control+Enter")
    await expect(one.locator("#talk-said")).to_contain_text(WORDS)
    await expect(other.locator("#talk-unread")).to_contain_text(f"{NEW}1")
    await other.locator("#talk-unread a").click()
    await expect(other.locator("#talk-said")).to_contain_text(WORDS)
    await expect(other.locator("#talk-unread mark")).to_have_count(0)
    await other.reload()
    await expect(other.locator("#talk-unread mark")).to_have_count(0)
    await expect(player.locator("#talk-said")).not_to_contain_text(WORDS)
    assert not (await player.title()).startswith("(")
    await asyncio.gather(*(context.close() for context in contexts))
