"""Remove a battle from the file of a store, with everything that belongs to it.

The only way past the triggers that keep the log append-only: for what a host must not keep, by law or by decency. The
server must be stopped; whoever has the battle file keeps it.
"""

from contextlib import closing
from pathlib import Path

from server.store import schema

OF_BATTLE = ("stored_events", "battles", "commands", "vault")
"""The tables whose triggers are lifted for the time of the transaction."""
STATEMENTS = (
    "DELETE FROM stored_events WHERE originator_id=?1",
    "DELETE FROM commands WHERE battle=?1",
    "DELETE FROM vault WHERE battle=?1",
    "DELETE FROM requests WHERE instr(body, CAST(?1 AS BLOB)) > 0",
    "DELETE FROM deliveries WHERE id IN (SELECT id FROM outbox WHERE battle=?1)",
    *(
        f"DELETE FROM {table} WHERE battle=?1"
        for table in (
            "outbox",
            "parked",
            "drafts",
            "mail_tokens",
            "posts",
            "posts_read",
            "notes",
            "watched",
            "holdings",
            "closings",
            "invitations",
            "battles",
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
