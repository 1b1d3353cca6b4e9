"""Linked campaigns: a tree of nodes, whose battles decide the way (CAM-LNK). All functions are of rules alone."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any

from msgspec import Meta

from domain.basics.seats import SOUTH_AND_NORTH
from domain.campaign.notation import is_entrant_id
from domain.campaign.orders import NO_NAMES
from domain.campaign.section import Section
from domain.campaign.theatre.events import NodeChosen, PointsGiven

SOUTH, NORTH = SOUTH_AND_NORTH.names
DRAW = "draw"
BASE, BEHIND = "base", "behind"
FOR_VICTORY = 2
"""What a victory is worth beside a draw, which is worth the victory points of a battle to each side (CAM-LNK-02)."""
Points = Mapping[str, int]
"""Victory points by side of the campaign."""


Name = Annotated[str, Meta(max_length=40)]
Count = Annotated[int, Meta(ge=0, le=10_000)]
BOTH_SIDES = 2
MOST_NODES, MOST_BATTLES = 100, 20


class SideTerms(Section, frozen=True):
    """A side of a linked campaign, with the army that it begins with; `name` is what readers call it."""

    id: Name
    name: Annotated[str, Meta(max_length=80)] = ""
    army: dict[str, Any] = {}


class LinkedTerms(Section, frozen=True):
    """The node with which a linked campaign begins, and what each side gets at the end of a node (CAM-LNK-04)."""

    start: Name
    base: Count = 10
    behind: Count = 5


class NodeBattle(Section, frozen=True):
    """A battle of a node: who stands south and north, what it is worth, and where it is fought: on `ground` of a kind,
    or as a packaged `scenario`, with `size` points a side at most."""

    south: Name
    north: Name
    vp: Annotated[int, Meta(ge=0, le=1000)] = 1
    title: Annotated[str, Meta(max_length=120)] = ""
    size: Annotated[int, Meta(ge=1, le=10_000)] = 100
    ground: Name = ""
    scenario: Annotated[str, Meta(max_length=80)] = ""


class Node(Section, frozen=True):
    """A node of the tree. `next` is by the side that wins it, and by `draw`; one without an entry ends the campaign.
    What is fought in a node without `carry` changes no ledger (CAM-CAR-08)."""

    id: Name
    battles: Annotated[tuple[NodeBattle, ...], Meta(min_length=1, max_length=MOST_BATTLES)]
    next: dict[str, Name] = {}
    title: Annotated[str, Meta(max_length=120)] = ""
    carry: bool = True


# --- the file


def wrong_tree(
    linked: LinkedTerms | None, sides: Sequence[SideTerms] | None, nodes: Sequence[Node] | None
) -> Iterator[str]:
    """The keys of a file whose values make no tree of battles between two sides."""
    if linked is None or sides is None or nodes is None:
        return
    names = [side.id for side in sides]
    if len({*names}) != BOTH_SIDES or len(names) != BOTH_SIDES:
        yield "side"
    if not all(is_entrant_id(name) and name not in NO_NAMES for name in names):
        yield "side.id"
    if not all(side.army for side in sides):
        yield "side.army"
    known = {node.id: node for node in nodes}
    if not 0 < len(known) == len(nodes) <= MOST_NODES:
        yield "node.id"
    if linked.start not in known:
        yield "linked.start"
    for node in nodes:
        if {*node.next} - {*names, DRAW} or {*node.next.values()} - {*known}:
            yield "node.next"
        yield from _wrong_battles(node, names)
    if _comes_back(known):
        yield "node.next"


def _wrong_battles(node: Node, sides: Sequence[str]) -> Iterator[str]:
    for battle in node.battles:
        if {battle.south, battle.north} != {*sides}:
            yield "node.battles.south"
        if bool(battle.ground) == bool(battle.scenario):
            yield "node.battles.ground"
        if battle.scenario and node.carry:  # its armies are those of the scenario
            yield "node.carry"
        if battle.title != battle.title.strip() or "\n" in battle.title:
            yield "node.battles.title"


def _comes_back(nodes: Mapping[str, Node]) -> bool:
    """Whether a way through the nodes comes to one of them again."""
    done = set[str]()
    left = [*nodes]
    while left:
        ends = [name for name in left if all(to in done or to not in nodes for to in nodes[name].next.values())]
        if not ends:
            return True
        done |= {*ends}
        left = [name for name in left if name not in done]
    return False


# --- the course


def points_of(node: Node, winners: Sequence[str | None], sides: Sequence[str]) -> dict[str, int]:
    """The victory points of a node.

    Rule:    CAM-LNK-02
    Shape:   `winners` are south or north for each battle, "" for a draw, None where both have lost; `sides` all sides
             of the campaign
    """
    points = dict.fromkeys(sides, 0)
    for battle, winner in zip(node.battles, winners, strict=True):
        if winner:
            points[battle.south if winner == SOUTH else battle.north] += FOR_VICTORY * battle.vp
        elif winner is not None:
            points[battle.south] += battle.vp
            points[battle.north] += battle.vp
    return points


def leader(points: Points) -> str:
    """The side with more points than any other, "" if there is none."""
    most = max(points.values())
    ahead = [side for side, having in points.items() if having == most]
    return ahead[0] if len(ahead) == 1 else ""


def chosen(node: Node, points: Points) -> NodeChosen:
    """Who has won a node by its points, and which one follows.

    Rule:    CAM-LNK-02, CAM-LNK-03
    """
    winner = leader(points)
    return NodeChosen(node.id, winner, node.next.get(winner or DRAW, ""))


def reinforcements(so_far: Points, treasuries: Points, base: int, behind: int) -> Iterator[PointsGiven]:
    """What each side may spend at the end of a node, more for the one with fewer victory points so far.

    Rule:    CAM-LNK-04
    """
    ahead = leader(so_far)
    for side, having in treasuries.items():
        total = having + base
        yield PointsGiven(side, base, total, BASE)
        if ahead and side != ahead:
            yield PointsGiven(side, behind, total + behind, BEHIND)
