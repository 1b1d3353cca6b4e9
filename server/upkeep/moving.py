"""Move a store from its file into a PostgreSQL database, or back: every row and every byte stays as it is."""

from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from server.settings import Unusable
from server.store import EventStore, StoreSettings, schema
from server.store.reader import StoreReader

if TYPE_CHECKING:
    from psycopg import Connection

Follow = Callable[[int, int], None] | None


class MoveDone(Struct, frozen=True):
    """What was moved: `rows` are tables by name with the digest of all their rows, equal at both ends."""

    source: str
    target: str
    battles: int
    events: int
    tables: dict[str, str]


def move(source: StoreSettings, target: StoreSettings, follow: Follow = None) -> MoveDone:
    """Copy a store to where there is none, and compare. The source stays as it is. What is cut has moved nothing: it is
    done once more from the start.

    Raises: Unusable for two ends of one kind, no source, or a target that has something; StoreError, WrongDatabase and
            its kinds; OSError
    """
    if source.is_file == target.is_file:
        raise Unusable("A store moves from a file to PostgreSQL, or back: `phalera backup` and `pg_dump` copy one.")
    if source.is_file:
        tables = _into_database(Path(source.dbname), target.dbname, follow)
    else:
        tables = _into_file(source.dbname, Path(target.dbname), follow)
    with EventStore.open(target) as store:
        ((battles,),) = store.rows("SELECT COUNT(*) FROM battles")
        ((events,),) = store.rows("SELECT COUNT(*) FROM stored_events")
    return MoveDone(source.where, target.where, battles, events, tables)


def _into_database(path: Path, url: str, follow: Follow) -> dict[str, str]:
    from server.store.postgresql.copying import copy_from_file, digests_of_database, digests_of_file

    if not path.is_file():
        raise Unusable(f"There is no store at {path}.")
    with StoreReader(path) as file:
        _require_format(file.format())
    with closing(_database(url)) as db:
        if db.execute("SELECT EXISTS (SELECT 1 FROM battles) OR EXISTS (SELECT 1 FROM accounts)").fetchone() == (True,):
            raise Unusable("The database has a store already, and not an empty one.")
        copy_from_file(path, db, follow)
        return _equal(digests_of_file(path), digests_of_database(db))


def _into_file(url: str, path: Path, follow: Follow) -> dict[str, str]:
    from server.store.postgresql.copying import copy_to_file, digests_of_database, digests_of_file

    if path.exists():
        raise Unusable(f"{path} is there already.")
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with closing(_database(url)) as db:
        copy_to_file(db, path, follow)
        return _equal(digests_of_database(db), digests_of_file(path))


def _database(url: str) -> "Connection[Any]":
    """A connection to a database with our tables, whose lock keeps servers out until it is closed."""
    from server.store.postgresql.session import PostgresSession

    session = PostgresSession(url)
    session.hold()
    return session.connection


def _require_format(version: int) -> None:
    if version != schema.VERSION:
        raise Unusable(f"The store has format {version}, this release needs {schema.VERSION}: run `phalera migrate`.")


def _equal(before: dict[str, str], after: dict[str, str]) -> dict[str, str]:
    differing: Sequence[str] = [name for name, digest in before.items() if after[name] != digest]
    if differing:
        raise Unusable(f"The copy differs from what was copied in {', '.join(differing)}: leave the source in use.")
    return after
