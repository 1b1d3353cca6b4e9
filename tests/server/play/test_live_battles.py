"""Battles leave the memory when it is full, come back from snapshots, and are the same as ever."""

import asyncio
import gc
import sqlite3
import tomllib
import weakref
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from domain.basics.data import scenario_text
from domain.basics.errors import Refusal
from domain.engine.state import SIDES
from domain.events.battle import Seen
from domain.log.keys import HostKeys
from domain.run import inputs
from domain.run.inputs import Phrase
from replay.proof.verify import verify
from replay.writing.recording import Recording
from server.limits import UNLIMITED
from server.people.players import Player
from server.play import snapshots as module
from server.play.live_battle import LiveBattle
from server.play.live_battles import LiveBattles
from server.play.recalling import recall
from server.play.request import OrderRequest
from server.play.seating import take_side
from server.play.snapshots import FILE
from server.running import Server
from server.settings import Settings, make_folder
from server.store import EventStore
from server.web.api.battles import view_of
from server.web.api.log import battle_file
from tests.support.clock import ManualClock
from tests.support.entropy import entropy_of_test
from tests.support.waiting import eventually

PHRASE = "sixteen bytes of chance"


class Folder:
    """A data folder, and the servers that run on it one after another."""

    def __init__(self, path: Path) -> None:
        self.settings = Settings.at(path, {}, synchronous="NORMAL", limits=UNLIMITED)
        self.entropy = entropy_of_test()
        make_folder(self.settings)

    @asynccontextmanager
    async def server(self, **settings: Any) -> AsyncIterator[Server]:
        """A server that ends in order."""
        chosen = replace(self.settings, **settings)
        with EventStore.open(chosen.store()) as store:
            server = Server(chosen, ManualClock(), self.entropy, store)
            yield server
            await server.close()

    def kept(self) -> dict[str, bytes]:
        """The snapshots by battle."""
        with closing(sqlite3.connect(self.settings.read_models / FILE)) as db:
            return dict(db.execute("SELECT battle, content FROM kept"))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Folder:
    """A folder whose servers make a snapshot every few events."""
    monkeypatch.setattr(module, "EVERY", 10)
    return Folder(tmp_path)


async def begun(server: Server) -> str:
    """A battle between Ann and Ben."""
    live = await server.battles.open("tts", tomllib.loads(scenario_text("tts", "skirmish")), "public")
    for side in SIDES:
        phrase = Phrase(PHRASE, "api", live.recording.newest_head())
        await take_side(live, side, Player(side, side), mode="plain", phrase=phrase)
    return live.id


