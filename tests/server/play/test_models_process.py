"""The read models are kept up by a process of their own, and by another one if it dies."""

import io
import logging
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from subprocess import PIPE
from types import ModuleType

import pytest

from projections import lobby
from projections.database import ModelReader
from server.play import models_process, proof_process
from server.play.models_process import FollowerProcess, follow
from server.play.proof_process import ProofProcess
from server.play.tail_proof import ProofFault
from server.store import EventStore, StoreSettings
from server.store.apart import PLACE, environment_for, named_log
from tests.projections.played import Played
from tests.projections.test_follower import appended
from tests.support.postgres import cluster

LOG, MODELS = "store.db", "models.db"
TRIES = 20
"""Of a few seconds each: on a busy machine the process starts late."""


@pytest.fixture
def store(tmp_path: Path) -> Iterator[EventStore]:
    with EventStore.open(StoreSettings(dbname=str(tmp_path / LOG))) as store:
        yield store


@pytest.fixture
def in_database() -> Iterator[EventStore]:
    url = cluster().database()
    with EventStore.open(url) as store:
        yield store
    cluster().drop(url)


def test_where_a_database_is_stands_in_no_argument_of_a_process(tmp_path: Path) -> None:
    store = StoreSettings.at("postgresql://p:secret@db.example/games")
    for process in (FollowerProcess(store, tmp_path / MODELS), ProofProcess(store, tmp_path / MODELS, told)):
        assert "secret" not in " ".join(process._command)
        assert process._environment[PLACE] == store.dbname


async def told(fault: ProofFault) -> None:
    """Nobody is told."""


def test_a_log_in_a_database_is_followed_too(in_database: EventStore, tmp_path: Path) -> None:
    played = Played("aaaaaaaa").begin()
    position = appended(in_database, played)
    answers = io.StringIO()
    source = named_log(environment_for(in_database.settings))
    follow(source, tmp_path / MODELS, io.StringIO(f"{position}\n"), answers)
    assert answers.getvalue() == f"{position}\n"
    assert shown(tmp_path, played.battle) == len(played.lines)


def shown(folder: Path, battle: str) -> int:
    with closing(ModelReader(folder / MODELS)) as reader:
        entry = lobby.entry(reader, battle)
        return entry.n if entry else 0


def test_it_follows_as_long_as_it_is_asked(store: EventStore, tmp_path: Path) -> None:
    played = Played("aaaaaaaa").begin()
    position = appended(store, played)
    answers = io.StringIO()
    follow(
        named_log(environment_for(store.settings)), tmp_path / MODELS, io.StringIO(f"{position}\n{position}\n"), answers
    )
    assert answers.getvalue() == f"{position}\n{position}\n"
    assert shown(tmp_path, played.battle) == len(played.lines)


def test_a_file_that_cannot_be_opened_is_tried_again_with_each_question(
    store: EventStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A full disk at the start: SQLite cannot even switch its journal."""
    played = Played("aaaaaaaa").begin()
    position = appended(store, played)
    (tmp_path / MODELS).mkdir()

    said: list[str] = []

    def error(message: str, *given: object) -> None:
        said.append(message % given)
        if len(said) == 2:
            (tmp_path / MODELS).rmdir()

    monkeypatch.setattr(models_process._logger, "error", error)
    answers = io.StringIO()
    follow(named_log(environment_for(store.settings)), tmp_path / MODELS, io.StringIO(f"{position}\n" * 3), answers)
    assert answers.getvalue() == f"{position}\n"
    assert shown(tmp_path, played.battle) == len(played.lines)
    (tmp_path / "folder").mkdir()
    follow(named_log(environment_for(store.settings)), tmp_path / "folder", io.StringIO(f"{position}\n"), answers)
    assert answers.getvalue() == f"{position}\n"
    assert len(said) == 4 and all("the read models cannot be opened: unable to open" in line for line in said)


@pytest.mark.slow
def test_a_reader_sees_what_was_committed_before(
    store: EventStore, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.CRITICAL)
    played, process = Played("aaaaaaaa").begin(), FollowerProcess(store.settings, tmp_path / MODELS)
    process.start()
    try:
        position = appended(store, played)
        assert any(process.wait_for(position) for _ in range(TRIES))
        assert shown(tmp_path, played.battle) == len(played.lines)
        assert process._process is not None
        os.kill(process._process.pid, signal.SIGKILL)
        process._process.wait()
        played.play(5)
        assert not process.wait_for(appended(store, played))
        assert any(process.wait_for(store.position()) for _ in range(TRIES))
        assert shown(tmp_path, played.battle) == len(played.lines)
    finally:
        process.stop()
    assert not process.wait_for(0)


@pytest.mark.slow
@pytest.mark.parametrize("module", [models_process, proof_process], ids=lambda module: module.__name__)
def test_a_process_whose_server_was_killed_ends_without_a_traceback(
    store: EventStore, tmp_path: Path, module: ModuleType
) -> None:
    """Nobody reads what it says any more, and the questions that were asked are still in its input."""
    appended(store, Played("aaaaaaaa").begin())
    command = [sys.executable, "-m", module.__name__, str(tmp_path / MODELS), ""]
    env, (reading, writing) = environment_for(store.settings), os.pipe()
    os.close(reading)
    with subprocess.Popen(
        command, stdin=PIPE, stdout=writing, stderr=PIPE, cwd=models_process.HERE, env=env
    ) as process:
        os.close(writing)
        _, said = process.communicate(b"1\n" * 3)
    assert (process.returncode, said) == (0, b"")
