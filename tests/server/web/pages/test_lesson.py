"""The lesson: its battle, its steps as their events come, and both in a browser."""

import os
import re
from itertools import pairwise

import pytest
from playwright.async_api import Browser, expect

from domain.basics.data import read_toml
from domain.catalogue import RULESETS
from domain.events.battle import OrderAccepted
from domain.run.timeline import catalogue_of
from replay.telling.words import LANGUAGES
from replay.writing.entropy import SeededEntropy
from replay.writing.in_memory import OfflineBattle, SeededClock
from server.shown.lesson import LEARNER, has_lesson, lesson_outline, lesson_scenario, lesson_shown
from tests.server.web.pages.test_browser import DOUBLE_IDS, NAMELESS, new_page, shown, up_to_date
from tests.server.web.pages.test_by_hand import order_by_hand
from tests.server.web.pages.test_seals import give, newest
from tests.server.web.pages.test_watching import checked
from tests.server.web.pages.visiting import OWN, Page, Visitor
from tests.support.serving import PHRASE, RunningServer

TTS = RULESETS["tts"]
GAMES = ("tts", "stp")
"""Those that have a lesson, in the order of the site."""
ORDER = re.compile("[“«]\\s?((?:group|groupe|standing|consigne|A\\d) [^“”«»…]*?)\\s?[”»]")
"""An order in the text of a step."""
CHARGED = "Your charge is declared. End the step with “done”: it is carried out then."
STEPS = len(read_toml("tts", "lesson", "steps.toml")["step"])


def lesson_battle(seed: str, south: str = "sensible", code: str = "tts") -> OfflineBattle:
    battle = OfflineBattle(RULESETS[code], lesson_scenario(code), SeededClock(seed), SeededEntropy(seed))
    battle.seat_bot("south", south)
    battle.seat_bot("north", "easy")
    return battle


# --- the steps


@pytest.mark.parametrize("seed", ["1", "2", "3"])
@pytest.mark.parametrize("code", GAMES)
def test_the_steps_are_done_one_by_one_until_the_battle_is_over(code: str, seed: str) -> None:
    battle = lesson_battle(seed, code=code)
    done, shown = [0], lesson_outline(code)
    while not battle.recording.battle.ended:
        battle.bot_order()
        found = lesson_shown(battle.recording, LEARNER, len(battle.recording.timeline.events))
        assert found is not None
        shown = found
        done.append(shown.done)
        assert [step.state for step in shown.steps].count("current") == (0 if shown.end else 1)
    assert done == sorted(done)
    assert done[1] == 1  # the first order draws the first card, or ends the general orders
    assert max(after - before for before, after in pairwise(done[:-1])) <= 2  # nobody misses what is told
    assert shown.end and done[-1] == len(shown.steps)


def test_looking_back_shows_the_steps_of_that_time() -> None:
    battle = lesson_battle("1")
    for _ in range(12):
        battle.bot_order()
    now = lesson_shown(battle.recording, LEARNER, len(battle.recording.timeline.events))
    then = lesson_shown(battle.recording, LEARNER, 8)
    assert now is not None and then is not None
    assert then.done == 0 < now.done


def test_a_failed_card_is_spoken_of_until_the_turn_ends() -> None:
    battle = lesson_battle("2", south="random")
    said: set[bool] = set()
    while not battle.recording.battle.ended and len(said) < 2:
        battle.bot_order()
        events = battle.recording.timeline.events
        shown = lesson_shown(battle.recording, LEARNER, len(events))
        assert shown is not None
        own = [
            type(one.event).__name__
            for one in events
            if getattr(one.event, "side", "") == LEARNER and type(one.event).__name__ in ("CorpsEnded", "TurnEnded")
        ]
        if not battle.recording.battle.ended:
            assert bool(shown.asides) == (own[-1:] == ["CorpsEnded"])
            said.add(bool(shown.asides))
    assert said == {True, False}


