"""Tables of campaigns: their logs, who takes part, when the steward has to look, and the battles they have set.

The log of a campaign stands beside those of battles, in a table of its own: whoever follows the feed of battles need
not know of campaigns (decision 58). The key (campaign, n) lets one of two writers win. All other tables here say only
what the logs say, for look-ups that would read them all, and are written in the transaction of the event.
"""

from collections.abc import Sequence
from typing import NamedTuple

from domain.log import record
from server.store.append import EventRow, Statement
from server.store.contract import TableRows
from server.store.tables.battles import END

SET, OPEN, CLOSING, OVER = "set", "open", "closing", "over"
"""States of a campaign's battle: named in its log, opened, to be ended in its own log, counted or called off."""
ENDED = "ended"
"""The status of a campaign that is over."""
NEVER = "9999-12-31T23:59:59.999Z"
"""Nothing is due before an event."""


class StoredCampaign(NamedTuple):
    """An opened campaign: id, header line (bytes, without LF), time of opening, who may read it."""

    campaign: str
    header: bytes
    created: str
    readers: str


class ListedCampaign(NamedTuple):
    """A campaign as lists tell it; `status` is `entering`, `running` or `ended`, `round` the newest one, `entrants` how
    many compete."""

    campaign: str
    title: str
    kind: str
    ruleset: str
    status: str
    round: int
    entrants: int


class SetBattle(NamedTuple):
    """A battle that a campaign has set."""

    battle: str
    campaign: str
    board: str
    state: str


def open_one(campaign: StoredCampaign) -> Statement:
    """Open a campaign.

    Raises: Violated where the id is taken
    """
    return Statement("INSERT INTO campaigns (campaign, header, created, readers) VALUES (?,?,?,?)", campaign, 1)


def events(campaign: str, expected: int, rows: Sequence[EventRow]) -> list[Statement]:
    """Append events from `expected` + 1 on.

    Raises: Violated where another writer was faster
    """
    sql = "INSERT INTO campaign_events (campaign, n, type, hash, line) VALUES (?,?,?,?,?)"
    return [
        Statement(sql, (campaign, n, kind, hash_, line), 1) for n, (kind, line, hash_) in enumerate(rows, expected + 1)
    ]


def takes_part(campaign: str, player: str) -> Statement:
    """Record that a player takes part: as organiser, umpire, entrant or reserve."""
    return _once("campaign_players", campaign, player)


def _once(table: str, campaign: str, player: str) -> Statement:
    sql = f"INSERT INTO {table} (campaign, player) VALUES (?,?) ON CONFLICT DO NOTHING"
    return Statement(sql, (campaign, player))


def list_as(row: ListedCampaign) -> Statement:
    """Record what lists tell of a campaign."""
    return Statement(
        f"INSERT INTO campaign_list ({', '.join(row._fields)}) VALUES (?,?,?,?,?,?,?) "
        "ON CONFLICT (campaign) DO UPDATE SET title=excluded.title, kind=excluded.kind, ruleset=excluded.ruleset, "
        "status=excluded.status, round=excluded.round, entrants=excluded.entrants",
        row,
    )


def rows_of(store: TableRows, ids: Sequence[str]) -> dict[str, ListedCampaign]:
    """What lists tell of some campaigns, by id; one that was written last by an earlier release is left out."""
    marks = ",".join("?" * len(ids))
    query = (
        f"SELECT campaign, title, kind, ruleset, status, round, entrants FROM campaign_list WHERE campaign IN ({marks})"
    )
    return {row[0]: ListedCampaign(*row) for row in store.rows(query, tuple(ids))}


def is_over(store: TableRows, campaign: str) -> bool:
    """Whether a campaign has ended, as its list tells it."""
    row = rows_of(store, [campaign]).get(campaign)
    return row is not None and row.status == ENDED


def officer(campaign: str, player: str) -> Statement:
    """Record that a player has been given an office: organiser or umpire. Whether they still have it the log says."""
    return _once("campaign_officers", campaign, player)


