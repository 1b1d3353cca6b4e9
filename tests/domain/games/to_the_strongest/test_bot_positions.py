"""The bots hold the position they stand in: ridge, stakes, laager, shieldwall; and they do not gamble first."""

from functools import cache

import pytest
from msgspec.structs import replace

from domain.contract.option import Option
from domain.engine.state import OTHER
from domain.games.to_the_strongest.bot.positions import cover, holding, works
from domain.games.to_the_strongest.state.state import Camp, kind, with_army, with_unit, with_unit_in
from domain.run.bots import BOTS
from domain.run.decide import to_act
from tests.support.playing import TTS, Dice, fold, give, opened, scenario

TURNS = 2
DEFENDED = {"hastings": "north", "agincourt": "south", "adrianople": "north"}
"""Battle to the side that stands in a position: a ridge, stakes, a laager."""


def start(name):
    state, _ = opened(scenario(name))
    return state


@cache
def after(name, bot):
    """A battle between two bots of a strength, when each has had its turns."""
    state, dice = start(name), Dice(f"positions {name}")
    while state.winner is None and state.turn <= TURNS:
        side = to_act(TTS, state)[0]
        known = TTS.secrets.known(state, side)
        order = BOTS[bot](TTS, known, side, TTS.orders.options(known, side), dice)
        state = fold(state, give(state, side, order, dice))
    return state


def chosen(state, side, *options):
    return BOTS["sensible"](TTS, state, side, [*options, Option("end turn", "end")], Dice(""))


def in_position(state, side):
    return {unit.id for unit in state.units.values() if unit.side == side and unit.box and works_of(state, unit)}


def works_of(state, unit):
    return works(state, unit, unit.box, unit.facing)


# --- holding


@pytest.mark.parametrize("bot", ["sensible", "strong"])
@pytest.mark.parametrize("name", list(DEFENDED))
@pytest.mark.slow
def test_who_stands_in_a_position_is_still_there_when_the_enemy_has_come(name, bot):
    begun, later = start(name), after(name, bot)
    stood = {unit for unit in in_position(begun, DEFENDED[name]) if later.units[unit].alive}
    assert len(stood) >= 3
    assert len(stood - in_position(later, DEFENDED[name])) <= len(stood) / 6


@pytest.mark.parametrize("name", list(DEFENDED))
def test_only_the_side_with_the_position_waits(name):
    state, side = start(name), DEFENDED[name]
    assert holding(state, side)
    assert not holding(state, OTHER[side])


def test_horse_that_belongs_to_no_position_does_not_wait_for_the_laager():
    assert "D" not in holding(start("adrianople"), "north")


def test_a_side_that_loses_by_waiting_waits_no_more():
    state = start("hastings")
    late = replace(state, turn=state.options.turn_limit)
    assert holding(late, "north")
    assert not holding(with_army(late, replace(late.armies["north"], medals=3)), "north")


def test_without_a_turn_limit_nobody_waits_forever():
    endless = start("hastings")
    endless = replace(endless, options=replace(endless.options, turn_limit=0))
    assert holding(replace(endless, turn=1), "north")
    assert not holding(replace(endless, turn=100), "north")


def test_works_are_slopes_stakes_streams_and_fortified_sides_in_the_own_half_for_foot():
    state = start("hastings")
    axemen = state.units["S1"]
    assert works(state, axemen, "E6", "S") == 1
    assert works(state, axemen, "E5", "S") == 0
    assert works(state, axemen, "D4", "S") == 0  # a hill, but on the other side's half
    assert works(state, replace(axemen, extras=("stakes",)), "E5", "S") == 1
    assert works(replace(state, edges={("E4", "E5"): "stream"}), axemen, "E5", "S") == 1
    camp = Camp("north", "A", "E5", fortified=("S",))
    assert works(replace(state, camps={"E5": camp}), axemen, "E5", "S") == 2
    assert works(replace(state, camps={"E5": camp}), axemen, "E5", "N") == 0
    assert works(state, replace(axemen, type="early_knights"), "E6", "S") == 0


def test_rough_ground_covers_foot_that_fights_in_open_order():
    state = start("hastings")
    assert cover(state, replace(state.units["S1"], type="auxilia"), "C7", "S") == 1
    assert cover(state, state.units["S2"], "C7", "S") == 0
    assert "close" in kind(state.units["S2"]).flags


# --- shieldwall


def close_to(state, unit, boxes):
    """The state with an enemy so many boxes before a unit."""
    goal = unit.box[0] + str(int(unit.box[1:]) - boxes)
    return with_unit_in(state, state.units["R6"], goal)


@pytest.mark.parametrize(("boxes", "wanted"), [(5, "end turn"), (3, "S10 form shieldwall"), (1, "end turn")])
def test_shields_close_when_the_enemy_comes(boxes, wanted):
    state = start("hastings")
    state = with_unit(state, replace(state.units["S10"], formation="normal"))
    foes = {name: replace(unit, box="") for name, unit in state.units.items() if unit.side == "south"}
    state = replace(
        state, units=state.units | foes, boxes={box: ids for box, ids in state.boxes.items() if ids[0][0] == "S"}
    )
    order = Option("S10 form shieldwall", "form", "S10", odds=(8, 10))
    assert chosen(close_to(state, state.units["S10"], boxes), "north", order) == wanted


def test_a_shieldwall_on_its_hill_stays_closed_until_there_is_prey():
    state = start("hastings")
    order = Option("S10 form normal", "form", "S10", odds=(8, 10))
    assert chosen(state, "north", order) == "end turn"
    near = close_to(state, state.units["S10"], 1)
    weak = with_unit(near, replace(near.units["R6"], losses=1))
    assert chosen(weak, "north", order) == "S10 form normal"


# --- idle comrades first


def test_comrades_act_before_a_hopeless_card():
    state = close_to(start("hastings"), start("hastings").units["S1"], 1)
    hopeless = Option("S1 charge E5", "charge", "S1", needed=10, odds=(8, 80))
    sure = Option("S2 form normal", "form", "S2", needed=2, odds=(72, 80))
    charge = Option("S3 ahead", "move", "S3", needed=2, odds=(72, 80))
    state = replace(
        state, turn=state.options.turn_limit, armies=state.armies | {"north": replace(state.armies["north"], medals=3)}
    )
    first = chosen(state, "north", hopeless, sure, charge)
    assert first in (sure.order, charge.order)
    assert chosen(state, "north", hopeless) == hopeless.order
