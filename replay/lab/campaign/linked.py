"""The ask `linked`: the way through a tree of battles."""

from typing import Literal

from msgspec import Struct

from domain.campaign.theatre.linked import Node, NodeBattle, chosen, points_of, reinforcements
from replay.bench.bench import UnreadableCase
from replay.lab.campaign.answer import Answer, Case, Count, question


class _LinkedBattle(Struct, forbid_unknown_fields=True):
    south: str
    north: str
    vp: Count = 1
    id: str = ""
    title: str = ""


class _Node(Struct, forbid_unknown_fields=True):
    id: str
    battles: list[_LinkedBattle]
    next: dict[str, str] = {}


class _LinkedResult(Struct, forbid_unknown_fields=True):
    winners: list[Literal["south", "north", ""]]


class _Linked(Struct, forbid_unknown_fields=True):
    start: str
    node: list[_Node]
    result: list[_LinkedResult]
    base: Count = 0
    behind: Count = 0


def linked(case: Case) -> Answer:
    """The nodes that were fought with who won them, the points, and what each side could spend after each."""
    wanted: _Linked = question(case, _Linked)
    nodes = {
        row.id: Node(
            id=row.id,
            battles=tuple(NodeBattle(south=one.south, north=one.north, vp=one.vp) for one in row.battles),
            next=row.next,
        )
        for row in wanted.node
    }
    sides = list(
        dict.fromkeys(side for node in nodes.values() for one in node.battles for side in (one.south, one.north))
    )
    points, treasury = dict.fromkeys(sides, 0), dict.fromkeys(sides, 0)
    path, given, at = list[list[str]](), list[dict[str, int]](), wanted.start
    for row in wanted.result:
        node = nodes.get(at)
        if node is None or len(row.winners) != len(node.battles):
            raise UnreadableCase(f"no results of node {at!r}")
        won = points_of(node, row.winners, sides)
        points = {side: points[side] + won[side] for side in sides}
        choice = chosen(node, won)
        path.append([node.id, choice.winner or "draw", choice.next])
        gifts = dict.fromkeys(sides, 0)
        for gift in reinforcements(points, treasury, wanted.base, wanted.behind):
            gifts[gift.entrant] += gift.points
            treasury[gift.entrant] = gift.total
        given.append(gifts)
        at = choice.next
    return Answer({"vp": points, "path": path, "reinforcements": given})
