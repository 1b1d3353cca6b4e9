"""`phalera club …` against a real server: lists, members from and to a file, a battle with named seats, the table."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from server.cli import club as cli_club
from server.cli.main import main
from tests.server.web.test_club_battles import club_of
from tests.support.entropy import entropy_of_test
from tests.support.serving import RunningServer, serving

LEAGUE = """
campaign = "cup"
title = "Any"
ruleset = "tts"
cup = { system = "round-robin" }
battle = { scenario = "skirmish" }
"""


@pytest.fixture
async def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[RunningServer]:
    source = entropy_of_test()
    monkeypatch.setattr(cli_club, "entropy", lambda: source)
    async with serving(tmp_path / "data") as running:
        yield running


async def test_an_organiser_works_from_a_terminal(server: RunningServer, tmp_path: Path) -> None:
    people = await club_of(server, "Anna", "Bob")
    url = str(server.client.make_url("")).rstrip("/")
    token = people["Anna"].headers["Authorization"].removeprefix("Bearer ")
    environment = {"XDG_STATE_HOME": str(tmp_path / "state"), "PHALERA_TOKEN": token, "COLUMNS": "120"}

    async def typed(*words: str, code: int = 0) -> str:
        result = await asyncio.to_thread(CliRunner(env=environment).invoke, main, ["club", *words])
        assert result.exit_code == code, (result.output, result.exception)
        return result.output

    assert await typed("list", url) == "leeds  Leeds Night Owls  2  organiser\n"
    file = tmp_path / "members.csv"
    file.write_text("Cato\nBob\n", encoding="utf-8")
    added = (await typed("roster", url, "leeds", str(file))).splitlines()
    assert added[0].startswith("1: Cato: made  http") and added[1] == "2: Bob: member"
    printed = (await typed("roster", url, "leeds")).splitlines()
    assert printed == ["name,role,not_before,running", "Anna,organiser,,0", "Bob,member,,0", "Cato,member,,0"]
    where = await typed("seat", url, "leeds", "Bob", "Cato", "skirmish", "--tag", "round-1")
    battle = where.strip().rpartition("/")[2]
    assert (await people["Bob"].order(battle, "resign")).status == 200
    table = (await typed("table", url, "leeds", "--tag", "round-1")).splitlines()
    assert table == ["place,name,points,played,won,drawn,lost", "1,Cato,2,1,1,0,0", "2,Bob,0,1,0,0,1"]
    league = tmp_path / "league.toml"
    league.write_text(LEAGUE, encoding="utf-8")
    season = ("season", url, "leeds", "Spring", "--file", str(league), "--division", "Bob, Cato", "--division", "Anna")
    first, entered, *_ = (await typed(*season)).splitlines()
    assert first.startswith("# Spring 1, division 1: ") and entered == "# 2 entered"
    assert await typed("seasons", url, "leeds", "--name", "Spring") == await typed(*season)
    assert "not over" in await typed("season", url, "leeds", "Spring", "--next", code=1)
    assert "Eve" in await typed("seat", url, "leeds", "Bob", "Eve", "skirmish", code=1)
