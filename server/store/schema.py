"""The tables of what cannot be computed again, and the triggers that protect them.

`stored_events` is the library's own table; the others are next to it, in its database and its transactions. What
must never change is append-only by trigger: `APPEND_ONLY` and the events. Times are text, UTC with milliseconds, so
that they sort; digests and ids of commands are raw bytes.

Whoever changes a table here raises VERSION and adds a migration (`server/store/migrations/`).

`commands` keeps its rowid: with a random key and an answer in each row, one clustered B-tree was a quarter slower
than rows in order plus a small index.
"""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Literal

from server.release import release

APPLICATION_ID = 0x5048414C  # "PHAL": lets file(1) and a mistaken --data name the file
VERSION = 22

EVENTS = """CREATE TABLE IF NOT EXISTS stored_events (
    originator_id TEXT, originator_version INTEGER, topic TEXT, state BLOB,
    PRIMARY KEY (originator_id, originator_version))"""

TABLES = (
    """CREATE TABLE IF NOT EXISTS battles (
    battle TEXT PRIMARY KEY NOT NULL, header BLOB NOT NULL, created TEXT NOT NULL,
    readers TEXT NOT NULL CHECK (readers IN ('public', 'link', 'players'))) STRICT""",
    """CREATE TABLE IF NOT EXISTS commands (
    command_id BLOB PRIMARY KEY NOT NULL, battle TEXT NOT NULL, first INTEGER NOT NULL, count INTEGER NOT NULL,
    digest BLOB NOT NULL, answer BLOB NOT NULL) STRICT""",
    """CREATE TABLE IF NOT EXISTS requests (
    account TEXT NOT NULL, key TEXT NOT NULL, digest BLOB NOT NULL, body BLOB NOT NULL,
    done INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (account, key)) STRICT""",
    "CREATE INDEX IF NOT EXISTS requests_open ON requests (account) WHERE done = 0",
    """CREATE TABLE IF NOT EXISTS vault (
    battle TEXT NOT NULL, n INTEGER NOT NULL, kind TEXT NOT NULL, seat TEXT NOT NULL, salt BLOB NOT NULL,
    content BLOB NOT NULL, PRIMARY KEY (battle, n, kind, seat)) STRICT, WITHOUT ROWID""",
    """CREATE TABLE IF NOT EXISTS outbox (
    id INTEGER PRIMARY KEY, battle TEXT NOT NULL, n INTEGER NOT NULL, recipient TEXT NOT NULL, kind TEXT NOT NULL,
    created TEXT NOT NULL, sent_at TEXT) STRICT""",
    "CREATE INDEX IF NOT EXISTS outbox_unsent ON outbox (id) WHERE sent_at IS NULL",
    "CREATE INDEX IF NOT EXISTS outbox_battle ON outbox (battle, recipient)",
    """CREATE TABLE IF NOT EXISTS accounts (
    player TEXT PRIMARY KEY NOT NULL, name TEXT NOT NULL, name_key TEXT NOT NULL UNIQUE, email TEXT NOT NULL,
    email_key TEXT NOT NULL, created TEXT NOT NULL,
    role TEXT NOT NULL DEFAULT 'player' CHECK (role IN ('player', 'administrator')),
    banned TEXT NOT NULL DEFAULT '', kept_email TEXT NOT NULL DEFAULT '', look TEXT NOT NULL DEFAULT '',
    owner TEXT NOT NULL DEFAULT '') STRICT""",
    "CREATE INDEX IF NOT EXISTS accounts_owner ON accounts (owner) WHERE owner <> ''",
    "CREATE INDEX IF NOT EXISTS accounts_email ON accounts (email_key)",
    "CREATE UNIQUE INDEX IF NOT EXISTS accounts_look ON accounts (look) WHERE look <> ''",
    "CREATE TABLE IF NOT EXISTS set_up (digest BLOB PRIMARY KEY NOT NULL, created TEXT NOT NULL) STRICT, WITHOUT ROWID",
    """CREATE TABLE IF NOT EXISTS notices (
    id TEXT PRIMARY KEY NOT NULL, player TEXT NOT NULL, at TEXT NOT NULL, what TEXT NOT NULL, about TEXT NOT NULL,
    email TEXT NOT NULL) STRICT, WITHOUT ROWID""",
    "CREATE INDEX IF NOT EXISTS notices_player ON notices (player, at)",
    """CREATE TABLE IF NOT EXISTS tokens (
    digest BLOB PRIMARY KEY NOT NULL, player TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('api', 'login', 'session')),
    created TEXT NOT NULL, expires TEXT, used TEXT, seen TEXT) STRICT""",
    "CREATE INDEX IF NOT EXISTS tokens_player ON tokens (player, kind)",
    """CREATE TABLE IF NOT EXISTS holdings (
    battle TEXT NOT NULL, what TEXT NOT NULL, player TEXT NOT NULL,
    PRIMARY KEY (battle, what)) STRICT, WITHOUT ROWID""",
    "CREATE INDEX IF NOT EXISTS holdings_player ON holdings (player)",
    """CREATE TABLE IF NOT EXISTS closings (
    battle TEXT PRIMARY KEY NOT NULL, at TEXT NOT NULL, how TEXT NOT NULL) STRICT""",
    """CREATE TABLE IF NOT EXISTS parked (
    battle TEXT NOT NULL, side TEXT NOT NULL, account TEXT NOT NULL, key TEXT NOT NULL, line INTEGER NOT NULL,
    lines BLOB NOT NULL, PRIMARY KEY (battle, side)) STRICT, WITHOUT ROWID""",
    """CREATE TABLE IF NOT EXISTS raw_mail (
    id BLOB PRIMARY KEY NOT NULL, received TEXT NOT NULL, raw BLOB NOT NULL, verdict TEXT) STRICT""",
    "CREATE INDEX IF NOT EXISTS raw_mail_open ON raw_mail (received) WHERE verdict IS NULL",
    "CREATE INDEX IF NOT EXISTS raw_mail_player ON raw_mail (json_extract(verdict, '$.player')) "
    "WHERE json_valid(verdict)",
    "CREATE INDEX IF NOT EXISTS outbox_recipient ON outbox (recipient)",
    """CREATE TABLE IF NOT EXISTS mail_tokens (
    digest BLOB PRIMARY KEY NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('question', 'confirm', 'say', 'bounce', 'unsubscribe', 'invite')),
    player TEXT NOT NULL, battle TEXT NOT NULL, side TEXT NOT NULL, question TEXT NOT NULL, content BLOB NOT NULL,
    created TEXT NOT NULL, expires TEXT, used TEXT) STRICT""",
    "CREATE INDEX IF NOT EXISTS mail_tokens_player ON mail_tokens (player, kind)",
    """CREATE TABLE IF NOT EXISTS correspondents (
    player TEXT PRIMARY KEY NOT NULL, lang TEXT NOT NULL, zone TEXT NOT NULL,
    delivery TEXT NOT NULL CHECK (delivery IN ('instant', 'digest', 'urgent', 'none')), quiet TEXT NOT NULL,
    picture INTEGER NOT NULL, signed TEXT NOT NULL, bounces INTEGER NOT NULL, stopped TEXT NOT NULL,
    is_long INTEGER NOT NULL DEFAULT 0) STRICT""",
    """CREATE TABLE IF NOT EXISTS deliveries (
    id INTEGER PRIMARY KEY, attempts INTEGER NOT NULL, next_try TEXT NOT NULL, error TEXT NOT NULL) STRICT""",
    """CREATE TABLE IF NOT EXISTS posts (
    id INTEGER PRIMARY KEY, battle TEXT NOT NULL, side TEXT NOT NULL, player TEXT NOT NULL, at TEXT NOT NULL,
    text TEXT NOT NULL) STRICT""",
    "CREATE INDEX IF NOT EXISTS posts_battle ON posts (battle, id)",
    """CREATE TABLE IF NOT EXISTS absences (
    id INTEGER PRIMARY KEY, player TEXT NOT NULL, begins TEXT NOT NULL, ends TEXT NOT NULL, state TEXT NOT NULL
    CHECK (state IN ('planned', 'begun', 'over'))) STRICT""",
    "CREATE INDEX IF NOT EXISTS absences_open ON absences (player) WHERE state <> 'over'",
    """CREATE TABLE IF NOT EXISTS invitations (
    token BLOB PRIMARY KEY NOT NULL, battle TEXT NOT NULL, side TEXT NOT NULL, inviter TEXT NOT NULL,
    email TEXT NOT NULL, mailbox BLOB NOT NULL, lang TEXT NOT NULL, message TEXT NOT NULL, follows TEXT NOT NULL,
    created TEXT NOT NULL, expires TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('open', 'accepted', 'declined', 'expired'))) STRICT, WITHOUT ROWID""",
    "CREATE UNIQUE INDEX IF NOT EXISTS invitations_side ON invitations (battle, side) WHERE state = 'open'",
    "CREATE UNIQUE INDEX IF NOT EXISTS invitations_rematch ON invitations (follows) "
    "WHERE follows <> '' AND state IN ('open', 'accepted')",
    "CREATE INDEX IF NOT EXISTS invitations_created ON invitations (created)",
    "CREATE TABLE IF NOT EXISTS unwanted (mailbox BLOB PRIMARY KEY NOT NULL, at TEXT NOT NULL) STRICT, WITHOUT ROWID",
    """CREATE TABLE IF NOT EXISTS drafts (
    battle TEXT NOT NULL, side TEXT NOT NULL, player TEXT NOT NULL, orders TEXT NOT NULL, returned BLOB NOT NULL,
    at TEXT NOT NULL, PRIMARY KEY (battle, side, player)) STRICT, WITHOUT ROWID""",
    """CREATE TABLE IF NOT EXISTS posts_read (
    battle TEXT NOT NULL, player TEXT NOT NULL, seen INTEGER NOT NULL,
    PRIMARY KEY (battle, player)) STRICT, WITHOUT ROWID""",
    """CREATE TABLE IF NOT EXISTS notes (
    battle TEXT NOT NULL, player TEXT NOT NULL, text TEXT NOT NULL, at TEXT NOT NULL,
    PRIMARY KEY (battle, player)) STRICT, WITHOUT ROWID""",
    """CREATE TABLE IF NOT EXISTS feeds (
    player TEXT PRIMARY KEY NOT NULL, digest BLOB NOT NULL UNIQUE, created TEXT NOT NULL) STRICT, WITHOUT ROWID""",
    """CREATE TABLE IF NOT EXISTS watched (
    battle TEXT NOT NULL, player TEXT NOT NULL, n INTEGER NOT NULL,
    PRIMARY KEY (battle, player)) STRICT, WITHOUT ROWID""",
    """CREATE TABLE IF NOT EXISTS passkeys (
    id TEXT PRIMARY KEY NOT NULL, player TEXT NOT NULL, credential BLOB NOT NULL UNIQUE, key BLOB NOT NULL,
    uses INTEGER NOT NULL, name TEXT NOT NULL, created TEXT NOT NULL, used TEXT) STRICT, WITHOUT ROWID""",
    "CREATE INDEX IF NOT EXISTS passkeys_player ON passkeys (player)",
    """CREATE TABLE IF NOT EXISTS spectator_posts (
    battle TEXT NOT NULL, n INTEGER NOT NULL, id INTEGER NOT NULL UNIQUE, player TEXT NOT NULL, at TEXT NOT NULL,
    text TEXT NOT NULL, PRIMARY KEY (battle, n)) STRICT, WITHOUT ROWID""",
    """CREATE TABLE IF NOT EXISTS spectator_reads (
    battle TEXT NOT NULL, player TEXT NOT NULL, seen INTEGER NOT NULL,
    PRIMARY KEY (battle, player)) STRICT, WITHOUT ROWID""",
    "CREATE TABLE IF NOT EXISTS written_by (format INTEGER PRIMARY KEY NOT NULL, release TEXT NOT NULL) STRICT",
    """CREATE TABLE IF NOT EXISTS bans (
    id TEXT PRIMARY KEY NOT NULL, network TEXT NOT NULL UNIQUE, reason TEXT NOT NULL, at TEXT NOT NULL,
    until TEXT NOT NULL) STRICT, WITHOUT ROWID""",
    """CREATE TABLE IF NOT EXISTS deeds (
    n INTEGER PRIMARY KEY, at TEXT NOT NULL, actor TEXT NOT NULL, deed TEXT NOT NULL, about TEXT NOT NULL,
    why TEXT NOT NULL) STRICT""",
    """CREATE TABLE IF NOT EXISTS complaints (
    id TEXT PRIMARY KEY NOT NULL, at TEXT NOT NULL, reporter TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('player', 'battle', 'post', 'remark')), about TEXT NOT NULL,
    battle TEXT NOT NULL, item TEXT NOT NULL, words TEXT NOT NULL, why TEXT NOT NULL, settled TEXT NOT NULL,
    outcome TEXT NOT NULL CHECK (outcome IN ('', 'acted', 'dismissed')), answer TEXT NOT NULL) STRICT, WITHOUT ROWID""",
    "CREATE INDEX IF NOT EXISTS complaints_open ON complaints (at) WHERE settled = ''",
    "CREATE INDEX IF NOT EXISTS complaints_reporter ON complaints (reporter, at)",
    """CREATE TABLE IF NOT EXISTS blocks (
    player TEXT NOT NULL, blocked TEXT NOT NULL, at TEXT NOT NULL,
    PRIMARY KEY (player, blocked)) STRICT, WITHOUT ROWID""",
    "CREATE INDEX IF NOT EXISTS blocks_blocked ON blocks (blocked)",
    """CREATE TABLE IF NOT EXISTS announcements (
    lang TEXT PRIMARY KEY NOT NULL, text TEXT NOT NULL, since TEXT NOT NULL, until TEXT NOT NULL)
    STRICT, WITHOUT ROWID""",
    """CREATE TABLE IF NOT EXISTS lockers (
    player TEXT NOT NULL, kind TEXT NOT NULL CHECK (kind IN ('seat', 'passkey')), place TEXT NOT NULL,
    version INTEGER NOT NULL, mark TEXT NOT NULL, content TEXT NOT NULL, at TEXT NOT NULL,
    PRIMARY KEY (player, kind, place)) STRICT""",
    """CREATE TABLE IF NOT EXISTS campaigns (
    campaign TEXT PRIMARY KEY NOT NULL, header BLOB NOT NULL, created TEXT NOT NULL,
    readers TEXT NOT NULL CHECK (readers IN ('public', 'link', 'players'))) STRICT""",
    "CREATE INDEX IF NOT EXISTS campaigns_readers ON campaigns (readers)",
    """CREATE TABLE IF NOT EXISTS campaign_list (
    campaign TEXT PRIMARY KEY NOT NULL, title TEXT NOT NULL, kind TEXT NOT NULL, ruleset TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('entering', 'running', 'ended')), round INTEGER NOT NULL,
    entrants INTEGER NOT NULL) STRICT, WITHOUT ROWID""",
    """CREATE TABLE IF NOT EXISTS campaign_events (
    position INTEGER PRIMARY KEY, campaign TEXT NOT NULL, n INTEGER NOT NULL, type TEXT NOT NULL, hash BLOB NOT NULL,
    line BLOB NOT NULL, UNIQUE (campaign, n)) STRICT""",
    """CREATE TABLE IF NOT EXISTS campaign_players (
    campaign TEXT NOT NULL, player TEXT NOT NULL, PRIMARY KEY (campaign, player)) STRICT, WITHOUT ROWID""",
    "CREATE INDEX IF NOT EXISTS campaign_players_player ON campaign_players (player)",
    """CREATE TABLE IF NOT EXISTS campaign_dues (
    campaign TEXT PRIMARY KEY NOT NULL, due TEXT NOT NULL) STRICT, WITHOUT ROWID""",
    "CREATE INDEX IF NOT EXISTS campaign_dues_due ON campaign_dues (due)",
    """CREATE TABLE IF NOT EXISTS campaign_battles (
    battle TEXT PRIMARY KEY NOT NULL, campaign TEXT NOT NULL, board TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('set', 'open', 'closing', 'over'))) STRICT, WITHOUT ROWID""",
    "CREATE INDEX IF NOT EXISTS campaign_battles_going ON campaign_battles (campaign) WHERE state <> 'over'",
    """CREATE TABLE IF NOT EXISTS webhooks (
    id TEXT PRIMARY KEY NOT NULL, owner_kind TEXT NOT NULL CHECK (owner_kind IN ('account', 'club', 'campaign')),
    owner TEXT NOT NULL, url TEXT NOT NULL, host TEXT NOT NULL, form TEXT NOT NULL, lang TEXT NOT NULL,
    what TEXT NOT NULL, created TEXT NOT NULL, tries INTEGER NOT NULL DEFAULT 0, next_try TEXT NOT NULL DEFAULT '',
    failing TEXT NOT NULL DEFAULT '', off TEXT NOT NULL DEFAULT '', last_at TEXT NOT NULL DEFAULT '',
    last_what TEXT NOT NULL DEFAULT '', last_code INTEGER NOT NULL DEFAULT 0, last_error TEXT NOT NULL DEFAULT '')
    STRICT, WITHOUT ROWID""",
    "CREATE INDEX IF NOT EXISTS webhooks_owner ON webhooks (owner_kind, owner)",
    """CREATE TABLE IF NOT EXISTS webhook_outbox (
    id INTEGER PRIMARY KEY, hook TEXT NOT NULL, what TEXT NOT NULL,
    subject TEXT NOT NULL CHECK (subject IN ('', 'battle', 'campaign')), about TEXT NOT NULL, n INTEGER NOT NULL,
    created TEXT NOT NULL) STRICT""",
    "CREATE INDEX IF NOT EXISTS webhook_outbox_hook ON webhook_outbox (hook, id)",
    """CREATE TABLE IF NOT EXISTS clubs (
    club TEXT PRIMARY KEY NOT NULL, name TEXT NOT NULL,
    readers TEXT NOT NULL CHECK (readers IN ('public', 'link', 'members')),
    running INTEGER NOT NULL, link INTEGER NOT NULL, at TEXT NOT NULL) STRICT, WITHOUT ROWID""",
    """CREATE TABLE IF NOT EXISTS club_members (
    club TEXT NOT NULL, player TEXT NOT NULL, role TEXT NOT NULL CHECK (role IN ('organiser', 'member', 'banned')),
    not_before TEXT NOT NULL, since TEXT NOT NULL, PRIMARY KEY (club, player)) STRICT, WITHOUT ROWID""",
    "CREATE INDEX IF NOT EXISTS club_members_player ON club_members (player)",
    """CREATE TABLE IF NOT EXISTS club_invitations (
    token BLOB PRIMARY KEY NOT NULL, club TEXT NOT NULL, inviter TEXT NOT NULL, name TEXT NOT NULL,
    email TEXT NOT NULL, mailbox BLOB NOT NULL, zone TEXT NOT NULL, lang TEXT NOT NULL, created TEXT NOT NULL,
    expires TEXT NOT NULL, state TEXT NOT NULL CHECK (state IN ('open', 'accepted', 'declined', 'expired')))
    STRICT, WITHOUT ROWID""",
    "CREATE UNIQUE INDEX IF NOT EXISTS club_invitations_open ON club_invitations (club, mailbox) WHERE state = 'open'",
    "CREATE INDEX IF NOT EXISTS club_invitations_created ON club_invitations (created)",
    """CREATE TABLE IF NOT EXISTS club_battles (
    battle TEXT PRIMARY KEY NOT NULL, club TEXT NOT NULL, at TEXT NOT NULL) STRICT, WITHOUT ROWID""",
    "CREATE INDEX IF NOT EXISTS club_battles_club ON club_battles (club, at)",
    """CREATE TABLE IF NOT EXISTS club_bulks (
    bulk TEXT PRIMARY KEY NOT NULL, account TEXT NOT NULL, digest BLOB NOT NULL, club TEXT NOT NULL,
    tags TEXT NOT NULL, pace TEXT NOT NULL, at TEXT NOT NULL, done INTEGER NOT NULL DEFAULT 0) STRICT, WITHOUT ROWID""",
    "CREATE INDEX IF NOT EXISTS club_bulks_open ON club_bulks (at) WHERE done = 0",
    """CREATE TABLE IF NOT EXISTS club_pairings (
    bulk TEXT NOT NULL, place INTEGER NOT NULL, content BLOB NOT NULL, battle TEXT NOT NULL,
    PRIMARY KEY (bulk, place)) STRICT, WITHOUT ROWID""",
    """CREATE TABLE IF NOT EXISTS campaign_officers (
    campaign TEXT NOT NULL, player TEXT NOT NULL, PRIMARY KEY (campaign, player)) STRICT, WITHOUT ROWID""",
    "CREATE INDEX IF NOT EXISTS campaign_officers_player ON campaign_officers (player)",
    """CREATE TABLE IF NOT EXISTS bulletins (
    bulletin TEXT PRIMARY KEY NOT NULL, owner_kind TEXT NOT NULL CHECK (owner_kind IN ('club', 'campaign')),
    owner TEXT NOT NULL, place INTEGER NOT NULL, since TEXT NOT NULL, until TEXT NOT NULL, due TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('draft', 'held', 'sent')), words TEXT NOT NULL,
    UNIQUE (owner_kind, owner, place)) STRICT, WITHOUT ROWID""",
    "CREATE INDEX IF NOT EXISTS bulletins_due ON bulletins (due) WHERE state = 'draft'",
    """CREATE TABLE IF NOT EXISTS press (
    id INTEGER PRIMARY KEY NOT NULL, owner_kind TEXT NOT NULL CHECK (owner_kind IN ('club', 'campaign')),
    owner TEXT NOT NULL, player TEXT NOT NULL, at TEXT NOT NULL, text TEXT NOT NULL) STRICT""",
    "CREATE INDEX IF NOT EXISTS press_owner ON press (owner_kind, owner, at)",
    "CREATE INDEX IF NOT EXISTS press_player ON press (player)",
    """CREATE TABLE IF NOT EXISTS campaign_seasons (
    club TEXT NOT NULL, name TEXT NOT NULL, number INTEGER NOT NULL, division INTEGER NOT NULL,
    campaign TEXT NOT NULL UNIQUE, PRIMARY KEY (club, name, number, division)) STRICT, WITHOUT ROWID""",
)


