"""The rows follow the store by themselves."""

import logging
from contextlib import closing

from domain.log.record import first_hash, next_hash
from projections import lobby
from projections.database import ModelReader
from projections.follower import Follower
from projections.runner import ProjectionRunner
from server.store import Append, EventStore, Opening, StoreSettings
from tests.projections.played import MemoryLog, Played, at
from tests.support.waiting import LIMIT_S


def appended(store: EventStore, played: Played) -> int:
    """What is new in a battle goes into the store; gives the position."""
    head = store.head(played.battle)
    known = head.n if head else 0
    hashes = [first_hash(played.recording.header_line)]
    for line in played.lines:
        hashes.append(next_hash(hashes[-1], line))
    rows = [("event", line, hashes[n]) for n, line in enumerate(played.lines, 1)][known:]
    opens = None if head else Opening(played.recording.header_line, at(0), "public")
    return store.append_now(Append(played.battle, known, rows, opens=opens)).position


def test_the_rows_show_what_was_committed(tmp_path) -> None:
    played, path = Played("aaaaaaaa").begin(), tmp_path / "read" / "models.db"
    with (
        EventStore.open(StoreSettings(dbname=str(tmp_path / "store.db"))) as store,
        closing(ProjectionRunner(path, store)) as runner,
        Follower(runner, poll_s=7200) as follower,
        closing(ModelReader(path)) as reader,
    ):
        for _ in range(5):
            played.play(5)
            assert follower.wait_for(appended(store, played), LIMIT_S)
            entry = lobby.entry(reader, played.battle)
            assert entry is not None and entry.n == len(played.lines)
        assert follower.failure is None
        assert not follower.wait_for(store.position() + 1, 0.01)


def test_commits_of_others_are_found_by_looking(tmp_path) -> None:
    log, played = MemoryLog(), Played("aaaaaaaa").begin()
    with closing(ProjectionRunner(tmp_path / "models.db", log)) as runner, Follower(runner, poll_s=0.01) as follower:
        log.extend(played)
        with follower._moved:
            assert follower._moved.wait_for(lambda: follower._position == log.end, LIMIT_S)


def test_a_failure_is_told_and_overcome(tmp_path, monkeypatch, caplog) -> None:
    caplog.set_level(logging.CRITICAL)
    monkeypatch.setattr("projections.follower.AFTER_FAILURE_S", 0.01)
    log, played = MemoryLog(), Played("aaaaaaaa").begin()
    log.extend(played)
    failures, feed = [3], log.feed

    def fails(after_position: int, limit: int):
        if failures[0]:
            failures[0] -= 1
            raise OSError("gone for a moment")
        return feed(after_position, limit)

    log.feed = fails  # type: ignore[method-assign]
    with closing(ProjectionRunner(tmp_path / "models.db", log)) as runner, Follower(runner, poll_s=7200) as follower:
        assert follower.wait_for(log.end, LIMIT_S)
        assert follower.failure is None and failures == [0]
