"""People who enter, leave, wait, and take the place of another (CAM-PPL)."""

from domain.basics.errors import Refusal
from domain.campaign.challenges import decide_left_ladder
from domain.campaign.config import LINKED, ROUND_ROBIN, SWISS
from domain.campaign.counting import give_default, strike_if_early
from domain.campaign.events import (
    AbsenceNoted,
    CampaignBegan,
    EntrantJoined,
    EntrantLeft,
    ReserveJoined,
    RoleGiven,
)
from domain.campaign.forces.lines import close_if_ready
from domain.campaign.forces.nodes import end_for
from domain.campaign.judge import ORGANISER, SERVER, UMPIRE, CampaignJudge
from domain.campaign.notation import is_entrant_id
from domain.campaign.refusals import (
    army_not_legal,
    no_such_entrant,
    require_entrant,
    require_id,
    require_lasting,
    require_not_begun,
)
from domain.campaign.rounds import begin, proceed
from domain.campaign.state import ABSENT, EXPELLED, REPLACED, WITHDRAWN, CampaignState

VACANT = frozenset({EXPELLED, ABSENT})
"""Why a place may be taken by a reserve; on a map also who has withdrawn leaves it (CAM-PPL-04)."""

# --- entering


def require_join(judge: CampaignJudge, joined: EntrantJoined) -> None:
    """Refuse who comes too late, is one too many, or is there already.

    Raises: Refusal campaign.ended, campaign.entry-closed, campaign.full, campaign.already-entered,
            campaign.army-not-legal; as `require_take`
    """
    state = judge.state
    require_lasting(state)
    held = state.entrants.get(joined.entrant)
    if state.began and not state.is_ladder and held is not None and held.left:
        require_take(state, joined.entrant, joined.player)
        return
    if _is_closed(state, judge.given.at):
        raise Refusal("campaign.entry-closed", "CAM-PPL-01", closes=state.settings.entry.closes)
    if len(state.players) >= state.settings.entry.most:
        raise Refusal("campaign.full", "CAM-PPL-01", most=state.settings.entry.most)
    seats = state.settings.seats
    if not is_entrant_id(joined.entrant) or (seats and joined.entrant not in seats):
        raise no_such_entrant(joined.entrant[:40])
    if state.is_cup:
        _require_army(state, joined)
    if state.is_ladder and held is not None and held.player != joined.player:  # ratings stay with their player
        raise Refusal("campaign.already-entered", "CAM-PPL-01", entrant=joined.entrant)
    require_id(state, joined.entrant, joined.player)


def _require_army(state: CampaignState, joined: EntrantJoined) -> None:
    """An entrant brings an army where the campaign wants one, of its size, and nowhere else. Whether the game allows it
    the host says, who has its lists.

    Raises: Refusal campaign.army-not-legal
    """
    wanted, brought = state.settings.entry.armies, joined.army if isinstance(joined.army, dict) else None
    if wanted is None and brought is not None:
        raise army_not_legal("not-wanted")
    if wanted is not None and brought is None:
        raise army_not_legal("missing", wanted.size)
    if wanted is not None and brought is not None and brought.get("size") != wanted.size:
        raise army_not_legal("other-size", wanted.size)


def _is_closed(state: CampaignState, at: int) -> bool:
    """Whether nobody may enter any more: who comes late has missed `entry.late` rounds at most."""
    if state.is_ladder:
        return False
    if state.began:
        return not state.is_cup or state.round > state.settings.entry.late
    closes = state.settings.closes_at
    return closes is not None and at >= closes


def require_take(state: CampaignState, entrant: str, player: str) -> None:
    """A reserve, or whom the umpire names, takes a vacant place.

    Raises: Refusal campaign.not-entered, campaign.already-entered, campaign.no-such-entrant, campaign.not-vacant
    """
    if player in state.players:
        raise Refusal("campaign.already-entered", "CAM-PPL-01", entrant=state.players[player])
    if all(reserve.player != player for reserve in state.reserves):
        raise Refusal("campaign.not-entered", "CAM-PPL-02")
    require_vacant(state, entrant)


def require_vacant(state: CampaignState, name: str) -> None:
    """Raises: Refusal campaign.no-such-entrant, campaign.not-vacant"""
    held = state.entrants.get(name)
    if held is None:
        raise no_such_entrant(name)
    vacant = VACANT | {WITHDRAWN} if state.theatre.areas else VACANT
    if held.left not in vacant or held.is_struck:
        raise Refusal("campaign.not-vacant", "CAM-PPL-02", entrant=name)


