"""Open the rounds of a cup, end them, and end the cup (CAM-RND-01 … -06)."""

from collections.abc import Callable, Sequence
from itertools import islice, zip_longest

from msgspec import UNSET

from domain.campaign.boards import Place, places_of
from domain.campaign.bracket import NOBODY, Decided, bracket_round, decided, slots
from domain.campaign.config import GIVEN, KNOCK_OUT, LOTS, ON_MAP, ROUND_ROBIN, SWISS
from domain.campaign.events import (
    BattleSet,
    ByeGiven,
    CampaignEnded,
    LotCast,
    LotsDrawn,
    RoundBegan,
    RoundEnded,
)
from domain.campaign.forces.fielding import set_anew
from domain.campaign.forces.joining import join_forces
from domain.campaign.forces.marches import begin_turn, proceed_on_map
from domain.campaign.forces.nodes import begin_linked, proceed_linked
from domain.campaign.judge import LOTS as LOTS_SCOPE
from domain.campaign.judge import CampaignJudge
from domain.campaign.round_robin import table_rounds
from domain.campaign.setting import set_board
from domain.campaign.sides import seated, side_records
from domain.campaign.standings import standings, winners
from domain.campaign.state import BoardState, CampaignState, RoundState, contest_of
from domain.campaign.swiss import contenders_of, pair_round

Slot = tuple[str, str] | str
"""A pair as south and north, or an entrant without an opponent."""
FEWEST = 2
"""Entrants without whom there is no cup."""
ROUNDS, ENDED = "rounds", "ended"
"""How a cup ends: its rounds are done, or its organiser or umpire ends it."""


# --- beginning


def begin(judge: CampaignJudge) -> None:
    """Draw the lots and open the first round, or all rounds of a round robin at once."""
    if judge.state.has_forces:
        _begin_with_forces(judge)
        return
    judge.emit(LotsDrawn(lots(judge.state, lambda limit: judge.below(limit, 0)), LOTS_SCOPE, 0))
    cup = judge.state.cup
    if cup.system == ROUND_ROBIN and cup.concurrent:
        for number in range(1, _round_count(judge.state) + 1):
            _open_table_round(judge, number)
        proceed(judge)
    else:
        _open_round(judge)


def _begin_with_forces(judge: CampaignJudge) -> None:
    """Armies, lots, the first round."""
    join_forces(judge)
    judge.emit(LotsDrawn(lots(judge.state, lambda limit: judge.below(limit, 0)), LOTS_SCOPE, 0))
    if judge.state.settings.kind == ON_MAP:
        begin_turn(judge)
    else:
        begin_linked(judge)


def lots(state: CampaignState, below: Callable[[int], int]) -> tuple[str, ...]:
    """The entrants by rank number: one after the other is taken out of those left (CAM-RND-02).

    Shape: `below` draws a number from 0 to its argument - 1
    """
    left = [entrant.id for entrant in state.competing()]
    return _ranked(state, [left.pop(below(len(left))) for _ in range(len(left))])


def _ranked(state: CampaignState, drawn: Sequence[str]) -> tuple[str, ...]:
    """Rank by what the cup is seeded with; equal ones by lot."""
    cup = state.settings.cup
    if cup is None or cup.seed == LOTS:
        return tuple(drawn)
    if cup.seed == GIVEN:
        given = {name: at for at, name in enumerate(cup.order)}
        return tuple(sorted(drawn, key=lambda name: given.get(name, len(given))))
    return tuple(sorted(drawn, key=lambda name: -state.entrants[name].rating))


# --- opening rounds


def proceed(judge: CampaignJudge) -> None:
    """End each round in which every board has its result; with the newest one open the next, or end the cup.

    (CAM-RND-05.)
    """
    if judge.state.has_forces:
        (proceed_on_map if judge.state.settings.kind == ON_MAP else proceed_linked)(judge)
        return
    for each in judge.state.rounds:
        if not each.has_ended:
            _cast_lots(judge, each)
        if not each.open and not each.has_ended:
            judge.emit(RoundEnded(each.number))
    state = judge.state
    if state.lasting or state.is_over or not state.rounds[-1].has_ended:
        return
    if _has_more(state):
        _open_round(judge)
    else:
        judge.emit(CampaignEnded(_winners(state), ROUNDS))


def _has_more(state: CampaignState) -> bool:
    """Whether another round follows."""
    if sum(1 for _ in state.competing()) < FEWEST:
        return False
    if state.cup.system == KNOCK_OUT:
        return sum(1 for name in _through(state, state.rounds[-1]) if name) >= FEWEST
    return state.round < _round_count(state)


def _round_count(state: CampaignState) -> int:
    """The rounds of a cup whose number is known beforehand."""
    if state.cup.system == SWISS:
        return state.cup.rounds
    return len(state.order) - 1 + len(state.order) % 2


def _winners(state: CampaignState) -> tuple[str, ...]:
    """Of a knock-out who is left, else the first of the table; nobody who has left (CAM-RND-06)."""
    if state.cup.system == KNOCK_OUT:
        return tuple(name for name in _through(state, state.rounds[-1]) if name)[:1]
    contest = contest_of(state)
    return winners(standings(contest, state.cup.tiebreaks), contest)


def _open_round(judge: CampaignJudge) -> None:
    """Open the next round by the system of the cup; one without a board is over at once."""
    number = judge.state.round + 1
    if judge.state.cup.system == SWISS:
        _open_swiss_round(judge, number)
    elif judge.state.cup.system == KNOCK_OUT:
        _open_bracket_round(judge, number)
    else:
        _open_table_round(judge, number)
    proceed(judge)


