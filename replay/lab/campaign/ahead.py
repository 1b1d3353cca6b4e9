"""What the next round of a cup would be, as things stand: nothing of it is written anywhere."""

from collections.abc import Sequence

from domain.campaign.events import BattleSet, ByeGiven
from domain.campaign.judge import CampaignJudge, Circumstances
from domain.campaign.rounds import next_round
from domain.campaign.state import CampaignState


class FirstOfAll:
    """Chance that always gives the first: the lots of a cup have been drawn, and no other decides who meets whom."""

    def card(self, scope: str, pile: Sequence[str], t: int, deck: str) -> str:
        return pile[0]

    def die(self, scope: str, sides: int, t: int = 0, values: Sequence[int] = ()) -> int:
        return 1


def round_ahead(state: CampaignState) -> tuple[BattleSet | ByeGiven, ...]:
    """The boards and byes of the next round; boards still fought have no result yet. None of a ladder, before the lots,
    and behind the last round."""
    if not state.is_cup:
        return ()
    given = Circumstances(0, FirstOfAll(), lambda place: "", lambda place: "")
    return next_round(CampaignJudge(state, given))
