"""The battle file of a toy with three seats is read, told, explained, drawn and reported."""

from fractions import Fraction

import pytest

from domain.basics.errors import Refusal
from projections.luck import by_side, luck_of
from projections.statistics import battle_statistics
from replay.battle_file import parse
from replay.player.playback import Playback
from replay.proof.verify import verify
from replay.reports import plain
from replay.reports.account.contents import contents
from replay.reports.luck import as_data, luck_lines
from replay.telling.luck import amount, course
from replay.telling.recompute import recomputed
from replay.telling.why import explain, to_text
from replay.telling.words import LANGUAGES
from replay.telling.words.sentences import fragment
from tests.support.looping import some
from tests.support.three_seats import GAMES, lots_file
from tests.toys.lots import LOTS, SEATS

pytestmark = pytest.mark.filterwarnings("ignore::replay.telling.words.MissingSentence")


@pytest.fixture(scope="module")
def battle():
    return parse(lots_file(), rulesets=GAMES)


def dice(battle):
    return [one.n for one in battle.events if one.type == "DieRolled"]


def test_the_file_is_folded_to_its_end(battle):
    assert (battle.timeline.now.ended, battle.timeline.now.winner) == (True, "blue")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_event_is_told(battle, lang):
    told = list(plain.as_text(battle, 1, battle.last, lang))
    assert len(told) >= battle.last // 2


def test_it_is_sought_to_any_event_and_back(battle):
    for n in some(range(1, battle.last + 1)):
        assert battle.timeline.at(n).n == n
    assert battle.timeline.at(5).game.thrown == {}


def test_the_board_has_all_three(battle):
    board = plain.board_at(battle, battle.last)
    picture = plain.picture(battle, battle.last, "svg").decode()
    for seat in SEATS.names:
        assert f'data-unit="{seat}"' in picture
    assert board.strip()


def test_each_die_is_explained_and_recomputed_from_three_contributions(battle):
    for n in some(dice(battle)):
        draw = recomputed(battle.log.header.battle, battle.events, n)
        assert draw is not None
        sides = [battle.events[at - 1].event.side for at in draw.contributions]
        assert sides == ["blue", "green", "red"]
        event = battle.events[n - 1].event
        assert draw.number + 1 == event.value
        told = explain(LOTS, battle.timeline.at(n - 1).game, battle.events[:n], battle.events[n:])
        assert str(event.value) in to_text(told)


def test_the_report_of_two_sides_is_refused_rather_than_wrong(battle):
    with pytest.raises(Refusal) as refused:
        contents(battle, verify(lots_file(), rulesets=GAMES), "en")
    assert (refused.value.code, refused.value.params["count"]) == ("core.report-of-two", 3)


def test_what_luck_brings_one_seat_the_others_lose_in_equal_shares(battle):
    rows = luck_of(battle.timeline)
    assert [row.side for row in rows] == list(SEATS.names)
    sides = by_side(rows, SEATS)
    assert [(one.side, one.own) for one in sides] == [(row.side, row.luck) for row in rows]
    for one in some(sides):
        assert one.theirs == sum(other.own for other in sides if other is not one) / 2
        assert course(rows, one.side, SEATS)[-1][1] == one.total
    assert any(one.total for one in sides) and sum(one.total for one in sides) == 0


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_report_of_luck_names_each_seat(battle, lang):
    report = "\n".join(luck_lines(battle, lang))
    data = as_data(LOTS.shown.tallied, luck_of(battle.timeline), SEATS)
    assert [one.side for one in data.sides] == list(SEATS.names)
    assert [one.side for one in data.units] == [one.side for one in data.turns] == list(SEATS.names)
    for one in some(data.sides):
        assert one.side in report and amount(Fraction(one.total, 1000), fragment("luck.mark", {}, lang)) in report


def test_the_player_follows_the_luck_of_each_seat(battle):
    playback = Playback(battle)
    playback.read_all()
    playback.go(battle.last)
    course_of_all = playback.luck_until()
    assert course_of_all[-1] == {one.side: one.total for one in by_side(luck_of(battle.timeline), SEATS)}
    assert sum(course_of_all[-1].values()) == 0


def test_the_dice_of_each_seat_are_counted(battle):
    found = battle_statistics(LOTS, list(battle.events))
    counted = {side.side: sum(draw.count for draw in side.draws) for side in found.counted}
    assert counted == dict.fromkeys(SEATS.names, 1)
