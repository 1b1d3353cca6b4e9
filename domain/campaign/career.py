"""A player's way through a cup: whom they met in each round, what came of it, and their points after it."""

from msgspec import Struct

from domain.campaign.state import DEFAULT, BoardState, CampaignState, contest_of
from domain.campaign.tie_breaks import scores_of

WON, DRAWN, LOST, RUNNING, BYE, ABSENT = "won", "drawn", "lost", "running", "bye", "absent"


class CareerRow(Struct, frozen=True, gc=False):
    """A board or a round without one, as an entrant has it.

    Shape: `board`, `battle`, `opponent` and `side` are empty in a round without a board; `result` is `won drawn lost
           running bye absent`; `kept` of the entrant, then of the opponent; `points` of all rounds up to this one
    """

    round: int
    result: str
    points: int
    board: str = ""
    battle: str = ""
    opponent: str = ""
    side: str = ""
    is_default: bool = False
    kept: tuple[int, int] = (0, 0)


def career_of(state: CampaignState, entrant: str) -> tuple[CareerRow, ...]:
    """The rows of an entrant, in order of rounds; none before the lots. Points that an umpire took are in no round."""
    if entrant not in state.order:
        return ()
    contest = contest_of(state)
    gained = {met.place: met.points for met in scores_of(contest).met[entrant]}
    idle = {each.round: each.kind for each in contest.idle if each.entrant == entrant}
    rows, points = list[CareerRow](), 0
    for each in state.rounds:
        for name in each.boards:
            if entrant in state.boards[name].place.pair:
                points += gained.get(name, 0)
                rows.append(_on_board(state.boards[name], entrant, points))
        if each.number in idle:
            points += gained.get(str(each.number), 0)
            rows.append(CareerRow(each.number, idle[each.number], points))
    return tuple(rows)


def _on_board(board: BoardState, entrant: str, points: int) -> CareerRow:
    place, side = board.place, board.side_of(entrant)
    kept = board.kept if side == "south" else board.kept[::-1]
    lost_by_both = board.status == DEFAULT and not board.winner
    result = RUNNING if board.is_running else LOST if lost_by_both else DRAWN
    if board.victor:
        result = WON if board.victor == entrant else LOST
    return CareerRow(
        place.round,
        result,
        points,
        place.name,
        board.battle,
        place.other(entrant),
        side,
        board.status == DEFAULT,
        kept,
    )
