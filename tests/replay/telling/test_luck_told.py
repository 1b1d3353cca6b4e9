"""The luck of a battle as `stats` tells it: lines in both languages, data, and amounts."""

import csv
from fractions import Fraction as F
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace
from typer.testing import CliRunner

from domain.basics.decoding import convert
from domain.engine.state import OTHER
from domain.run.timeline import Timeline
from replay import battle_file
from replay.battle_file import BattleFile
from replay.reports.luck import LuckData, SideLuckData, as_data, extremes
from replay.telling.luck import amount, by_side, course, largest, luck_of, sums
from server.cli.main import main
from tests.support.looping import some

GOLDEN = Path(__file__).parents[2] / "golden"
MEDALS = GOLDEN / "medals.battle"


@pytest.fixture(scope="module")
def medals() -> BattleFile:
    return battle_file.load(str(MEDALS))


@pytest.mark.parametrize(
    ("luck", "told"), [(F(62, 100), "+0.62"), (F(-1), "-1.00"), (F(1, 1000), "0.00"), (F(-1, 200), "-0.01")]
)
def test_an_amount_has_its_sign_and_two_decimals(luck: F, told: str) -> None:
    assert amount(luck) == told


def test_sums_course_and_sides_are_one(medals: BattleFile) -> None:
    rows = luck_of(medals.timeline)
    for side in some(by_side(rows)):
        assert side.own == sums(rows, lambda row: row.side)[side.side]
        assert (
            sum(luck for (s, _), luck in sums(rows, lambda row: (row.side, row.turn)).items() if s == side.side)
            == side.own
        )
        assert course(rows, side.side)[-1] == (rows[-1].settled, side.total)
        opposite = [(n, -luck) for n, luck in course(rows, OTHER[side.side])]
        assert course(rows, side.side) == opposite


def test_the_largest_come_first(medals: BattleFile) -> None:
    sizes = [abs(row.luck) for row in largest(luck_of(medals.timeline), 5)]
    assert sizes == sorted(sizes, reverse=True)
    assert len(sizes) == 5


def test_the_luckiest_and_the_unluckiest_draw_are_told_with_what_they_led_to(medals: BattleFile) -> None:
    best, worst = extremes(medals.timeline, luck_of(medals.timeline))
    assert best.startswith(
        "Luckiest draw: event 432, +0.99 for South; 9 of 31 would do, 1.40 at stake. R4 (bowmen) hits N2"
    )
    assert worst.startswith("Unluckiest draw: event 757, -0.71 for North;")


@pytest.mark.parametrize(
    ("lang", "words"),
    [
        ("en", ["Luck in medals", "own draws", "-2.11", "R4 (South)", "Unluckiest draw: event 757"]),
        ("fr", ["La chance en médailles", "ses tirages", "-2,11", "R4 (Le Sud)", "Le plus malheureux"]),
    ],
)
def test_stats_prints_it(lang: str, words: list[str]) -> None:
    printed = CliRunner().invoke(main, ["stats", str(MEDALS), "--lang", lang]).output
    assert [word for word in words if word not in printed] == []


def test_stats_has_it_as_data(medals: BattleFile) -> None:
    printed = CliRunner().invoke(main, ["stats", str(MEDALS), "--json"]).output
    found = convert(msgspec.json.decode(printed)[str(MEDALS)]["luck"], LuckData)
    rows = luck_of(medals.timeline)
    assert found == as_data("tts.tally", rows)
    assert found.sides[0] == SideLuckData("south", -2114, 1940, -174)
    assert sum(F(draw.luck) for draw in found.draws if draw.side == "south") == by_side(rows)[0].own


def test_stats_has_its_draws_as_csv(medals: BattleFile) -> None:
    printed = CliRunner().invoke(main, ["stats", str(MEDALS), "--csv"]).output
    found = list(csv.DictReader(printed.splitlines()))
    rows = luck_of(medals.timeline)
    assert [(line["n"], line["unit"], line["luck"]) for line in found] == [
        (str(row.n), row.unit, str(round(1000 * row.luck))) for row in rows
    ]
    assert {line["battle"] for line in found} == {medals.log.header.battle}
    assert {line["voided"] for line in found} == {"0"}


def test_a_log_that_claims_nonsense_has_no_luck(medals: BattleFile) -> None:
    """Events change nothing by themselves, so that a file may name units that there are not."""
    timeline = Timeline(medals.ruleset)
    for each in medals.events[:70]:
        event = replace(each.event, target="N99") if each.type in ("HitScored", "HitMissed") else each.event
        timeline.feed(replace(each, event=event))
    assert [row for row in luck_of(timeline) if row.purpose == "hit"] == []
