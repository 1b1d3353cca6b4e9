"""Every generic feature with every game of the catalogue: a game is covered by standing there.

One short battle of each game is played by its bots and given up after some orders. What a user does with a game is
then done with it, and nothing on the way may speak of what the game does not have: who rolls dice reads of no cards.
"""

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from domain.basics.data import demo_scenario, first_scenario, scenario_names
from domain.catalogue import RULESETS
from domain.contract.ruleset import NOBODY
from domain.events.battle import CardDrawn, DieRolled
from domain.run.bots import BOTS
from domain.scripts.reading import read
from replay import battle_file
from replay.battle_file import BattleFile
from replay.catalogue import shown_of
from replay.drawing.svg import draw_svg
from replay.drawing.text import draw_text
from replay.telling import words
from replay.telling.why import explain, to_text
from replay.telling.words import order_in
from replay.writing.entropy import SeededEntropy
from replay.writing.in_memory import OfflineBattle, SeededClock, scenario_table
from server.play.seating import take_side
from server.shown.notation import order_help
from tests.server.cli.test_cli import phalera
from tests.server.web.pages.visiting import Visitor
from tests.support import messages
from tests.support.cases import CASES
from tests.support.lanes import thinned
from tests.support.letter_writing import opened
from tests.support.looping import some
from tests.support.serving import BATTLES, PHRASE, RunningServer

GAMES = pytest.mark.parametrize("code", list(RULESETS))
LANGUAGES = pytest.mark.parametrize("lang", ["en", "fr"])
ORDERS = 60
CARDS = re.compile(r"\b(cards?|decks?|cartes?|paquets?|medals?|médailles?)\b", re.I)
"""Words of a game that has a deck, or of the first game alone."""
DICE = re.compile(r"\b(die|dice|dés?)\b", re.I)


@cache
def content_of(code: str) -> bytes:
    """The file of a short battle between bots, given up by the side that is to move."""
    ruleset = RULESETS[code]
    table = scenario_table(ruleset, first_scenario(code))
    battle = OfflineBattle(ruleset, table, SeededClock(code), SeededEntropy(code))
    for side in ("south", "north"):
        battle.seat_bot(side, "sensible")
    for _ in range(ORDERS):
        if not battle.recording.battle.ended:
            battle.bot_order()
    if not battle.recording.battle.ended:
        battle.order(battle.to_act[0], "resign", "bot")
    return battle.file()


@cache
def battle_of(code: str) -> BattleFile:
    return battle_file.parse(content_of(code), code)


@pytest.fixture
def path(code: str, tmp_path: Path) -> Path:
    """The file of the short battle."""
    file = tmp_path / f"{code}.battle"
    file.write_bytes(content_of(code))
    return file


def has_cards(code: str) -> bool:
    return any(isinstance(recorded.event, CardDrawn) for recorded in battle_of(code).events)


def has_dice(code: str) -> bool:
    return any(isinstance(recorded.event, DieRolled) for recorded in battle_of(code).events)


def fits(code: str, text: str) -> bool:
    """Whether a text speaks of no card where none is drawn, and of no die where none is rolled."""
    return not ((CARDS.search(text) and not has_cards(code)) or (DICE.search(text) and not has_dice(code)))


# --- what a game brings


@GAMES
def test_it_has_scenarios_to_choose_from_for_a_first_battle_and_to_be_shown(code: str) -> None:
    names = scenario_names(code)
    assert len(names) >= 4
    assert {first_scenario(code), demo_scenario(code)} <= {*names}
    for name in names:
        table = scenario_table(RULESETS[code], name)
        assert table["title"] and table["ruleset"] == code
        OfflineBattle(RULESETS[code], table, SeededClock(name), SeededEntropy(name))


@GAMES
@pytest.mark.slow
def test_chance_falls_in_its_short_battle(code: str) -> None:
    assert has_cards(code) or has_dice(code)


@GAMES
@pytest.mark.parametrize("bot", list(BOTS))
def test_every_bot_opens_with_an_order_that_is_played(code: str, bot: str) -> None:
    ruleset = RULESETS[code]
    table = scenario_table(ruleset, first_scenario(code))
    battle = OfflineBattle(ruleset, table, SeededClock(code), SeededEntropy(code))
    battle.seat_bot("south", bot)
    battle.seat_bot("north", bot)
    assert battle.bot_order()


@GAMES
@pytest.mark.parametrize("bot", list(BOTS))
def test_a_bot_sits_under_the_name_of_the_strength_that_plays(code: str, bot: str) -> None:
    game = replace(RULESETS[code], bots={name: think for name, think in RULESETS[code].bots.items() if name == "easy"})
    battle = OfflineBattle(game, scenario_table(game, first_scenario(code)), SeededClock(code), SeededEntropy(code))
    battle.seat_bot("south", bot)
    seat = battle.recording.battle.seats["south"]
    wanted = "random" if bot == "random" else "easy"
    assert (seat.player, seat.name) == (f"bot-{wanted}", f"{wanted.title()} bot")


