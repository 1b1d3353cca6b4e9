"""The packaged battles: each loads, can be played at once, is told in both languages, and bears its shields."""

import math
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from domain.basics.data import SCENARIOS, games, read_toml, scenario_names
from domain.engine.state import SIDES
from domain.games import shot_to_pieces
from domain.games.shot_to_pieces import RULESET
from domain.games.shot_to_pieces.plane.gaps import is_within
from domain.games.shot_to_pieces.shown.captions import general_title
from domain.games.shot_to_pieces.shown.heraldry import heraldry, shields
from domain.games.shot_to_pieces.state.ground import cover_of, is_behind_line
from domain.games.shot_to_pieces.state.state import State
from domain.games.shot_to_pieces.state.vocabulary import PERIODS
from domain.run.decide import beginning, decide, folded, opening, to_act
from tests import battle_page
from tests.support.looping import some
from tests.support.playing import Dice

DATA = Path(shot_to_pieces.__file__).parent / "data"
FILES = {path.stem: path for path in sorted((DATA / SCENARIOS).glob("*.toml"))}
TRAINING = "crossroads"
HISTORICAL = [name for name in FILES if name != TRAINING]
BASES, TRAINING_BASES, CORPS = range(10, 25), range(5, 7), range(1, 5)
APART, COMMAND = 1500, 5000
LEAST_WORDS = 80
TRENCHES = {
    "le-cateau": {"F1", "F2", "F3"},
    "villers-bretonneux": {"F1", "F2", "F3"},
    "guilford-courthouse": {"F1", "F2"},
    "aughrim": {"F1", "F2", "F3"},
    "icheriden": {"F1", "F2", "F3"},
    "spicheren": {"F1"},
}
"""Lines that are held when the battle begins, by the story that each scenario tells."""


def table_of(name: str) -> dict[str, Any]:
    return tomllib.loads(FILES[name].read_text(encoding="utf-8"))


def opened(table: dict[str, Any]) -> State:
    """A battle about to have its first order."""
    state: State = folded(RULESET, RULESET.rules.initial, opening(RULESET, table))
    begun: State = folded(RULESET, state, beginning(RULESET, state))
    return begun


def units_of(table: dict[str, Any], side: str) -> list[dict[str, Any]]:
    return [unit for corps in table["sides"][side]["corps"] for unit in corps["units"]]


@pytest.fixture(scope="module", params=FILES)
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def table(name: str) -> dict[str, Any]:
    return table_of(name)


@pytest.fixture(scope="module")
def state(table: dict[str, Any]) -> State:
    return opened(table)


def test_each_period_has_two_battles():
    counted = Counter(table_of(name)["period"] for name in HISTORICAL)
    assert set(counted) == set(PERIODS)
    assert min(counted.values()) >= 2


def test_the_first_player_can_give_orders_at_once(table, state):
    assert state.phase == "turns"
    assert to_act(RULESET, state) == (table["first"],)


def passed(name: str, state: State, turns: int) -> State:
    """A battle after some turns in which neither side moved or fired."""
    dice = Dice(name)
    while state.winner is None and state.turn <= turns:
        line = "done" if state.step == "orders" else "end turn"
        side = to_act(RULESET, state)[0]
        state = folded(RULESET, state, decide(RULESET, state, side, RULESET.orders.parse(line), dice))
    return state


def test_nothing_is_compulsory_in_the_first_turn(name, state):
    assert passed(name, state, 1).turn == 2


def test_a_battle_in_which_nobody_acts_is_drawn_at_its_limit(name, state):
    """STP-WIN-02"""
    assert 0 < state.options.turn_limit <= 12
    if name == TRAINING:
        ended = passed(name, state, state.options.turn_limit)
        assert (ended.winner, ended.turn) == ("", state.options.turn_limit)


def test_armies_are_of_a_size_that_suits_the_rules(name, table):
    for side in SIDES:
        assert len(units_of(table, side)) in (TRAINING_BASES if name == TRAINING else BASES)
        assert len(table["sides"][side]["corps"]) in CORPS


def test_each_corps_has_a_general_of_a_nation_and_each_side_one_commander(table):
    """STP-CMD-02: orders are sent by the commander; nations count."""
    for side in SIDES:
        generals = [corps["general"] for corps in table["sides"][side]["corps"]]
        assert all(general["nation"] and general["name"] for general in generals)
        assert sum(general.get("commander", False) for general in generals) == 1


def test_generals_and_units_are_called_as_in_the_order_of_battle(table, state):
    for side in SIDES:
        for corps in table["sides"][side]["corps"]:
            given = corps["general"]
            assert general_title(state.generals[given["id"]]).params["name"] == given["name"]
            assert [state.units[unit["id"]].name for unit in corps["units"]] == [
                unit["name"] for unit in corps["units"]
            ]