def test_only_the_learner_of_a_lesson_is_told_its_steps() -> None:
    lesson = lesson_battle("1")
    other = OfflineBattle(TTS, {**lesson_scenario("tts"), "first": "north"}, SeededClock("1"), SeededEntropy("1"))
    assert lesson_shown(lesson.recording, LEARNER, 1) is not None
    for recording, side in ((lesson.recording, "north"), (lesson.recording, ""), (other.recording, LEARNER)):
        assert lesson_shown(recording, side, 1) is None


def test_a_declared_charge_is_spoken_of_until_it_is_carried_out() -> None:
    """In the first seeds in which the learner charges."""
    said: set[bool] = set()
    for seed in map(str, range(1, 40)):
        battle = lesson_battle(seed, code="stp")
        while not battle.recording.battle.ended and len(said) < 2:
            battle.bot_order()
            events = battle.recording.timeline.events
            shown = lesson_shown(battle.recording, LEARNER, len(events))
            own = [type(one.event).__name__ for one in events if LEARNER in (one.by, getattr(one.event, "side", ""))]
            last = [name for name in own if name in ("ChargeDeclared", "ChargeMoved", "ChargeFailed", "StepBegan")]
            if shown is not None and not shown.end:
                assert (CHARGED in shown.asides) == (last[-1:] == ["ChargeDeclared"])
                said.add(CHARGED in shown.asides)
    assert said == {True, False}


@pytest.mark.parametrize("code", GAMES)
def test_the_orders_of_the_steps_can_be_read(code: str) -> None:
    texts = [step["text"] for step in read_toml(code, "lesson", "steps.toml")["step"]]
    orders = [found for text in texts for said in text.values() for found in ORDER.findall(said)]
    for order in orders:
        RULESETS[code].orders.parse(order)
    assert bool(orders) == (code == "stp")


@pytest.mark.parametrize("code", GAMES)
def test_the_steps_name_events_of_the_game_in_every_language(code: str) -> None:
    table, known = read_toml(code, "lesson", "steps.toml"), set(catalogue_of(RULESETS[code]))
    steps, asides = table["step"], table["aside"]
    signs = [sign for step in steps for sign in step["done"]]
    signs += [sign for aside in asides for sign in (*aside["from"], *aside["until"])]
    assert {sign["event"] for sign in signs} <= known
    for texts in (*(step[part] for step in steps for part in ("title", "text")), *table["end"].values()):
        assert set(texts) == set(LANGUAGES)
    assert sorted(one for one in RULESETS if has_lesson(one)) == sorted(GAMES)
    assert {step.state for step in lesson_outline(code).steps} == {"coming"}


# --- on the pages


def progress(page: Page) -> str:
    found = re.search(r'id="lesson-title">([^<]*)<', page.text)
    return found[1] if found else ""


async def test_the_lesson_is_played_without_a_script(server: RunningServer) -> None:
    visitor = Visitor(server)
    assert "/learn" in (await visitor.get("/")).text
    outline = await visitor.get("/learn")
    assert "Hits and saves" in outline.words
    page = await visitor.send("/learn", side=LEARNER, phrase=PHRASE)
    assert progress(page) == f"Lesson: 0 of {STEPS} steps done"
    assert "Choose one of your two legions" in page.words
    assert "What a card means" in page.words and "draws a card from 1 to 10" not in page.words
    battle = page.path.rpartition("/")[2]
    page = await visitor.order(battle, "R1 ahead")
    assert progress(page) == f"Lesson: 1 of {STEPS} steps done"
    assert "draws a card from 1 to 10" in page.words
    assert progress(await Visitor(server).get(f"/battles/{battle}")) == ""
    assert battle not in (await Visitor(server).get("/watch")).text


async def test_a_lesson_is_french_for_a_french_reader(server: RunningServer) -> None:
    visitor = Visitor(server)
    await visitor.ask("POST", "/language", OWN, {"language": "fr", "back": "/"})
    page = await visitor.send("/learn", side=LEARNER, phrase=PHRASE)
    assert "Première leçon" in page.words and "Choisissez une de vos deux légions" in page.words
    assert "Les gens du pré" in page.words and "meadow" not in page.words


