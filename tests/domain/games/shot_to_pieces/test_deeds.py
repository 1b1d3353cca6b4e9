"""Deeds of the game, earned in acceptance cases, and what they ask about events."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from domain.basics.decoding import convert
from domain.contract.deeds import Deed, Pattern, deeds_of
from domain.events.battle import Fact
from domain.games import shot_to_pieces
from domain.games.shot_to_pieces import RULESET
from domain.games.shot_to_pieces.shown.summary import traits
from domain.log.chance import StackedChance
from domain.run.decide import beginning, decide, evolve, opening, proceeding
from replay.bench.bench import scenario_of
from tests.support.catalogues import texts

FILE = Path(shot_to_pieces.__file__).parent / "data" / "deeds.toml"
PATTERNS = convert(tomllib.loads(FILE.read_text())["deeds"], tuple[Pattern, ...])
CASES = Path(__file__).parents[3] / "cases" / "stp"


def case(number: int) -> dict[str, Any]:
    return tomllib.loads(next(CASES.glob(f"{number:02}-*.toml")).read_text())


def deeds_in(played: dict[str, Any]) -> list[Deed]:
    """The deeds of a case, its refused orders left out."""
    chance = StackedChance(RULESET.draws.stacked(played))
    state: Any = RULESET.rules.initial
    facts: list[tuple[int, Any, Fact]] = []

    def take(came: tuple[Fact, ...]) -> None:
        nonlocal state
        for fact in came:
            facts.append((len(facts) + 1, state, fact))
            state = evolve(RULESET, state, fact.event, len(facts))

    take(opening(RULESET, scenario_of(played)))
    take(beginning(RULESET, state))
    take(proceeding(RULESET, state, chance))
    refused = {one["order"] for one in played.get("reject", [])}
    for at, line in enumerate(played["orders"], 1):
        side, _, order = line.partition(": ")
        if at not in refused:
            take(decide(RULESET, state, side, RULESET.orders.parse(order), chance))
    return list(deeds_of(RULESET, facts, PATTERNS))


@pytest.mark.parametrize("pattern", PATTERNS, ids=lambda pattern: pattern.id)
def test_a_deed_asks_about_events_and_members_that_there_are(pattern):
    asked = [(pattern.event, name) for name in (pattern.by, pattern.of, *pattern.where) if name]
    asked += [(last.event, name) for last in pattern.last for name in (last.by, last.at) if name]
    if pattern.after:
        asked += [(pattern.after.event, name) for name in (pattern.after.by, *pattern.after.where)]
    if pattern.unless:
        asked.append((pattern.unless.event, pattern.unless.by))
    assert [one for one in asked if one[1] not in RULESET.events[one[0]].__struct_fields__] == []


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_each_deed_has_a_name_and_a_sentence(lang):
    told = {msgid for msgid in texts(lang) if msgid.startswith("deed.stp.")}
    assert told == {f"deed.stp.{pattern.id}{part}" for pattern in PATTERNS for part in ("", ".for")}


@pytest.mark.parametrize(
    ("number", "expected"),
    [
        (1, set()),
        (2, {("first-blood", "U1", "C1")}),
        (13, {("first-blood", "Q1", "H1"), ("square", "Q1", "H1")}),
        (104, {("first-blood", "A1", "D1"), ("position", "A1", "")}),
    ],
    ids=["one-way", "quick-kill", "square", "cover"],
)
def test_deeds_of_cases(number, expected):
    assert {(deed.id, deed.unit, deed.of) for deed in deeds_in(case(number))} == expected


def test_a_firer_destroyed_by_the_reply_is_the_deed_of_the_replier():
    played = case(2) | {"dice": {"south": [1], "north": [4]}}
    for side, status in (("south", "reserve"), ("north", "line")):
        for unit in played["sides"][side]["corps"][0]["units"]:
            unit["status"] = status
    assert [(deed.id, deed.side, deed.unit, deed.of) for deed in deeds_in(played)] == [
        ("first-blood", "north", "C1", "U1")
    ]


def test_traits_are_those_of_units_and_generals():
    played = case(13)
    state = evolve(RULESET, RULESET.rules.initial, opening(RULESET, scenario_of(played))[0].event, 1)
    assert (traits(state, "H1")["arm"], traits(state, "Q1")["formation"]) == ("cav", "square")
    assert traits(state, next(iter(state.generals)))["side"] == "south"
    assert traits(state, "NOBODY") == {}
