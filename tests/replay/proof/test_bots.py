"""From version 3 on a bot is played again from the log: what it would not have given is a fault."""

import json
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from msgspec.structs import replace
from typer.testing import CliRunner

from domain.catalogue import RULESETS
from domain.contract.ruleset import Ruleset
from domain.events.battle import ContributionGiven, OrderAccepted
from domain.log.record import PBEM_2_1
from domain.run.bots import bots_answer
from domain.run.seats import Seat
from replay.proof import verdict
from replay.proof.bots import with_bots
from replay.proof.report import BotOrders, Report
from replay.proof.verify import FAULT, NOT_ALL_JUDGED, OK, OTHER_RULES, verify
from replay.writing import in_memory
from replay.writing.entropy import SeededEntropy
from replay.writing.in_memory import OfflineBattle, SeededClock, scenario_table
from server.cli.main import main
from tests.support.tiny import TTS, tiny_scenario

MOST = 600
GAMES = {"singidunum": "quick", "stp": "crossroads", "tts": "skirmish", "warmaster-shooting": "engines"}
SHORT = {"options": {"turn_limit": 2}}


def opened(ruleset: Ruleset, table: dict[str, Any], version: int = PBEM_2_1, seed: str = "bots") -> OfflineBattle:
    return OfflineBattle(ruleset, table, SeededClock(seed), SeededEntropy(seed), version=version)


def fought(battle: OfflineBattle, *bots: str) -> OfflineBattle:
    """Bots sit down and play, to the end."""
    for side, bot in zip(battle.ruleset.seats.names, bots, strict=True):
        battle.seat_bot(side, bot)
    return to_the_end(battle)


def to_the_end(battle: OfflineBattle) -> OfflineBattle:
    for _ in range(MOST):
        if battle.recording.battle.ended:
            return battle
        battle.bot_order()
    raise AssertionError("no end")


def small(version: int = PBEM_2_1) -> OfflineBattle:
    """Two units, two turns."""
    return opened(TTS, tiny_scenario() | SHORT, version)


def looked_at(battle: OfflineBattle | bytes, lang: str = "en", **options: Any) -> Report:
    content = battle if isinstance(battle, bytes) else battle.file()
    return with_bots(verify(content, lang=lang, **options), content, lang=lang, **options)


def counted(report: Report, left_out: str = "") -> int:
    return sum(one.orders for one in report.bots or () if one.left_out == left_out)


def faulty(battle: OfflineBattle) -> tuple[str, int]:
    """What is wrong with the bots of a file that has no other fault, and at which event."""
    assert verify(battle.file()).exit == OK
    report = looked_at(battle)
    assert report.exit == FAULT
    assert report.fault is not None
    for lang in ("en", "fr"):
        said = next(iter(verdict.lines(looked_at(battle, lang), lang)))
        assert report.fault.what in said
        assert "{" not in said
    return report.fault.what, report.fault.n


def orders_of(battle: OfflineBattle) -> list[int]:
    return [entry.n for entry in battle.events() if isinstance(entry.event, OrderAccepted)]


@pytest.mark.parametrize("code", GAMES)
@pytest.mark.slow
def test_the_bots_of_each_game_are_played_again_from_the_file(code):
    ruleset = RULESETS[code]
    table = scenario_table(ruleset, GAMES[code])
    battle = fought(opened(ruleset, table | (SHORT if code in ("tts", "stp") else {})), "easy", "random")
    report = looked_at(battle)
    assert (report.exit, report.fault) == (OK, None)
    assert [(one.side, one.bot) for one in report.bots or ()] == [("north", "random 1"), ("south", "easy 1")]
    assert counted(report) == len(orders_of(battle)) > 20


def test_a_small_battle_of_bots_holds_and_its_verdict_says_so():
    battle = fought(small(), "easy", "random")
    report = looked_at(battle)
    assert (report.exit, counted(report)) == (OK, len(orders_of(battle)))
    told = list(verdict.lines(report))
    assert report.bots is not None
    assert f"Played again: {report.bots[0].orders} orders of North, each as the bot random 1 gives it." in told
    assert verify(battle.file()).bots is None


def test_an_order_that_the_bot_would_not_have_given_is_found():
    battle = small()
    battle.seat_bot("south", "random")
    battle.seat_bot("north", "random")
    known = battle.recording.known("south")
    n = battle.recording.battle.n
    listed = [option.order for option in TTS.orders.options(known, "south")]
    battle.bot_order()
    given = next(entry.event for entry in battle.events() if isinstance(entry.event, OrderAccepted))
    forged = small()
    forged.seat_bot("south", "random")
    forged.seat_bot("north", "random")
    other = next(order for order in listed if order != given.text)
    forged.order("south", other, "bot")
    what, at = faulty(to_the_end(forged))
    assert (what, at) == ("bot-order-differs", orders_of(forged)[0])
    assert n < at