def test_generals_reach_their_corps_from_where_they_begin(state):
    """STP-GEO-10"""
    for general in some(state.generals.values()):
        at = state.units[general.unit].at if general.unit else general.at
        units = [unit for unit in state.units.values() if unit.corps == general.corps]
        assert [unit.id for unit in units if math.dist(at, unit.at) > COMMAND] == []


def test_nobody_begins_within_reach_of_a_musket(state):
    """15 cm: foot has to come closer first, by an order of its own."""
    south, north = (state.of(side) for side in SIDES)
    assert [(a.id, b.id) for a in south for b in north if is_within(a.base, b.base, APART)] == []


def test_what_stands_on_the_table_has_a_name_of_its_own(name, table):
    """STP-ORD-10: orders name terrain."""
    named = [ground["name"] for ground in table["terrain"]]
    named += [unit["name"] for side in SIDES for unit in units_of(table, side)]
    named += [corps["name"] for side in SIDES for corps in table["sides"][side]["corps"]]
    assert [one for one, count in Counter(named).items() if count > 1] == []


@pytest.mark.parametrize("name", TRENCHES)
def test_lines_of_the_story_are_held_and_give_cover(name):
    """STP-FAC-21, STP-GAP-13: cover of a line is that of a base within 0.5 cm of it."""
    state = opened(table_of(name))
    for ground in some(ground for ground in state.terrain if ground.id in TRENCHES[name]):
        behind = [unit for unit in state.units.values() if is_behind_line(ground, unit)]
        assert behind, ground.id
        assert {unit.side for unit in behind} == {behind[0].side}
        ahead = next(one for one in state.enemies(behind[0]) if abs(one.at[0] - behind[0].at[0]) < 3000)
        assert cover_of(state, behind[0], ahead) in ("light", "hard")


def test_it_is_told_in_both_languages_and_sourced(table):
    assert min(len(table["history"].split()), len(table["history_fr"].split())) >= LEAST_WORDS
    assert table["title_fr"]
    assert table["sources"]
    assert all(len(source) > 3 for source in table["sources"])
    assert all(table["sides"][side]["name_fr"] for side in SIDES)


@pytest.mark.parametrize("name", HISTORICAL)
def test_a_historical_battle_has_its_year_and_cites_books(name):
    table = table_of(name)
    assert table["title"].rpartition(", ")[2].isdigit()
    assert len(table["sources"]) >= 2


def named_in(given: Any) -> Iterator[tuple[str, str]]:
    """(English name, French name) at any depth; the English one twice where a record has no other."""
    if isinstance(given, list):
        for one in given:
            yield from named_in(one)
    elif isinstance(given, dict):
        for key in ("title", "name"):
            if key in given:
                yield str(given[key]), str(given.get(f"{key}_fr", given[key]))
        for one in given.values():
            yield from named_in(one)


def test_an_english_name_has_one_french_name_in_all_games():
    """Readers are told names by the English one (`replay.telling.words.names`), whatever the battle."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    others = [read_toml(game, SCENARIOS, f"{name}.toml") for game in games() for name in scenario_names(game)]
    for given in (*map(table_of, FILES), *others):
        for english, french in named_in(given):
            found[english].add(french)
    assert {english: french for english, french in found.items() if len(french) > 1} == {}


# --- shields


def test_the_sides_bear_different_shields_of_nations(state):
    borne = shields(state)
    assert borne[0] != borne[1]
    assert set(borne) <= {people.shield for people in heraldry().peoples.values()}
    assert RULESET.shown.view(state, "south").shields == borne


def test_each_historical_battle_says_who_fights():
    assert set(heraldry().battles) == {table_of(name)["title"] for name in HISTORICAL}


def test_a_battle_of_ones_own_has_the_shields_of_its_names():
    table = table_of(TRAINING) | {"title": "A bridge"}
    table["sides"]["south"]["name"], table["sides"]["north"]["name"] = "Prussians", "Somebody"
    south, north = shields(opened(table))
    assert south == heraldry().peoples["prussia"].shield
    assert north == heraldry().sides["north"]


def test_the_page_of_battles_lists_each_with_its_sides_units_and_table():
    (table,) = (one for one in battle_page.TABLES if one.game == "stp")
    rows = battle_page.rows(battle_page.PAGE.read_text(), table)
    assert {name: row[:-2] for name, row in rows.items()} == {name: table.facts(name) for name in FILES}, (
        "run: python -m tests.battle_page"
    )


def test_new_results_of_this_game_leave_the_others_alone():
    text = battle_page.PAGE.read_text()
    others, own = battle_page.TABLES
    won = {"scenario": "maida", "won": {"south": 3, "north": 2}, "drawn": 1}
    after = battle_page.page(text, battle_page.measured({"seed": 7, "scenarios": [won]}))
    assert battle_page.rows(after, own)["maida"][-2:] == ("3 – 2 – 1", "7")
    assert battle_page.rows(after, others) == battle_page.rows(text, others)
