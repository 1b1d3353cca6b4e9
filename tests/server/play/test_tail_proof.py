"""A server verifies its own battles as they grow, each event once, and names what it could not prove."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from domain.basics.pace import DAY_MS
from domain.events.battle import ContributionGiven, Fact
from domain.log import record
from replay.proof.verify import verify
from server.people import players
from server.play import tail_proof
from server.play.archive import export_battle
from server.play.fault_letters import fault_letters
from server.play.live_battle import LiveBattle
from server.play.tail_proof import LONGEST_S, QUIET_S, ProofFault, TailProof
from server.store import Append, EventStore
from server.store.cache_file import CacheFile
from server.store.tables import accounts
from server.upkeep.doctor import examine
from tests.server.time.correspondence import Post, posting


class Seconds:
    """A stopwatch that a test moves."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


class Watched:
    """A verifier of a server's store, and what it has read."""

    def __init__(self, post: Post, folder: Path) -> None:
        self.seconds, self.folder, self.read = Seconds(), folder, 0
        self._store = post.store
        self.proof = self.again()

    def again(self) -> TailProof:
        self.proof = TailProof(self, CacheFile(self.folder / "proofs.db"), self.seconds)
        return self.proof

    def __getattr__(self, name: str):
        return getattr(self._store, name)

    def states(self, battle: str, after: int, limit: int) -> list[tuple[int, bytes, bytes]]:
        rows = self._store.read(battle, after, limit)
        self.read += len(rows)
        return rows

    def lines(self, battle: str, after: int, limit: int) -> list[bytes]:
        return self._store.lines(battle, after)

    def whats(self) -> list[tuple[int, str]]:
        while self.proof.follow():
            pass
        while self.proof.judge_one():
            pass
        return [(fault.n, fault.what) for fault in self.proof.faults]


@pytest.fixture
async def post(tmp_path: Path) -> AsyncIterator[Post]:
    async with posting(tmp_path / "data") as running:
        yield running


@pytest.fixture
def watched(post: Post, tmp_path: Path) -> Watched:
    return Watched(post, tmp_path)


async def duel(post: Post) -> LiveBattle:
    return await post.battle(await post.player("Anna"), await post.player("Bob"))


def forge(store: EventStore, battle: str, at: str) -> int:
    """Write a line into a log past its recorder, as a server did that believed its clock."""
    head = store.head(battle)
    assert head is not None
    event = ContributionGiven("south", 1, "plain", "0" * 32)
    line = record.encode(head.n + 1, at, Fact("south", "CORE-FAIR", event))
    row = ("ContributionGiven", line, record.next_hash(head.hash, line))
    store.append_now(Append(battle, head.n, [row], prev=head.hash))
    return head.n + 1


async def test_battles_that_hold_have_no_fault(post: Post, watched: Watched) -> None:
    live = await duel(post)
    for side in ("south", "north", "south"):
        await post.order(live.id, side)
    assert watched.whats() == []
    await post.order(live.id, "north", "resign")
    assert watched.whats() == []
    watched.seconds.now += LONGEST_S
    assert watched.whats() == []
    assert watched.proof.behind == 0


async def test_time_that_goes_back_is_found_at_once(post: Post, watched: Watched) -> None:
    live = await duel(post)
    assert watched.whats() == []
    n = forge(post.store, live.id, post.clock.wait(-DAY_MS))
    assert watched.proof.follow()
    assert [(fault.battle, fault.n, fault.what) for fault in watched.proof.faults] == [(live.id, n, "time-goes-back")]


async def test_what_the_protocol_forbids_is_found_when_the_battle_is_judged(post: Post, watched: Watched) -> None:
    live = await duel(post)
    assert watched.whats() == []
    forge(post.store, live.id, live.recording.newest_at)
    assert watched.proof.follow()
    assert watched.proof.faults == ()
    assert not watched.proof.judge_one(), "it has not come to rest"
    watched.seconds.now += QUIET_S
    expected = verify(export_battle(post.store, post.battles.keys, live.id)).fault
    assert expected is not None
    assert watched.whats() == [(expected.n, expected.what)]


async def test_a_battle_that_never_rests_is_judged_within_a_minute(post: Post, watched: Watched) -> None:
    live = await duel(post)
    assert watched.whats() == []
    began, judged = watched.seconds.now, False
    while not judged:
        forge(post.store, live.id, live.recording.newest_at)
        assert watched.proof.follow()
        judged = watched.proof.judge_one()
        watched.seconds.now += QUIET_S - 1
    assert LONGEST_S <= watched.seconds.now - began <= 60


