"""What needs an organiser today, in the clubs that they organise and the campaigns in which they hold an office
(CAM-CLB-09): found anew each time, nothing of it is stored.

Each chore comes with the acts that settle it: a line of the umpire to be given as it stands, or a letter sent again.
"""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, groupby

import msgspec
from msgspec import Struct

from domain.basics.pace import text_of
from domain.campaign.deadlines import SHOW
from domain.campaign.events import TableClaimed
from domain.campaign.state import EXPELLED, SIDES, BoardState, CampaignState, Entrant
from projections.lobby import LobbyEntry, Sought
from replay.writing.clock import later
from server.campaigns.folding import folded_campaign
from server.play.lobby import Lobby
from server.store.contract import TableRows
from server.store.tables import accounts, campaigns, club_battles, club_invitations, clubs, seasons
from server.store.tables.clubs import BANNED, ORGANISER, Club

CLUB, CAMPAIGN = "club", "campaign"
LATE, INVITED, DISPUTED, MISSING, READY, LEFT = "late", "invited", "disputed", "missing", "ready", "left"
DRAWN = "draw"
"""What a line has instead of a winner."""
KINDS = (LATE, DISPUTED, MISSING, LEFT, READY, INVITED)
"""The kinds of chores, in the order in which they are told."""
LINE, REMIND, AGAIN, WITHDRAW = "line", "remind", "again", "withdraw"
ACTS = (LINE, REMIND, AGAIN, WITHDRAW)
"""A line of the umpire, given as it stands; the last letter of a battle, sent again to whoever it waits for; an
invitation, sent again or taken back."""
DAY_S = 24 * 3600
SILENT_S = 7 * DAY_S
"""A battle without a clock is late when nothing has happened for so long."""
UNANSWERED_S = 2 * DAY_S
"""An invitation, or a free seat, is told after so long."""
TOLD_S = 14 * DAY_S
"""A list of battles that is over is told for so long."""
MOST_READ = 500
MOST_RESERVES = 3


class ChoreAct(Struct, frozen=True):
    """What settles a chore: `do` is one of `ACTS`, `value` the line, the battle or the invitation."""

    do: str
    value: str


class DeskChore(Struct, frozen=True):
    """Something that needs the organiser. `what` says it more closely than `kind` (`organising.WHAT` is its sentence);
    `owner` is the id of a club or campaign, as `owner_kind` says; `since` and `until` are times of the log, "" for
    none."""

    kind: str
    what: str
    owner_kind: str
    owner: str
    title: str
    battle: str = ""
    board: str = ""
    names: tuple[str, ...] = ()
    since: str = ""
    until: str = ""
    acts: tuple[ChoreAct, ...] = ()


async def chores_of(store: TableRows, lobby: Lobby, player: str, now: str) -> tuple[DeskChore, ...]:
    """All that needs a player today, by kind, then by what has waited longest."""
    found: list[DeskChore] = []
    for club in clubs.of_player(store, player):
        member = clubs.member(store, club.club, player)
        if member is not None and member.role == ORGANISER:
            found += await _of_club(store, lobby, club, now)
    for campaign in campaigns.officiated(store, player):
        read = await asyncio.to_thread(folded_campaign, store, campaign, campaigns.count_of(store, campaign))
        if read is not None:
            found += await _of_campaign(store, lobby, campaign, read[1], player)
    return tuple(sorted(found, key=lambda one: (KINDS.index(one.kind), one.since or "9")))


# --- clubs


async def _of_club(store: TableRows, lobby: Lobby, club: Club, now: str) -> list[DeskChore]:
    battles = await _battles(lobby, club_battles.of_club(store, club.club))
    return [
        *chain.from_iterable(_of_battle(club, entry, now) for entry in battles.values()),
        *_gone(store, club),
        *_over(store, club, battles, now),
        *_invited(store, club, now),
        *_seasons(store, club, now),
    ]


async def _battles(lobby: Lobby, ids: Sequence[str]) -> Mapping[str, LobbyEntry]:
    """The battles with some ids that the lists show, whoever may read them."""
    wanted = msgspec.json.encode(ids).decode()
    found = await lobby.battles("", "", MOST_READ, None, Sought(battles=wanted, shared="all"))
    return {entry.battle: entry for entry in found}


def _of_battle(club: Club, entry: LobbyEntry, now: str) -> Iterator[DeskChore]:
    if entry.status == "ended":
        return
    of = (CLUB, club.club, club.name, entry.battle)
    names = tuple(seat.name for seat in entry.seats if seat.side in entry.to_act and seat.name)
    if entry.disputed:
        everybody = tuple(seat.name for seat in entry.seats if seat.name)
        yield DeskChore(DISPUTED, "disputed", *of, names=everybody, since=entry.at)
    elif any(not seat.player for seat in entry.seats):
        if later(entry.at, UNANSWERED_S) <= now:
            yield DeskChore(LEFT, "free-seat", *of, since=entry.at)
    elif names and (entry.deadline or later(entry.at, SILENT_S)) <= now:
        acts = (ChoreAct(REMIND, entry.battle),)
        since = entry.deadline or entry.at
        yield DeskChore(LATE, "late-battle", *of, names=names, since=since, acts=acts)


def _gone(store: TableRows, club: Club) -> Iterator[DeskChore]:
    """Who is no member any more, and still sits in battles of the club."""
    inside = {one.player for one in clubs.members(store, club.club) if one.role != BANNED}
    fighting = [player for player in club_battles.running(store, club.club) if player not in inside]
    gone = (accounts.by_player(store, player) for player in fighting)
    names = tuple(account.name for account in gone if account is not None)
    if names:
        yield DeskChore(LEFT, "gone", CLUB, club.club, club.name, names=names)