async def ordered(server: Server, battle: str, orders: int = 1) -> LiveBattle:
    """So many orders of whoever is to move."""
    for _ in range(orders):
        live = await server.battles.get(battle)
        side = live.to_act()[0]
        given = OrderRequest(battle, side, side, "api", "end turn", PHRASE, seen=live.recording.newest_head())
        answer = await server.play.orders(given)
        assert answer.refused is None
    return await server.battles.get(battle)


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many rows each reading of a battle gave."""
    found: list[int] = []
    read = EventStore.read

    def counted(store: EventStore, battle: str, after: int = 0, limit: int | None = None) -> Any:
        rows = read(store, battle, after, limit)
        found.append(len(rows))
        return rows

    monkeypatch.setattr(EventStore, "read", counted)
    return found


async def require_whole(server: Server, battle: str) -> None:
    """The battle in memory is the fold of its log, and its file holds."""
    live = await server.battles.get(battle)
    folded = recall(server.store, battle, server.battles.ruleset, lambda: bytes(32))
    assert folded is not None
    assert folded.position == live.recording.position
    report = verify(await battle_file(server, live))
    assert report.fault is None, report


async def test_an_order_in_a_battle_that_is_not_in_memory_reads_its_newest_events(
    folder: Folder, reads: list[int]
) -> None:
    async with folder.server() as server:
        battle = await begun(server)
        n = (await ordered(server, battle, 12)).n
    assert n > 4 * module.EVERY
    assert folder.kept().keys() == {battle}
    async with folder.server() as server:
        live = await ordered(server, battle)
        assert live.recording.timeline.missing > n - 2 * module.EVERY
        assert sum(reads) < 2 * module.EVERY, "more than the events since the snapshot"
        await live.remember()
        assert live.recording.timeline.missing == 0
        assert live.recording.timeline.at(3).n == 3
        await require_whole(server, battle)


async def test_an_order_that_answers_an_old_head_is_taken(folder: Folder) -> None:
    async with folder.server() as server:
        live = await ordered(server, await begun(server), 2)
        battle, old = live.id, live.recording.newest_head()
        await ordered(server, battle, 10)
    async with folder.server() as server:
        live = await server.battles.get(battle)
        assert old is not None
        assert old.n <= live.recording.timeline.missing
        assert live.recording.head_beginning(old.hash[:16]) == old
        live.recording.require_own_head(old)
        with pytest.raises(Refusal):
            live.recording.require_own_head(Seen("00" * 32, old.n))
        assert live.recording.timeline.missing, "its hash is read, and nothing is folded"


async def test_the_view_of_a_battle_folds_no_past(folder: Folder) -> None:
    async with folder.server() as server:
        battle = (await ordered(server, await begun(server), 12)).id
    async with folder.server() as server:
        live = await server.battles.get(battle)
        assert view_of(server, live, None).n == live.n
        assert live.recording.timeline.missing


@pytest.mark.slow
async def test_a_server_that_was_killed_goes_on_from_the_snapshot_before(folder: Folder) -> None:
    async with folder.server() as server:
        battle = await begun(server)
        await ordered(server, battle, 8)
    older = folder.kept()
    async with folder.server() as server:
        n = (await ordered(server, battle, 8)).n
    with closing(
        sqlite3.connect(folder.settings.read_models / FILE)
    ) as db:  # as if those behind it had not been written
        db.execute("UPDATE kept SET content=?", (older[battle],))
        db.commit()
    async with folder.server() as server:
        assert (await server.battles.get(battle)).n == n
        assert (await ordered(server, battle)).n > n
        await require_whole(server, battle)


@pytest.mark.slow
async def test_a_snapshot_that_the_store_does_not_know_is_ignored(folder: Folder) -> None:
    """A store that was restored from a backup is behind it, or has gone on otherwise."""
    async with folder.server() as server:
        battle = await begun(server)
        await ordered(server, battle, 4)
        server.store.backup(folder.settings.data / "copy.db")
        await ordered(server, battle, 8)
    ahead = folder.kept()[battle]
    for pattern in ("log.db", "log.db-wal", "log.db-shm"):
        (folder.settings.data / pattern).unlink(missing_ok=True)
    (folder.settings.data / "copy.db").rename(folder.settings.log)
    async with folder.server() as server:
        live = await ordered(server, battle, 12)
        assert live.recording.timeline.missing == 0
        await require_whole(server, battle)
    assert folder.kept()[battle] != ahead


@pytest.mark.parametrize("content", [b"", b"nothing that SQLite knows" * 500])
async def test_a_file_that_is_damaged_is_made_anew(folder: Folder, content: bytes) -> None:
    path = folder.settings.read_models / FILE
    path.parent.mkdir()
    path.write_bytes(content)
    async with folder.server() as server:
        battle = await begun(server)
        await ordered(server, battle, 8)
    assert folder.kept().keys() == {battle}


# --- memory


@pytest.mark.slow
async def test_battles_leave_when_all_together_take_more_than_the_memory_for_them(folder: Folder) -> None:
    async with folder.server() as server:
        ids = [await begun(server) for _ in range(12)]
        each = (await server.battles.get(ids[0])).size
    budget = 4 * each
    async with folder.server(memory_bytes=budget) as server:
        battles = server.battles
        for id_ in (*ids, *reversed(ids)):
            await ordered(server, id_)
            assert battles.size <= budget
            assert battles.size == sum(live.size for live in battles.live())
        assert [live.id for live in battles.live()] == [ids[2], ids[1], ids[0]]
        await ordered(server, ids[0], 8)
        assert len(battles.live()) < 3, "one that grows makes others leave"


@pytest.mark.slow
async def test_a_past_that_is_read_counts_too(folder: Folder) -> None:
    async with folder.server() as server:
        ids = [(await ordered(server, await begun(server), 8)).id for _ in range(6)]
    async with folder.server() as server:
        lightest = (await server.battles.get(ids[0])).size
    async with folder.server(memory_bytes=6 * lightest) as server:
        for id_ in ids:
            live = await server.battles.get(id_)
            assert live.recording.timeline.missing
            await live.remember()
            assert live.size > lightest
            assert server.battles.size == sum(live.size for live in server.battles.live()) <= 6 * lightest
        assert len(server.battles.live()) < len(ids)


async def test_what_has_left_is_gone_at_once(folder: Folder) -> None:
    async with folder.server(memory_bytes=1) as server:
        first, second = await begun(server), await begun(server)
        await ordered(server, first, 8)
        await server.battles.get(second)
        live = await server.battles.get(first)
        assert live.recording.timeline.missing, "it has come back from a snapshot"
        left = [weakref.ref(part) for part in (live, live.recording, live.recording.timeline)]
        del live
        gc.disable()
        try:
            await server.battles.get(second)
            # a thread that writes a snapshot may hold it for a moment more
            await eventually("it is gone", lambda: not any(part() for part in left))
        finally:
            gc.enable()


async def test_a_battle_that_is_watched_changed_or_held_stays_the_same_one(folder: Folder) -> None:
    async with folder.server(memory_bytes=1) as server:
        watched, changed, held, other = [await begun(server) for _ in range(4)]
        refs = {}
        (live := await server.battles.get(watched)).listeners.add(lambda live, batch: None)
        refs[watched] = weakref.ref(live)
        refs[changed] = weakref.ref(live := await server.battles.get(changed))
        lock = live.lock
        del live
        async with lock:
            await server.battles.get(other)
            assert server.battles.live()[-1].id == other
            assert {live.id for live in server.battles.live()} == {watched, changed, other}
        del lock
        holder = await server.battles.get(held)
        await server.battles.get(other)
        assert await server.battles.get(held) is holder
        assert await server.battles.get(watched) is refs[watched]()
        await server.battles.get(other)
        assert refs[changed]() is None


async def test_others_are_served_between_the_parts_of_an_opening(
    folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    turn, parts = 0, list[tuple[str, int]]()

    def noted(of: Any, name: str) -> None:
        part = getattr(of, name)

        def run(*given: Any, **more: Any) -> Any:
            parts.append((name, turn))
            return part(*given, **more)

        monkeypatch.setattr(of, name, run)

    async def others() -> None:
        nonlocal turn
        while True:
            turn += 1
            await asyncio.sleep(0)

    noted(HostKeys, "key")
    noted(Recording, "opening")
    noted(Recording, "prepare")
    noted(LiveBattles, "_header")
    noted(inputs, "facts_of_opening")
    async with folder.server() as server:
        beside = asyncio.create_task(others())
        await begun(server)
        beside.cancel()
    until = [name for name, _ in parts].index("prepare") + 1
    names, turns = zip(*parts[:until], strict=True)
    assert names == ("_header", "facts_of_opening", "key", "key", "key", "opening", "prepare")
    assert len(set(turns)) == len(turns)


async def test_a_battle_asked_for_while_it_is_opened_is_the_one_that_is_opened(
    folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The store has an opening before the append returns: who asks in between gets no second live battle."""
    stored, answered = asyncio.Event(), asyncio.Event()
    submit = EventStore.submit

    async def held_back(appended: Any) -> Any:
        answer = await appended
        stored.set()
        await answered.wait()
        return answer

    monkeypatch.setattr(EventStore, "submit", lambda *given: asyncio.ensure_future(held_back(submit(*given))))
    async with folder.server() as server:
        scenario = tomllib.loads(scenario_text("tts", "skirmish"))
        opening = asyncio.ensure_future(server.battles.open("tts", scenario, "public", named="abcdefghijklmnop"))
        await stored.wait()
        asked = asyncio.ensure_future(server.battles.get("abcdefghijklmnop"))
        for _ in range(100):  # as far as it comes without the answer
            await asyncio.sleep(0.001)
        answered.set()
        assert await asked is await opening
        assert server.battles.live() == (await opening,)
