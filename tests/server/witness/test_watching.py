"""What a watch finds in the log of a host that forks, shrinks, stops, hides battles, or answers with anything."""

import asyncio
from base64 import b64decode
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest
from aiohttp import web

from domain.log.entries import STOPPED
from domain.log.merkle import is_consistent
from domain.log.tiles import WIDTH
from replay.proof.cosigned import Cosigner, read_checkpoint
from replay.proof.notes import Signer
from replay.proof.policy import WitnessPolicy, read_policy
from server.witness import reading, watching
from server.witness.host_log import log_key
from server.witness.reading import LogReader
from server.witness.watch_file import WatchFault, WatchFile
from server.witness.watch_report import WatchedHost, exit_of, watched_host
from server.witness.watching import LogWatch
from tests.support.looping import some
from tests.support.shown_logs import NAME, SIGNER, ShownLog, entry, many, shown
from tests.support.waiting import LIMIT_S

WITNESS = Cosigner("w.test/witness", bytes([6]) * 32)
PATIENCE_S = 3600


class Watching:
    """A watch with a clock that the test turns."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.now_s = folder, 1_900_000_000
        self.file = WatchFile(folder / "watch.db")
        self.policy: WitnessPolicy | None = None
        key = log_key(SIGNER.key)
        self.file.name(key.name, key.text(), "")

    async def look(self, log: ShownLog) -> WatchedHost:
        known = self.file.log(f"{NAME}/phalera", "")
        assert known is not None
        async with shown(log) as (session, address):
            watch = LogWatch(self.file, self.folder, LogReader(session, address), lambda: self.now_s, self.policy)
            looked = await watch.look(known)
            return watched_host(looked, self.file.faults(known.origin), self.now_s, PATIENCE_S)

    async def whats(self, log: ShownLog) -> list[str]:
        """What is wrong, in capitals if it is due."""
        found = await self.look(log)
        return [one.what.upper() if one.is_due else one.what for one in found.alarms]


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A busy machine is slow, and no test is about that unless it says so."""
    monkeypatch.setattr(reading, "PATIENCE_S", LIMIT_S)
    monkeypatch.setattr(watching, "ROUND_S", LIMIT_S)


@pytest.fixture
async def watch(tmp_path: Path) -> AsyncIterator[Watching]:
    made = Watching(tmp_path)
    yield made
    made.file.close()


@pytest.fixture
def log(tmp_path: Path) -> ShownLog:
    return ShownLog(tmp_path / "host")


async def test_a_log_that_grows_is_followed_entry_by_entry(watch: Watching, log: ShownLog) -> None:
    for first, count in some([(0, 1), (1, 254), (255, 2), (257, 300), (557, 1)]):
        log.add(many(count, first))
        found = await watch.look(log)
        assert (found.size, found.read, found.alarms, found.exit) == (first + count, count, (), 0)
        assert list(found.lines(is_quiet=True)) == []
        told = f"alpha.test: {first + count} entries, {count} of them new; {found.asked} battles asked after."
        assert list(found.lines(is_quiet=False)) == [told]


async def test_a_long_log_is_read_in_parts(watch: Watching, log: ShownLog, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watching, "BATCH", WIDTH)
    monkeypatch.setattr(watching, "MOST_BATCHES", 2)
    log.add(many(3 * WIDTH + 5))
    first = await watch.look(log)
    assert (first.size, first.read, first.asked, first.alarms) == (0, 2 * WIDTH, 0, ())
    second = await watch.look(log)
    assert (second.size, second.read, second.asked) == (3 * WIDTH + 5, WIDTH + 5, 50)


@pytest.mark.parametrize(("before", "after"), [(1, 2), (4, 9), (255, 256), (256, 600), (300, 301), (300, 300)])
async def test_a_fork_is_shown_with_what_proves_it(
    watch: Watching, log: ShownLog, tmp_path: Path, before: int, after: int
) -> None:
    log.add(many(before))
    assert await watch.whats(log) == []
    other = ShownLog(tmp_path / "other")
    other.add(many(after, telling="another "))
    found = await watch.look(other)
    assert [one.what for one in found.alarms] == ["forked"]
    assert (found.exit, found.size) == (1, 0)
    (line,) = found.lines(is_quiet=True)
    assert line.startswith("alpha.test: FORKED since 2030-03-17 17:46 UTC: it has signed a log of ")
    key = log_key(SIGNER.key)
    first, second, proof = _evidence(tmp_path / f"alpha.test-{before}-{after}.fork")
    old, new = (read_checkpoint(note, key) for note in (first, second))
    assert (old.size, new.size) == (before, after)
    prefix, *hashes = proof or [b""]
    assert before == after or is_consistent(before, after, prefix, new.root, hashes)
    assert prefix != old.root
    assert before < after or new.root != old.root
    assert await watch.whats(log) == ["FORKED"]  # for ever, whatever it shows afterwards


