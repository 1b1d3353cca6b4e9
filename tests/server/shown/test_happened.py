"""What a board shows of events: data that fits each game, and marks made from what a reader may know."""

from functools import cache

import pytest

from domain.basics.data import first_scenario
from domain.catalogue import RULESETS
from domain.contract.effect import LINES
from domain.contract.ruleset import NOBODY
from domain.contract.scene import Scene
from domain.events.battle import OrderAccepted
from replay.writing.entropy import SeededEntropy
from replay.writing.in_memory import OfflineBattle, SeededClock, scenario_table
from replay.writing.recording import Recording
from server.shown.happened import BRIEF, span_of, with_happened
from tests.server.play.test_every_game import GAMES
from tests.support.lanes import thinned
from tests.support.looping import some
from tests.support.serving import RunningServer

ORDERS = 120
SEED = 2
"""In each game something is lost, flees and is shot at; nobody runs from sixty orders of a side at the crossroads."""
MARKS = {"stp": {"gone", "harm"}}
USUAL_MARKS = {"gone", "flees"}
WHOLE_BATTLES = pytest.mark.parametrize("code", thinned(RULESETS, len(RULESETS)))


@cache
def recording_of(code: str) -> Recording:
    """A battle between bots in full swing."""
    ruleset, seed = RULESETS[code], f"{code} {SEED}"
    table = scenario_table(ruleset, first_scenario(code))
    battle = OfflineBattle(ruleset, table, SeededClock(seed), SeededEntropy(seed))
    for side in ("south", "north"):
        battle.seat_bot(side, "sensible")
    for _ in range(ORDERS):
        if not battle.recording.battle.ended:
            battle.bot_order()
    return battle.recording


def shown(recording: Recording, n: int, side: str = NOBODY) -> Scene:
    """The board after an event, with what happened."""
    ruleset = recording.ruleset
    known = ruleset.secrets.known(recording.timeline.at(n).game, side)
    return with_happened(recording, side, span_of(recording.timeline.events, n), ruleset.shown.view(known, side))


@GAMES
def test_effects_name_events_and_members_of_the_game(code: str) -> None:
    ruleset = RULESETS[code]
    assert ruleset.shown.effects
    for name, effects in ruleset.shown.effects.items():
        members = set(ruleset.events[name].__struct_fields__)
        for effect in effects:
            named = {effect.unit, effect.target, effect.count, effect.given[0] if effect.given else ""} - {""}
            assert named <= members, name
            assert bool(effect.target) == (effect.kind in LINES), name


@pytest.mark.slow
@WHOLE_BATTLES
def test_a_battle_shows_lines_marks_and_throws_and_the_gone_by_name(code: str) -> None:
    recording = recording_of(code)
    boards = [shown(recording, n) for n in range(1, len(recording.timeline.events) + 1)]
    assert any(board.strikes for board in boards)
    assert any(one.throws for board in boards for one in board.happened)
    marks = {mark.kind for board in boards for one in board.happened for mark in one.marks}
    assert marks >= MARKS.get(code, USUAL_MARKS)
    for board in boards:
        for one in board.happened:
            assert one.name or all(mark.kind != "gone" for mark in one.marks)
            assert 0 <= one.at[0] <= board.width
            assert 0 <= one.at[1] <= board.height


@WHOLE_BATTLES
def test_what_is_older_than_the_newest_order_is_shown_in_brief(code: str) -> None:
    recording = recording_of(code)
    events = recording.timeline.events
    for recorded in some(events):
        if not isinstance(recorded.event, OrderAccepted):
            continue
        board = shown(recording, recorded.n)  # nothing has come of this order yet
        assert all(strike.is_old for strike in board.strikes)
        assert not any(one.throws for one in board.happened)
        assert {mark.kind for one in board.happened for mark in one.marks} <= BRIEF


@WHOLE_BATTLES
def test_a_board_is_the_same_whatever_was_looked_at_before(code: str) -> None:
    recording = recording_of(code)
    last = len(recording.timeline.events)
    there = {n: shown(recording, n) for n in range(last, max(0, last - 60), -1)}
    again = recording_of.__wrapped__(code)
    assert {n: shown(again, n) for n in reversed(there)} == there


def test_a_card_just_drawn_is_shown_once() -> None:
    recording = recording_of("tts")
    of_late = before = 0
    for n in range(1, len(recording.timeline.events) + 1):
        board = shown(recording, n)
        at = {one.at for one in board.happened if any(not throw.is_dice for throw in one.throws)}
        bears = {token.at for token in board.tokens if any(mark.kind == "card" for mark in token.marks)}
        assert not at & bears, n
        of_late, before = of_late + len(at), before + len(bears)
    assert of_late and before


async def test_what_a_ruling_has_taken_back_shows_nothing(server: RunningServer) -> None:
    anna, bob = await server.player("Anna"), await server.player("Bob")
    battle = await server.battle(anna, bob)
    live = await server.running.battles.get(battle)
    await anna.order(battle, "R1 ahead")
    assert shown(live.recording, live.n).happened
    await anna.order(battle, "takeback")
    await bob.order(battle, f"agree {next(iter(live.recording.battle.disputes.open)).id}")
    assert any(recorded.type == "Rewound" for recorded in live.recording.timeline.events)
    assert not shown(live.recording, live.n).happened
