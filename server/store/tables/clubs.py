"""Tables of clubs and of who is in them.

A club has a short id that its organisers choose. Whoever a club has banned keeps a row, so that the entry link does not
take them in again. Organisers are members.
"""

from typing import NamedTuple

from server.store.append import Statement
from server.store.contract import TableRows

ORGANISER, MEMBER, BANNED = "organiser", "member", "banned"
ROLES = (ORGANISER, MEMBER)
READERS = ("public", "link", "members")


class Club(NamedTuple):
    """A club. `readers` says who reads its page: everybody, whoever has its link, or its members; `running` is how many
    of its battles a member fights at most at once; `link` counts the entry links that it has had."""

    club: str
    name: str
    readers: str
    running: int
    link: int
    at: str


class Member(NamedTuple):
    """Somebody in a club, or banned by it. `not_before` is the day (`2026-12-24`) before which they fight no battle of
    the club, "" for none; `name` that of their account."""

    club: str
    player: str
    role: str
    not_before: str
    since: str
    name: str


def add(club: Club) -> Statement:
    """Insert a club. An id that is taken makes the job Violated."""
    return Statement("INSERT INTO clubs (club, name, readers, running, link, at) VALUES (?,?,?,?,?,?)", tuple(club), 1)


def change(club: Club) -> Statement:
    """Keep a club as it is now."""
    return Statement(
        "UPDATE clubs SET name=?, readers=?, running=?, link=? WHERE club=?",
        (club.name, club.readers, club.running, club.link, club.club),
        1,
    )


def join(club: str, player: str, role: str, at: str, most: int) -> Statement:
    """Take somebody in. A player who has a row already makes the job Violated; a club with as many as it may have,
    Unmatched."""
    return Statement(
        "INSERT INTO club_members (club, player, role, not_before, since) SELECT ?,?,?,'',? "
        "WHERE (SELECT COUNT(*) FROM club_members WHERE club=? AND role<>'banned') < ?",
        (club, player, role, at, club, most),
        1,
    )


_NOT_THE_LAST = (
    "(role<>'organiser' OR (SELECT COUNT(*) FROM club_members AS m WHERE m.club=club_members.club "
    "AND m.role='organiser') > 1)"
)


def leave(club: str, player: str) -> Statement:
    """Let somebody go who is not banned. The last organiser makes the job Unmatched."""
    return Statement(
        f"DELETE FROM club_members WHERE club=? AND player=? AND role<>'banned' AND {_NOT_THE_LAST}", (club, player), 1
    )


def remove(club: str, player: str) -> Statement:
    """Take somebody off the list, banned or not. The last organiser makes the job Unmatched."""
    return Statement(f"DELETE FROM club_members WHERE club=? AND player=? AND {_NOT_THE_LAST}", (club, player), 1)


def set_role(club: str, player: str, role: str) -> Statement:
    """Give somebody in a club another role, or ban them. The last organiser makes the job Unmatched."""
    return Statement(
        f"UPDATE club_members SET role=? WHERE club=? AND player=? AND (?='organiser' OR {_NOT_THE_LAST})",
        (role, club, player, role),
        1,
    )


def set_not_before(club: str, player: str, day: str) -> Statement:
    """Keep the day before which a member fights no battle."""
    return Statement(
        "UPDATE club_members SET not_before=? WHERE club=? AND player=? AND role<>'banned'", (day, club, player), 1
    )


def forget(player: str) -> tuple[Statement, ...]:
    """Take somebody out of every club; the eldest member of one that has no organiser then becomes it."""
    return (
        Statement("DELETE FROM club_members WHERE player=?", (player,)),
        Statement(
            "UPDATE club_members SET role='organiser' WHERE role='member' "
            "AND NOT EXISTS (SELECT 1 FROM club_members AS m WHERE m.club=club_members.club AND m.role='organiser') "
            "AND player=(SELECT m.player FROM club_members AS m WHERE m.club=club_members.club AND m.role='member' "
            "ORDER BY m.since, m.player LIMIT 1)",
            (),
        ),
    )


SELECT = "SELECT club, name, readers, running, link, at FROM clubs"
SELECT_MEMBERS = (
    "SELECT m.club, m.player, m.role, m.not_before, m.since, a.name FROM club_members AS m "
    "JOIN accounts AS a ON a.player=m.player"
)


def find(store: TableRows, club: str) -> Club | None:
    """The club with an id."""
    found = store.rows(f"{SELECT} WHERE club=?", (club,))
    return Club(*found[0]) if found else None


def public(store: TableRows, after: str, limit: int) -> list[Club]:
    """The clubs whose pages everybody may read, by id, behind one."""
    rows = store.rows(f"{SELECT} WHERE readers='public' AND club>? ORDER BY club LIMIT ?", (after, limit))
    return [Club(*row) for row in rows]


def of_player(store: TableRows, player: str) -> list[Club]:
    """The clubs that somebody is in, by id."""
    mine = "club IN (SELECT club FROM club_members WHERE player=? AND role<>'banned')"
    return [Club(*row) for row in store.rows(f"{SELECT} WHERE {mine} ORDER BY club", (player,))]


def organised(store: TableRows, player: str) -> int:
    """How many clubs somebody organises."""
    query = "SELECT COUNT(*) FROM club_members WHERE player=? AND role='organiser'"
    return int(store.rows(query, (player,))[0][0])


def organisers(store: TableRows) -> list[str]:
    """Everybody who organises a club."""
    return [str(row[0]) for row in store.rows("SELECT DISTINCT player FROM club_members WHERE role='organiser'")]


def member(store: TableRows, club: str, player: str) -> Member | None:
    """Somebody in a club, or banned by it."""
    found = store.rows(f"{SELECT_MEMBERS} WHERE m.club=? AND m.player=?", (club, player))
    return Member(*found[0]) if found else None


def members(store: TableRows, club: str) -> list[Member]:
    """All who are in a club, and those it has banned, by name."""
    rows = store.rows(f"{SELECT_MEMBERS} WHERE m.club=? ORDER BY a.name_key", (club,))
    return [Member(*row) for row in rows]


def count(store: TableRows, club: str) -> int:
    """How many are in a club."""
    query = "SELECT COUNT(*) FROM club_members WHERE club=? AND role<>'banned'"
    return int(store.rows(query, (club,))[0][0])
