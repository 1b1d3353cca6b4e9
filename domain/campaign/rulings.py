"""The lines of the umpire, and what follows from each (CAM-RUL)."""

from collections.abc import Callable, Mapping

from msgspec import UNSET
from msgspec.structs import replace

from domain.basics.errors import Refusal
from domain.campaign.boards import Place
from domain.campaign.counting import count_table, give_default
from domain.campaign.events import (
    ByeGiven,
    CampaignEnded,
    DeadlineMoved,
    EntrantJoined,
    EntrantLeft,
    PairingChanged,
    PointsTaken,
    ResultChanged,
    TableClaimed,
)
from domain.campaign.forces.fielding import met_by
from domain.campaign.judge import CampaignJudge
from domain.campaign.notation import write_order
from domain.campaign.orders import BOTH, DRAW, CampaignOrder
from domain.campaign.people import decide_left
from domain.campaign.refusals import (
    already_counted,
    no_such_board,
    no_such_entrant,
    require_begun,
    require_board,
    require_entrant,
    require_foreign,
    require_idle,
    require_lasting,
    require_open_round,
    require_umpire,
)
from domain.campaign.rounds import ENDED, legs_of, proceed, set_battle
from domain.campaign.state import EXPELLED, REPLACED, BoardState, CampaignState
from domain.events.battle import RulingGiven

UMPIRE = "umpire"
RULING = "ruling"


def require_ruling(judge: CampaignJudge, order: CampaignOrder, player: str) -> None:
    """Refuse a line of the umpire that may not be given.

    Raises: Refusal campaign.ended, campaign.not-begun, campaign.not-umpire, campaign.own-cause, and those of the line
    """
    state = judge.state
    (require_lasting if order.verb in _ANY_TIME else require_begun)(state)
    if not (order.verb == "end" and player == state.organiser.player):
        require_umpire(state, player)
    if order.board:
        require_foreign(state, player, order.board)
    if order.verb in _ON_RESULTS:
        _require_newest(state, order.board)
    require, _ = _RULINGS[order.verb]
    require(judge, order)


def _require_newest(state: CampaignState, board: str) -> None:
    """Where armies live on, a result may be ruled upon while no later round has begun, and casualties stand
    (CAM-RUL-03).

    Raises: Refusal campaign.built-upon
    """
    found = state.boards.get(board)
    if state.has_forces and found is not None and found.place.round < state.round:
        raise Refusal("campaign.built-upon", "CAM-RUL-03", event=state.n)


def decide_ruling(judge: CampaignJudge, order: CampaignOrder) -> None:
    """The ruling with its docket, then what follows. A substitute is no ruling: nobody is judged."""
    if order.verb != "replace":
        line = write_order(replace(order, because=""))
        judge.emit(RulingGiven(_docket(judge.state), order.because, line), "CAM-RUL-01", UMPIRE)
    _, decide = _RULINGS[order.verb]
    decide(judge, order)


def _docket(state: CampaignState) -> str:
    return f"D{state.dockets + 1}"


# --- deadlines, points, the end


def _require_extend(judge: CampaignJudge, order: CampaignOrder) -> None:
    if not require_open_round(judge.state, order.round).deadline:
        raise no_such_board(str(order.round))


def _extend(judge: CampaignJudge, order: CampaignOrder) -> None:
    judge.emit(DeadlineMoved(order.round, order.days))


def _require_competing(judge: CampaignJudge, order: CampaignOrder) -> None:
    require_entrant(judge.state, order.entrant)


def _penalty(judge: CampaignJudge, order: CampaignOrder) -> None:
    judge.emit(PointsTaken(order.entrant, order.points))


def _require_nothing(judge: CampaignJudge, order: CampaignOrder) -> None:
    pass


def _end(judge: CampaignJudge, order: CampaignOrder) -> None:
    """Nobody wins what is broken off."""
    judge.emit(CampaignEnded((), ENDED))


def _open(judge: CampaignJudge, order: CampaignOrder) -> None:
    """The host opens the sealed event behind the ruling: nothing of it is known here."""


