"""Hosts and witnesses as processes of their own, for tests of logs and witnesses."""

import json
import os
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from replay.proof.witnessed import LogProof, read_proofs
from server.people import players
from server.settings import Settings, make_folder
from server.store import EventStore
from tests.releases import commands
from tests.support.clock import ManualClock
from tests.support.entropy import entropy_of_test
from tests.support.waiting import LIMIT_S, until


def phalera(*arguments: str, expected: int = 0) -> str:
    """What a command prints, beside the hosts and witnesses, which are the processes."""
    said = commands.phalera(*arguments)
    assert said.code == expected, (arguments, said)
    return said.out


class HostProcess:
    """A host in a data folder, which can be stopped and started again."""

    def __init__(self, folder: Path, name: str) -> None:
        self.folder, self.name = folder, name
        settings = Settings.at(folder, {}, host=name)
        make_folder(settings)
        with EventStore.open(settings.store()) as store:
            enrolled = players.enrol(ManualClock(), entropy_of_test(), "Ada", "ada@example.org")
            store.write_now(*enrolled.statements)
        self.token = enrolled.api_token
        self.address = ""
        self._process: subprocess.Popen[str] | None = None

    def start(self, ahead_s: int = 0) -> None:
        """Run the server, with a clock that is ahead, and wait until it says its address."""
        options = ["--data", str(self.folder), "--host", self.name, "--port", "0", "--no-mail", "--unlimited"]
        self._process = _started("serve", *options, ahead_s=ahead_s)
        self.address = _address(self._process)

    def stop(self) -> None:
        """End the server."""
        if self._process is not None:
            _ended(self._process)
            self._process = None

    @property
    def key(self) -> str:
        """The key of the host, once it has run."""
        return str(json.loads(phalera("host", "show", "--data", str(self.folder), "--json"))[0]["key"])

    def ask(self, path: str, body: Any = None, method: str = "") -> bytes:
        """An answer of the server."""
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        content = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.address + path, content, headers, method=method or None)
        with urllib.request.urlopen(request, timeout=LIMIT_S) as answer:
            return bytes(answer.read())

    def status(self, path: str) -> int:
        """The status of an answer."""
        try:
            self.ask(path)
        except urllib.error.HTTPError as refused:
            with refused:
                return refused.code
        return 200

    def value(self, path: str, body: Any = None) -> Any:
        """An answer as a value."""
        return json.loads(self.ask(path, body))

    def open_battle(self) -> str:
        """A battle whose sides are still to be taken."""
        return str(self.value("/api/v1/battles", {"scenario": "skirmish", "readers": "public"})["battle"])

    def go_on(self, battle: str) -> None:
        """Add to a battle: a bot takes the first side, and waits for the other."""
        head = self.value(f"/api/v1/battles/{battle}")["head"]
        self.value(f"/api/v1/battles/{battle}/sides/south", {"bot": "random", "seen": head})

    def fight(self, battle: str) -> None:
        """Let two bots fight a battle out."""
        for side in ("south", "north"):
            head = self.value(f"/api/v1/battles/{battle}")["head"]
            self.value(f"/api/v1/battles/{battle}/sides/{side}", {"bot": "random", "seen": head})
        until("the end of the battle", lambda: self.value(f"/api/v1/battles/{battle}")["winner"] is not None)

    def proof(self, battle: str) -> LogProof | None:
        """The proof of the newest head of a battle that the log has."""
        text = self.value(f"/api/v1/battles/{battle}/proof")["witnessed"]
        return read_proofs(text)[0] if text else None

    def cosigned(self, battle: str, witnesses: int, least_n: int = 1, least_size: int = 0) -> LogProof:
        """The same, once so many witnesses have signed a log of that size with that event in it."""

        def found() -> LogProof | None:
            proof = self.proof(battle)
            if proof is None or proof.entry.n < least_n or signatures_of(proof) < witnesses:
                return None
            return proof if size_of(proof) >= least_size else None

        return until("the cosignatures", found)

    def export(self, battle: str) -> bytes:
        """The battle file."""
        return self.ask(f"/api/v1/battles/{battle}/export")

    def n(self, battle: str) -> int:
        """The newest event of a battle."""
        return int(self.value(f"/api/v1/battles/{battle}")["n"])


def signatures_of(proof: LogProof) -> int:
    """How many witnesses have signed the checkpoint of a proof."""
    return proof.note.count("\N{EM DASH} ") - 1


def size_of(proof: LogProof) -> int:
    """The size of the log in the checkpoint of a proof."""
    return int(proof.note.split("\n")[1])


@contextmanager
def lone_witness(folder: Path, name: str, ahead_s: int = 0) -> Iterator[tuple[str, str]]:
    """A witness alone: its address and its key."""
    process = _started("witness", "serve", "--data", str(folder), "--name", name, "--port", "0", ahead_s=ahead_s)
    try:
        assert process.stdout is not None
        key = process.stdout.readline().strip()
        yield process.stdout.readline().strip(), key
    finally:
        _ended(process)


@contextmanager
def running(*hosts: HostProcess) -> Iterator[None]:
    """Hosts that run, and are stopped in the end."""
    try:
        for host in hosts:
            host.start()
        yield
    finally:
        for host in hosts:
            host.stop()


def status_of(address: str) -> int:
    """The status of an answer."""
    try:
        with urllib.request.urlopen(address, timeout=LIMIT_S) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as refused:
        return refused.code


def _started(*arguments: str, ahead_s: int = 0) -> "subprocess.Popen[str]":
    program = ("tests.support.ahead", str(ahead_s)) if ahead_s else ("server.cli",)
    return subprocess.Popen(
        [sys.executable, "-m", *program, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        cwd=os.getcwd(),
    )


def _address(process: "subprocess.Popen[str]") -> str:
    assert process.stdout is not None
    return process.stdout.readline().split()[-1]


def _ended(process: "subprocess.Popen[str]") -> None:
    process.terminate()
    process.wait(LIMIT_S)
    if process.stdout is not None:
        process.stdout.close()
