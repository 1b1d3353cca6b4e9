"""Orders by reference come to orders with figures, which are logged and decided (STP-ORD-10)."""

import re

import pytest

from domain.basics.errors import Refusal
from domain.games.shot_to_pieces import RULESET
from domain.games.shot_to_pieces.orders.notation import parse, write
from domain.games.shot_to_pieces.orders.references import resolved
from domain.games.shot_to_pieces.plane.contacts import abuts, is_behind
from domain.games.shot_to_pieces.state.commands import ByReference
from domain.run.decide import beginning, folded, opening
from tests.domain.games.shot_to_pieces.playing import corps, found, general, play, scenario, unit

pytestmark = pytest.mark.filterwarnings("ignore::replay.telling.words.catalogue.MissingSentence")
WOOD = {"id": "W1", "kind": "wood", "outline": [[10000, 3000], [11000, 3000], [11000, 4000], [10000, 4000]]}
WALL = {"id": "H1", "kind": "wall", "line": [[8000, 4500], [10000, 4500]]}
ROAD = {"id": "R1", "kind": "hedge", "line": [[3000, 3400], [5000, 3500]]}
SOUTH = corps(
    "I",
    unit("U1", 90, 30),
    unit("U2", 60, 30, facing=9000),
    unit("U3", 66, 36),
    unit("U4", 40, 33),
    unit("V1", 120, 20, "cavalry_a"),
    general=general("GS", 90, 10),
    ap=12,
)
NORTH = corps("X", unit("X1", 90, 60), unit("X2", 120, 40), general=general("GN", 90, 110))


def at(step="moves", **more):
    """The state at a step."""
    battle = scenario([SOUTH], [NORTH], step=step, terrain=[WOOD, WALL, ROAD], **more)
    state = folded(RULESET, RULESET.rules.initial, opening(RULESET, battle))
    return folded(RULESET, state, beginning(RULESET, state))


def come_to(line, step="moves"):
    """What an order comes to, as it is written."""
    return write(resolved(at(step), "south", parse(line)))


@pytest.mark.parametrize(
    ("line", "french", "meant"),
    [
        ("U1 ahead 3", "U1 devant toi 3", "U1 move 3"),
        ("U2 ahead", "U2 devant toi", "U2 move 15"),
        ("U1 face right 90 ahead", "U1 face droite 90 devant toi", "U1 face 90 move 15"),
        ("U1 turn left", "U1 tourne gauche", "U1 face left 90"),
        ("U1 wheel left 20", "U1 pivote gauche 20", "group U1 wheel left 20"),
        ("U1 back", "U1 recule", "U1 back 5"),
        ("U1 towards 90 34", "U1 vers 90 34", "U1 move 4"),
        ("U1 towards X1 6", "U1 vers X1 6", "U1 move 6"),
        ("U1 to short of X1", "U1 à portée courte de X1", "U1 move 14.99"),
        ("U1 to long of X1", "U1 à portée longue de X1", "U1 move 7"),
        ("U1 to max of X1", "U1 à portée maximale de X1", "U1 move 7"),
        ("U1 into W1", "U1 dans W1", "U1 face 71.57 move 12.77"),
        ("U4 along R1", "U4 le long de R1", "U4 face 87.14 move 15"),
        ("U3 level with U1", "U3 à hauteur de U1", "U3 back 5"),
        ("U1 to contact U2", "U1 au contact de U2", "U1 face 270 move 15"),
        ("U2 level with U3", "U2 à hauteur de U3", "U2 move 4.5"),
    ],
)
def test_an_order_without_figures_comes_to_one_with_them(line, french, meant):
    """STP-ORD-10: read in both languages, and written back in the words of each."""
    assert parse(french) == parse(line)
    assert parse(write(parse(line), "fr")) == parse(line)
    assert parse(write(parse(line), "en")) == parse(line)
    if line not in ("U3 level with U1",):
        assert come_to(line) == meant


def test_to_contact_is_a_charge_while_charges_are_declared():
    """STP-ORD-10: later it is a move towards the enemy, as near as one may go."""
    assert come_to("V1 to contact X2", "charges") in ("V1 charge X2", "V1 move 11.5")
    assert come_to("V1 to contact X2") == "V1 move 11.5"


def test_a_unit_that_is_in_range_turns_only():
    """STP-ORD-10."""
    battle = scenario([SOUTH], [corps("X", unit("X1", 100, 40), general=general("GN", 90, 110))], step="moves")
    assert found(play(battle, "south: U1 to max of X1"), "UnitOriented")[0]["to_hdeg"] == 4500
    assert not found(play(battle, "south: U1 to max of X1"), "UnitMoved")


