"""A bulletin of a club or campaign: the organiser's own words, and what logs tell of a week or a round (CAM-CLB-06).

Only the words are stored. Results, table and what comes next are found anew for each reader, in their language.
"""

import asyncio
from collections.abc import Iterator, Sequence

import msgspec
from msgspec import Struct

from domain.campaign.events import RoundEnded
from domain.campaign.standings import standings
from domain.campaign.state import COUNTED, SIDES, BoardState, CampaignState, contest_of
from projections.lobby import LobbyEntry, Sought
from server.acts.clubs.chores import CLUB
from server.acts.clubs.luckiest import Favoured, FoughtBattle, most_favoured
from server.campaigns.folding import folded_campaign
from server.play.lobby import Lobby
from server.shown.club_table import table_of
from server.store.contract import TableRows
from server.store.tables import accounts, campaigns, club_battles, clubs, press
from server.store.tables.bulletins import Bulletin
from server.words import say

MOST_READ = 500
MOST_TOLD = 60
"""Lines of a section."""
MOST_POSTS = 5


class BulletinLine(Struct, frozen=True):
    """A line, and the address on this server of what it is about, "" for nothing."""

    text: str
    link: str = ""


class BulletinSection(Struct, frozen=True):
    """A part of a bulletin: `results`, `best`, `luck`, `table`, `next` or `press`, with its heading."""

    name: str
    heading: str
    lines: tuple[BulletinLine, ...]


class BulletinText(Struct, frozen=True):
    """A bulletin in a language. `words` are the organiser's own, line by line."""

    title: str
    words: tuple[str, ...]
    sections: tuple[BulletinSection, ...]

    def plain(self) -> str:
        """As plain text, to be pasted anywhere."""
        parts = [self.title, *(["\n".join(self.words)] if self.words else [])]
        parts += ["\n".join([one.heading, *(f"- {line.text}" for line in one.lines)]) for one in self.sections]
        return "\n\n".join(parts) + "\n"


async def bulletin_text(store: TableRows, lobby: Lobby, row: Bulletin, lang: str) -> BulletinText | None:
    """What a bulletin says; None where club, campaign or round are not there."""
    told = await (
        _of_club(store, lobby, row, lang) if row.owner_kind == CLUB else _of_campaign(store, lobby, row, lang)
    )
    if told is None:
        return None
    title, sections = told
    words = tuple(row.words.split("\n")) if row.words else ()
    found = [*sections, _section("press", _press(store, row, lang), lang)]
    return BulletinText(title, words, tuple(one for one in found if one.lines))


def _section(name: str, lines: Sequence[BulletinLine], lang: str) -> BulletinSection:
    return BulletinSection(name, say(lang, f"bulletin.{name}"), tuple(lines[:MOST_TOLD]))


def _press(store: TableRows, row: Bulletin, lang: str) -> list[BulletinLine]:
    """The newest posts of the time that it tells of."""
    found = press.of_owner(store, row.owner_kind, row.owner, row.since, MOST_READ)
    told = [one for one in found if one.at < row.until][:MOST_POSTS]
    names = {one.player: accounts.by_player(store, one.player) for one in told}
    lines = ((one, names[one.player]) for one in told)
    return [
        BulletinLine(say(lang, "bulletin.post", name=who.name, text=" ".join(one.text.split())))
        for one, who in lines
        if who is not None
    ]


Told = tuple[str, list[BulletinSection]]


# --- of a week of a club


async def _of_club(store: TableRows, lobby: Lobby, row: Bulletin, lang: str) -> Told | None:
    club = clubs.find(store, row.owner)
    if club is None:
        return None
    wanted = msgspec.json.encode(club_battles.of_club(store, club.club)).decode()
    found = await lobby.battles("", "", MOST_READ, None, Sought(battles=wanted, shared="all"))
    readable = [one for one in found if not one.branch_of]
    over = [one for one in readable if one.status == "ended" and one.winner is not None and one.at < row.until]
    ended = sorted((one for one in over if one.at >= row.since), key=lambda one: one.at)
    going = [one for one in readable if one.status == "running" and one.created < row.until]
    table = table_of(over, {one.player: one.name for one in clubs.members(store, club.club)})
    best = max((one for one in ended if one.how not in _SHORT), key=lambda one: one.t, default=None)
    sections = [
        _section("results", [_result(one, lang) for one in ended], lang),
        _section("best", [_longest(best, lang)] if best is not None else [], lang),
        _section("luck", _lucky(await most_favoured(lobby, map(_fought, ended)), lang), lang),
        _section("table", [_row(one.place, one.name, one.points, lang) for one in table], lang),
        _section("next", [BulletinLine(_pair(one), f"/battles/{one.battle}") for one in going], lang),
    ]
    title = say(lang, "bulletin.title.week", title=club.name, day=row.until[:10])
    return title, sections


