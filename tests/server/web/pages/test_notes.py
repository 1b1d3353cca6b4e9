"""A player's own notes about a battle: kept while they are written, and never shown to anybody else."""

import json

from playwright.async_api import Browser, expect

from server.people import players
from server.store.tables import notes
from tests.server.web.pages.test_browser import log_in, new_page
from tests.server.web.pages.visiting import OWN, Page, Visitor, visitor_of
from tests.support.serving import BATTLES, RunningServer

SECRET = "He always charges with the <elephants> first.\nWait for it."
SHOWN = "He always charges with the &lt;elephants&gt; first.\nWait for it."


async def keep(visitor: Visitor, battle: str, note: str, was: str = "", **more: str) -> Page:
    return await visitor.ask("POST", f"/battles/{battle}/note", OWN, {"note": note, "was": was, **more})


async def test_only_its_owner_ever_reads_a_note(server: RunningServer) -> None:
    anna, bob, eve = [await server.player(name) for name in ("Anna", "Bob", "Eve")]
    battle = await server.battle(anna, bob)
    mine = await visitor_of(server, anna)
    assert json.loads((await keep(mine, battle, SECRET)).text) == {"text": SECRET}
    assert SHOWN in (await mine.get(f"/battles/{battle}")).text
    for reader in (await visitor_of(server, bob), await visitor_of(server, eve), Visitor(server)):
        for path in (f"/battles/{battle}", f"/battles/{battle}/words", f"/players/{anna.player}", "/"):
            assert "elephants" not in (await reader.get(path)).text
    for caller in (anna, bob, server.stranger):
        for part in ("", "/events", "/export", "/proof"):
            assert "elephants" not in (await caller.get(f"{BATTLES}/{battle}{part}")).text


async def test_who_plays_not_keeps_no_note(server: RunningServer) -> None:
    anna, bob, eve = [await server.player(name) for name in ("Anna", "Bob", "Eve")]
    battle = await server.battle(anna, bob)
    assert (await keep(Visitor(server), battle, SECRET)).status == 401
    assert (await keep(await visitor_of(server, eve), battle, SECRET)).status == 403
    cross = await (await visitor_of(server, anna)).ask(
        "POST", f"/battles/{battle}/note", {"Sec-Fetch-Site": "cross-site"}, {"note": SECRET}
    )
    assert cross.status == 403
    assert (await keep(await visitor_of(server, anna), battle, "x" * (notes.LONGEST + 1))).status == 422
    assert server.running.store.rows("SELECT * FROM notes") == []


async def test_two_windows_lose_nothing_and_an_empty_note_is_forgotten(server: RunningServer) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    battle = await server.battle(anna, bob)
    mine = await visitor_of(server, anna)
    await keep(mine, battle, "one")
    assert json.loads((await keep(mine, battle, "two")).text) == {"text": "one\ntwo"}
    assert json.loads((await keep(mine, battle, "three", was="one\ntwo")).text) == {"text": "three"}
    back = await keep(mine, battle, "four\r\nfive", was="three", do="keep")
    assert (back.status, back.headers["Location"]) == (303, f"/battles/{battle}#notes")
    assert notes.find(server.running.store, battle, anna.player) == "four\nfive"
    await keep(mine, battle, " ", was="four\nfive")
    assert server.running.store.rows("SELECT * FROM notes") == []


async def test_notes_go_with_their_owner_into_the_file_and_off_the_server(server: RunningServer) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    battle = await server.battle(anna, bob)
    mine, his = await visitor_of(server, anna), await visitor_of(server, bob)
    await keep(mine, battle, SECRET)
    await keep(his, battle, "his own")
    told = json.loads((await mine.get("/settings/data")).text)
    assert [(one["name"], one["email"]) for one in told["account"]] == [("Anna", "Anna@example.org")]
    assert [(note["battle"], note["text"]) for note in told["notes"]] == [(battle, SECRET)]
    assert (await Visitor(server).get("/settings/data")).status == 401
    await server.running.store.write(*players.erased(anna.player))
    assert [note[0] for note in server.running.store.rows("SELECT text FROM notes")] == ["his own"]


async def test_a_note_is_kept_while_it_is_written(server: RunningServer, browser: Browser) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    battle = await server.battle(anna, bob)
    context = await browser.new_context()
    await log_in(context, server, anna)
    page = await new_page(context, server, f"/battles/{battle}")
    await page.locator("#notes summary").click()
    await page.locator("#note").fill(SECRET)
    await expect(page.locator("#note-told")).to_have_text("Kept.")
    n = (await server.running.battles.get(battle)).n
    assert (await bob.order(battle, "standing evade N3 never")).status == 200
    await expect(page.locator("#battle")).not_to_have_attribute("data-n", str(n))  # the page was brought up to date
    await expect(page.locator("#note")).to_have_value(SECRET)
    await page.reload()
    await page.locator("#notes summary").click()
    await expect(page.locator("#note")).to_have_value(SECRET)
    await keep(await visitor_of(server, anna), battle, f"{SECRET}\nFrom my telephone.", was=SECRET)
    await page.locator("#note").press("Control+End")
    await page.locator("#note").press_sequentially("!")
    await expect(page.locator("#note")).to_have_value(f"{SECRET}\nFrom my telephone.\n{SECRET}!")
    await context.close()
