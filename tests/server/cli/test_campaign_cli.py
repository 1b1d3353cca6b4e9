"""`phalera campaign`: examples are legal, a file is checked, table and rounds are read from a log."""

import asyncio
from pathlib import Path

import msgspec
import pytest
from typer.testing import CliRunner

from domain.basics.data import example_words
from domain.catalogue import RULESETS
from replay.proof.campaign.verify import verify_campaign
from server.acts.campaigns.entering import CampaignEntry, enter_campaign
from server.acts.campaigns.lines import give_lines
from server.acts.campaigns.opening import open_campaign
from server.cli.main import main
from server.people.players import Player
from server.web.api.campaigns import file_of
from tests.support.entropy import entropy_of_test
from tests.support.ladders import ServedLadder
from tests.support.ledgers import war_file
from tests.support.looping import some
from tests.support.serving import RunningServer, serving

CUP = """
campaign = "cup"
title = "Cup"
ruleset = "tts"
[cup]
system = "round-robin"
[battle]
scenario = "skirmish"
"""


def run(*words: object) -> tuple[int, str]:
    result = CliRunner().invoke(main, [str(word) for word in words])
    return result.exit_code, result.output


@pytest.mark.slow
def test_each_example_is_a_legal_file(tmp_path: Path) -> None:
    words = [word for word, *_ in some(example_words(RULESETS))]
    assert run("campaign", "example") == (0, "\n".join(words) + "\n")
    for word in words:
        file = tmp_path / "one.toml"
        file.write_text(run("campaign", "example", word)[1])
        code, told = run("campaign", "check", file)
        assert code == 0, told
        assert 'readers = "public"' in told


def test_a_key_that_is_unknown_is_named(tmp_path: Path) -> None:
    file = tmp_path / "cup.toml"
    file.write_text(CUP + "\n[time]\npce = '3d'\n")
    code, told = run("campaign", "check", file)
    assert code == 1
    assert "time.pce" in told
    assert run("campaign", "example", "nothing")[0] == 1


@pytest.fixture
async def log(tmp_path: Path) -> Path:
    """The log of a cup of three that has begun."""
    async with serving(tmp_path / "data") as server:
        return await written(server, tmp_path / "cup.campaign")


async def written(server: RunningServer, path: Path, text: str = CUP) -> Path:
    steward = server.running.steward
    people = [Player((await server.player(name)).player, name) for name in ("Anna", "Bob", "Cid")]
    live = await open_campaign(steward, people[0], text)
    for person in people:
        await enter_campaign(steward, person, live, CampaignEntry())
    await give_lines(steward, people[0], live, "begin\nresult 9.9 draw", "k")
    path.write_bytes(file_of(live))
    return path


async def test_table_and_rounds_are_read_from_a_log(log: Path) -> None:
    code, table = run("campaign", "standings", log)
    assert code == 0
    assert table.splitlines()[0].split() == ["Name", "Points", "Direct", "Sonneborn", "Margin", "Lot"]
    assert {line.split()[1] for line in table.splitlines()[1:]} == {"Anna", "Bob", "Cid"}
    rounds = msgspec.json.decode(run("campaign", "fixtures", log, "--json")[1])
    assert [each["round"] for each in rounds] == [1, 2, 3]
    code, second = run("campaign", "fixtures", log, "--round", "2", "--lang", "fr")
    assert second.startswith("Ronde 2\n2.1")


@pytest.mark.rule("CAM-CUP-02", "CAM-RND-02")
async def test_a_log_says_why(log: Path) -> None:
    code, told = run("campaign", "why", log, "1.1")
    assert code == 0
    assert told.startswith("By the table of a round robin of 3: in round 1 rank ")
    assert told.rstrip().endswith("[CAM-CUP-02]")
    code, told = run("campaign", "why", log, "p1", "--lang", "fr")
    assert code == 0 and "sur 3\u00a0: tiré au sort" in told
    found = msgspec.json.decode(run("campaign", "why", log, "p2", "--json")[1])
    assert (found["about"], found["reasons"][0]["rule"]) == ("p2", "CAM-RND-02")
    code, told = run("campaign", "why", log, "7.7")
    assert code == 1 and "7.7" in told


