"""The asks `standings`, `kept` and `adjudicate`: what comes of the boards."""

from typing import Literal

from msgspec import Struct

from domain.campaign.boards import BoardResult, Contest, Idle, Place, Points
from domain.campaign.kept import adjudicated, kept
from domain.campaign.standings import standings
from replay.bench.bench import UnreadableCase
from replay.lab.campaign.answer import Answer, Case, Count, Names, question

Side = Literal["south", "north", ""]
Kept = tuple[int, int]


class _Row(Struct, forbid_unknown_fields=True):
    round: Count
    south: str = ""
    north: str = ""
    winner: Side = ""
    kept: Kept = (0, 0)
    default: bool = False
    bye: str = ""
    absent: str = ""


class _Standings(Struct, forbid_unknown_fields=True):
    points: Points
    tiebreaks: list[Literal["buchholz", "buchholz-1", "sonneborn", "margin", "wins", "direct", "lots"]]
    lots: Names
    result: list[_Row]


class _Kept(Struct, forbid_unknown_fields=True):
    start: Kept
    now: Kept
    how: str = ""
    winner: Side = ""
    kept: Kept = (0, 0)


class _ResultChecks(Struct, forbid_unknown_fields=True):
    check: list[_Kept]


def winner_of(place: Place, side: Side) -> str:
    """The entrant who won as a side; empty for a draw."""
    return {"south": place.south, "north": place.north, "": ""}[side]


def table(case: Case) -> Answer:
    """The table after some results, and the points with rounds without a battle as draws."""
    cup: _Standings = question(case, _Standings)
    contest = _contest(cup)
    rows = standings(contest, cup.tiebreaks)
    return Answer(
        {
            "table": [[row.entrant, row.points, *(figure.value for figure in row.figures)] for row in rows],
            "adjusted": {row.entrant: row.adjusted for row in rows},
        }
    )


def shares(case: Case) -> Answer:
    """What each side has kept."""
    rows = question(case, _ResultChecks).check
    return Answer(checks=[{"kept": kept(row.how, row.winner, row.start, row.now)} for row in rows])


def adjudicate(case: Case) -> Answer:
    """The winners of battles that are cut off."""
    results = [adjudicated(row.start, row.now) for row in question(case, _ResultChecks).check]
    return Answer(checks=[{"kept": left, "winner": winner} for winner, left in results])


def _contest(cup: _Standings) -> Contest:
    named = {name for row in cup.result for name in (row.south, row.north, row.bye, row.absent) if name}
    if any(
        bool(row.south) != bool(row.north) or bool(row.south) + bool(row.bye) + bool(row.absent) != 1
        for row in cup.result
    ):
        raise UnreadableCase("a result is a battle of two, a bye, or an absence")
    if not named <= set(cup.lots):
        raise UnreadableCase(f"not among the lots: {', '.join(sorted(named - set(cup.lots)))}")
    outcomes = [
        BoardResult(place, winner_of(place, row.winner), kept=row.kept, is_default=row.default)
        for number, row in enumerate(cup.result, 1)
        if row.south
        for place in [Place(f"{row.round}.{number}", row.round, row.south, row.north)]
    ]
    idle = [
        Idle(row.bye or row.absent, row.round, "bye" if row.bye else "absent") for row in cup.result if not row.south
    ]
    return Contest(
        tuple(cup.lots), tuple(each.place for each in outcomes), tuple(outcomes), tuple(idle), points=cup.points
    )
