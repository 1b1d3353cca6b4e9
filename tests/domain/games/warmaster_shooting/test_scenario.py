"""Scenarios that contradict themselves are refused with the key at fault, and what a file leaves out is filled in."""

import copy

import pytest

from domain.basics.errors import Refusal
from domain.games.warmaster_shooting.state.scenario import load
from domain.games.warmaster_shooting.state.setup import opened_state
from domain.games.warmaster_shooting.state.state import State

SQUARE = [[0, 100], [100, 100], [100, 0], [0, 0]]
STAND = {"id": "A1", "at": [0, 0], "facing": 0}
UNIT = {"id": "A", "profile": "bows", "stands": [STAND]}


def scenario():
    """A battle of a unit on each side, on a table of its own."""
    unit = copy.deepcopy(UNIT)
    other = {"id": "b", "profile": "cannon", "stands": [{"id": "b1", "at": [0, 200], "facing": 5400}]}
    return {
        "ruleset": "warmaster-shooting",
        "title": "Two units",
        "board": {"width": 600, "height": 600, "origin": [-300, -300]},
        "sides": {"south": {"name": "Red", "units": [unit]}, "north": {"name": "Blue", "units": [other]}},
    }


def changed(path, value):
    """The scenario with something else at a path of keys."""
    table = copy.deepcopy(scenario())
    place = table
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    return table


SOUTH, NORTH = ("sides", "south", "units", 0), ("sides", "north", "units", 0)
FAULTS = [
    (("first",), "east", "first", "shape"),
    (("weather",), 1, "the file", "shape"),
    (("options",), {"turns": 0}, "options.turns", "number"),
    (("options",), {"turns": 101}, "options.turns", "number"),
    (("options",), {"arc_slope": 1001}, "options.arc_slope", "number"),
    (("options",), {"los_points": "four"}, "options.los_points", "shape"),
    (("board", "width"), 99, "board.width", "number"),
    (("board", "height"), 10_001, "board.height", "number"),
    (("board", "origin"), [0, -10_001], "board.origin", "number"),
    (("title",), "t" * 201, "title.length", "number"),
    (("sides", "north", "name"), "n" * 101, "sides.north.name.length", "number"),
    (("sides",), {"south": {"name": "Red", "units": []}}, "sides.north", "missing"),
    (("sides", "south", "units"), [], "sides.south.units", "number"),
    ((*SOUTH, "profile"), "zouaves", "sides.south.units[0].profile", "unknown-profile"),
    ((*SOUTH, "id"), "B", "sides.north.units.B", "twice"),
    ((*SOUTH, "id"), "1A", "sides.south.units.1A", "id"),
    ((*SOUTH, "stands"), [], "sides.south.units.A.stands", "number"),
    ((*SOUTH, "wounds"), 3, "sides.south.units.A.wounds", "number"),
    ((*SOUTH, "total"), 2, "sides.south.units.A.shot_by", "shot-by"),
    ((*SOUTH, "shot_by"), ["A1"], "sides.south.units.A.shot_by", "shot-by"),
    ((*SOUTH, "stands", 0, "at"), [290, 0], "sides.south.units.A.stands.A1", "off-table"),
    ((*SOUTH, "stands", 0, "at"), [15, 210], "sides.north.units.B.stands.B1", "overlap"),
    (("board", "origin"), [-10_001, 0], "board.origin", "number"),
    (("options",), {"arc_slope": -1}, "options.arc_slope", "number"),
    (("sides", "south", "units"), [UNIT] * 41, "sides.south.units", "number"),
    ((*SOUTH, "stands"), [STAND] * 5, "sides.south.units.A.stands", "number"),
    ((*SOUTH, "stands", 0, "at"), [0, 10_001], "sides.south.units.A.stands.at", "number"),
    ((*SOUTH, "stands", 0, "at"), [-10_001, 0], "sides.south.units.A.stands.at", "number"),
    ((*SOUTH, "stands", 0, "id"), "A", "sides.south.units.A", "twice"),
    ((*SOUTH, "stands", 0, "id"), "A" * 21, "sides.south.units.A", "id"),
    ((*SOUTH,), UNIT | {"wounds": 2, "total": 1, "shot_by": ["b1"]}, "sides.south.units.A.total", "number"),
    ((*SOUTH,), UNIT | {"total": 1001, "shot_by": ["b1"]}, "sides.south.units.A.total", "number"),
    ((*SOUTH,), UNIT | {"wounds": -1}, "sides.south.units.A.wounds", "number"),
    ((*SOUTH, "stands", 0, "w"), 1001, "sides.south.units.A.stands.w", "number"),
    ((*SOUTH, "stands", 0, "d"), 1001, "sides.south.units.A.stands.d", "number"),
    ((*SOUTH, "stands", 0, "d"), -1, "sides.south.units.A.stands.d", "number"),
    (("terrain",), [{"kind": "wood", "polygon": SQUARE[:2]}], "terrain[0].polygon", "not-convex"),
    (("terrain",), [{"kind": "wood", "polygon": [*SQUARE, [50, 50]]}], "terrain[0].polygon", "not-convex"),
    (("terrain",), [{"kind": "wood", "polygon": [[n, n * n] for n in range(25)]}], "terrain[0].polygon", "not-convex"),
    (("terrain",), [{"kind": "hill", "polygon": SQUARE, "height": 101}], "terrain[0].height", "number"),
    (("terrain",), [{"kind": "wood", "polygon": [[0, 0], [0, 9], [10_001, 0]]}], "terrain[0].polygon", "number"),
    (("terrain",), [{"kind": "wood", "polygon": SQUARE}] * 61, "terrain", "number"),
    (("terrain",), [{"kind": "hill", "polygon": SQUARE, "height": -1}], "terrain[0].height", "number"),
    (("terrain",), [{"kind": "wood", "polygon": [[0, 0], [0, 9], [9, -10_001]]}], "terrain[0].polygon", "number"),
    (("edge",), [{"kind": "hedge", "from": [0, 0], "to": [9, 9]}] * 61, "edge", "number"),
    (("edge",), [{"kind": "hedge", "from": [-10_001, 0], "to": [0, 0]}], "edge[0]", "number"),
    (("edge",), [{"kind": "hedge", "from": [0, 0], "to": [0, 10_001]}], "edge[0]", "number"),
]


