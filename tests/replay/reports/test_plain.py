"""A battle is told in sentences, with what a stranger may know."""

from itertools import pairwise
from pathlib import Path

import msgspec
import pytest

from replay import battle_file
from replay.reports import plain
from tests.support.tiny import ended_battle, ended_file, played_battle

GOLDEN = Path(__file__).parents[2] / "golden"
BATTLE = battle_file.parse(ended_file())


def test_every_event_is_told():
    told = list(plain.lines(BATTLE, 1, BATTLE.last))
    assert [line.n for line in told] == list(range(1, BATTLE.last + 1))
    assert all(line.said.endswith((".", "”.", ":")) or line.type == "OrderAccepted" for line in told)
    assert not any(line.voided for line in told)


def test_a_span_can_be_told():
    assert [line.n for line in plain.lines(BATTLE, 5, 7)] == [5, 6, 7]


def test_what_was_sealed_is_told_only_when_it_is_opened():
    said = [line.said for line in plain.lines(BATTLE, 1, BATTLE.last)]
    sealed = next(one.n for one in BATTLE.events if one.type == "StandingOrderSet")
    assert "always" not in said[sealed - 1]


def test_the_board_stands_at_each_turn_and_at_the_end():
    text = "\n".join(plain.as_text(BATTLE, 1, BATTLE.last))
    turns = sum(one.type == "TurnBegan" for one in BATTLE.events)
    assert text.count("facing;") == turns + 1
    assert plain.board_at(BATTLE, BATTLE.last) in text


@pytest.mark.parametrize(("to", "start"), [("svg", b"<svg"), ("txt", b"\n"), ("json", b"{")])
def test_a_board_is_drawn_in_each_format(to, start):
    picture = plain.picture(BATTLE, BATTLE.last, to)
    assert picture.startswith(start) or start == b"\n"
    if to == "json":
        assert msgspec.json.decode(picture)["grid"] == "square"


def test_a_spectator_does_not_hear_what_serves_the_proof():
    heard = {one.type for one in plain.plain_events(BATTLE.events)}
    assert not heard & {"ContributionGiven", "KeyDisclosed", "Unsealed", "DeckShuffled"}
    assert {"OrderAccepted", "TurnBegan", "BattleEnded"} <= heard


def test_an_event_that_names_a_card_is_told_also_before_another_card():
    battle = battle_file.parse((GOLDEN / "medals.battle").read_bytes())
    heard = {recorded.n for recorded in plain.plain_events(battle.events)}
    before_a_card = [
        recorded
        for recorded, following in pairwise(battle.events)
        if following.type == "CardDrawn" and recorded.type in ("HitScored", "HitMissed", "SaveFailed")
    ]
    assert len(before_a_card) > 10
    assert all(recorded.n in heard for recorded in before_a_card)


def test_a_card_that_the_next_event_names_is_not_told_twice():
    heard = [one.type for one in plain.plain_events(BATTLE.events)]
    assert "CardDrawn" in {one.type for one in BATTLE.events}
    assert "CardDrawn" not in heard


def test_events_that_a_ruling_took_back_are_marked(monkeypatch):
    monkeypatch.setattr(BATTLE.timeline, "voided", lambda: [(5, 7)])
    assert [line.n for line in plain.lines(BATTLE, 1, BATTLE.last) if line.voided] == [5, 6, 7]
    assert any(block.startswith("5~ ") for block in plain.as_text(BATTLE, 4, 8))


def test_the_same_battle_is_told_alike_from_a_file_and_while_it_is_played():
    battle = played_battle()
    from_file = [line.said for line in plain.lines(battle_file.parse(battle.file()), 1, battle.recording.battle.n)]
    assert from_file == [line.said for line in plain.lines(BATTLE, 1, len(from_file))]
    assert ended_battle().file() == ended_file()
