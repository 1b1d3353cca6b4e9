"""What a power may order, what it can foresee of a turn, and what a power without a player does."""

from random import Random

import pytest
from msgspec.structs import replace

from domain.basics.errors import Refusal
from domain.campaign.notation import read_order, write_order
from domain.campaign.theatre.bot import plan_turn
from domain.campaign.theatre.events import EncounterMade, ForceHungry, ForceMoved
from domain.campaign.theatre.options import movements, options_of
from domain.campaign.theatre.orders import TurnOrders
from domain.campaign.theatre.orders import ordered as what_is_ordered
from domain.campaign.theatre.preview import foreseen, of_power
from domain.campaign.theatre.state import Area, MapTerms, Power, Theatre
from domain.campaign.theatre.turn import opened
from tests.support.looping import some
from tests.support.theatres import BOOK, force, ordered, random_orders, random_theatre

MAP = Theatre(
    {"red": Power("red", "reds", 20), "blue": Power("blue", "blues", 40)},
    {"F1": force("F1", "red", "a", "R1 legionaries"), "F2": force("F2", "blue", "d", "N1 warriors", "N2 warriors")},
    {
        "a": Area("a", owner="red", supply=True, city=1),
        "b": Area("b", vp=1),
        "c": Area("c", owner="blue", vp=3),
        "d": Area("d", owner="blue", city=2, supply=True),
        "e": Area("e", city=1, vp=2),
    },
    MapTerms((("a", "b", "road"), ("b", "c", "road"), ("c", "d", "track"), ("a", "e", "sea"))),
)
SEEDS = range(60)


def lines(theatre: Theatre, power: str) -> list[str]:
    return [write_order(order) for order in options_of(theatre, TurnOrders(), BOOK, power)]


@pytest.mark.rule("CAM-ORD-02", "CAM-MAP-05")
def test_the_options_of_a_force_are_its_links_and_its_army() -> None:
    told = lines(MAP, "red")
    assert told[:4] == ["hold F1", "march F1 b", "march F1 b c", "march F1 e"]
    assert "avoid F1 b" in told
    assert not any(line.startswith(("avoid F1 e", "storm")) for line in told)
    assert "recruit F1 I legionaries as R2" in told
    assert {"dismiss F1 R1", "rest F1 R1"} <= {*told}
    assert all("F1" in line for line in told)


@pytest.mark.rule("CAM-MAP-13")
def test_a_force_before_a_closed_city_may_storm() -> None:
    there = MAP.with_force(replace(MAP.forces["F1"], area="e"))
    assert "storm F1" in [write_order(order) for order in movements(there, there.forces["F1"])]


@pytest.mark.rule("CAM-ORD-03")
@pytest.mark.parametrize("seed", SEEDS)
def test_each_option_is_accepted_as_the_line_that_it_is(seed: int) -> None:
    theatre = random_theatre(Random(seed))
    for power in some(theatre.powers):
        for order in options_of(theatre, TurnOrders(), BOOK, power):
            assert read_order(write_order(order)) == order
            what_is_ordered(theatre, TurnOrders(), BOOK, power, order)


@pytest.mark.rule("CAM-ORD-03")
def test_a_power_foresees_its_own_marches_alone() -> None:
    orders = ordered(MAP, "red: march F1 b c", "blue: march F2 c")
    found = foreseen(MAP, orders, BOOK, "red")
    assert [(event.force, event.to) for event in found if isinstance(event, ForceMoved)] == [("F1", "b"), ("F1", "c")]
    assert not any(isinstance(event, EncounterMade) for event in found)


@pytest.mark.rule("CAM-ORD-03", "CAM-MAP-14")
def test_a_power_foresees_hunger_and_battles_but_no_die() -> None:
    heavy = replace(MAP, forces={**MAP.forces, "F1": force("F1", "red", "c", "R1 elephants", "R2 elephants")})
    meeting = foreseen(heavy, ordered(heavy, "red: march F1 d"), BOOK, "red")
    assert any(isinstance(event, EncounterMade) for event in meeting)
    hungry = foreseen(
        replace(MAP, terms=replace(MAP.terms, supply_range=0)), ordered(MAP, "red: march F1 b"), BOOK, "red"
    )
    assert [event for event in hungry if isinstance(event, ForceHungry)] == [ForceHungry("F1", 1)]


@pytest.mark.rule("CAM-ORD-03")
@pytest.mark.parametrize("seed", SEEDS)
def test_what_others_have_ordered_changes_nothing_that_a_power_foresees(seed: int) -> None:
    rng = Random(seed)
    theatre = random_theatre(rng)
    orders = random_orders(rng, theatre)
    for power in some(theatre.powers):
        alone = of_power(orders, theatre, power)
        assert foreseen(theatre, orders, BOOK, power) == foreseen(theatre, alone, BOOK, power)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_power_without_a_player_orders_what_is_legal_and_the_same_again(seed: int) -> None:
    theatre = random_theatre(Random(seed))
    for power in some(theatre.powers):
        plan = plan_turn(theatre, BOOK, power, Random(seed).randrange)
        assert plan == plan_turn(theatre, BOOK, power, Random(seed).randrange)
        orders = ordered(theatre, *(f"{power}: {write_order(order)}" for order in plan))
        assert {*orders.movements} == {one.id for one in theatre.standing() if one.power == power}
        with pytest.raises(Refusal):
            ordered(theatre, f"{power}x: hold {next(iter(theatre.forces))}")


def first(theatre: Theatre, power: str) -> str:
    return write_order(plan_turn(theatre, BOOK, power, lambda limit: 0)[0])


def test_it_marches_to_what_is_worth_most_and_stays_before_a_city() -> None:
    assert first(MAP, "red") == "march F1 e"  # who stands in d is too strong for c
    alone = replace(MAP, forces={"F1": MAP.forces["F1"]})
    assert first(alone, "red") == "march F1 b c"
    before = MAP.with_force(replace(MAP.forces["F1"], area="e"))
    assert first(before, "red") in ("hold F1", "storm F1")


def test_it_slips_away_before_a_stronger_enemy() -> None:
    near = MAP.with_force(replace(MAP.forces["F2"], area="c")).with_force(replace(MAP.forces["F1"], area="b"))
    assert "a" in first(replace(near, areas={**near.areas, "b": replace(near.areas["b"], vp=0)}), "red")


def test_it_hires_where_it_stays_at_home() -> None:
    rich = opened(MAP, TurnOrders())
    alone = replace(rich, areas={"a": replace(rich.areas["a"], city=1)}, forces={"F1": rich.forces["F1"]})
    told = [write_order(order) for order in plan_turn(replace(alone, terms=MapTerms()), BOOK, "red", lambda limit: 0)]
    assert told[0] == "hold F1"
    assert told[1].startswith("recruit F1 I legionaries as R")
