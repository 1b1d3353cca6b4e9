"""What the players say to each other stands beside the board, is shown as it comes, and is marked until it was read."""

import pytest
from playwright.async_api import Browser, expect

from tests.server.web.pages.test_browser import log_in, new_page
from tests.server.web.pages.visiting import OWN, Page, Visitor, visitor_of
from tests.support.serving import BATTLES, RunningServer

NEW = "New messages: "


async def two(server: RunningServer) -> tuple[Visitor, Visitor, str]:
    """Anna and Bob at their battle."""
    anna, bob = await server.player("Anna"), await server.player("Bob")
    battle = await server.battle(anna, bob)
    return await visitor_of(server, anna), await visitor_of(server, bob), battle


async def say(visitor: Visitor, battle: str, words: str, key: str, **more: str) -> Page:
    return await visitor.ask("POST", f"/battles/{battle}/words", OWN, {"words": words, "key": key, **more})


@pytest.mark.slow
async def test_a_message_stands_beside_the_board_and_is_marked_until_it_was_read(server: RunningServer) -> None:
    anna, bob, battle = await two(server)
    path = f"/battles/{battle}"
    sent = await say(anna, battle, "Well <met>", "k1", beside="yes")
    assert sent.headers["Location"] == f"{path}#talk"
    hers, his = await anna.get(path), await bob.get(path)
    assert "Well &lt;met&gt;" in hers.text and NEW not in hers.words
    assert f"{NEW}1" in his.words and "<title>(1) " in his.text
    assert f"{NEW}1" in (await bob.get("/")).words and "<title>(1) " in (await bob.get("/")).text
    assert NEW not in (await anna.get("/")).words
    await bob.get(f"{path}/words")
    assert NEW not in (await bob.get(path)).words and NEW not in (await bob.get("/")).words
    await say(anna, battle, "Again", "k2")
    assert f"{NEW}1" in (await bob.get(path)).words


async def test_nobody_else_reads_or_marks_a_message(server: RunningServer) -> None:
    anna, _, battle = await two(server)
    await say(anna, battle, "Between us", "k1")
    for stranger in (Visitor(server), await visitor_of(server, await server.player("Eve"))):
        page = await stranger.get(f"/battles/{battle}")
        assert "Between us" not in page.text and 'data-of="words"' not in page.text and NEW not in page.words
        read = await stranger.ask("POST", f"/battles/{battle}/words/read", OWN, {"seen": "1"})
        assert read.status == 404


async def test_only_what_was_said_is_taken_as_read(server: RunningServer) -> None:
    anna, bob, battle = await two(server)
    await say(anna, battle, "Well met", "k1")
    path = f"/battles/{battle}/words/read"
    for seen in ("", "all", "-1", "١", "9" * 20):
        assert (await bob.ask("POST", path, OWN, {"seen": seen})).status == 422, seen
    assert (await bob.ask("POST", path, {"Sec-Fetch-Site": "cross-site"}, {"seen": "1"})).status == 403
    assert f"{NEW}1" in (await bob.get(f"/battles/{battle}")).words
    assert (await bob.ask("POST", path, OWN, {"seen": "99"})).status == 204
    assert NEW not in (await bob.get(f"/battles/{battle}")).words
    await say(anna, battle, "Again", "k2")
    assert f"{NEW}1" in (await bob.get(f"/battles/{battle}")).words


async def test_a_stream_tells_players_alone_that_something_was_said(server: RunningServer) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    battle = await server.battle(anna, bob)
    stream = f"{BATTLES}/{battle}/stream"
    async with server.client.get(stream, headers=bob.headers) as his, server.client.get(stream) as strange:
        for response in (his, strange):
            await response.content.readline()
        await say(await visitor_of(server, anna), battle, "Well met", "k1")
        await bob.order(battle, "standing evade N3 never")
        heard, read = b"", b""
        while b"StandingOrder" not in heard:
            heard += await his.content.readline()
        while b"StandingOrder" not in read:
            read += await strange.content.readline()
    assert heard.count(b"event: words\n") == 1 and b"Well met" not in heard
    assert b"words" not in read


async def test_two_players_talk_beside_the_board(server: RunningServer, browser: Browser) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    battle = await server.battle(anna, bob)
    hers, his = await browser.new_context(), await browser.new_context()
    await log_in(hers, server, anna)
    await log_in(his, server, bob)
    one, other = [await new_page(context, server, f"/battles/{battle}") for context in (hers, his)]
    await other.locator("#orders").fill("N1 ahead")
    await one.locator("#talk summary").click()
    await one.locator("#talk-words").fill("Your right wing looks thin.")
    await one.locator("#talk-words").press("Control+Enter")
    await expect(one.locator("#talk-said")).to_contain_text("Your right wing looks thin.")
    await expect(one.locator("#talk-words")).to_have_value("")
    await expect(other.locator("#talk-unread")).to_contain_text(f"{NEW}1")
    assert (await other.title()).startswith("(1) ")
    await other.locator("#talk-unread a").click()
    await expect(other.locator("#talk-said")).to_be_visible()
    await expect(other.locator("#talk-unread mark")).to_have_count(0)
    assert not (await other.title()).startswith("(")
    await other.locator("#talk-words").fill("It is bait.")
    await other.locator("#talk-form button").click()
    await expect(one.locator("#talk-said")).to_contain_text("It is bait.")
    await expect(one.locator("#talk-unread mark")).to_have_count(0)  # it is open before her eyes
    await expect(other.locator("#orders")).to_have_value("N1 ahead")
    await other.reload()
    await expect(other.locator("#talk-unread mark")).to_have_count(0)
    for context in (hers, his):
        await context.close()