def forget(player: str) -> Statement:
    """Forget which offices somebody has been given."""
    return Statement("DELETE FROM campaign_officers WHERE player=?", (player,))


def due(campaign: str, at: str) -> Statement:
    """Record when the steward has to look next."""
    return Statement(
        "INSERT INTO campaign_dues (campaign, due) VALUES (?,?) ON CONFLICT (campaign) DO UPDATE SET due=excluded.due",
        (campaign, at),
    )


def done(campaign: str) -> Statement:
    """Forget that anything is due: the campaign is over."""
    return Statement("DELETE FROM campaign_dues WHERE campaign=?", (campaign,))


def set_battle(battle: str, campaign: str, board: str) -> Statement:
    """Record a battle that is to be opened."""
    return Statement(
        "INSERT INTO campaign_battles (battle, campaign, board, state) VALUES (?,?,?,?)", (battle, campaign, board, SET)
    )


def opened_in(battle: str, ladder: str) -> Statement:
    """Record a battle that members of a ladder have opened in it."""
    return Statement(
        "INSERT INTO campaign_battles (battle, campaign, board, state) VALUES (?,?,?,?)", (battle, ladder, "", OPEN)
    )


def battle_is(battle: str, state: str) -> Statement:
    """Record that it is `OPEN` or `OVER`."""
    return Statement("UPDATE campaign_battles SET state=? WHERE battle=?", (state, battle))


def counted_in(battle: str, campaign: str) -> Statement:
    """Record that a battle of a campaign is `OVER`; one that another has set is still that one's to count."""
    sql = "UPDATE campaign_battles SET state=? WHERE battle=? AND campaign=?"
    return Statement(sql, (OVER, battle, campaign))


def find(store: TableRows, campaign: str) -> StoredCampaign | None:
    """A campaign, None if there is none with this id."""
    found = store.rows("SELECT campaign, header, created, readers FROM campaigns WHERE campaign=?", (campaign,))
    return StoredCampaign(*found[0]) if found else None


def lines(store: TableRows, campaign: str, after: int = 0) -> list[tuple[int, bytes, bytes]]:
    """(n, hash_n, line) of the events after `after`, in order."""
    query = "SELECT n, hash, line FROM campaign_events WHERE campaign=? AND n>? ORDER BY n"
    return [(int(n), hash_, line) for n, hash_, line in store.rows(query, (campaign, after))]


class CampaignEvent(NamedTuple):
    """An event of a campaign where it stands among those of all: its position, and its hash."""

    position: int
    campaign: str
    n: int
    type: str
    hash: bytes


def feed(store: TableRows, after: int, limit: int) -> list[CampaignEvent]:
    """Events of all campaigns behind a position, in the order of commit."""
    query = "SELECT position, campaign, n, type, hash FROM campaign_events WHERE position>? ORDER BY position LIMIT ?"
    rows = store.rows(query, (after, limit))
    return [
        CampaignEvent(int(at), str(campaign), int(n), str(kind), bytes(hash_)) for at, campaign, n, kind, hash_ in rows
    ]


def type_of(store: TableRows, campaign: str, n: int) -> str:
    """The type of an event, "" if there is no such event."""
    found = store.rows("SELECT type FROM campaign_events WHERE campaign=? AND n=?", (campaign, n))
    return str(found[0][0]) if found else ""


def hash_of(store: TableRows, campaign: str, n: int) -> bytes | None:
    """hash_n of an event, None if there is no such event."""
    found = store.rows("SELECT hash FROM campaign_events WHERE campaign=? AND n=?", (campaign, n))
    return bytes(found[0][0]) if found else None


def newest_at(store: TableRows, campaign: str) -> str:
    """The time of the newest event of a campaign."""
    query = "SELECT line FROM campaign_events WHERE campaign=? ORDER BY n DESC LIMIT 1"
    return record.time_of(bytes(store.rows(query, (campaign,))[0][0]))