def _require_no_rewind(judge: CampaignJudge, order: CampaignOrder) -> None:
    """Pairings that stand are never touched: neither cups nor ladders go back (CAM-RUL-03)."""
    raise Refusal("campaign.built-upon", "CAM-RUL-05", event=order.event)


# --- people


def _expel(judge: CampaignJudge, order: CampaignOrder) -> None:
    left = EntrantLeft(order.entrant, EXPELLED)
    judge.emit(left, by=UMPIRE)
    decide_left(judge, left)


def _require_replace(judge: CampaignJudge, order: CampaignOrder) -> None:
    state = judge.state
    if not order.player:
        raise Refusal("core.docket-unknown-player", "CAM-PPL-03", player=order.name)
    if order.player in state.players:
        raise Refusal("campaign.already-entered", "CAM-PPL-03", entrant=state.players[order.player])
    held = state.entrants.get(order.entrant)
    if held is None or held.is_struck or (held.left and not state.began):
        raise no_such_entrant(order.entrant)


def _replace(judge: CampaignJudge, order: CampaignOrder) -> None:
    """Points, forces, secrets and running battles go over (CAM-PPL-03)."""
    state = judge.state
    if not state.entrants[order.entrant].left:
        judge.emit(EntrantLeft(order.entrant, REPLACED), "CAM-PPL-03", UMPIRE)
    reserve = next((one for one in state.reserves if one.player == order.player), None)
    joined = EntrantJoined(order.entrant, order.player, reserve.name if reserve else order.name)
    if reserve:
        joined = replace(joined, kind=reserve.kind, mode=reserve.mode, anchor=reserve.anchor or UNSET)
        joined = replace(joined, signer=reserve.signer or UNSET)
    judge.emit(joined, "CAM-PPL-03", UMPIRE)


# --- results


def _require_settled(judge: CampaignJudge, order: CampaignOrder) -> None:
    board = require_board(judge.state, order.board)
    if board.is_running:
        raise Refusal("campaign.battle-running", "CAM-RUL-03", board=order.board)
    if order.winner != DRAW and not board.side_of(order.winner):
        raise no_such_entrant(order.winner)


def _change(judge: CampaignJudge, order: CampaignOrder) -> None:
    """The table is computed again; pairings that stand are not touched."""
    board, state = judge.state.boards[order.board], judge.state
    winner = "" if order.winner == DRAW else board.side_of(order.winner)
    judge.emit(ResultChanged(order.board, winner, board.winner, f"D{state.dockets}"))
    proceed(judge)


def _require_default(judge: CampaignJudge, order: CampaignOrder) -> None:
    board = require_board(judge.state, order.board)
    if order.loser != BOTH and not board.side_of(order.loser):
        raise no_such_entrant(order.loser)


def _default(judge: CampaignJudge, order: CampaignOrder) -> None:
    board = judge.state.boards[order.board]
    losers = board.place.pair if order.loser == BOTH else (order.loser,)
    give_default(judge, board, losers, RULING, "CAM-RUL-03")
    proceed(judge)


def _require_void(judge: CampaignJudge, order: CampaignOrder) -> None:
    """Both must still be there: the battle is fought anew. What forces have lost in one that is counted stands."""
    board = require_board(judge.state, order.board)
    if judge.state.has_forces and not board.is_running:
        raise already_counted(order.board)
    for entrant in board.place.pair:
        require_entrant(judge.state, entrant)


def _void(judge: CampaignJudge, order: CampaignOrder) -> None:
    set_battle(judge, judge.state.boards[order.board].place, "CAM-RUL-03", is_anew=True)


def _require_table(judge: CampaignJudge, order: CampaignOrder) -> None:
    require_idle(require_board(judge.state, order.board), order.board in judge.given.turned)
    claim_of(judge.state, order, "")


def _table(judge: CampaignJudge, order: CampaignOrder) -> None:
    count_table(judge, claim_of(judge.state, order, ""), (UMPIRE,))


