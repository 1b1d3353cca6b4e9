"""Why two meet on a board, why somebody has a bye, and how the board came to its result."""

from collections.abc import Iterable, Iterator, Sequence

from domain.campaign.bracket import slots
from domain.campaign.config import KNOCK_OUT, SWISS
from domain.campaign.events import (
    BattleCutOff,
    DefaultGiven,
    LateNoted,
    LotCast,
    ResultChanged,
    ResultCounted,
    TableResult,
)
from domain.campaign.sides import side_records, south_by
from domain.campaign.state import BoardState, CampaignState, RoundState, contest_of
from domain.campaign.swiss import Contender, Passed
from domain.campaign.why import ByeReason, PairReason, RoundReasons, why_round
from domain.events.battle import Event
from server.shown.moments import moment_in_short
from server.shown.reason_words import CampaignReason, ReasonWords

DEFAULT_RULES = {"no-show": "CAM-TIM-04", "ruling": "CAM-RUL-03"}
"""The rule of a default by its reason; else CAM-PPL-04."""


def pairing_reasons(before: CampaignState, board: BoardState, words: ReasonWords) -> Iterator[CampaignReason]:
    """Why the two of a board meet, and why each has their side.

    Shape: `before` the campaign as its round began
    """
    system = before.cup.system if before.is_cup else ""
    first_leg = ".".join(board.place.name.split(".")[:2])
    if board.ruled is not None:
        south, north = board.ruled
        yield words.reason("CAM-RUL-04", "ruled", board=first_leg, south=words.name(south), north=words.name(north))
    if system == SWISS:
        (pair,) = [each for each in _swiss_round(before, board.place.round).pairs if each.board == first_leg]
        yield from _swiss(pair, before, words)
    elif system == KNOCK_OUT:
        yield from _knock_out(before, board, words)
    elif before.has_forces:
        south, north = (words.name(name) for name in board.place.pair)
        yield words.reason("CAM-LNK-01", "node", title=board.title or board.named, south=south, north=north)
    elif board.place.name == first_leg and board.ruled is None:
        south, north = board.place.pair
        ranks = {"south": before.order.index(south) + 1, "north": before.order.index(north) + 1}
        yield words.reason("CAM-CUP-02", "table", round=board.place.round, count=len(before.order), **ranks)
    if board.place.leg > 1:
        yield words.reason("CAM-CUP-10", "second-leg", board=first_leg)


def bye_reasons(before: CampaignState, number: int, entrant: str, words: ReasonWords) -> Iterator[CampaignReason]:
    """Why an entrant has no opponent in a round."""
    name = words.name(entrant)
    bye = _swiss_round(before, number).bye if before.cup.system == SWISS else None
    if bye is not None and bye.entrant.entrant == entrant:
        yield from _swiss_bye(bye, number, words)
    elif before.cup.system == KNOCK_OUT:
        yield words.reason("CAM-CUP-08", "bye-bracket" if number == 1 else "bye-vacant", name=name, round=number)
    else:
        yield words.reason("CAM-PPL-04", "bye-table", name=name, round=number)


def result_reasons(events: Iterable[Event], board: BoardState, words: ReasonWords) -> Iterator[CampaignReason]:
    """What became of a board, one event after the other."""
    for event in events:
        if getattr(event, "board", None) == board.place.name:
            yield from _result(event, board, words)


# --- pairings


def _swiss_round(before: CampaignState, number: int) -> RoundReasons:
    absent = {entrant.id for entrant in before.competing() if number in entrant.absent}
    return why_round(contest_of(before), number, [(pair[0], pair[1]) for pair in before.cup.apart], absent)


def _swiss(pair: PairReason, before: CampaignState, words: ReasonWords) -> Iterator[CampaignReason]:
    first, second = pair.first, pair.second
    told = {"first": words.name(first.entrant), "second": words.name(second.entrant)}
    figures = {"points": first.points, "rank": first.record.rank}
    yield words.reason("CAM-CUP-03", "order", board=pair.board, name=told["first"], **figures)
    other = {"points": second.points, "rank": second.record.rank}
    yield words.reason("CAM-CUP-04", "nearest", **told, **other)
    for passed in pair.passed:
        yield _passed(passed, first, before, words)
    if first.points != second.points:
        yield words.reason("CAM-CUP-04", "float", **told, above=first.points, below=second.points)
    yield words.reason("CAM-CUP-06", f"level-{pair.level}")
    yield _sides(pair, words)


