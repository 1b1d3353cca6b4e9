"""A battle in progress goes on under the rules that its log names, or waits."""

import json
from pathlib import Path

import pytest
from msgspec import structs

from domain.basics.errors import Refusal
from domain.catalogue import RULESETS
from domain.events.battle import Fact, RulesChanged
from domain.log import record
from replay.proof.verify import OTHER_RULES, verify
from server.play.rules_version import NotChanged, change_rules, require_installed, rules_in_force
from server.settings import Settings
from server.store import EventStore
from tests.support.clock import START
from tests.support.serving import BATTLES, Caller, serving
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


async def test_a_host_may_go_on_under_other_rules_and_players_agree_by_ordering(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    async with serving(folder) as before:
        anna, ben = await before.player("Anna"), await before.player("Ben")
        battle = await before.battle(anna, ben)
        seen = await before.stranger.head(battle)
        file = await anna.export(battle)
    with EventStore.open(Settings.at(folder, {}).store()) as store:
        with pytest.raises(NotChanged, match="goes on under"):
            change_rules(store, battle, RULESETS, START)
        n = change_rules(store, battle, {**RULESETS, "tts": LATER}, START)
        with pytest.raises(NotChanged, match="goes on under"):
            change_rules(store, battle, {**RULESETS, "tts": LATER}, START)
    async with serving(folder) as after:
        after.running.battles.rulesets = {**RULESETS, "tts": LATER}
        again = Caller(after.client, anna.headers["Authorization"].split()[1])
        old = await again.order(battle, "end turn", seen=seen)
        assert (old.status, old.json["lines"][0]["code"]) == (409, "core.rules-changed")
        new = await again.order(battle, "end turn")
        assert new.status == 200, new
        whole = await again.export(battle)
    assert whole.splitlines()[: len(file.splitlines()) - 1] == file.splitlines()[:-1]
    changed = json.loads(whole.splitlines()[n])
    assert (changed["type"], changed["data"]) == ("RulesChanged", {"from": TTS.version, "to": "99.0"})
    assert verify(whole).exit == OTHER_RULES
