"""A board in as few lines as it needs, for letters."""

import pytest

from domain.basics.data import read_toml, scenario_names
from domain.catalogue import RULESETS
from domain.mechanics.hex import MAX_COLUMNS, MAX_ROWS
from replay.drawing.text import draw_brief, draw_text
from replay.drawing.text.signs import WIDTH
from tests.support.looping import some
from tests.support.scenes import battle, battle_on_hexes, cannae, duel, hex_board, open_table, view

FEW = {"square": 30, "hex": 16, "free": 45}
"""Lines that no board in the catalogue needs more than."""


@pytest.mark.parametrize("scenario", scenario_names("tts"))
def test_every_unit_stands_with_its_facing(scenario):
    state = battle(read_toml("tts", "scenarios", f"{scenario}.toml"))
    board = draw_brief(view(state))
    signs = dict(zip("NESW", "^>v<", strict=True))
    for unit in state.units.values():
        assert signs[unit.facing] + unit.id in board
    assert max(map(len, board.splitlines())) <= WIDTH
    assert len(board.splitlines()) < len(draw_text(view(state)).splitlines()) * 2 / 3


@pytest.mark.parametrize("game", RULESETS)
def test_the_board_of_every_scenario_fits_a_letter(game):
    ruleset = RULESETS[game]
    for name in some(scenario_names(game)):
        opened = ruleset.opening.load(read_toml(game, "scenarios", f"{name}.toml"))
        scene = ruleset.shown.view(ruleset.evolutions[type(opened)](ruleset.rules.initial, opened), "south")
        lines = draw_brief(scene).splitlines()
        assert len(lines) <= FEW[scene.grid]
        assert max(map(len, lines)) <= WIDTH


def test_borders_ground_harm_and_places_stand_in_their_rows():
    lines = draw_brief(duel()).splitlines()
    assert lines[1:9] == [
        '4  *      .      .      >N2"',
        "3  .      <N1    w      .",
        "   ~~~~~~",
        "2  .      h^R1!* .      ^R2",
        "                        >R3",
        "          MMMMMM",
        "1  .     Mc      .     #.",
        '^ > v < facing; h gentle hill; w wood; c camp; * general; ! 1 disorder; " 2',
    ]


def test_a_column_is_as_wide_as_a_general_needs_where_there_is_room():
    """R10 and R11 stand in a line with their generals; there is no room for all columns to be so wide."""
    state = battle(read_toml("tts", "scenarios", "issus.toml"))
    lines = draw_brief(view(state)).splitlines()
    assert any("^R10* ^R11* ^R13 " in line for line in lines)
    assert max(map(len, lines)) <= WIDTH


def test_of_two_units_in_a_box_the_northern_one_stands_above():
    board = draw_brief(view(cannae()))
    assert board.index("vN3") < board.index("vN1\n")
    assert board.index("^R3*") < board.index("^R4 ")


def test_rows_of_hexes_are_set_off_by_half_a_hex():
    lines = draw_brief(hex_board()).splitlines()
    letters, first, second = lines[0], lines[1], lines[2]
    assert (letters.split()[:2], first.split()[0], second.split()[0]) == (["A", "B"], "0", "1")
    assert letters.index("A") == first.index(first.split()[1]) < second.index(second.split()[1], 1)


@pytest.mark.parametrize(("columns", "length", "count"), [(9, 5, 1), (10, 6, 2), (12, 5, 2), (MAX_COLUMNS, 20, 13)])
def test_hexes_whose_names_have_no_room_are_written_in_parts(columns, length, count):
    """Up to the largest board with the longest ids; each part has its letters, and no name touches another."""
    scene = battle_on_hexes(columns, MAX_ROWS, length)
    lines = draw_brief(scene).splitlines()
    assert max(map(len, lines)) <= WIDTH
    heads = [words for line in lines if (words := line.split()) and max(map(len, words)) == 1 and words[0].isalpha()]
    assert [letter for head in heads for letter in head] == [chr(ord("A") + at) for at in range(columns)]
    assert len(heads) == count
    written = {word for line in lines for word in line.split()}
    assert {f"{token.label}'" for token in scene.tokens} <= written


def test_a_sketch_leaves_out_the_empty_ends_of_the_table_and_the_list_of_what_stands_there():
    scene = open_table()
    brief, whole = draw_brief(scene), draw_text(scene)
    assert all(token.label in brief for token in scene.tokens)
    assert len(brief.splitlines()) < len(whole.splitlines())
    assert "distance" in whole
    assert "distance" not in brief
