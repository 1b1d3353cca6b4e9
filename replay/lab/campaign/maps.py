"""The ask `map`: a turn of a map campaign."""

from collections.abc import Mapping
from typing import Annotated, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from domain.basics.errors import Refusal
from domain.campaign.notation import read_order
from domain.campaign.orders import ARMY, MAP
from domain.campaign.theatre.carry import SIDES, CarryTerms, Fought, HonourEarned, Key, RecoveryTable, carry
from domain.campaign.theatre.contact import Encounter
from domain.campaign.theatre.judge import TheatreJudge
from domain.campaign.theatre.orders import TurnOrders, with_order
from domain.campaign.theatre.retreat import Won
from domain.campaign.theatre.state import Area, ForceState, Link, MapTerms, Power, Theatre
from domain.campaign.theatre.turn import fight, opened, settle
from domain.contract.campaign_book import UNIT, CampaignBook
from domain.log.chance import StackedChance
from replay.bench.bench import UnreadableCase
from replay.lab.campaign.answer import Answer, Case, Count, Row, question
from replay.lab.campaign.fog import FoggyTurn
from replay.lab.campaign.theatre import Deeds, Dice, Table, book_of, force_from, split, stacked, told

Rows = Annotated[int, Meta(ge=0, le=1000)]


class _Config(Struct, frozen=True, forbid_unknown_fields=True):
    size: Count = 100
    supply_range: Rows = 4
    overrun: Rows = 3
    battle_vp: Rows = 1
    turns: Rows = 0
    fog: bool = False


class _PowerRow(Struct, forbid_unknown_fields=True):
    id: str
    alliance: str
    treasury: Count = 0


class _AreaRow(Struct, forbid_unknown_fields=True):
    id: str
    name: str = ""
    ground: str = "open"
    city: Annotated[int, Meta(ge=0, le=3)] = 0
    income: Count = 0
    vp: Count = 0
    supply: bool = False
    capital: bool = False
    owner: str = ""
    siege: Count = 0


class _MapForceRow(Struct, forbid_unknown_fields=True):
    id: str
    power: str
    area: str
    hungry: Count = 0
    rest: list[str] = []


class _Result(Struct, forbid_unknown_fields=True):
    """A battle as it came out; elements are `FORCE/ID`."""

    area: str
    winner: Literal["south", "north", ""]
    how: str
    battle: str
    fates: dict[str, str] = {}
    deeds: Deeds = []


class _Map(Struct, forbid_unknown_fields=True):
    power: list[_PowerRow]
    area: list[_AreaRow]
    links: list[Link]
    force: list[Table]
    orders: list[str] = []
    dice: Dice = {}
    result: list[_Result] = []
    config: _Config = _Config()
    recover: RecoveryTable = RecoveryTable()
    capture: Count = 1
    per_step: Count = 2
    ruleset: str = ""


def turn(case: Case) -> Answer:
    """A turn: orders, marches, battles as they came out, and what follows."""
    wanted: _Map = question(case, _Map)
    book = book_of(wanted.ruleset)
    theatre = _theatre(wanted, book)
    orders, rejections = _ordered(theatre, book, wanted.orders)
    chance = StackedChance(wanted.dice)
    judge = (FoggyTurn if wanted.config.fog else TheatreJudge)(opened(theatre, orders), book, chance)
    terms = CarryTerms(wanted.recover, wanted.capture, wanted.per_step)
    with stacked():
        made = fight(judge, orders, terms.recover)
        if isinstance(judge, FoggyTurn):
            judge.tell_marches(has_battles=bool(made))
        results = {row.area: row for row in wanted.result}
        won = {each.made.area: _count(judge, each, results, terms) for each in made}
        settle(judge, orders, won)
        if isinstance(judge, FoggyTurn):
            judge.tell_turn(orders)
    return Answer(_final(judge.theatre), told(judge.events), rejections)