_SHORT = ("resignation", "time")
"""Ends that cut a battle short."""


def _pair(one: LobbyEntry) -> str:
    return " – ".join(seat.name for seat in one.seats if seat.name)


def _result(one: LobbyEntry, lang: str) -> BulletinLine:
    winner = next((seat.name for seat in one.seats if seat.side == one.winner), "")
    told = {"pair": _pair(one), "turns": one.t, **({"winner": winner} if winner else {})}
    return BulletinLine(say(lang, "bulletin.result", title=one.title, **told), f"/battles/{one.battle}")


def _longest(one: LobbyEntry, lang: str) -> BulletinLine:
    words = say(lang, "bulletin.longest", pair=_pair(one), title=one.title, turns=one.t)
    return BulletinLine(words, f"/battles/{one.battle}")


def _fought(one: LobbyEntry) -> FoughtBattle:
    return FoughtBattle(one.battle, one.ruleset, {seat.side: seat.name for seat in one.seats if seat.name})


def _lucky(found: Favoured | None, lang: str) -> list[BulletinLine]:
    """Whom luck has favoured most."""
    if found is None:
        return []
    told = {"name": found.name, "luck": found.amount(lang), "tally": found.tally(lang)}
    words = say(lang, "bulletin.lucky", pair=" – ".join(found.fought.names.values()), **told)
    return [BulletinLine(words, f"/battles/{found.fought.battle}")]


def _row(place: int, name: str, points: int, lang: str) -> BulletinLine:
    return BulletinLine(say(lang, "bulletin.row", place=place, name=name, points=points))


# --- of a round of a campaign


async def _of_campaign(store: TableRows, lobby: Lobby, row: Bulletin, lang: str) -> Told | None:
    read = await asyncio.to_thread(folded_campaign, store, row.owner, campaigns.count_of(store, row.owner))
    if read is None:
        return None
    events, newest = read
    ended = next((n for n, e in enumerate(events, 1) if isinstance(e, RoundEnded) and e.round == row.place), 0)
    then = await asyncio.to_thread(folded_campaign, store, row.owner, ended) if ended else None
    if then is None:
        return None
    state = then[1]
    boards = [state.boards[name] for name in state.rounds[row.place - 1].boards]
    table = standings(contest_of(state), state.cup.tiebreaks) if state.is_cup and state.order else ()
    names = {name: one.name for name, one in state.entrants.items()}
    fought = [
        FoughtBattle(
            one.battle, state.ruleset, {side: names[who] for side, who in zip(SIDES, one.place.pair, strict=True)}
        )
        for one in boards
        if one.status == COUNTED
    ]
    sections = [
        _section("results", [_board(state, one, lang) for one in boards if not one.is_running], lang),
        _section("best", list(_closest(state, boards, lang)), lang),
        _section("luck", _lucky(await most_favoured(lobby, fought), lang), lang),
        _section(
            "table", [_row(place, names[one.entrant], one.points, lang) for place, one in enumerate(table, 1)], lang
        ),
        _section("next", list(_next(newest, row.place)), lang),
    ]
    title = say(lang, "bulletin.title.round", title=state.settings.title, round=row.place)
    return title, sections


def _names(state: CampaignState, board: BoardState) -> str:
    return " – ".join(state.entrants[one].name for one in board.place.pair)


def _board(state: CampaignState, board: BoardState, lang: str) -> BulletinLine:
    told = {"board": board.place.name, "pair": _names(state, board)}
    if board.victor:
        told["winner"] = state.entrants[board.victor].name
    kind = "default" if board.status != COUNTED else "table" if not board.rated and board.how == "table" else "counted"
    words = say(lang, f"bulletin.board.{kind}", south=board.kept[0], north=board.kept[1], **told)
    return BulletinLine(words, f"/battles/{board.battle}")


def _closest(state: CampaignState, boards: Sequence[BoardState], lang: str) -> Iterator[BulletinLine]:
    """The board on which both sides have kept most nearly the same."""
    fought = [one for one in boards if one.status == COUNTED and any(one.kept)]
    if fought:
        best = min(fought, key=lambda one: (abs(one.kept[0] - one.kept[1]), one.place.name))
        told = {"board": best.place.name, "south": best.kept[0], "north": best.kept[1]}
        words = say(lang, "bulletin.closest", pair=_names(state, best), **told)
        yield BulletinLine(words, f"/battles/{best.battle}")


def _next(state: CampaignState, place: int) -> Iterator[BulletinLine]:
    """Who meets in the round after this one."""
    if place < state.round:
        for name in state.rounds[place].boards:
            board = state.boards[name]
            yield BulletinLine(f"{name}: {_names(state, board)}", f"/battles/{board.battle}")
