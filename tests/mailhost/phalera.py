"""Phalera as a process: `phalera serve` on a data folder, started, stopped, killed, and asked from outside."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import urllib.request
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from tests.mailhost.loopback import tail
from tests.support.waiting import LIMIT_S, TooLate, until

ROOT = Path(__file__).resolve().parents[2]
HOST = "pbem.test"
PHALERA = (sys.executable, "-c", "from server.cli.main import main; main()")
BATTLES = "/api/v1/battles"
SEED = "the tests"
"""All that the server draws follows from it: a battle has the same cards in each run."""


class Kept(NamedTuple):
    """A mail that Phalera has kept; `what` is its verdict, "" while there is none."""

    id: str
    raw: bytes
    what: str
    verdict: dict[str, Any]


class Phalera:
    """A server on a data folder; `options` of `serve`, `environment` for what is secret."""

    def __init__(self, folder: Path, options: tuple[str, ...], environment: Mapping[str, str] | None = None) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.data = folder / "data"
        self.log = folder / "phalera.log"
        self.options = options if "--host" in options else ("--host", HOST, *options)
        self.url = ""
        self._environment = {**os.environ, "PYTHONPATH": str(ROOT), **(environment or {})}
        self._process: subprocess.Popen[str] | None = None

    # --- the process

    def start(self) -> None:
        """Start it and wait for the line with its address."""
        assert self._process is None
        with self.log.open("ab") as log:
            self._process = process = subprocess.Popen(
                [*PHALERA, "serve", "--data", str(self.data), "--port", "0", *self.options, "--seed", SEED],
                env=self._environment,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                cwd=ROOT,
            )
        assert process.stdout is not None
        words = process.stdout.readline().split()
        if not words:
            process.wait(LIMIT_S)
            process.stdout.close()
            self._process = None
            raise TooLate(f"Phalera does not start: {tail(self.log)}")
        self.url = words[-1]

    def kill(self) -> None:
        """`kill -9`."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        """Ask it to end, and see that it does."""
        if self._process is not None:
            self._end(signal.SIGTERM)

    def _end(self, how: signal.Signals) -> None:
        process, self._process = self._process, None
        assert process is not None
        process.send_signal(how)
        try:
            process.wait(LIMIT_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            raise TooLate(f"Phalera does not end: {tail(self.log)}") from None
        finally:
            if process.stdout is not None:
                process.stdout.close()

    # --- asking

    def command(self, *words: str) -> subprocess.CompletedProcess[str]:
        """Any command of `phalera` on its data folder."""
        named = [*PHALERA, *words]
        environment = {**self._environment, "PHALERA_DATA": str(self.data)}
        return subprocess.run(
            named, env=environment, capture_output=True, text=True, timeout=LIMIT_S, check=False, cwd=ROOT
        )

    def add_player(self, name: str, address: str) -> str:
        """A new account; gives its API token. Its first letter is kept back: who waits for mail waits for another."""
        done = self.command("player", "add", name, address)
        assert done.returncode == 0, done.stderr
        store = sqlite3.connect(self.data / "log.db", timeout=LIMIT_S)
        with store:
            store.execute("UPDATE outbox SET sent_at=created WHERE kind='welcome' AND sent_at IS NULL")
        store.close()
        return next(line.split()[-1] for line in done.stdout.splitlines() if line.startswith("API token"))

    def ask(self, path: str, token: str = "", body: object = None) -> Any:
        """A request of the API, as JSON; a POST if there is a body."""
        content = None if body is None else json.dumps(body).encode()
        headers = {"Content-Type": "application/json"}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        with urllib.request.urlopen(
            urllib.request.Request(self.url + path, content, headers), timeout=LIMIT_S
        ) as answer:
            return json.loads(answer.read())

    def open(self, token: str, scenario: str = "skirmish", **options: object) -> str:
        """Open a battle; gives its id."""
        opened = self.ask(BATTLES, token, {"scenario": scenario, "options": options})
        return str(opened["battle"])

    def sit(self, battle: str, side: str, token: str, phrase: str) -> None:
        """Take a side."""
        seen = self.ask(f"{BATTLES}/{battle}", token)["head"]
        self.ask(f"{BATTLES}/{battle}/sides/{side}", token, {"phrase": phrase, "seen": seen})

    def view(self, battle: str) -> Any:
        """How a battle stands, as a stranger may know it."""
        return self.ask(f"{BATTLES}/{battle}")

    # --- what it has

    def kept(self) -> list[Kept]:
        """The mails it has kept, in the order of their arrival."""
        store = sqlite3.connect(f"file:{self.data / 'log.db'}?mode=ro", uri=True, timeout=LIMIT_S)
        try:
            rows = store.execute("SELECT id, raw, verdict FROM raw_mail ORDER BY received, rowid").fetchall()
        finally:
            store.close()
        found = []
        for id_, raw, verdict in rows:
            said = json.loads(verdict) if verdict else {}
            found.append(Kept(bytes(id_).hex(), bytes(raw), str(said.get("what", "")), said))
        return found

    def letters_waiting(self) -> int:
        """Rows of the outbox not yet sent."""
        store = sqlite3.connect(f"file:{self.data / 'log.db'}?mode=ro", uri=True, timeout=LIMIT_S)
        try:
            (count,) = store.execute("SELECT count(*) FROM outbox WHERE sent_at IS NULL").fetchone()
        finally:
            store.close()
        return int(count)

    def events(self, battle: str) -> list[dict[str, Any]]:
        """The log of a battle."""
        done = self.command("export", battle)
        assert done.returncode == 0, done.stderr
        lines = [json.loads(line) for line in done.stdout.splitlines()]
        return [line for line in lines if "n" in line and "type" in line]

    def verified(self, battle: str) -> str:
        """What `phalera verify` says of the battle file; it must find no fault."""
        file = self.data.parent / f"{battle}.battle"
        done = self.command("export", battle, "--out", str(file), "--force")
        assert done.returncode == 0, done.stderr
        done = self.command("verify", str(file))
        assert done.returncode in (0, 4), done.stdout + done.stderr
        return done.stdout

    def settled(self, count: int = 0) -> list[Kept]:
        """Wait until `count` mails, and all that were kept, are judged, and all letters are sent; gives the mails.

        Raises: TooLate
        """

        def all_done() -> bool:
            kept = self.kept()
            return len(kept) >= count and all(mail.what for mail in kept) and not self.letters_waiting()

        def known() -> str:
            return f"{[mail.what for mail in self.kept()]}, {self.letters_waiting()} letters wait. {tail(self.log)}"

        until(f"{count} mails are judged, and all letters sent", all_done, known)
        return self.kept()
