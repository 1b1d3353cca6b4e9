"""A host that forks, backdates or postdates a logged battle, as a process: what its log and its witness show."""

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from replay.proof.witnessed import LogProof
from tests.support.verdicts import WHILE_IT_RUNS
from tests.support.waiting import until
from tests.support.witnessing import HostProcess, lone_witness, phalera, signatures_of, size_of

pytestmark = [pytest.mark.slow, pytest.mark.long]
HOURS_S = 3 * 3600


class Watched(NamedTuple):
    """A host in a folder, a policy that believes one witness alone, and the folder of that witness."""

    host: HostProcess
    policy: Path
    witness: Path

    def kept(self, name: str, battle: bytes, proof: LogProof) -> Path:
        """A battle file that a player keeps, with its proof beside it."""
        path = self.policy.with_name(name)
        path.write_bytes(battle)
        path.with_name(f"{name}.proof").write_text(proof.text())
        return path

    def verify(self, file: Path, *options: str, expected: int = WHILE_IT_RUNS) -> str:
        """What `phalera verify --policy` prints, of a running battle."""
        return phalera("verify", str(file), "--policy", str(self.policy), *options, expected=expected)


def asked(host: HostProcess, folder: Path, address: str, key: str) -> None:
    """A host and a lone witness name each other."""
    phalera("witness", "add", host.name, host.key, "--data", str(folder))
    phalera("witness", "add", address, key, "--data", str(host.folder))


@pytest.fixture
def watched(tmp_path: Path) -> Iterator[Watched]:
    """A host that runs and asks a lone witness, which runs."""
    host = HostProcess(tmp_path / "alpha", "alpha.test")
    with lone_witness(tmp_path / "alone", "alone.test") as (address, key):
        host.start()
        try:
            asked(host, tmp_path / "alone", address, key)
            policy = tmp_path / "policy"
            policy.write_text(f"witness alone {key}\nquorum alone\n")
            yield Watched(host, policy, tmp_path / "alone")
        finally:
            host.stop()


def altered(folder: Path, file: str, *statements: str) -> None:
    """A host alters its own files, which its triggers would refuse."""
    with closing(sqlite3.connect(folder / file)) as db, db:
        for (trigger,) in db.execute("SELECT name FROM sqlite_master WHERE type='trigger'").fetchall():
            db.execute(f'DROP TRIGGER "{trigger}"')
        for statement in statements:
            db.execute(statement)


def name_of(host: HostProcess, battle: str) -> str:
    """The name of a battle in the log."""
    proof = host.cosigned(battle, 0)
    return proof.entry.battle


def put_back(folder: Path, copy: Path) -> None:
    """An old copy of a data folder takes its place."""
    shutil.rmtree(folder)
    shutil.copytree(copy, folder)


def test_a_host_that_tells_a_second_history_gets_no_signature_and_is_shown(watched: Watched, tmp_path: Path) -> None:
    host = watched.host
    battle = host.open_battle()
    host.cosigned(battle, witnesses=1)
    host.stop()
    shutil.copytree(host.folder, tmp_path / "before")
    host.start()
    host.go_on(battle)
    first = watched.kept("first.battle", host.export(battle), host.cosigned(battle, 1, host.n(battle)))
    assert "seen by 1 of 1 witnesses" in watched.verify(first)
    host.stop()

    put_back(host.folder, tmp_path / "before")
    host.start()  # as it is, Phalera asks its witnesses first, and signs nothing of its own any more
    listed = until("the witness that knows more", lambda: _that_knows_more(host))
    assert "knows more of this log than this folder" in listed
    host.stop()
    (asks,) = _rows(host.folder / "witness.db", "SELECT key, url, since_s FROM asked")
    altered(host.folder, "witness.db", "DELETE FROM asked")
    host.start()  # without witnesses a second history is logged
    host.go_on(battle)
    uncosigned = host.cosigned(battle, 0, host.n(battle))
    assert signatures_of(uncosigned) == 0
    second = watched.kept("second.battle", host.export(battle), uncosigned)
    assert "your policy is not met" in watched.verify(second, expected=1)
    assert "seen by 0 of 1 witnesses" in watched.verify(second, expected=1)
    shown = watched.verify(second, "--proof", f"{first}.proof", expected=1)
    assert "TWO HISTORIES: the host's log has another hash of this event" in shown
    phalera("witness", "add", asks[1], asks[0], "--data", str(host.folder))
    assert "knows more" in until("the witness that refuses", lambda: _that_knows_more(host))
    assert host.ask("/tlog/checkpoint").decode().count("\N{EM DASH} ") == 1