def _evidence(path: Path) -> tuple[str, str, list[bytes]]:
    """The two checkpoints in a file of a fork, and the hashes behind them."""
    notes = path.read_text().split(f"{NAME}/phalera\n")[1:]
    *_, hashes = notes[1].partition("\n\n")[2].partition("\n")
    first, second = (f"{NAME}/phalera\n{each}" for each in notes)
    signed = second[: second.index("\n", second.index("\N{EM DASH} ")) + 1]
    return (
        first.removesuffix("\n") if first.endswith("\n\n") else first,
        signed,
        [b64decode(each) for each in hashes.split("\n") if each],
    )


async def test_a_log_that_shrinks_is_shown_until_it_is_back(watch: Watching, log: ShownLog, tmp_path: Path) -> None:
    older = ShownLog(tmp_path / "older")
    older.add(many(300))
    log.add(many(300))
    log.add(many(50, 300))
    assert await watch.whats(log) == []
    assert await watch.whats(older) == ["SHRUNK"]
    assert watch.file.faults(f"{NAME}/phalera")[0].said == "its log has 300 entries, and had 350"
    assert await watch.whats(log) == []


async def test_a_host_that_is_away_is_told_after_a_while(watch: Watching, log: ShownLog) -> None:
    log.add(many(3))
    assert await watch.whats(log) == []
    log.answers["/"] = lambda _: web.Response(status=503)
    assert await watch.whats(log) == ["silent"]
    watch.now_s += PATIENCE_S - 1
    assert await watch.whats(log) == ["silent"]
    watch.now_s += 1
    found = await watch.look(log)
    assert found.exit == 3
    assert list(found.lines(is_quiet=True)) == ["alpha.test: SILENT since 2030-03-17 17:46 UTC: it answers with 503."]
    log.answers.clear()
    assert await watch.whats(log) == []


async def test_a_battle_that_vanishes_is_told_unless_the_log_says_that_it_was_stopped(
    watch: Watching, log: ShownLog
) -> None:
    log.add(many(3))
    gone, stopped = entry("battle 0", 1), entry("battle 1", 1, what=STOPPED)
    assert await watch.whats(log) == []
    for each in (gone, stopped):
        del log.heads[each.battle]
    assert await watch.whats(log) == ["vanished", "vanished"]
    watch.now_s += PATIENCE_S
    log.add([stopped])
    del log.heads[stopped.battle]
    found = await watch.look(log)
    assert [(one.what, one.battle, one.is_due) for one in found.alarms] == [("vanished", gone.battle, True)]
    assert (found.exit, found.stopped) == (1, (stopped.battle,))


async def test_a_host_that_logs_no_more_is_told(watch: Watching, log: ShownLog) -> None:
    log.add(many(2))
    first = entry("battle 0", 1)
    log.heads[first.battle] = (5, "0" * 64)
    assert await watch.whats(log) == ["unlogged"]
    watch.now_s += PATIENCE_S
    log.add([entry("battle 0", 5)])  # what was missing has come; more has been shown since
    log.heads[first.battle] = (7, "0" * 64)
    assert await watch.whats(log) == ["unlogged"]
    watch.now_s += PATIENCE_S
    found = await watch.look(log)
    assert [(one.what, one.is_due) for one in found.alarms] == [("unlogged", True)]
    assert found.exit == 1


@pytest.mark.parametrize("head", [(3, "0" * 64), (2, "1" * 64)])
async def test_a_host_that_shows_another_battle_than_it_logged_is_told(
    watch: Watching, log: ShownLog, head: tuple[int, str]
) -> None:
    log.add([entry("battle 0", 3)])
    log.heads[entry("battle 0", 3).battle] = head
    assert await watch.whats(log) == ["DIFFERS"]


@pytest.mark.parametrize("second", [entry("battle 0", 3, "another "), entry("battle 0", 2)])
async def test_a_log_that_tells_a_battle_twice_is_told(watch: Watching, log: ShownLog, second: object) -> None:
    log.add([entry("battle 0", 3)])
    log.add([second])  # type: ignore[list-item]
    log.add([entry("battle 0", 4)])
    assert await watch.whats(log) == ["RETOLD"]
    assert await watch.whats(log) == ["RETOLD"]


async def test_a_log_that_another_key_signs_is_told(watch: Watching, log: ShownLog, tmp_path: Path) -> None:
    other = ShownLog(tmp_path / "other", Signer(NAME, bytes([7]) * 32))
    other.add(many(2))
    assert await watch.whats(other) == ["NOT-SIGNED"]
    log.add(many(2))
    assert await watch.whats(log) == []


async def test_a_log_that_no_believed_witness_signs_is_told_after_a_day(watch: Watching, log: ShownLog) -> None:
    watch.policy = read_policy(f"witness w {WITNESS.key.text()}\nquorum w\n")
    log.add(many(2))
    assert await watch.whats(log) == ["unsigned"]
    watch.now_s += 24 * PATIENCE_S
    found = await watch.look(log)
    assert [(one.what, one.is_due) for one in found.alarms] == [("unsigned", True)]
    assert found.exit == 3
    newest = log.file.newest(log.log.origin)
    assert newest is not None
    line = WITNESS.line(newest.note.partition("\n\n")[0] + "\n", watch.now_s) + "\n"
    assert log.log.take_cosignature(2, newest.note, line, WITNESS.key)
    assert await watch.whats(log) == []