def _theatre(wanted: _Map, book: CampaignBook) -> Theatre:
    powers = {row.id: Power(row.id, row.alliance, row.treasury) for row in wanted.power}
    areas = {
        row.id: Area(row.id, row.ground, row.city, row.income, row.vp, row.supply, row.capital, row.owner, row.siege)
        for row in wanted.area
    }
    forces = dict[str, ForceState]()
    for table in wanted.force:
        row, army = split(table, _MapForceRow)
        if row.power not in powers or row.area not in areas:
            raise UnreadableCase(f"{row.id} is of {row.power} in {row.area}, which there is not")
        force = force_from(book, row.id, row.power, army, row.area)
        forces[row.id] = replace(force, hungry=row.hungry, rests=frozenset(row.rest))
    unknown = {end for link in wanted.links for end in link[:2]} | {area.owner for area in areas.values()} - {""}
    if not unknown <= areas.keys() | powers.keys():
        raise UnreadableCase(f"there is no {', '.join(sorted(unknown - areas.keys() - powers.keys()))}")
    config = wanted.config
    terms = MapTerms(
        tuple(wanted.links), config.turns, config.size, config.supply_range, config.overrun, config.battle_vp
    )
    return Theatre(powers, forces, areas, terms)


def _ordered(theatre: Theatre, book: CampaignBook, lines: list[str]) -> tuple[TurnOrders, list[Row]]:
    """What is ordered, each line `POWER: ORDER`, and what was refused."""
    orders, rejections = TurnOrders(), list[Row]()
    for number, line in enumerate(lines, 1):
        power, _, words = line.partition(":")
        try:
            order = read_order(words.strip())
            if order.verb in ARMY | MAP:
                orders = with_order(theatre, orders, book, power, order)
        except Refusal as refusal:
            rejections.append({"order": number, "code": refusal.code})
    return orders, rejections


def _count(judge: TheatreJudge, each: Encounter, results: Mapping[str, _Result], terms: CarryTerms) -> Won:
    row = results.get(each.made.area)
    if row is None:
        raise UnreadableCase(f"no result of the battle in {each.made.area}")
    fielded = frozenset(_with_leaders(judge.theatre, each))
    deeds = [HonourEarned(*_key(unit), honour, n) for unit, honour, n in row.deeds]
    captors = {side: each.commanders[other] for side, other in zip(SIDES, reversed(SIDES), strict=True)}
    fates = {_key(name): fate for name, fate in row.fates.items()}
    if not {*fates, *((deed.force, deed.element) for deed in deeds)} <= fielded:
        raise UnreadableCase(f"who did not fight in {row.area} has a fate or a deed")
    fought = Fought(row.battle, row.winner, row.how, each.made.forces, fielded, fates, deeds, captors)
    carry(judge, fought, terms)
    return Won(each.made, row.winner)


def _with_leaders(theatre: Theatre, each: Encounter) -> list[Key]:
    """The fielded units, and the leaders of their groups."""
    units = [_key(name) for side in SIDES for name in each.made.fielded[side]]
    groups = {(force, theatre.forces[force].elements[unit].element.group) for force, unit in units}
    leaders = [
        (force.id, leader.element.id)
        for force in theatre.forces.values()
        for leader in force.leaders
        if leader.element.kind != UNIT and (force.id, leader.element.group) in groups
    ]
    return [*units, *leaders]


def _key(name: str) -> Key:
    force, _, element = name.partition("/")
    return force, element


def _final(theatre: Theatre) -> Row:
    return {
        "areas": {area.id: {"owner": area.owner, "siege": area.siege} for area in theatre.areas.values()},
        "forces": {
            name: {
                "area": force.area,
                "units": [each.element.id for each in force.units],
                "hungry": force.hungry,
            }
            for name, force in theatre.forces.items()
        },
        "treasury": {power.id: power.treasury for power in theatre.powers.values()},
    }
