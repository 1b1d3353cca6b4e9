"""A battle between two armies of points is played on the pages, from an empty table to the first turn."""

import asyncio
import os
import re

import pytest
from playwright.async_api import Browser, Page, expect

from domain.contract.ruleset import Ruleset
from replay.telling.words import worded
from server.armies import battle_between
from server.shown.menus import MENU
from server.shown.picks import grouped
from tests.server.web.pages.test_browser import address, new_page
from tests.server.web.pages.visiting import Page as VisitedPage
from tests.server.web.pages.visiting import Visitor
from tests.support.serving import PHRASE, RunningServer

ARMIES = {"armies": "tts", "south": "republican_roman", "north": "carthaginian", "size": "100", "seed": "1"}
HIDDEN = re.compile(r"plays a stratagem that stays hidden|unseen by the other side")
PHONE_WIDTH = 390


async def two_players(server: RunningServer, **fields: str) -> tuple[Visitor, Visitor, str]:
    """Ann (south) and Ben, each with a browser, in a battle between two armies."""
    ann, ben = Visitor(server), Visitor(server)
    opened = await ann.send("/battles", **ARMIES, opponent="person", name="Ann", phrase=PHRASE, **fields)
    assert opened.status == 200, opened.words
    battle = opened.path.rpartition("/")[2]
    await ben.send(f"/battles/{battle}/sides/north", name="Ben", phrase=PHRASE, seen=await ben.seen(battle))
    return ann, ben, battle


async def set_up(ann: Visitor, ben: Visitor, server: RunningServer, battle: str, until: str) -> None:
    """The first option that goes on for whoever is to act, until a phase begins."""
    live = await server.running.battles.get(battle)
    for _ in range(200):
        if live.game.phase == until:
            return
        (side,) = live.to_act()
        page = await (ann if side == "south" else ben).order(battle, live.options(side)[-1].order)
        assert 'class="refused"' not in page.text
    raise AssertionError(live.game.phase)


# --- without a script


@pytest.mark.slow
async def test_each_phase_says_what_is_to_be_done_and_who_is_waited_for(server: RunningServer) -> None:
    ann, ben, battle = await two_players(server, stratagems_per_side="0")
    page, other = await ann.get(f"/battles/{battle}"), await ben.get(f"/battles/{battle}")
    assert "Placing terrain: Republican Roman to place." in page.words
    assert "“place wood D4” in a box" in page.words
    assert "“place wood D4” in a box" not in other.words
    assert "It is not your turn: waiting for Ann." in other.words
    page = await ann.order(battle, "place wood D4\nplace stream F4/F5\ndone")
    assert "waiting for Ben" in page.words
    assert "rough 1 of 6" in page.words
    assert "South places a stream between F4 and F5 (piece 2)." in page.words
    await set_up(ann, ben, server, battle, "deployment")
    first, last = (ann, ben) if (await server.running.battles.get(battle)).to_act() == ("south",) else (ben, ann)
    page, other = await first.get(f"/battles/{battle}"), await last.get(f"/battles/{battle}")
    assert "Choose the corps that you deploy by naming its first unit" in page.words
    assert "Choose the corps" not in other.words
    assert "Deployment zone: rows 1 to 2." in page.words
    assert "To deploy, corps I" in page.words
    await set_up(ann, ben, server, battle, "turns")
    assert "The armies are drawn up: the turns begin." in (await ann.get(f"/battles/{battle}")).words


@pytest.mark.slow
async def test_a_place_is_chosen_from_a_menu(server: RunningServer) -> None:
    ann, _, battle = await two_players(server, stratagems_per_side="0")
    page = await ann.get(f"/battles/{battle}")
    assert '<option value="place wood C5">C5</option>' in page.text
    assert '{"order":"place wood C5","target":{"act":"place","box":"C5"},"under":"place-wood"}' in page.text
    fields = {name: page.field(name) for name in ("key", "expect", "side", "seen")}
    chosen = {"orders": "place wood D4\n", "choose": "menu-place-wood", "menu-place-wood": "place wood C5"}
    page = await ann.send(f"/battles/{battle}/orders", **fields, **chosen)
    assert "place wood D4\nplace wood C5\n</textarea>" in page.text
    assert "(piece 1)" not in page.words


async def test_scouting_says_whose_share_of_the_chance_is_wanted(server: RunningServer) -> None:
    options = {"terrain_phase": False, "stratagems_per_side": 0}
    scenario = battle_between("tts", "republican_roman", "carthaginian", 100, 1, options)
    battle = (await server.running.battles.open("tts", scenario, "link")).id
    ann, ben = Visitor(server), Visitor(server)
    await ann.send(f"/battles/{battle}/sides/south", name="Ann")
    await ben.send(f"/battles/{battle}/sides/north", name="Ben", phrase=PHRASE, seen=await ben.seen(battle))
    page, other = await ann.get(f"/battles/{battle}"), await ben.get(f"/battles/{battle}")
    assert "Scouting: the cards are drawn once both sides have given their share of the chance." in page.words
    assert "Your share of the chance is wanted before anything can be drawn" in page.words
    assert "Ann has yet to give a share of the chance" in other.words
    fields = {name: page.field(name, "contribution") for name in ("key", "side", "seen")} | {"phrase": PHRASE}
    page = await ann.send(f"/battles/{battle}/contribution", **fields)
    assert "Deployment: " in page.words
    assert re.search(r"(South|North) wins scouting", page.words)


