"""The board can be read as plain text."""

import pytest
from msgspec.structs import replace

from domain.basics.data import read_toml, scenario_names
from domain.contract.scene import Group, Mark, Measure, Scene, Sign, Token, turned
from domain.mechanics.hex import MAX_COLUMNS, MAX_ROWS
from replay.drawing.describe import describe
from replay.drawing.moves import moves
from replay.drawing.text import draw_text
from tests.support.lanes import thinned
from tests.support.scenes import (
    battle,
    battle_on_hexes,
    cannae,
    duel,
    hex_board,
    hexes,
    in_full_swing,
    open_table,
    view,
)

WIDTH = 78


@pytest.mark.parametrize("unicode", [False, True])
@pytest.mark.parametrize("scenario", scenario_names("tts"))
def test_every_unit_stands_on_the_board_with_its_facing(scenario, unicode):
    state = battle(read_toml("tts", "scenarios", f"{scenario}.toml"))
    board = draw_text(view(state), unicode=unicode)
    signs = dict(zip("NESW", "▲▶▼◀" if unicode else "^>v<", strict=True))
    for unit in state.units.values():
        assert signs[unit.facing] + unit.id in board
    for general in state.generals:
        assert f"{'★' if unicode else '*'}{general}" in board
    assert max(map(len, board.splitlines())) <= max(WIDTH, 6 * state.board[0] + 6)
    assert unicode or board.isascii()


def test_a_board_shows_disorder_borders_ground_camps_and_counters():
    lines = draw_text(duel()).splitlines()
    assert lines[3] == '4 |     |     |     |>N2" | 4'
    assert lines[9:14] == [
        "  +~~~~~+-----+-----+-----+",
        "  |     |h *G1|     |     |",
        "2 |     |^R1! |     |^R2  | 2",
        "  |     |   vp|     |>R3  |",
        "  +-----+MMMMM+-----+-----+",
    ]
    assert lines[15] == "1 |     M     |     #     | 1"


def test_of_two_units_the_northern_one_stands_above():
    board = draw_text(view(cannae()))
    assert board.index("vN3") < board.index("vN1 ")  # both face south: the rear one is in the north
    assert board.index("^R3 ") < board.index("^R4 ")


def test_the_legend_tells_only_what_occurs():
    legend = draw_text(view(cannae())).split("facing; ")[1].split("\n\n")[0]
    assert "m marsh" in legend
    assert "wood" not in legend
    assert "disorder" not in legend


def test_the_captions_follow_the_board():
    board = draw_text(view(in_full_swing()))
    assert "\n\nCannae, 216 BC. Turn 3 of 10: Carthage to move.\n  Rome: 13 of 13 medals left" in board
    assert board.endswith("  Lost: N14.\n")


def test_seen_from_the_north_the_board_is_turned_with_all_that_stands_on_it():
    lines = draw_text(turned(view(cannae()))).splitlines()
    assert lines[0].split() == list("LKJIHGFEDCBA")
    assert lines[3].startswith("1 |")
    assert any("^N14" in line for line in lines)


def test_a_roster_names_every_token_with_its_box():
    assert "E1: camp of Rome, fortified to the north" in draw_text(view(cannae()), roster=True)


def test_names_of_both_sides_that_look_alike_are_told_apart_below():
    scene = replace(duel(), tokens=tuple(replace(token, label=f"A{at}") for at, token in enumerate(duel().tokens)))
    assert "  south: A1 A2 A3\n  north: A4 A5\n" in draw_text(scene)


def test_a_long_name_widens_the_boxes_and_control_characters_stay_out():
    tokens = (*duel().tokens, Token("X", "south", "unit", "foot", (350, 50), (80, 50), cell="D1", label="LEG\x1b12345"))
    lines = draw_text(replace(duel(), tokens=tokens)).splitlines()
    assert "LEG?12345" in lines[15]
    assert len({len(line) for line in lines[1:18] if line.endswith(("|", "+"))}) == 1
    assert "\x1b" not in "".join(lines)


def test_much_disorder_keeps_one_sign():
    marked = tuple(replace(token, marks=(Mark("disorder", 7, harm=True),)) for token in duel().tokens)
    assert "^R1#" in draw_text(replace(duel(), tokens=marked))


