"""The packaged battles are ready to play, told, sourced, and on their page."""

import re
from typing import Any

import pytest

from domain.basics.data import scenario_names
from domain.engine.state import SIDES
from domain.games.to_the_strongest.state.state import State, kind
from domain.mechanics.square import on_board
from domain.run.decide import to_act
from tests import battle_page
from tests.support.looping import some
from tests.support.playing import TTS, opened, scenario

NAMES = scenario_names("tts")
HISTORICAL = [name for name in NAMES if name != "skirmish"]
LEAST_WORDS = 60
LEAST_SHARE = 0.35
"""Of the games that are not drawn, each side wins so many at least: a favourite of history may keep 65%."""
GAMES = 200


@pytest.fixture(scope="module", params=NAMES)
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def table(name: str) -> dict[str, Any]:
    return scenario(name)


@pytest.fixture(scope="module")
def state(table: dict[str, Any]) -> State:
    return opened(table)[0]


def test_there_are_battles_from_kadesh_to_agincourt() -> None:
    assert len(HISTORICAL) >= 8
    assert {"cannae", "zama", "issus", "gaugamela", "hydaspes", "raphia", "cynoscephalae", "magnesia"} <= set(NAMES)


def test_the_first_player_can_give_orders_at_once(table, state) -> None:
    assert state.phase == "turns"
    assert to_act(TTS, state) == (table.get("first", "south"),)
    assert len(TTS.orders.options(TTS.secrets.known(state, state.active), state.active)) > 10


def test_all_units_of_both_sides_stand_on_the_board(table, state) -> None:
    given = [unit["id"] for side in SIDES for corps in table["sides"][side]["corps"] for unit in corps["units"]]
    assert sorted(state.units) == sorted(given)
    assert all(on_board(state.board, unit.box) for unit in state.units.values())
    assert not [unit for unit in state.units if on_board(state.board, unit)]


def test_each_army_has_a_commander_and_a_reason_to_come_closer(table, state) -> None:
    """A battle that nobody need begin, or that never ends, is none."""
    assert state.options.turn_limit > 0
    for side in SIDES:
        assert sum("commander" in general.traits for general in state.generals.values() if general.side == side) == 1
        assert sum(not kind(unit).light for unit in state.units.values() if unit.side == side) >= 3


def test_it_is_told_and_its_sources_are_named(table) -> None:
    assert len(table["history"].split()) >= LEAST_WORDS
    assert len(table["history_fr"].split()) >= LEAST_WORDS
    assert len(table["title"]) > 3
    assert all(len(source) > 3 for source in table["sources"])
    assert table["sources"]


@pytest.mark.parametrize("name", HISTORICAL)
def test_a_historical_battle_has_a_date_and_cites_book_and_chapter(name: str) -> None:
    live = scenario(name)
    assert re.search(r", (AD )?\d+( BC)?$", live["title"])
    assert any(re.search(r"\d", source) for source in live["sources"])


# --- the page


def test_the_page_lists_every_battle_with_its_sides_points_medals_and_board() -> None:
    rows = battle_page.rows(battle_page.PAGE.read_text())
    assert {name: row[:-2] for name, row in rows.items()} == {name: battle_page.facts(name) for name in NAMES}, (
        "run: python -m tests.battle_page"
    )


def test_every_balance_on_the_page_is_of_two_hundred_games_and_fair() -> None:
    rows = battle_page.rows(battle_page.PAGE.read_text())
    for name, row in some(rows.items()):
        south, north, drawn = map(int, row[-2].split(" – "))
        assert (south + north + drawn, row[-1].isdigit()) == (GAMES, True), name
        assert min(south, north) >= LEAST_SHARE * (south + north), name


def test_new_results_replace_a_balance_and_leave_the_others_alone() -> None:
    text = battle_page.PAGE.read_text()
    won = {"scenario": "zama", "won": {"south": 3, "north": 2}, "drawn": 1}
    after = battle_page.rows(battle_page.page(text, battle_page.measured({"seed": 7, "scenarios": [won]})))
    assert after.pop("zama")[-2:] == ("3 – 2 – 1", "7")
    assert after == {name: row for name, row in battle_page.rows(text).items() if name != "zama"}