def _passed(passed: Passed, first: Contender, before: CampaignState, words: ReasonWords) -> CampaignReason:
    """Why somebody nearer was passed over, with the boards on which the two have met."""
    name, rule = words.name(passed.entrant), "CAM-CUP-04" if passed.reason == "rest" else "CAM-CUP-06"
    met = [each.place.name for each in before.boards.values() if {*each.place.pair} == {first.entrant, passed.entrant}]
    return words.reason(
        rule, f"passed-{passed.reason}", name=name, first=words.name(first.entrant), boards=", ".join(met)
    )


def _sides(pair: PairReason, words: ReasonWords) -> CampaignReason:
    number = int(pair.board.partition(".")[0])
    one, other = pair.first, pair.second
    south, north = (one, other) if south_by(one.record, other.record, number)[0] else (other, one)
    return _sides_told(south, north, pair.sides, number, words)


def _sides_told(south: Contender, north: Contender, by: str, number: int, words: ReasonWords) -> CampaignReason:
    return words.reason(
        "CAM-CUP-07",
        f"sides-{by}{'' if by != 'rank' else '-odd' if number % 2 else '-even'}",
        south=words.name(south.entrant),
        north=words.name(north.entrant),
        fewer=south.record.balance,
        more=north.record.balance,
    )


def _swiss_bye(bye: ByeReason, number: int, words: ReasonWords) -> Iterator[CampaignReason]:
    told = {"name": words.name(bye.entrant.entrant), "without": bye.entrant.without, "round": number}
    yield words.reason("CAM-CUP-05", "bye", **told)
    for passed in bye.asked:
        yield words.reason("CAM-CUP-05", "bye-asked", name=words.name(passed.entrant))
    yield words.reason("CAM-CUP-06", f"level-{bye.level}")


def _knock_out(before: CampaignState, board: BoardState, words: ReasonWords) -> Iterator[CampaignReason]:
    """Neighbours in the bracket meet: by rank in the first round, then whoever has come there."""
    number, pair = board.place.round, board.place.pair
    if board.ruled is not None:
        return
    if number == 1:
        ranks = [before.order.index(name) + 1 for name in pair]
        size = len(slots(before.order))
        yield words.reason("CAM-CUP-08", "bracket", south=ranks[0], north=ranks[1], size=size)
    else:
        for name in pair:
            yield _came_through(before.rounds[number - 2], before, name, words)
    records = side_records(before.order, [each.place for each in before.boards.values()])
    if board.place.leg == 1:
        south, north = (Contender(name, 0, records[name]) for name in pair)
        by = south_by(south.record, north.record, number)[1]
        yield _sides_told(south, north, by, number, words)


def _came_through(last: RoundState, before: CampaignState, name: str, words: ReasonWords) -> CampaignReason:
    boards = [one for one in last.boards if name in before.boards[one].place.pair]
    if not boards:
        return words.reason("CAM-CUP-08", "through-bye", name=words.name(name), round=last.number)
    return words.reason("CAM-CUP-08", "through", name=words.name(name), board=boards[0])


# --- results


def _result(event: Event, board: BoardState, words: ReasonWords) -> Iterator[CampaignReason]:
    if isinstance(event, LateNoted):
        until = moment_in_short(event.until, "UTC", words.lang)
        yield words.reason("CAM-TIM-03", f"late-{event.what}", names=words.names(event.who), at=until)
    elif isinstance(event, BattleCutOff):
        yield words.reason("CAM-TIM-05", "cut-off")
    elif isinstance(event, DefaultGiven):
        rule = DEFAULT_RULES.get(event.reason, "CAM-PPL-04")
        kind = f"default-{event.reason}{'' if event.winner else '-both'}"
        winner = words.name(event.winner) if event.winner else ""
        yield words.reason(rule, kind, name=winner, losers=words.names(event.losers))
    elif isinstance(event, ResultCounted | TableResult):
        yield from _counted(event, board, words)
    elif isinstance(event, ResultChanged):
        yield words.reason("CAM-RUL-03", "changed", name=_victor(event.winner, board, words))
    elif isinstance(event, LotCast):
        yield words.reason("CAM-CUP-09", "lot", name=words.name(event.through))


def _counted(event: ResultCounted | TableResult, board: BoardState, words: ReasonWords) -> Iterator[CampaignReason]:
    told = {"name": _victor(event.winner, board, words), **event.kept}
    if isinstance(event, TableResult):
        said: Sequence[str] = [words.name(one) for one in event.said if one in words.state.entrants]
        yield words.reason("CAM-CLB-04", "table-result", said=", ".join(said), **told)
        return
    yield words.reason("CAM-RND-04", "counted", event=event.n, **told)
    if event.how == "adjudicated":
        yield words.reason("CAM-TIM-06", "adjudicated")


def _victor(winner: str, board: BoardState, words: ReasonWords) -> str:
    """The name of who has won; "" for a draw."""
    return words.name(getattr(board.place, winner)) if winner else ""
