"""The file of a ladder is verified with its battles; forged results, fighters and ratings are found where they are."""

from pathlib import Path

import pytest

from replay.campaign_file import book_of, read_campaign
from replay.proof.campaign.verify import verify_campaign
from replay.proof.verify import OK, OTHER_RULES
from tests.replay.proof.test_campaign_files import swapped
from tests.support.campaign_files import Events, ServedCup, served_ladder
from tests.support.forgeries import Change, found, of_type, with_member, without


@pytest.fixture(scope="module")
def ladder(tmp_path_factory: pytest.TempPathFactory) -> ServedCup:
    return served_ladder(tmp_path_factory.mktemp("ladder"))


def other_winner(events: Events) -> None:
    result = of_type(events, "ResultCounted")
    result["winner"] = "south" if result["winner"] == "north" else "north"


def other_fighter(events: Events) -> None:
    of_type(events, "ResultCounted")["players"]["south"] = "p3"


def turned_fighters(events: Events) -> None:
    players = of_type(events, "ResultCounted")["players"]
    players["south"], players["north"] = players["north"], players["south"]


def other_speaker(events: Events) -> None:
    """A challenge that somebody makes for another member."""
    at = next(n for n, event in enumerate(events) if event["type"] == "ChallengeMade")
    events[at - 1]["by"] = events[at - 1]["data"]["side"] = "p3"


def counted_twice(events: Events) -> None:
    at = next(n for n, event in enumerate(events) if event["type"] == "ResultCounted")
    events.insert(at + 1, {**events[at], "data": dict(events[at]["data"])})


FORGED: dict[str, tuple[Change, str, str]] = {
    "winner": (other_winner, "battle-result", "ResultCounted"),
    "how": (with_member("ResultCounted", 0, how="time"), "battle-result", "ResultCounted"),
    "rated, too short": (with_member("ResultCounted", 1, rated=True), "battle-result", "ResultCounted"),
    "not rated": (with_member("ResultCounted", 0, rated=False), "battle-result", "ResultCounted"),
    "fighter": (other_fighter, "not-allowed", "ResultCounted"),
    "fighters turned": (turned_fighters, "not-allowed", "ResultCounted"),
    "counted twice": (counted_twice, "not-allowed", "ResultCounted"),
    "hash": (with_member("ResultCounted", 0, hash="0" * 64), "battle-head", "ResultCounted"),
    "sides": (swapped("BattleSet", "south", "north"), "event-differs", "BattleSet"),
    "scenario": (with_member("BattleSet", 1, scenario="0" * 64), "battle-scenario", "BattleSet"),
    "scenario of a challenge": (with_member("ChallengeMade", 1, scenario="zama"), "event-differs", "ChallengeMade"),
    "dropped challenge": (without("ChallengeMade"), "event-missing", "OrderAccepted"),
    "dropped refusal": (without("ChallengeEnded"), "event-missing", "OrderAccepted"),
    "made for another": (other_speaker, "not-allowed", "OrderAccepted"),
    "period": (with_member("ChallengeMade", 0, until="2030-01-01T00:00:00.000Z"), "event-differs", "ChallengeMade"),
}


@pytest.mark.rule("CAM-LOG-06")
def test_a_ladder_and_its_battles_hold(ladder: ServedCup) -> None:
    report = verify_campaign(ladder.ended, find=ladder.battles.get)
    assert (report.exit, report.fault) == (OK, None)
    assert set(report.compared) == set(ladder.battles)
    assert report.other_scenarios == ()
    assert verify_campaign(ladder.ended).exit == OTHER_RULES
    results = book_of(read_campaign(ladder.ended)).results
    assert [result.rated for result in results] == [True, False]


@pytest.mark.rule("CAM-LOG-06", "CAM-RAT-01", "CAM-RAT-05")
@pytest.mark.parametrize("name", FORGED)
def test_what_a_host_forges_in_a_ladder_is_found(ladder: ServedCup, name: str) -> None:
    change, kind, type_ = FORGED[name]
    assert found(ladder, change) == (kind, type_)


@pytest.mark.rule("CAM-RAT-04")
def test_a_forged_battle_cannot_move_a_rating(ladder: ServedCup, tmp_path: Path) -> None:
    """Ratings are worked out from the log, and each result of the log from the file of its battle."""
    battle = next(iter(ladder.battles))
    others = {**ladder.battles, battle: ladder.battles[battle].replace(b'"resignation"', b'"medals"')}
    report = verify_campaign(ladder.ended, find=others.get)
    assert report.fault is not None
    assert report.fault.what in ("battle-file", "battle-head")
