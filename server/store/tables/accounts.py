"""Table of accounts.

`player` is the opaque id that enters logs; name and address stay in this table. Names are unique whatever their case
or composition, and no two look alike: `look` is that of the name (`server.spelling.looks`). Where an earlier release
let two in, the older account has the look, and that of the other ends with its id. An address may serve several players
(a club, a family).

A guest is a person's account without an address; the account of a bot has the player who owns it. The address of a
banned account is kept apart, where nothing takes it for one.
"""

import unicodedata
from typing import NamedTuple

from server.spelling.looks import look_of
from server.store.append import Statement
from server.store.contract import TableRows

PLAYER, ADMINISTRATOR = "player", "administrator"
ROLES = (PLAYER, ADMINISTRATOR)


class Account(NamedTuple):
    """A player: opaque id, name shown, address, time of creation, role; since when they are banned, "" if they are not,
    and the address that they get back after that; of a bot the player who owns it, "" of a person."""

    player: str
    name: str
    email: str
    created: str
    role: str = PLAYER
    banned: str = ""
    kept_email: str = ""
    owner: str = ""

    @property
    def administers(self) -> bool:
        """Whether they administer the server."""
        return self.role == ADMINISTRATOR

    @property
    def is_guest(self) -> bool:
        """Whether no address belongs to the account."""
        return not (self.email or self.kept_email or self.owner)


def name_key(text: str) -> str:
    """The form in which names and addresses are compared: NFKC, case folded, outer space removed."""
    return unicodedata.normalize("NFKC", text).casefold().strip()


CLASH = "/"
"""Stands in a look that another account has too, before the id; no look of a name has it."""


def add(account: Account) -> Statement:
    """Insert an account. A name that is taken, or looks like one that is, makes the job Violated."""
    return Statement(
        "INSERT INTO accounts (player, name, name_key, look, email, email_key, created, owner) "
        "VALUES (?,?,?,?,?,?,?,?)",
        (
            account.player,
            account.name,
            name_key(account.name),
            look_of(account.name),
            account.email,
            name_key(account.email),
            account.created,
            account.owner,
        ),
        1,
    )


def rename(player: str, name: str) -> Statement:
    """Change the name from now on; battles keep the one shown at their time. Violated as in `add`."""
    return Statement(
        "UPDATE accounts SET name=?, name_key=?, look=? WHERE player=?",
        (name, name_key(name), look_of(name), player),
        1,
    )


def call_gone(player: str, name: str) -> Statement:
    """Give the account of somebody who has gone a name that nobody else can have."""
    return Statement(
        "UPDATE accounts SET name=?, name_key=?, look=? WHERE player=?",
        (name, name_key(name), CLASH + player, player),
        1,
    )


def move(player: str, email: str) -> Statement:
    """Change the address from now on. An account that is banned gets none: the job is Unmatched."""
    return Statement(
        "UPDATE accounts SET email=?, email_key=? WHERE player=? AND banned=''", (email, name_key(email), player), 1
    )


def bare(player: str) -> Statement:
    """Take addresses and role from an account."""
    return Statement(
        "UPDATE accounts SET email='', email_key='', kept_email='', role='player' WHERE player=?", (player,), 1
    )


def ban(player: str, at: str) -> Statement:
    """Ban a player, and put the address aside. If they administer the server or are banned the job is Unmatched."""
    return Statement(
        "UPDATE accounts SET banned=?, kept_email=email, email='', email_key='' "
        "WHERE player=? AND role='player' AND banned=''",
        (at, player),
        1,
    )


def lift_ban(account: Account) -> Statement:
    """End the ban of an account that was read a moment ago; the address is good again."""
    return Statement(
        "UPDATE accounts SET banned='', email=kept_email, email_key=?, kept_email='' WHERE player=? AND banned=?",
        (name_key(account.kept_email), account.player, account.banned),
        1,
    )


def stay_plain(player: str) -> Statement:
    """Make the job Unmatched if the player administers the server."""
    return Statement("UPDATE accounts SET role=role WHERE player=? AND role='player'", (player,), 1)


