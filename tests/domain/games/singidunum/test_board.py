"""The board, its terrain and its hexes, and the points that go with a budget."""

import pytest

from domain.basics.errors import Refusal
from domain.games.singidunum import RULESET
from domain.games.singidunum.chapters.combat import factors_of
from domain.games.singidunum.chapters.fight import Fight
from domain.games.singidunum.chapters.movement import checked
from domain.games.singidunum.state.board import in_order, layout
from domain.games.singidunum.state.scenario import load
from domain.games.singidunum.state.state import Options, goal, ground, neighbours, touching
from domain.mechanics import hex as hexes
from domain.run.decide import beginning, evolve, opening

STANDARD = (9, 11)


def scenario(**more):
    return {"ruleset": "singidunum", "first": "south", "sides": {"south": {}, "north": {}}, **more}


def unit(id_, hex_, **more):
    return {"id": id_, "type": id_[1:3], "strength": int(id_[3]), "hex": hex_, **more}


def started(given):
    state = RULESET.rules.initial
    for start in (lambda _: opening(RULESET, given), lambda begun: beginning(RULESET, begun)):
        for fact in start(state):
            state = evolve(RULESET, state, fact.event, state.n + 1)
    return state


def test_the_bases_are_seven_hexes_apart():
    """PRG-BRD-01, -03: from rampart to rampart; two rows each, scrub beside and at the edges."""
    ground_of = layout("standard", STANDARD)
    north, south = ([h for h, g in ground_of.items() if (g.kind, g.side) == ("rampart", s)] for s in ("north", "south"))
    assert in_order(north) == ["C1", "D1", "E1", "F1", "G1"]
    assert min(hexes.distance(one, other) for one in north for other in south) == 8  # seven between them
    assert {hexes.XY[h][1] for h, g in ground_of.items() if g.kind == "base"} == {0, 10}
    assert ground_of["A5"].kind == ground_of["I5"].kind == ground_of["B1"].kind == "scrub"
    assert "E5" not in ground_of


def test_odd_rows_are_pushed_to_the_right():
    """PRG-BRD-02, -04: neighbours, contact and distance."""
    assert set(hexes.neighbours(STANDARD, "E4")) == {"D4", "F4", "D3", "E3", "D5", "E5"}
    assert set(hexes.neighbours(STANDARD, "E5")) == {"D5", "F5", "E4", "F4", "E6", "F6"}
    assert hexes.distance("E7", "E4") == 3


def test_one_unit_stands_on_a_hex():
    """PRG-BRD-05"""
    both = {"south": {"units": [unit("SHI7", "E5")]}, "north": {"units": [unit("NHI7", "E5")]}}
    with pytest.raises(Refusal) as refused:
        load(scenario(sides=both))
    assert refused.value.params["fault"] == "two-units"


def test_what_is_hidden_or_off_the_board_touches_nothing():
    """PRG-BRD-07: the six hexes around a unit, whatever their terrain; none around an ambush."""
    sides = {"south": {"units": [unit("SHI7", "B5")]}, "north": {"units": [unit("NHI6", ""), unit("NHI7", "H5")]}}
    hidden = {"marker": [{"hex": "C5", "kind": "forest"}], "ambush": [{"hex": "C5", "side": "north", "unit": "NHI6"}]}
    state = started(scenario(sides=sides, **hidden))
    assert [u.id for u in touching(state, "A5", "south")] == ["SHI7"]
    assert touching(state, "B5", "north") == []
    assert state.phase == "turns"


def test_a_board_is_data():
    """PRG-BRD-09: another size, a blank layout, other terrain; PRG-BRD-03 is only the standard one."""
    board = {"layout": "blank", "columns": 13, "rows": 11}
    terrain = [{"hex": "M10", "kind": "rampart", "side": "south"}]
    sides = {"south": {"units": [unit("SHI7", "M9")]}, "north": {"units": [unit("NHI7", "A0")]}}
    state = started(scenario(board=board, terrain=terrain, sides=sides))
    assert ground(state, "M10").is_base
    assert ground(state, "A0").kind == "plain"
    assert "M9" in neighbours(state, "M10")


