"""The bots that a game has, and no others, are offered: on the page, by the API, in the terminal.

By mail: `tests.server.mail.desk.test_commands`, with the scenarios.
"""

import json
import re

from playwright.async_api import Browser

from domain.catalogue import RULESETS
from domain.run.bots import BOTS, offered
from tests.server.cli.test_cli import phalera
from tests.server.web.pages.test_browser import new_page
from tests.server.web.pages.visiting import Visitor
from tests.support.looping import some
from tests.support.serving import RunningServer

OF_GAMES = {code: offered(ruleset) for code, ruleset in RULESETS.items()}
"""Bots by game."""
OPEN = "[...document.querySelector('#opponent').options].filter((one) => !one.disabled).map((one) => one.value)"


def test_no_two_doors_would_agree_by_chance() -> None:
    assert len(set(OF_GAMES.values())) > 1


async def test_the_page_says_which_games_have_a_bot(server: RunningServer) -> None:
    page = await Visitor(server).get("/new")
    form, *of_points = page.text.split('name="armies"')
    games = {bot: codes.split() for bot, codes in re.findall(r'value="(\w+)" data-games="([^"]*)"', form)}
    assert games == {bot: [code for code, has in OF_GAMES.items() if bot in has] for bot in BOTS}
    assert "looks ahead (To the Strongest!, Singidunum)</option>" in form
    assert "a sound opponent</option>" in form
    assert re.findall(r'value="(\w+)" data-games', "".join(some(of_points))) == list(OF_GAMES["tts"])


async def test_the_script_offers_the_bots_of_the_chosen_game(server: RunningServer, browser: Browser) -> None:
    context = await browser.new_context()
    page = await new_page(context, server, "/new?scenario=tts/skirmish")
    assert await page.evaluate(OPEN) == [*OF_GAMES["tts"], "person"]
    await page.locator("#opponent").select_option("strong")
    await page.locator("input[value^='warmaster-shooting/']").first.check()
    assert await page.evaluate(OPEN) == [*OF_GAMES["warmaster-shooting"], "person"]
    assert await page.locator("#opponent").input_value() == "sensible"
    await context.close()


async def test_the_api_lists_the_bots_of_each_scenario(server: RunningServer) -> None:
    scenarios = (await server.stranger.get("/api/v1/scenarios")).json["scenarios"]
    assert {one["ruleset"]: tuple(one["bots"]) for one in scenarios} == OF_GAMES


def test_the_terminal_lists_the_bots_of_each_game() -> None:
    rows = json.loads(phalera("games", "--json").out)["games"]
    assert {row["game"]: tuple(row["bots"]) for row in rows} == OF_GAMES
    assert all(f"bots {', '.join(has)}" in phalera("games").out for has in some(OF_GAMES.values()))
