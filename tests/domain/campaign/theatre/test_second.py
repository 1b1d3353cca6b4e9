"""Turns on a map at random, beside a second implementation that was written from the rules alone."""

from random import Random

import pytest
from msgspec import to_builtins

from domain.campaign.theatre.carry import CarryTerms, carry
from domain.campaign.theatre.judge import TheatreJudge
from domain.campaign.theatre.orders import TurnOrders
from domain.campaign.theatre.retreat import Won
from domain.campaign.theatre.state import Theatre
from domain.campaign.theatre.turn import fight, opened, settle
from domain.contract.campaign_book import LEADER
from domain.log.chance import StackedChance
from tests.domain.campaign.theatre.second import Turn
from tests.domain.campaign.theatre.test_turns import fought
from tests.support.theatres import BOOK, POWERS, random_orders, random_theatre

TURNS = 2000
MEMBERS = {
    "ElementFared": ("force", "element", "fate", "now"),
    "LeaderReplaced": ("force", "leader", "by"),
    "DieRolled": ("scope", "value"),
    "UnitRaised": ("force", "unit", "points", "treasury"),
    "SiegeRolled": ("area", "turns", "die", "storm", "total", "needed"),
    "EncounterMade": ("area", "attacker", "south", "north", "forces", "fielded"),
}
"""The members that the second implementation tells, where it does not tell all."""


def plain(event):
    data = to_builtins(event)
    name = type(event).__name__
    return name, *(data[member] for member in MEMBERS.get(name, data))


def listed(value):
    """Rows as lists, whatever they were."""
    if isinstance(value, dict):
        return {key: listed(inner) for key, inner in value.items()}
    return [listed(inner) for inner in value] if isinstance(value, list | tuple) else value


def first(theatre: Theatre, orders: TurnOrders, dice, seed: int):
    """The events of a turn, the theatre after it, and how each battle came out."""
    rng = Random(seed)
    judge = TheatreJudge(opened(theatre, orders), BOOK, StackedChance(dice))
    results, won = {}, {}
    for each in fight(judge, orders, CarryTerms().recover):
        leaders = {
            (force, leader.element.id)
            for names in each.made.forces.values()
            for force in names
            for leader in judge.theatre.forces[force].here(LEADER)
            if any(unit.startswith(f"{force}/") for side in each.made.fielded.values() for unit in side)
        }
        battle = fought(rng, judge.theatre, each, leaders)
        results[each.made.area] = (battle.winner, battle.how, dict(battle.fates))
        carry(judge, battle, CarryTerms())
        won[each.made.area] = Won(each.made, battle.winner)
    settle(judge, orders, won)
    return [plain(event) for event in judge.events], judge.theatre, results


def second(theatre: Theatre, orders: TurnOrders, dice, results):
    """The same by the other implementation."""
    begun = opened(theatre, orders)
    left = {name: list(values) for name, values in dice.items()}
    turn = Turn(
        {name: (power.alliance, power.treasury) for name, power in begun.powers.items()},
        {name: to_builtins(area) for name, area in begun.areas.items()},
        {
            name: {
                "power": force.power,
                "area": force.area,
                "units": {each.element.id: each.element.points for each in force.units},
                "hungry": force.hungry,
                "rests": set(force.rests),
            }
            for name, force in begun.forces.items()
        },
        begun.terms.links,
        to_builtins(begun.terms),
        lambda power: left[f"dice:{power}"].pop(0),
        lambda area, encounter: results[area],
    )
    moves = {
        name: (order.verb, [area for area in (order.area, order.onward) if area])
        for name, order in orders.movements.items()
    }
    recruits = [(each.power, each.force, each.element.id, each.element.points) for each in orders.recruits]
    turn.run(moves, recruits, orders.dismissed)
    return turn


@pytest.mark.parametrize("part", range(10))
def test_two_implementations_agree(part: int) -> None:
    kinds = set()
    for seed in range(part, TURNS, 10):
        rng = Random(seed)
        theatre = random_theatre(rng)
        orders = random_orders(rng, theatre)
        dice = {f"dice:{power}": [rng.randint(1, 6) for _ in range(200)] for power in POWERS}
        events, after, results = first(theatre, orders, dice, seed)
        other = second(theatre, orders, dice, results)
        assert listed(events) == listed(other.events), seed
        assert {name: power.treasury for name, power in after.powers.items()} == other.money
        for name, force in after.forces.items():
            row = other.forces[name]
            assert (force.area, [each.element.id for each in force.units]) == (row["area"], list(row["units"])), seed
        assert {name: (area.owner, area.siege) for name, area in after.areas.items()} == {
            name: (row["owner"], row["siege"]) for name, row in other.areas.items()
        }
        kinds |= {event[0] for event in events}
    assert kinds >= {
        "ForceMoved", "ForceStopped", "ForceOverrun", "EncounterMade", "ForceRetreated", "ForceLost", "AreaTaken",
        "SiegeRolled", "CityFell", "UnitLost", "ForceHungry", "IncomeTaken", "UnitRaised", "RecruitFailed",
    }  # fmt: skip