async def test_a_log_that_was_altered_is_not_read(log: Path) -> None:
    log.write_bytes(log.read_bytes().replace(b'"title":"Cup"', b'"title":"Cap"'))
    code, told = run("campaign", "standings", log)
    assert code == 1
    assert "wrong-hash" in told


async def test_the_ratings_of_a_ladder_are_read_from_its_log(tmp_path: Path) -> None:
    async with serving(tmp_path / "data") as server:
        ladder = await ServedLadder.opened(server)
        file = tmp_path / "ladder.campaign"
        file.write_bytes(file_of(ladder.live))
        assert run("campaign", "ratings", file) == (0, "No rated battle has ended yet.\n")
        await ladder.rated_battle("Anna", "Bob")
        file.write_bytes(file_of(ladder.live))
    code, told = run("campaign", "ratings", file)
    assert code == 0
    assert [line.split() for line in told.splitlines()[1:]] == [
        ["1", "Anna", "1082", "1662", "±", "581", "?", "1"],
        ["2", "Bob", "757", "1338", "±", "581", "?", "1"],
    ]
    assert msgspec.json.decode(run("campaign", "ratings", file, "--json")[1])[0]["player"] == "p1"
    assert "Bob  Anna  counted  Anna" in run("campaign", "fixtures", file)[1]


async def test_the_next_round_is_paired_ahead(tmp_path: Path) -> None:
    async with serving(tmp_path / "data") as server:
        swiss = CUP.replace("round-robin", "swiss") + "[entry]\nleast = 3\n"
        log = await written(server, tmp_path / "cup.campaign", swiss.replace('"swiss"', '"swiss"\nrounds = 2'))
    code, told = run("campaign", "pair", log)
    assert code == 0
    assert told.startswith("2.1  ")
    assert "2.1" in run("campaign", "pair", log, "--json")[1]
    assert run("campaign", "standings", log)[0] == 0


def test_a_cup_without_a_next_round_says_so(log: Path) -> None:
    assert run("campaign", "pair", log) == (0, "There is no next round to pair.\n")


async def test_a_campaign_is_opened_on_a_server_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = entropy_of_test()
    monkeypatch.setattr("server.cli.remote_asking.entropy", lambda: source)
    (tmp_path / "cup.toml").write_text(CUP, encoding="utf-8")
    async with serving(tmp_path / "data") as server:
        anna = await server.player("Anna")
        url = str(server.client.make_url("")).rstrip("/")
        token = anna.headers["Authorization"].removeprefix("Bearer ")
        environment = {"XDG_STATE_HOME": str(tmp_path / "state"), "PHALERA_TOKEN": token, "COLUMNS": "120"}

        async def opened(*words: str, code: int = 0) -> str:
            typed = [*("campaign", "open", url), *words]
            result = await asyncio.to_thread(CliRunner(env=environment).invoke, main, typed)
            assert result.exit_code == code, (result.output, result.exception)
            return result.output.strip()

        made = [await opened(str(tmp_path / "cup.toml")), await opened("--example", "tts/club-cup")]
        for where, title in zip(made, ("Cup", "Club Cup"), strict=True):
            view = await anna.get(f"/api/v1/campaigns/{where.rpartition('/')[2]}")
            assert where.startswith(f"{url}/campaigns/")
            assert (view.json["title"], view.json["organiser"]) == (title, "Anna")
        assert "--example" in await opened(code=2)
        assert "tts/tea" in await opened("--example", "tts/tea", code=1)
        (tmp_path / "cup.toml").write_text(CUP.replace("robin", "tea"), encoding="utf-8")
        assert "cup.system" in await opened(str(tmp_path / "cup.toml"), code=1)


