"""The board, what there is to know of a unit, and what is left to win."""

import re
import tomllib
from pathlib import Path

import pytest
from msgspec.structs import replace

from domain.contract.heraldry import load_heraldry
from domain.games.shot_to_pieces import RULESET
from domain.games.shot_to_pieces.plane import angles
from domain.games.shot_to_pieces.plane.base import front_centre
from domain.games.shot_to_pieces.plane.zones import in_fire_zone
from domain.games.shot_to_pieces.shown import heraldry
from domain.games.shot_to_pieces.shown.view import ARMS, KEYS, view
from domain.games.shot_to_pieces.shown.zones import control_zone, fire_zone
from domain.games.shot_to_pieces.state.profiles import period
from domain.games.shot_to_pieces.state.scenario import load
from domain.games.shot_to_pieces.state.setup import opened_state
from domain.games.shot_to_pieces.state.state import DeclaredCharge, Salvo, Shaken, State, changed
from domain.games.shot_to_pieces.state.vocabulary import PERIODS
from replay.bench.bench import scenario_of
from replay.drawing.svg import draw_svg
from replay.drawing.symbols import GENERIC, SYMBOLS
from replay.drawing.text import draw_text
from replay.telling.words import phrase, worded

SCENARIO = """
ruleset = "stp"
title = "A bridge"
period = "emp"
[[terrain]]
id = "W1"
kind = "wood"
name = "the mill wood"
outline = [[3000, 3000], [4000, 3000], [4000, 4000], [3000, 4000]]
cover = "light"
[[terrain]]
id = "R1"
kind = "road"
outline = [[0, 6000], [18000, 6000], [18000, 6200], [0, 6200]]
[[terrain]]
id = "H1"
kind = "hedge"
line = [[5000, 5000], [6000, 5000]]
[start]
turn = 3
side = "south"
step = "moves"
[sides.south]
name = "French"
[[sides.south.corps]]
id = "I"
name = "the old guard"
ap = 4
general = { id = "G1", quality = "good", with = "U1", commander = true }
[[sides.south.corps.units]]
id = "U1"
type = "infantry"
status = "elite"
at = [9000, 3000]
formation = "line"
brittle = 1
[[sides.south.corps.units]]
id = "U2"
type = "artillery_medium"
at = [10000, 3000]
[[sides.south.corps]]
id = "II"
general = { id = "G2", at = [9000, 1000] }
[[sides.south.corps.units]]
id = "U3"
type = "infantry"
at = [12000, 3000]
formation = "square"
[sides.north]
name = "Russians"
[[sides.north.corps]]
id = "X"
[[sides.north.corps.units]]
id = "E1"
type = "infantry"
at = [9000, 4200]
[[sides.north.corps.units]]
id = "E2"
type = "cavalry_light"
at = [12000, 9000]
[[sides.north.corps.units]]
id = "E3"
type = "cossack"
at = [3000, 9000]
"""


@pytest.fixture(name="state")
def _state():
    opened = opened_state(State(), load(tomllib.loads(SCENARIO)))
    return replace(opened, phase="turns", step="moves", start="")


def token(state, name):
    return next(token for token in view(state, "south").tokens if token.id == name)


def captions(state, lang="en"):
    return [words for _, words in worded(view(state, ""), lang).captions]


def known(state, name, lang="en"):
    return [phrase(value.id, value.params, lang) for value in RULESET.shown.table.dossier(state, name).values]


def fields(state, name):
    return {field.kind: field.arcs for field in RULESET.shown.table.dossier(state, name).fields}


# --- the board


def test_bases_stand_where_they_stand_as_large_as_they_are(state):
    line = token(state, "U1")
    assert (line.at, line.size, line.facing, line.formation) == ((9000, 3000), (800, 150), 0, "I")
    assert token(state, "E1").facing == 1800
    turned = changed(state, "E1", base=replace(state.units["E1"].base, facing=4_567))
    assert token(turned, "E1").facing == 457


def test_a_general_is_a_disc_or_goes_with_a_unit(state):
    assert (token(state, "G1").on, token(state, "G1").at) == ("U1", (9000, 3000))
    assert (token(state, "G2").on, token(state, "G2").at, token(state, "G2").form) == ("", (9000, 1000), "emblem")
    without = changed(state, "U1", alive=False)
    assert {one.id for one in view(without, "").tokens} == {"U2", "U3", "E1", "E2", "E3", "G2"}


def test_markers_are_shown_by_their_number(state):
    shaken = changed(state, "U1", shaken=(Shaken(7, "fire"),), melee="M1", hidden=True)
    marks = {mark.kind: (mark.count, mark.harm) for mark in token(shaken, "U1").marks}
    assert marks == {"shaken": (1, True), "brittle": (1, True), "in_melee": (1, False), "hidden": (1, False)}


def test_who_has_acted_in_the_open_step_is_spent(state):
    moved = changed(state, "U1", order_k=state.k)
    assert token(moved, "U1").spent and not token(moved, "U2").spent
    firing = replace(changed(moved, "U2", fired_k=state.k), step="fire", waiting=None)
    assert token(firing, "U2").spent and not token(firing, "U1").spent