def test_a_table_without_boxes_lists_what_stands_where():
    lines = draw_text(open_table()).splitlines()
    titles = ["id", "side", "x", "y", "facing", "nearest", "distance", "bearing", "what"]
    table = next(at for at, line in enumerate(lines) if line.split() == titles)
    assert lines[table + 1] == "A1  south    -60  -45      45  B1        75.6 cm       28  A1, foot"
    assert "Free measure. Phase 2." in lines


def test_a_table_may_name_several_of_the_nearest():
    table = open_table()
    three = replace(table, measure=replace(table.measure, nearest=3))
    lines = draw_text(three).splitlines()
    row = next(at for at, line in enumerate(lines) if line.startswith("A1  south"))
    assert lines[row + 1] == "    B2 78.9 cm 28°"
    assert "B2 78.9 cm" not in draw_text(table)


def test_tokens_of_a_group_have_one_name_and_one_row():
    stands = [
        Token(f"A{at}", "south", "stand", "foot", (200 + 40 * at, 100), (40, 20), facing=0, label=f"A{at}")
        for at in range(3)
    ]
    wounded = replace(stands[0], marks=(Mark("wound", harm=True),))
    enemy = Token("B1", "north", "stand", "foot", (240, 300), (40, 20), facing=1800, label="B1", title="B1, foot")
    group = Group("A", ("A0", "A1", "A2"), title="foot: A0 A1 A2")
    scene = Scene(600, 400, (), tokens=(wounded, *stands[1:], enemy), groups=(group,), signs=(Sign("wound", ("!",)),))
    lines = draw_text(scene).splitlines()
    facings = next(at for at, line in enumerate(lines) if line.count("^") == 3)
    assert "A!" in lines[facings + 1]
    assert not any("A1" in line for line in lines[: facings + 5])
    assert any(
        line.split() == ["A", "south", "240", "100", "0", "B1", "180", "0", "foot:", "A0", "A1", "A2"] for line in lines
    )


def test_a_board_is_told_in_words():
    told = describe(view(in_full_swing()))
    assert "R5, legionaries, raw, facing north, 1 of 2 steps lost, pilum spent" in told
    assert "R3, light javelins, facing west" in told


def test_a_move_is_an_arrow_and_making_room_is_none():
    before, after = view(cannae()), view(in_full_swing())
    starts = {arrow.points[0] for arrow in moves(before, after)}
    stood = {token.id: token.at for token in before.tokens}
    assert {stood[name] for name in ("R1", "R5", "N7", "G5")} <= starts
    assert stood["R9"] not in starts
    assert stood["R10"] not in starts  # R9 before it has not moved, so neither has it
    assert len(starts) == len(moves(before, after))  # an attached general has no arrow of his own
    assert not moves(after, after)


# --- hexes


@pytest.mark.parametrize("unicode", [False, True])
def test_a_board_of_hexes_fits_a_mail_and_names_every_hex_and_unit(unicode):
    scene = hex_board()
    board = draw_text(scene, unicode=unicode)
    assert max(map(len, board.splitlines())) <= WIDTH
    assert all(cell.id in board for cell in scene.cells)
    assert all(token.label in board for token in scene.tokens if token.id != "SSV2")
    assert unicode or board.isascii()


def test_a_hex_shows_name_ground_emblem_unit_harm_and_a_feature_along_its_side():
    lines = draw_text(hex_board()).splitlines()
    assert lines[12].rstrip() == "  /   \\   /   \\   /   \\   /   \\   /   \\   /   \\   /   \\   /   \\   /   \\   /"
    assert lines[15].split("~") == ["  " + "\\   /   " * 6 + "\\   ", "   " + "\\   /   " * 2 + "\\"]
    assert lines[16] == "    |A5    u|B5     |C5     |D5    w|E5     |F5     SG5     |H5     |I5    u|"
    assert lines[17] == "    |       |NCV6!!>|       |       |       |       S       |       |       |"
    assert lines[19] == "|A6    u|B6     |C6     |D6     |E6  *GE|F6   +1|G6     |H6     |I6    u|"
    assert lines[20] == "|       |       |       |       | SEL9/ |\\SHI7B-|       |       |       |"


def test_the_sign_of_a_facing_stands_on_that_side_of_the_name():
    board = draw_text(hex_board(), unicode=True)
    assert {"NHI7↘", "SEL9↗", "↖SHI7B"} <= set(board.replace("│", " ").replace("-", " ").split())
    assert "x↗ x→ x↘ ↙x ←x ↖x facing" in board


