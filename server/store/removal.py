"""Remove a battle from the file of a store, with everything that belongs to it.

The only way past the triggers that keep the log append-only: for what a host must not keep, by law or by decency. The
server must be stopped; whoever has the battle file keeps it.
"""

from contextlib import closing
from pathlib import Path

from server.store import schema

OF_BATTLE = ("stored_events", "battles", "commands", "vault")
"""The tables whose triggers are lifted for the time of the transaction."""
BESIDE = (
    "DELETE FROM requests WHERE instr(body, CAST(? AS BLOB)) > 0",
    "DELETE FROM deliveries WHERE id IN (SELECT id FROM outbox WHERE battle=?)",
    "UPDATE complaints SET words='' WHERE battle=?",
    "DELETE FROM webhook_outbox WHERE subject='battle' AND about=?",
    *(
        f"DELETE FROM {table} WHERE battle=?"
        for table in (
            "outbox",
            "parked",
            "drafts",
            "mail_tokens",
            "posts",
            "posts_read",
            "notes",
            "watched",
            "spectator_posts",
            "spectator_reads",
            "holdings",
            "invitations",
        )
    ),
)
"""What takes away all that stands beside a log; a running server may do that."""
STATEMENTS = (
    *BESIDE,
    *(
        f"DELETE FROM {table} WHERE {column}=?"
        for table, column in (
            ("stored_events", "originator_id"),
            ("commands", "battle"),
            ("vault", "battle"),
            ("closings", "battle"),
            ("battles", "battle"),
        )
    ),
)


def remove_battle(path: Path, battle: str) -> bool:
    """Remove a battle, in one transaction; False if there is none with this id. What it took is overwritten.

    Raises: schema.WrongDatabase, schema.Outdated; sqlite3.Error
    """
    with closing(schema.connect(str(path))) as db:
        schema.prepare(db)
        db.execute("PRAGMA secure_delete=ON")
        with schema.transaction(db, "EXCLUSIVE"):
            for table in OF_BATTLE:
                db.execute(f"DROP TRIGGER {table}_no_delete")
            changed = [db.execute(sql, (battle,)).rowcount for sql in STATEMENTS]
            for table in OF_BATTLE:
                db.execute(schema.refusals(table)[1])
        return bool(changed[-1])
