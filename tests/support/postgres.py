"""A PostgreSQL cluster of the tests' own: made by `initdb`, reached by a socket, gone with the process."""

import atexit
import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from functools import cache
from itertools import count
from pathlib import Path

import psycopg
import pytest

from server.store.postgresql import connecting
from tests.support.waiting import until

PROGRAMS = "/usr/lib/postgresql"
USER = "postgres"
"""As whom the programs run where the tests run as root: PostgreSQL refuses to."""
NOT_DURABLE = ("fsync=off", "full_page_writes=off", "shared_buffers=16MB", "max_connections=200")
_numbers = count(1)


class Cluster:
    """A running cluster."""

    def __init__(self, programs: Path, folder: Path, settings: Sequence[str] = NOT_DURABLE) -> None:
        self._folder = folder
        self._made = ""
        as_user = ("setpriv", f"--reuid={USER}", f"--regid={USER}", "--init-groups") if os.geteuid() == 0 else ()
        if as_user:
            known = pwd.getpwnam(USER)
            os.chown(folder, known.pw_uid, known.pw_gid)
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": folder}
        made = (programs / "initdb", "-D", folder / "data", "-U", USER, "-A", "trust", "-E", "UTF8", "--locale=C", "-N")
        subprocess.run([*as_user, *map(str, made)], check=True, **quiet)  # type: ignore[call-overload]
        options = [part for setting in settings for part in ("-c", setting)]
        serve = (programs / "postgres", "-D", folder / "data", "-k", folder, "-c", "listen_addresses=", *options)
        self._process = subprocess.Popen([*as_user, *map(str, serve)], **quiet)  # type: ignore[call-overload]
        until("PostgreSQL answers", self._answers)

    def _answers(self) -> bool:
        try:
            psycopg.connect(self.url("postgres")).close()
        except psycopg.OperationalError:
            return False
        return True

    def url(self, name: str) -> str:
        """The URL of a database."""
        return f"postgresql://{USER}@/{name}?host={self._folder}"

    def database(self, like: str = "template0") -> str:
        """The URL of a new database, empty or as another one is."""
        name = f"t{next(_numbers)}"
        with psycopg.connect(self.url("postgres"), autocommit=True) as db:
            db.execute(f"CREATE DATABASE {name} TEMPLATE {like}")
        return self.url(name)

    def prepared(self) -> str:
        """The URL of a new database with the tables of an empty store."""
        if not self._made:
            self._made = self.database()
            with connecting.connect(self._made) as db:
                connecting.prepare(db)
        return self.database(name_in(self._made))

    def drop(self, url: str) -> None:
        """Take a database away, whoever is connected to it."""
        with psycopg.connect(self.url("postgres"), autocommit=True) as db:
            db.execute(f"DROP DATABASE {name_in(url)} WITH (FORCE)")

    def end(self) -> None:
        """Stop it and delete its folder."""
        self._process.terminate()
        self._process.wait()
        shutil.rmtree(self._folder, ignore_errors=True)


def name_in(url: str) -> str:
    """The name of the database of a URL of ours."""
    return url.partition("@/")[2].partition("?")[0]


def programs() -> Path | None:
    """Where the newest PostgreSQL of Debian has its programs, else that of the PATH; None where there is none."""
    installed = sorted(Path(PROGRAMS).glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    found = str(installed[-1]) if installed else shutil.which("initdb")
    return Path(found).parent if found else None


@cache
def cluster() -> Cluster:
    """The cluster of this process. Skips the test, and says what is missing, where PostgreSQL is not installed."""
    there = programs()
    if there is None:
        pytest.skip("PostgreSQL is not installed (Debian: postgresql)")
    made = Cluster(
        there, Path(tempfile.mkdtemp(prefix="phalera-postgres-", dir="/dev/shm" if Path("/dev/shm").is_dir() else None))
    )
    atexit.register(made.end)
    return made
