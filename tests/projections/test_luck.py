"""The luck in a battle, by hand: what a card or a die put at stake, and what came."""

import tomllib
from contextlib import closing
from fractions import Fraction as F

import pytest

from domain.run.timeline import Timeline
from projections import luck
from projections.catalogue import MODELS
from projections.database import ModelReader
from projections.luck import LUCK, LuckRow, by_side, luck_of
from projections.runner import ProjectionRunner
from tests.projections.kept import caught_up
from tests.projections.played import RULES, MemoryLog, Played
from tests.projections.test_statistics import recorded
from tests.support.cases import case_path
from tests.support.staked import Staked, played


def case(number: int, game: str = "tts") -> Staked:
    return played(tomllib.loads(case_path(number, game).read_text(encoding="utf-8")))


def of_log(played_: Played) -> tuple[LuckRow, ...]:
    timeline = Timeline(RULES)
    for each in recorded(played_.lines):
        timeline.feed(each)
    return luck_of(timeline)


def told(staked: Staked) -> list[tuple]:
    return [(r.side, r.unit, r.purpose, r.happened, F(r.does, r.out_of), r.swing) for r in staked.rows]


def test_a_hit_is_worth_the_odds_of_the_save_and_a_rout_test_those_of_its_second_card() -> None:
    """Case 456: N1 is disordered, so that its two medals are at stake. It saves with 7: of 80 cards 48 do not. N2 tests
    with 6, twice: it is lost, with one medal, if both cards fail, and of 79 cards 40 fail, then 39 of 78."""
    staked = case(456)
    assert told(staked) == [
        ("south", "R1", "hit", True, F(40, 79), 2 * F(48, 80)),
        ("north", "N1", "save", False, F(32, 80), F(2)),
        ("north", "N2", "rout", False, F(39, 79), F(39, 78)),
        ("north", "N2", "rout", False, F(39, 78), F(1)),
    ]
    luck = [F(39, 79) * F(6, 5), -F(4, 5), -F(39, 158), -F(1, 2)]
    assert [row.luck for row in staked.rows] == luck
    south, north = by_side(staked.rows)
    assert south.own == luck[0]
    assert north.own == south.theirs == sum(luck[1:])
    assert south.total == -north.total == luck[0] - sum(luck[1:])


def test_the_luck_of_a_test_is_what_it_cost_beyond_what_was_to_be_expected() -> None:
    """Both cards of N2's test together: it lost its medal, and could expect to lose 40/79 of 39/78 of it."""
    first, second = case(456).rows[2:]
    assert first.luck + second.luck == -(1 - F(40, 79) * F(39, 78))


def test_a_wound_of_a_great_general_is_the_worse_of_two_cards() -> None:
    """Case 444: three medals; 1 to 3 kill: of 77 cards one has gone that is an ace."""
    rows = [row for row in case(444).rows if row.purpose == "wound"][:2]
    assert [(row.does, row.out_of) for row in rows] == [(54, 76), (53, 75)]
    assert [row.swing for row in rows] == [3 * F(53, 75), F(3)]


def test_an_ace_bursts_a_cannon() -> None:
    """Case 612: an activation is worth nothing but for the ace that stands."""
    rows = [row for row in case(612).rows if row.purpose == "activation"]
    assert [(row.unit, row.does, row.out_of, row.swing) for row in rows] == [("R1", 72, 80, F(3)), ("R1", 70, 78, F(3))]


@pytest.mark.parametrize("number", [269, 1])
def test_what_costs_no_medal_is_worth_nothing(number: int) -> None:
    assert not [row for row in case(number).rows if row.purpose in ("rally", "activation")]


def test_the_dice_of_a_combat_are_weighed_together() -> None:
    """Case 35 of Singidunum: 8 against 9, and the attackers' first unit is eliminated if they lose by four. Of 36 pairs
    of (1, 2, 3, 3, 4, 5) that are three: 4 against 1, 5 against 1 and against 2. A point is two halves."""
    assert told(case(35, "singidunum")) == [("north", "BEL9", "combat", True, F(3, 36), F(2))]


def test_heavy_infantry_that_may_rally_is_worth_half() -> None:
    """Case 9: 8 against 5, and by four the target is eliminated unless it rallies on 4, 5 or 6. The attacker's die must
    not be lower by less than one: 14 pairs of 36. Then the rally decides over both halves."""
    assert told(case(9, "singidunum")) == [
        ("south", "REL8", "combat", True, F(14, 36), 2 * F(1, 2)),
        ("north", "BHI6", "rally", False, F(3, 6), F(2)),
    ]


def test_the_dice_of_a_volley_are_weighed_one_after_the_other() -> None:
    """Case 13 of the shooting phase: L, worth 100 points, has three wounds of six. So all three dice must hit, with 4,
    and all three saves, with 5, must fail; then five dice drive it farther than 20 cm in 1722 of 7776 ways."""
    assert told(case(13, "warmaster-shooting")) == [
        ("south", "C1", "hit", True, F(1, 2), 100 * F(1, 2) ** 2 * F(2, 3) ** 3),
        ("south", "C2", "hit", True, F(1, 2), 100 * F(1, 2) * F(2, 3) ** 3),
        ("south", "C3", "hit", True, F(1, 2), 100 * F(2, 3) ** 3),
        ("north", "L", "save", False, F(2, 6), 100 * F(2, 3) ** 2),
        ("north", "L", "save", False, F(2, 6), 100 * F(2, 3)),
        ("north", "L", "save", True, F(2, 6), F(100)),
        ("south", "L", "drive", True, F(1722, 7776), F(100)),
    ]


def test_a_rout_may_need_a_six() -> None:
    """Case 245: of the 1722 ways 126 have no six."""
    assert told(case(245, "warmaster-shooting")) == [("south", "D", "drive", True, F(1722 - 126, 7776), F(45))]


@pytest.mark.slow
def test_the_read_model_says_the_same(tmp_path, three_battles) -> None:
    log = MemoryLog()
    with closing(caught_up(tmp_path / "live.db", log)) as runner, closing(ModelReader(tmp_path / "live.db")) as reader:
        log.extend(*three_battles)
        runner.catch_up()
        found = [luck.of_battle(reader, each.battle) for each in three_battles]
        assert found == [of_log(each) for each in three_battles]
        runner.rebuild()
        assert found == [luck.of_battle(reader, each.battle) for each in three_battles]
        assert any(row.voided for row in found[-1]) and any(row.luck for row in found[0])


@pytest.mark.slow
def test_a_file_from_before_the_luck_was_weighed_is_made_again(tmp_path, three_battles) -> None:
    log, path = MemoryLog(), tmp_path / "models.db"
    log.extend(*three_battles)
    with closing(ProjectionRunner(path, log, [model for model in MODELS if model is not LUCK])) as runner:
        runner.catch_up()
    with closing(ProjectionRunner(path, log)) as runner, closing(ModelReader(path)) as reader:
        runner.catch_up()
        assert luck.of_battle(reader, three_battles[0].battle) == of_log(three_battles[0]) != ()


def test_what_a_rewind_took_back_counts_in_no_sum() -> None:
    played_ = Played("dddddddd", 1).begin().play(150)
    rows = of_log(played_)
    played_.rewind(rows[0].n - 1)
    taken_back = of_log(played_)
    assert [(row.n, row.voided) for row in taken_back] == [(row.n, True) for row in rows] != []
    assert {side.total for side in by_side(taken_back)} == {F(0)}
