"""The dates of a campaign: when entering closes, rounds end, and battles are to be begun."""

from collections.abc import Iterator

from msgspec import Struct

from domain.campaign.state import CampaignState

CLOSES, ROUND, SHOW, LATE = "closes", "round", "show", "late"


class CampaignDate(Struct, frozen=True, gc=False):
    """A date of a campaign. `kind` is `closes round show late`, `at` milliseconds since 1970; `board` and `battle` are
    empty where it is nobody's in particular."""

    kind: str
    at: int
    round: int = 0
    board: str = ""
    battle: str = ""


def dates_of(state: CampaignState, entrant: str = "") -> Iterator[CampaignDate]:
    """The dates to come, those of an entrant's own boards among them (CAM-TIM-02, -03); none of one that is over."""
    if state.is_over:
        return
    closes = state.settings.closes_at
    if closes is not None and not state.began:
        yield CampaignDate(CLOSES, closes)
    for each in state.rounds:
        if each.open and each.deadline:
            yield CampaignDate(ROUND, each.deadline, each.number)
        boards = (state.boards[name] for name in each.boards) if each.open and entrant else ()
        for board in boards:
            if board.is_running and entrant in board.place.pair:
                late = [one.until for one in board.late.values() if entrant in one.who]
                for kind, at in ((SHOW, board.show if not late else 0), (LATE, min(late, default=0))):
                    if at:
                        yield CampaignDate(kind, at, each.number, board.place.name, board.battle)
