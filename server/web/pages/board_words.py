"""What came of a board of a campaign, in words."""

from domain.campaign.state import BoardState, CampaignState
from server.words import say


def result_words(state: CampaignState, board: BoardState, lang: str) -> str:
    """What came of a board, in words."""
    winner = state.entrants[board.victor].name if board.victor else ""
    if board.is_running:
        late = sorted({who for lateness in board.late.values() for who in lateness.who})
        return (
            say(lang, "campaigns.board.late", names=", ".join(state.entrants[one].name for one in late))
            if late
            else say(lang, "campaigns.board.running")
        )
    kind = "default" if board.status == "default" else "counted"
    if not winner:
        return say(lang, f"campaigns.board.{kind}-drawn", south=board.kept[0], north=board.kept[1])
    return say(lang, f"campaigns.board.{kind}", name=winner, south=board.kept[0], north=board.kept[1])
