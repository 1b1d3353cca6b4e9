"""What letters of a campaign and the answers to commands show of it: the table, the boards, an opponent."""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from domain.basics.pace import text_of
from domain.campaign.standings import TableRow
from domain.campaign.state import BoardState, CampaignState, RoundState
from domain.campaign.why import LOTS
from server.acts.plain_text import unlinked
from server.mail.blocks import Block, HeadingLine, Link, Paragraph, TableBlock
from server.shown.campaign_boards import result_words, table_rows, tally_of
from server.shown.moments import moment
from server.words import say

TABLE_ROWS = 12
"""Rows of a table in a letter; the reader's own comes below them."""
TIE_BREAKS = 1
"""Tie-breaks in the table of a letter, which is read on a phone."""
MOST_BOARDS = 24
"""Boards of a round that are listed; of more it is said how many."""


class CampaignReader(Struct, frozen=True):
    """For whom a campaign is told: their entrant, "" for none, their zone and language."""

    entrant: str
    zone: str
    lang: str


def table_blocks(
    state: CampaignState, reader: CampaignReader, most: int = TABLE_ROWS, columns: int = TIE_BREAKS
) -> list[Block]:
    """The table below its heading: the first rows, and the reader's own, with so many tie-breaks; [] before the first
    result."""
    lang, rows = reader.lang, table_rows(state)
    if not rows or all(board.is_running for board in state.boards.values()):
        return []
    ties = [name for name in (state.cup.tiebreaks if state.is_cup else ()) if name != LOTS][:columns]
    heads = [say(lang, f"campaigns.{name}") for name in ("place", "name", "points", "tally")]
    places = [at for at, row in enumerate(rows, 1) if at <= most or row.entrant == reader.entrant]
    shown = tuple(_row(state, at, rows[at - 1], ties, reader) for at in places)
    own = next((at for at, place in enumerate(places) if rows[place - 1].entrant == reader.entrant), -1)
    table = TableBlock((*heads, *(say(lang, f"campaigns.tie.{name}") for name in ties)), shown, own)
    more = len(rows) - len(shown)
    left = [Paragraph(say(lang, "campaigns.letter.more-rows", count=more))] if more else []
    return [HeadingLine(say(lang, "campaigns.table")), table, *left]


def _row(
    state: CampaignState, place: int, row: TableRow, ties: Sequence[str], reader: CampaignReader
) -> tuple[str, ...]:
    name, tally = unlinked(state.entrants[row.entrant].name), tally_of(state, row.entrant)
    if row.entrant == reader.entrant:
        name = say(reader.lang, "campaigns.letter.you", name=name)
    fared = f"{tally.won}–{tally.drawn}–{tally.lost}"
    if tally.byes:
        fared = say(reader.lang, "campaigns.letter.with-bye", tally=fared)
    values = {figure.name: str(figure.value) for figure in row.figures}
    return (str(place), name, str(row.points), fared, *(values.get(tie, "") for tie in ties))


def round_blocks(
    state: CampaignState, each: RoundState, reader: CampaignReader, without: frozenset[str] = frozenset()
) -> list[Block]:
    """A round below its heading: who meets whom, and what came of it; [] if all its boards are left out."""
    lang = reader.lang
    names = [name for name in each.boards if name not in without]
    found: list[Block] = []
    if names:
        rows = tuple(_board_row(state, state.boards[name], lang) for name in names[:MOST_BOARDS])
        own = next((at for at, name in enumerate(names) if reader.entrant in state.boards[name].place.pair), -1)
        heads = [say(lang, f"campaigns.letter.{name}") for name in ("board-head", "meet-head", "result-head")]
        columns = len(heads) if any(row[-1] for row in rows) else len(heads) - 1
        found.append(TableBlock(tuple(heads[:columns]), tuple(row[:columns] for row in rows), own))
    if len(names) > MOST_BOARDS:
        found.append(Paragraph(say(lang, "campaigns.letter.more-boards", count=len(names) - MOST_BOARDS)))
    if each.byes:
        free = ", ".join(unlinked(state.entrants[one].name) for one in each.byes)
        found.append(Paragraph(say(lang, "campaigns.byes", names=free)))
    if not found:
        return []
    until = {} if each.has_ended or not each.deadline else {"at": when(each.deadline, reader)}
    kind = "round-others" if without else "round-of"
    return [HeadingLine(say(lang, f"campaigns.letter.{kind}", round=each.number, **until)), *found]


