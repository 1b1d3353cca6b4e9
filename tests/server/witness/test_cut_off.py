"""Killed before any step, a host goes on with the log it has shown, and a witness signs one history."""

import threading
from base64 import b64encode
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import pytest

from domain.log import merkle
from domain.log.entries import LogEntry
from domain.log.tiles import tile_path, tiles_of
from replay.proof import chain
from replay.proof.cosigned import Cosigner, cosigned_times, read_checkpoint
from replay.proof.notes import Signer
from replay.writing.in_memory import OfflineBattle
from server.store import Append, EventStore, Opening
from server.witness.alone import answered
from server.witness.host_log import HostLog, log_key
from server.witness.log_file import LogFile
from server.witness.state import WitnessFile
from tests.support.cut_off import killed_before
from tests.support.looping import some
from tests.support.shown_logs import ShownLog, many
from tests.support.tiny import ended_battle, played_battle

pytestmark = pytest.mark.slow
HOST = Signer("alpha.test", bytes([5]) * 32)
KEY = log_key(HOST.key)
WITNESS = Cosigner("w.test/witness", bytes([6]) * 32)
NOW = "2027-03-01T12:00:00.000Z"


def now_s() -> int:
    return 1_900_000_000


def add_battle(store: EventStore, battle: OfflineBattle) -> None:
    """A battle of this host, event by event as it was recorded."""
    recording, log = battle.recording, chain.open_file(battle.file())
    lines = zip(battle.events(), log.lines, log.hashes[1:], strict=True)
    rows = [(one.type, line, hash_) for one, line, hash_ in lines]
    opens = Opening(recording.header_line, recording.header.created, "public")
    store.append_now(Append(recording.gid, 0, rows, opens=opens))


def follow(folder: Path) -> None:
    """What a server does with its log, once."""
    with EventStore.open(folder / "log.db") as store:
        file = LogFile(folder / "tlog.db")
        HostLog(folder, file, HOST, lambda: NOW).follow(store)
        file.close()


def entries_of(folder: Path) -> list[LogEntry]:
    file = LogFile(folder / "tlog.db")
    rows = file._db.execute("SELECT battle, hash, n, what FROM entries ORDER BY place").fetchall()
    file.close()
    return [LogEntry(*row) for row in rows]


def shown_root(folder: Path) -> tuple[int, bytes] | None:
    """The checkpoint that a host shows. Its tiles are there, too."""
    path = folder / "tlog" / "checkpoint"
    if not path.exists():
        return None
    found = read_checkpoint(path.read_text(), KEY)
    for tile in tiles_of(found.size):
        assert (folder / "tlog" / tile_path(tile)).exists()
    return found.size, found.root


@pytest.mark.long
def test_a_host_that_is_killed_at_any_step_goes_on_with_the_same_log(tmp_path: Path) -> None:
    battles = [ended_battle("one"), played_battle("two")]
    whole = tmp_path / "whole"
    whole.mkdir()
    with EventStore.open(whole / "log.db") as store:
        for battle in battles:
            add_battle(store, battle)
    follow(whole)
    expected = entries_of(whole)
    leaves = [merkle.leaf_hash(one.content()) for one in some(expected)]
    step, was_killed = 0, True
    while was_killed:
        step += 1
        folder = tmp_path / str(step)
        folder.mkdir()
        with EventStore.open(folder / "log.db") as store:
            add_battle(store, battles[0])
        follow(folder)
        with EventStore.open(folder / "log.db") as store:
            add_battle(store, battles[1])
        was_killed = killed_before(step, partial(follow, folder))
        shown = shown_root(folder)
        assert shown is not None
        follow(folder)
        assert entries_of(folder) == expected
        for size, root in (shown, shown_root(folder) or (0, b"")):
            assert root == merkle.root_of_leaves(leaves[:size])
        assert shown_root(folder) == (len(leaves), merkle.root_of_leaves(leaves))
    assert step > 20


class Asked:
    """A log whose checkpoints a witness is asked to sign, and another one of the same name and key."""

    def __init__(self, folder: Path) -> None:
        self.first, self.second = ShownLog(folder / "first"), ShownLog(folder / "second")
        self.first.add(many(3))
        self.second.add(many(3))
        self.first.add(many(4, 3))
        self.second.add(many(5, 3, "another "))

    @staticmethod
    def body(log: ShownLog, old: int, size: int) -> bytes:
        """The request of a log to sign the checkpoint of a size."""
        (note,) = [one.note for one in log.file.signed(log.log.origin) if one.size == size]
        proof = merkle.consistency_proof(old, size, log.file.node)
        lines = "".join(b64encode(each).decode() + "\n" for each in proof)
        return f"old {old}\n{lines}\n{note}".encode()


def watch(folder: Path) -> Path:
    """The file of a witness that watches the log."""
    folder.mkdir()
    file = WitnessFile(folder / "witness.db")
    file.watch(KEY)
    file.close()
    return folder / "witness.db"


def signed(path: Path, body: bytes, answer: Path) -> None:
    """A witness signs, and its answer leaves it."""
    file = WitnessFile(path)
    found = answered(body, file, WITNESS, now_s)
    answer.write_text(f"{found.status} {found.text}")
    file.close()


