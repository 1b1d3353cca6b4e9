"""Campaigns under fog for tests: played at random, and their logs as one alliance has them."""

from collections.abc import Sequence
from random import Random
from typing import Any

from domain.campaign.notation import write_order
from domain.campaign.sealing import private_members, seat_of_secret
from domain.campaign.theatre.books import on_tables
from domain.campaign.theatre.options import options_of
from domain.events.battle import Event
from domain.log import record
from tests.support.cups import PlayedCampaign
from tests.support.mapped import MAP, POWERS, MapPlayed

FOG = {"map": {**MAP, "fog": True, "turns": 4}}
OPEN = {"map": {**MAP, "turns": 4}}
MOST_ORDERS = 5


def played(seed: int, **tables: Any) -> MapPlayed:
    """A campaign of random orders and results, from its beginning to its end; the same seed gives the same orders and
    dice, with fog or without."""
    campaign, rng = MapPlayed(**(tables or FOG)).begun(), Random(seed)
    campaign.lots.random = Random(seed)
    while not campaign.state.is_over:
        campaign.turn(**{power: random_orders(campaign, power, rng) for power in POWERS})
        fight(campaign, rng)
    return campaign


def random_orders(campaign: MapPlayed, power: str, rng: Random) -> str:
    """Some legal orders of a power, marches more often than others."""
    state = campaign.state
    assert campaign.book is not None
    legal = [*options_of(state.theatre, state.ordering.turn, on_tables(campaign.book), power)]
    marches = [order for order in legal if order.verb in ("march", "avoid", "storm")]
    chosen = rng.sample(marches, min(len(marches), 2)) + rng.sample(legal, min(len(legal), rng.randint(0, MOST_ORDERS)))
    once = {(order.verb, order.force, order.id): order for order in chosen}
    lines = [write_order(order) for order in once.values() if order.verb not in ("recruit", "ransom")]
    recruit = next((order for order in once.values() if order.verb in ("recruit", "ransom")), None)
    return "; ".join([*lines, *([write_order(recruit)] if recruit else [])])


def fight(campaign: MapPlayed, rng: Random) -> None:
    """The battles of a turn end somehow."""
    if campaign.state.is_over:
        return
    for name in campaign.state.rounds[-1].boards:
        board = campaign.state.boards[name]
        if board.is_running:
            fates: dict[str, dict[str, str]] = {}
            for side in ("south", "north"):
                for element in board.fielded[side]:
                    force, _, unit = element.partition("/")
                    if not unit.startswith("G") and rng.random() < 0.4:
                        fates.setdefault(force, {})[unit] = rng.choice(("lost", "worn"))
            campaign.end(name, rng.choice(("south", "north", "")), fates=fates)


def log_of(campaign: PlayedCampaign, alliance: str) -> list[Event]:
    """The log of a campaign under fog as the powers of an alliance have it, "" for everybody else: what is sealed for
    others has a commitment in its place."""
    theatre, events = campaign.state.theatre, list[Event]()
    is_over = campaign.state.is_over
    for fact in campaign.facts:
        private = () if is_over else private_members(fact.event, is_foggy=True)
        is_own = bool(private) and seat_of_secret(fact.event, fact.by, theatre, is_foggy=True) == alliance
        events.append(fact.event if is_own or not private else record.sealed(fact.event, private, bytes(32)))
    return events


def kinds(events: Sequence[Any]) -> list[str]:
    """The names of events."""
    return [type(event).__name__ for event in events]
