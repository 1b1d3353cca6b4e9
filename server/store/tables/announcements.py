"""Table of what the host tells everybody for a while: one notice, in one language or more."""

from typing import NamedTuple

from server.store.append import Statement
from server.store.contract import TableRows


class Announcement(NamedTuple):
    """A notice in a language, from one time until another ("": until it is cleared)."""

    lang: str
    text: str
    since: str
    until: str


def replace(notices: list[Announcement]) -> tuple[Statement, ...]:
    """Tell this, in these languages, and nothing else."""
    add = "INSERT INTO announcements (lang, text, since, until) VALUES (?,?,?,?)"
    return (Statement("DELETE FROM announcements", ()), *(Statement(add, notice, 1) for notice in notices))


def all_of(store: TableRows) -> list[Announcement]:
    """The notice in its languages."""
    rows = store.rows("SELECT lang, text, since, until FROM announcements ORDER BY lang")
    return [Announcement(*row) for row in rows]