def test_a_host_that_backdates_is_shown_by_the_times_of_its_witness(tmp_path: Path) -> None:
    host = HostProcess(tmp_path / "alpha", "alpha.test")
    policy, folder = tmp_path / "policy", tmp_path / "alone"
    watched = Watched(host, policy, folder)
    try:
        with lone_witness(folder, "alone.test") as (address, key):
            policy.write_text(f"witness alone {key}\nquorum alone\n")
            host.start()
            asked(host, folder, address, key)
            battle = host.open_battle()
            first = host.cosigned(battle, 1)
            host.stop()
        with lone_witness(folder, "alone.test", HOURS_S) as (address, key):
            host.start(HOURS_S)
            asked(host, folder, address, key)
            host.open_battle()
            absent = host.cosigned(battle, 1, least_size=size_of(first) + 1)
            host.stop()
            host.start()  # three hours later it writes what it says was then
            host.fight(battle)
            late = host.cosigned(battle, 1, host.n(battle))
            file = watched.kept("x.battle", host.export(battle), late)
            absent_file = tmp_path / "absent.proof"
            absent_file.write_text(absent.text())
            shown = watched.verify(file, "--proof", f"{file}.proof", "--proof", str(absent_file), expected=0)
            assert f"Event {late.entry.n} says " in shown
            assert "but the log did not have it when witnesses signed it at" in shown
    finally:
        host.stop()


def test_a_host_that_postdates_is_refused_by_verify(watched: Watched) -> None:
    host = watched.host
    host.stop()
    host.start(HOURS_S)
    battle = host.open_battle()
    file = watched.kept("x.battle", host.export(battle), host.cosigned(battle, 1))
    shown = watched.verify(file, expected=1)
    assert "The event says " in shown
    assert "but witnesses had seen it by" in shown


def test_a_host_that_deletes_or_stops_a_battle_is_shown_to_who_watches(watched: Watched, tmp_path: Path) -> None:
    host = watched.host
    deleted, stopped = host.open_battle(), host.open_battle()
    name = name_of(host, deleted)
    kept = watched.kept("kept.battle", host.export(deleted), host.cosigned(deleted, 1))
    host.cosigned(stopped, 1)

    def watch(expected: int) -> str:
        options = ("--key", host.key, "--data", str(tmp_path / "watch"), "--patience", "0")
        return phalera("watch", host.address, *options, expected=expected)

    watch(0)
    host.stop()
    phalera("battle", "end", stopped, "--reason", "rain", "--data", str(host.folder))
    host.start()
    until("the entry of the stop", lambda: (proof := host.proof(stopped)) and proof.entry.what == "stopped")
    assert f"has stopped battle {name_of(host, stopped)}" in watch(0)
    host.stop()
    phalera("battle", "rm", deleted, "--yes", "--data", str(host.folder))
    host.start()
    assert host.status(f"/api/v1/battles/{deleted}") == 404
    shown = watch(1)
    assert "VANISHED" in shown and name in shown
    assert "seen by 1 of 1 witnesses" in watched.verify(kept)


def test_a_witness_that_was_removed_is_asked_no_more(watched: Watched) -> None:
    host = watched.host
    battle = host.open_battle()
    signed = host.cosigned(battle, 1)
    data = ("--data", str(host.folder))
    assert "is asked no longer" in phalera("witness", "remove", "alone.test/witness", *data)
    assert "asks" not in phalera("witness", "list", *data)
    phalera("witness", "remove", "alone.test/witness", *data, expected=1)
    host.go_on(battle)

    def checkpoint() -> str:
        found = host.ask("/tlog/checkpoint").decode()
        return found if int(found.split("\n")[1]) > size_of(signed) else ""

    newest = until("the log with more in it", checkpoint)
    assert newest.count("\N{EM DASH} ") == 1
    (watch,) = _rows(watched.witness / "witness.db", "SELECT size FROM logs")
    assert watch[0] == size_of(signed)


def _that_knows_more(host: HostProcess) -> str:
    """What `witness list` prints as soon as a witness knows more of the log than its host."""
    ((further,),) = _rows(host.folder / "tlog.db", "SELECT further FROM standing")
    return phalera("witness", "list", "--data", str(host.folder), expected=1) if further else ""


def _rows(path: Path, query: str) -> list[Any]:
    with closing(sqlite3.connect(path)) as db:
        return db.execute(query).fetchall()
