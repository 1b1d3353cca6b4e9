"""What the clock does: notice, grace, then what follows, for what is still late (CAM-TIM).

Nothing follows without a `LateNoted` before it. Grace is counted from the deadline; a clock that was stopped for long
gives a day at least, so that nobody learns of a default before they could have come.
"""

from collections.abc import Iterator, Mapping, Set

from msgspec import Struct

from domain.basics.errors import Refusal
from domain.basics.pace import DAY_MS, text_of
from domain.campaign.challenges import decide_lapsed, lapsed
from domain.campaign.config import ADJUDICATE, WAIT, length_ms
from domain.campaign.counting import give_default
from domain.campaign.events import BattleCutOff, CampaignBegan, ClockFired, EntrantLeft, LateNoted
from domain.campaign.forces.lines import default_orders, waited_for
from domain.campaign.judge import SERVER, CampaignJudge, Circumstances
from domain.campaign.people import require_begin
from domain.campaign.rounds import proceed
from domain.campaign.state import ABSENT, BoardState, CampaignState, RoundState
from domain.events.battle import Event, Fact

SHOW, ROUND = "show", "round"
"""What a board may be late with."""
ORDERS = "orders"
"""What an entrant may be late with."""
LATE, OVER = "-late", "-over"
NO_SHOW = "no-show"
WEEK_MS = 7 * DAY_MS
ROUNDS_UNHEARD = 2
"""The rounds in a row without orders after which a place is vacant."""
Shown = Mapping[str, Set[str]]
"""By board the entrants who have contributed to its battle."""
Late = tuple[BoardState, tuple[str, ...]]
"""A board, and who is late with it."""


class Due(Struct, frozen=True, gc=False, order=True):
    """What is due at a moment (milliseconds since 1970): `begin`, or what a `ClockFired` of a round says."""

    at: int
    what: str
    round: int = 0


BEGIN = "begin"
CHALLENGE_OVER = "challenge-over"


# --- what is due


def agenda(state: CampaignState, shown: Shown) -> tuple[Due, ...]:
    """All that is or will be due as things stand, the next first. What an umpire or a battle changes, changes it."""
    found = set[Due]()
    closes = state.settings.closes_at if state.config else None
    if closes is not None and not state.began and not state.is_over:
        found.add(Due(closes, BEGIN))
    if not state.is_over:
        for each in state.rounds:
            found |= set(_of_round(state, each, shown))
        found |= {Due(challenge.until, CHALLENGE_OVER) for challenge in state.challenges.values()}
    return tuple(sorted(found))


def due(state: CampaignState, given: Circumstances) -> Fact | None:
    """The next input of the clock that is due; None if nothing is. It is to be asked again after each."""
    for each in agenda(state, given.shown):
        if each.at > given.at:
            return None
        event: Event = CampaignBegan() if each.what == BEGIN else ClockFired(what=each.what, round=each.round)
        if each.what != BEGIN or _may_begin(state, given):
            return Fact(SERVER, event.RULE, event)
    return None


def _may_begin(state: CampaignState, given: Circumstances) -> bool:
    try:
        require_begin(CampaignJudge(state, given), CampaignBegan(), SERVER)
    except Refusal:
        return False
    return True


def _of_round(state: CampaignState, each: RoundState, shown: Shown) -> Iterator[Due]:
    wanted = _orders_due(state, each)
    if wanted:
        yield Due(*wanted, each.number)
    if each.open:
        for board in _running(state, each):
            for what in (SHOW, ROUND):
                moment = _moment(state, each, board, what, shown)
                if moment:
                    yield Due(moment[0], moment[1], each.number)


def _orders_due(state: CampaignState, each: RoundState) -> tuple[int, str] | None:
    """When orders of a round fall due, and what; None while none are waited for, or for ever."""
    if each.number < state.round or not state.takes_orders or not each.deadline:
        return None
    late = state.ordering.late
    if late is None or late.moves != each.moves:
        return each.deadline, ORDERS + LATE
    return late.until, ORDERS + OVER


def _running(state: CampaignState, each: RoundState) -> list[BoardState]:
    return [board for board in map(state.boards.__getitem__, each.boards) if board.is_running and not board.is_cut]


def _moment(
    state: CampaignState, each: RoundState, board: BoardState, what: str, shown: Shown
) -> tuple[int, str] | None:
    """When something falls due for a board, and what; None if nothing does."""
    deadline = _deadline(each, board, what)
    if not deadline or not _late_with(board, what, shown):
        return None
    late = board.late.get(what)
    if late is None or (what == ROUND and late.moves != each.moves):
        return deadline, what + LATE
    waits = what == ROUND and state.settings.time.late == WAIT
    return late.until, what + (LATE if waits else OVER)