def refusals(table: str) -> tuple[str, str]:
    """The triggers that make a table append-only."""
    return tuple(  # type: ignore[return-value]  # two words, two statements
        f"CREATE TRIGGER IF NOT EXISTS {table}_no_{verb.lower()} BEFORE {verb} ON {table} "
        f"BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END"
        for verb in ("UPDATE", "DELETE")
    )


APPEND_ONLY = ("battles", "campaign_events", "campaigns", "commands", "deeds", "vault")

SIDE_TABLES: tuple[str, ...] = TABLES + tuple(sql for table in APPEND_ONLY for sql in refusals(table))
"""The authoritative tables without the log, for a backend that keeps its events elsewhere."""

ALL: tuple[str, ...] = (EVENTS, *refusals("stored_events"), *SIDE_TABLES)


class WrongDatabase(Exception):
    """The file belongs to another program, or to a later release of this one."""


class Outdated(WrongDatabase):
    """The file was made by an earlier release, and has to be migrated first."""


class Newer(WrongDatabase):
    """The file was made by a later release, which has to be installed."""


def connect(path: str, synchronous: str = "FULL", lock_timeout_s: float = 5.0) -> sqlite3.Connection:
    """Connect to the database file, creating it for its owner alone if needed; the connection opens no transactions of
    its own.

    `recursive_triggers` makes REPLACE fire the delete triggers too: without it that verb would rewrite the log.

    Raises: WrongDatabase for a file that SQLite cannot read
    """
    with suppress(OSError):  # SQLite says better what is wrong; its other files get the mode of this one
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    db = sqlite3.connect(path, timeout=lock_timeout_s, isolation_level=None, check_same_thread=False, uri=True)
    try:
        db.execute("PRAGMA recursive_triggers=ON")
        db.execute(f"PRAGMA synchronous={synchronous}")
    except sqlite3.OperationalError:
        raise
    except sqlite3.DatabaseError as failure:
        db.close()
        raise WrongDatabase(f"not a database of phalera: {failure}") from failure
    return db