def test_ground_has_its_name_and_lies_below_what_stands_on_it(state):
    scene = worded(view(state, ""), "en")
    assert [(cell.id, cell.kind, cell.title) for cell in scene.cells] == [
        ("R1", "road", "road"),
        ("W1", "wood", "the mill wood, wood, light cover"),
    ]
    assert [(line.kind, line.title) for line in scene.lines] == [("hedge", "hedge")]


def test_charges_and_salvoes_that_are_declared_are_arrows(state):
    charge = DeclaredCharge("E2", "U3", 18000, 18000, 5600, "front", "normal")
    salvo = Salvo("S1", "south", ("U1", "U2"), "E1")
    arrows = view(replace(state, charges=(charge,), salvoes=(salvo,)), "").arrows
    assert [(arrow.kind, arrow.side) for arrow in arrows] == [("charge", "north"), ("shot", "south"), ("shot", "south")]
    assert arrows[0].points == ((12000, 9000), (12000, 3000))


def test_the_lines_below_say_who_acts_and_how_the_corps_stand(state):
    assert captions(state) == [
        "Turn 3, phase 5 (South), moves: South is to act.",
        "French: 3 units, 0 of 2 corps broken, losses 0",
        "Corps I, the old guard: advance, 4 points, losses 0/2",
        "Corps II: advance, 0 points, losses 0/1",
        "Russians: 3 units, 0 of 1 corps broken, losses 0",
        "Corps X: advance, losses 0/2",
    ]
    assert captions(state, "fr")[0] == "Tour 3, phase 5 (le Sud), mouvements\N{NO-BREAK SPACE}: c’est au Sud d’agir."


def test_a_board_is_told_in_letters_with_the_three_nearest_enemies(state):
    text = draw_text(view(state, "south"))
    row = next(line for line in text.splitlines() if line.startswith("U1 "))
    assert row.split()[:8] == ["U1", "south", "90", "30", "0", "E1", "9.75", "cm"]
    assert re.search(r"^ +E2 \S+ cm 27°, E3 \S+ cm 315°$", text, re.M)


@pytest.mark.parametrize("code", PERIODS)
def test_every_type_has_a_picture_of_the_stock(code):
    pictures = {KEYS.get(key) or ARMS[kind.arm] for key, kind in period(code).types.items()}
    assert {GENERIC.get(name, name) for name in pictures} <= SYMBOLS.keys()


CASES = sorted((Path(__file__).parents[3] / "cases" / "stp").glob("*.toml"))


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_the_board_of_every_case_is_drawn_with_all_its_words(lang):
    assert len(CASES) >= 122
    for path in CASES[:: 1 if lang == "en" else 5]:
        opened = load(scenario_of(tomllib.loads(path.read_text())))
        scene = worded(view(opened_state(State(), opened), "south"), lang)
        titles = [
            *(token.title for token in scene.tokens),
            *(cell.title for cell in scene.cells),
            *(line.title for line in scene.lines),
        ]
        assert all(titles), path
        assert draw_svg(scene).startswith("<svg")


# --- what there is to know


def test_a_dossier_has_figures_weapon_markers_and_the_nearest_enemies(state):
    assert known(state, "U1") == [
        "Elite",
        "Fire 3, resilience 3",
        "Melee 3",
        "Musket: short range to 7.5 cm, long to 15",
        "Moves 10 cm, 15 in strategic move, in march column or on a road",
        "Brittle: one marker more than two destroys it",
        "In this phase it has had no order, has not fired",
        "Corps I: an order costs 1 point, 4 left",
        "E1 (infantry): 9.75 cm, bearing 0°, in its fire zone",
        "E2 (light cavalry): 62.08 cm, bearing 26.57°",
        "E3 (Cossacks): 78.7 cm, bearing 315°",
    ]


def test_in_the_fire_step_a_dossier_says_at_whom_a_unit_may_fire(state):
    firing = replace(state, step="fire", active="south")
    assert "May fire at E1: 9.75 cm, long range" in known(firing, "U1")
    assert not any("ay fire" in line for line in known(state, "U1"))
    assert not any("ay fire" in line for line in known(changed(firing, "U1", fired_k=state.k, shots=1), "U1"))


def test_a_dossier_is_told_in_french(state):
    shaken = changed(state, "U1", shaken=(Shaken(6, "fire"),))
    assert known(shaken, "U1", "fr")[5] == (
        "Ébranlée jusqu’à la fin de la phase 6, fragile\N{NO-BREAK SPACE}: au-delà de deux pions, elle est détruite"
    )
    assert known(state, "E2", "fr")[3] == "Rien pour tirer"


def test_guns_say_what_their_bands_can_do(state):
    assert known(state, "U2")[3] == (
        "Gun, 45 cm: short range to 15 cm, medium to 30 (shakes only), long to 45 (makes brittle only)"
    )


def test_a_general_says_how_far_orders_go(state):
    assert known(state, "G1") == [
        "Good general, +2 on the die for points, commands the army",
        "Corps I: advance, 4 points for orders",
    ]
    assert [arc.reach for arc in fields(state, "G1")["command"]] == [5000, 5000]


