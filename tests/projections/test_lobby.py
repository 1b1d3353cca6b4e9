"""The lobby shows where each battle stands, and only to those who may see it."""

from collections.abc import Sequence
from contextlib import ExitStack, closing
from typing import Any

import pytest

from projections import inbox, lobby
from projections.clock import ProjectedClock
from projections.database import ModelReader
from projections.model import ModelStep
from tests.projections.kept import caught_up, tallies
from tests.projections.played import RULES, MemoryLog, Played, at
from tests.support.disputing import DAY_MS, Disputed


@pytest.fixture
def shown(tmp_path):
    """Shows battles: what a reader of their read models can ask."""
    with ExitStack() as opened:

        def show(*battles: Played) -> ModelReader:
            path = tmp_path / f"{len(list(tmp_path.iterdir()))}.db"
            opened.enter_context(closing(caught_up(path, MemoryLog().extend(*battles))))
            return opened.enter_context(closing(ModelReader(path)))

        yield show


def entry_of(reader: ModelReader, battle: str = "aaaaaaaa") -> lobby.LobbyEntry:
    """The one battle that is shown."""
    entry = lobby.entry(reader, battle)
    assert entry is not None
    return entry


def names(entries) -> list[str]:
    return [entry.battle for entry in entries]


def test_a_battle_waits_for_players_runs_and_ends(shown) -> None:
    played = Played("aaaaaaaa")
    entry = entry_of(shown(played))
    assert (entry.status, entry.title, entry.ruleset) == ("waiting", "Skirmish at the two woods", "tts")
    assert (entry.winner, entry.to_act, entry.created, entry.n) == (None, (), at(0), 3)
    assert [(seat.side, seat.player, seat.name) for seat in entry.seats] == [("south", "", ""), ("north", "", "")]
    played.join("south", "p-anna", "Anna")
    assert [seat.name for seat in entry_of(shown(played)).seats] == ["Anna", ""]
    played.join("north", "p-bob", "Bob")
    entry = entry_of(shown(played))
    assert (entry.status, entry.phase, entry.turn, entry.t, entry.to_act) == ("running", "turns", 1, 1, ("south",))
    played.order("south", "end turn")
    entry = entry_of(shown(played))
    assert (entry.t, entry.to_act, entry.n, entry.at) == (2, ("north",), len(played.lines), at(3))
    played.order("north", "resign")
    entry = entry_of(shown(played))
    assert (entry.status, entry.to_act, entry.winner, entry.how) == ("ended", (), "south", "resignation")


@pytest.mark.slow
def test_lists_show_only_what_may_be_seen(shown, three_battles) -> None:
    over, running, rewound = three_battles
    open_ = Played("dddddddd")
    reader = shown(over, running, rewound, open_)
    assert set(names(lobby.public(reader))) == {over.battle, open_.battle}
    assert names(lobby.public(reader, lobby.Sought("waiting"))) == [open_.battle]
    assert names(lobby.public(reader, lobby.Sought("running"))) == []
    assert names(lobby.ended(reader)) == names(lobby.ended(reader, "p-bob")) == [over.battle]
    assert lobby.ended(reader, "p-cleo") == []
    assert set(names(lobby.mine(reader, "p-bob"))) == {over.battle, running.battle}
    assert set(names(lobby.mine(reader, "p-cleo", lobby.Sought("running")))) == {running.battle, rewound.battle}
    assert not [*lobby.mine(reader, ""), *lobby.waiting_for(reader, ""), *inbox.waiting_for(reader, "")]
    assert lobby.entry(reader, "zzzzzzzz") is None


def test_a_list_goes_on_where_its_page_ended(shown) -> None:
    reader = shown(*(Played(f"{letter * 8}") for letter in "abcde"))
    whole, pages = names(lobby.public(reader)), []
    page = lobby.public(reader, limit=2)
    while page:
        pages += names(page)
        page = lobby.public(reader, limit=2, before=(page[-1].at, page[-1].battle))
    assert len(whole) == 5
    assert pages == whole


