"""A campaign file comes to a configuration with all defaults, or is refused with the key that is wrong."""

import pytest

from domain.basics.errors import Refusal
from domain.basics.pace import moment_of
from domain.basics.toml_text import to_toml
from domain.campaign.config import length_ms, read_config, resolved

AUTUMN = """
campaign = "cup"
title = "Autumn Cup"
ruleset = "toy"
readers = "public"
[entry]
closes = "2027-01-10"
least = 4
most = 32
armies = { size = 130, secret = true }
[cup]
system = "swiss"
rounds = 5
legs = 1
seed = "lots"
ladder = "k3jz81aq"
apart = [["p3", "p8"]]
points = { win = 2, draw = 1, loss = 0, bye = 2 }
tiebreaks = ["buchholz-1", "margin", "lots"]
[time]
pace = "3d+7d"
show = "14d"
round = "75d"
grace = "7d"
late = "adjudicate"
claim = "owner"
[battle]
options = { turn_limit = 12 }
[press]
mode = "public"
grey = false
opens = true
"""
SHORT = 'campaign = "cup"\ntitle = "A"\nruleset = "toy"\n[cup]\nsystem = "round-robin"\n'


@pytest.mark.rule("CAM-TIM-01")
def test_all_defaults_are_written_out():
    plain = read_config(SHORT).plain()
    assert plain["cup"] == {
        "system": "round-robin",
        "rounds": 0,
        "legs": 1,
        "concurrent": True,
        "seed": "lots",
        "order": [],
        "ladder": "",
        "apart": [],
        "points": {"win": 2, "draw": 1, "loss": 0, "bye": 2},
        "tiebreaks": ["direct", "sonneborn", "margin", "lots"],
    }
    assert plain["time"] == {
        "pace": "3d+7d",
        "show": "14d",
        "round": "75d",
        "grace": "7d",
        "late": "adjudicate",
        "claim": "owner",
    }
    assert plain["entry"] == {"closes": "", "least": 2, "most": 200, "late": 0}


@pytest.mark.rule("CAM-LOG-02")
@pytest.mark.parametrize("text", [AUTUMN, SHORT])
def test_what_is_resolved_is_read_as_itself(text):
    config = read_config(text)
    assert resolved(config.plain()) == config
    assert read_config(to_toml(config.plain())) == config


def test_a_swiss_cup_has_its_own_tie_breaks():
    text = AUTUMN.replace('tiebreaks = ["buchholz-1", "margin", "lots"]', "")
    assert tuple(read_config(text).plain()["cup"]["tiebreaks"]) == ("buchholz-1", "margin", "lots")


@pytest.mark.parametrize(("legs", "most"), [(1, 200), (2, 140)])
def test_a_round_robin_has_fewer_entrants_than_other_cups(legs, most):
    text = SHORT + f"legs = {legs}\n[entry]\n"
    assert read_config(text).entry.most == most
    with pytest.raises(Refusal, match="bad-file"):
        read_config(f"{text}most = {most + 1}")
    assert read_config(AUTUMN.replace("most = 32", "")).entry.most == 1000


def test_entering_closes_with_the_beginning_of_a_day():
    assert read_config(AUTUMN).closes_at == moment_of("2027-01-10T00:00:00.000Z")
    noon = AUTUMN.replace('"2027-01-10"', '"2027-01-10T12:00:00.000Z"')
    assert read_config(noon).closes_at == moment_of("2027-01-10T12:00:00.000Z")
    assert read_config(SHORT).closes_at is None


def test_a_ladder_has_a_period():
    config = read_config('campaign = "ladder"\ntitle = "Thursday"\nruleset = "toy"\nladder = { period = "month" }')
    assert (config.ladder.period, config.ladder.table, config.cup) == ("month", False, None)
    assert config.entry.most == 100_000


@pytest.mark.parametrize(
    ("was", "becomes", "key"),
    [
        ('title = "Autumn Cup"', 'title = "Autumn Cup"\ncolour = "red"', "colour"),
        ('title = "Autumn Cup"', "", "title"),
        ('title = "Autumn Cup"', 'title = ""', "title"),
        ('title = "Autumn Cup"', 'title = "a\\u0378"', "title"),
        ('"cup"', '"tree"', "campaign"),
        ('"cup"', '"ladder"', "cup"),
        ('"public"', '"all"', "readers"),
        ("legs = 1", "lgs = 1", "cup.lgs"),
        ("legs = 1", "legs = 3", "cup.legs"),
        ("legs = 1", 'order = ["p1"]', "cup.order"),
        ("rounds = 5", "rounds = 0", "cup.rounds"),
        ('"swiss"', '"knock-out"', "cup.rounds"),
        ('seed = "lots"', 'seed = "rating"', "cup.seed"),
        ('seed = "lots"', 'seed = "given"', "cup.order"),
        ('"k3jz81aq"', '"no id"', "cup.ladder"),
        ('"p8"', '"P8"', "cup.apart"),
        ('["p3", "p8"]', '["p3", "p3"]', "cup.apart"),
        ('"margin", ', '"luck", ', "cup.tiebreaks"),
        ('"margin", ', '"lots", ', "cup.tiebreaks"),
        ("win = 2", "won = 2", "cup.points.won"),
        ("least = 4", "least = 1", "entry.least"),
        ("least = 4", "least = 33", "entry.most"),
        ("most = 32", "most = 1001", "entry.most"),
        ('"2027-01-10"', '"2027-02-30"', "entry.closes"),
        ('"2027-01-10"', "2027-01-10", "entry.closes"),
        ("size = 130", "size = 0", "entry.armies.size"),
        ('"3d+7d"', '"soon"', "time.pace"),
        ('"14d"', '"14 days"', "time.show"),
        ('"75d"', '"0d"', "time.round"),
        ('grace = "7d"', 'grace = ""', "time.grace"),
        ('"owner"', '"auto"', "time.claim"),
        ("turn_limit = 12", "turn_limit = 1.5", "battle.options.turn_limit"),
        ("turn_limit = 12", "turn_limit = [2027-01-10]", "battle.options.turn_limit"),
        ("grey = false", "grey = 0", "press.grey"),
    ],
)
def test_a_wrong_key_is_named(was, becomes, key):
    assert AUTUMN.count(was)
    with pytest.raises(Refusal) as refused:
        read_config(AUTUMN.replace(was, becomes, 1))
    assert (refused.value.code, refused.value.params) == ("campaign.bad-file", {"key": key})


@pytest.mark.parametrize("table", ["[season]\nclub = 'a'\nname = 'b'", "[entry]\nlate = 1"])
def test_what_only_a_cup_of_that_kind_has_is_refused_elsewhere(table):
    text = f'campaign = "ladder"\ntitle = "A"\nruleset = "toy"\n{table}\n'
    with pytest.raises(Refusal) as refused:
        read_config(text)
    assert refused.value.params["key"] in ("season", "entry.late")


def test_lengths_of_time_are_days_or_hours():
    assert (length_ms("2d"), length_ms("36h"), length_ms("")) == (172_800_000, 129_600_000, 0)
