"""Turns on a map at random: what holds whatever is ordered."""

from collections.abc import Mapping, Set
from functools import reduce
from random import Random

import pytest

from domain.campaign.theatre.carry import SIDES, CarryTerms, Fought, carry
from domain.campaign.theatre.contact import Encounter
from domain.campaign.theatre.evolve import evolve_theatre
from domain.campaign.theatre.judge import TheatreJudge
from domain.campaign.theatre.orders import TurnOrders
from domain.campaign.theatre.retreat import Won
from domain.campaign.theatre.state import Theatre
from domain.campaign.theatre.turn import fight, opened, settle
from domain.log.chance import StreamChance
from domain.log.fairness import Stream
from tests.support.theatres import BOOK, random_orders, random_theatre

TERMS = CarryTerms()
TURNS = 3


def chance(rng: Random) -> StreamChance:
    return StreamChance(Stream(rng.randbytes(32)))


def fought(rng: Random, theatre: Theatre, each: Encounter, leaders: Set[tuple[str, str]] = frozenset()) -> Fought:
    """A battle that came out at random; `leaders` were there."""
    keys = [tuple(name.split("/")) for side in SIDES for name in each.made.fielded[side]]
    fates = {(force, unit): rng.choice(("lost", "worn")) for force, unit in keys if rng.random() < 0.4}
    return Fought(
        each.made.area,
        rng.choice(("south", "north", "")),
        rng.choice(("medals", "turn-limit")),
        each.made.forces,
        frozenset((force, unit) for force, unit in keys) | leaders,
        fates,
    )


def played(rng: Random, theatre: Theatre, orders: TurnOrders) -> TheatreJudge:
    """A turn from its orders to its end."""
    judge = TheatreJudge(opened(theatre, orders), BOOK, chance(rng))
    won = dict[str, Won]()
    for each in fight(judge, orders, TERMS.recover):
        battle = fought(rng, judge.theatre, each)
        carry(judge, battle, TERMS)
        won[each.made.area] = Won(each.made, battle.winner)
    settle(judge, orders, won)
    return judge


@pytest.mark.parametrize("seed", range(300))
def test_what_holds_after_each_turn(seed: int) -> None:
    rng = Random(seed)
    theatre = random_theatre(rng)
    for _ in range(TURNS):
        orders = random_orders(rng, theatre)
        judge = played(rng, theatre, orders)
        assert reduce(evolve_theatre, judge.events, opened(theatre, orders)) == judge.theatre
        theatre = judge.theatre
        standing = list(theatre.standing())
        assert all(force.area in theatre.areas and force.units for force in standing)
        assert all(force.area == "" and not force.units for force in theatre.forces.values() if force.is_lost)
        for area in theatre.areas:
            assert len({theatre.alliance_of_force(force) for force in standing if force.area == area}) < 2
        assert all(power.treasury >= 0 for power in theatre.powers.values())
        assert {force.hungry > 0 for force in standing if force.id in theatre.unfed} <= {True}


def test_the_same_turn_is_the_same_events() -> None:
    """Whatever the order of forces and areas in the file: ids decide."""
    for seed in range(40):
        rng = Random(seed)
        theatre = random_theatre(rng)
        orders = random_orders(rng, theatre)
        events = [played(Random(seed), each, orders).events for each in (theatre, turned(theatre))]
        assert events[0] == events[1]


def turned(theatre: Theatre) -> Theatre:
    """The same with forces and areas in another order."""

    def back(rows: Mapping) -> dict:
        return dict(reversed(list(rows.items())))

    return Theatre(theatre.powers, back(theatre.forces), back(theatre.areas), theatre.terms)
