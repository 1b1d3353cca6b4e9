"""A linked campaign as pages and programs show it: the tree with where it stands, and the armies."""

from collections.abc import Iterator

from msgspec import Struct

from domain.campaign.forces.nodes import node_points, side_points
from domain.campaign.notation import write_order
from domain.campaign.orders import ARMY, CampaignOrder
from domain.campaign.state import CampaignState, RoundState
from domain.campaign.theatre.linked import DRAW, Node, leader
from domain.campaign.theatre.orders import TurnOrders
from domain.campaign.theatre.state import ElementState, ForceState
from domain.contract.campaign_book import CAPTURED, GONE, LEADER, RESTING, UNIT

FOUGHT, NOW, AHEAD, PASSED = "fought", "now", "ahead", "passed"


class WayOn(Struct, frozen=True):
    """Where a node leads: by the victory of a side, "" for a draw."""

    winner: str
    node: str
    title: str


class NodeBattleShown(Struct, frozen=True):
    """A battle of a node; `ground` a kind, or "" with a packaged `scenario`."""

    title: str
    south: str
    north: str
    size: int
    ground: str
    scenario: str
    vp: int


class NodeShown(Struct, frozen=True):
    """A node: `status` is `fought now ahead passed` (no way leads there any more); `winner` a side, "" for none."""

    id: str
    title: str
    status: str
    round: int
    winner: str
    carry: bool
    battles: tuple[NodeBattleShown, ...]
    next: tuple[WayOn, ...]


class ElementShown(Struct, frozen=True):
    """A unit or leader; `now` is fit, resting, captured or gone."""

    id: str
    kind: str
    group: str
    troop: str
    label: str
    points: int
    now: str
    honours: int
    rests: bool


class SideArmy(Struct, frozen=True):
    """A force: `points` of its units that are here, `treasury` what its side may spend, `vp` its victory points."""

    id: str
    side: str
    name: str
    points: int
    treasury: int
    vp: int
    is_ready: bool
    elements: tuple[ElementShown, ...]

    def of(self, kind: str, *, here: bool = True) -> list[ElementShown]:
        """Its units or leaders that are here, or that are gone or captured."""
        return [each for each in self.elements if each.kind == kind and (each.now not in (GONE, CAPTURED)) is here]

    @property
    def units(self) -> list[ElementShown]:
        """The units that it has."""
        return self.of(UNIT)

    @property
    def leaders(self) -> list[ElementShown]:
        """The leaders that it has."""
        return self.of(LEADER)

    @property
    def missing(self) -> list[ElementShown]:
        """Whoever is gone or captured."""
        return [*self.of(UNIT, here=False), *self.of(LEADER, here=False)]


# --- the tree


def nodes_shown(state: CampaignState) -> tuple[NodeShown, ...]:
    """The nodes in the order of the file."""
    nodes = {node.id: node for node in state.settings.nodes or ()}
    rounds = {each.node: each for each in state.rounds}
    open_ways = _open_ways(state, nodes)
    return tuple(_node(state, node, rounds.get(node.id), nodes, node.id in open_ways) for node in nodes.values())


def _open_ways(state: CampaignState, nodes: dict[str, Node]) -> set[str]:
    """The nodes to which a way still leads."""
    if state.is_over:
        return set()
    linked = state.settings.linked
    left = [state.rounds[-1].node if state.rounds else linked.start if linked else ""]
    found = set[str]()
    while left:
        name = left.pop()
        if name in nodes and name not in found:
            found.add(name)
            left += nodes[name].next.values()
    return found


def _node(
    state: CampaignState, node: Node, each: RoundState | None, nodes: dict[str, Node], is_open: bool
) -> NodeShown:
    status, winner = (AHEAD if is_open else PASSED), ""
    if each is not None:
        status = FOUGHT if each.has_ended else NOW
        winner = leader(node_points(state, each)) if each.has_ended else ""
    return NodeShown(
        node.id,
        node.title,
        status,
        each.number if each is not None else 0,
        winner,
        node.carry,
        tuple(
            NodeBattleShown(one.title, one.south, one.north, one.size, one.ground, one.scenario, one.vp)
            for one in node.battles
        ),
        tuple(WayOn("" if by == DRAW else by, to, _title(nodes[to])) for by, to in node.next.items() if to in nodes),
    )


def _title(node: Node) -> str:
    return " · ".join(battle.title for battle in node.battles if battle.title) or node.title or node.id


# --- the armies


def forces_shown(state: CampaignState) -> tuple[SideArmy, ...]:
    """The forces by id, as everybody may know them."""
    points = side_points(state)
    return tuple(_force(state, force, points.get(force.power, 0)) for _, force in sorted(state.theatre.forces.items()))


def _force(state: CampaignState, force: ForceState, vp: int) -> SideArmy:
    return SideArmy(
        force.id,
        force.power,
        str(force.army.get("name", "")),
        force.weight,
        state.theatre.powers[force.power].treasury,
        vp,
        force.power in state.ordering.ready,
        tuple(element_shown(force, each) for each in force.elements.values()),
    )


def element_shown(force: ForceState, each: ElementState) -> ElementShown:
    one = each.element
    rests = one.id in force.rests or each.now == RESTING
    return ElementShown(one.id, one.kind, one.group, one.troop, one.label, one.points, each.now, each.honours, rests)


# --- one's own orders


def own_orders(state: CampaignState, entrant: str, lang: str) -> list[str]:
    """What an entrant has ordered in this round, as lines; for nobody else to see until orders are closed."""
    if not entrant or not state.takes_orders:
        return []
    own = {force.id for force in state.theatre.forces.values() if force.power == entrant}
    return [write_order(order, lang) for order in _orders(state.ordering.turn) if order.force in own]


def army_orders_given(state: CampaignState, entrant: str, lang: str) -> dict[str, tuple[str, ...]]:
    """What an entrant has ordered of their armies in this round, as lines by force; for nobody else to see."""
    found = dict[str, tuple[str, ...]]()
    for order in _orders(state.ordering.turn) if entrant and state.takes_orders else ():
        if order.verb in ARMY and state.theatre.forces[order.force].power == entrant:
            found[order.force] = (*found.get(order.force, ()), write_order(order, lang))
    return found


def _orders(turn: TurnOrders) -> Iterator[CampaignOrder]:
    yield from turn.movements.values()
    for wanted in turn.recruits:
        unit = wanted.element
        yield CampaignOrder(
            "recruit", force=wanted.force, group=unit.group, troop=unit.troop, quality=unit.label, id=unit.id
        )
    yield from (CampaignOrder("dismiss", force=force, id=unit) for force, unit in turn.dismissed)
    yield from (CampaignOrder("ransom", force=force, id=leader) for force, leader in turn.ransomed)
    for force, units in turn.rests.items():
        if units:
            yield CampaignOrder("rest", force=force, ids=tuple(sorted(units)))