@pytest.mark.parametrize(
    ("path", "value", "key", "fault"), FAULTS, ids=[f"{key} {fault}" for _, _, key, fault in FAULTS]
)
def test_a_scenario_that_contradicts_itself_is_refused(path, value, key, fault):
    """WMS-SCN-02."""
    with pytest.raises(Refusal) as refused:
        load(changed(path, value))
    assert (refused.value.code, refused.value.rule) == ("wms.bad-scenario", "WMS-SCN-02")
    assert (refused.value.params["key"], refused.value.params["fault"]) == (key, fault)


def test_what_is_left_out_is_filled_in():
    """WMS-SCN-01, WMS-GEO-01, -02: ids in capitals, facings within the circle, bases by type, hills one high."""
    table = changed(("terrain",), [{"kind": "hill", "polygon": SQUARE[::-1]}, {"kind": "wood", "polygon": SQUARE}])
    state = opened_state(State(), load(table))
    assert list(state.units) == ["A", "B"]
    assert state.units["B"].stands[0].id == "B1"
    assert [(unit.stands[0].base.width, unit.stands[0].base.depth) for unit in state.units.values()] == [
        (40, 20),
        (20, 40),
    ]
    assert state.units["B"].stands[0].base.facing == 1800
    assert [(area.kind, area.height) for area in state.areas] == [("hill", 1), ("wood", 0)]
    assert state.areas[0].polygon == ((0, 0), (0, 100), (100, 100), (100, 0)), "clockwise, from the same corner"
    assert (state.first, state.options.turns) == ("south", 1)


def test_stands_may_be_outside_a_table_that_is_not_given():
    """WMS-SCN-02: the usual table binds nobody; a given one does."""
    table = changed((*SOUTH, "stands", 0, "at"), [5000, 0])
    with pytest.raises(Refusal):
        load(table)
    del table["board"]
    board = load(table).board
    assert (board.width, board.height, board.origin) == (1800, 1200, (-900, -600))


