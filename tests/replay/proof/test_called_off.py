"""A campaign ends a battle in its own log: by what both sides have kept, or by default (CAM-LOG-05, CAM-TIM-05)."""

from collections.abc import Callable
from typing import Any

import pytest

from domain.basics.errors import Refusal
from domain.events.battle import BoardOfCampaign
from domain.run.terms import Terms
from replay.called_off import ADJUDICATE, awarding
from replay.proof import verdict
from replay.proof.notes import Signer
from replay.proof.report import Report
from replay.proof.verify import FAULT, OK, verify
from replay.writing.entropy import SeededEntropy
from replay.writing.in_memory import OfflineBattle, SeededClock
from tests.support.rechained import put_together, taken_apart
from tests.support.tiny import TTS, tiny_scenario

of = pytest.mark.parametrize
Events = list[dict[str, Any]]
OF_A_CUP = Terms(campaign=BoardOfCampaign("2.1", "cup"))


def fought(medals: int = 3, terms: Terms = OF_A_CUP) -> OfflineBattle:
    """A battle on a board of a cup that has begun."""
    scenario = tiny_scenario()
    scenario["sides"]["north"]["medals"] = medals
    battle = OfflineBattle(TTS, scenario, SeededClock("cup"), SeededEntropy("cup"), terms=terms)
    battle.seat_person("south", "Anna")
    battle.seat_person("north", "Bob")
    battle.order("south", "R1 ahead")
    return battle


def called_off(battle: OfflineBattle, effect: str = ADJUDICATE) -> bytes:
    """Its file, once the campaign has ended it."""
    battle._adopt(battle.recording.call_off(effect, battle.clock.now()))
    return battle.file()


def test_a_battle_that_is_cut_off_is_drawn_where_both_have_kept_the_same() -> None:
    battle = fought()
    report = verify(called_off(battle))
    assert (report.fault, report.ended, report.exit) == (None, True, OK)
    now = battle.recording.battle
    assert (now.winner, now.how) == ("", "adjudicated")
    assert [(act.what, act.who, act.authority, act.about) for act in report.listed] == [
        ("called-off", "server", "host", "cup 2.1")
    ]
    assert "for its campaign and board (cup 2.1)" in " ".join(verdict.lines(report))
    assert "pour sa campagne" in " ".join(verdict.lines(verify(battle.file(), lang="fr"), "fr"))


@of("side", ["south", "north"])
def test_a_battle_by_default_goes_to_the_side_that_the_ruling_names(side: str) -> None:
    battle = fought()
    assert verify(called_off(battle, awarding(side))).exit == OK
    assert (battle.recording.battle.winner, battle.recording.battle.how) == (side, "default")


@of("effect", ["", "draw", "award nobody", "none", "rewind 1"])
def test_a_campaign_has_no_other_ruling(effect: str) -> None:
    with pytest.raises(Refusal, match="bad-clock"):
        called_off(fought(), effect)


def test_a_battle_of_no_campaign_is_ended_by_none() -> None:
    with pytest.raises(Refusal, match="bad-clock"):
        called_off(fought(terms=Terms()))


def test_one_that_is_over_or_has_not_begun_is_not_ended() -> None:
    battle = fought()
    battle.order("south", "resign")
    with pytest.raises(Refusal, match="battle-ended"):
        called_off(battle)
    waiting = OfflineBattle(TTS, tiny_scenario(), SeededClock("w"), SeededEntropy("w"), terms=OF_A_CUP)
    with pytest.raises(Refusal, match="not-begun"):
        called_off(waiting)


# --- what a host may not write


def forged(change: Callable[[Events], None], effect: str = ADJUDICATE) -> Report:
    """What is found in a file of such a battle that its host has changed and signed."""
    header, events = taken_apart(called_off(fought(), effect))
    change(events)
    for n, event in enumerate(events, 1):
        event["n"] = n
    signer = Signer(header["host"], bytes(range(32)))
    return verify(put_together({**header, "key": signer.key}, events, signer))


def data_of(events: Events, kind: str) -> dict[str, Any]:
    found: dict[str, Any] = next(event["data"] for event in reversed(events) if event["type"] == kind)
    return found


def with_member(kind: str, **members: Any) -> Callable[[Events], None]:
    return lambda events: data_of(events, kind).update(members)


def without(kind: str) -> Callable[[Events], None]:
    return lambda events: events.remove([event for event in events if event["type"] == kind][-1])


def by(kind: str, author: str) -> Callable[[Events], None]:
    def change(events: Events) -> None:
        next(event for event in reversed(events) if event["type"] == kind)["by"] = author

    return change


def of_no_campaign(events: Events) -> None:
    del data_of(events, "BattleOpened")["campaign"]


FORGED: dict[str, tuple[Callable[[Events], None], str, str]] = {
    "winner by what was kept": (with_member("BattleEnded", winner="south"), "event-differs", ADJUDICATE),
    "winner by default": (with_member("BattleEnded", winner="north"), "mixed-clock", awarding("south")),
    "how": (with_member("BattleEnded", how="resignation"), "mixed-clock", ADJUDICATE),
    "other board": (with_member("RulingGiven", ruling="cup 2.2"), "no-authority", ADJUDICATE),
    "a docket": (with_member("RulingGiven", docket="d1"), "no-authority", ADJUDICATE),
    "effect": (with_member("RulingGiven", effect="draw"), "no-authority", ADJUDICATE),
    "side": (with_member("ClockFired", side="south"), "bad-member", ADJUDICATE),
    "text": (with_member("ClockFired", text="now"), "bad-member", ADJUDICATE),
    "no ruling": (without("RulingGiven"), "clock-without-end", ADJUDICATE),
    "no end": (without("BattleEnded"), "clock-without-end", ADJUDICATE),
    "author": (by("ClockFired", "south"), "other-author", ADJUDICATE),
    "author of the ruling": (by("RulingGiven", "south"), "other-author", ADJUDICATE),
    "no campaign": (of_no_campaign, "no-authority", ADJUDICATE),
    "kept master": (without("MasterRevealed"), "disclosure-missing", ADJUDICATE),
}


@of("name", FORGED)
def test_what_is_forged_is_found(name: str) -> None:
    change, kind, effect = FORGED[name]
    report = forged(change, effect)
    assert report.exit == FAULT and report.fault is not None
    assert report.fault.what == kind