async def test_a_turn_that_has_ended_is_judged_at_once(post: Post, watched: Watched) -> None:
    live = await duel(post)
    await post.order(live.id, "south")
    assert watched.proof.follow()
    assert watched.proof.judge_one()
    assert watched.proof.behind == 0


async def test_only_the_tail_is_read_again(post: Post, watched: Watched) -> None:
    live = await duel(post)
    for _ in range(6):
        await post.order(live.id, "south")
        await post.order(live.id, "north")
    assert watched.whats() == []
    before, watched.read = live.n, 0
    await post.order(live.id, "south")
    assert watched.proof.follow()
    assert watched.read == 1 + live.n - before  # the last one known, to see that the log is the same


async def test_a_restart_verifies_nothing_twice(post: Post, watched: Watched, monkeypatch: pytest.MonkeyPatch) -> None:
    live = await duel(post)
    forge(post.store, live.id, live.recording.newest_at)
    await post.battle(await post.player("Eve"), await post.player("Dan"))
    assert watched.proof.follow()
    watched.seconds.now += LONGEST_S
    faults = watched.whats()
    assert len(faults) == 1
    watched.again()
    watched.read = 0

    def judged(*_: object, **__: object) -> None:
        raise AssertionError("a battle is judged again")

    monkeypatch.setattr(tail_proof, "verify", judged)
    assert watched.whats() == faults
    assert watched.read == 0
    assert watched.proof.behind == 0


async def test_what_a_stop_has_left_is_judged_after_it(post: Post, watched: Watched) -> None:
    live = await duel(post)
    assert watched.proof.follow()
    assert watched.proof.behind == live.n
    watched.again()
    assert watched.proof.behind == live.n
    assert watched.proof.judge_one()
    assert watched.proof.behind == 0


async def test_another_log_under_the_same_name_is_verified_anew(tmp_path: Path) -> None:
    async with posting(tmp_path / "data") as post:
        watched = Watched(post, tmp_path)
        live = await duel(post)
        post.store.backup(tmp_path / "copy.db")
        forge(post.store, live.id, post.clock.wait(-DAY_MS))
        assert len(watched.whats()) == 1
    (tmp_path / "again").mkdir()
    (tmp_path / "copy.db").replace(tmp_path / "again" / "log.db")
    async with posting(tmp_path / "again") as post:
        watched._store = post.store
        watched.again()
        watched.seconds.now += LONGEST_S
        assert watched.whats() == []


async def test_a_battle_that_is_gone_is_no_fault(post: Post, watched: Watched, monkeypatch: pytest.MonkeyPatch) -> None:
    live = await duel(post)
    forge(post.store, live.id, post.clock.wait(-DAY_MS))
    assert len(watched.whats()) == 1
    monkeypatch.setattr(watched, "rows", lambda sql, params: [], raising=False)
    assert watched.again().faults == ()


async def test_the_doctor_names_a_battle_that_cannot_be_proven(post: Post, tmp_path: Path) -> None:
    live = await duel(post)
    n = forge(post.store, live.id, post.clock.wait(-DAY_MS))
    found = [finding for finding in examine(post.battles.settings, post.clock.now()) if finding.what == "proofs"]
    assert len(found) == 1
    assert not found[0].ok
    assert f"battle {live.id}, event {n}: " in found[0].said
    assert "[time-goes-back]" in found[0].said


async def test_those_who_run_the_server_get_one_letter_for_each_battle_and_fault(post: Post) -> None:
    live = await duel(post)
    bob = live.recording.battle.seats["north"].player
    eve = players.enrol(post.clock, post.battles.entropy, "Eve", "eve@example.org")
    cato = players.enrol(post.clock, post.battles.entropy, "Cato", "")  # administers, and has no address
    await post.store.write(*eve.statements, *cato.statements, accounts.promote(bob))
    await post.store.write(accounts.promote(cato.account.player))
    fault = ProofFault(live.id, 7, "time-goes-back", "Time goes back.")
    operators = ("EVE@example.org",)
    for _ in range(2):
        await post.store.write(*fault_letters(post.store, operators, fault, post.clock.now()))
    told = [(letter.recipient, letter.kind, letter.battle, letter.n) for letter in post.letters("fault")]
    kind = "fault:time-goes-back"
    recipients = {recipient for recipient, *_ in told}
    assert recipients >= {bob, eve.account.player}
    assert cato.account.player not in recipients
    assert len(told) == len(set(told))
    assert {tuple(rest) for _, *rest in told} == {(kind, live.id, 7)}
