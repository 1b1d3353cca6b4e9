"""What the report of a cup says beside its battles: how rounds began and ended, its tables, its figures."""

from collections.abc import Iterator, Sequence

from domain.campaign.career import ABSENT, BYE, DRAWN, LOST, RUNNING, WON, CareerRow, career_of
from domain.campaign.config import KNOCK_OUT
from domain.campaign.standings import Figure, TableRow
from domain.campaign.state import COUNTED, BoardState
from replay.reports.campaign.parts import ReportTable, ReportTeller
from replay.reports.campaign.stages import Stage, table_of

MOST_COLUMNS = 16
"""Rounds of the table that shows who has beaten whom."""
MOST_NAMED = 40
"""Entrants that a sentence names."""
MARKS = {WON: "+", DRAWN: "=", LOST: "−", RUNNING: "…"}


def lead_of(teller: ReportTeller, stage: Stage, before: Stage | None) -> Iterator[str]:
    """How a stage began: of the first one who came and how they were ranked, of a round who met at the top."""
    state, lots = stage.after, teller.state.order
    if before is None:
        cup = state.cup
        terms = {"system": cup.system, "rounds": cup.rounds if cup.rounds else "", "legs": cup.legs}
        yield teller.say("cup.system", count=len(teller.state.order or teller.state.entrants), **terms)
        if 0 < len(lots) <= MOST_NAMED:
            yield teller.say("cup.lots", names=teller.names(lots))
        return
    each = state.rounds[stage.number - 1]
    yield teller.say("cup.boards", count=len(each.boards))
    table = {row.entrant: row.points for row in table_of(before.after)}
    first = state.boards[each.boards[0]].place.pair if each.boards else ()
    if stage.number > 1 and first and state.cup.system != KNOCK_OUT and all(table.get(one) for one in first):
        points = [table[one] for one in first]
        told = {"one": teller.name(first[0]), "other": teller.name(first[1])}
        same = points[0] if points[0] == points[1] else ""
        yield teller.say("cup.top", **told, points=same, southern=points[0], northern=points[1])


def standing_after(teller: ReportTeller, stage: Stage, before: Stage) -> Iterator[str]:
    """Who leads at the end of a round, and whether somebody else has led before it; of a knock-out who goes on."""
    if not stage.after.rounds[stage.number - 1].has_ended:
        return
    if stage.after.cup.system == KNOCK_OUT:
        left = [_through(stage.after.boards[name]) for name in stage.after.rounds[stage.number - 1].boards]
        through = [one for one in dict.fromkeys(left) if one]
        is_last = stage.after.is_over
        if through:
            yield teller.say("cup.champion" if is_last else "cup.through", names=teller.names(through))
        return
    rows, were = table_of(stage.after), table_of(before.after)
    top = [row for row in rows if row.points == rows[0].points]
    if len(top) > 1:
        named = teller.names([row.entrant for row in top[:MOST_NAMED]])
        yield teller.say("cup.level", names=named, points=rows[0].points)
        if stage.after.is_over:
            yield teller.say("cup.tie-breaks", name=teller.name(rows[0].entrant))
        return
    was = were[0].entrant if len(were) > 1 and were[0].points > were[1].points else ""
    change = "cup.took" if was and was != rows[0].entrant else "cup.leads"
    second = {"second": teller.name(rows[1].entrant), "less": rows[1].points} if len(rows) > 1 else {}
    told = {"name": teller.name(rows[0].entrant), "was": teller.name(was) if was else ""}
    yield teller.say(change, points=rows[0].points, **told, **second)


def _through(board: BoardState) -> str:
    """Who goes on from a board of a knock-out; "" where that is not decided."""
    if board.is_running:
        return ""
    if board.victor or board.lot:
        return board.victor or board.lot
    south, north = board.kept
    return "" if south == north else board.place.south if south > north else board.place.north


# --- tables


def standing_table(teller: ReportTeller, rows: Sequence[TableRow]) -> ReportTable:
    """The table with its tie-breaks."""
    heads = [teller.part(f"tie.{name}") for name in teller.state.cup.tiebreaks]
    return ReportTable(
        teller.say("table"),
        ("", teller.part("name"), teller.part("points"), *heads),
        tuple(
            (str(place), teller.name(row.entrant), str(row.points), *map(_shown, row.figures))
            for place, row in enumerate(rows, 1)
        ),
    )


def _shown(figure: Figure) -> str:
    value = -figure.value if figure.name == "lots" else figure.value
    return str(value).replace("-", "−")


def course_table(teller: ReportTeller, rows: Sequence[TableRow]) -> ReportTable | None:
    """Who has beaten whom, round by round; None where that is too wide for a page."""
    rounds = teller.state.round
    if not 0 < rounds <= MOST_COLUMNS:
        return None
    places = {row.entrant: place for place, row in enumerate(rows, 1)}
    return ReportTable(
        teller.say("course"),
        ("", teller.part("name"), *map(str, range(1, rounds + 1)), teller.part("points")),
        tuple(
            (str(place), teller.name(row.entrant), *_way(teller, row.entrant, places, rounds), str(row.points))
            for place, row in enumerate(rows, 1)
        ),
        teller.say("course.note"),
    )


def _way(teller: ReportTeller, entrant: str, places: dict[str, int], rounds: int) -> list[str]:
    cells: list[list[str]] = [[] for _ in range(rounds)]
    for row in career_of(teller.state, entrant):
        cells[row.round - 1].append(_cell(teller, row, places))
    return [" ".join(cell) or "–" for cell in cells]


def _cell(teller: ReportTeller, row: CareerRow, places: dict[str, int]) -> str:
    if row.result in (BYE, ABSENT):
        return teller.part(f"course.{row.result}")
    return f"{MARKS[row.result]}{places.get(row.opponent, '')}{'*' if row.is_default else ''}"


# --- figures


def figures_of(teller: ReportTeller, boards: Sequence[BoardState]) -> Iterator[str]:
    """What can be counted: battles, turns, losses; the closest and the longest battle."""
    fought = [board for board in boards if board.status == COUNTED]
    if not fought:
        return
    drawn = sum(not board.victor for board in fought)
    defaults = sum(not board.is_running for board in boards) - len(fought)
    yield teller.say("figures.battles", count=len(fought), drawn=drawn or "", defaults=defaults or "")
    told = [(board, short) for board in fought if (short := teller.shorts.get(board.battle))]
    if told:
        turns = sum(short.turns for _, short in told)
        lost = sum(side.lost for _, short in told for side in short.sides)
        units = sum(side.units for _, short in told for side in short.sides)
        yield teller.say("figures.turns", turns=turns, lost=lost, units=units)
        board, short = max(told, key=lambda one: one[1].turns)
        yield teller.say("figures.longest", turns=short.turns, **_named(teller, board))
    won = [board for board in fought if board.victor and any(board.kept)]
    if len(won) > 1:
        close = min(won, key=_margin)
        wide = max(won, key=_margin)
        yield teller.say("figures.closest", south=close.kept[0], north=close.kept[1], **_named(teller, close))
        if wide is not close:
            yield teller.say("figures.widest", south=wide.kept[0], north=wide.kept[1], **_named(teller, wide))


def _margin(board: BoardState) -> int:
    return abs(board.kept[0] - board.kept[1])


def _named(teller: ReportTeller, board: BoardState) -> dict[str, str]:
    one, other = (teller.name(entrant) for entrant in board.place.pair)
    return {"one": one, "other": other, "board": board.place.name}
