"""Table of orders that players have begun to write, each private to its player.

A draft holds the lines of the order box of a page that were not sent yet, so that they are there after a reload and on
another device. Lines that waited for the other side's answer and were refused then come back into it (`returned` says
why, until the player changes the draft).
"""

from typing import NamedTuple

import msgspec
from msgspec import Struct

from domain.basics.decoding import decoder
from server.store.append import Statement
from server.store.contract import TableRows

LONGEST = 16 * 1024
"""Characters of a draft that are kept."""


class Returned(Struct, frozen=True):
    """A line that came back, its refusal, and the last event before it was tried."""

    line: str
    code: str
    rule: str
    params: dict[str, object]
    n: int = 0


class Draft(NamedTuple):
    """What a player has written for a side of a battle and not sent; `returned` is None if nothing came back."""

    orders: str
    returned: Returned | None


NOTHING = Draft("", None)
_RETURNED = decoder(Returned)


def keep(battle: str, side: str, player: str, orders: str, at: str) -> Statement:
    """Keep a draft as its player has written it; what came back has been seen then."""
    return Statement(
        "INSERT INTO drafts (battle, side, player, orders, returned, at) VALUES (?,?,?,?,?,?) "
        "ON CONFLICT (battle, side, player) DO UPDATE SET "
        "orders=excluded.orders, returned=excluded.returned, at=excluded.at",
        (battle, side, player, orders, b"", at),
        1,
    )


def give_back(battle: str, side: str, player: str, lines: str, returned: Returned, at: str) -> Statement:
    """Put lines that waited before those of the draft; a draft that is full keeps what it has."""
    return Statement(
        "INSERT INTO drafts (battle, side, player, orders, returned, at) VALUES (?,?,?,?,?,?) "
        "ON CONFLICT (battle, side, player) DO UPDATE SET "
        "orders=excluded.orders || drafts.orders, returned=excluded.returned, at=excluded.at",
        (battle, side, player, lines, msgspec.json.encode(returned), at),
        1,
    )


def forget(battle: str, side: str, player: str) -> Statement:
    """Forget a draft; there need not be one."""
    return Statement("DELETE FROM drafts WHERE battle=? AND side=? AND player=?", (battle, side, player))


def forget_all(player: str) -> Statement:
    """Forget all drafts of a player."""
    return Statement("DELETE FROM drafts WHERE player=?", (player,))


def find(store: TableRows, battle: str, side: str, player: str) -> Draft:
    """The draft of a player; an empty one if there is none."""
    sql = "SELECT orders, returned FROM drafts WHERE battle=? AND side=? AND player=?"
    found = store.rows(sql, (battle, side, player))
    if not found:
        return NOTHING
    orders, returned = found[0]
    return Draft(orders, _RETURNED.decode(returned) if returned else None)
