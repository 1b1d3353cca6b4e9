"""The counters that there are, what they cost and can do, and the options of a battle, as the rules give them."""

import pytest

from domain.games.singidunum.state.board import layout
from domain.games.singidunum.state.roster import ABILITIES, MODULES, PROFILES, cost, is_barred_from_forest
from domain.games.singidunum.state.state import Options, State, goal, is_at_side_edge
from domain.mechanics import hex as hexes


def test_the_counters_of_a_side():
    """PRG-ARM-01, -08: each type with its strengths, each as often as there is a counter."""
    assert {key: profile.strengths for key, profile in PROFILES.items()} == {
        "EL": (9, 8),
        "HI": (7, 7, 6, 6),
        "AR": (6, 5, 5, 4),
        "CV": (6, 5, 5, 4),
        "SC": (6, 5, 4),
        "HA": (4, 4),
        "LI": (3, 3, 3, 3),
        "SV": (2, 2, 2, 2),
        "GE": (5,),
    }


def test_what_each_type_can_do():
    """PRG-MOV-01, PRG-SHT-01, PRG-VP-03, PRG-EXT-HA-01, -LI-01, -GE-01: hexes, riders, bows, half a point."""
    assert {key for key, profile in PROFILES.items() if profile.moves == 2} == {"CV", "SC", "HA", "LI", "GE"}
    assert {profile.moves for profile in PROFILES.values()} == {1, 2}
    assert {key for key, profile in PROFILES.items() if profile.mounted} == {"CV", "SC", "HA", "GE"}
    assert {key for key, profile in PROFILES.items() if profile.shoots} == {"AR", "HA"}
    assert {key for key, profile in PROFILES.items() if profile.half_points == 1} == {"LI"}
    assert {profile.half_points for profile in PROFILES.values()} == {1, 2}
    assert {key for key in PROFILES if is_barred_from_forest(key)} == {"EL", "CV", "SC", "HA", "GE"}


def test_each_module_has_its_types():
    """PRG-EXT: the standard types need none."""
    assert {key: profile.module for key, profile in PROFILES.items() if profile.module} == {
        "SC": "shock",
        "HA": "horse-archers",
        "LI": "light-infantry",
        "SV": "survivors",
        "GE": "general",
    }
    assert set(MODULES) == {profile.module for profile in PROFILES.values() if profile.module} | {"terrain"}
    assert ABILITIES == {"SC": ("impact", "ties"), "HA": ("asterisk",)}


@pytest.mark.parametrize(
    ("type_", "strength", "abilities", "paid", "points"),
    [
        *((key, strength, (), False, strength) for key in ("EL", "HI", "AR", "CV", "SC") for strength in (4, 7)),
        ("LI", 3, (), False, 3),
        ("SV", 2, (), False, 2),
        ("HA", 4, (), False, 5),
        ("HA", 4, ("asterisk",), False, 5),
        ("HA", 4, ("asterisk",), True, 6),
        ("GE", 5, (), True, 7),
        ("SC", 6, ("impact",), True, 8),
        ("SC", 6, ("ties",), False, 7),
        ("SC", 6, ("impact", "ties"), False, 9),
    ],
)
def test_what_a_counter_costs(type_, strength, abilities, paid, points):
    """PRG-ARM-02, PRG-EXT-SC-01, PRG-EXT-HA-01, PRG-EXT-GE-01: the printed strength, and what comes on top."""
    assert cost(type_, strength, abilities, paid_asterisk=paid) == points


def test_the_options_where_a_scenario_is_silent():
    """PRG-ARM-03, -10, PRG-VP-07, PRG-CBT-09, PRG-SHT-09, PRG-EXT-GE-02: singidunum.md 12."""
    assert Options() == Options(
        modules=(),
        budget=50,
        goal=0,
        turn_limit=8,
        deploy_rows=4,
        reroll_five=False,
        rally_target=4,
        rally_min_diff=4,
        isolated="no-adjacent-friend",
        shot_hit=1,
        shot_kill=4,
        refusal_activates=False,
        second_challenge=False,
        refuge_kill=False,
        general_range=3,
        asterisk_attack=False,
        scrub_markers="none",
    )


@pytest.mark.parametrize(
    ("budget", "points"), [(37, 4), (50, 7), (55, 8), (60, 9), (45, 6), (64, 9), (65, 10), (20, 1)]
)
def test_the_goal_of_a_budget(budget, points):
    """PRG-ARM-03, -11, PRG-INT-17."""
    assert goal(Options(budget=budget)) == points
    assert goal(Options(budget=budget, goal=5)) == 5


@pytest.mark.parametrize("board", [(9, 11), (13, 11), (7, 6), (8, 5), (6, 4), (7, 3)])
def test_the_standard_layout_of_any_board(board):
    """PRG-BRD-01 … -03, -09: two rows of base at either end, two columns of scrub beside each, one along the field."""
    columns, rows = board
    found = layout("standard", board)
    for name, (column, row) in ((hexes.name_at(c, r), (c, r)) for c in range(columns) for r in range(rows)):
        side, depth = ("north", row) if row < rows / 2 - 0.5 else ("south", rows - 1 - row)
        inside = min(column, columns - 1 - column)
        expected = ("plain", "") if inside else ("scrub", "")
        if depth < 2:
            expected = ("scrub", "") if inside < 2 else ("rampart" if depth else "base", side)
        here = found.get(name)
        assert ((here.kind, here.side) if here else ("plain", "")) == expected, name
    assert layout("blank", board) == {}


def test_only_with_pictures_a_side_edge_leads_off_the_board():
    """PRG-EXT-TER-04: column A and the last one."""
    state = State(board=(9, 11), options=Options(scrub_markers="picture"))
    assert [hex_ for hex_ in ("A5", "B5", "H5", "I5") if is_at_side_edge(state, hex_)] == ["A5", "I5"]
    assert not is_at_side_edge(State(board=(9, 11), options=Options(scrub_markers="both")), "A5")