@pytest.mark.parametrize(("budget", "points"), [(37, 4), (50, 7), (55, 8), (60, 9), (44, 5), (70, 11)])
def test_a_budget_has_its_goal(budget, points):
    """PRG-ARM-03, -11, PRG-INT-17: the pairs of the rules, between them budget / 5 − 3 rounded down."""
    assert goal(Options(budget=budget)) == points


@pytest.mark.parametrize(
    ("given", "fault"),
    [
        ({"sides": {"south": {}}}, "keys"),
        ({"first": "east"}, "shape"),
        ({"options": {"modules": ["magic"]}}, "unknown"),
        ({"options": {"isolated": "never"}}, "not-among"),
        ({"options": {"budget": 0}}, "number"),
        ({"options": {"luck": 1}}, "shape"),
        ({"board": {"columns": 27}}, "number"),
        ({"turn": 9}, "number"),
        ({"terrain": [{"hex": "Z9", "kind": "plain"}]}, "off-board"),
        ({"terrain": [{"hex": "E5", "kind": "base"}]}, "base-side"),
        ({"marker": [{"hex": "E0", "kind": "hill"}]}, "marker-ground"),
        ({"marker": [{"hex": "A5", "kind": "hill"}]}, "marker-ground"),
        ({"marker": [{"hex": "E5", "kind": "burned"}]}, "not-a-base"),
        ({"ambush": [{"hex": "E5", "side": "south"}]}, "no-forest"),
        ({"sides": {"south": {"units": [unit("SHI7", "E5"), unit("SHI7", "E6")]}, "north": {}}}, "twice"),
        ({"sides": {"south": {"units": [{**unit("SHI7", "E5"), "id": "E6"}]}, "north": {}}}, "id-is-hex"),
        ({"sides": {"south": {"units": [{**unit("SHI7", "E5"), "id": "7"}]}, "north": {}}}, "id-form"),
        ({"sides": {"south": {"units": [{**unit("SHI7", "E5"), "id": "PASS"}]}, "north": {}}}, "begins-an-order"),
        ({"sides": {"south": {"units": [{**unit("SHI7", "E5"), "type": "XX"}]}, "north": {}}}, "unknown"),
        ({"sides": {"south": {"units": [unit("SHI7", "E5", abilities=["impact"])]}, "north": {}}}, "unknown"),
        (
            {
                "marker": [{"hex": "E5", "kind": "forest"}],
                "sides": {"south": {"units": [unit("SCV6", "E5")]}, "north": {}},
            },
            "forest",
        ),
    ],
)
def test_a_scenario_that_contradicts_the_rules_is_refused(given, fault):
    """PRG-SCN-01, PRG-ORD-01"""
    with pytest.raises(Refusal) as refused:
        load(scenario(**given))
    assert (refused.value.code, refused.value.params["fault"]) == ("singidunum.bad-scenario", fault)


def test_who_comes_into_contact_is_told_on_which_hex():
    """PRG-MOV-07."""
    sides = {"south": {"units": [unit("SCV6", "E6")]}, "north": {"units": [unit("NHI7", "E4")]}}
    state = started(scenario(sides=sides))
    with pytest.raises(Refusal) as refused:
        checked(state, state.units["SCV6"], ("E5", "F5"))
    assert refused.value.code == "singidunum.contact-stops"
    assert refused.value.params == {"unit": "SCV6", "enemy": "NHI7", "hex": "E5"}


def test_stakes_help_who_will_stand_on_them():
    """PRG-EXT-TER-03: what a combat would bring is said of the hex that an attacker has yet to enter."""
    sides = {"south": {"units": [unit("SHI7", "E6")]}, "north": {"units": [unit("NHI7", "E4")]}}
    marker = [{"hex": "E5", "kind": "stakes"}]
    state = started(scenario(sides=sides, marker=marker, options={"modules": ["terrain"]}))
    fight = Fight(
        side="south", kind="simple", attackers=("SHI7",), hexes=("E5",), target="NHI7", hex="E4", through=("",)
    )
    assert [(factor.rule, factor.side) for factor in factors_of(state, fight, {"SHI7": "E5"})] == [
        ("PRG-EXT-TER-03", "north")
    ]
    assert not list(factors_of(state, fight))
