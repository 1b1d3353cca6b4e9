"""Decide what follows from an input of a campaign.

The whole machine of campaigns is here: `decide` gives the consequences of an input, `domain.campaign.evolve`
folds both, `domain.campaign.acts` makes inputs of order lines, `domain.campaign.deadlines` those of the clock.
"""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import UNSET

from domain.basics.decoding import convert
from domain.basics.errors import BrokenInvariant, Refusal
from domain.campaign.challenges import decide_challenge_line, require_challenge_line
from domain.campaign.counting import decide_claim, decide_counted, require_claim, require_result
from domain.campaign.deadlines import decide_fired, require_due
from domain.campaign.events import (
    AbsenceNoted,
    CampaignBegan,
    CampaignOpened,
    ClockFired,
    EntrantJoined,
    EntrantLeft,
    ReserveJoined,
    ResultCounted,
    RoleGiven,
    TableClaimed,
)
from domain.campaign.evolve import evolve
from domain.campaign.forces.lines import close_if_ready, decide_force_line, require_force_line
from domain.campaign.judge import CampaignJudge, Circumstances
from domain.campaign.orders import ARMY, LADDER_LINES, MAP, CampaignOrder
from domain.campaign.people import (
    decide_began,
    decide_left,
    require_absence,
    require_begin,
    require_join,
    require_leave,
    require_reserve,
    require_role,
)
from domain.campaign.refusals import (
    no_such_board,
    no_such_entrant,
    require_begun,
    require_board,
    require_held,
    require_idle,
)
from domain.campaign.rulings import decide_ruling, require_ruling
from domain.campaign.state import CampaignState
from domain.events.battle import ContributionGiven, Event, Fact, OrderAccepted

SEND = "send"
FORCE_LINES = ARMY | MAP | {"ready", "wait"}
"""Lines about forces, and that there are no more of them."""


def decide(state: CampaignState, fact: Fact, given: Circumstances) -> tuple[Fact, ...]:
    """What follows from an input; it stands behind the input in the log.

    Raises: Refusal if the input may not be
    """
    judge = CampaignJudge(state, given)
    require, follow = _INPUTS.get(type(fact.event), (_anything, _nothing))
    require(judge, fact)
    judge.state = evolve(state, fact.event)
    follow(judge, fact)
    return tuple(judge.facts)


def order_of(event: OrderAccepted) -> CampaignOrder:
    """The order in an event.

    Raises: BrokenInvariant for one that is sealed
    """
    if event.command is UNSET:
        raise BrokenInvariant("a sealed order has no consequences before it is opened")
    return convert(event.command, CampaignOrder)


# --- orders


def _require_order(judge: CampaignJudge, fact: Fact) -> None:
    event: Any = fact.event
    order = order_of(event)
    if order.verb == SEND:
        _require_send(judge, order, event)
    elif order.verb in LADDER_LINES | FORCE_LINES:
        held = require_held(judge.state, event.player).id
        if held != event.side:
            raise no_such_entrant(event.side)
        (require_challenge_line if order.verb in LADDER_LINES else require_force_line)(judge, order, held)
    else:
        require_ruling(judge, order, event.player)


def _require_send(judge: CampaignJudge, order: CampaignOrder, event: OrderAccepted) -> None:
    """A member of the campaign may command a battle for an entrant, before its first order (CAM-PPL-05)."""
    state = judge.state
    require_begun(state)
    held = require_held(state, event.player)
    board = require_board(state, order.board)
    if not board.side_of(held.id):
        raise no_such_board(order.board)
    require_idle(board, order.board in judge.given.turned)
    if order.player not in state.players and all(one.player != order.player for one in state.reserves):
        raise Refusal("campaign.not-member", "CAM-PPL-05", name=order.name)


def _follow_order(judge: CampaignJudge, fact: Fact) -> None:
    event: Any = fact.event
    order = order_of(event)
    if order.verb in LADDER_LINES:
        decide_challenge_line(judge, order, event.side)
    elif order.verb in FORCE_LINES:
        decide_force_line(judge, order, event.side)
    elif order.verb != SEND:
        decide_ruling(judge, order)


def _anything(judge: CampaignJudge, fact: Fact) -> None:
    """An input that no rule of campaigns refuses: contributions, keys, versions of rules, the opening."""


def _nothing(judge: CampaignJudge, fact: Fact) -> None:
    """An input from which nothing follows."""


def _of(step: Callable[[CampaignJudge, Any], None]) -> Callable[[CampaignJudge, Fact], None]:
    return lambda judge, fact: step(judge, fact.event)


def _require_role(judge: CampaignJudge, fact: Fact) -> None:
    event: Any = fact.event
    require_role(judge, event, fact.by)


def _require_begin(judge: CampaignJudge, fact: Fact) -> None:
    event: Any = fact.event
    require_begin(judge, event, fact.by)


_Step = Callable[[CampaignJudge, Fact], None]
_INPUTS: Mapping[type[Event], tuple[_Step, _Step]] = {
    CampaignOpened: (_anything, _nothing),
    RoleGiven: (_require_role, _nothing),
    EntrantJoined: (_of(require_join), _nothing),
    EntrantLeft: (_of(require_leave), _of(decide_left)),
    ReserveJoined: (_of(require_reserve), _nothing),
    CampaignBegan: (_require_begin, _of(decide_began)),
    ResultCounted: (_of(require_result), _of(decide_counted)),
    TableClaimed: (_of(require_claim), _of(decide_claim)),
    AbsenceNoted: (_of(require_absence), _nothing),
    ClockFired: (_of(require_due), _of(decide_fired)),
    ContributionGiven: (_anything, lambda judge, _: close_if_ready(judge)),
    OrderAccepted: (_require_order, _follow_order),
}
"""For each input what it is refused for, and what follows from it."""