async def test_the_lesson_of_another_game_has_its_own_address(server: RunningServer) -> None:
    visitor = Visitor(server)
    assert 'href="/learn?game=stp"' in (await visitor.get("/learn")).text
    outline = await visitor.get("/learn?game=stp")
    assert "Shot to Pieces" in outline.words and "SHAKEN and BRITTLE" in outline.words
    assert 'href="/learn?game=tts"' in outline.text
    assert (await visitor.get("/learn?game=singidunum")).status == 404
    page = await visitor.send("/learn", game="stp", side=LEARNER, phrase=PHRASE)
    steps = len(read_toml("stp", "lesson", "steps.toml")["step"])
    assert progress(page) == f"Lesson: 0 of {steps} steps done"
    battle = page.path.rpartition("/")[2]
    page = await visitor.order(battle, "done")
    assert progress(page) == f"Lesson: 1 of {steps} steps done"
    assert "two beyond 50 cm of the general" in page.words
    page = await visitor.order(battle, "group A1 A2 move 10")
    assert progress(page) == f"Lesson: 2 of {steps} steps done"


async def test_another_battle_has_no_lesson(server: RunningServer) -> None:
    page = await Visitor(server).send("/battles", scenario="tts/skirmish", phrase=PHRASE)
    assert page.status == 200 and progress(page) == "" and "guide.css" not in page.text


async def test_a_lesson_goes_on_beside_the_board_as_it_is_played(server: RunningServer, browser: Browser) -> None:
    page = await new_page(await browser.new_context(), server, "/learn")
    await page.get_by_role("button", name="Begin").click()
    await expect(page.locator("#status")).to_contain_text("It is your turn")
    await up_to_date(page, server)
    current = page.locator("#lesson [aria-current=step]")
    await expect(current).to_contain_text("Choose a unit and move it")
    await order_by_hand(page, "R1", "C3")
    await page.get_by_role("button", name="Send").click()
    await expect(current).to_contain_text("What a card means")
    await expect(page.locator("#lesson-title")).to_have_text(f"Lesson: 1 of {STEPS} steps done")
    here = page.locator("#status .lesson-here")
    await expect(here).to_be_hidden()
    await page.set_viewport_size({"width": 360, "height": 740})
    await expect(here).to_contain_text("What a card means")
    await expect(here).to_be_in_viewport()
    assert await page.evaluate(NAMELESS) == []
    assert await page.evaluate(DOUBLE_IDS) == []
    if os.environ.get("CI") != "true":
        pytest.importorskip("axe_playwright_python", reason="axe-playwright-python is not installed")
    from axe_playwright_python.async_playwright import Axe

    assert (await Axe().run(page)).violations_count == 0, (await Axe().run(page)).generate_report()


async def test_an_order_without_figures_is_no_fault_of_the_server(server: RunningServer, browser: Browser) -> None:
    """The log has the figures that it came to (STP-ORD-10); other words than those that were sent are a fault still."""
    page = await new_page(await browser.new_context(), server, "/learn?game=stp")
    await page.get_by_role("button", name="Begin").click()
    await expect(page.locator("#status")).to_contain_text("It is your turn")
    await up_to_date(page, server)
    await give(server, page, "done")
    await expect(page.locator("#status")).to_contain_text("charges")
    await give(server, page, "A1 move 5\nA3 level with A1")
    await newest(server, page)
    await checked(page)
    await expect(page.locator("#lesson [aria-current=step]")).to_contain_text("Fire")
    events = [one.event for one in (await shown(page, server)).recording.timeline.events]
    lines = [one.text for one in events if isinstance(one, OrderAccepted) and one.side == LEARNER]
    assert lines[-2:] == ["A1 move 5", "A3 move 4.5"]