def claim_of(state: CampaignState, order: CampaignOrder, entrant: str) -> TableClaimed:
    """What a line says of a battle on a table.

    Raises: Refusal campaign.no-such-board, campaign.no-such-entrant, core.unknown-id
    """
    board = require_board(state, order.board)
    if order.winner != DRAW and not board.side_of(order.winner):
        raise no_such_entrant(order.winner)
    fates: dict[str, dict[str, str]] = {}
    for fate, elements in order.fates:
        for element in elements:
            force, name = met_by(state.theatre, board, element, fate)
            fates.setdefault(force, {})[name] = fate
    south, north = order.kept
    return TableClaimed(
        entrant=entrant,
        board=order.board,
        winner="" if order.winner == DRAW else board.side_of(order.winner),
        kept={"south": south, "north": north},
        fates=fates or UNSET,
    )


# --- pairings


def _require_pair(judge: CampaignJudge, order: CampaignOrder) -> None:
    """Before any battle concerned has had a turn (CAM-RUL-04)."""
    state = judge.state
    board = require_board(state, order.board)
    if board.place.leg > 1 or state.has_forces:
        raise no_such_board(order.board)
    require_open_round(state, board.place.round)
    if order.entrant == order.other:
        raise no_such_entrant(order.other)
    pairs, _ = _exchanged(state, board, (order.entrant, order.other))
    for name in pairs:
        for leg in legs_of(state, name):
            require_idle(leg, leg.place.name in judge.given.turned)


def _pair(judge: CampaignJudge, order: CampaignOrder) -> None:
    """The two meet on the board; whom they push away takes their place."""
    state = judge.state
    board = state.boards[order.board]
    pairs, byes = _exchanged(state, board, (order.entrant, order.other))
    for name, (south, north) in pairs.items():
        was = state.boards[name]
        ruled = was.ruled or was.place.pair
        judge.emit(PairingChanged(name, south, north, {"south": ruled[0], "north": ruled[1]}))
        for leg in legs_of(state, name):
            pair = (north, south) if leg.place.leg > 1 else (south, north)
            set_battle(judge, Place(leg.place.name, leg.place.round, *pair), "CAM-RUL-04")
    for entrant in byes:
        judge.emit(ByeGiven(board.place.round, entrant), "CAM-RUL-04")


def _exchanged(
    state: CampaignState, board: BoardState, wanted: tuple[str, str]
) -> tuple[dict[str, tuple[str, str]], list[str]]:
    """The boards of a round that change, by name, with their new pairs, and who has a bye instead of another.

    Raises: Refusal campaign.no-such-entrant for one who is not in this round
    """
    each = state.rounds[board.place.round - 1]
    was = [(slot, *(state.boards[slot].place.pair if "." in slot else (slot,))) for slot in each.slots]
    seats = {slot: list(entrants) for slot, *entrants in was}
    where = {entrant: slot for slot, *entrants in was for entrant in entrants}
    for side, entrant in enumerate(wanted):
        if entrant not in where or state.entrants[entrant].left:
            raise no_such_entrant(entrant)
        pushed, slot = seats[board.place.name][side], next(s for s, row in seats.items() if entrant in row)
        at = seats[slot].index(entrant)
        seats[slot][at], seats[board.place.name][side] = pushed, entrant
    changed = {slot: row for slot, *old in was if (row := seats[slot]) != old}
    pairs = {slot: (row[0], row[1]) for slot, row in changed.items() if "." in slot}
    return pairs, [row[0] for slot, row in changed.items() if "." not in slot]


_ON_RESULTS = frozenset({"default", "void", "result", "table"})
"""What may be ruled of a board that has its result."""
_ANY_TIME = frozenset({"replace", "expel", "penalty", "end", "open"})
"""What may be ruled before the beginning."""
_Step = Callable[[CampaignJudge, CampaignOrder], None]
_RULINGS: Mapping[str, tuple[_Step, _Step]] = {
    "extend": (_require_extend, _extend),
    "pair": (_require_pair, _pair),
    "default": (_require_default, _default),
    "void": (_require_void, _void),
    "result": (_require_settled, _change),
    "replace": (_require_replace, _replace),
    "expel": (_require_competing, _expel),
    "penalty": (_require_competing, _penalty),
    "open": (_require_nothing, _open),
    "rewind": (_require_no_rewind, _open),
    "end": (_require_nothing, _end),
    "table": (_require_table, _table),
}
"""What each line is refused for, and what follows from it."""
