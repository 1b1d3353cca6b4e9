"""The read models are folded exactly once, whatever happens, and equal a fresh fold."""

import logging
import pickle
import random
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from domain.catalogue import RULESETS
from projections import lobby
from projections.catalogue import MODELS
from projections.database import Database, ModelReader, NotReady, Tracked
from projections.runner import BATCH, ProjectionRunner
from tests.projections.kept import all_rows, caught_up, refolded
from tests.projections.played import MemoryLog, Played

ROOT = Path(__file__).parents[2]


@pytest.mark.slow
def test_following_in_batches_gives_the_rows_of_a_rebuild(tmp_path, three_battles) -> None:
    log = MemoryLog()
    with closing(ProjectionRunner(tmp_path / "live.db", log)) as runner:
        assert runner.catch_up() == 0
        pick = random.Random(7)
        left = {played.battle: list(played.lines) for played in three_battles}
        while any(left.values()):
            battle = pick.choice([battle for battle, lines in left.items() if lines])
            for _ in range(pick.randint(1, 40)):
                if left[battle]:
                    log.append(battle, left[battle].pop(0))
            assert runner.catch_up() == log.end == runner.position()
        assert runner.unreadable() == []
        live = all_rows(tmp_path / "live.db")
        assert live == refolded(tmp_path / "anew.db", log)
        runner.rebuild()
        assert all_rows(tmp_path / "live.db") == live


@pytest.mark.slow
def test_more_battles_than_are_kept_at_hand(tmp_path, three_battles) -> None:
    log = MemoryLog()
    with closing(ProjectionRunner(tmp_path / "live.db", log, keep=1)) as runner:
        runner.catch_up()
        log.extend(*three_battles)
        runner.catch_up()
        assert log.reads > len(three_battles)
    assert all_rows(tmp_path / "live.db") == refolded(tmp_path / "anew.db", log)


def test_a_battle_is_read_whole_only_when_it_is_not_at_hand(tmp_path) -> None:
    log, played = MemoryLog(), Played("dddddddd").begin()
    with closing(caught_up(tmp_path / "live.db", log)) as runner:
        for _ in range(5):
            runner.catch_up()
            played.play(3)
            log.extend(played)
        runner.catch_up()
        assert log.reads == 0
    with closing(ProjectionRunner(tmp_path / "live.db", log)) as runner:
        played.play(3)
        log.extend(played)
        assert runner.catch_up() == log.end
        assert log.reads == 1


@pytest.mark.slow
def test_an_error_before_the_commit_leaves_old_rows_and_old_position(tmp_path, three_battles, monkeypatch) -> None:
    log, path = MemoryLog(), tmp_path / "live.db"
    with closing(caught_up(path, log)) as runner:
        log.extend(*three_battles)
        track, calls = Database.track, []

        def fails_once(database: Database, tracked: Tracked) -> None:
            track(database, tracked)
            calls.append(tracked)
            if len(calls) == 2:
                raise OSError("no space left")

        monkeypatch.setattr(Database, "track", fails_once)
        with pytest.raises(OSError, match="no space"):
            runner.catch_up()
        assert runner.position() == BATCH
        with closing(sqlite3.connect(path)) as other:
            assert other.execute("SELECT position FROM tracking").fetchone() == (BATCH,)
            shown = dict(other.execute("SELECT battle, n FROM lobby"))
        rows = log.feed(0, BATCH)
        assert shown == {battle: n for _, battle, n, _ in rows}
        assert runner.catch_up() == log.end
        assert all_rows(path) == refolded(tmp_path / "anew.db", log)


KILLED = """
import os, pickle, signal, sys
from projections.database import Database
from projections.runner import ProjectionRunner
from tests.projections.played import MemoryLog

path, lines, kill_at = sys.argv[1], pickle.load(open(sys.argv[2], "rb")), int(sys.argv[3])
log, calls, track = MemoryLog(), [], Database.track
runner = ProjectionRunner(path, log)
runner.catch_up()
for battle, line in lines:
    log.append(battle, line)

def killed(database, *args):
    track(database, *args)
    calls.append(1)
    if len(calls) == kill_at:
        os.kill(os.getpid(), signal.SIGKILL)

Database.track = killed
runner.catch_up()
"""


