"""A turn on a map, from the orders to the battles that they lead to, and from their results to the next orders
(CAM-MAP-04)."""

from collections.abc import Mapping

from msgspec.structs import replace

from domain.campaign.theatre.aftermath import aftermath
from domain.campaign.theatre.carry import RecoveryTable
from domain.campaign.theatre.contact import Encounter, encounters
from domain.campaign.theatre.events import LeaderRansomed, UnitDismissed
from domain.campaign.theatre.judge import TheatreJudge
from domain.campaign.theatre.march import march
from domain.campaign.theatre.orders import RANSOM, TurnOrders
from domain.campaign.theatre.retreat import Won, retreats
from domain.campaign.theatre.state import Theatre


def opened(theatre: Theatre, orders: TurnOrders) -> Theatre:
    """The theatre when the orders of a turn are closed: nobody has marched yet, and nobody is known to be hungry."""
    forces = {
        name: replace(force, came="", rests=orders.rests.get(name, force.rests))
        for name, force in theatre.forces.items()
    }
    return replace(theatre, forces=forces, unfed=frozenset(), encounters={})


def fight(judge: TheatreJudge, orders: TurnOrders, recovery: RecoveryTable) -> tuple[Encounter, ...]:
    """The first half of a turn: what is dismissed and ransomed, the marches, and the battles to be fought.

    Rule:    CAM-MAP-04, CAM-ORD-02
    """
    close_ranks(judge, orders)
    march(judge, orders)
    judge.after_marches()
    return tuple(encounters(judge, orders, recovery))


def close_ranks(judge: TheatreJudge, orders: TurnOrders) -> None:
    """What is dismissed and ransomed when orders are closed.

    Rule:    CAM-ORD-02, CAM-CAR-05
    """
    for force, unit in orders.dismissed:
        judge.emit(UnitDismissed(force, unit))
    for force, leader in orders.ransomed:
        _ransom(judge, force, leader)


def settle(judge: TheatreJudge, orders: TurnOrders, results: Mapping[str, Won]) -> None:
    """The second half, when the battle of each area is counted.

    Rule:    CAM-MAP-04
    """
    retreats(judge, results)
    aftermath(judge, orders)


def _ransom(judge: TheatreJudge, force: str, leader: str) -> None:
    """A captured leader comes back for twice their points, paid to the captor.

    Rule:    CAM-CAR-05
    """
    each = judge.theatre.forces[force].elements[leader]
    judge.emit(LeaderRansomed(force, leader, RANSOM * each.element.points, each.captor))