def test_the_scale_of_1914_is_told(state):
    """STP-WW1-01: a turn is an hour, a centimetre 100 m, a base a regiment, of skirmishers a battalion."""
    field = replace(state, period="ww1")
    assert known(field, "G1")[-1] == "1 cm is 100 m, a turn 60 minutes"
    assert known(field, "G1", "fr")[-1] == "1 cm vaut 100 m, un tour 60 minutes"
    for key, word in (
        ("infantry", "Stands for a regiment"),
        ("skirmisher", "Stands for a battalion"),
        ("cavalry", "Stands for a brigade"),
        ("artillery_foot", "Stands for a group of batteries"),
    ):
        given = changed(field, "U1", key=key, type=key, weapon="", formation="battle")
        assert word in known(given, "U1")
    assert not any("tands for" in line for line in known(changed(field, "U1", key="tank_light", weapon=""), "U1"))
    assert not any("tands for" in line for line in known(state, "U1"))


def test_nobody_else_has_a_dossier(state):
    assert known(state, "U9") == []
    assert known(changed(state, "U1", alive=False), "U1") == []


SHIELDS = {
    "sides": {
        side: {"shape": "oval", "field": "black", "charge": "bolt", "tint": "white"} for side in ("south", "north")
    },
    "peoples": {
        "france": {
            "shield": {"shape": "heater", "field": "blue", "charge": "eagle", "tint": "gold"},
            "names": ["French"],
        }
    },
}


def test_sides_bear_the_shields_of_their_peoples(state, monkeypatch):
    monkeypatch.setattr(heraldry, "heraldry", lambda: load_heraldry("stp", SHIELDS))
    south, north = view(state, "").shields
    assert (south.charge, south.field, north.charge) == ("eagle", "blue", "bolt")
    assert heraldry.shields(State()) == ()


# --- zones


def test_a_fire_zone_is_a_cone_and_a_corridor_for_each_band(state):
    unit = state.units["U2"]
    arcs = list(fire_zone(state, unit))
    assert [(arc.reach, arc.spread, arc.width) for arc in arcs[::2]] == [
        (reach, 225, 0) for reach in (1500, 3000, 4500)
    ]
    assert {(arc.spread, arc.width) for arc in arcs[1::2]} == {(0, 1200)}
    assert {arc.at for arc in arcs} == {front_centre(unit.base)}
    assert list(fire_zone(state, state.units["E2"])) == []


def test_the_corridor_ends_where_it_meets_the_cone_or_the_range(state):
    cone_at = 600 * 1000 // 414
    assert [arc.reach for arc in fire_zone(state, state.units["U2"])][1::2] == [1374, cone_at, cone_at]
    aside = replace(state.units["E1"], base=replace(state.units["E1"].base, at=(10000 + 595, 3000 + 200 + 1370)))
    assert in_fire_zone(state.units["U2"].base, aside.base)


def test_a_range_within_the_corridor_is_half_a_disc(state):
    arc = next(fire_zone(state, state.units["U1"]))
    assert (arc.reach, arc.spread) == (750, 899)


def test_a_square_fires_and_controls_all_round(state):
    unit = state.units["U3"]
    shot = [arc for arc in fire_zone(state, unit) if arc.reach == 1500]
    assert [arc.heading for arc in shot] == [0, 900, 1800, 2700]
    assert {arc.reach for arc in control_zone(state, unit)} == {500}


def test_a_control_zone_is_ten_centimetres_deep(state):
    arcs = list(control_zone(state, state.units["E1"]))
    assert [(arc.reach, arc.width) for arc in arcs] == [(1000, 400), (916, 1200)]
    broken = replace(state, corps=state.corps | {"X": replace(state.corps["X"], broken=True)})
    assert list(control_zone(broken, broken.units["E1"])) == []
    assert "control" not in fields(broken, "E1")


@pytest.mark.parametrize(("bearing", "tenths"), [(0, 0), (4, 0), (5, 1), (35_994, 3599), (35_996, 0)])
def test_a_bearing_is_shown_in_tenths_of_a_degree(bearing, tenths):
    assert angles.tenths(bearing) == tenths


# --- winning, and what orders look like


def test_the_goal_names_corps_to_break_and_losses(state):
    lost = replace(state, corps=state.corps | {"X": replace(state.corps["X"], loss_halves=3)})
    told = RULESET.shown.table.to_win(lost, "south")
    assert told is not None
    assert phrase(told.id, told.params) == (
        "Goal: break 1 of the 1 corps of Russians (0 so far), or have lost less after turn 12. "
        "Loss points: yours 0, theirs 1½."
    )
    assert RULESET.shown.tally(lost) == {"south": 3, "north": 0}
    assert RULESET.shown.table.to_win(replace(lost, winner="south"), "south") is None


def test_the_size_of_a_battle_is_told_in_centimetres():
    size = RULESET.shown.size(tomllib.loads(SCENARIO))
    assert (size.columns, size.rows, size.is_cm, size.turns) == (180, 120, True, 12)
