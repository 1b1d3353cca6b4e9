"""Table of what accounts hold at this moment: battles they have opened, seats, bots they have seated.

Quotas are counted here, so the count is one look-up. A row is written and deleted in the transaction of its event; all
rows of a battle go when it is over. Battles that an earlier release opened have none, and count for nothing.
"""

from server.store.append import Statement
from server.store.contract import TableRows

OPENED = "opened"
SEAT, BOT = "seat", "bot"


def opened(battle: str, player: str) -> Statement:
    """Record who has opened a battle."""
    return _hold(battle, OPENED, player)


def seated(battle: str, side: str, player: str, kind: str = SEAT) -> Statement:
    """Record who holds a side, or with `BOT` who has seated the bot there."""
    return _hold(battle, f"{kind}:{side}", player)


def left(battle: str, side: str) -> Statement:
    """Record that a side is free again."""
    return Statement(
        "DELETE FROM holdings WHERE battle=? AND what IN (?,?)", (battle, f"{SEAT}:{side}", f"{BOT}:{side}")
    )


def over(battle: str) -> Statement:
    """Forget a battle: nobody holds anything of it any more."""
    return Statement("DELETE FROM holdings WHERE battle=?", (battle,))


def of_player(store: TableRows, player: str, kind: str) -> int:
    """How many of a kind (`OPENED`, `SEAT`, `BOT`) an account holds; those of clubs, which count them, left out."""
    query = (
        "SELECT COUNT(*) FROM holdings WHERE player=? AND (what=? OR what LIKE ?) "
        "AND NOT EXISTS (SELECT 1 FROM club_battles AS c WHERE c.battle=holdings.battle)"
    )
    return int(store.rows(query, (player, kind, f"{kind}:%"))[0][0])


def opener(store: TableRows, battle: str) -> str:
    """The account that has opened a battle which is not over, "" if nobody knows."""
    found = store.rows("SELECT player FROM holdings WHERE battle=? AND what=?", (battle, OPENED))
    return str(found[0][0]) if found else ""


def _hold(battle: str, what: str, player: str) -> Statement:
    return Statement(
        "INSERT INTO holdings (battle, what, player) VALUES (?,?,?) "
        "ON CONFLICT (battle, what) DO UPDATE SET player=excluded.player",
        (battle, what, player),
    )
