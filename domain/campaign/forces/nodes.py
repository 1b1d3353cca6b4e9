"""The course of a linked campaign: a tree of nodes, each with orders, then battles, then the way on (CAM-LNK)."""

from msgspec import UNSET

from domain.campaign.boards import Place
from domain.campaign.config import CampaignConfig
from domain.campaign.events import CampaignEnded, RoundBegan, RoundEnded
from domain.campaign.forces.fielding import Element, set_forces, with_leaders
from domain.campaign.forces.theatres import CampaignTheatre
from domain.campaign.judge import CampaignJudge
from domain.campaign.setting import set_board
from domain.campaign.state import DEFAULT, SIDES, BoardState, CampaignState, RoundState
from domain.campaign.theatre.aftermath import raise_unit
from domain.campaign.theatre.contact import fielded
from domain.campaign.theatre.linked import (
    Node,
    NodeBattle,
    chosen,
    leader,
    points_of,
    reinforcements,
)
from domain.campaign.theatre.orders import TurnOrders
from domain.campaign.theatre.turn import close_ranks

LEAF, ENDED = "leaf", "ended"
"""How a linked campaign ends: a node leads to no other, or a side can fight no more."""


def node_of(config: CampaignConfig, name: str) -> Node:
    """A node of the tree."""
    return next(node for node in config.nodes or () if node.id == name)


def carries(state: CampaignState, board: BoardState) -> bool:
    """Whether what a battle leaves counts.

    Rule: CAM-CAR-08
    """
    node = state.rounds[board.place.round - 1].node
    return bool(board.fielded) and (not node or node_of(state.settings, node).carry)


# --- beginning


def begin_linked(judge: CampaignJudge) -> None:
    """Open the first node."""
    assert judge.state.settings.linked is not None
    _open(judge, judge.state.settings.linked.start)


def _open(judge: CampaignJudge, node: str) -> None:
    """Begin a node: its sides give orders first, until `ready` or the deadline.

    Rule: CAM-LNK-01
    """
    state = judge.state
    deadline = judge.after(state.settings.time.orders or "") or UNSET
    judge.emit(RoundBegan(round=state.round + 1, deadline=deadline, node=node))


# --- battles


def fight_node(judge: CampaignJudge, orders: TurnOrders) -> None:
    """What was ordered happens, then the battles of the node are set. A unit fights in one of them: those that stand
    first in the file choose first.

    Rule: CAM-LNK-01, CAM-LNK-05
    """
    theatre = CampaignTheatre(judge)
    close_ranks(theatre, orders)
    for wanted in orders.recruits:
        raise_unit(theatre, wanted)
    each = judge.state.rounds[-1]
    elsewhere = frozenset[Element]()
    for number, battle in enumerate(node_of(judge.state.settings, each.node).battles, 1):
        place = Place(f"{each.number}.{number}", each.number, battle.south, battle.north)
        if battle.scenario:
            _set_packaged(judge, place, battle)
            continue
        elements = {side: _field(judge.state, getattr(battle, side), battle.size, elsewhere) for side in SIDES}
        unable = [getattr(battle, side) for side in SIDES if not elements[side]]
        if unable:
            _end_without(judge, unable)
            return
        elsewhere |= {element for side in SIDES for element in elements[side]}
        set_forces(judge, place, elements, battle.ground, battle.title, "CAM-LNK-01")


def _field(state: CampaignState, side: str, size: int, elsewhere: frozenset[Element]) -> list[Element]:
    """The elements of a side that fight in a battle of so many points."""
    forces = [force for force in state.theatre.standing() if force.power == side]
    return with_leaders(state.theatre, tuple(fielded(state.theatre, forces, size, elsewhere)), elsewhere)


def _set_packaged(judge: CampaignJudge, place: Place, battle: NodeBattle) -> None:
    """Set a historical scenario in between: whoever fights it, no army of the campaign does (CAM-CAR-08)."""
    time, scenario = judge.state.settings.time, judge.given.digest(battle.scenario)
    set_board(judge, place, scenario, "CAM-LNK-01", show=time.show, length=time.round, title=battle.title)


# --- the end of a node


def proceed_linked(judge: CampaignJudge) -> None:
    """When every battle of a node has its result: who has won it, what each side may spend, and the node that follows.

    Rule: CAM-RND-05, CAM-LNK-02, CAM-LNK-03, CAM-LNK-04
    """
    state = judge.state
    if state.is_over or not state.rounds:
        return
    each, linked = state.rounds[-1], state.settings.linked
    if state.takes_orders or each.open or each.has_ended or linked is None:
        return
    choice = chosen(node_of(state.settings, each.node), node_points(state, each))
    judge.emit(choice)
    theatre = CampaignTheatre(judge)
    treasuries = {side: theatre.theatre.powers[side].treasury for side in _sides(state)}
    for given in reinforcements(side_points(state), treasuries, linked.base, linked.behind):
        theatre.emit(given)
    judge.emit(RoundEnded(each.number))
    if choice.next:
        _open(judge, choice.next)
        return
    first = leader(side_points(judge.state))
    judge.emit(CampaignEnded((first,) if first else (), LEAF))


def node_points(state: CampaignState, each: RoundState) -> dict[str, int]:
    """The victory points of a node that has been fought."""
    node = node_of(state.settings, each.node)
    return points_of(node, [_winner(state.boards[name]) for name in each.boards], _sides(state))


def side_points(state: CampaignState) -> dict[str, int]:
    """The victory points of each side in all nodes that have been fought."""
    total = dict.fromkeys(_sides(state), 0)
    for each in state.rounds:
        if each.boards and not each.open:
            for side, points in node_points(state, each).items():
                total[side] += points
    return total


def _sides(state: CampaignState) -> tuple[str, ...]:
    return tuple(side.id for side in state.settings.sides or ())


def _winner(board: BoardState) -> str | None:
    """The side of a board that has won it, "" for a draw; None where both have lost by default."""
    return None if board.status == DEFAULT and not board.winner else board.winner


def end_for(judge: CampaignJudge, gone: str) -> None:
    """A side has left: the other one wins.

    Rule: CAM-PPL-04
    """
    _end_without(judge, [gone])


def _end_without(judge: CampaignJudge, unable: list[str]) -> None:
    """The campaign ends: these sides can fight no more."""
    judge.emit(CampaignEnded(tuple(side for side in _sides(judge.state) if side not in unable), ENDED))