def _over(store: TableRows, club: Club, battles: Mapping[str, LobbyEntry], now: str) -> Iterator[DeskChore]:
    """The list of battles that was opened last, when all of them are over: the next round may be paired."""
    newest = club_battles.newest_list(store, club.club)
    listed = [battles[one] for one in newest or () if one in battles]
    if listed and len(listed) == len(newest or ()) and all(one.status == "ended" for one in listed):
        at = max(one.at for one in listed)
        if now < later(at, TOLD_S):
            tags = set.intersection(*(set(one.tags) for one in listed))
            yield DeskChore(READY, "ready-list", CLUB, club.club, club.name, names=tuple(sorted(tags)), since=at)


def _seasons(store: TableRows, club: Club, now: str) -> Iterator[DeskChore]:
    """The newest season of each league, when all of its divisions are over: the next one may be opened."""
    for _, found in groupby(seasons.of_club(store, club.club), key=lambda row: row.name):
        rows = list(found)
        ids = [row.campaign for row in rows if row.number == rows[0].number]
        listed = campaigns.rows_of(store, ids)
        at = max(campaigns.newest_at(store, one) for one in ids)
        if all(one in listed and listed[one].status == "ended" for one in ids) and now < later(at, TOLD_S):
            acts, names = (ChoreAct(LINE, "season next"),), (f"{rows[0].name} {rows[0].number}",)
            yield DeskChore(READY, "ready-season", CAMPAIGN, ids[0], club.name, names=names, since=at, acts=acts)


def _invited(store: TableRows, club: Club, now: str) -> Iterator[DeskChore]:
    for one in club_invitations.open_of(store, club.club, now):
        if later(one.created, UNANSWERED_S) <= now:
            acts = (ChoreAct(AGAIN, one.token.hex()), ChoreAct(WITHDRAW, one.token.hex()))
            yield DeskChore(
                INVITED,
                "invited",
                CLUB,
                club.club,
                club.name,
                names=(one.name,),
                since=one.created,
                until=one.expires,
                acts=acts,
            )


# --- campaigns


async def _of_campaign(
    store: TableRows, lobby: Lobby, campaign: str, state: CampaignState, player: str
) -> list[DeskChore]:
    title, found = state.settings.title, list[DeskChore]()
    is_open = state.organiser.player == player and state.is_cup and not state.began
    if is_open and len(state.players) >= state.settings.entry.least:
        begin = (ChoreAct(LINE, "begin"),)
        found.append(DeskChore(READY, "ready-begin", CAMPAIGN, campaign, title, acts=begin))
    if not state.umpires(player):
        return found
    running = {name: state.boards[name] for each in state.rounds if each.open for name in each.boards}
    running = {name: board for name, board in running.items() if board.is_running}
    battles = await _battles(lobby, [board.battle for board in running.values()])
    for board in running.values():
        chore = _of_board(store, campaign, state, board, battles.get(board.battle))
        found += [chore] if chore is not None else []
    return [*found, *_vacant(campaign, state)]


def _of_board(
    store: TableRows, campaign: str, state: CampaignState, board: BoardState, entry: LobbyEntry | None
) -> DeskChore | None:
    """What a board without a result needs, the most urgent alone; None for nothing."""
    names = {entrant: state.entrants[entrant].name for entrant in board.place.pair}
    of = (CAMPAIGN, campaign, state.settings.title, board.battle, board.place.name)
    row = campaigns.battle(store, board.battle)
    if entry is not None and entry.disputed:
        return DeskChore(DISPUTED, "disputed", *of, names=tuple(names.values()), since=entry.at)
    if board.claims:
        said = tuple(names[entrant] for entrant in board.claims)
        acts = tuple(ChoreAct(LINE, _line_of(board, one)) for one in board.claims.values())
        return DeskChore(MISSING, "claimed", *of, names=said, acts=acts)
    if row is not None and row.state == campaigns.OVER:
        acts = (ChoreAct(LINE, f"void {board.place.name}"), ChoreAct(LINE, f"default {board.place.name} both"))
        return DeskChore(MISSING, "stopped", *of, names=tuple(names.values()), acts=acts)
    return _late(board, names, of)


def _line_of(board: BoardState, claim: TableClaimed) -> str:
    """The line by which an umpire says what an entrant has said of a battle on a table."""
    winner = getattr(board.place, claim.winner) if claim.winner else DRAWN
    return f"table {board.place.name} {winner} kept {' '.join(str(claim.kept[side]) for side in SIDES)}"


def _late(board: BoardState, names: Mapping[str, str], of: tuple[str, str, str, str, str]) -> DeskChore | None:
    if not board.late or board.is_cut:
        return None
    what, late = next(iter(board.late.items()))
    acts = [ChoreAct(LINE, f"extend {board.place.round} 7d")]
    if what == SHOW:
        who_loses = late.who[0] if len(late.who) == 1 else "both"
        acts.append(ChoreAct(LINE, f"default {board.place.name} {who_loses}"))
    who = tuple(names[one] for one in late.who)
    until = text_of(late.until)
    return DeskChore(LATE, f"late-{what}", *of, names=who, until=until, acts=tuple(acts))


def _vacant(campaign: str, state: CampaignState) -> Iterator[DeskChore]:
    """Places that somebody has left and another may take."""
    waiting = [one.name for one in state.reserves][:MOST_RESERVES]
    for one in state.entrants.values():
        if _is_vacant(one) and waiting:
            acts = tuple(ChoreAct(LINE, f"replace {one.id} by {name}") for name in waiting)
            yield DeskChore(LEFT, "vacant", CAMPAIGN, campaign, state.settings.title, names=(one.name,), acts=acts)


def _is_vacant(entrant: Entrant) -> bool:
    return entrant.left == EXPELLED and not entrant.is_struck
