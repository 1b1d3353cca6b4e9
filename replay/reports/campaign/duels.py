"""The report of a ladder: its battles by month, and its order."""

from collections.abc import Iterator
from itertools import groupby

from domain.campaign.events import ResultCounted
from domain.log.record import Recorded
from projections.ratings.book import PROVISIONAL
from projections.ratings.ladder import LadderRow
from replay.reports.campaign.parts import ReportChapter, ReportTable, ReportTeller
from replay.reports.campaign.rounds import report_board

MONTH = 7
"""Characters of a time stamp that name its month."""


def duel_chapters(teller: ReportTeller, events: tuple[Recorded, ...]) -> Iterator[ReportChapter]:
    """A chapter for each month, with the battles that were counted in it."""
    counted = [(entry.at, entry.event.battle) for entry in events if isinstance(entry.event, ResultCounted)]
    for month, group in groupby(counted, key=lambda one: one[0][:MONTH]):
        boards = [(battle, teller.state.duels[battle]) for _, battle in group]
        named = {"year": month[:4], "month": str(int(month[5:]))}
        yield ReportChapter(
            teller.say("ladder.month", **named),
            "",
            (teller.say("ladder.battles", count=len(boards)),),
            tuple(report_board(teller, board) for _, board in boards),
        )


def ladder_table(teller: ReportTeller, rows: list[LadderRow]) -> ReportTable:
    """The members in the order of the ladder."""
    return ReportTable(
        teller.say("table"),
        ("", *(teller.part(key) for key in ("name", "ladder.number", "ladder.rating", "ladder.games"))),
        tuple(
            (str(place), teller.name(row.player), str(row.number), _rating(row), str(row.games))
            for place, row in enumerate(rows, 1)
        ),
        teller.say("ladder.note"),
    )


def _rating(row: LadderRow) -> str:
    mark = " ?" if row.rating.rd > PROVISIONAL else ""
    return f"{round(row.rating.r)} ± {round(2 * row.rating.rd)}{mark}"