@pytest.mark.parametrize("kill_at", [1, 2, 3])
@pytest.mark.slow
def test_a_kill_between_rows_and_commit_loses_and_doubles_nothing(tmp_path, three_battles, kill_at) -> None:
    log, path = MemoryLog().extend(*three_battles), tmp_path / "live.db"
    lines = [(battle, line) for _, battle, _, line in log.feed(0, log.end)]
    (tmp_path / "lines").write_bytes(pickle.dumps(lines))
    arguments = [sys.executable, "-c", KILLED, str(path), str(tmp_path / "lines"), str(kill_at)]
    assert subprocess.run(arguments, cwd=ROOT, check=False).returncode == -signal.SIGKILL
    with closing(ProjectionRunner(path, log)) as runner:
        assert runner.position() == (kill_at - 1) * BATCH
        assert runner.catch_up() == log.end
    assert all_rows(path) == refolded(tmp_path / "anew.db", log)


def test_a_reader_never_sees_rows_without_their_position(tmp_path) -> None:
    log, played, path = MemoryLog(), Played("eeeeeeee").begin(), tmp_path / "live.db"
    with closing(caught_up(path, log)) as runner, closing(ModelReader(path)) as reader:
        for _ in range(20):
            played.play(2)
            log.extend(played)
            runner.catch_up()
            ((position, n),) = reader.rows("SELECT position, lobby.n FROM tracking, lobby")
            assert position == n == len(played.lines)


@pytest.mark.slow
def test_two_processes_have_files_of_their_own(tmp_path, three_battles) -> None:
    log = MemoryLog().extend(*three_battles)
    with closing(caught_up(tmp_path / "one.db", log)), closing(ProjectionRunner(tmp_path / "two.db", log)) as two:
        assert two.position() == 0
        two.catch_up()
        assert all_rows(tmp_path / "one.db") == all_rows(tmp_path / "two.db")


def test_two_runners_on_one_file_do_not_count_twice(tmp_path) -> None:
    log, played, path = MemoryLog(), Played("ffffffff").begin(), tmp_path / "live.db"
    with closing(caught_up(path, log)) as one, closing(caught_up(path, log)) as two:
        for runner in (one, two, two, one, one, two):
            played.play(4)
            log.extend(played)
            assert runner.catch_up() == log.end
    assert all_rows(path) == refolded(tmp_path / "anew.db", log)


@pytest.mark.slow
def test_another_schema_is_rebuilt_by_itself(tmp_path, three_battles) -> None:
    log, path = MemoryLog().extend(*three_battles), tmp_path / "live.db"
    newer = tuple(msgspec.structs.replace(model, version=model.version + 1) for model in MODELS)
    with closing(caught_up(path, log)) as runner:
        rows = all_rows(path)
    with closing(sqlite3.connect(path)) as other, other:
        other.execute("DELETE FROM draws")
    with closing(ProjectionRunner(path, log)) as runner:
        runner.catch_up()
        assert all_rows(path) != rows
    with closing(ProjectionRunner(path, log, newer)) as runner:
        assert runner.position() == 0
        assert runner.catch_up() == log.end
        assert all_rows(path) == rows


def test_a_log_restored_from_a_backup_is_rebuilt_by_itself(tmp_path, three_battles) -> None:
    path, (over, running, _) = tmp_path / "live.db", three_battles
    caught_up(path, MemoryLog().extend(over, running)).close()
    restored = MemoryLog().extend(over)
    restored.append(running.battle, *running.lines[:20])
    with closing(ProjectionRunner(path, restored)) as runner:
        assert runner.catch_up() == restored.end
    assert all_rows(path) == refolded(tmp_path / "anew.db", restored)


