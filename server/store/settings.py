"""Choose the backend of the store, its place and its safety.

The keys are those of the eventsourcing library (`PERSISTENCE_MODULE`, `SQLITE_DBNAME` …), so that another backend is
chosen by settings and not by code. The library's own module names are mapped to ours, which are the same modules with
our tables alongside the log.
"""

from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Self
from urllib.parse import urlsplit

from msgspec import Struct

from server.store.errors import BackendAbsent

SQLITE = "server.store.sqlite"
MEMORY = "server.store.memory"
POSTGRESQL = "server.store.postgresql.factory"

MODULES = {
    "eventsourcing.sqlite": SQLITE,
    "eventsourcing.popo": MEMORY,
    "eventsourcing.postgres": POSTGRESQL,
    "sqlite": SQLITE,
    "memory": MEMORY,
    "popo": MEMORY,
    "postgresql": POSTGRESQL,
}
SCHEMES = ("postgresql", "postgres")
"""How the URL of a PostgreSQL database begins; both are the driver's own."""
DRIVER = ("psycopg", "psycopg_pool")
"""The packages of the extra `postgres`."""


class StoreSettings(Struct, frozen=True, kw_only=True):
    """How a store is opened. `dbname` is the file, or the URL of a PostgreSQL database.

    Units: `checkpoint_s`, `lock_timeout_s` seconds; `max_batch` jobs in a transaction; `max_waiting` jobs in the queue
    """

    module: str = SQLITE
    dbname: str = ""
    synchronous: str = "FULL"  # FULL | NORMAL; with FULL an acknowledged append outlives a power cut
    max_batch: int = 256
    max_waiting: int = 4096
    checkpoint_s: float = 0.5
    lock_timeout_s: int = 5

    @classmethod
    def at(cls, where: str | Path) -> Self:
        """Settings for a file, `sqlite:///FILE`, `memory:`, or `postgresql://[USER@]HOST[:PORT]/NAME`.

        Raises: BackendAbsent for any other URL, and where the driver of PostgreSQL is not installed
        """
        text = str(where)
        if text in ("memory:", ":memory:"):
            return cls(module=MEMORY)
        scheme, found, rest = text.partition("://")
        if not found:
            return cls(dbname=text)
        if scheme in SCHEMES:
            if not all(map(find_spec, DRIVER)):
                raise BackendAbsent("a store in PostgreSQL needs its driver: pip install 'phalera[postgres]'")
            return cls(module=POSTGRESQL, dbname=text)
        if scheme != "sqlite":
            raise BackendAbsent(f"no backend for {scheme}: this release has sqlite, postgresql and memory")
        return cls(dbname=rest.removeprefix("/"))

    @classmethod
    def from_env(cls, env: Mapping[str, str], dbname: str = "") -> Self:
        """Settings from environment variables; `dbname` is the file when they name none."""
        module = env.get("PERSISTENCE_MODULE", SQLITE)
        module = MODULES.get(module, module)
        return cls(
            module=module,
            dbname=env.get("STORE_URL" if module == POSTGRESQL else "SQLITE_DBNAME", dbname),
            synchronous=env.get("SQLITE_SYNCHRONOUS", "FULL"),
            max_batch=int(env.get("STORE_MAX_BATCH", "256")),
            max_waiting=int(env.get("STORE_MAX_WAITING", "4096")),
            lock_timeout_s=int(env.get("SQLITE_LOCK_TIMEOUT", "5")),
        )

    @property
    def where(self) -> str:
        """The place of the store as it may be told: a path, or a URL without user and password."""
        if self.module != POSTGRESQL:
            return self.dbname
        said = urlsplit(self.dbname)
        return f"postgresql://{said.netloc.rpartition('@')[2]}{said.path}"

    @property
    def is_file(self) -> bool:
        """Whether the store is one file, which other processes of this machine can read."""
        return self.module == SQLITE

    @property
    def is_kept(self) -> bool:
        """Whether the store outlives its process."""
        return self.module != MEMORY

    def environment(self) -> dict[str, str]:
        """The same settings as environment variables for the library."""
        return {
            "PERSISTENCE_MODULE": self.module,
            "MAPPER_TOPIC": "server.store.mapper:LineMapper",
            "TRANSCODER_TOPIC": "server.store.mapper:NoTranscoder",
            "ORIGINATOR_ID_TYPE": "text",
            "SQLITE_DBNAME": self.dbname,
            "SQLITE_SYNCHRONOUS": self.synchronous,
            "SQLITE_LOCK_TIMEOUT": str(self.lock_timeout_s),
            "STORE_CHECKPOINT_S": str(self.checkpoint_s),
            "STORE_URL": self.dbname if self.module == POSTGRESQL else "",
        }