def _board_row(state: CampaignState, board: BoardState, lang: str) -> tuple[str, str, str]:
    south, north = (unlinked(state.entrants[one].name) for one in board.place.pair)
    result = "" if board.is_running and not board.late else result_words(state, board, lang)
    return board.place.name, f"{south} – {north}", unlinked(result)


def own_boards(state: CampaignState, entrant: str) -> list[BoardState]:
    """The boards that an entrant fights now, in order."""
    return [board for board in state.boards_of(entrant) if board.is_running] if entrant else []


def board_blocks(
    state: CampaignState, board: BoardState, reader: CampaignReader, address: str, game: str, asked: bool = False
) -> list[Block]:
    """A board of the reader's own: whom they meet and where, how the other stands, until when, the battle.

    Shape: `address` of the pages of the server; `game` its title; `asked`: the battle waits for the reader
    """
    lang, own = reader.lang, reader.entrant
    other = state.entrants[board.place.other(own)]
    told = {"board": board.place.name, "name": unlinked(other.name), "side": board.side_of(own)}
    battle = {"game": game, "pace": state.settings.time.pace, "scenario": scenario_name(state, board)}
    found: list[Block] = [
        HeadingLine(say(lang, "campaigns.letter.versus", **told)),
        Paragraph(say(lang, "campaigns.letter.command", **told, **battle)),
        Paragraph(" ".join(opponent(state, other.id, lang))),
    ]
    found += [Paragraph(due) for due in _dues(state, board, reader)]
    if asked:
        found.append(Paragraph(say(lang, "campaigns.letter.yours")))
    return [*found, Link(say(lang, "campaigns.letter.battle"), f"{address}/battles/{board.battle}")]


def scenario_name(state: CampaignState, board: BoardState | None = None) -> str:
    """The name of the packaged scenario of a cup, "" for one of its own; of a battle of forces its title."""
    if board is not None and board.title:
        return unlinked(board.title)
    found = state.settings.battle.scenario
    return found if isinstance(found, str) else ""


def opponent(state: CampaignState, entrant: str, lang: str) -> Iterator[str]:
    """How an entrant stands, and what came of their boards, the newest three."""
    name, rows = unlinked(state.entrants[entrant].name), table_rows(state)
    fought = [board for board in state.boards_of(entrant) if not board.is_running]
    if not fought:
        yield say(lang, "campaigns.letter.other-new", name=name)
        return
    place = next((at for at, row in enumerate(rows, 1) if row.entrant == entrant), 0)
    if place:
        points = rows[place - 1].points
        yield say(lang, "campaigns.letter.other", name=name, place=place, count=len(rows), points=points)
    for board in fought[-3:]:
        against = unlinked(state.entrants[board.place.other(entrant)].name)
        came = "won" if board.victor == entrant else "lost" if board.victor or board.losers else "drawn"
        yield say(lang, f"campaigns.letter.other-{came}", round=board.place.round, name=against)


def _dues(state: CampaignState, board: BoardState, reader: CampaignReader) -> Iterator[str]:
    """Until when a first word is wanted, and until when the board is fought, in the reader's own time."""
    round_ = state.rounds[board.place.round - 1]
    until = board.deadline or round_.deadline
    if board.show:
        yield say(reader.lang, "campaigns.letter.show", at=when(board.show, reader))
    if until:
        kind = "until" if state.settings.time.late == "adjudicate" else "until-wait"
        yield say(reader.lang, f"campaigns.letter.{kind}", at=when(until, reader))


def when(at_ms: int, reader: CampaignReader) -> str:
    """A moment in the reader's own time, with UTC beside it."""
    return moment(text_of(at_ms), reader.zone, reader.lang)
