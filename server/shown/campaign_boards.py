"""Boards of a campaign in words: what came of them, who fares how."""

from collections.abc import Sequence

from msgspec import Struct

from domain.campaign.standings import TableRow, standings
from domain.campaign.state import COUNTED, DEFAULT, BoardState, CampaignState, contest_of
from replay.telling.words.sentences import fragment


class Fared(Struct, frozen=True):
    """How many boards an entrant has won, drawn and lost, defaults included, and how many byes they had."""

    won: int = 0
    drawn: int = 0
    lost: int = 0
    byes: int = 0


def result_words(state: CampaignState, board: BoardState, lang: str) -> str:
    """What came of a board: who has won and what each side kept, by default, or who is late; as a part of a
    sentence."""
    winner = state.entrants[board.victor].name if board.victor else ""
    if board.is_running:
        late = sorted({who for lateness in board.late.values() for who in lateness.who})
        if not late:
            return fragment("campaigns.board.running", {}, lang)
        return fragment("campaigns.board.late", {"names": names_of(state, tuple(late))}, lang)
    kind = "default" if board.status == DEFAULT else "counted"
    kept = dict(zip(("south", "north"), board.kept, strict=True))
    return fragment(f"campaigns.board.{kind}{'' if winner else '-drawn'}", {"name": winner, **kept}, lang)


def names_of(state: CampaignState, entrants: Sequence[str]) -> str:
    """The names of entrants, one after the other."""
    return ", ".join(state.entrants[one].name for one in entrants)


def table_rows(state: CampaignState) -> tuple[TableRow, ...]:
    """The table; of a ladder, and before the lots, it has no rows."""
    return standings(contest_of(state), state.cup.tiebreaks) if state.is_cup and state.order else ()


def tally_of(state: CampaignState, entrant: str) -> Fared:
    """How an entrant has fared so far."""
    found = [board for board in state.boards_of(entrant) if not board.is_running]
    won = sum(board.victor == entrant for board in found)
    drawn = sum(not board.victor and board.status == COUNTED for board in found)
    byes = sum(entrant in each.byes for each in state.rounds)
    return Fared(won, drawn, len(found) - won - drawn, byes)
