"""Fold events into the state of a campaign: facts are copied, and no rule is asked."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from msgspec import UNSET
from msgspec.structs import replace

from domain.basics.decoding import convert
from domain.basics.pace import DAY_MS, moment_of
from domain.campaign import ordering
from domain.campaign.boards import Place
from domain.campaign.config import LADDER, config_of
from domain.campaign.duels import on_challenge, on_challenge_ended, on_duel_counted, on_duel_set
from domain.campaign.events import (
    AbsenceNoted,
    BattleCutOff,
    BattleSet,
    ByeGiven,
    CampaignBegan,
    CampaignEnded,
    CampaignOpened,
    DeadlineMoved,
    DefaultGiven,
    EntrantJoined,
    EntrantLeft,
    LateNoted,
    LotCast,
    LotsDrawn,
    PairingChanged,
    PointsTaken,
    ReserveJoined,
    ResultChanged,
    ResultCounted,
    ResultsStruck,
    RoleGiven,
    RoundBegan,
    RoundEnded,
    TableClaimed,
    TableResult,
)
from domain.campaign.evolve_orders import ORDER_EVOLUTIONS, on_secret_order
from domain.campaign.folding_fog import FOG_EVOLUTIONS
from domain.campaign.folding_forces import FORCE_EVOLUTIONS, scenario_named, theatre_of, with_victories
from domain.campaign.ladder_events import ChallengeEnded, ChallengeMade
from domain.campaign.orders import CampaignOrder
from domain.campaign.sealing import is_order_of_forces, is_sealed
from domain.campaign.state import (
    COUNTED,
    DEFAULT,
    BoardState,
    CampaignState,
    Entrant,
    Lateness,
    Officer,
    Reserve,
    RoundState,
)
from domain.events.battle import ContributionGiven, Event, Fact, OrderAccepted, RulingGiven

START = CampaignState()
BY_TABLE, BY_RULING = "table", "ruling"
"""How a battle has ended that was fought on a table, and one that had gone by default until the umpire ruled."""


def evolve(state: CampaignState, event: Event) -> CampaignState:
    """The state after the next event of the log; one that changes nothing only counts."""
    evolution = _EVOLUTIONS.get(type(event))
    return replace(evolution(state, event) if evolution else state, n=state.n + 1)


def folded(state: CampaignState, facts: Iterable[Fact]) -> CampaignState:
    """The state after some facts, one event after the other."""
    for fact in facts:
        state = evolve(state, fact.event)
    return state


# --- people


def on_opened(state: CampaignState, event: CampaignOpened) -> CampaignState:
    config = config_of(event.config)
    return replace(
        state,
        config=config,
        ruleset=event.ruleset,
        organiser=Officer(event.organiser["player"], event.organiser["name"], event.organiser.get("signer", "")),
        began=config.kind == LADDER,
        theatre=theatre_of(config),
    )


def on_role_given(state: CampaignState, event: RoleGiven) -> CampaignState:
    officer = Officer(event.player, event.name, event.signer or "")
    return replace(state, umpire=officer) if event.role == "umpire" else replace(state, organiser=officer)


def on_joined(state: CampaignState, event: EntrantJoined) -> CampaignState:
    """A successor keeps points, boards and rank; a latecomer has the last rank number."""
    before = state.entrants.get(event.entrant)
    goes_on = before is not None and state.began
    entrant = Entrant(
        event.entrant,
        event.player,
        event.name,
        first=before.first if before else len(state.seats) + 1,
        joined=before.joined if before and goes_on else state.n + 1,
        kind=event.kind or "person",
        mode=event.mode or "plain",
        anchor=event.anchor or "",
        signer=event.signer or "",
        rating=event.rating if isinstance(event.rating, int) else 0,
        since=before.since if before and goes_on else state.round,
        taken=before.taken if before and goes_on else 0,
        absent=before.absent if before and goes_on else (),
        contribution=before.contribution if before else "",
        army=event.army if isinstance(event.army, dict) else before.army if before else None,
    )
    state = _without_reserve(state, event.player)
    return replace(
        state if not goes_on else _commanded_by(state, entrant),
        entrants=state.entrants.with_row(event.entrant, entrant),
        players=state.players.with_row(event.player, event.entrant),
        seats=state.seats if before else (*state.seats, event.entrant),
        order=(*state.order, event.entrant) if state.order and event.entrant not in state.order else state.order,
    )


def _without_reserve(state: CampaignState, player: str) -> CampaignState:
    return replace(state, reserves=tuple(one for one in state.reserves if one.player != player))


def _commanded_by(state: CampaignState, entrant: Entrant) -> CampaignState:
    """Battles that go on pass to who has taken the place."""
    boards = state.boards
    for board in state.boards_of(entrant.id):
        if board.is_running:
            players = {**board.players, board.side_of(entrant.id): entrant.player}
            boards = boards.with_row(board.place.name, replace(board, players=players))
    return replace(state, boards=boards)


def on_contribution(state: CampaignState, event: ContributionGiven) -> CampaignState:
    entrant = replace(state.entrants[event.side], contribution=event.value)
    came = ordering.after_contribution(state.ordering, entrant.id)
    return replace(state, entrants=state.entrants.with_row(entrant.id, entrant), ordering=came)


def on_left(state: CampaignState, event: EntrantLeft) -> CampaignState:
    entrant = state.entrants[event.entrant]
    return replace(
        state,
        entrants=state.entrants.with_row(entrant.id, replace(entrant, left=event.reason)),
        players=state.players.without(entrant.player),
    )


def on_reserve(state: CampaignState, event: ReserveJoined) -> CampaignState:
    reserve = Reserve(
        event.player,
        event.name,
        event.kind or "person",
        event.mode or "plain",
        event.anchor or "",
        event.signer or "",
    )
    return replace(state, reserves=(*state.reserves, reserve))


def on_absence(state: CampaignState, event: AbsenceNoted) -> CampaignState:
    entrant = state.entrants[event.entrant]
    return _with_entrant(state, replace(entrant, absent=(*entrant.absent, event.round)))


def on_points_taken(state: CampaignState, event: PointsTaken) -> CampaignState:
    entrant = state.entrants[event.entrant]
    return _with_entrant(state, replace(entrant, taken=entrant.taken + event.points))


def on_struck(state: CampaignState, event: ResultsStruck) -> CampaignState:
    return _with_entrant(state, replace(state.entrants[event.entrant], is_struck=True))


def _with_entrant(state: CampaignState, entrant: Entrant) -> CampaignState:
    return replace(state, entrants=state.entrants.with_row(entrant.id, entrant))


# --- rounds


def on_began(state: CampaignState, event: CampaignBegan) -> CampaignState:
    return replace(state, began=True)


def on_lots(state: CampaignState, event: LotsDrawn) -> CampaignState:
    return replace(state, order=event.order)


def on_round_began(state: CampaignState, event: RoundBegan) -> CampaignState:
    deadline = moment_of(event.deadline) if event.deadline else 0
    level = event.level if isinstance(event.level, int) else 0
    rounds = (*state.rounds, RoundState(event.round, deadline, level=level, node=event.node or ""))
    theatre = replace(state.theatre, rolled={})
    return replace(state, rounds=rounds, theatre=theatre, ordering=ordering.begun(state.ordering))


def on_bye(state: CampaignState, event: ByeGiven) -> CampaignState:
    """A bye that another had takes its slot."""
    each = state.rounds[event.round - 1]
    slots = list(each.slots)
    if "" in slots:
        slots[slots.index("")] = event.entrant
    else:
        slots.append(event.entrant)
    return _with_round(state, replace(each, slots=tuple(slots), byes=(*each.byes, event.entrant)))


def on_round_ended(state: CampaignState, event: RoundEnded) -> CampaignState:
    return _with_round(with_victories(state), replace(state.rounds[event.round - 1], has_ended=True))


def on_ended(state: CampaignState, event: CampaignEnded) -> CampaignState:
    return replace(state, winners=event.winners, how=event.how)


def on_deadline_moved(state: CampaignState, event: DeadlineMoved) -> CampaignState:
    each = state.rounds[event.round - 1]
    later = each.deadline + event.by * DAY_MS
    return _with_round(state, replace(each, deadline=later, moves=each.moves + 1, moved=each.moved + event.by))


def _with_round(state: CampaignState, each: RoundState, lasting: int = 0) -> CampaignState:
    """The state with a round, and with more or fewer boards that have no result."""
    rounds = (*state.rounds[: each.number - 1], each, *state.rounds[each.number :])
    return replace(state, rounds=rounds, lasting=state.lasting + lasting)


# --- boards


def on_battle_set(state: CampaignState, event: BattleSet) -> CampaignState:
    """A board, or another battle on a board that was set before."""
    if not event.board:
        return on_duel_set(state, event)
    place = Place(event.board, event.round, event.south, event.north)
    show = moment_of(event.show) if event.show else 0
    board = BoardState(place, event.battle, event.players, event.scenario, show)
    if state.has_forces:
        board = _of_forces(state, board, event)
    was, each = state.boards.get(event.board), state.rounds[event.round - 1]
    if event.deadline:
        board = replace(board, deadline=moment_of(event.deadline), moved=each.moved)
    if was is None:
        slots = each.slots if place.leg > 1 else (*each.slots, event.board)
        each = replace(each, slots=slots, boards=(*each.boards, event.board))
    else:
        board = replace(board, before=(*was.before, was.battle), ruled=was.ruled)
    more = int(was is None or not was.is_running)
    return _with_board(_with_round(state, replace(each, open=each.open + more), more), board)


def _of_forces(state: CampaignState, board: BoardState, event: BattleSet) -> BoardState:
    """A board with who fights on it where, or with the packaged scenario of a node."""
    named = "" if event.fielded else scenario_named(state, board.place)
    ground = None if event.ground is UNSET else event.ground
    return replace(board, title=event.title or "", named=named, fielded=event.fielded or {}, ground=ground)


def on_pairing_changed(state: CampaignState, event: PairingChanged) -> CampaignState:
    """The two stand on the board; a bye that one of them had is free. The next event sets their battle."""
    board = state.boards[event.board]
    place = Place(event.board, board.place.round, event.south, event.north)
    ruled = (event.ruled["south"], event.ruled["north"])
    each = state.rounds[place.round - 1]
    freed = {*place.pair} & {*each.byes}
    each = replace(
        each,
        byes=tuple(entrant for entrant in each.byes if entrant not in freed),
        slots=tuple("" if slot in freed else slot for slot in each.slots),
    )
    return _with_board(_with_round(state, each), replace(board, place=place, ruled=ruled))


def on_counted(state: CampaignState, event: ResultCounted) -> CampaignState:
    if not event.board:
        return on_duel_counted(state, event)
    kept = (event.kept["south"], event.kept["north"])
    return _settled(state, event.board, COUNTED, winner=event.winner, how=event.how, kept=kept, rated=event.rated)


def on_table_result(state: CampaignState, event: TableResult) -> CampaignState:
    kept = (event.kept["south"], event.kept["north"])
    return _settled(state, event.board, COUNTED, winner=event.winner, how=BY_TABLE, kept=kept, rated=event.rated)


def on_default(state: CampaignState, event: DefaultGiven) -> CampaignState:
    board = state.boards[event.board]
    winner = board.side_of(event.winner) if event.winner else ""
    return _settled(
        state, event.board, DEFAULT, winner=winner, how=event.reason, kept=(0, 0), losers=event.losers, rated=False
    )


def _settled(state: CampaignState, name: str, status: str, **outcome: Any) -> CampaignState:
    """The state with a result on a board, which may have had another one."""
    board = state.boards[name]
    fewer = int(board.is_running)
    each = state.rounds[board.place.round - 1]
    board = replace(board, status=status, late={}, **{"losers": (), **outcome})
    return _with_board(_with_round(state, replace(each, open=each.open - fewer), -fewer), board)


def on_changed(state: CampaignState, event: ResultChanged) -> CampaignState:
    """What was kept stays: a ruling changes who has won."""
    board = state.boards[event.board]
    how = board.how if board.status == COUNTED else BY_RULING
    return _with_board(state, replace(board, status=COUNTED, how=how, winner=event.winner, losers=()))


def on_lot(state: CampaignState, event: LotCast) -> CampaignState:
    return _with_board(state, replace(state.boards[event.board], lot=event.through))


def on_late(state: CampaignState, event: LateNoted) -> CampaignState:
    if not event.board:
        late_orders = ordering.after_late(state.ordering, event.who, event.until, state.rounds[-1].moves)
        return replace(state, ordering=late_orders)
    board = state.boards[event.board]
    late = Lateness(event.who, moment_of(event.until), state.rounds[board.place.round - 1].moves)
    return _with_board(state, replace(board, late={**board.late, event.what: late}))


def on_cut_off(state: CampaignState, event: BattleCutOff) -> CampaignState:
    return _with_board(state, replace(state.boards[event.board], is_cut=True))


def on_claimed(state: CampaignState, event: TableClaimed) -> CampaignState:
    board = state.boards[event.board]
    return _with_board(state, replace(board, claims={**board.claims, event.entrant: event}))


def _with_board(state: CampaignState, board: BoardState) -> CampaignState:
    return replace(state, boards=state.boards.with_row(board.place.name, board))


# --- orders and rulings


def on_order(state: CampaignState, event: OrderAccepted) -> CampaignState:
    """Of the orders only `send` changes something by itself: who commands on a board. That a force was ordered is
    known, whatever it was."""
    if is_sealed(event) or is_order_of_forces(event):
        return on_secret_order(state, event)
    if event.command is UNSET or event.command.get("verb") != "send":
        return state
    order = convert(event.command, CampaignOrder)
    board = state.boards[order.board]
    return _with_board(state, replace(board, players={**board.players, board.side_of(event.side): order.player}))


def on_ruling(state: CampaignState, event: RulingGiven) -> CampaignState:
    return replace(state, dockets=state.dockets + 1)


_EVOLUTIONS: Mapping[type[Event], Callable[[CampaignState, Any], CampaignState]] = {
    CampaignOpened: on_opened,
    RoleGiven: on_role_given,
    EntrantJoined: on_joined,
    EntrantLeft: on_left,
    ContributionGiven: on_contribution,
    ReserveJoined: on_reserve,
    AbsenceNoted: on_absence,
    PointsTaken: on_points_taken,
    ResultsStruck: on_struck,
    CampaignBegan: on_began,
    LotsDrawn: on_lots,
    RoundBegan: on_round_began,
    ByeGiven: on_bye,
    RoundEnded: on_round_ended,
    CampaignEnded: on_ended,
    DeadlineMoved: on_deadline_moved,
    BattleSet: on_battle_set,
    PairingChanged: on_pairing_changed,
    ResultCounted: on_counted,
    TableResult: on_table_result,
    DefaultGiven: on_default,
    ResultChanged: on_changed,
    LotCast: on_lot,
    LateNoted: on_late,
    BattleCutOff: on_cut_off,
    TableClaimed: on_claimed,
    ChallengeMade: on_challenge,
    ChallengeEnded: on_challenge_ended,
    OrderAccepted: on_order,
    RulingGiven: on_ruling,
    **ORDER_EVOLUTIONS,
    **FORCE_EVOLUTIONS,
    **FOG_EVOLUTIONS,
}
