"""Table of what has happened to an account: a new passkey, token or address, the end of all of them.

Its player sees the list. A letter tells them of each, too: `email` is where it goes, "" once it has gone or where none
goes. After a change of address that is the one before.
"""

from typing import NamedTuple

from server.store.append import Statement
from server.store.contract import TableRows

MOST_LISTED = 50


class Notice(NamedTuple):
    """Something that happened; `about` names the thing, e.g. a passkey."""

    id: str
    player: str
    at: str
    what: str
    about: str = ""
    email: str = ""


def add(notice: Notice) -> Statement:
    """Keep a notice."""
    return Statement("INSERT INTO notices (id, player, at, what, about, email) VALUES (?,?,?,?,?,?)", tuple(notice), 1)


def written(id_: str) -> Statement:
    """The letter has gone, or never will: forget where to."""
    return Statement("UPDATE notices SET email='' WHERE id=?", (id_,))


def forget_all(player: str) -> Statement:
    """Forget what has happened to the account of a player."""
    return Statement("DELETE FROM notices WHERE player=?", (player,))


def forget_gone(id_: str) -> Statement:
    """Forget a notice whose account is gone."""
    return Statement(
        "DELETE FROM notices WHERE id=? AND player NOT IN (SELECT player FROM accounts WHERE look<>'/' || player)",
        (id_,),
    )


SELECT = "SELECT id, player, at, what, about, email FROM notices"


def find(store: TableRows, id_: str) -> Notice | None:
    """One notice."""
    found = store.rows(f"{SELECT} WHERE id=?", (id_,))
    return Notice(*found[0]) if found else None


def of_player(store: TableRows, player: str, limit: int = MOST_LISTED) -> list[Notice]:
    """What has happened to an account, the newest first."""
    return [
        Notice(*row) for row in store.rows(f"{SELECT} WHERE player=? ORDER BY at DESC, id LIMIT ?", (player, limit))
    ]