def require_reserve(judge: CampaignJudge, reserve: ReserveJoined) -> None:
    """Raises: Refusal campaign.ended, campaign.already-entered"""
    state = judge.state
    require_lasting(state)
    if reserve.player in state.players or any(one.player == reserve.player for one in state.reserves):
        raise Refusal("campaign.already-entered", "CAM-PPL-02", entrant=state.players.get(reserve.player, reserve.name))


def require_role(judge: CampaignJudge, given: RoleGiven, by: str) -> None:
    """The organiser gives a role. That of a silent one another gives to a member: the umpire, and the host where there
    is none (CAM-RUL-08). That they were silent is the host's word.

    Raises: Refusal campaign.ended, campaign.not-organiser, campaign.not-member
    """
    state = judge.state
    require_lasting(state)
    if by == ORGANISER:
        return
    has_umpire = state.umpire is not None and state.umpire.player != state.organiser.player
    if given.role != ORGANISER or has_umpire is not (by == UMPIRE):
        raise Refusal("campaign.not-organiser", "CAM-RUL-08", name=state.organiser.name)
    umpire = state.umpire.player if state.umpire is not None else ""
    if given.player not in {umpire, *(one.player for one in state.reserves)} and given.player not in state.players:
        raise Refusal("campaign.not-member", "CAM-RUL-08", name=given.name)


def waits_for_organiser(state: CampaignState, at: int) -> bool:
    """Whether something waits for the organiser at a moment: that they begin, or that they rule on a board that is late
    where nobody else does."""
    if state.is_over:
        return False
    if not state.began:
        closes = state.settings.closes_at
        return closes is None or closes <= at
    if state.umpire is not None and state.umpire.player != state.organiser.player:
        return False
    return any(board.is_running and board.late for board in state.boards.values())


# --- beginning


def require_begin(judge: CampaignJudge, began: CampaignBegan, by: str) -> None:
    """The organiser begins, or the day on which entering closes does.

    Raises: Refusal campaign.ended, campaign.begun, campaign.not-organiser, campaign.too-few, campaign.too-many-rounds
    """
    state = judge.state
    require_not_begun(state)
    closes = state.settings.closes_at
    if by == SERVER and (closes is None or judge.given.at < closes):
        raise Refusal("campaign.not-organiser", "CAM-RND-01", name=state.organiser.name)
    count, least = len(state.players), state.settings.entry.least
    if count < least:
        raise Refusal("campaign.too-few", "CAM-RND-01", entered=count, least=least)
    most = count - 1 + count % 2  # with an odd number one more, for the bye
    if state.is_cup and state.cup.system == SWISS and state.cup.rounds > most:
        raise Refusal("campaign.too-many-rounds", "CAM-RND-01", rounds=state.cup.rounds, most=most)


def decide_began(judge: CampaignJudge, began: CampaignBegan) -> None:
    """The lots, then the first round."""
    begin(judge)


# --- leaving


def require_leave(judge: CampaignJudge, left: EntrantLeft) -> None:
    """Raises: Refusal campaign.ended, campaign.no-such-entrant"""
    require_lasting(judge.state)
    require_entrant(judge.state, left.entrant)


def decide_left(judge: CampaignJudge, left: EntrantLeft) -> None:
    """Boards that are still fought go to the opponents; in a round robin early results are struck.

    (CAM-PPL-04.) Before the beginning nothing follows, nor where a substitute comes.
    """
    state = judge.state
    if state.is_ladder:
        decide_left_ladder(judge, left)
    if not state.began or state.is_ladder or left.reason in (REPLACED, ABSENT):
        return
    if state.is_cup and state.cup.system == ROUND_ROBIN:
        strike_if_early(judge, left.entrant, (len(state.order) - 1) * state.cup.legs)
    for board in judge.state.boards_of(left.entrant):
        if board.is_running:
            give_default(judge, board, (left.entrant,), left.reason, "CAM-PPL-04")
    if state.settings.kind == LINKED:
        end_for(judge, left.entrant)
    proceed(judge)
    close_if_ready(judge)


# --- absence


def require_absence(judge: CampaignJudge, absence: AbsenceNoted) -> None:
    """An entrant of a Swiss cup may leave a round out that has not begun.

    Raises: Refusal campaign.ended, campaign.no-such-entrant, campaign.round-begun
    """
    state = judge.state
    require_lasting(state)
    require_entrant(state, absence.entrant)
    is_swiss = state.is_cup and state.cup.system == SWISS
    if not is_swiss or not state.round < absence.round <= state.cup.rounds:
        raise Refusal("campaign.round-begun", "CAM-CUP-05", round=absence.round)
