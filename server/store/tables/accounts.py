"""Table of accounts.

`player` is the opaque id that enters logs; name and address stay in this table. Names are unique whatever their case
or composition; an address may serve several players (a club, a family).
"""

import unicodedata
from typing import NamedTuple

from server.store.append import Statement
from server.store.contract import Rows


class Account(NamedTuple):
    """A player: opaque id, name shown, address, time of creation."""

    player: str
    name: str
    email: str
    created: str


def name_key(text: str) -> str:
    """The form in which names and addresses are compared: NFKC, case folded, outer space removed."""
    return unicodedata.normalize("NFKC", text).casefold().strip()


def add(account: Account) -> Statement:
    """Insert an account. A name that is taken makes the job Violated."""
    return Statement(
        "INSERT INTO accounts (player, name, name_key, email, email_key, created) VALUES (?,?,?,?,?,?)",
        (account.player, account.name, name_key(account.name), account.email, name_key(account.email), account.created),
        1,
    )


def rename(player: str, name: str) -> Statement:
    """Change the name from now on; battles keep the one shown at their time."""
    return Statement("UPDATE accounts SET name=?, name_key=? WHERE player=?", (name, name_key(name), player), 1)


def move(player: str, email: str) -> Statement:
    """Change the address from now on."""
    return Statement("UPDATE accounts SET email=?, email_key=? WHERE player=?", (email, name_key(email), player), 1)


SELECT = "SELECT player, name, email, created FROM accounts"


def by_player(store: Rows, player: str) -> Account | None:
    """The account with an opaque id."""
    found = store.rows(f"{SELECT} WHERE player=?", (player,))
    return Account(*found[0]) if found else None


def by_name(store: Rows, name: str) -> Account | None:
    """The account with a name, in any case."""
    found = store.rows(f"{SELECT} WHERE name_key=?", (name_key(name),))
    return Account(*found[0]) if found else None


def by_email(store: Rows, email: str) -> list[Account]:
    """The accounts with an address, oldest first."""
    return [
        Account(*row) for row in store.rows(f"{SELECT} WHERE email_key=? ORDER BY created, rowid", (name_key(email),))
    ]


def guests(store: Rows) -> int:
    """How many accounts have no address."""
    return int(store.rows("SELECT COUNT(*) FROM accounts WHERE email_key=''")[0][0])


def listed(store: Rows) -> list[Account]:
    """All accounts by name."""
    return [Account(*row) for row in store.rows(f"{SELECT} ORDER BY name_key")]