def planted(name: str, value: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> OfflineBattle:
    monkeypatch.setattr(in_memory, name, value)
    return fought(small(), "random", "random")


def test_a_bot_with_another_seed_is_found(monkeypatch):
    battle = planted("order_seed", lambda *_: bytes(32), monkeypatch)
    what, at = faulty(battle)
    assert what == "bot-order-differs"
    assert at in orders_of(battle)


def test_a_phrase_that_the_host_has_chosen_is_found(monkeypatch):
    battle = planted("bot_phrase", lambda *_, **__: "f" * 32, monkeypatch)
    given = [entry.n for entry in battle.events() if isinstance(entry.event, ContributionGiven)]
    assert faulty(battle) == ("bot-phrase-differs", given[0])


@pytest.mark.parametrize("told", ["", "easy 1"])
def test_an_order_names_its_bot_and_no_other(told, monkeypatch):
    battle = planted("bot_label", lambda *_: told, monkeypatch)
    assert faulty(battle) == ("bot-unnamed", orders_of(battle)[0])


def test_a_bot_that_gives_up_unasked_is_found():
    battle = small()
    battle.seat_person("south", "Anna")
    battle.seat_bot("north", "random")
    battle.order("north", "resign", "bot")
    assert faulty(battle) == ("bot-not-asked", orders_of(battle)[0])


@pytest.mark.parametrize(("first", "answer"), [("standing evade R1 always", "agree"), ("R1 ahead", "decline")])
def test_what_a_bot_says_to_a_take_back_is_its_own(first, answer):
    for is_forged in (False, answer == "agree"):  # the rules let no bot agree once something has fallen
        battle = small()
        battle.seat_person("south", "Anna")
        battle.seat_bot("north", "random")
        battle.order("south", first)
        battle.order("south", "takeback")
        docket = battle.recording.battle.disputes.open[0]
        said = bots_answer(battle.recording.timeline, docket)
        assert said == f"{answer} {docket.id}"
        battle.order("north", f"decline {docket.id}" if is_forged else said, "bot")
        for side in battle.recording.battle.owing:
            battle.contribute(side)
        battle.order("south", "resign")
        if is_forged:
            assert faulty(battle)[0] == "bot-order-differs"
        else:
            assert (looked_at(battle).exit, counted(looked_at(battle))) == (OK, 1)


def test_orders_of_another_version_of_a_bot_are_left_out(monkeypatch):
    battle = planted("bot_label", lambda _, bot: f"{bot} 0", monkeypatch)
    report = looked_at(battle)
    assert (report.exit, report.fault) == (OTHER_RULES, None)
    assert counted(report, "version") == len(orders_of(battle))
    assert "by the bot random 0, of which this release has another version." in "\n".join(verdict.lines(report))


def test_a_bot_of_before_version_3_is_not_played_again():
    battle = fought(small(2), "random", "random")
    report = looked_at(battle)
    assert (report.exit, counted(report, "header")) == (OK, len(orders_of(battle)))
    assert b'"bot":' not in b"".join(line for line in battle.file().splitlines() if b'"OrderAccepted"' in line)


def test_the_bots_of_a_running_battle_wait_for_its_end():
    battle = small()
    battle.seat_bot("south", "random")
    battle.seat_bot("north", "random")
    battle.bot_order()
    report = looked_at(battle)
    assert (report.exit, counted(report, "running")) == (NOT_ALL_JUDGED, 1)


def test_the_program_of_an_account_is_said_to_be_left_out():
    battle = small()
    battle._join(Seat("south", "p-program", "Rosa", is_program=True))
    battle.seat_bot("north", "random")
    battle.order("south", "resign")
    report = looked_at(battle)
    assert (report.exit, report.bots) == (OK, (BotOrders("south", "", 1, "program"),))


def test_under_other_rules_no_bot_is_played_again():
    battle = fought(small(), "random", "random")
    later = {"tts": replace(TTS, version="99")}
    report = looked_at(battle, rulesets=later)
    assert (report.exit, counted(report, "rules")) == (OTHER_RULES, len(orders_of(battle)))


def test_a_battle_of_persons_has_no_bots_to_play_again():
    battle = small()
    battle.seat_person("south", "Anna")
    battle.seat_person("north", "Bob")
    battle.order("south", "resign")
    report = looked_at(battle)
    assert (report.exit, report.bots) == (OK, ())
    assert "No bot of the server has given an order." in list(verdict.lines(report))


def test_the_command_plays_them_again_when_asked(tmp_path):
    file = tmp_path / "bots.battle"
    file.write_bytes(fought(small(), "random", "random").file())

    def verified(*options: str) -> str:
        done = CliRunner(env={"COLUMNS": "120"}).invoke(main, ["verify", str(file), *options])
        assert done.exit_code == OK, done.output
        return done.stdout

    assert verified("--bots").count("each as the bot random 1 gives it") == 2
    assert [one["bot"] for one in json.loads(verified("--bots", "--json"))["bots"]] == ["random 1", "random 1"]
    assert "Played again" not in verified()


def test_a_file_with_a_fault_is_not_played_again():
    content = fought(small(), "random", "random").file().replace(b'"random 1"', b'"random 2"', 1)
    report = looked_at(content)
    assert (report.exit, report.bots) == (FAULT, None)


def test_the_same_bot_orders_otherwise_for_other_phrases_of_its_opponent(monkeypatch):
    """So a host that has bound its keys does not know what its bot will do."""
    orders = set()
    for phrase in ("a phrase of Anna's", "another phrase of Anna's"):
        battle = opened(TTS, tiny_scenario() | SHORT)
        battle.seat_bot("south", "random")
        with monkeypatch.context() as patched:
            patched.setattr(battle, "_phrase", partial(_said, phrase))
            battle.seat_person("north", "Anna")
        told = [battle.bot_order() for _ in range(4) if battle.to_act == ("south",)]
        orders.add(tuple(one.event.text for news in told for one in news if isinstance(one.event, OrderAccepted)))
    assert len(orders) == 2


def _said(phrase: str, side: str, takes_back: bool = False) -> str:
    return phrase
