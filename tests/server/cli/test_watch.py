"""`phalera watch`: what it prints, remembers and exits with."""

import asyncio
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from replay.proof.notes import Signer
from server.cli.main import main
from server.witness import reading, watching
from tests.support.shown_logs import NAME, SIGNER, ShownLog, entry, many, shown
from tests.support.waiting import LIMIT_S


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A busy machine is slow, and no test here is about that."""
    monkeypatch.setattr(reading, "PATIENCE_S", LIMIT_S)
    monkeypatch.setattr(watching, "ROUND_S", LIMIT_S)


@pytest.fixture
def log(tmp_path: Path) -> ShownLog:
    made = ShownLog(tmp_path / "host")
    made.add(many(3))
    return made


async def watched(log: ShownLog, data: Path, *options: str) -> Result:
    """What the command does with a log that is served."""
    async with shown(log) as (_, address):
        arguments = ["watch", address, "--data", str(data), *options]
        return await asyncio.to_thread(CliRunner().invoke, main, arguments)


async def test_a_key_is_taken_once_on_the_hosts_word_and_kept(log: ShownLog, tmp_path: Path) -> None:
    first = await watched(log, tmp_path / "data")
    assert first.exit_code == 0
    assert "compare it with its operator" in first.stderr
    assert "alpha.test: 3 entries, 3 of them new; 3 battles asked after." in first.stdout
    log.add(many(1, 3))
    second = await watched(log, tmp_path / "data", "--quiet", "--key", SIGNER.key)
    assert (second.exit_code, second.stdout, second.stderr) == (0, "", "")


async def test_a_host_that_forks_is_told_each_time_until_it_is_forgotten(log: ShownLog, tmp_path: Path) -> None:
    key = ("--key", SIGNER.key)
    assert (await watched(log, tmp_path / "data", *key)).exit_code == 0
    other = ShownLog(tmp_path / "other")
    other.add(many(5, telling="another "))
    for shown_log in (other, log):
        found = await watched(shown_log, tmp_path / "data", *key, "--quiet")
        assert found.exit_code == 1
        assert "alpha.test: FORKED since " in found.stdout
    assert (tmp_path / "data/watch/alpha.test-3-5.fork").is_file()
    afresh = await watched(other, tmp_path / "data", *key, "--afresh", "--json")
    assert afresh.exit_code == 0
    (host,) = json.loads(afresh.stdout)
    assert (host["host"], host["size"], host["read"], host["alarms"]) == (NAME, 5, 5, [])


async def test_patience_says_when_a_missing_battle_is_an_alarm(log: ShownLog, tmp_path: Path) -> None:
    key = ("--key", SIGNER.key)
    del log.heads[entry("battle 1", 1).battle]
    patient = await watched(log, tmp_path / "data", *key)
    assert patient.exit_code == 0
    assert "alpha.test: vanished since " in patient.stdout
    assert "not for long yet" in patient.stdout
    assert (await watched(log, tmp_path / "data", *key, "--patience", "0")).exit_code == 1


async def test_a_host_that_is_away_has_a_code_of_its_own(log: ShownLog, tmp_path: Path) -> None:
    key = ("--key", SIGNER.key)
    assert (await watched(log, tmp_path / "data", *key)).exit_code == 0
    (log.folder / "tlog/checkpoint").unlink()
    found = await watched(log, tmp_path / "data", *key, "--patience", "0", "--quiet")
    assert (found.exit_code, found.stdout.startswith("alpha.test: SILENT since ")) == (3, True)


async def test_a_key_of_another_host_is_not_taken(log: ShownLog, tmp_path: Path) -> None:
    other = Signer("beta.test", bytes([8]) * 32)
    found = await watched(log, tmp_path / "data", "--key", other.key, "--quiet")
    assert (found.exit_code, "NOT-SIGNED" in found.stdout) == (1, True)


def test_a_host_that_nobody_knows_and_that_is_away_cannot_be_watched(tmp_path: Path) -> None:
    found = CliRunner().invoke(main, ["watch", "http://127.0.0.1:9", "--data", str(tmp_path)])
    assert found.exit_code == 1
    assert "is not known yet, and does not say its key" in found.stderr