def _replaced(content: bytes) -> Callable[[web.Request], web.Response]:
    return lambda _: web.Response(body=content)


async def _slow(_: web.Request) -> web.Response:
    await asyncio.sleep(3600)
    return web.Response()


async def _huge(request: web.Request) -> web.StreamResponse:
    answer = web.StreamResponse()
    await answer.prepare(request)
    while True:  # until the reader goes
        await answer.write(b"x" * 65536)


HOSTILE: dict[str, Callable[[web.Request], web.Response | Awaitable[web.StreamResponse]]] = {
    "empty": _replaced(b""),
    "bytes": _replaced(b"\xff\x00" * 100),
    "nesting": _replaced(b"[" * 1000),
    "slow": _slow,
    "huge": _huge,
    "redirect": lambda _: web.Response(status=302, headers={"Location": "/"}),
}


@pytest.mark.parametrize("path", ["/tlog/checkpoint", "/tlog/tile/entries", "/tlog/tile/0", "/api/v1/logged"])
@pytest.mark.parametrize("kind", HOSTILE)
async def test_no_answer_of_a_host_is_believed(
    watch: Watching, log: ShownLog, path: str, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    log.add(many(2))
    assert await watch.whats(log) == []
    log.add(many(2, 2))
    monkeypatch.setattr(reading, "PATIENCE_S", 0.2 if kind == "slow" else LIMIT_S)
    log.answers[path] = HOSTILE[kind]
    expected = {
        ("/tlog/checkpoint", "empty"): ["NOT-SIGNED"],
        ("/tlog/checkpoint", "nesting"): ["NOT-SIGNED"],
        ("/tlog/tile/entries", "empty"): ["broken"],
        ("/tlog/tile/0", "bytes"): ["broken"],
        ("/tlog/tile/0", "nesting"): ["broken"],
        ("/api/v1/logged", "redirect"): ["vanished"] * 4,
    }
    assert await watch.whats(log) == expected.get((path, kind), ["silent"])
    monkeypatch.setattr(reading, "PATIENCE_S", LIMIT_S)
    log.answers.clear()
    assert await watch.whats(log) == []
    assert watch.file.log(f"{NAME}/phalera", "").followed == 4  # type: ignore[union-attr]


async def test_entries_that_are_not_those_of_the_checkpoint_are_not_kept(
    watch: Watching, log: ShownLog, tmp_path: Path
) -> None:
    other = ShownLog(tmp_path / "other")
    other.add(many(4, telling="another "))
    log.add(many(4))
    bundle = (other.folder / "tlog/tile/entries/000.p/4").read_bytes()
    log.answers["/tlog/tile/entries"] = _replaced(bundle)
    assert await watch.whats(log) == ["broken"]
    log.answers.clear()
    assert await watch.whats(log) == []
    assert watch.file.battle(f"{NAME}/phalera", entry("battle 0", 1).battle) == entry("battle 0", 1)


async def test_tiles_that_lead_nowhere_prove_no_fork(watch: Watching, log: ShownLog) -> None:
    log.add(many(3))
    assert await watch.whats(log) == []
    log.add(many(3, 3))
    log.answers["/tlog/tile/0"] = _replaced(bytes(6 * 32))
    assert await watch.whats(log) == ["broken"]
    watch.now_s += PATIENCE_S
    assert (await watch.look(log)).exit == 3


async def test_a_tile_that_became_whole_meanwhile_is_read_whole(watch: Watching, log: ShownLog) -> None:
    log.add(many(250))
    old = (log.folder / "tlog/checkpoint").read_bytes()
    log.add(many(10, 250))
    log.answers["/tlog/checkpoint"] = _replaced(old)
    assert not (log.folder / "tlog/tile/0/000.p").exists()
    found = await watch.look(log)
    assert (found.size, found.alarms) == (250, ())


async def test_two_watches_of_one_file_do_not_disturb_each_other(watch: Watching, log: ShownLog) -> None:
    log.add(many(600))
    found = await asyncio.gather(*(watch.look(log) for _ in range(4)))
    assert 600 in {one.size for one in found}
    assert await watch.whats(log) == []


def test_the_worst_host_gives_the_exit_code() -> None:
    def host(*whats: str) -> WatchedHost:
        faults = [WatchFault(what, 0, "it is so") for what in whats]
        return watched_host(watching.WatchRound("x"), faults, 10**9, 3600)

    assert exit_of([host(), host()]) == 0
    assert exit_of([host(), host("silent"), host("unsigned", "broken")]) == 3
    assert exit_of([host("silent"), host("silent", "vanished")]) == 1
