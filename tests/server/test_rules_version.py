"""A battle in progress goes on under the rules that its log names, or waits."""

from pathlib import Path

import pytest
from msgspec import structs

from domain.catalogue import RULESETS
from domain.engine.errors import Refusal
from domain.engine.events import Fact, RulesChanged
from domain.log import record
from server.play.rules_version import require_installed, rules_in_force
from tests.support.serving import BATTLES, serving
from tests.support.tiny import TTS, ended_battle, played_battle

AT = "2026-05-01T12:00:00.000Z"
LATER = structs.replace(TTS, version="99.0")


def lines_of(battle) -> list[bytes]:
    return [record.encode(n, AT, Fact(one.by, one.rule, one.event)) for n, one in enumerate(battle.events(), 1)]


def test_the_rules_in_force_are_those_of_the_header_or_the_newest_change() -> None:
    running, header = lines_of(played_battle()), played_battle().recording.header
    assert rules_in_force(header, []) == TTS.version
    assert rules_in_force(header, running) == TTS.version
    for to in ("2.0", "3.0"):
        running.append(record.encode(len(running) + 1, AT, Fact("server", "CORE-RULES", RulesChanged("1", to))))
    running.append(running[5])
    assert rules_in_force(header, running) == "3.0"
    assert rules_in_force(header, lines_of(ended_battle())) == ""


def test_a_battle_that_is_over_may_be_read_by_any_release() -> None:
    require_installed(ended_battle().recording.header, lines_of(ended_battle()), LATER)
    with pytest.raises(Refusal, match="rules-not-installed"):
        require_installed(played_battle().recording.header, lines_of(played_battle()), LATER)


async def test_a_release_with_other_rules_does_not_go_on_with_a_battle(tmp_path: Path) -> None:
    async with serving(tmp_path / "data") as before:
        anna, ben = await before.player("Anna"), await before.player("Ben")
        battle = await before.battle(anna, ben)
        token = anna.headers
        file = await anna.export(battle)
    async with serving(tmp_path / "data") as after:
        after.running.battles.rulesets = {**RULESETS, "tts": LATER}
        for path in ("", "/options", "/board"):
            reply = await after.stranger.get(f"{BATTLES}/{battle}{path}", token)
            assert (reply.status, reply.code) == (503, "core.rules-not-installed")
            assert (reply.json["params"]["rules"], reply.json["params"]["installed"]) == (TTS.version, "99.0")
    async with serving(tmp_path / "data") as again:
        assert await again.stranger.export(battle) == file