def promote(player: str) -> Statement:
    """Make a player administrator. If they are banned, or a bot, the job is Unmatched."""
    return Statement("UPDATE accounts SET role='administrator' WHERE player=? AND banned='' AND owner=''", (player,), 1)


def promote_first(player: str) -> Statement:
    """Make a player administrator of a server that has none. Otherwise, or if they are banned, the job is Unmatched."""
    return Statement(
        "UPDATE accounts SET role='administrator' WHERE player=? AND banned='' AND owner='' "
        "AND NOT EXISTS (SELECT 1 FROM accounts WHERE role='administrator')",
        (player,),
        1,
    )


def demote(player: str, may_be_last: bool = False) -> Statement:
    """Make an administrator a plain player. If they are the last one the job is Unmatched, unless that is meant."""
    others = "EXISTS (SELECT 1 FROM accounts WHERE role='administrator' AND player<>?)"
    return Statement(
        f"UPDATE accounts SET role='player' WHERE player=? AND role='administrator' AND (?=1 OR {others})",
        (player, int(may_be_last), player),
        1,
    )


SELECT = "SELECT player, name, email, created, role, banned, kept_email, owner FROM accounts"


def by_player(store: TableRows, player: str) -> Account | None:
    """The account with an opaque id."""
    found = store.rows(f"{SELECT} WHERE player=?", (player,))
    return Account(*found[0]) if found else None


def by_name(store: TableRows, name: str) -> Account | None:
    """The account with a name, in any case."""
    found = store.rows(f"{SELECT} WHERE name_key=?", (name_key(name),))
    return Account(*found[0]) if found else None


def by_look(store: TableRows, name: str) -> Account | None:
    """The account whose name a reader may take for another one."""
    found = store.rows(f"{SELECT} WHERE look=?", (look_of(name),))
    return Account(*found[0]) if found else None


def alike(store: TableRows) -> list[str]:
    """The names that look like that of an older account: an earlier release let them in."""
    rows = store.rows("SELECT name FROM accounts WHERE look LIKE ? ORDER BY name", (f"_%{CLASH}%",))
    return [str(name) for (name,) in rows]


def by_email(store: TableRows, email: str) -> list[Account]:
    """The accounts with an address, oldest first."""
    return [
        Account(*row) for row in store.rows(f"{SELECT} WHERE email_key=? ORDER BY created, rowid", (name_key(email),))
    ]


def of_owner(store: TableRows, owner: str) -> list[Account]:
    """The accounts of the bots of a player, oldest first."""
    return [Account(*row) for row in store.rows(f"{SELECT} WHERE owner=? ORDER BY created, rowid", (owner,))]


def guests(store: TableRows) -> int:
    """How many people's accounts have no address."""
    return int(store.rows("SELECT COUNT(*) FROM accounts WHERE email_key='' AND owner=''")[0][0])


def listed(store: TableRows) -> list[Account]:
    """All accounts by name."""
    return [Account(*row) for row in store.rows(f"{SELECT} ORDER BY name_key")]


def sought(store: TableRows, words: str, after: str, limit: int) -> list[Account]:
    """Accounts whose names contain some words or whose id they are, by name, behind the account `after` ("": from the
    start)."""
    key = name_key(words)
    return [
        Account(*row)
        for row in store.rows(
            f"{SELECT} WHERE name_key > COALESCE((SELECT name_key FROM accounts WHERE player=?), '') "
            "AND (?='' OR instr(name_key, ?) > 0 OR player=?) ORDER BY name_key LIMIT ?",
            (after, key, key, words, limit),
        )
    ]


class Census(NamedTuple):
    """How many accounts there are: all, those of guests, banned ones, administrators."""

    all: int
    guests: int
    banned: int
    administrators: int


def census(store: TableRows) -> Census:
    """Count the accounts."""
    return Census(
        *store.rows(
            "SELECT COUNT(*), COUNT(*) FILTER (WHERE email_key='' AND kept_email='' AND owner=''), "
            "COUNT(*) FILTER (WHERE banned<>''), COUNT(*) FILTER (WHERE role='administrator') FROM accounts"
        )[0]
    )
