"""A scenario file is checked when it is loaded, and the key at fault is named (STP-SCN-01)."""

from copy import deepcopy

import pytest

from domain.basics.errors import Refusal
from domain.games.shot_to_pieces.state.scenario import load
from domain.games.shot_to_pieces.state.setup import opened_state
from domain.games.shot_to_pieces.state.state import State
from tests.domain.games.shot_to_pieces.playing import NORTH, SOUTH, corps, general, scenario, unit


def loaded(**more):
    return load(scenario(**more))


def one(**more):
    """A scenario whose only southern unit has other keys."""
    return scenario([corps("I", {**unit("U1", 90, 30), **more}, general=general("GS", 90, 10))])


WALL = {"id": "H1", "kind": "wall", "line": [[0, 0], [100, 0]]}


@pytest.mark.parametrize(
    ("battle", "key", "fault"),
    [
        (one(type="dragoons"), "sides.south.corps[0].units[0].type", "unknown"),
        (one(status="veteran"), "sides.south.corps[0].units[0].status", "unknown"),
        (one(weapon="bow"), "sides.south.corps[0].units[0].weapon", "unknown"),
        (one(formation="line"), "sides.south.corps[0].units[0].formation", "unknown"),
        (one(traits=["brave"]), "sides.south.corps[0].units[0].traits", "unknown"),
        (one(id="X1"), "sides.north.corps.X.units[0].id", "twice"),
        (one(id="march"), "sides.south.corps.I.units[0].id", "keyword"),
        (one(id="tirailleurs"), "sides.south.corps.I.units[0].id", "keyword"),
        (one(id="1U"), "sides.south.corps.I.units[0].id", "id"),
        (one(at=[9000, 100]), "sides.south.corps.I.units.U1.at", "off-table"),
        (one(at=[9000, 9001]), "sides.north.corps.X.units.X1.at", "overlap"),
        (one(brittle=3), "sides.south.corps.I.units.U1.brittle", "number"),
        (one(brittle=2, shaken=1), "sides.south.corps.I.units.U1.shaken", "number"),
        (one(colour="blue"), "sides[...].corps[0].units[0]", "shape"),
        (scenario(melee=[{"units": ["U1", "X1"]}]), "melee[0].units", "apart"),
        (scenario(melee=[{"units": ["U1", "GS"]}]), "melee[0].units", "unknown"),
        (scenario([corps("I", unit("U1", 90, 30), unit("U2", 90, 33))], melee=[{"units": ["U1", "U2"]}]),
         "melee[0].units", "sides"),
        (scenario(terrain=[WALL | {"line": [[0, 0]]}]), "terrain[0].line", "line"),
        (scenario(terrain=[{"id": "W1", "kind": "wood", "outline": [[0, 0], [9, 9]]}]), "terrain[0].outline",
         "not-convex"),
        (scenario(terrain=[WALL, WALL]), "terrain[1].id", "twice"),
        (scenario(options={"base_sizes": {"inf": [400, 9000]}}), "options.base_sizes.inf", "number"),
        (scenario(options={"base_sizes": {"foot": [400, 300]}}), "options.base_sizes.foot", "unknown"),
        (scenario(options={"turn_limit": 101}), "options.turn_limit", "number"),
        (scenario(period="ecw"), "period", "shape"),
        (scenario(table={"width": 10}), "table.width", "number"),
        (scenario([SOUTH, corps("II")]), "sides.south.corps.II.units", "number"),
        (scenario([SOUTH | {"general": {"id": "GS", "with": "X1"}}]), "sides.south.corps.I.general.with", "with"),
        (scenario([SOUTH | {"general": {"id": "GS"}}], step="moves"), "sides.south.corps.I.general.at", "missing"),
        (scenario([corps("I", {"id": "U1", "type": "infantry"})], step="moves"), "sides.south.corps.I.units.U1.at",
         "missing"),
        (scenario([SOUTH | {"general": general("GS", 90, 10, commander=True)},
                   corps("II", unit("U2", 50, 30), general=general("G2", 50, 10, commander=True))]),
         "sides.south.corps", "commanders"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_refused_with_its_key(battle, key, fault):
    """STP-SCN-01."""
    with pytest.raises(Refusal) as refused:
        load(battle)
    assert refused.value.code == "stp.bad-scenario"
    assert (refused.value.params["key"], refused.value.params["fault"]) == (key, fault)


def test_a_side_must_be_there():
    """STP-SCN-01."""
    battle = scenario()
    del battle["sides"]["north"]
    with pytest.raises(Refusal) as refused:
        load(battle)
    assert refused.value.params["key"] == "sides.north"


def test_defaults_are_those_of_side_and_type():
    """STP-GAP-18, STP-GAP-02, STP-OPT-04: facing away from the own edge, formation, weapon, size of the corps."""
    opened = loaded(period="emp")
    south, north = (opened.sides[side].corps[0] for side in ("south", "north"))
    assert (south.units[0].facing, south.units[0].formation, south.units[0].weapon) == (0, "column", "musket")
    assert (north.units[0].facing, south.size, opened.first) == (18000, 1, "south")
    assert (opened.board.width, opened.board.height) == (18000, 12000)
    assert [loaded(period=code).options.infantry_fired for code in ("emp", "alg", "f70", "ww1")] == [
        *(False, True, True),
        False,
    ]
    forced = scenario(period="ww1", options={"infantry_fired": True})
    assert not load(forced).options.infantry_fired


def test_ids_are_capitals():
    """STP-ORD-01."""
    battle = deepcopy(scenario())
    battle["sides"]["south"]["corps"][0]["units"][0]["id"] = "u1"
    assert load(battle).sides["south"].corps[0].units[0].id == "U1"
    assert NORTH["units"][0]["id"] == "X1"


def test_two_chargers_of_one_target_are_in_one_melee():
    """STP-MEL-15: the first that is named is the reference unit; nobody charges twice."""
    south = corps("I", unit("U1", 90, 30), unit("U2", 86.5, 33.5, facing=9000))
    north = corps("X", unit("X1", 90, 33))
    melees = [{"units": ["U1", "X1"]}, {"units": ["U2", "X1"], "aspect": "flank"}]
    state = opened_state(State(), load(scenario([south], [north], step="melee", melee=melees)))
    (melee,) = state.melees
    assert (melee.charger, melee.target, melee.others, melee.aspect) == ("U1", "X1", ("U2",), "flank")
    assert {unit.melee for unit in state.units.values()} == {"M1"}
    with pytest.raises(Refusal):
        load(scenario([south], [north], step="melee", melee=[melees[0], melees[0]]))
