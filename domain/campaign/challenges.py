"""Members of a ladder challenge each other: whom, how it is answered, and the battle that comes of it (CAM-RAT-05).

Two members have one open challenge between them, and one battle that was set for a challenge; one that the host has
stopped is none any more. Who is challenged by
somebody they challenge themselves has accepted; a bot accepts at once.
"""

from collections.abc import Callable, Mapping

from msgspec import UNSET

from domain.basics.errors import Refusal
from domain.basics.pace import DAY_MS, text_of
from domain.campaign.boards import Place
from domain.campaign.config import LADDER, length_ms
from domain.campaign.events import EntrantLeft
from domain.campaign.judge import CampaignJudge
from domain.campaign.ladder_events import ChallengeEnded, ChallengeMade
from domain.campaign.orders import ACCEPT, CHALLENGE, DECLINE, CampaignOrder
from domain.campaign.rated import PERSON
from domain.campaign.refusals import no_such_entrant
from domain.campaign.setting import set_board
from domain.campaign.state import CampaignState, Entrant, OpenChallenge, pair_key

RULE = "CAM-RAT-05"
DECLINED, WITHDRAWN, LAPSED, LEFT = "declined", "withdrawn", "lapsed", "left"
MOST_OPEN = 10
"""Challenges of one member that wait for an answer."""
USUAL_MS = 14 * DAY_MS
"""How long a challenge lasts in a ladder without `time.show`."""


def require_ladder(state: CampaignState) -> None:
    """Refuse a line about challenges where there are none.

    Raises: Refusal campaign.no-ladder
    """
    if state.settings.kind != LADDER:
        raise Refusal("campaign.no-ladder", RULE)


def member_named(state: CampaignState, name: str) -> Entrant:
    """The member whom a line names, by id or by name.

    Raises: Refusal campaign.no-such-entrant
    """
    found = state.entrants.get(name.lower())
    if found is None:
        key = name.casefold()
        found = next((one for one in state.competing() if one.name.casefold() == key), None)
    if found is None or found.left:
        raise no_such_entrant(name)
    return found


def require_challenge_line(judge: CampaignJudge, order: CampaignOrder, held: str) -> None:
    """Refuse a challenge to oneself, a second one, one too many; and the answer to one that nobody has made.

    Raises: Refusal campaign.no-such-entrant, campaign.no-challenge, campaign.already-challenged,
            campaign.already-fighting, campaign.too-many-challenges, campaign.which-scenario, core.unknown-scenario
    """
    state = judge.state
    other = member_named(state, order.first)
    if other.id == held:
        raise no_such_entrant(order.first)
    between = state.challenges.get(pair_key(held, other.id))
    is_own = between is not None and between.challenger == held
    if order.verb != CHALLENGE:
        if between is None or (is_own and order.verb == ACCEPT):
            raise Refusal("campaign.no-challenge", RULE, name=other.name)
        return
    if is_own:
        raise Refusal("campaign.already-challenged", RULE, name=other.name)
    if between is None:
        _require_new(judge, order, held, other)


def _require_new(judge: CampaignJudge, order: CampaignOrder, held: str, other: Entrant) -> None:
    state = judge.state
    fought = state.between.get(pair_key(held, other.id))
    if fought is not None and not judge.given.is_stopped(fought):
        raise Refusal("campaign.already-fighting", RULE, name=other.name)
    if sum(one.challenger == held for one in state.challenges.values()) >= MOST_OPEN:
        raise Refusal("campaign.too-many-challenges", RULE, most=MOST_OPEN)
    if not order.scenario and not state.settings.battle.scenario:
        raise Refusal("campaign.which-scenario", RULE)
    judge.given.digest(order.scenario)  # which refuses a scenario that there is not


def decide_challenge_line(judge: CampaignJudge, order: CampaignOrder, held: str) -> None:
    """A challenge, its acceptance with the battle, or its end."""
    _LINES[order.verb](judge, order, held, member_named(judge.state, order.first))


def _challenge(judge: CampaignJudge, order: CampaignOrder, held: str, other: Entrant) -> None:
    between = judge.state.challenges.get(pair_key(held, other.id))
    if between is not None:
        _set(judge, between)
        return
    until = judge.given.at + (length_ms(judge.state.settings.time.show) or USUAL_MS)
    judge.emit(ChallengeMade(held, other.id, text_of(until), order.scenario or UNSET))
    if other.kind != PERSON:
        _set(judge, judge.state.challenges[pair_key(held, other.id)])


def _accept(judge: CampaignJudge, order: CampaignOrder, held: str, other: Entrant) -> None:
    _set(judge, judge.state.challenges[pair_key(held, other.id)])


def _decline(judge: CampaignJudge, order: CampaignOrder, held: str, other: Entrant) -> None:
    between = judge.state.challenges[pair_key(held, other.id)]
    _end(judge, between, WITHDRAWN if between.challenger == held else DECLINED)


_LINES: Mapping[str, Callable[[CampaignJudge, CampaignOrder, str, Entrant], None]] = {
    CHALLENGE: _challenge,
    ACCEPT: _accept,
    DECLINE: _decline,
}


def _set(judge: CampaignJudge, challenge: OpenChallenge) -> None:
    """The battle of a challenge: who has been south less often is south, of equals who was challenged."""
    state = judge.state
    pair = (challenge.challenged, challenge.challenger)
    south, north = sorted(pair, key=lambda entrant: state.balance.get(entrant, 0))
    place = Place("", 0, south, north)
    set_board(judge, place, judge.given.digest(challenge.scenario), RULE)


# --- ends


def _end(judge: CampaignJudge, challenge: OpenChallenge, reason: str) -> None:
    judge.emit(ChallengeEnded(challenge.challenger, challenge.challenged, reason))


def decide_lapsed(judge: CampaignJudge) -> None:
    """The challenges that nobody has answered in time."""
    for challenge in lapsed(judge.state, judge.given.at):
        _end(judge, challenge, LAPSED)


def lapsed(state: CampaignState, at: int) -> list[OpenChallenge]:
    """The challenges that are over at a moment."""
    return [challenge for challenge in state.challenges.values() if challenge.until <= at]


def decide_left_ladder(judge: CampaignJudge, left: EntrantLeft) -> None:
    """Nobody waits for the answer of somebody who has left; battles go on."""
    for challenge in judge.state.challenges.values():
        if left.entrant in (challenge.challenger, challenge.challenged):
            _end(judge, challenge, LEFT)
