"""Small theatres: maps, powers and forces, by hand and at random."""

from random import Random
from typing import Any

from domain.campaign.notation import read_order
from domain.campaign.theatre.orders import TurnOrders, with_order
from domain.campaign.theatre.state import Area, ForceState, Link, MapTerms, Power, Theatre, force_of
from domain.catalogue import RULESETS

GAME = RULESETS["tts"]
assert GAME.campaign is not None
BOOK = GAME.campaign
TROOPS = ("legionaries", "warriors", "light_sling", "hoplites", "elephants")
GROUNDS = ("open", "hilly", "wooded")
POWERS = {"red": "reds", "rose": "reds", "blue": "blues", "grey": "blues"}


def army(*units: str, group: str = "I", leader: str = "G1") -> dict[str, Any]:
    """The table of an army of one group; units as `ID troop quality`."""
    rows = [dict(zip(("id", "troop", "quality"), unit.split(), strict=False)) for unit in units]
    return {"corps": [{"id": group, "general": {"id": leader, "traits": ["commander"]}, "units": rows}]}


def force(name: str, power: str, area: str, *units: str) -> ForceState:
    """A force of one group."""
    found = BOOK.read(army(*units))
    return force_of(name, power, area, found, BOOK.roster(found))


def ordered(theatre: Theatre, *lines: str) -> TurnOrders:
    """What some lines `POWER: ORDER` come to; none may be refused."""
    orders = TurnOrders()
    for line in lines:
        power, _, words = line.partition(": ")
        orders = with_order(theatre, orders, BOOK, power, read_order(words))
    return orders


def random_theatre(rng: Random) -> Theatre:
    """A map of some areas with two alliances of two powers, cities and forces."""
    names = [f"a{number}" for number in range(rng.randint(4, 12))]
    areas = {
        name: Area(
            name,
            rng.choice(GROUNDS),
            city=rng.choice((0, 0, 0, 1, 2, 3)),
            income=rng.randint(0, 9),
            vp=rng.randint(0, 3),
            supply=rng.random() < 0.4,
            capital=rng.random() < 0.2,
            owner=rng.choice(("", *POWERS)),
        )
        for name in names
    }
    forces = dict[str, ForceState]()
    for number in range(rng.randint(2, 8)):
        power = rng.choice(list(POWERS))
        enemies = {other.area for other in forces.values() if POWERS[other.power] != POWERS[power]}
        free = [name for name in names if name not in enemies]
        if free:
            units = [f"U{at} {rng.choice(TROOPS)} standard" for at in range(rng.randint(1, 6))]
            forces[f"F{number}"] = force(f"F{number}", power, rng.choice(free), *units)
    powers = {power: Power(power, alliance, rng.randint(0, 30)) for power, alliance in POWERS.items()}
    return Theatre(powers, forces, areas, MapTerms(tuple(random_links(rng, names)), size=rng.choice((20, 45, 100))))


def random_links(rng: Random, names: list[str]) -> list[Link]:
    """Enough links to reach every area, and some more."""
    pairs = {(rng.choice(names[:at]), name) for at, name in enumerate(names) if at}
    pairs |= {tuple(sorted(rng.sample(names, 2))) for _ in names}  # type: ignore[misc]  # pairs
    kinds: tuple[Any, ...] = ("road", "road", "track", "sea")
    found = dict[frozenset[str], Link]()
    for one, other in sorted(pairs):
        found[frozenset((one, other))] = (one, other, rng.choice(kinds))
    return list(found.values())


def random_orders(rng: Random, theatre: Theatre) -> TurnOrders:
    """Orders to most forces; what is refused is left out."""
    orders = TurnOrders()
    areas, forces = list(theatre.areas), list(theatre.forces)
    for name in forces:
        here = theatre.forces[name]
        words = rng.choice(
            (
                f"march {name} {rng.choice(areas)}",
                f"march {name} {rng.choice(areas)} {rng.choice(areas)}",
                f"avoid {name} {rng.choice(areas)}",
                f"storm {name}",
                f"hold {name}",
                f"recruit {name} I {rng.choice(TROOPS)} as Z{rng.randint(1, 3)}",
                f"rest {name} U{rng.randint(0, 5)}",
                f"dismiss {name} U{rng.randint(0, 5)}",
            )
        )
        for _ in range(6):  # most ways that are asked for are none
            try:
                orders = with_order(theatre, orders, BOOK, here.power, read_order(words))
                break
            except Exception as refusal:
                assert type(refusal).__name__ == "Refusal", refusal
                words = f"march {name} {rng.choice(areas)}"
    return orders
