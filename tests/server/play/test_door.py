"""Nothing is written that a reader of the log would refuse, whatever the clock and the caller say."""

import inspect
import re
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from domain.basics.data import parse_toml, scenario_text
from domain.basics.errors import BrokenInvariant
from domain.basics.pace import DAY_MS, moment_of, text_of
from domain.catalogue import RULESETS
from domain.events.battle import Event, Fact, OrderAccepted, RulesChanged, SideJoined
from domain.log import canonical, record
from domain.log.limits import LINE_LIMIT, NESTING_LIMIT, STRING_LIMIT, unfit_text
from domain.run.block_writer import Entered
from replay.proof import chain
from replay.writing.entropy import SeededEntropy
from replay.writing.in_memory import OfflineBattle, SeededClock
from replay.writing.recording import Batch, Recording
from server.play.live_battle import Make
from tests.support.looping import some
from tests.support.serving import RunningServer

RULES = RULESETS["tts"]
READERS: tuple[Callable[..., Any], ...] = (
    record.require_event_line,
    record.decode,
    record.split_hash,
    record.split_file,
    canonical.read_shape,
    canonical._unfit,
    unfit_text,
)
"""What reads event lines: each names faults."""
OF_THE_FILE = frozenset({"empty", "no-final-newline", "empty-line", "checkpoint-not-last", "no-events"})
"""Faults of what `chain.file_bytes` makes of lines, whatever is in them."""


class Listed(Event, frozen=True, array_like=True):
    """An event whose data are no object."""

    side: str


class Stranger(Event, frozen=True):
    """An event of no game."""


def joined(name: str, player: str = "ann") -> Fact:
    return Fact("north", "CORE-SEATS", SideJoined("north", name, player=player))


def ordered(command: Any) -> Fact:
    return Fact("north", "CORE-ORDER", OrderAccepted("north", 0, 1, "p", "api", "k", command=command))


def nested(levels: int) -> Any:
    value: Any = 1
    for _ in range(levels):
        value = [value]
    return value


PLAIN = joined("Ann")
AT = "2026-11-21T10:11:12.013Z"
SMUGGLED = {
    "wrong-keys": f'{AT}","b":"',
    "not-canonical": f"{AT}\\/",
    "not-json": f'{AT}"',
    "not-utf-8": f"{AT}\udc80",
    "bad-time": "2026-02-30T10:11:12.013Z",
}
"""Times that a clock must not tell: they would put into a line what nobody could read."""
FACTS = {
    "line-too-long": ordered({"x": ["y" * STRING_LIMIT] * (LINE_LIMIT // STRING_LIMIT)}),
    "too-deep": ordered({"x": nested(NESTING_LIMIT)}),
    "float": ordered({"x": 1.5}),
    "integer-too-large": ordered({"x": 1 << 53}),
    "key-not-ascii": ordered({"é": 1}),
    "string-too-long": joined("A" * (STRING_LIMIT + 1)),
    "string-not-nfc": joined("e\u0301"),
    "unassigned": joined("\u0378"),
    "bad-player": joined("Ann", player="an n"),
    "wrong-data": Fact("server", "CORE-RULES", RulesChanged(1, 2)),  # type: ignore[arg-type]  # this is the point
    "unknown-type": Fact("north", "CORE", Stranger()),
}
BY_HAND: Mapping[str, Callable[[], bytes]] = {
    "not-an-event": lambda: record.encode(2, AT, Fact("north", "CORE", Listed("north")), AT),
    "time-goes-back": lambda: record.encode(2, "2026-11-21T10:11:12.012Z", PLAIN, AT),
    "too-many-events": lambda: record.encode((1 << 20) + 1, AT, PLAIN, AT),
}
"""What a recording does not even try: it knows the events of its game, counts, and its time never goes back."""
ALWAYS_RIGHT = frozenset({"wrong-number", "no-hash"})
"""Members that a recording puts there itself (`test_what_is_written_is_read`)."""


def codes_of(reader: Callable[..., Any]) -> set[str]:
    """The codes of faults in the text of a function, but for what its documentation says."""
    text = inspect.getsource(reader).replace(inspect.getdoc(reader) or "\0", "")
    text = re.sub(r'""".*?"""', "", text, flags=re.S)
    return set(re.findall(r'(?:FileFault\([^,]+, |return |else )"([a-z][a-z0-9-]+)"', text))


def entering(fact: Fact) -> Make:
    def make(recording: Recording, at: str) -> Batch:
        return recording.prepare([Entered(fact, fact)], at)

    return make


def of_two_bots() -> OfflineBattle:
    scenario = parse_toml(scenario_text("tts", "skirmish"), "skirmish")
    battle = OfflineBattle(RULES, scenario, SeededClock("door"), SeededEntropy("door"))
    battle.seat_bot("south", "random")
    battle.seat_bot("north", "random")
    return battle


@pytest.fixture(scope="module")
def recording() -> Recording:
    return of_two_bots().recording


def test_each_fault_of_a_line_is_tried_at_the_door() -> None:
    known = {code for reader in some(READERS) for code in codes_of(reader)}
    assert known == {*FACTS, *SMUGGLED, *BY_HAND, *ALWAYS_RIGHT, *OF_THE_FILE}


@pytest.mark.parametrize("what", FACTS)
def test_a_fact_that_a_reader_would_refuse_is_not_written(recording: Recording, what: str) -> None:
    with pytest.raises(BrokenInvariant, match=what):
        recording.prepare([Entered(PLAIN, PLAIN), Entered(FACTS[what], FACTS[what])], recording.newest_at)


@pytest.mark.parametrize("what", SMUGGLED)
def test_a_time_that_a_reader_would_refuse_is_not_written(recording: Recording, what: str) -> None:
    later = SMUGGLED[what].replace("2026", "2030")
    with pytest.raises(BrokenInvariant, match=what):
        recording.prepare([Entered(PLAIN, PLAIN)], later)


@pytest.mark.parametrize("what", BY_HAND)
def test_what_a_recording_never_tries_would_not_be_written_either(what: str) -> None:
    with pytest.raises(BrokenInvariant, match=what):
        BY_HAND[what]()


@pytest.mark.parametrize("back_ms", [1, 2_000, 3 * DAY_MS, 40 * 365 * DAY_MS])
def test_the_time_of_a_log_stands_while_the_clock_is_behind_it(recording: Recording, back_ms: int) -> None:
    newest = recording.newest_at
    batch = recording.prepare([Entered(PLAIN, PLAIN)], text_of(max(0, moment_of(newest) - back_ms)))
    assert [recorded.at for recorded in batch.recorded] == [newest]


def test_what_is_written_is_read() -> None:
    """Numbers, hashes and line feeds of a whole battle are those that a reader wants."""
    battle = of_two_bots()
    for _ in range(40):
        battle.bot_order()
    log = chain.open_file(battle.file())
    assert len(log.lines) == battle.recording.battle.n > 40
    assert not any(b"\n" in line for line in log.lines)


async def test_a_refused_line_leaves_the_battle_as_it_was(server: RunningServer) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    battle = await server.battle(anna, bob)
    live = await server.running.battles.get(battle)
    before, position = live.n, server.running.store.position()
    for fact in some(FACTS.values()):
        async with live.lock:
            with pytest.raises(BrokenInvariant):
                await live.append(entering(fact))
    assert (live.n, server.running.store.position()) == (before, position)
    reply = await anna.order(battle, "end turn")
    assert reply.status == 200
    chain.open_file(await anna.export(battle))
