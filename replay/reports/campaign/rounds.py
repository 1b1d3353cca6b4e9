"""The battles of a round, and what else happened in it."""

from collections.abc import Iterator

from domain.campaign.events import (
    ByeGiven,
    DeadlineMoved,
    EntrantJoined,
    EntrantLeft,
    LotCast,
    PointsTaken,
    ResultChanged,
    ResultsStruck,
)
from domain.campaign.evolve import BY_TABLE
from domain.campaign.state import COUNTED, BoardState
from domain.events.battle import Event, RulingGiven
from replay.reports.account.short import BattleInShort
from replay.reports.campaign.parts import ReportBoard, ReportTeller, ToldLine
from replay.reports.campaign.stages import Stage

ENDED = ("resignation", "time", "agreement", "adjudicated", BY_TABLE)
"""How a board may have ended that is said beside its result; of others the story tells."""


def boards_of(teller: ReportTeller, stage: Stage) -> Iterator[ReportBoard]:
    """The boards of a round, in their order, as they stand at the end of the campaign."""
    for name in stage.after.rounds[stage.number - 1].boards:
        yield report_board(teller, teller.state.boards[name])


def report_board(teller: ReportTeller, board: BoardState, more: tuple[ToldLine, ...] = ()) -> ReportBoard:
    """A board with the story of its battle; `more` is what it left of armies that live on, in place of honours."""
    place, short = board.place, teller.shorts.get(board.battle)
    armies = tuple(side.army for side in short.sides) if short else ()
    return ReportBoard(
        place.name,
        " – ".join(teller.name(entrant) for entrant in place.pair),
        teller.part("armies", title=short.title, south=armies[0], north=armies[1]) if short and armies else board.title,
        result_of(teller, board),
        short.story if short and not board.is_running else "",
        teller.battle(board.battle),
        more or (tuple(_left(teller, short)) if short and not board.is_running else ()),
    )


def result_of(teller: ReportTeller, board: BoardState) -> str:
    """What came of a board, in a sentence."""
    if board.is_running:
        return teller.say("board.running")
    kept = dict(zip(("own", "other"), board.kept if board.winner != "north" else board.kept[::-1], strict=True))
    if board.status != COUNTED:
        losers = teller.names(board.losers)
        if not board.victor:
            return teller.say("board.default-both", losers=losers)
        return teller.say("board.default", name=teller.name(board.victor), losers=losers, reason=board.how)
    how = board.how if board.how in ENDED else ""
    if board.victor:
        return teller.say("board.won", name=teller.name(board.victor), how=how, **kept)
    return teller.say("board.drawn", how=how, **kept)


def _left(teller: ReportTeller, short: BattleInShort) -> Iterator[ToldLine]:
    """The honours of a battle, those of the south first."""
    for side in short.sides:
        for one in side.honours:
            words = teller.say("honour", title=one.title, army=side.army, text=one.text)
            yield ToldLine(words, teller.battle(short.battle, one.n))


# --- what else happened


def notes_of(teller: ReportTeller, stage: Stage) -> Iterator[str]:
    """Byes, who left and who came, and what the umpire has ruled, in the order in which it happened."""
    byes = [one.event.entrant for one in stage.events if isinstance(one.event, ByeGiven)]
    if byes:
        yield teller.say("note.byes", names=teller.names(byes), several="s" if len(byes) > 1 else "")
    for recorded in stage.events:
        line = _note(teller, recorded.event)
        if line:
            yield line


def _note(teller: ReportTeller, event: Event) -> str:
    """A sentence about an event that is no result; "" for one that is not told."""
    if isinstance(event, EntrantLeft):
        return teller.say(f"note.left-{event.reason}", name=teller.name(event.entrant))
    if isinstance(event, EntrantJoined):
        return teller.say("note.joined", name=event.name, entrant=event.entrant)
    if isinstance(event, RulingGiven):
        return teller.say("note.ruling", effect=event.effect, ruling=event.ruling)
    if isinstance(event, ResultChanged):
        return teller.say("note.changed", board=event.board)
    if isinstance(event, PointsTaken):
        return teller.say("note.points", name=teller.name(event.entrant), points=event.points)
    if isinstance(event, ResultsStruck):
        return teller.say("note.struck", name=teller.name(event.entrant), played=event.played, of=event.of)
    if isinstance(event, DeadlineMoved):
        return teller.say("note.moved", days=event.by)
    if isinstance(event, LotCast):
        return teller.say("note.lot", board=event.board, name=teller.name(event.through))
    return ""
