"""A battle is opened under a version of the protocol, which its header names, and goes on under it."""

import json
from pathlib import Path

import pytest

import phalera
from domain.log import record
from replay import battle_file
from replay.proof.verify import OK, verify
from replay.writing.entropy import SeededEntropy
from replay.writing.in_memory import OfflineBattle, SeededClock
from server.play.rules_version import is_played_on
from tests.support.serving import serving
from tests.support.tiny import TTS, played_battle, tiny_scenario

VERSIONS = (record.FIRST_VERSION + 1, record.PBEM_2_1)


def played(version: int) -> OfflineBattle:
    """A battle of two units, ended."""
    battle = OfflineBattle(TTS, tiny_scenario(), SeededClock("v"), SeededEntropy("v"), version=version)
    battle.seat_person("south", "Anna")
    battle.seat_person("north", "Bob")
    battle.order("south", "R1 ahead")
    battle.order("south", "resign")
    return battle


@pytest.mark.parametrize("version", VERSIONS)
def test_a_battle_is_written_read_and_verified_under_its_version(version: int, tmp_path: Path) -> None:
    battle = played(version)
    content = battle.file()
    assert json.loads(content.partition(b"\n")[0])["version"] == version
    assert battle.recording.battle.version == version
    read = battle_file.parse(content)
    assert (read.log.header.version, read.timeline.now.version, read.timeline.at(3).version) == (version,) * 3
    report = verify(content)
    assert (report.exit, report.version, report.fault) == (OK, version, None)
    (path := tmp_path / "v.battle").write_bytes(content)
    assert len(phalera.open_file(path).events) == len(read.events)
    assert is_played_on(battle.recording.header)


def test_a_battle_is_opened_under_the_usual_version_unless_another_is_named() -> None:
    assert played_battle().recording.header.version == record.OPENED


@pytest.mark.parametrize("version", VERSIONS)
async def test_a_server_opens_under_the_version_of_its_settings_and_recalls_it(version: int, tmp_path: Path) -> None:
    async with serving(tmp_path / "data", opens=version) as before:
        anna, ben = await before.player("Anna"), await before.player("Ben")
        battle = await before.battle(anna, ben)
        live = await before.running.battles.open("tts", tiny_scenario(), "public", version=record.PBEM_2_1)
        assert live.recording.header.version == record.PBEM_2_1
        token = anna.headers
    async with serving(tmp_path / "data") as after:  # the usual version: what was opened keeps its own
        live = await after.running.battles.get(battle)
        assert (live.recording.header.version, live.recording.battle.version) == (version, version)
        anna.client, anna.headers = after.client, token
        assert (await anna.order(battle, "resign")).status == 200
        report = verify(await after.stranger.export(battle))
    assert (report.exit, report.version, report.ended) == (OK, version, True)