def test_hexes_where_nothing_faces_have_no_signs_of_facings():
    assert draw_text(hexes()).splitlines() == [
        "  /   \\   /   \\   /   \\",
        "|A0    ?|B0    ?|C0     |",
        "|       |       |   S1  |",
        "  \\   /   \\   /   \\   /",
        "? wood",
        "",
    ]


def test_a_board_with_fewer_hexes_than_its_rectangle_has_holes():
    scene = hexes()
    lines = draw_text(replace(scene, cells=(scene.cells[0], scene.cells[2]))).splitlines()
    assert lines[1] == "|A0    ?|       |C0     |"
    assert lines[0] == "  /   \\           /   \\"


def test_hexes_seen_from_the_north_are_turned_with_all_that_stands_on_them():
    lines = draw_text(turned(hex_board())).splitlines()
    assert lines[1].split("|")[1].split() == ["I10", "u"]
    assert any("/SEL9" in line for line in lines)
    assert turned(turned(hex_board())) == hex_board()


def test_a_long_name_widens_the_hexes():
    scene = hexes()
    lines = draw_text(replace(scene, tokens=(replace(scene.tokens[0], label="LEGIO10"),))).splitlines()
    assert "LEGIO10" in lines[2]
    assert len(lines[1]) == len(lines[2]) > len(draw_text(hexes()).splitlines()[1]) - 1


@pytest.mark.slow
@pytest.mark.parametrize(
    ("columns", "length", "count"), thinned([(9, 5, 1), (10, 5, 2), (MAX_COLUMNS, 5, 3), (MAX_COLUMNS, 20, 9)], 3)
)
def test_hexes_whose_names_have_no_room_are_drawn_in_parts(columns, length, count):
    """Up to the largest board with the longest ids; a part is a board of its own columns."""
    scene = battle_on_hexes(columns, MAX_ROWS, length)
    lines = draw_text(scene).splitlines()
    assert max(map(len, lines)) <= WIDTH
    board = "\n".join(lines).partition("' activated")[0]
    assert len([part for part in board.split("\n\n") if part.strip()]) == count
    assert all(f"|{cell.id} " in board for cell in scene.cells)
    assert {f"{token.label}'" for token in scene.tokens} <= set(board.replace("|", " ").split())


# --- free measure


def test_the_sketch_of_a_table_is_to_scale():
    lines = draw_text(open_table()).splitlines()
    wide = lines[0].count("-")
    assert max(map(len, lines)) <= WIDTH
    assert "One column is 3 cm, one row 6 cm; distances are from edge to edge." in lines
    assert (wide - 1) * 3 == 180
    zero = next(line for line in lines if line.startswith("  0|"))
    assert lines.index(zero) == 11  # ten rows of 6 cm below the upper edge
    general = next(line for line in lines if "*G" in line)
    assert general[4:].index("*G") + 1 == 30  # 90 cm from the left
    assert any("h rise" in line for line in lines)


def test_what_is_drawn_on_the_same_place_moves_aside():
    lines = draw_text(open_table()).splitlines()
    first = next(at for at, line in enumerate(lines) if "vB1" in line)
    assert "vB2" in lines[first - 1]


def test_what_was_measured_is_said_below():
    board = draw_text(open_table())
    for words in ("A2 can shoot so far.", "G commands within 25 cm.", "From A2 to B1: 75 cm.", "A2 sees B2."):
        assert f"\n  {words}\n" in board


def test_a_turned_table_keeps_its_coordinates_bearings_and_facings():
    plain, over = draw_text(open_table()), draw_text(turned(open_table()))
    assert [line for line in plain.splitlines() if "south" in line] == [
        line for line in over.splitlines() if "south" in line
    ]
    assert turned(turned(open_table())) == open_table()


def test_a_table_without_a_measure_counts_in_its_own_units():
    scene = replace(open_table(), measure=Measure())
    board = draw_text(scene)
    assert "One column is 30, one row 60" in board
    assert "A1  south  300   150      45  B1            756       28  A1, foot" in board


def test_a_free_table_is_told_with_places():
    assert "A1, foot, at -60, -45." in describe(open_table())
    assert "From A2 to B1: 75 cm." in describe(open_table())