@pytest.mark.slow
def test_readers_keep_their_connection_over_a_rebuild(tmp_path, three_battles) -> None:
    log, path = MemoryLog().extend(*three_battles), tmp_path / "live.db"
    with closing(ModelReader(path)) as reader:
        with pytest.raises(NotReady):
            lobby.public(reader)
        with closing(ProjectionRunner(path, log)) as runner:
            with pytest.raises(NotReady):
                lobby.public(reader)
            runner.catch_up()
            before = lobby.entry(reader, "aaaaaaaa")
            assert before is not None
            told: list[tuple[int, int]] = []
            runner.rebuild(lambda done, total: told.append((done, total)))
            assert lobby.entry(reader, "aaaaaaaa") == before
            assert told[-1] == (log.end, log.end)
    assert not [file.name for file in tmp_path.iterdir() if ".new" in file.name]


@pytest.mark.slow
def test_a_rebuild_that_is_broken_off_leaves_the_old_rows(tmp_path, three_battles) -> None:
    log, path = MemoryLog().extend(*three_battles), tmp_path / "live.db"
    caught_up(path, log).close()
    rows = all_rows(path)
    newer = tuple(msgspec.structs.replace(model, version=model.version + 1) for model in MODELS)
    asked: list[bool] = []

    def after_two() -> bool:
        asked.append(True)
        return len(asked) > 2

    with closing(ProjectionRunner(path, log, newer)) as runner:
        assert runner.catch_up(after_two) == 0
        assert all_rows(path) == rows
        assert runner.catch_up() == log.end


def test_a_battle_that_cannot_be_read_stops_no_other(tmp_path, three_battles, caplog) -> None:
    caplog.set_level(logging.CRITICAL)
    log, path, (over, running, _) = MemoryLog(), tmp_path / "live.db", three_battles
    with closing(caught_up(path, log)) as runner:
        log.append("strange1", *(over.lines[0].replace(b'"ruleset":"tts"', b'"ruleset":"chess"'),))
        log.append("strange2", *over.lines[:10])
        log.append("strange2", over.lines[10].replace(b'"type":"', b'"type":"Un'))
        log.extend(running)
        assert runner.catch_up() == log.end
        assert runner.unreadable() == [("strange1", 1, "UnknownGame"), ("strange2", 11, "unknown-type")]
        with closing(ModelReader(path)) as reader:
            assert lobby.entry(reader, running.battle) is not None
        runner.rebuild()
        assert runner.unreadable() == [("strange1", 1, "UnknownGame"), ("strange2", 11, "unknown-type")]
    other = {**RULESETS, "chess": RULESETS["tts"]}
    with closing(ProjectionRunner(path, log, rulesets=other)) as runner:
        runner.catch_up()
        assert runner.unreadable() == [("strange2", 11, "unknown-type")]


def test_another_history_of_the_same_length_is_rebuilt_by_itself(tmp_path) -> None:
    path, one, other = tmp_path / "live.db", Played("aaaaaaaa", 1).begin(), Played("aaaaaaaa", 1).begin()
    one.order("south", "R1 ahead")
    other.order("south", "R1 left")
    length = min(len(one.lines), len(other.lines))
    for played in (one, other):
        log = MemoryLog()
        log.append("aaaaaaaa", *played.lines[:length])
        caught_up(path, log).close()
        assert all_rows(path) == refolded(tmp_path / f"{played is one}.db", log)


def test_a_log_that_cannot_be_read_for_a_moment_loses_nothing(tmp_path, monkeypatch) -> None:
    log, played, path = MemoryLog(), Played("aaaaaaaa").begin(), tmp_path / "live.db"
    log.extend(played)
    caught_up(path, log).close()
    played.play(3)
    log.extend(played)

    def unread(*_: object) -> list[bytes]:
        raise OSError("no such disk")

    with closing(ProjectionRunner(path, log)) as runner:
        with monkeypatch.context() as patched, pytest.raises(OSError, match="no such disk"):
            patched.setattr(log, "lines", unread)
            runner.catch_up()
        assert runner.unreadable() == []
        assert runner.catch_up() == log.end
    assert all_rows(path) == refolded(tmp_path / "anew.db", log)