async def test_a_cup_is_signed_from_terminals(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """CAM-LOG-01"""
    source = entropy_of_test()
    monkeypatch.setattr("server.cli.remote_asking.entropy", lambda: source)
    async with serving(tmp_path / "data") as server:
        url = str(server.client.make_url("")).rstrip("/")
        players = {name: await server.player(name) for name in ("Anna", "Bob")}

        async def typed(name: str, *words: str, code: int = 0) -> str:
            token = players[name].headers["Authorization"].removeprefix("Bearer ")
            state = str(tmp_path / name)
            environment = {"XDG_STATE_HOME": state, "PHALERA_TOKEN": token, "COLUMNS": "120"}
            result = await asyncio.to_thread(CliRunner(env=environment).invoke, main, ["campaign", *words])
            assert result.exit_code == code, (result.output, result.exception)
            return result.output.strip()

        where = await typed("Anna", "open", url, "--example", "tts/club-cup", "--sign")
        cup = where.rpartition("/")[2]
        assert "You are p1." in await typed("Anna", "enter", url, cup, "--sign")
        assert "You are bob." in await typed("Bob", "enter", url, cup, "--as", "bob", "--sign")
        assert "Bob is the umpire" in await typed("Anna", "name", url, cup, "umpire", "Bob")
        assert "Signed with your key." in await typed("Anna", "say", url, cup, "withdraw")
        assert "Not signed" in await typed("Bob", "say", url, cup, "penalty bob 1 because late")
        assert "refused: begin" in await typed("Anna", "say", url, cup, "begin", code=1)
        file = (await players["Anna"].get(f"/api/v1/campaigns/{cup}/export")).text.encode()
        report = verify_campaign(file)
        assert report.fault is None
        assert [(one.seat, one.lines) for one in report.signed_by] == [("p1", 2), ("bob", 1), ("organiser", 1)]
        head = next((tmp_path / "Anna").rglob("*.head"))
        head.write_bytes(msgspec.json.encode({"hash": "0" * 64, "n": 1}))
        assert "another history" in await typed("Anna", "say", url, cup, "begin", code=1)


@pytest.mark.slow
def test_a_campaign_is_told_from_its_log_and_a_folder_of_battles(tmp_path: Path) -> None:
    folder = tmp_path / "cup"
    assert run("demo", "--campaign", "cup", "--ruleset", "singidunum", "--quiet", "--out", folder)[0] == 0
    log = folder / "cup.campaign"
    code, told = run("report", log, "--battles", folder, "--link", "https://games.example/")
    assert code == 0
    assert "### Round 3" in told
    assert "](https://games.example/battles/" in told
    page = tmp_path / "cup.html"
    assert run("report", log, "--battles", folder, "--out", page, "--lang", "fr")[0] == 0
    assert "Le récit" in page.read_text(encoding="utf-8")
    assert run("report", log, "--battles", tmp_path / "nowhere")[0] == 2


def test_the_ledger_is_printed_by_force_and_by_element(tmp_path: Path) -> None:
    """CAM-CAR-06"""
    log = tmp_path / "war.campaign"
    log.write_bytes(war_file())
    code, told = run("ledger", log)
    assert code == 0 and "Force F2 of Carthage" in told
    assert "legionaries R1, with a hero" in run("ledger", log, "f1")[1]
    assert "a die of 5 or more was needed and 2 was thrown" in run("ledger", log, "F1", "R4")[1]
    assert "il fallait un dé de 5 ou plus" in run("ledger", log, "F1", "R4", "--lang", "fr")[1]
    record = msgspec.json.decode(run("ledger", log, "F1", "R1", "--json")[1])
    honours = [(one["honour"], one["event"]) for one in record["entries"] if one["what"] == "honour"]
    assert honours[0] == ("vallaris", 210)
    assert run("ledger", log, "F9")[0] == run("ledger", log, "F1", "X9")[0] == 1


@pytest.mark.slow
def test_a_cup_has_no_ledger(tmp_path: Path) -> None:
    cup = tmp_path / "cup"
    assert run("demo", "--campaign", "cup", "--ruleset", "singidunum", "--quiet", "--out", cup)[0] == 0
    assert run("ledger", cup / "cup.campaign") == (0, "No forces are carried from battle to battle in this campaign.\n")