@pytest.mark.parametrize("status", ["", "waiting"])
def test_a_page_is_found_by_index_alone(shown, status: str) -> None:
    asked: list[tuple[str, Sequence[Any]]] = []
    reader = shown(Played("aaaaaaaa"))

    class Watched:
        def rows(self, sql: str, params: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
            asked.append((sql, params))
            return reader.rows(sql, params)

    assert lobby.public(Watched(), lobby.Sought(status), before=("9", "")) != []
    sql, params = asked[0]
    plan = [row[-1] for row in reader.rows(f"EXPLAIN QUERY PLAN {sql}", params)]
    assert len(plan) == 1
    assert "USING INDEX" in plan[0]
    assert "at" in plan[0]


def test_a_turn_waits_since_it_began(shown) -> None:
    played = Played("aaaaaaaa").begin()
    began = len(played.lines) - 3
    (question,) = inbox.waiting_for(shown(played), "p-anna")
    assert (question.kind, question.side, question.since, question.since_n) == ("turn", "south", at(2), began)
    played.order("south", "corps II")
    (question,) = inbox.waiting_for(shown(played), "p-anna")
    assert question.since_n == began
    played.order("south", "end turn")
    reader = shown(played)
    assert inbox.waiting_for(reader, "p-anna") == []
    (question,) = inbox.waiting_for(reader, "p-bob")
    assert (question.kind, question.since, question.title) == ("turn", at(4), "Skirmish at the two woods")
    assert names(lobby.waiting_for(reader, "p-bob")) == ["aaaaaaaa"]


def until(done, seeds: int = 60, orders: int = 400) -> Played:
    """A battle played at random until something is so; some seed gets there."""
    for seed in range(1, seeds):
        played = Played("aaaaaaaa", seed).begin()
        for _ in range(orders):
            if done(played):
                return played
            played.play(1)
    raise AssertionError("no seed gets there")


def test_a_decision_waits_under_its_name(shown) -> None:
    played = until(lambda played: played.game.waiting and played.game.waiting.side != played.game.active)
    waiting, reader = played.game.waiting, shown(played)
    (question,) = inbox.of_battle(reader, "aaaaaaaa")
    assert (question.side, question.kind, question.unit) == (waiting.side, waiting.kind, waiting.unit)
    assert entry_of(reader).to_act == (waiting.side,)
    asked = [n for n, line in enumerate(played.lines, 1) if b'"type":"DecisionAsked"' in line]
    assert question.since_n == asked[-1]


def test_a_first_contribution_is_asked_for(shown) -> None:
    played = Played("aaaaaaaa")
    played.join("south", "p-anna", "Anna")
    played.join("north", "p-bob", "Bob", phrase="")
    (question,) = inbox.waiting_for(shown(played), "p-bob")
    assert question.kind == inbox.CONTRIBUTION
    assert [each.kind for each in inbox.waiting_for(shown(played), "p-anna")] == ["turn"]


@pytest.mark.slow
def test_the_tally_over_time_marks_what_a_rewind_took_back(shown) -> None:
    start, to = RULES.shown.tally(Played("aaaaaaaa").game), len(Played("aaaaaaaa").begin().lines)
    played = until(lambda played: RULES.shown.tally(played.game) != start)
    left = RULES.shown.tally(played.game)
    loser = next(side for side in start if left[side] != start[side])
    points = tallies(shown(played), "aaaaaaaa")
    assert [(p.n, p.side, p.tally) for p in points[:2]] == [(1, "south", start["south"]), (1, "north", start["north"])]
    assert [p.tally for p in points if p.side == loser][-1] == left[loser]
    assert not any(p.voided for p in points)
    played.rewind(to)
    points = tallies(shown(played), "aaaaaaaa")
    last = [p for p in points if p.side == loser][-1]
    assert (last.n, last.tally, last.voided) == (len(played.lines), start[loser], False)
    assert all(p.voided == (to < p.n < len(played.lines)) for p in points)


def test_open_dockets_are_counted_and_the_umpire_finds_the_battle(shown) -> None:
    played = Played("aaaaaaaa").begin()
    assert (entry_of(shown(played)).umpire, entry_of(shown(played)).disputed) == ("", 0)
    played.order("south", "umpire p-judge")
    played.order("north", "agree umpire")
    played.order("north", "dispute 1 x")
    played.order("south", "dispute 1 x")
    reader = shown(played)
    assert (entry_of(reader).umpire, entry_of(reader).disputed) == ("p-judge", 2)
    assert names(lobby.mine(reader, "p-judge")) == names(lobby.mine(reader, "p-anna")) == ["aaaaaaaa"]
    assert names(lobby.public_of(reader, "p-judge")) == []
    played.order("north", "withdraw d1")
    assert entry_of(shown(played)).disputed == 1


def test_a_deadline_after_a_rewind_or_a_ruling_on_a_flag_is_that_of_the_clocks() -> None:
    for line in ("rewind", "flag"):
        battle = Disputed(umpire=True, pace="1d+1d")
        to = battle.n
        battle.play()
        (late,) = battle.battle.to_act
        battle.clock.wait(3 * DAY_MS)
        battle.battle.fire_clock("deadline", late)
        if line == "flag":
            battle.say(f"umpire: flag {late} more")
        else:
            battle.say("north: dispute 1 x", f"umpire: rule d1 rewind {to}")
        recording = battle.battle.recording
        clock, at_end = ProjectedClock(recording.ruleset), ""
        for recorded in recording.timeline.events:
            before, after = battle.battle.recording.timeline.at(recorded.n - 1), recording.timeline.at(recorded.n)
            clock.apply(ModelStep(recorded, before, after, {}, False))
            at_end = recorded.at
        faces = recording.clock(at_end)
        assert clock.deadlines(battle.now, at_end) == {side: face.deadline for side, face in faces.items()}, line
