"""A battle that comes back from a snapshot is the one that a fold of its log gives; what does not fit is ignored."""

import tomllib
import tracemalloc
from collections.abc import Callable

import pytest
from msgspec.structs import replace

from domain.basics.data import scenario_names, scenario_text
from domain.catalogue import RULESETS
from domain.log import record
from replay.writing.entropy import SeededEntropy
from replay.writing.in_memory import OfflineBattle, SeededClock
from replay.writing.recording import Recording
from server.play import snapshots as module
from server.play.snapshots import decoded, encoded
from tests.support.lanes import sampled

PACE = "1d+3d"
LONGEST, APART = 160, 50
"""Events of a battle of chance, and from one snapshot that is tried to the next."""
SAMPLES = 5
SCENARIOS = [(code, name) for code in RULESETS for name in scenario_names(code)]


def of_chance(code: str, name: str) -> OfflineBattle:
    """A battle of two random bots with a clock, opened and begun."""
    seed = f"{code} {name}"
    battle = OfflineBattle(
        RULESETS[code], tomllib.loads(scenario_text(code, name)), SeededClock(seed), SeededEntropy(seed), PACE
    )
    battle.seat_bot("south", "random")
    battle.seat_bot("north", "random")
    return battle


def rows_of(battle: OfflineBattle) -> list[tuple[bytes, bytes]]:
    hashes = bytes(battle.recording._hashes)
    return [(line, hashes[32 * at : 32 * at + 32]) for at, line in enumerate(battle._lines)]


def again(recording: Recording) -> Recording:
    """A recording of the same battle without anything in it."""
    return Recording(recording.header, recording.secrets.keys.master, recording.ruleset, lambda: bytes(32))


def whole_fold(battle: OfflineBattle) -> Recording:
    """The recording of a battle, from its log alone."""
    folded = again(battle.recording)
    folded.recall(rows_of(battle), battle.recording.vault)
    return folded


def require_same(battle: OfflineBattle, folded: Recording, snapshot: bytes, cut: int) -> None:
    """A recording that goes on from a snapshot at event `cut` is the one that was there from the start."""
    whole, rows = battle.recording, rows_of(battle)
    position = decoded(whole.gid, whole.ruleset, snapshot)
    assert position is not None
    assert position.milestone.battle.n == cut
    resumed = again(whole)
    resumed.resume(position, record.time_of(rows[cut - 1][0]), lambda: rows[:cut])
    resumed.recall(rows[cut:], whole.vault)
    assert resumed.timeline.missing == cut
    assert resumed.position == folded.position == whole.position
    assert resumed.newest_head() == whole.newest_head()
    for side in ("south", "north", ""):
        assert resumed.known(side) == whole.known(side)
    at = battle.clock.now()
    assert resumed.clock(at) == whole.clock(at)
    before = cut // 2
    for at_event in (before, cut - 1, cut, len(rows) - 1):  # before the snapshot, its own, and those behind it
        digits = rows[min(at_event, len(rows) - 1)][1].hex()[:16]
        assert resumed.head_beginning(digits) == folded.head_beginning(digits)
    assert resumed.timeline.at(before) == folded.timeline.at(before)
    assert list(resumed.timeline.events) == list(folded.timeline.events)


def taken(battle: OfflineBattle) -> dict[int, bytes]:
    """Snapshots of a battle while its bots play it, by the event at which each was made."""
    recording, found = battle.recording, dict[int, bytes]()
    while not recording.battle.ended and recording.battle.n < LONGEST:
        battle.bot_order()
        n = recording.battle.n
        snapshot = encoded(recording.gid, recording.ruleset, recording.position)
        assert snapshot is not None, f"the state after event {n} cannot be kept"
        if n // APART > max(found, default=0) // APART:
            found[n] = snapshot
    return found


# --- what comes back


@pytest.mark.slow
@pytest.mark.parametrize(("code", "name"), sampled(SCENARIOS, 4))
def test_a_battle_resumed_anywhere_is_the_fold_of_its_log(code: str, name: str) -> None:
    battle = of_chance(code, name)
    snapshots, folded = taken(battle), whole_fold(battle)
    assert len(snapshots) > 1
    for cut, snapshot in snapshots.items():
        require_same(battle, folded, snapshot, cut)


@pytest.mark.parametrize("code", RULESETS)
@pytest.mark.slow
def test_the_estimate_of_memory_is_about_right(code: str) -> None:
    battle = of_chance(code, scenario_names(code)[0])
    snapshots, whole, rows = taken(battle), battle.recording, rows_of(battle)
    cut, snapshot = next(iter(snapshots.items()))

    def folded() -> Recording:
        made = again(whole)
        made.recall(rows, whole.vault)
        return made

    def resumed() -> Recording:
        made, position = again(whole), decoded(whole.gid, whole.ruleset, snapshot)
        assert position is not None
        made.resume(position, record.time_of(rows[cut - 1][0]), lambda: rows[:cut])
        made.recall(rows[cut : cut + 20], whole.vault)
        return made

    def remembering() -> Recording:
        made = resumed()
        made.timeline.at(1)
        return made

    for make in (folded, resumed, remembering):
        found, size = measured(make)
        assert 0.6 * found < size < 1.7 * found, make


def measured(make: Callable[[], Recording]) -> tuple[float, int]:
    """The bytes that a recording takes in memory, and its own estimate."""
    make()  # fills caches
    tracemalloc.start()
    try:
        made = [make() for _ in range(SAMPLES)]
        return tracemalloc.get_traced_memory()[0] / SAMPLES, made[0].size
    finally:
        tracemalloc.stop()


# --- what does not fit


@pytest.fixture(scope="module")
def quick() -> tuple[OfflineBattle, bytes]:
    """A battle, and a snapshot of its end."""
    battle = of_chance("tts", "skirmish")
    for _ in range(10):
        battle.bot_order()
    snapshot = encoded(battle.recording.gid, battle.ruleset, battle.recording.position)
    assert snapshot is not None
    return battle, snapshot


def test_a_damaged_snapshot_is_ignored(quick: tuple[OfflineBattle, bytes]) -> None:
    battle, snapshot = quick
    for place in range(0, len(snapshot), 7):
        damaged = bytearray(snapshot)
        damaged[place] ^= 1
        assert decoded(battle.recording.gid, battle.ruleset, bytes(damaged)) is None
    for length in (0, 1, 31, 32, len(snapshot) - 1):
        assert decoded(battle.recording.gid, battle.ruleset, snapshot[:length]) is None


def test_a_snapshot_of_another_battle_version_or_program_is_ignored(
    quick: tuple[OfflineBattle, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    battle, snapshot = quick
    id_, rules = battle.recording.gid, battle.ruleset
    assert decoded(id_, rules, snapshot) is not None
    assert decoded("another", rules, snapshot) is None
    assert decoded(id_, replace(rules, version="9.9"), snapshot) is None
    monkeypatch.setattr(module, "program", lambda: bytes(32))
    assert decoded(id_, rules, snapshot) is None


def test_a_state_that_does_not_come_back_equal_is_not_kept(quick: tuple[OfflineBattle, bytes]) -> None:
    battle, _ = quick
    position = battle.recording.position
    milestone = position.milestone
    odd = replace(milestone.battle.game, boxes={"A1": ["a list where a tuple belongs"]})
    changed = replace(position, milestone=replace(milestone, battle=replace(milestone.battle, game=odd)))
    assert encoded(battle.recording.gid, battle.ruleset, changed) is None
