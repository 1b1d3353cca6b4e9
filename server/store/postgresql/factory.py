"""The library's factory and recorder over our PostgreSQL log.

`PERSISTENCE_MODULE=server.store.postgresql.factory`, the database by `STORE_URL`. The table of events is the library's
own, so its recorder reads what we write; play does not go through it. The password comes from the URL or, better, from
`PGPASSFILE`.
"""

from collections.abc import Mapping
from typing import Any

from eventsourcing import postgres as library
from eventsourcing.utils import Environment, EnvType
from psycopg import ProgrammingError
from psycopg.conninfo import conninfo_to_dict

from server.store.listening import WokenRecorder
from server.store.postgresql import connecting
from server.store.postgresql.reading import PostgresLog
from server.store.postgresql.session import PostgresSession

URL = "STORE_URL"
OURS = {
    "dbname": "POSTGRES_DBNAME",
    "host": "POSTGRES_HOST",
    "port": "POSTGRES_PORT",
    "user": "POSTGRES_USER",
    "password": "POSTGRES_PASSWORD",
}
"""What a URL says, by the names that the library has for it."""


class PostgresRecorder(WokenRecorder, library.PostgresApplicationRecorder):
    """The library's recorder over our tables."""

    def create_table(self) -> None:
        """Create all our tables and triggers."""
        with self.datastore.get_connection() as db:
            connecting.prepare(db)


class PostgresFactory(library.PostgresFactory):
    """Provides the library's recorder, and our session and readers (contract.Factory)."""

    application_recorder_class = PostgresRecorder

    def __init__(self, env: Environment | EnvType | None) -> None:
        given = env if isinstance(env, Environment) else Environment(env=env or {})
        self._url = given.get(URL) or ""
        super().__init__(Environment(given.name, {**_all_of(given), **named_by_library(self._url)}))
        self._recorder: PostgresRecorder | None = None
        self._session: PostgresSession | None = None

    def application_recorder(self) -> PostgresRecorder:
        """One recorder per factory, so that the writer wakes all subscriptions."""
        if self._recorder is None:
            recorder = super().application_recorder()
            assert isinstance(recorder, PostgresRecorder)
            self._recorder = recorder
        return self._recorder

    def session(self) -> PostgresSession:
        """The one writing connection; creates the tables.

        Raises: StoreFailed, InUse; schema.WrongDatabase and its kinds
        """
        if self._session is None:
            self._session = PostgresSession(self._url)
        return self._session

    def log(self) -> PostgresLog:
        """The readers."""
        return PostgresLog(self._url)

    def chores(self) -> list[Any]:
        """None."""
        return []

    def wake(self) -> None:
        """Tell the subscriptions that the writer has committed events."""
        if self._recorder is not None:
            self._recorder.wake()


def named_by_library(url: str) -> dict[str, str]:
    """The settings of the library for a URL.

    Raises: OSError for what is no URL of a database
    """
    try:
        said = conninfo_to_dict(url)
    except ProgrammingError as failure:
        raise OSError(f"this is no URL of a PostgreSQL database: {failure}") from failure
    return {"POSTGRES_PASSWORD": "", "POSTGRES_HOST": "", "POSTGRES_USER": ""} | {
        OURS[key]: str(value) for key, value in said.items() if key in OURS
    }


def _all_of(env: Environment) -> Mapping[str, str]:
    return dict(env)
