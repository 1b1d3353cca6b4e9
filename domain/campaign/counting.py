"""Count what a battle has come to: by its own log, on a table, or by default (CAM-RND-04, CAM-CLB-04)."""

from collections.abc import Iterable

from domain.basics.errors import Refusal
from domain.campaign.events import DefaultGiven, ResultCounted, ResultsStruck, TableClaimed, TableResult
from domain.campaign.evolve import BY_TABLE
from domain.campaign.forces.counting import leave
from domain.campaign.forces.nodes import carries
from domain.campaign.judge import CampaignJudge
from domain.campaign.rated import PERSON
from domain.campaign.refusals import (
    already_counted,
    no_such_board,
    no_such_entrant,
    require_begun,
    require_board,
    require_idle,
    require_lasting,
)
from domain.campaign.rounds import proceed
from domain.campaign.state import COUNTED, SIDES, BoardState, CampaignState

WHOLE = 1000
"""What a side has kept at most, in thousandths."""


def require_result(judge: CampaignJudge, counted: ResultCounted) -> None:
    """Refuse a result that is there already, or of another battle than that of its board.

    Raises: Refusal campaign.ended, campaign.not-begun, campaign.no-such-board, campaign.already-counted
    """
    state = judge.state
    if not counted.board:
        require_lasting(state)
        if not state.is_ladder:
            raise no_such_board(counted.board)
        if counted.battle in state.counted:
            raise already_counted(counted.battle)
        _require_fighters(state, counted)
        return
    require_begun(state)
    board = require_board(state, counted.board)
    if not board.is_running:
        raise already_counted(counted.board)
    if counted.battle != board.battle:
        raise no_such_board(counted.board)


def _require_fighters(state: CampaignState, counted: ResultCounted) -> None:
    """A result of a ladder names its fighters, both of whom are or were members; of a challenge they are known.

    Raises: Refusal campaign.no-such-entrant, campaign.no-such-board
    """
    fighters = counted.players if isinstance(counted.players, dict) else {}
    duel = state.duels.get(counted.battle)
    if duel is not None and fighters != dict(zip(SIDES, duel.place.pair, strict=True)):
        raise no_such_board(counted.battle)
    for side in SIDES:
        if fighters.get(side, "") not in state.entrants:
            raise no_such_entrant(fighters.get(side, ""))
    if counted.rated and any(state.entrants[entrant].kind != PERSON for entrant in fighters.values()):
        raise Refusal("campaign.not-rated", "CAM-RAT-01", battle=counted.battle)


def decide_counted(judge: CampaignJudge, counted: ResultCounted) -> None:
    """What follows from a result; a ladder has no rounds."""
    if not counted.board:
        return
    if carries(judge.state, judge.state.boards[counted.board]):
        leave(judge, counted, counted.how)
    proceed(judge)


# --- on a table


def require_claim(judge: CampaignJudge, claim: TableClaimed) -> None:
    """Refuse a claim to a board that has its result, or is fought by correspondence, or unlike that of the opponent.

    Raises: Refusal campaign.not-begun, campaign.no-such-board, campaign.already-counted, campaign.battle-begun,
            campaign.table-differs
    """
    require_begun(judge.state)
    board = require_board(judge.state, claim.board)
    if not board.side_of(claim.entrant):
        raise no_such_board(claim.board)
    require_idle(board, claim.board in judge.given.turned)
    other = board.claims.get(board.place.other(claim.entrant))
    word = first_difference(claim, other) if other else ""
    if word:
        raise Refusal("campaign.table-differs", "CAM-CLB-04", board=claim.board, word=word)


def first_difference(claim: TableClaimed, other: TableClaimed) -> str:
    """The first word in which two claims differ, as it stands in the first; "" if they say the same."""
    words, others = (_words(claim), _words(other))
    for at, word in enumerate(words):
        if at >= len(others) or others[at] != word:
            return word
    return others[len(words)] if len(others) > len(words) else ""


def _words(claim: TableClaimed) -> list[str]:
    """What a claim says, word by word, in one order."""
    words = [claim.winner or "draw", *(str(claim.kept[side]) for side in SIDES)]
    for force, fates in sorted((claim.fates or {}).items()):
        words += [f"{force}:{element} {fate}".lstrip(":") for element, fate in sorted(fates.items())]
    return words + [str(deed) for deed in claim.deeds or ()]


def decide_claim(judge: CampaignJudge, claim: TableClaimed) -> None:
    """At the second claim in the same words the board is counted."""
    board = judge.state.boards[claim.board]
    if len(board.claims) == len(SIDES):
        count_table(judge, claim, board.place.pair)


def count_table(judge: CampaignJudge, claim: TableClaimed, said: Iterable[str]) -> None:
    """Count a battle that was fought on a table, on somebody's word."""
    found = TableResult(
        board=claim.board,
        winner=claim.winner,
        kept=claim.kept,
        said=tuple(said),
        rated=judge.state.settings.ladder.table,
        fates=claim.fates,
        deeds=claim.deeds,
    )
    judge.emit(found)
    if carries(judge.state, judge.state.boards[claim.board]):
        leave(judge, found, BY_TABLE)
    proceed(judge)


# --- by default


def give_default(judge: CampaignJudge, board: BoardState, losers: tuple[str, ...], reason: str, rule: str) -> None:
    """A board goes to who is not to blame; to nobody if both are."""
    winner = next((entrant for entrant in board.place.pair if entrant not in losers), "")
    judge.emit(DefaultGiven(board.place.name, winner, losers, reason), rule)


def strike_if_early(judge: CampaignJudge, entrant: str, total: int) -> None:
    """Strike the results of an entrant of a round robin who has fought fewer than half of the battles.

    (CAM-PPL-04.) Shape: `total` all battles that the table has for an entrant
    """
    played = sum(1 for board in judge.state.boards_of(entrant) if board.status == COUNTED)
    if 2 * played < total:
        judge.emit(ResultsStruck(entrant, played, total))
