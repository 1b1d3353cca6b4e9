"""What this server keeps about a player: each table that has something of theirs, with what of it is theirs to read.

Secrets are no part of it: of tokens and passkeys the store has digests and public keys. A test holds this list against
the tables of the store.
"""

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from domain.basics.decoding import decode
from server.store.contract import TableRows

Row = dict[str, Any]


class KeptSection(Struct, frozen=True):
    """A part of the file: the table it comes from, what is shown of a row, and by which column it is a player's."""

    name: str
    table: str
    shown: str
    whose: str = "player=?"
    order: str = "1"


SECTIONS = (
    KeptSection("account", "accounts", "player, name, email, created, role, banned, kept_email, owner"),
    KeptSection("wishes", "correspondents", "lang, zone, delivery, quiet, picture, signed, bounces, stopped, is_long"),
    KeptSection("tokens", "tokens", "kind, created, expires, used, seen", order="created"),
    KeptSection("passkeys", "passkeys", "name, created, used, uses", order="created"),
    KeptSection("lockers", "lockers", "kind, place, version, mark, at, content"),
    KeptSection("feed", "feeds", "created"),
    KeptSection("campaigns", "campaign_players", "campaign"),
    KeptSection("offices", "campaign_officers", "campaign"),
    KeptSection("press", "press", "owner_kind, owner, at, text", order="at"),
    KeptSection(
        "webhooks",
        "webhooks",
        "host, form, lang, what, created, off, last_at, last_what, last_code, last_error",
        "owner_kind='account' AND owner=?",
        "created",
    ),
    KeptSection(
        "webhooks_waiting",
        "webhook_outbox",
        "what, about, n, created",
        "hook IN (SELECT id FROM webhooks WHERE owner_kind='account' AND owner=?)",
        "id",
    ),
    KeptSection("reply_addresses", "mail_tokens", "kind, battle, side, created, expires, used", order="created"),
    KeptSection("happened", "notices", "at, what, about", order="at"),
    KeptSection("holds", "holdings", "battle, what"),
    KeptSection("vacations", "absences", "begins, ends, state", order="begins"),
    KeptSection("notes", "notes", "battle, at, text"),
    KeptSection("drafts", "drafts", "battle, side, at, orders"),
    KeptSection("said", "posts", "battle, at, text", order="at"),
    KeptSection("said_watching", "spectator_posts", "battle, at, text", order="at"),
    KeptSection("messages_read", "posts_read", "battle, seen"),
    KeptSection("spectators_read", "spectator_reads", "battle, seen"),
    KeptSection("watched", "watched", "battle, n"),
    KeptSection("orders", "requests", "key, done, body", "account=?", "rowid"),
    KeptSection("waiting_orders", "parked", "battle, side, lines", "account=?"),
    KeptSection(
        "invited", "invitations", "battle, side, email, message, created, expires, state", "inviter=?", "created"
    ),
    KeptSection("letters", "outbox", "battle, n, kind, created, sent_at", "recipient=?", "id"),
    KeptSection(
        "letters_late",
        "deliveries",
        "id, attempts, next_try, error",
        "id IN (SELECT id FROM outbox WHERE recipient=?)",
        "id",
    ),
    KeptSection(
        "mails",
        "raw_mail",
        "received, raw, verdict",
        "json_valid(verdict) AND json_extract(verdict, '$.player')=?",
        "received",
    ),
    KeptSection("reports", "complaints", "at, kind, battle, why, settled, outcome, answer", "reporter=?", "at"),
    KeptSection("blocked", "blocks", "blocked, at", order="at"),
    KeptSection("clubs", "club_members", "club, role, not_before, since", order="since"),
    KeptSection(
        "invited_to_clubs",
        "club_invitations",
        "club, name, email, zone, created, expires, state",
        "inviter=?",
        "created",
    ),
    KeptSection("battle_lists", "club_bulks", "club, tags, pace, at, done", "account=?", "at"),
    KeptSection(
        "pairings",
        "club_pairings",
        "place, content, battle",
        "bulk IN (SELECT bulk FROM club_bulks WHERE account=?)",
        "bulk, place",
    ),
    KeptSection("moderated", "deeds", "at, deed, why", "about=?", "n"),
)

LEFT_OUT = {
    "stored_events": "the logs of battles: each page of a battle gives its file, to whoever may read it",
    "battles": "the heads of those logs",
    "campaigns": "the heads of the logs of campaigns",
    "campaign_events": "the logs of campaigns: each page of a campaign gives its file, to whoever may read it",
    "campaign_battles": "which battle stands on which board of a campaign",
    "campaign_list": "what lists of campaigns tell of each: nobody's in particular",
    "campaign_seasons": "which campaign is which division of a season: nobody's in particular",
    "campaign_dues": "when a campaign is looked at next",
    "commands": "digests by which a repeated order is known; the orders are in the logs",
    "vault": "what battles hide, by seat: shown on their pages, opened in their logs",
    "closings": "battles that were stopped, not by whom",
    "bans": "networks, and nobody's in particular",
    "clubs": "names of clubs and who reads their pages: nobody's in particular",
    "bulletins": "which bulletins clubs and campaigns have, with what their organisers say in them: pages show it",
    "club_battles": "which battles are a club's",
    "announcements": "what the host tells everybody",
    "written_by": "the releases that made the store",
    "set_up": "the digest of a code that belongs to nobody",
    "unwanted": "digests of mailboxes that want no invitations; nobody is told whose they are",
}
"""The tables that have nothing of a player, or nothing that this file could show, each with the reason."""


def kept_about(store: TableRows, player: str) -> dict[str, list[Row]]:
    """What is kept about a player, by the name of its section."""
    return {section.name: list(_rows(store, section, player)) for section in SECTIONS}


def _rows(store: TableRows, section: KeptSection, player: str) -> Iterator[Row]:
    names = section.shown.split(", ")
    query = f"SELECT {section.shown} FROM {section.table} WHERE {section.whose} ORDER BY {section.order}"
    for row in store.rows(query, (player,)):
        yield {name: _readable(name, value) for name, value in zip(names, row, strict=True)}


def _readable(name: str, value: Any) -> Any:
    """A value as JSON has it: what is kept as JSON not quoted once more, a mail as far as it is text."""
    if name in ("verdict", "lines"):
        return decode(value, Any)
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else value
