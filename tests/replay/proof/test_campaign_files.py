"""A campaign's file is verified with the files of its battles; what a host forges in it is found where it is."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from replay.proof.campaign.report import CampaignReport
from replay.proof.campaign.verdict import lines
from replay.proof.campaign.verify import verify_campaign
from replay.proof.verify import FAULT, NOT_A_FILE, NOT_ALL_JUDGED, OK, OTHER_RULES
from tests.server.cli.test_cli import phalera
from tests.support.campaign_files import Events, ServedCup, served_cup

Change = Callable[[Events], None]


@pytest.fixture(scope="module")
def cup(tmp_path_factory: pytest.TempPathFactory) -> ServedCup:
    return served_cup(tmp_path_factory.mktemp("cup"))


def found(cup: ServedCup, change: Change) -> tuple[str, str]:
    """Kind and type of the event of the fault that a forged file has."""
    content = cup.forged(change)
    report = verify_campaign(content, find=cup.battles.get)
    assert report.exit == FAULT and report.fault is not None, report
    line = content.splitlines()[report.fault.n].decode()
    return report.fault.what, line.rpartition('"type":"')[2].rstrip('"}')


def of_type(events: Events, kind: str, at: int = 0) -> dict[str, Any]:
    """The data of an event of a type."""
    data: dict[str, Any] = [event for event in events if event["type"] == kind][at]["data"]
    return data


def with_member(kind: str, at: int = 0, **members: Any) -> Change:
    return lambda events: of_type(events, kind, at).update(members)


def without(kind: str, at: int = 0) -> Change:
    return lambda events: events.remove([event for event in events if event["type"] == kind][at])


def swapped(kind: str, one: str, other: str) -> Change:
    def change(events: Events) -> None:
        data = of_type(events, kind)
        data[one], data[other] = data[other], data[one]

    return change


def lots_turned(events: Events) -> None:
    of_type(events, "LotsDrawn")["order"].reverse()


def defaulted(events: Events) -> None:
    """In place of a result the clock gives a default that nobody was warned of."""
    at = next(n for n, event in enumerate(events) if event["type"] == "ResultCounted")
    fired = {"data": {"round": 1, "side": "", "what": "show-over"}, "rule": "CAM-TIM-03", "type": "ClockFired"}
    events[at] = {**events[at], **fired}


def other_phrase(events: Events) -> None:
    of_type(events, "ContributionGiven")["phrase"] += " or another"


def other_kept(events: Events) -> None:
    result = of_type(events, "ResultCounted", 3)
    result["kept"] = {side: kept + 1 for side, kept in result["kept"].items()}


def other_winner(events: Events) -> None:
    result = of_type(events, "ResultCounted", 3)
    result["winner"] = "south" if result["winner"] == "north" else "north"


def earlier_head(events: Events) -> None:
    of_type(events, "ResultCounted")["n"] -= 1


def other_winners(events: Events) -> None:
    winners = of_type(events, "CampaignEnded")["winners"]
    seats = [event["data"]["entrant"] for event in events if event["type"] == "EntrantJoined"]
    winners[:] = [name for name in seats if name not in winners][:1]


FORGED: dict[str, tuple[Change, str, str]] = {
    "lots": (lots_turned, "lots-differ", "LotsDrawn"),
    "pairing": (swapped("BattleSet", "south", "north"), "event-differs", "BattleSet"),
    "winner of a board": (other_winner, "battle-result", "ResultCounted"),
    "kept": (other_kept, "battle-result", "ResultCounted"),
    "how": (with_member("ResultCounted", 0, how="time"), "battle-result", "ResultCounted"),
    "rated": (with_member("ResultCounted", 0, rated=True), "battle-result", "ResultCounted"),
    "head": (earlier_head, "battle-head", "ResultCounted"),
    "hash": (with_member("ResultCounted", 0, hash="0" * 64), "battle-head", "ResultCounted"),
    "dropped result": (without("ResultCounted"), "event-without-cause", "RoundEnded"),
    "dropped round": (without("RoundEnded"), "event-differs", "RoundBegan"),
    "dropped entrant": (without("EntrantJoined"), "seat-empty", "ContributionGiven"),
    "contribution": (other_phrase, "contribution-differs", "ContributionGiven"),
    "key": (with_member("KeyDisclosed", 0, key="0" * 64), "key-differs", "KeyDisclosed"),
    "dropped key": (without("KeyDisclosed"), "disclosure-missing", "BattleSet"),
    "master": (with_member("MasterRevealed", 0, master="0" * 64), "master-differs", "MasterRevealed"),
    "commitment": (with_member("CampaignOpened", 0, commitment="0" * 64), "anchors-differ", "CampaignOpened"),
    "default without notice": (defaulted, "not-allowed", "ClockFired"),
    "winner of the cup": (other_winners, "event-differs", "CampaignEnded"),
    "scenario": (with_member("BattleSet", 0, scenario="0" * 64), "battle-scenario", "BattleSet"),
    "title": (with_member("CampaignOpened", 0, title="Spring Cup"), "event-differs", "CampaignOpened"),
}


def test_a_cup_and_its_battles_hold(cup: ServedCup) -> None:
    report = verify_campaign(cup.ended, find=cup.battles.get)
    assert (report.exit, report.fault) == (OK, None)
    assert set(report.compared) == set(cup.battles)
    assert (report.draws, report.bound, report.ended, report.signed) == (1, 0, True, True)


def test_a_running_cup_is_judged_as_far_as_it_goes(cup: ServedCup) -> None:
    report = verify_campaign(cup.begun, find=cup.battles.get)
    assert (report.exit, report.fault, report.ended) == (NOT_ALL_JUDGED, None, False)


def test_battles_that_are_not_there_are_listed(cup: ServedCup) -> None:
    first, *others = cup.battles
    report = verify_campaign(cup.ended, find={name: cup.battles[name] for name in others}.get)
    assert (report.exit, report.missing) == (OTHER_RULES, (first,))
    assert any(first in line for line in lines(report))
    assert verify_campaign(cup.ended).exit == OTHER_RULES


@pytest.mark.parametrize("name", FORGED)
def test_what_is_forged_is_found_where_it_is(cup: ServedCup, name: str) -> None:
    change, kind, at = FORGED[name]
    assert found(cup, change) == (kind, at)


def test_the_file_of_another_battle_is_none(cup: ServedCup) -> None:
    one, other, *_ = cup.battles
    report = verify_campaign(cup.ended, find={**cup.battles, one: cup.battles[other]}.get)
    assert report.exit == FAULT and report.fault is not None
    assert report.fault.what == "battle-head"


def test_a_changed_byte_breaks_the_chain(cup: ServedCup) -> None:
    report = verify_campaign(cup.ended.replace(b"Autumn Cup", b"Spring Cup"))
    assert report.exit == FAULT and report.fault is not None
    assert report.fault.what == "wrong-hash"


def test_the_command_reads_a_campaign_and_the_folder_of_its_battles(cup: ServedCup, tmp_path: Path) -> None:
    file = tmp_path / "cup.campaign"
    file.write_bytes(cup.ended)
    for at, content in enumerate(cup.battles.values()):
        (tmp_path / f"{at}.battle").write_bytes(content)
    held = phalera("verify", file, "--battles", tmp_path)
    assert (held.code, "Everything holds." in held.out) == (OK, True)
    assert '"missing":[]' in phalera("verify", file, "--battles", tmp_path, "--json").out.replace(" ", "")
    file.write_bytes(cup.forged(lots_turned))
    assert phalera("verify", file, "--battles", tmp_path).code == FAULT
    assert phalera("verify", file, "--battles", tmp_path / "none").code == 2


def test_what_is_no_campaign_is_said_to_be_none() -> None:
    assert verify_campaign(b"{}\n").exit == NOT_A_FILE


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_a_verdict_is_told_in_both_languages(cup: ServedCup, lang: str) -> None:
    report: CampaignReport = verify_campaign(cup.forged(lots_turned), lang=lang)
    told = list(lines(report, lang))
    assert "lots-differ" in told[0]
    assert "campaign-" not in "".join(lines(verify_campaign(cup.ended, lang=lang), lang))