@GAMES
@LANGUAGES
def test_its_help_shows_orders_that_can_be_read(code: str, lang: str) -> None:
    chapters = order_help(RULESETS[code], lang)
    examples = [form.example for chapter in chapters for form in chapter.forms]
    assert len(examples) >= 5
    for example in examples:
        command = RULESETS[code].orders.parse(example)
        assert RULESETS[code].orders.parse(RULESETS[code].orders.write(command, lang)) == command
    assert any(example.startswith(("standing", "consigne")) for example in examples)
    assert fits(code, " ".join(form.says for chapter in chapters for form in chapter.forms))


@GAMES
def test_the_lines_that_its_page_of_notation_shows_can_be_read(code: str) -> None:
    orders, senses = RULESETS[code].orders, RULESETS[code].orders.senses
    one, other = senses.orders
    tests = [f"{one} needs at most 6", *senses.examples]
    lines = [f"repeat {one} until it fails or needs more than 7", f"try {one}", *senses.policy.values()]
    lines += [f"if {test}: {other}\nelse: {one}" for test in tests]
    read("\n".join([one, *lines]), orders.parse, senses)  # raises Unreadable


@GAMES
def test_its_words_for_scripts_are_its_own(code: str) -> None:
    senses = RULESETS[code].orders.senses
    for test in some(senses.examples):
        keys = tuple(senses.words.get(word, word) for word in test.lower().split())
        results = {"fails", "passes", *senses.results}
        assert (keys[0] == "it" and keys[-1] in results) or senses.read_test(keys) is not None, test


# --- its battle file


@pytest.mark.slow
@GAMES
def test_its_file_holds(path: Path) -> None:
    told = phalera("verify", path)
    assert told.code == 0, told.out


@GAMES
@LANGUAGES
@pytest.mark.slow
def test_it_is_told_in_sentences(code: str, lang: str, path: Path) -> None:
    told = phalera("replay", path, "--plain", "--lang", lang)
    assert told.code == 0
    assert fits(code, told.out)
    assert not re.search(rf"\b({re.escape(code)}|core)\.\w", told.out)  # an id that no catalogue has


@GAMES
@LANGUAGES
@pytest.mark.slow
def test_each_event_is_explained_and_odds_speak_of_what_is_drawn(code: str, lang: str) -> None:
    battle = battle_of(code)
    told = {}
    for before, recorded in zip(states_of(battle), battle.events, strict=False):
        at = recorded.n
        explanation = explain(battle.ruleset, before, battle.events[:at], battle.events[at:], lang)
        told[at] = to_text(explanation, lang)
        assert fits(code, "\n".join(told[at].splitlines()[2:])), told[at]
    drawn = [recorded.n for recorded in battle.events if isinstance(recorded.event, CardDrawn | DieRolled)]
    odds = words.phrase("why-text.odds", {"does": 1, "of": 6, "needed": 4, "dice": True, "how": "at-least"}, lang)
    assert any(odds.partition(":")[0] in told[n] for n in drawn)


def states_of(battle: BattleFile) -> list[Any]:
    """The state before each event, as everybody knows it."""
    return [battle.ruleset.secrets.known(battle.timeline.at(n).game, NOBODY) for n in range(battle.last)]


@pytest.mark.parametrize("code", thinned(RULESETS, len(RULESETS)))
def test_its_statistics_name_what_is_drawn_and_what_is_counted(code: str, path: Path) -> None:
    told = phalera("stats", path)
    assert told.code == 0
    assert fits(code, told.out)
    assert words.phrase(RULESETS[code].shown.tallied, {}, "en") in told.out
    counted = json.loads(phalera("stats", path, "--json").out)[str(path)]["counted"]
    assert sum(trial["draws"] for side in counted for trial in side["trials"]) > 0


@pytest.mark.parametrize("code", thinned(RULESETS, len(RULESETS)))
@pytest.mark.parametrize("to", thinned(["txt", "svg", "json"], 4))
def test_its_board_is_drawn(path: Path, to: str) -> None:
    told = phalera("board", path, "--to", to)
    assert told.code == 0 and told.out
    if to == "txt":
        assert max(map(len, told.out.splitlines())) <= 80


@pytest.mark.slow
@GAMES
def test_both_sides_and_a_stranger_see_a_board(code: str) -> None:
    ruleset, game = RULESETS[code], battle_of(code).timeline.now.game
    for side in ("south", "north", NOBODY):
        scene = ruleset.shown.view(ruleset.secrets.known(game, side), side)
        assert draw_svg(scene).startswith("<svg") and draw_text(scene)