@contextmanager
def transaction(db: sqlite3.Connection, mode: Literal["IMMEDIATE", "EXCLUSIVE"]) -> Iterator[None]:
    """All or nothing; EXCLUSIVE keeps readers out, too."""
    db.execute(f"BEGIN {mode}")
    try:
        yield
        db.execute("COMMIT")
    except BaseException:
        if db.in_transaction:
            db.execute("ROLLBACK")
        raise


def prepare(db: sqlite3.Connection, statements: tuple[str, ...] = ALL) -> None:
    """Create the tables of a new store, in one transaction; two processes may do so at once. A store that is there is
    not written to.

    Raises: WrongDatabase, before the file is touched; Outdated
    """
    version = format_of(db)
    if version == VERSION:
        return
    if version:
        raise Outdated(
            f"this store has format {version}, this release needs {VERSION}: `phalera migrate --check` says what an"
            " upgrade would do, `phalera migrate` makes a backup and does it"
        )
    db.execute("PRAGMA journal_mode=WAL")  # stored in the file: later connections find it
    with transaction(db, "IMMEDIATE"):
        for sql in statements:
            db.execute(sql)
        db.execute(f"PRAGMA application_id={APPLICATION_ID}")
        db.execute(f"PRAGMA user_version={VERSION}")
        sign(db)