@pytest.mark.slow
async def test_orders_before_the_turns_can_be_tried(server: RunningServer) -> None:
    ann, ben, battle = await two_players(server, stratagems_per_side="1")
    live = await server.running.battles.get(battle)
    for until in ("terrain", "deployment"):
        await set_up(ann, ben, server, battle, until)
        (side,) = live.to_act()
        before = live.n
        tried = await (ann if side == "south" else ben).order(battle, live.options(side)[0].order, do="preview")
        assert "understood; works in 100%" in tried.words
        assert live.n == before


@pytest.mark.slow
async def test_a_hand_is_told_to_its_owner_with_its_texts(server: RunningServer) -> None:
    ann, ben, battle = await two_players(server, stratagems_per_side="3")
    await set_up(ann, ben, server, battle, "deployment")
    live = await server.running.battles.get(battle)
    held = worded(live.ruleset.shown.view(live.known("south"), "south")).held
    assert len(held) > 1
    own, foreign, stranger = [await who.get(f"/battles/{battle}") for who in (ann, ben, Visitor(server))]
    assert "Stratagems that you hold" in own.words
    assert all(card in own.words for card in held)
    for page in (foreign, stranger):
        assert "In hand, hidden: 3 stratagems." in page.words
    assert "Stratagems that you hold" not in stranger.words


@pytest.mark.slow
async def test_a_blind_deployment_shows_nothing_of_the_other_side(server: RunningServer) -> None:
    ann, ben, battle = await two_players(server, stratagems_per_side="0", blind_deployment="yes")
    await set_up(ann, ben, server, battle, "deployment")
    live = await server.running.battles.get(battle)
    for _ in range(60):
        (side,) = live.to_act()
        await (ann if side == "south" else ben).order(battle, live.options(side)[-1].order)
        if live.game.armies["north"].deployed or live.game.armies["south"].deployed:
            break
    side = next(side for side in ("south", "north") if live.game.armies[side].deployed)
    units = [unit.id for unit in live.game.units.values() if unit.side == side and unit.box]
    own, other = (ann, ben) if side == "south" else (ben, ann)
    assert units
    page = await own.get(f"/battles/{battle}")
    assert all(f'data-unit="{unit}"' in page.text for unit in units)
    for page in (await other.get(f"/battles/{battle}"), await Visitor(server).get(f"/battles/{battle}")):
        assert not any(f'data-unit="{unit}"' in page.text for unit in units)
        assert HIDDEN.search(page.words)
    await set_up(ann, ben, server, battle, "turns")
    page = await other.get(f"/battles/{battle}")
    assert all(f'data-unit="{unit}"' in page.text for unit in units)
    assert "The armies are drawn up, in full view of each other: the turns begin." in page.words


@pytest.mark.parametrize(
    ("field", "value", "told"),
    [
        ("south", "atlantean", "There is no army list “atlantean”."),
        ("size", "5", "An army has"),
        ("size", "many", "size is a number"),
        ("stratagems_per_side", "99", "stratagems_per_side is a number from 0 to 5"),
    ],
)
async def test_armies_that_cannot_meet_are_refused_in_words(
    server: RunningServer, field: str, value: str, told: str
) -> None:
    page = await Visitor(server).send("/battles", **{**ARMIES, "phrase": PHRASE, field: value})
    assert page.status in (400, 404, 422)
    assert told in page.words


def test_orders_of_the_whole_side_that_are_many_are_groups_of_their_own(tts_terrain: tuple[Ruleset, object]) -> None:
    ruleset, state = tts_terrain
    groups = {
        group.id: group
        for group in grouped(
            ruleset.orders.options(state, "south"), ruleset.shown.view(state, "south"), ruleset.shown.kinds
        )
    }
    assert groups["place-wood"].head == "place wood"
    assert ("place wood D4", "D4") in groups["place-wood"].menu
    assert ("place stream D4 / D5", "D4 / D5") in groups["place-stream"].menu
    assert [pick.order for pick in groups[""].picks] == ["done"]
    assert all(len(group.menu) > MENU for group in groups.values() if group.menu)


@pytest.fixture
def tts_terrain() -> tuple[Ruleset, object]:
    from tests.support.before_the_turns import points_battle
    from tests.support.tiny import TTS

    return TTS, points_battle().recording.known("south")


# --- in a browser


