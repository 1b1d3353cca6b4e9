"""Tell a turn under fog: what each alliance has done and seen, in events of one kind each (CAM-FOG-01, -02)."""

from domain.campaign.judge import CampaignJudge
from domain.campaign.theatre.fog import MOVEMENTS, moves_of, sight, treasury_of
from domain.campaign.theatre.fog_events import AreasSeen
from domain.campaign.theatre.state import Theatre


def tell_sight(judge: CampaignJudge, marched: Theatre) -> None:
    """What each alliance sees when all have marched.

    Rule: CAM-FOG-02
    """
    for alliance in marched.alliances:
        judge.emit(AreasSeen(alliance=alliance, turn=judge.state.round, areas=sight(marched, alliance)))


def tell_moves(judge: CampaignJudge) -> None:
    """Where the forces of each alliance have gone since it was told last. That there is a battle is public: where one
    keeps the turn waiting, its second half is told by itself.

    Rule: CAM-FOG-01
    """
    movements = [event for event in judge.veiled if isinstance(event, MOVEMENTS)]
    judge.veiled = [event for event in judge.veiled if not isinstance(event, MOVEMENTS)]
    theatre, turn = judge.state.theatre, judge.state.round
    for alliance in theatre.alliances:
        judge.emit(moves_of(theatre, turn, alliance, movements))


def tell_treasuries(judge: CampaignJudge) -> None:
    """Income, recruits and hunger of each alliance, at the end of a turn.

    Rule: CAM-FOG-01
    """
    theatre, state = judge.state.theatre, judge.state
    for alliance in theatre.alliances:
        judge.emit(treasury_of(theatre, state.round, alliance, judge.veiled, state.ordering.turn.dismissed))
    judge.veiled = []
