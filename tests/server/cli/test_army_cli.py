"""The army commands answer in sentences, and exit with the right code."""

import json
import tomllib
from pathlib import Path

import pytest

from tests.server.cli.test_cli import phalera
from tests.support.lanes import thinned


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "rome.toml"
    assert phalera("army", "new", "republican_roman", "--seed", 3, "--out", path).code == 0
    return path


def test_the_lists_are_listed_by_age() -> None:
    lines = phalera("army", "list").out.splitlines()
    assert len(lines) >= 26
    assert "1550 to 1069 BC" in next(line for line in lines if line.startswith("new_kingdom_egyptian"))
    assert any(line.split() == ["viking", "Viking", "793", "to", "1066", "Northern", "Europe"] for line in lines)
    listed = json.loads(phalera("army", "list", "--json").out)
    assert [one["key"] for one in listed] == [line.split()[0] for line in lines]
    assert set(listed[0]) == {"key", "name", "name_fr", "first", "last", "region"}


def test_a_list_is_shown_with_its_troops() -> None:
    out = phalera("army", "show", "swiss").out
    assert out.startswith("Swiss Confederate\n1315 to 1500, Western Europe\n")
    assert "\nGenerals: heroic or senior; on foot, attached or detached.\n" in out
    assert "pikes" in out
    assert "4-8" in out
    shown = json.loads(phalera("army", "show", "swiss", "--json").out)
    assert shown["troops"]["pikes"]["type"] == "pikemen"
    assert "Confédérés suisses" in phalera("army", "show", "swiss", "--lang", "fr").out


@pytest.mark.slow
def test_what_is_not_there_is_said_in_one_sentence() -> None:
    for arguments in (
        ("show", "zulu"),
        ("new", "zulu"),
        ("new", "gallic", "--size", 9),
        ("new", "gallic", "--ruleset", "chess"),
        ("battle", "gallic", "zulu"),
        ("check", "zulu.toml"),
        ("cost", "zulu.toml"),
    ):
        answer = phalera("army", *arguments)
        assert answer.code in (1, 2), arguments
        assert answer.out == ""
        assert len(answer.err.splitlines()) == 1
        assert answer.err.startswith("phalera: ")


@pytest.mark.parametrize(
    "content", thinned([b"", b"\0\xff", b"{}", b"size = 1\nsize = 2", b"size = 'x'", b"corps = 3"], 3)
)
@pytest.mark.parametrize("command", ["check", "cost"])
def test_a_bad_file_is_told_in_sentences(command, content, tmp_path) -> None:
    path = tmp_path / "bad.toml"
    path.write_bytes(content)
    answer = phalera("army", command, path)
    assert answer.code in ((0, 1) if command == "cost" and not content else (1, 2))
    assert "Traceback" not in answer.out + answer.err


@pytest.mark.slow
def test_a_new_army_is_legal_and_costs_its_size(file) -> None:
    checked = phalera("army", "check", file)
    assert checked.code == 0
    assert checked.out.startswith("130 points of 130, ")
    told = json.loads(phalera("army", "check", file, "--json").out)
    assert (told["legal"], told["points"], told["findings"]) == (True, 130, [])
    again = phalera("army", "new", "republican_roman", "--seed", 3)
    assert again.bytes == file.read_bytes()
    assert phalera("army", "new", "republican_roman", "--seed", 4).bytes != file.read_bytes()


@pytest.mark.slow
def test_a_file_that_is_there_is_kept(file) -> None:
    before = file.read_bytes()
    answer = phalera("army", "new", "republican_roman", "--seed", 4, "--out", file)
    assert answer.code == 1
    assert "--force" in answer.err
    assert file.read_bytes() == before
    assert phalera("army", "new", "republican_roman", "--seed", 4, "--out", file, "--force").code == 0
    assert file.read_bytes() != before


@pytest.mark.slow
def test_everything_against_an_army_is_said(file) -> None:
    spoiled = file.read_text().replace("size = 130", "size = 120").replace('id = "G2"', 'id = "G1"')
    file.write_text(spoiled)
    answer = phalera("army", "check", file)
    assert answer.code == 1
    assert answer.out.splitlines() == [
        "The army costs 130 points, 10 more than its 120. [TTS-CAT-04]",
        "The id G1 is used twice. [TTS-ORD-01]",
    ]
    told = json.loads(phalera("army", "check", file, "--json").out)
    assert [one["code"] for one in told["findings"]] == ["tts.army-over", "tts.army-id-twice"]
    assert phalera("army", "check", "-", typed=spoiled.encode()).out == answer.out


def test_the_cost_is_itemised(file) -> None:
    lines = phalera("army", "cost", file).out.splitlines()
    assert lines[0].startswith("Corps I Left wing")
    parts = [line for line in lines if line.startswith("  ")]
    heads = [line for line in lines if line.startswith("Corps ")]
    assert sum(int(line.split()[-1]) for line in parts) == sum(int(line.split()[-1]) for line in heads) == 130
    bill = json.loads(phalera("army", "cost", file, "--json").out)
    assert bill["points"] == 130


@pytest.mark.slow
def test_a_battle_of_two_armies_is_a_scenario(file, tmp_path) -> None:
    out = tmp_path / "battle.toml"
    assert phalera("army", "battle", file, "carthaginian", "--seed", 2, "--out", out).code == 0
    scenario = tomllib.loads(out.read_text())
    assert scenario["ruleset"] == "tts"
    assert scenario["title"] == "Republican Roman against Carthaginian, 130 points"
    mine = tomllib.loads(file.read_text())
    south = [unit["id"] for corps in scenario["sides"]["south"]["corps"] for unit in corps["units"]]
    assert south == [unit["id"] for corps in mine["corps"] for unit in corps["units"]]
    assert phalera("army", "battle", file, "carthaginian", "--seed", 2).bytes == out.read_bytes()
    mirror = tomllib.loads(phalera("army", "battle", "gallic", "gallic").out)["sides"]
    types = {side: [u["type"] for c in mirror[side]["corps"] for u in c["units"]] for side in mirror}
    assert types["south"] != types["north"]


@pytest.mark.slow
def test_options_go_into_the_battle() -> None:
    out = phalera("army", "battle", "gallic", "swiss", "--option", "turn_limit=12", "--option", "deck_mode=d10").out
    assert tomllib.loads(out)["options"] == {"turn_limit": 12, "deck_mode": "d10"}
    for wrong in ("turn_limit", "=3", "turn_limit=0.5", "turn_limit=2020-01-01"):
        answer = phalera("army", "battle", "gallic", "swiss", "--option", wrong)
        assert (answer.code, answer.out) == (2, "")