# --- commands without a file


@pytest.mark.parametrize("code", thinned(RULESETS, len(RULESETS)))
def test_it_is_played_in_the_terminal(code: str, tmp_path: Path) -> None:
    out = tmp_path / "mine.battle"
    told = phalera("play", "--ruleset", code, "--seed", 1, "--out", out, typed=b"?\nresign\nyes\n")
    assert told.code == 0
    assert fits(code, told.out)
    assert phalera("verify", out).code == 0


@GAMES
def test_a_case_of_it_is_played_in_the_lab(code: str) -> None:
    case = next(iter(sorted((CASES.parent / code).rglob("*.toml"))))
    told = phalera("lab", case)
    assert told.code == 0, told.out


@GAMES
@LANGUAGES
@pytest.mark.slow
def test_its_sheets_are_printed(code: str, lang: str, tmp_path: Path) -> None:
    told = phalera("aids", "--ruleset", code, "--lang", lang, "--out", tmp_path / "sheets")
    assert (told.code == 0) == bool(shown_of(code).sheets), told.err
    assert told.code == 0 or f"no play-aid sheets for {RULESETS[code].title}" in told.err


@GAMES
@pytest.mark.slow
def test_bots_show_and_simulate_it(code: str, tmp_path: Path) -> None:
    told = phalera("demo", "--ruleset", code, "--out", tmp_path / "demo.battle")
    assert told.code == 0
    assert fits(code, told.out)
    scenario = f"{code}/{first_scenario(code)}"
    assert phalera("simulate", "--scenario", scenario, "--games", 1).out.splitlines()[1].split()[1] == "1"


# --- the server


@GAMES
@pytest.mark.slow
async def test_it_is_played_over_http_and_on_the_page(server: RunningServer, code: str) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    battle = await anna.open(f"{code}/{first_scenario(code)}", pace="3d+7d")
    for side, caller in (("south", anna), ("north", bob)):
        assert (await caller.sit(battle, side, phrase=PHRASE)).status == 201
    side = (await anna.view(battle))["to_act"][0]
    caller = anna if side == "south" else bob
    view = await caller.view(battle)
    assert view["clocks"][side]["deadline"]
    options = (await caller.get(f"{BATTLES}/{battle}/options")).json["options"]
    order = next(option["order"] for option in options if option.get("exhaustive", True))
    preview = await caller.post(f"{BATTLES}/{battle}/preview", {"orders": order})
    assert preview.json["lines"][0]["accepted"] > 0, preview.text
    played = await caller.order(battle, order)
    assert played.json["lines"][0]["status"] == "accepted", played.text
    for media in ("image/svg+xml", "text/plain", "application/json"):
        board = await server.stranger.get(f"{BATTLES}/{battle}/board", {"Accept": media})
        assert (board.status, board.type) == (200, media)
    for address in (f"/battles/{battle}", f"/battles/{battle}/why/{view['n']}", f"/notation/{code}"):
        page = await caller.get(address, {"Accept": "text/html"})
        assert page.status == 200
        assert fits(code, re.sub(r"<(script|style)\b.*?</\1>|<[^>]+>", " ", page.text, flags=re.S)), address
    listed = (await server.stranger.get(BATTLES)).json["battles"]
    assert [(entry["battle"], entry["ruleset"]) for entry in listed] == [(battle, code)]


@GAMES
@pytest.mark.slow
async def test_the_lobby_offers_it_and_one_click_opens_it(server: RunningServer, code: str) -> None:
    guest = Visitor(server)
    lobby = await guest.get("/")
    assert f"Play {RULESETS[code].title}" in lobby.words
    offered = await guest.get("/new")
    for name in scenario_names(code):
        assert f'value="{code}/{name}"' in offered.text
    page = await guest.send("/battles", scenario=f"{code}/{first_scenario(code)}", phrase=PHRASE)
    assert page.status == 200
    assert "The server plays this side." in page.words


@GAMES
@LANGUAGES
@pytest.mark.slow
async def test_a_letter_asks_for_its_first_orders(tmp_path: Path, code: str, lang: str) -> None:
    async with opened(tmp_path / "data") as office:
        table = scenario_table(RULESETS[code], first_scenario(code))
        office.live = await office.battles.open(code, table, "public")
        for side, name in (("south", "Anna"), ("north", "Bob")):
            phrase = messages.phrase(office.live.recording, PHRASE)
            await take_side(office.live, side, await office.enrol(side, name, lang=lang), phrase=phrase)
        side = office.live.to_act()[0]
        letter = await office.newest(side)
        first = order_in(RULESETS[code], office.live.options(side)[0].order, lang)
        assert first.split()[0] in letter.text
        assert fits(code, letter.text), letter.text