def test_a_wide_stand_may_be_given():
    state = opened_state(State(), load(changed((*SOUTH, "stands", 0, "w"), 60)))
    assert state.units["A"].stands[0].base.width == 60


@pytest.mark.parametrize("at", [[280, 0], [-280, 0], [0, 300], [0, -280]])
def test_a_stand_may_touch_the_edge_of_the_table(at):
    """WMS-SCN-02, WMS-GEO-06."""
    assert load(changed((*SOUTH, "stands", 0, "at"), at)).sides["south"].units[0].stands[0].at == tuple(at)


@pytest.mark.parametrize(
    ("south", "north"),
    [
        ({"at": [0, 250], "d": 500}, {"at": [0, -150]}),
        ({"at": [0, 250], "w": 500}, {"at": [200, 250]}),
        ({"at": [0, -150]}, {"at": [0, 250], "d": 500}),
    ],
)
def test_stands_of_any_size_do_not_overlap(south, north):
    """WMS-SCN-02: however far their fronts are apart."""
    table = scenario()
    for side, place in (("south", south), ("north", north)):
        table["sides"][side]["units"][0]["stands"] = [{"id": f"{side[0]}1", "facing": 0, **place}]
    with pytest.raises(Refusal) as refused:
        load(table)
    assert refused.value.params["fault"] == "overlap"


def test_a_file_of_another_shape_is_told_what_was_found():
    """WMS-SCN-02."""
    with pytest.raises(Refusal) as refused:
        load(changed(("first",), "east"))
    assert refused.value.params["found"] == "Invalid enum value 'east'"


def test_stands_of_one_unit_may_overlap():
    """WMS-SCN-02: only those of different units must not."""
    stands = [STAND, STAND | {"id": "A2", "at": [30, 0]}]
    assert len(load(changed((*SOUTH, "stands"), stands)).sides["south"].units[0].stands) == 2


def test_ground_has_so_many_corners_at_most():
    """WMS-SCN-02: 24; one more is refused."""
    corners = [[n, n * n] for n in range(24)]
    assert len(load(changed(("terrain",), [{"kind": "wood", "polygon": corners}])).terrain[0].polygon) == 24


def test_what_is_just_allowed_is_taken():
    """WMS-SCN-02: the bounds of every number and list."""
    square = [[x * 10_000, y * 10_000] for x, y in ((-1, -1), (-1, 1), (1, 1), (1, -1))]
    table = scenario() | {
        "title": "t" * 200,
        "options": {"turns": 100, "arc_slope": 1000},
        "board": {"width": 10_000, "height": 10_000, "origin": [-10_000, -10_000]},
        "terrain": [{"kind": "hill", "polygon": square, "height": 100}] * 60,
        "edge": [{"kind": "hedge", "from": [10_000, 10_000], "to": [-10_000, -10_000]}] * 60,
    }
    unit = {"profile": "bows", "wounds": 2, "total": 1000, "shot_by": ["B1"], "engaged": True}
    units = [
        {
            **unit,
            "id": f"A{at}".ljust(20, "X"),
            "stands": [{"id": f"A{at}-{n}", "at": [-9000 + 50 * n, -9000 + 100 * at], "facing": 0} for n in range(4)],
        }
        for at in range(40)
    ]
    enemy = {
        "id": "B",
        "profile": "bows",
        "stands": [{"id": "B1", "at": [-5000, -5000], "facing": 0, "w": 1000, "d": 1000}],
    }
    table["sides"] = {"south": {"name": "n" * 100, "units": units}, "north": {"name": "", "units": [enemy]}}
    opened = load(table)
    assert len(opened.sides["south"].units) == 40


def test_the_smallest_of_everything_is_taken():
    """WMS-SCN-02: a table of 10 cm in the farthest corner, and stands of a millimetre."""
    table = scenario() | {
        "title": "",
        "options": {"turns": 1, "arc_slope": 0},
        "board": {"width": 100, "height": 100, "origin": [9_900, 9_900]},
    }
    for side, at in (("south", [10_000 - 1, 10_000]), ("north", [9_930, 9_950])):
        stand = {"id": f"{side[0]}1", "at": at, "facing": 0, "w": 1, "d": 1}
        table["sides"][side]["units"][0]["stands"] = [stand]
    assert load(table).options.turns == 1
