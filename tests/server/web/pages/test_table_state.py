"""What the table tells beside the orders: cards of units, fields on the board, the legend."""

import os
import re
import tomllib

import pytest
from playwright.async_api import Browser, expect

from domain.basics.data import scenario_names, scenario_text
from tests.server.web.pages.test_browser import log_in, new_page, play_now, shows_newest
from tests.support.looping import some
from tests.support.serving import RunningServer


async def test_a_unit_of_either_side_shows_its_card(server: RunningServer, browser: Browser) -> None:
    page = await play_now(browser, server)
    await page.locator('#board [data-unit="R1"]').click()
    await expect(page.locator("#unit-card h2")).to_have_text(re.compile("^R1, "))
    await expect(page.locator("#unit-card .values")).to_contain_text(re.compile(r"Save \d\+"))
    await expect(page.locator("#unit-card .may")).to_have_text("May act now.")
    await page.keyboard.press("Escape")
    await page.locator('#board [data-unit="N1"]').click()
    await expect(page.locator("#unit-card h2")).to_have_text(re.compile("^N1, "))
    await expect(page.locator("#unit-card .may")).to_have_count(0)
    await page.locator("#unit-card").get_by_role("button", name="Close").click()
    await expect(page.locator("#unit-card")).to_be_hidden()


async def test_the_card_follows_the_battle_and_has_the_last_card(server: RunningServer, browser: Browser) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    battle = await server.battle(anna, bob)
    live = await server.running.battles.get(battle)
    context = await browser.new_context()
    await log_in(context, server, anna)
    page = await new_page(context, server, f"/battles/{battle}")
    await page.locator('#board [data-unit="R1"]').click()
    await expect(page.locator("#unit-card .may")).to_have_text("May act now.")
    await anna.order(battle, "R1 ahead")
    last = live.game.units["R1"].last
    assert last and live.game.armies["south"].opened  # the draw has passed
    await expect(page.locator("#unit-card .legend")).to_contain_text(f"last activation card {last}")
    await expect(page.locator("#board .happened .card text")).to_have_text(str(last))  # once, below the unit
    await expect(page.locator("#board .last-card")).to_have_count(0)
    assert (await anna.order(battle, "done")).status == 200
    await expect(page.locator('#board [data-unit="R1"] .last-card text')).to_have_text(str(last))
    await shows_newest(page, live)
    await expect(page.locator("#unit-card .may")).to_contain_text("[TTS-")


async def test_a_unit_that_may_not_act_says_why(server: RunningServer) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    battle = await server.battle(anna, bob, scenario="zama")
    live = await server.running.battles.get(battle)
    side = live.to_act()[0]
    caller = {"south": anna, "north": bob}[side]
    first = next(option.unit for option in live.options(side) if option.unit and option.target)
    await caller.order(battle, next(option.order for option in live.options(side) if option.unit == first))
    assert live.to_act() == (side,)
    page = (await caller.get(f"/battles/{battle}/units")).text
    listed = {option.unit for option in live.options(side)}
    idle = next(name for name, unit in live.game.units.items() if unit.side == side and name not in listed)
    assert "[TTS-" in page.partition(f'data-dossier="{idle}"')[2].partition("</article>")[0]


async def test_fields_are_drawn_for_one_unit_or_for_all(server: RunningServer, browser: Browser) -> None:
    page = await play_now(browser, server)
    zones = page.get_by_role("button", name="Zone of control", exact=True)
    await zones.click()
    await expect(zones).to_have_attribute("aria-pressed", "true")
    shapes = page.locator("#fields .field-shape.control")
    await expect(shapes.first).to_be_attached()
    every = await shapes.count()
    drawn = await shapes.evaluate_all(
        "all => all.map((one) => `${one.getAttribute('class')} ${one.getAttribute('d')}`)"
    )
    assert len(set(drawn)) == every
    await page.locator('#board [data-unit="R1"]').click()
    await expect(shapes).to_have_count(1)
    assert every > 1
    await page.keyboard.press("Escape")
    await page.locator("#unit-card").get_by_role("button", name="Close").click()
    await expect(shapes).to_have_count(every)
    await page.keyboard.press("z")
    await expect(page.locator("#fields")).to_have_count(0)


async def test_the_keyboard_shows_cards_and_fields(server: RunningServer, browser: Browser) -> None:
    page = await play_now(browser, server)
    box = await page.locator('#board [data-unit="R1"]').get_attribute("data-cell")
    await page.locator("#hint a").first.focus()
    await page.locator(f'#board [data-stop="{box}"]').evaluate("stop => stop.setAttribute('tabindex', '0')")
    await page.locator(f'#board [data-stop="{box}"]').focus()
    await page.keyboard.press("ArrowUp")
    await page.keyboard.press("ArrowDown")
    await expect(page.locator("#unit-card h2")).to_have_text(re.compile("^R1, "))
    await page.keyboard.press("c")
    await expect(page.get_by_role("button", name="Command", exact=True)).to_have_attribute("aria-pressed", "true")


async def test_the_legend_says_what_is_on_the_board(server: RunningServer, browser: Browser) -> None:
    page = await play_now(browser, server)
    await page.locator("#legend summary").click()
    await expect(page.locator("#legend-here li").first).to_be_visible()
    said = await page.locator("#legend-here").inner_text()
    assert "front of a unit" in said
    assert "legionaries" in said
    assert await page.locator("#legend-here svg").count() == await page.locator("#legend-here li").count()