async def picture(page: Page, name: str) -> None:
    """Keep a picture where $PICTURES says, to be looked at by people."""
    if os.environ.get("PICTURES"):
        await page.screenshot(path=f"{os.environ['PICTURES']}/{name}.png", full_page=True)


@pytest.mark.long
async def test_a_battle_of_points_is_set_up_by_clicks(server: RunningServer, browser: Browser) -> None:
    page = await new_page(await browser.new_context(viewport={"width": 1280, "height": 900}), server, "/new")
    await picture(page, "lobby")
    await page.get_by_label("Army of south").select_option("republican_roman")
    await page.get_by_label("Seed").fill("1")
    await page.get_by_label("Stratagems of each side").select_option("2")
    await page.get_by_role("button", name="Begin with an empty table").click()
    await expect(page.locator("#status")).to_contain_text("Placing terrain")
    box = page.get_by_label("Orders, one to a line")
    await page.locator("#pick-place-wood summary").click()
    await expect(page.locator("#aims .aim")).to_have_count(96)
    await page.locator('#aims [data-key="D4"]').click()
    await expect(box).to_have_value("place wood D4\n")
    await picture(page, "terrain")
    await box.fill("place wood D4\ndone")
    await page.get_by_role("button", name="Send").click()
    await expect(page.locator("#story")).to_contain_text("South has placed its terrain.")
    await expect(page.locator("#status")).to_contain_text(re.compile("It is your turn|You must answer"))
    live = server.running.battles.live()[-1]
    while live.game.phase != "turns":
        if live.to_act() == ("south",):  # else the bot
            before = f"event {live.n}:"  # the page may come a moment after the bot's order
            await expect(page.locator("#head")).to_contain_text(before)
            await box.fill(live.options("south")[-1].order)
            await page.get_by_role("button", name="Send").click()
            await expect(page.locator("#head")).not_to_contain_text(before)
        await asyncio.sleep(0)
        if live.game.phase == "deployment" and live.game.armies["south"].opened:
            await picture(page, "deployment")
    await expect(page.locator("#story")).to_contain_text("The armies are drawn up")
    await picture(page, "turns")


async def test_the_lobby_and_the_phases_fit_a_phone(server: RunningServer, browser: Browser) -> None:
    page = await new_page(await browser.new_context(viewport={"width": PHONE_WIDTH, "height": 800}), server, "/new")
    assert await page.evaluate("document.documentElement.scrollWidth") <= PHONE_WIDTH
    await page.get_by_role("button", name="Begin with an empty table").click()
    await expect(page.locator("#status")).to_contain_text("Placing terrain")
    assert await page.evaluate("document.documentElement.scrollWidth") <= PHONE_WIDTH
    assert address(server) in page.url


# --- proposals of the bot


async def test_the_bot_proposes_into_the_order_box_and_nothing_is_sent(server: RunningServer) -> None:
    ann, ben, battle = await two_players(server, stratagems_per_side="0")
    live = await server.running.battles.get(battle)
    page, n = await ann.get(f"/battles/{battle}"), live.n
    assert 'value="plan"' in page.text
    assert 'value="plan"' not in (await ben.get(f"/battles/{battle}")).text
    fields = {name: page.field(name) for name in ("key", "expect", "side", "seen")}
    page = await ann.send(f"/battles/{battle}/orders", **fields, orders="place wood D4\n", do="plan")
    assert "Nothing is sent" in page.words and live.n == n
    lines = box_of(page)
    assert lines[0] == "place wood D4" and len(lines) > 1
    assert box_of(await ann.get(f"/battles/{battle}")) == lines  # it is kept as any draft
    page = await ann.send(f"/battles/{battle}/orders", **fields, orders="\n".join(lines), do="plan")
    assert "nothing more to propose" in page.words and box_of(page) == lines
    page = await ann.order(battle, "\n".join(lines[1:]))
    assert 'class="refused"' not in page.text and live.n > n


async def test_the_tray_takes_what_the_bot_proposes(server: RunningServer, browser: Browser) -> None:
    page = await new_page(await browser.new_context(viewport={"width": 1280, "height": 900}), server, "/new")
    await page.get_by_label("Seed").fill("1")
    await page.get_by_role("button", name="Begin with an empty table").click()
    await expect(page.locator("#status")).to_contain_text("Placing terrain")
    await page.get_by_role("button", name="Propose a set-up").click()
    await expect(page.locator("#answer")).to_contain_text("Nothing is sent")
    chips = page.locator("#chips li")
    count = await chips.count()
    assert count > 1
    await chips.first.get_by_role("button", name="Remove").click()
    await expect(chips).to_have_count(count - 1)
    assert len((await page.get_by_label("Orders, one to a line").input_value()).split()) == 3 * (count - 1)
    await picture(page, "proposed")


def box_of(page: VisitedPage) -> list[str]:
    found = re.search(r'<textarea id="orders"[^>]*>([^<]*)</textarea>', page.text)
    assert found
    return [line for line in found[1].split("\n") if line]