def next_round(judge: CampaignJudge) -> tuple[BattleSet | ByeGiven, ...]:
    """The boards and byes of the round that would follow, boards that are still fought counting for nothing; none where
    the cup has no more rounds, and of a knock-out with boards that are fought."""
    state = judge.state
    fought = bool(state.lasting) and state.cup.system == KNOCK_OUT
    if not state.rounds or state.is_over or fought or not _has_more(state):
        return ()
    _open_round(judge)
    events = [fact.event for fact in judge.facts]
    return tuple(event for event in events if isinstance(event, BattleSet | ByeGiven))


def _open_table_round(judge: CampaignJudge, number: int) -> None:
    """A round of the table. Who would meet somebody who has left, but is not struck, wins without a battle."""
    rows = judge.state.entrants
    pairs, byes = list[Slot](), list[Slot]()
    for pair in table_rounds(judge.state.order)[number - 1].pairs:
        gone = [name for name in pair if rows[name].left]
        if not gone:
            pairs.append(pair)
        elif len(gone) == 1 and not rows[gone[0]].is_struck:
            byes += [name for name in pair if name not in gone]
    _set_round(judge, number, [*pairs, *byes], "CAM-CUP-02")


def _open_swiss_round(judge: CampaignJudge, number: int) -> None:
    """Points, then rank (CAM-CUP-03); who is absent is not paired."""
    state = judge.state
    absent = {entrant.id for entrant in state.competing() if number in entrant.absent}
    contenders = contenders_of(contest_of(state), absent)
    if not contenders:
        _set_round(judge, number, (), "CAM-CUP-04")
        return
    paired = pair_round(contenders, number, [(pair[0], pair[1]) for pair in state.cup.apart])
    byes = [paired.bye] if paired.bye else []
    _set_round(judge, number, [*paired.pairs, *byes], "CAM-CUP-04", paired.level)


def _open_bracket_round(judge: CampaignJudge, number: int) -> None:
    """Neighbours meet (CAM-CUP-08). Of two free slots nothing is left: those behind them move up."""
    state = judge.state
    at = slots(state.order) if number == 1 else _through(state, state.rounds[-1])
    records = side_records(state.order, [board.place for board in state.boards.values()])
    found = list[Slot]()
    for neighbours in zip_longest(at[::2], at[1::2], fillvalue=NOBODY):
        here = bracket_round(neighbours)
        found += [*here.byes, *seated(here.pairs, records, number)]
    _set_round(judge, number, found, "CAM-CUP-08")


def _set_round(judge: CampaignJudge, number: int, found: Sequence[Slot], rule: str, level: int | None = None) -> None:
    """Begin a round: pairs, south first, and entrants with a bye, in the order of their slots. A pair has one board,
    or two with sides changed (CAM-CUP-10)."""
    deadline = judge.after(judge.state.settings.time.round) or UNSET
    judge.emit(RoundBegan(round=number, deadline=deadline, level=UNSET if level is None else level))
    legs = judge.state.cup.legs
    places = iter(places_of(number, tuple(slot for slot in found if isinstance(slot, tuple)), legs))
    for slot in found:
        if isinstance(slot, str):
            judge.emit(ByeGiven(number, slot), "" if level is not None else rule)
            continue
        for place in islice(places, legs):
            set_battle(judge, place, rule)


def set_battle(judge: CampaignJudge, place: Place, rule: str, *, is_anew: bool = False) -> None:
    """Set a new battle on a board; in place of a void one it has the time of a whole round (CAM-RUL-03)."""
    state = judge.state
    if state.has_forces:
        set_anew(judge, state.boards[place.name], rule)
        return
    time = state.settings.time
    set_board(judge, place, judge.given.scenario(place), rule, show=time.show, length=time.round if is_anew else "")


# --- who goes on in a knock-out


def _through(state: CampaignState, each: RoundState) -> list[str]:
    """The winner of each slot of a round, nobody where both have lost or the winner has left."""
    won = [_of_pair(state, slot).winner if "." in slot else slot for slot in each.slots]
    return [name if name and not state.entrants[name].left else NOBODY for name in won]


def _of_pair(state: CampaignState, name: str) -> Decided:
    """The one who goes on from a board and its second leg, by the lot that was cast for it where one was needed."""
    legs = legs_of(state, name)
    lot = legs[0].lot
    return decided([leg.outcome() for leg in legs], lambda: int(lot == legs[0].place.north), state.settings.points)


def legs_of(state: CampaignState, name: str) -> list[BoardState]:
    """A board, and its second leg if there is one."""
    return [state.boards[leg] for leg in (name, f"{name}.2") if leg in state.boards]


def _cast_lots(judge: CampaignJudge, each: RoundState) -> None:
    """Cast a lot for each pair of a knock-out that has its results, where nothing else decides (CAM-CUP-09)."""
    if judge.state.cup.system != KNOCK_OUT:
        return
    for slot in each.slots:
        if "." in slot and _wants_lot(judge.state, slot):
            through = judge.state.boards[slot].place.pair[judge.below(2, each.number)]
            judge.emit(LotCast(slot, through, each.number, LOTS_SCOPE))


def _wants_lot(state: CampaignState, name: str) -> bool:
    legs = legs_of(state, name)
    return not legs[0].lot and not any(leg.is_running for leg in legs) and _of_pair(state, name).how == "lot"