def test_a_witness_that_is_killed_at_any_step_signs_one_history(tmp_path: Path) -> None:
    asked = Asked(tmp_path)
    step, was_killed, unanswered = 0, True, 0
    while was_killed:
        step += 1
        path, answer = watch(tmp_path / str(step)), tmp_path / f"{step}.answer"
        signed(path, asked.body(asked.first, 0, 3), tmp_path / "before")
        body = asked.body(asked.first, 3, 7)
        was_killed = killed_before(step, partial(signed, path, body, answer))
        unanswered += not answer.exists()
        second = tmp_path / f"{step}.second"
        signed(path, asked.body(asked.second, 3, 8), second)
        statuses = [one.read_text()[:3] for one in (answer, second) if one.exists()]
        assert statuses.count("200") <= 1
        assert statuses != ["409", "200"]
        if answer.exists():
            assert statuses == ["200", "409"]
    assert step > 5
    assert unanswered > 3


def ask(body: bytes, file: WitnessFile, begin: threading.Barrier) -> int:
    """The status of an answer to one of many requests at once."""
    begin.wait()
    return answered(body, file, WITNESS, now_s).status


def test_of_two_histories_at_once_a_witness_signs_one(tmp_path: Path) -> None:
    asked = Asked(tmp_path)
    bodies = [asked.body(asked.first, 3, 7), asked.body(asked.second, 3, 8)] * 8
    for round_ in range(5):
        path = watch(tmp_path / f"round {round_}")
        signed(path, asked.body(asked.first, 0, 3), tmp_path / "before")
        files = [WitnessFile(path), WitnessFile(path)]  # two processes have a connection each
        begin = threading.Barrier(len(bodies))
        with ThreadPoolExecutor(len(bodies)) as pool:
            asks = [pool.submit(ask, body, files[at % 3 % 2], begin) for at, body in enumerate(bodies)]
        found = [(at % 2, one.result()) for at, one in enumerate(asks)]
        winners = {which for which, status in found if status == 200}
        assert len(winners) == 1
        assert {status for _, status in found} == {200, 409}
        for file in files:
            file.close()


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"old 0\n\n",
        b"old -1\n\nx",
        b"old 99999999999999999999\n\nx",
        b"\xff\xfe",
        b"old 0\n" + b"A" * 44 + b"\n\nx",
        b"old 0\n\n" + b"x" * 65536,
        b"old 0\n" + (b64encode(bytes(32)) + b"\n") * 64 + b"\nx",
        b"old 0\n\n" + b"[" * 50_000,
    ],
    ids=range(9),
)
def test_a_request_that_is_none_is_refused(tmp_path: Path, body: bytes) -> None:
    file = WitnessFile(watch(tmp_path / "w"))
    assert answered(body, file, WITNESS, now_s).status == 400
    assert file.watched()[0].size == 0
    file.close()


def test_what_a_witness_refuses_leaves_its_state(tmp_path: Path) -> None:
    asked = Asked(tmp_path)
    file = WitnessFile(watch(tmp_path / "w"))
    body = asked.body(asked.first, 0, 3)
    other_key = ShownLog(tmp_path / "key", Signer("alpha.test", bytes([9]) * 32))
    other_name = ShownLog(tmp_path / "name", Signer("beta.test", bytes([5]) * 32))
    for log in (other_key, other_name):
        log.add(many(3))
    answers = [
        (asked.body(other_key, 0, 3), 403),
        (asked.body(other_name, 0, 3), 404),
        (asked.body(asked.first, 3, 7), 409),
        (body, 200),
        (body, 409),
        (asked.body(asked.first, 3, 7).replace(b"old 3\n", b"old 3\n" + b64encode(bytes(32)) + b"\n"), 422),
        (asked.body(asked.second, 3, 8).replace(b"alpha.test/phalera\n8", b"alpha.test/phalera\n2"), 403),
        (asked.body(asked.first, 3, 7), 200),
    ]
    found = [answered(given, file, WITNESS, now_s) for given, _ in answers]
    assert [one.status for one in found] == [status for _, status in answers]
    assert [one.text for one in found if one.is_size] == ["0\n", "3\n"]
    (note,) = [one.note for one in asked.first.file.signed(asked.first.log.origin) if one.size == 7]
    assert list(cosigned_times(note + found[-1].text, WITNESS.key)) == [now_s()]
    assert file.watched()[0].size == 7
    file.close()


def test_a_store_that_was_put_back_alone_is_followed_from_where_it_is_and_said(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with EventStore.open(tmp_path / "log.db") as store:
        add_battle(store, played_battle("one"))
    follow(tmp_path)
    copy = (tmp_path / "log.db").read_bytes()
    with EventStore.open(tmp_path / "log.db") as store:
        add_battle(store, played_battle("two"))
    follow(tmp_path)
    before = entries_of(tmp_path)
    (tmp_path / "log.db").write_bytes(copy)
    follow(tmp_path)  # at the start of the server
    assert entries_of(tmp_path) == before and "the store lacks" in caplog.text
    caplog.clear()
    with EventStore.open(tmp_path / "log.db") as store:
        add_battle(store, played_battle("three"))
    follow(tmp_path)
    after = entries_of(tmp_path)
    assert after[: len(before)] == before and len(after) > len(before)
    assert caplog.text == ""
