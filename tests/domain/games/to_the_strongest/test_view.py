"""The scene shows a battle as it is."""

import pytest
from msgspec.structs import replace

from domain.basics.data import read_toml, scenario_names
from domain.events.battle import DecisionAsked
from domain.games.to_the_strongest import RULESET
from domain.games.to_the_strongest.shown.view import symbol_of
from domain.games.to_the_strongest.state.roster import PROFILES, profile_of
from replay.drawing.symbols import SYMBOLS
from replay.telling.words import worded
from tests.support.lanes import thinned
from tests.support.looping import some
from tests.support.scenes import battle, cannae, in_full_swing, view


def tokens(state):
    return {token.id: token for token in view(state).tokens}


@pytest.mark.parametrize("scenario", thinned(scenario_names("tts"), 4))
def test_every_unit_stands_inside_its_box(scenario):
    state = battle(read_toml("tts", "scenarios", f"{scenario}.toml"))
    cells = {cell.id: cell for cell in view(state).cells}
    for unit in some(state.units.values()):
        token = tokens(state)[unit.id]
        width, depth = token.size if unit.facing in "NS" else token.size[::-1]
        left, bottom = cells[unit.box].outline[0]
        assert left <= token.at[0] - width / 2
        assert token.at[0] + width / 2 <= left + 100
        assert bottom <= token.at[1] - depth / 2
        assert token.at[1] + depth / 2 <= bottom + 100


@pytest.mark.rule("TTS-STK-03")
def test_the_front_unit_stands_ahead_of_the_rear_one():
    drawn = tokens(cannae())
    assert drawn["R3"].at[1] > drawn["R4"].at[1]  # facing north
    assert drawn["N1"].at[1] < drawn["N3"].at[1]  # facing south
    assert drawn["R3"].layer > drawn["R4"].layer
    assert drawn["R4"].title.endswith("behind R3")


@pytest.mark.rule("TTS-STK-03")
def test_two_units_of_a_box_do_not_overlap_even_with_other_facings():
    front, rear = (tokens(in_full_swing())[unit] for unit in ("R5", "R3"))
    assert front.facing == 0
    assert rear.facing == 2700
    assert front.at[1] - front.size[1] / 2 >= rear.at[1] + rear.size[0] / 2


def test_a_unit_is_told_in_a_sentence():
    drawn = tokens(in_full_swing())
    assert drawn["R1"].title == (
        "R1, cavalry with javelins, facing east, 1 of 2 steps lost, ammunition 2 of 2, general G1 attached"
    )
    assert drawn["N7"].title == "N7, hoplites, facing south, hero, with standard"
    assert "formation tortoise" in drawn["R4"].title
    assert drawn["G5"].title == "General G5, brilliant, commander, senior, detached in F6, light wound"
    assert drawn["camp-E1"].title == "camp of Rome, fortified to the north"


def test_marks_count_what_is_left_and_what_is_suffered():
    drawn = tokens(in_full_swing())
    assert [(mark.kind, mark.count, mark.full) for mark in drawn["R5"].marks] == [
        ("disorder", 1, 2),
        ("raw", 1, 0),
        ("pilum", 0, 1),
    ]
    assert [mark.kind for mark in drawn["N7"].marks] == ["hero", "standard"]
    assert {mark.kind for mark in drawn["G5"].marks} >= {"wound", "brilliant"}


def test_generals_go_with_their_unit_or_stand_alone():
    drawn = tokens(cannae())
    assert drawn["G1"].on == "R1"
    assert drawn["G1"].at == drawn["R1"].at
    assert drawn["G5"].on == ""
    assert drawn["G5"].at == (550, 650)
    shared = tokens(in_full_swing())["G5"]
    assert shared.cell == "F6"
    assert shared.size < drawn["G5"].size


def test_who_is_off_the_field_is_no_token_but_a_caption():
    state = in_full_swing()
    assert not {"N11", "N14", "G4"} & set(tokens(state))
    told = [line for side, line in view(state).captions if side == "north"]
    assert told[1:] == ["Off the field: N11 (left at K8, 2 turns to return).", "Lost: N14."]


def test_a_unit_not_yet_deployed_is_named():
    state = cannae()
    units = {**state.units, "R1": replace(state.units["R1"], box="")}
    boxes = {box: ids for box, ids in state.boxes.items() if box != "D3"}
    told = view(replace(state, units=units, boxes=boxes)).captions
    assert ("south", "Not yet placed: R1.") in told


def test_the_first_line_says_who_must_act():
    state = cannae()

    def first(**change):
        return view(replace(state, **change)).captions[0]

    assert first() == ("", "Turn 1 of 10: Carthage to move.")
    asked = DecisionAsked("south", "evade", "R3", ("yes", "no"))
    assert first(waiting=asked)[1].endswith("Carthage to move. Rome must decide on an evade (R3).")
    assert first(phase="ended", winner="south", how="medals")[1] == "Rome has won: the enemy has paid the last medal."
    assert first(phase="ended", winner="", how="draw")[1] == "Drawn: agreed."
    assert first(phase="deployment")[1] == "Deployment: Carthage to deploy."


def test_a_battle_that_is_not_opened_is_an_empty_table():
    scene = RULESET.shown.view(RULESET.rules.initial, "")
    assert not scene.tokens
    assert len(scene.cells) == 96


@pytest.mark.rule("TTS-CMP-03")
def test_a_fortified_side_lies_on_the_edge_of_its_camp_with_the_inside_to_its_left():
    (line,) = (line for line in view(cannae()).lines if line.kind == "fortified")
    assert line.points == ((500, 100), (400, 100))


def test_streams_lie_between_their_boxes():
    scene = view(replace(cannae(), edges={("F4", "F5"): "stream", ("J4", "K4"): "wall"}))
    drawn = {line.kind: line.points for line in scene.lines}
    assert drawn["stream"] == ((500, 400), (600, 400))
    assert drawn["wall"] == ((1000, 300), (1000, 400))


@pytest.mark.rule("TTS-CAT-01")
@pytest.mark.parametrize("key", PROFILES)
def test_every_troop_type_has_a_picture(key):
    assert symbol_of(PROFILES[key]) in SYMBOLS


@pytest.mark.rule("TTS-MOV-10")
def test_dismounted_knights_look_like_foot():
    assert symbol_of(profile_of("later_knights")) == "knights"
    assert symbol_of(profile_of("later_knights", dismounted=True)) == "axes"


def test_a_stranger_and_both_sides_see_the_same_table():
    state = cannae()
    assert (
        len({RULESET.shown.view(RULESET.secrets.known(state, side), side).title for side in ("", "south", "north")})
        == 1
    )
    assert worded(RULESET.shown.view(RULESET.secrets.known(state, "south"), "south")) == view(state)