def test_who_joins_ends_side_by_side():
    """STP-ORD-10, STP-GEO-08: on the side named, or on the nearer one."""
    for line, side in (("U1 join U5 left", "left"), ("U1 join U5", "left")):
        south = corps("I", unit("U1", 90, 30), unit("U5", 93, 36), general=general("GS", 90, 10), ap=6)
        battle = scenario([south], [NORTH], step="moves")
        events = play(battle, f"south: {line}")
        state = folded(RULESET, RULESET.rules.initial, opening(RULESET, battle))
        moved = found(events, "UnitMoved")[0]
        base = state.units["U1"].base
        there = type(base)(tuple(moved["to"]), moved["facing_hdeg"], base.width, base.depth)
        assert abuts(state.units["U5"].base, there) == side
        assert not is_behind(there, state.units["U5"].base)


def test_behind_a_place_is_out_of_the_enemy_s_sight():
    """STP-ORD-10: the centre of the place lies between the nearest enemy and the unit."""
    south = corps("I", unit("U1", 90, 30), general=general("GS", 90, 10), ap=6)
    north = corps("X", unit("X1", 90, 60), general=general("GN", 90, 110))
    wood = {"id": "W1", "kind": "wood", "outline": [[8800, 3700], [9200, 3700], [9200, 4000], [8800, 4000]]}
    events = play(scenario([south], [north], step="moves", terrain=[wood]), "south: U1 behind W1")
    assert found(events, "UnitMoved")[0]["to"] == [9000, 3550]


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("U1 towards Q9", "core.unknown-id"),
        ("X1 ahead", "core.not-yours"),
        ("U9 ahead", "core.unknown-id"),
        ("V1 to max of X1", "stp.no-such-place-to-go"),
        ("U4 into W1", "stp.no-such-place-to-go"),
        ("U1 join U4", "stp.no-such-place-to-go"),
        ("U1 to short of U2", "stp.not-an-enemy"),
        ("U1 ahead 16", "stp.too-far"),
        ("U1 level with U1", "stp.no-such-place-to-go"),
    ],
)
def test_what_leads_nowhere_is_refused(line, code):
    """STP-ORD-10: with the nearest legal end, or the figure that would do."""
    battle = scenario([SOUTH], [NORTH], step="moves", terrain=[WOOD, WALL, ROAD])
    play(battle, f"south: {line}", refused={1: code})


def test_the_refusal_names_the_nearest_legal_end():
    """STP-ORD-10: so far along the line to the place."""
    with pytest.raises(Refusal) as refused:
        resolved(at(), "south", parse("U4 into W1"))
    assert refused.value.params == {"unit": "U4", "distance": 1500}


def test_an_order_of_a_step_that_is_over_is_refused_for_that():
    """STP-SEQ-07 comes before STP-ORD-10."""
    play(scenario([SOUTH], [NORTH], step="fire"), "south: U1 into U9", refused={1: "stp.wrong-step"})


def test_members_of_a_group_may_go_by_reference():
    """STP-ORD-10, STP-ACT-05."""
    south = corps("I", unit("U1", 90, 30), unit("U2", 94, 30), general=general("GS", 90, 10), ap=6)
    events = play(scenario([south], [NORTH], step="moves"), "south: group U1 ahead 5 + U2 ahead 6")
    assert [data["distance_hcm"] for data in found(events, "UnitMoved")] == [500, 600]


@pytest.mark.parametrize("example", [form.example for chapter in RULESET.shown.help("en") for form in chapter.forms])
def test_a_line_by_reference_is_known_by_its_words(example):
    """Who compares what was sent with the log does not know the table (`OrderRules.unresolved`)."""
    is_found = bool(re.search(RULESET.orders.unresolved, example, re.I))
    assert is_found == isinstance(RULESET.orders.parse(example), ByReference)


@pytest.mark.parametrize(
    ("line", "is_found"),
    [
        ("U1 back", True),
        ("U1 back 5", False),
        ("U1 wheel left 15", True),
        ("group U1 U2 wheel left 15 move 5", False),
        ("U1 turn left", True),
        ("end turn", False),
        ("U1 face at C1 ahead 5", True),
        ("U1 face left 20 ahead", True),
        ("U1 face at C1 move 5", False),
        ("group U1 ahead + U2 back", True),
        ("group U1 move 5 + U2 to max of C1", True),
        ("group U1 move 5 + U2 back 5", False),
        ("order I advance to 90 60", False),
        ("general G1 to 90 30", False),
        ("deploy U1 at 60 10 face 0", False),
        ("detach U1 to I", False),
        ("strafe from 0 40 to 180 60", False),
    ],
)
def test_nothing_else_is_taken_for_one(line, is_found):
    assert bool(re.search(RULESET.orders.unresolved, line, re.I)) == is_found
    RULESET.orders.parse(line)
