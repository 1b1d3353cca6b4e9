"""Linked campaigns: a tree of nodes, whose battles decide the way (CAM-LNK). All functions are of rules alone."""

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from domain.basics.seats import SOUTH_AND_NORTH
from domain.campaign.theatre.events import NodeChosen, PointsGiven

SOUTH, NORTH = SOUTH_AND_NORTH.names
DRAW = "draw"
BASE, BEHIND = "base", "behind"
FOR_VICTORY = 2
"""What a victory is worth beside a draw, which is worth the victory points of a battle to each side (CAM-LNK-02)."""
Points = Mapping[str, int]
"""Victory points by side of the campaign."""


class NodeBattle(Struct, frozen=True):
    """A battle of a node: who stands south and north, and what it is worth."""

    south: str
    north: str
    vp: int = 1


class Node(Struct, frozen=True):
    """A node of the tree. `next` is by the side that wins it, and by `draw`; one without an entry ends the campaign."""

    id: str
    battles: tuple[NodeBattle, ...]
    next: Mapping[str, str] = {}


def points_of(node: Node, winners: Sequence[str], sides: Sequence[str]) -> dict[str, int]:
    """The victory points of a node.

    Rule:    CAM-LNK-02
    Shape:   `winners` are south or north for each battle, "" for a draw; `sides` all sides of the campaign
    """
    points = dict.fromkeys(sides, 0)
    for battle, winner in zip(node.battles, winners, strict=True):
        if winner:
            points[battle.south if winner == SOUTH else battle.north] += FOR_VICTORY * battle.vp
        else:
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
