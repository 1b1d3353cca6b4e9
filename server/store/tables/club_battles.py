"""Tables of the battles of clubs, and of lists of battles that an organiser has opened at once.

A list is kept whole before its first battle is opened; each pairing of it gets its battle in the transaction that opens
it, so a list that a crash has cut is continued without a battle twice or missing.
"""

from typing import NamedTuple

from server.store.append import Statement
from server.store.contract import TableRows


class Bulk(NamedTuple):
    """A list of battles: its id, who has sent it, the digest of what was sent, the club, tags separated by spaces, the
    pace, when, and whether all of it is done."""

    bulk: str
    account: str
    digest: bytes
    club: str
    tags: str
    pace: str
    at: str
    done: bool = False


class PairingRow(NamedTuple):
    """A pairing of a list: its place from 0, what is to be opened, and the battle, "" before that."""

    place: int
    content: bytes
    battle: str


def put(battle: str, club: str, at: str) -> Statement:
    """Record that a battle is a club's."""
    return Statement("INSERT INTO club_battles (battle, club, at) VALUES (?,?,?)", (battle, club, at), 1)


def keep(bulk: Bulk) -> Statement:
    """Keep a list; one that is there makes the job Violated."""
    return Statement(
        "INSERT INTO club_bulks (bulk, account, digest, club, tags, pace, at, done) VALUES (?,?,?,?,?,?,?,?)",
        (*bulk[:-1], int(bulk.done)),
        1,
    )


def keep_pairing(bulk: str, place: int, content: bytes) -> Statement:
    """Keep a pairing of a list."""
    return Statement(
        "INSERT INTO club_pairings (bulk, place, content, battle) VALUES (?,?,?,'')", (bulk, place, content), 1
    )


def opened(bulk: str, place: int, battle: str) -> Statement:
    """Record the battle of a pairing. If it has one the job is Unmatched."""
    return Statement(
        "UPDATE club_pairings SET battle=? WHERE bulk=? AND place=? AND battle=''", (battle, bulk, place), 1
    )


def finish(bulk: str) -> Statement:
    """Record that all of a list is done. If it was the job is Unmatched."""
    return Statement("UPDATE club_bulks SET done=1 WHERE bulk=? AND done=0", (bulk,), 1)


def forget(player: str) -> tuple[Statement, ...]:
    """Forget the lists of somebody who goes; the battles stay."""
    return (
        Statement("DELETE FROM club_pairings WHERE bulk IN (SELECT bulk FROM club_bulks WHERE account=?)", (player,)),
        Statement("DELETE FROM club_bulks WHERE account=?", (player,)),
    )


SELECT = "SELECT bulk, account, digest, club, tags, pace, at, done FROM club_bulks"


def find(store: TableRows, bulk: str) -> Bulk | None:
    """The list with an id."""
    found = store.rows(f"{SELECT} WHERE bulk=?", (bulk,))
    return _bulk(found[0]) if found else None


def unfinished(store: TableRows) -> list[Bulk]:
    """The lists to continue at start, oldest first."""
    return [_bulk(row) for row in store.rows(f"{SELECT} WHERE done=0 ORDER BY at, bulk")]


def pairings(store: TableRows, bulk: str) -> list[PairingRow]:
    """The pairings of a list in order."""
    rows = store.rows("SELECT place, content, battle FROM club_pairings WHERE bulk=? ORDER BY place", (bulk,))
    return [PairingRow(*row) for row in rows]


def club_of(store: TableRows, battle: str) -> str:
    """The club of a battle, "" for none."""
    found = store.rows("SELECT club FROM club_battles WHERE battle=?", (battle,))
    return str(found[0][0]) if found else ""


def of_club(store: TableRows, club: str) -> list[str]:
    """The battles of a club, the newest first."""
    rows = store.rows("SELECT battle FROM club_battles WHERE club=? ORDER BY at DESC, battle", (club,))
    return [str(battle) for (battle,) in rows]


def newest_list(store: TableRows, club: str) -> list[str] | None:
    """The battles of the list with tags that a club has opened last; None if there is none."""
    query = "SELECT bulk FROM club_bulks WHERE club=? AND tags<>'' AND done=1 ORDER BY at DESC, bulk LIMIT 1"
    found = store.rows(query, (club,))
    return [row.battle for row in pairings(store, str(found[0][0])) if row.battle] if found else None


def clubs_with_battles(store: TableRows) -> list[str]:
    """The clubs that have opened a battle, by id."""
    return [str(club) for (club,) in store.rows("SELECT DISTINCT club FROM club_battles ORDER BY club")]


def is_fellow(store: TableRows, battle: str, player: str) -> bool:
    """Whether somebody is in the club of a battle."""
    query = (
        "SELECT 1 FROM club_battles AS b JOIN club_members AS m ON m.club=b.club "
        "WHERE b.battle=? AND m.player=? AND m.role<>'banned'"
    )
    return bool(store.rows(query, (battle, player)))


def running(store: TableRows, club: str) -> dict[str, int]:
    """How many battles of a club that are not over each of its players holds a seat in."""
    rows = store.rows(
        "SELECT h.player, COUNT(DISTINCT h.battle) FROM club_battles AS b JOIN holdings AS h ON h.battle=b.battle "
        "WHERE b.club=? AND h.what LIKE 'seat:%' GROUP BY h.player",
        (club,),
    )
    return {str(player): int(many) for player, many in rows}


def _bulk(row: tuple[str, str, bytes, str, str, str, str, int]) -> Bulk:
    return Bulk(*row[:-1], bool(row[-1]))