def _deadline(each: RoundState, board: BoardState, what: str) -> int:
    """Until when a board is to be shown or fought, 0 for ever. What moves its round moves a deadline of its own."""
    if what == SHOW:
        return board.show
    return board.deadline + (each.moved - board.moved) * DAY_MS if board.deadline else each.deadline


def _late_with(board: BoardState, what: str, shown: Shown) -> tuple[str, ...]:
    """The entrants who are late with a board: with a round both, with showing who has not contributed."""
    there = shown.get(board.place.name, frozenset()) if what == SHOW else frozenset[str]()
    return tuple(entrant for entrant in board.place.pair if entrant not in there)


# --- what follows


def require_due(judge: CampaignJudge, fired: ClockFired) -> None:
    """Raises: Refusal campaign.not-due"""
    if fired.what == CHALLENGE_OVER and fired.round == 0 and lapsed(judge.state, judge.given.at):
        return
    is_round = not judge.state.is_over and 0 < fired.round <= judge.state.round
    if not is_round or not (_is_orders(judge, fired) or _late(judge, fired)):
        raise Refusal("campaign.not-due", "CAM-TIM-03", what=fired.what, round=fired.round)


def decide_fired(judge: CampaignJudge, fired: ClockFired) -> None:
    """Notices, or what follows for what is still late."""
    if fired.what == CHALLENGE_OVER:
        decide_lapsed(judge)
        return
    if _is_orders(judge, fired):
        _late_orders(judge, fired)
        return
    late = _late(judge, fired)
    if fired.what.endswith(LATE):
        for board, who in late:
            _note(judge, board, fired.what.removesuffix(LATE), who)
        return
    for board, who in late:
        if fired.what == SHOW + OVER:
            give_default(judge, board, who, NO_SHOW, "CAM-TIM-04")
        elif judge.state.settings.time.late == ADJUDICATE:
            judge.emit(BattleCutOff(board.place.name))
    proceed(judge)


def _is_orders(judge: CampaignJudge, fired: ClockFired) -> bool:
    """Whether orders fall due now as the clock says."""
    due_now = _orders_due(judge.state, judge.state.rounds[fired.round - 1])
    return due_now is not None and due_now[0] <= judge.given.at and due_now[1] == fired.what


def _late_orders(judge: CampaignJudge, fired: ClockFired) -> None:
    """A notice to those who are not ready, or what follows for them: twice in a row nobody has heard of them, and their
    place is vacant (CAM-TIM-07)."""
    state = judge.state
    each = state.rounds[fired.round - 1]
    late = waited_for(state)
    if fired.what.endswith(LATE):
        grace, now = length_ms(state.settings.time.grace), judge.given.at
        until = max(each.deadline + grace, now + min(grace, DAY_MS))
        judge.emit(LateNoted(what=ORDERS, who=late, until=text_of(until)))
        return
    default_orders(judge, late)
    for entrant in late:
        if not judge.state.is_over and judge.state.ordering.rows.get(entrant, 0) >= ROUNDS_UNHEARD:
            judge.emit(EntrantLeft(entrant, ABSENT), "CAM-TIM-07")


def _late(judge: CampaignJudge, fired: ClockFired) -> list[Late]:
    """The boards for which this is due now."""
    state, given = judge.state, judge.given
    each = state.rounds[fired.round - 1]
    what = fired.what.rpartition("-")[0]
    found: list[Late] = []
    for board in _running(state, each):
        moment = _moment(state, each, board, what, given.shown)
        if moment and moment[0] <= given.at and moment[1] == fired.what:
            found.append((board, _late_with(board, what, given.shown)))
    return found


def _note(judge: CampaignJudge, board: BoardState, what: str, who: tuple[str, ...]) -> None:
    state, now = judge.state, judge.given.at
    each, late = state.rounds[board.place.round - 1], board.late.get(what)
    if late is not None and late.moves == each.moves:
        until = now + WEEK_MS  # the notice of a round that waits is repeated weekly
    else:
        grace = length_ms(state.settings.time.grace)
        until = max(_deadline(each, board, what) + grace, now + min(grace, DAY_MS))
    judge.emit(LateNoted(board=board.place.name, what=what, who=who, until=text_of(until)))
