"""How the units of a broken corps go home by themselves: `retreat_all`, `free_way` (STP-MOR-04, STP-MOR-05)."""

import pytest

from tests.domain.games.shot_to_pieces.playing import corps, found, general, play, scenario, unit

GONE = {"size": 12, "loss_halves": 18}
SILENT = "indians"
"""Infantry without a weapon: nobody has to be asked whether it fires."""


def enemies(*units):
    return corps("X", *units, unit("X9", 170, 110), general=general("GN", 170, 115), ap=6)


FAR = enemies()


def retreat(*units, north=(), others=(), dice=(), further=()):
    """The events of the phase in which a corps of South's, broken, goes home, and of the next one but one; enemies who
    are near throw a die for their points."""
    spare = [corps("S1", unit("F8", 175, 5)), corps("S2", unit("F9", 170, 5))]
    south = [corps("I", *units, **GONE), *spare, *others]
    battle = scenario(south, north or [FAR], step="fire", side="north")
    orders = ("north: done", "south: done", "north: done", "south: end turn", "north: end turn", "south: end turn")
    return play(battle, *orders, *further, south=dice, north=[1] if north else [])


def moved(events, name):
    return [data["distance_hcm"] for data in found(events, "UnitMoved", unit=name)]


@pytest.mark.rule("STP-MOR-04")
@pytest.mark.rule("STP-MOR-05")
def test_who_has_left_does_not_leave_again():
    events = retreat(unit("U1", 90, 5), further=("north: done", "south: end turn"))
    assert len(found(events, "StepBegan", side="south", step="moves")) == 2
    assert [data["unit"] for data in found(events, "UnitLeftTable")] == ["U1"]


@pytest.mark.rule("STP-MOR-04")
@pytest.mark.rule("STP-MOR-05")
def test_who_is_a_hundredth_from_the_edge_leaves():
    events = retreat(unit("U1", 90, 1.51))
    assert moved(events, "U1") == [1]
    assert found(events, "UnitLeftTable") == [{"unit": "U1", "cause": "retreat"}]


@pytest.mark.rule("STP-MOR-04")
@pytest.mark.rule("STP-MOR-05")
def test_one_enemy_of_several_on_the_way_is_enough_to_stop_it():
    events = retreat(unit("U1", 90, 60, SILENT), north=[enemies(unit("X1", 90, 50, SILENT))])
    assert moved(events, "U1")[0] == 700


@pytest.mark.rule("STP-MOR-04")
@pytest.mark.rule("STP-MOR-05")
def test_who_ends_near_hidden_enemies_sees_them():
    north = [enemies(unit("X1", 98, 45, SILENT, traits=["hidden"]))]
    assert [data["unit"] for data in found(retreat(unit("U1", 90, 65, SILENT), north=north), "UnitRevealed")] == ["X1"]


@pytest.mark.rule("STP-MOR-04")
@pytest.mark.rule("STP-MOR-05")
def test_who_fights_stays():
    north = [enemies(unit("X1", 90, 63))]
    south = [corps("I", unit("U1", 90, 60), unit("U2", 40, 60), **GONE)]
    south += [corps("II", unit("F1", 175, 5)), corps("III", unit("F2", 170, 5))]
    battle = scenario(south, north, step="fire", side="north", melee=[{"units": ["X1", "U1"], "since": 1}])
    orders = ("north: done", "south: done", "north: done", "south: done", "south: done")
    events = play(battle, *orders, south=[2], north=[2])
    assert found(events, "CorpsBroken") and moved(events, "U2") == [1500]
    assert not moved(events, "U1") and not found(events, "UnitOriented", unit="U1")


BESIDE = [corps("II", unit("F1", 93.5, 60))]
"""A friend whom an infantry at (90, 60) that looks to the east touches with its front, and meets if it turns."""


@pytest.mark.rule("STP-MOR-04")
@pytest.mark.rule("STP-MOR-05")
def test_who_has_no_room_to_turn_stays_if_it_cannot_go():
    north = [enemies(unit("X1", 90, 56.4, SILENT))]
    events = retreat(unit("U1", 90, 60, SILENT, facing=9000), north=north, others=BESIDE, dice=[1])
    assert not moved(events, "U1") and not found(events, "UnitOriented", unit="U1")


@pytest.mark.rule("STP-MOR-04")
@pytest.mark.rule("STP-MOR-05")
def test_who_has_no_room_to_turn_goes_where_there_is_room():
    assert moved(retreat(unit("U1", 90, 60, facing=9000), others=BESIDE), "U1")[0] == 1500


@pytest.mark.rule("STP-MOR-04")
@pytest.mark.rule("STP-MOR-05")
def test_who_has_room_to_turn_alone_turns():
    north = [enemies(unit("X1", 93.5, 57, SILENT))]
    events = retreat(unit("U1", 90, 60, SILENT, facing=9000), north=north)
    assert not moved(events, "U1")
    assert [data["to_hdeg"] for data in found(events, "UnitOriented", unit="U1")] == [18000]


def column(y):
    return unit("U1", 90, y, facing=9000, formation="march")


@pytest.mark.rule("STP-MOR-04")
@pytest.mark.rule("STP-MOR-05")
def test_a_column_along_the_edge_that_would_reach_over_it_leaves():
    assert found(retreat(column(1)), "UnitLeftTable") == [{"unit": "U1", "cause": "retreat"}]


@pytest.mark.rule("STP-MOR-04")
@pytest.mark.rule("STP-MOR-05")
def test_who_touches_the_edge_once_turned_leaves_whoever_is_in_the_way():
    events = retreat(column(3), others=[corps("II", unit("F1", 90, 5.5))])
    assert found(events, "UnitLeftTable") == [{"unit": "U1", "cause": "retreat"}]


@pytest.mark.rule("STP-MOR-04")
@pytest.mark.rule("STP-MOR-05")
def test_who_is_not_at_the_edge_once_turned_stays_if_there_is_no_room():
    events = retreat(column(3.01), others=[corps("II", unit("F1", 90, 5.51))])
    assert not found(events, "UnitLeftTable") and not found(events, "UnitOriented", unit="U1")