def due_by(store: TableRows, now: str, limit: int) -> list[str]:
    """The campaigns that the steward has to look at, the most overdue first."""
    query = "SELECT campaign FROM campaign_dues WHERE due<=? ORDER BY due LIMIT ?"
    return [str(campaign) for (campaign,) in store.rows(query, (now, limit))]


def battle(store: TableRows, battle: str) -> SetBattle | None:
    """What a campaign has set as this battle; None if it belongs to none."""
    found = store.rows("SELECT battle, campaign, board, state FROM campaign_battles WHERE battle=?", (battle,))
    return SetBattle(*found[0]) if found else None


def ended_battles(store: TableRows, last: str) -> list[SetBattle]:
    """The battles, open here as far as their campaigns know, whose log ends with an event of type `last`."""
    query = (
        "SELECT battle, campaign, board, state FROM campaign_battles WHERE state<>'over' AND state='open' AND "
        "(SELECT topic FROM stored_events WHERE originator_id=battle ORDER BY originator_version DESC LIMIT 1)=?"
    )
    return [SetBattle(*row) for row in store.rows(query, (last,))]


def waiting_battles(store: TableRows, state: str) -> list[SetBattle]:
    """The battles that wait for the steward, in a state that is not `OVER`."""
    query = "SELECT battle, campaign, board, state FROM campaign_battles WHERE state<>'over' AND state=?"
    return [SetBattle(*row) for row in store.rows(query, (state,))]


def of_campaign(store: TableRows, campaign: str) -> list[SetBattle]:
    """All battles that a campaign has set, by id."""
    query = "SELECT battle, campaign, board, state FROM campaign_battles WHERE campaign=? ORDER BY battle"
    return [SetBattle(*row) for row in store.rows(query, (campaign,))]


def of_player(store: TableRows, player: str, limit: int = END) -> list[str]:
    """The campaigns in which a player takes part, the newest first, at most `limit`."""
    query = (
        "SELECT c.campaign FROM campaign_players p JOIN campaigns c ON c.campaign=p.campaign WHERE p.player=? "
        "ORDER BY c.rowid DESC LIMIT ?"
    )
    return [str(campaign) for (campaign,) in store.rows(query, (player, limit))]


def of_readers(store: TableRows, readers: str, ids: Sequence[str]) -> list[str]:
    """Those of some campaigns that have these `readers`."""
    marks = ",".join("?" * len(ids))
    query = f"SELECT campaign FROM campaigns WHERE readers=? AND campaign IN ({marks})"
    return [str(campaign) for (campaign,) in store.rows(query, (readers, *ids))]


def officiated(store: TableRows, player: str) -> list[str]:
    """The campaigns that are not over and in which a player has been given an office, the newest first."""
    query = (
        "SELECT o.campaign FROM campaign_officers o JOIN campaign_dues d ON d.campaign=o.campaign "
        "JOIN campaigns c ON c.campaign=o.campaign WHERE o.player=? ORDER BY c.rowid DESC"
    )
    return [str(campaign) for (campaign,) in store.rows(query, (player,))]


def officers(store: TableRows) -> list[str]:
    """Everybody who has been given an office in a campaign that is not over."""
    query = "SELECT DISTINCT o.player FROM campaign_officers o JOIN campaign_dues d ON d.campaign=o.campaign"
    return [str(player) for (player,) in store.rows(query)]


def count_of(store: TableRows, campaign: str) -> int:
    """How many events a campaign has."""
    return int(store.rows("SELECT COALESCE(MAX(n), 0) FROM campaign_events WHERE campaign=?", (campaign,))[0][0])


def listed(store: TableRows, readers: str, before: str, limit: int) -> list[str]:
    """The campaigns of some `readers`, the newest first, behind `before` ("": from the start)."""
    query = (
        "SELECT campaign FROM campaigns WHERE readers=? AND rowid < COALESCE((SELECT rowid FROM campaigns "
        "WHERE campaign=?), ?) ORDER BY rowid DESC LIMIT ?"
    )
    return [str(campaign) for (campaign,) in store.rows(query, (readers, before, END, limit))]
