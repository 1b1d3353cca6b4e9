"""A unit that has lost its first stand is led by the first that still stands, in the options and in corrections."""

import pytest
from msgspec.structs import replace

from domain.games.warmaster_shooting import RULESET
from domain.games.warmaster_shooting.chapters.charges import ChargeAlong, Pose, StandEnd, plan_of
from domain.games.warmaster_shooting.chapters.corrections import StandsPlaced, decide
from domain.games.warmaster_shooting.chapters.set_lines import SetStandPlace
from domain.games.warmaster_shooting.state.state import Options, Stand, StandBase, State, Unit


def line(name, side, profile, x, y):
    """Three stands from west to east."""
    facing = 0 if side == "south" else 1800
    return Unit(
        name,
        side,
        profile,
        tuple(Stand(f"{name}{at + 1}", StandBase((x + 40 * at, y), facing, 40, 20)) for at in range(3)),
    )


@pytest.fixture
def state():
    """A charges north; its first stand, in the west, is gone."""
    charger, target = line("A", "south", "spears", 0, 0), line("T", "north", "spears", 0, 150)
    charger = replace(charger, stands=(replace(charger.stands[0], alive=False), *charger.stands[1:]))
    begun = State(units={"A": charger, "T": target}, names={"south": "Red", "north": "Blue"}, active="south")
    return replace(begun, phase="command", turn=1, t=1, options=Options(turns=2, command_phase=True))


def test_the_charge_that_is_listed_names_the_places_of_the_stand_that_leads(state):
    """WMS-CCF-10"""
    (option,) = [option for option in RULESET.orders.options(state, "south") if option.kind == "charge"]
    assert option.order == "A charge T to 4,14.9"
    command = RULESET.orders.parse(option.order)
    assert isinstance(command, ChargeAlong)
    plan = plan_of(state, "south", command)
    assert plan.length == 149
    assert [stand.base.at for stand in plan.poses[-1].standing] == [(40, 149), (80, 149)]


def test_the_way_is_measured_from_the_stand_that_leads(state):
    """WMS-CCF-10: from 40,0 to 40,150; from the place of the stand that is gone it would be 155."""
    assert plan_of(state, "south", ChargeAlong("A", "T", (Pose(40, 150),))).length == 150


def test_a_correction_places_the_stand_that_leads(state):
    """A quarter to the right around A2: A3, 40 to the east, comes to lie 40 to the south."""
    (placed,) = decide(state, SetStandPlace("A", 100, 50, 900))
    assert isinstance(placed, StandsPlaced)
    assert [one for one in placed.stands if one.stand != "A1"] == [
        StandEnd("A2", 100, 50, 900),
        StandEnd("A3", 100, 10, 900),
    ]