def sign(db: sqlite3.Connection) -> None:
    """Write which release has brought a store to its format: a release that does not know the format can name it."""
    db.execute("INSERT OR IGNORE INTO written_by (format, release) VALUES (?,?)", (VERSION, release()))


def format_of(db: sqlite3.Connection) -> int:
    """The format of a store's file; 0 if it is empty.

    The three checks are one read transaction, because another process may be creating the file at this moment.

    Raises: WrongDatabase; Newer, with the release to install
    """
    db.execute("BEGIN")
    (owner,) = db.execute("PRAGMA application_id").fetchone()
    (version,) = db.execute("PRAGMA user_version").fetchone()
    (tables,) = db.execute("SELECT COUNT(*) FROM sqlite_schema").fetchone()
    db.execute("COMMIT")
    if owner != APPLICATION_ID and (owner or tables):
        raise WrongDatabase("this SQLite file was not made by phalera")
    if version > VERSION:
        raise Newer(_newer(db, version))
    return int(version)


def _newer(db: sqlite3.Connection, version: int) -> str:
    """What to say of a store of a later format; it is told to install the release that the store names."""
    try:
        named = db.execute("SELECT release FROM written_by WHERE format=?", (version,)).fetchone()
    except sqlite3.Error:  # a later release may keep it elsewhere
        named = None
    later = f"phalera {named[0]}" if named else "a later release"
    return (
        f"this store has format {version}, made by {later}; phalera {release()} knows formats up to {VERSION}: "
        f"install {later}, or restore a backup from before the upgrade"
    )
