"""A campaign's file is verified with the files of its battles; what a host forges in it is found where it is."""

from pathlib import Path

import pytest

from replay.proof.campaign.report import CampaignReport
from replay.proof.campaign.verdict import lines
from replay.proof.campaign.verify import verify_campaign
from replay.proof.verify import FAULT, NOT_A_FILE, NOT_ALL_JUDGED, OK, OTHER_RULES
from tests.server.cli.test_cli import phalera
from tests.support.campaign_files import Events, ServedCup, ruled_cup, served_cup
from tests.support.forgeries import Change, found, of_type, with_member, without


@pytest.fixture(scope="module")
def cup(tmp_path_factory: pytest.TempPathFactory) -> ServedCup:
    return served_cup(tmp_path_factory.mktemp("cup"))


@pytest.fixture(scope="module")
def ruled(tmp_path_factory: pytest.TempPathFactory) -> ServedCup:
    return ruled_cup(tmp_path_factory.mktemp("ruled"))


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


def authored(kind: str, by: str, at: int = 0) -> Change:
    """Somebody else has said an event of a type."""

    def change(events: Events) -> None:
        [event for event in events if event["type"] == kind][at]["by"] = by

    return change


def other_text(events: Events) -> None:
    order = of_type(events, "OrderAccepted")
    order["text"] = order["text"].replace("late", "early")


def other_line(events: Events) -> None:
    """An umpire's line takes more points than they have said."""
    order = of_type(events, "OrderAccepted")
    order["text"], order["command"]["points"] = "penalty p1 9 because late", 9


def other_umpire(events: Events) -> None:
    """The organiser rules where an umpire is named."""
    of_type(events, "OrderAccepted")["player"] = of_type(events, "EntrantJoined")["player"]


def other_reserve(events: Events) -> None:
    """Who waits as a reserve competes already."""
    of_type(events, "ReserveJoined")["player"] = of_type(events, "EntrantJoined")["player"]


def one_player_twice(events: Events) -> None:
    of_type(events, "EntrantJoined", 1)["player"] = of_type(events, "EntrantJoined")["player"]


def nobody_came(events: Events) -> None:
    """Who has come to the battle of a board loses it by default, and who has not wins."""
    late, default = of_type(events, "LateNoted"), of_type(events, "DefaultGiven")
    present = default["winner"]
    default["winner"], default["losers"], late["who"] = default["losers"][0], [present], [present]


def other_default(events: Events) -> None:
    default = of_type(events, "DefaultGiven")
    default["winner"] = default["losers"][0]


def others_play(events: Events) -> None:
    """Two entrants have entered under each other's players: others have fought than the log says."""
    one, other = of_type(events, "EntrantJoined"), of_type(events, "EntrantJoined", 1)
    names = {one["player"]: other["player"], other["player"]: one["player"]}
    for entrant in (one, other):
        entrant["player"] = names[entrant["player"]]
    for event in events:
        players = event["data"].get("players", {}) if event["type"] == "BattleSet" else {}
        players.update({side: names.get(player, player) for side, player in players.items()})


def another_board(events: Events) -> None:
    """Two boards have each other's battles."""
    one, other = of_type(events, "BattleSet"), of_type(events, "BattleSet", 1)
    one["battle"], other["battle"] = other["battle"], one["battle"]
    names = {one["battle"]: other["battle"], other["battle"]: one["battle"]}
    for event in events:
        if event["type"] == "ResultCounted":
            event["data"]["battle"] = names.get(event["data"]["battle"], event["data"]["battle"])


def counted_twice(events: Events) -> None:
    at = next(n for n, event in enumerate(events) if event["type"] == "ResultCounted")
    events.insert(at + 1, {**events[at], "data": {**events[at]["data"]}})


def behind_the_end(events: Events) -> None:
    events.append({**events[1], "at": events[-1]["at"]})


FORGED_RULINGS: dict[str, tuple[Change, str, str]] = {
    "deadline of a round": (
        with_member("RoundBegan", deadline="2026-12-01T00:00:00.000Z"),
        "event-differs",
        "RoundBegan",
    ),
    "deadline moved": (with_member("DeadlineMoved", by=70), "event-differs", "DeadlineMoved"),
    "deadline not moved": (without("DeadlineMoved"), "event-missing", "RulingGiven"),
    "grace": (with_member("LateNoted", until="2026-11-25T01:00:00.000Z"), "event-differs", "LateNoted"),
    "no notice": (without("LateNoted"), "not-allowed", "ClockFired"),
    "default of one who came": (nobody_came, "battle-result", "LateNoted"),
    "winner by default": (other_default, "event-differs", "DefaultGiven"),
    "reason of a default": (with_member("DefaultGiven", 1, reason="withdrawn"), "event-differs", "DefaultGiven"),
    "level of a round": (with_member("RoundBegan", 1, level=1), "event-differs", "RoundBegan"),
    "points taken": (with_member("PointsTaken", points=2), "event-differs", "PointsTaken"),
    "effect of a ruling": (with_member("RulingGiven", effect="penalty p2 1"), "event-differs", "RulingGiven"),
    "docket of a ruling": (with_member("RulingGiven", docket="D7"), "event-differs", "RulingGiven"),
    "dropped ruling": (without("RulingGiven"), "event-differs", "PointsTaken"),
    "text of a line": (other_text, "text-differs", "OrderAccepted"),
    "line of the umpire": (other_line, "event-differs", "RulingGiven"),
    "umpire": (other_umpire, "not-allowed", "OrderAccepted"),
    "umpire named by a player": (authored("RoleGiven", "p1"), "other-author", "RoleGiven"),
    "role given by the host": (authored("RoleGiven", "server"), "other-rule", "RoleGiven"),
    "changed result": (with_member("ResultChanged", winner="south"), "event-differs", "ResultChanged"),
    "result that was": (with_member("ResultChanged", was=""), "event-differs", "ResultChanged"),
    "substitute": (with_member("EntrantJoined", 4, player="p0"), "event-differs", "EntrantJoined"),
    "who was replaced": (with_member("EntrantLeft", entrant="p3"), "event-differs", "EntrantLeft"),
    "who was expelled": (without("EntrantLeft", 1), "event-differs", "DefaultGiven"),
    "reserve who competes": (other_reserve, "not-allowed", "ReserveJoined"),
    "one player twice": (one_player_twice, "not-allowed", "EntrantJoined"),
    "entered by another": (authored("EntrantJoined", "p2"), "other-author", "EntrantJoined"),
    "begun by a player": (authored("CampaignBegan", "p1"), "other-author", "CampaignBegan"),
    "players of a board": (others_play, "battle-players", "BattleSet"),
    "battles exchanged": (another_board, "battle-scenario", "BattleSet"),
    "counted twice": (counted_twice, "not-allowed", "ResultCounted"),
    "winners of what was broken off": (with_member("CampaignEnded", winners=["p1"]), "event-differs", "CampaignEnded"),
    "behind the end": (behind_the_end, "after-the-end", "EntrantJoined"),
}


@pytest.mark.parametrize("name", FORGED_RULINGS)
def test_what_is_forged_of_rulings_people_and_deadlines_is_found(ruled: ServedCup, name: str) -> None:
    change, kind, at = FORGED_RULINGS[name]
    assert found(ruled, change) == (kind, at)


def test_a_cup_in_which_an_umpire_has_ruled_holds(ruled: ServedCup) -> None:
    report = verify_campaign(ruled.ended, find=ruled.battles.get)
    assert (report.exit, report.fault, len(report.compared)) == (OK, None, 1)


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