@pytest.mark.parametrize("ruleset", ["singidunum", "warmaster-shooting"])
async def test_other_boards_have_cards_and_fields_too(server: RunningServer, browser: Browser, ruleset: str) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    battle = await server.battle(anna, bob, ruleset=ruleset, scenario="two-lines")
    assert "two-lines" in scenario_names(ruleset)
    context = await browser.new_context()
    await log_in(context, server, anna)
    page = await new_page(context, server, f"/battles/{battle}")
    live = await server.running.battles.get(battle)
    known = live.known("")
    shooter = next(
        name for name, unit in live.game.units.items() if live.ruleset.shown.table.dossier(known, name).fields
    )
    await page.get_by_role("button", name="Field of fire").click()
    stand = live.game.units[shooter].stands[0].id if ruleset == "warmaster-shooting" else shooter
    await page.locator(f'#board [data-unit="{stand}"]').first.click(force=True)
    await expect(page.locator("#unit-card h2")).to_have_text(re.compile(f"^{shooter}, "))
    await expect(page.locator("#fields .field-shape.shoot").first).to_be_attached()
    assert await page.get_by_role("button", name="Zone of control", exact=True).count() == 0


async def test_the_units_are_a_page_that_needs_no_script(server: RunningServer, browser: Browser) -> None:
    page = await new_page(await browser.new_context(java_script_enabled=False), server)
    await page.get_by_role("button", name="Play To the Strongest!").click()
    await page.locator("#legend summary").click()
    await page.get_by_role("link", name="All units with their values").click()
    await expect(page.locator('[data-dossier="R1"] .may')).to_have_text("May act now.")
    await expect(page.locator('[data-dossier="R1"] [data-field="control"] span')).not_to_be_empty()
    await page.get_by_role("link", name="Back to the board").click()
    await expect(page.locator("#status")).to_contain_text("It is your turn")


async def test_nobody_reads_the_cards_of_what_they_may_not_know(server: RunningServer) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    battle = await server.battle(anna, bob, ruleset="singidunum", scenario="ambush")
    live = await server.running.battles.get(battle)
    hidden = {ambush.unit: ambush.side for ambush in live.game.ambushes if ambush.unit}
    for unit, side in some(hidden.items()):
        for caller, own in ((anna, "south"), (bob, "north")):
            answer = await caller.get(f"/battles/{battle}/units")
            assert (f'data-dossier="{unit}"' in answer.text) == (side == own)


async def test_the_goal_is_in_sight_and_each_side_has_its_coins_and_corps(server: RunningServer) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    battle = await server.battle(anna, bob, scenario="zama")
    live = await server.running.battles.get(battle)
    page = (await anna.get(f"/battles/{battle}")).text
    medals = {side: army.medals for side, army in live.game.armies.items()}
    assert f"must lose {medals['north']} medals more" in page.partition('id="status"')[2].partition("</div>")[0]
    assert page.count("<span></span>") == sum(medals.values())
    assert "Corps V, Elephants" in page.partition('id="sides"')[2].partition("</section>")[0]
    assert "no medals left" in (await server.stranger.get(f"/battles/{battle}")).text


async def test_thousands_of_medals_are_no_row_of_coins(server: RunningServer) -> None:
    anna = await server.player("Anna")
    table = tomllib.loads(scenario_text("tts", "skirmish"))
    for army in table["sides"].values():
        army["medals"] = 9_999
    opened = await server.running.battles.open("tts", table, "public")
    page = (await anna.get(f"/battles/{opened.id}")).text
    assert "<span></span>" not in page
    assert "9999" in page.partition('id="sides"')[2].partition("</section>")[0]


async def test_the_board_turns_where_it_is_and_stays_turned(server: RunningServer, browser: Browser) -> None:
    page = await play_now(browser, server)
    await expect(page.locator("#board")).not_to_have_attribute("data-turned", "")
    await page.evaluate("scrollTo(0, 150)")
    await page.locator('#board [data-unit="R1"]').click()
    await expect(page.locator("#unit-card h2")).to_be_visible()
    at = await page.evaluate("scrollY")
    await page.get_by_role("link", name="Turn the board").click()
    await expect(page.locator("#board")).to_have_attribute("data-turned", "")
    assert await page.evaluate("scrollY") == at
    assert "turned" not in page.url
    await expect(page.locator("#unit-card h2")).to_have_text(re.compile("^R1, "))
    await page.keyboard.press("ArrowLeft")
    await expect(page.locator("#battle")).to_have_class(re.compile("replaying"))
    await expect(page.locator("#board")).to_have_attribute("data-turned", "")
    await page.get_by_role("link", name="Turn the board").click()
    await expect(page.locator("#board")).not_to_have_attribute("data-turned", "")
    await page.reload()
    await expect(page.locator("#board")).not_to_have_attribute("data-turned", "")


async def test_no_state_has_a_violation(server: RunningServer, browser: Browser) -> None:
    if not os.environ.get("CI"):
        pytest.importorskip("axe_playwright_python", reason="axe-playwright-python is not installed")
    from axe_playwright_python.async_playwright import Axe

    page, axe = await play_now(browser, server), Axe()
    await page.locator('#board [data-unit="R1"]').click()
    await expect(page.locator("#unit-card h2")).to_be_visible()
    await page.get_by_role("button", name="Zone of control", exact=True).click()
    await page.locator("#legend summary").click()
    await expect(page.locator("#legend-here li").first).to_be_visible()
    for scheme in ("light", "dark"):
        await page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
        for width in (1280, 360):
            await page.set_viewport_size({"width": width, "height": 800})
            found = await axe.run(page)
            assert found.violations_count == 0, found.generate_report()
            assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    await page.goto(f"{page.url.partition('?')[0]}/units")
    found = await axe.run(page)
    assert found.violations_count == 0, found.generate_report()
