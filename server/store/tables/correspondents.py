"""Table of mail preferences, and what is known of a player's mailbox.

A player without a row has never set a preference: `DEFAULT` applies. `signed` is the domain whose valid signature
their mail has carried; from then on mail without one is held. `stopped` says why no letters go out (`bounced`,
`unsubscribed`), "" if they do.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from server.store.append import Statement
from server.store.contract import TableRows

DELIVERIES = ("instant", "digest", "urgent", "none")
"""As things happen; once a day; only what asks for a move or an answer; nothing."""


class Correspondent(NamedTuple):
    """Preferences and findings. `zone` an IANA name; `quiet` hours without letters in that zone, `22-8`, or "".
    `is_long`: letters with all orders and the whole board."""

    player: str
    lang: str = "en"
    zone: str = "UTC"
    delivery: str = "instant"
    quiet: str = ""
    picture: bool = True
    signed: str = ""
    bounces: int = 0
    stopped: str = ""
    is_long: bool = False


def save(correspondent: Correspondent) -> Statement:
    """Store everything, replacing what was known."""
    return Statement(
        "INSERT INTO correspondents (player, lang, zone, delivery, quiet, picture, signed, bounces, stopped, is_long) "
        "VALUES (?,?,?,?,?,?,?,?,?,?) ON CONFLICT (player) DO UPDATE SET lang=excluded.lang, zone=excluded.zone, "
        "delivery=excluded.delivery, quiet=excluded.quiet, picture=excluded.picture, signed=excluded.signed, "
        "bounces=excluded.bounces, stopped=excluded.stopped, is_long=excluded.is_long",
        tuple(correspondent),
        1,
    )


def learn(player: str, signed: str) -> Statement:
    """Record that a trusted mail of the player has come: they sign (or did before), and their mailbox works."""
    return Statement(
        "INSERT INTO correspondents (player, lang, zone, delivery, quiet, picture, signed, bounces, stopped, is_long) "
        "VALUES (?,?,?,?,?,?,?,?,?,?) ON CONFLICT (player) DO UPDATE SET bounces=0, "
        "signed=CASE WHEN excluded.signed<>'' THEN excluded.signed ELSE signed END, "
        "stopped=CASE WHEN stopped='bounced' THEN '' ELSE stopped END",
        tuple(Correspondent(player, signed=signed)),
        1,
    )


def strike(player: str, most: int, stopped: str) -> Statement:
    """Record one more letter to the player that can never arrive; `most` of them in a row stop the rest."""
    return Statement(
        "INSERT INTO correspondents (player, lang, zone, delivery, quiet, picture, signed, bounces, stopped, is_long) "
        "VALUES (?,?,?,?,?,?,?,?,?,?) ON CONFLICT (player) DO UPDATE SET bounces=bounces+1, "
        "stopped=CASE WHEN stopped='' AND bounces+1>=? THEN ? ELSE stopped END",
        (*Correspondent(player, bounces=1), most, stopped),
        1,
    )


def lift(player: str, stopped: str) -> Statement:
    """Forget the strikes of a player; letters that were `stopped` for them go again."""
    return Statement(
        "UPDATE correspondents SET bounces=0, stopped=CASE WHEN stopped=? THEN '' ELSE stopped END WHERE player=?",
        (stopped, player),
        1,
    )


def forget(player: str) -> Statement:
    """Delete the wishes of a player."""
    return Statement("DELETE FROM correspondents WHERE player=?", (player,))


SELECT = "SELECT player, lang, zone, delivery, quiet, picture, signed, bounces, stopped, is_long FROM correspondents"


def find(store: TableRows, player: str) -> Correspondent:
    """What is known of a player; the defaults if nothing is."""
    found = store.rows(f"{SELECT} WHERE player=?", (player,))
    return _from_row(found[0]) if found else Correspondent(player)


def struck(store: TableRows) -> list[Correspondent]:
    """The players whose letters came back or are stopped."""
    return [_from_row(row) for row in store.rows(f"{SELECT} WHERE bounces>0 OR stopped<>'' ORDER BY player")]


def _from_row(row: Sequence[Any]) -> Correspondent:
    kept = Correspondent(*row)
    return kept._replace(picture=bool(kept.picture), is_long=bool(kept.is_long))
