"""`phalera branch` goes on from where a battle or a case stood, and `verify --source` compares the two."""

import json
from pathlib import Path

import pytest

from replay import battle_file
from tests.server.cli.test_cli import phalera
from tests.support.cases import case_path
from tests.support.verdicts import WHILE_IT_RUNS

ROOT = Path(__file__).parents[3]
SOURCE = ROOT / "tests" / "golden" / "medals.battle"
PLACE = 229


def branched(tmp_path: Path, *more: object, typed: bytes | None = None) -> Path:
    """A branch of the kept battle, made by the command."""
    path = tmp_path / "branch.battle"
    answer = phalera("branch", SOURCE, "--at", PLACE, "--out", path, *more, typed=typed)
    assert answer.code == 0, answer.err
    return path


@pytest.mark.slow
def test_a_file_that_begins_there_is_written(tmp_path: Path) -> None:
    path = branched(tmp_path)
    assert [recorded.type for recorded in battle_file.load(str(path)).events] == ["BattleOpened"]
    assert "begins where another one stood: " in phalera("replay", path, "--plain").out
    assert "commence là où en était une autre" in phalera("replay", path, "--plain", "--lang", "fr").out
    board = phalera("board", path).out
    assert board.splitlines()[:20] == phalera("board", SOURCE, "--at", PLACE).out.splitlines()[:20]


@pytest.mark.slow
def test_verify_compares_it_with_its_source(tmp_path: Path) -> None:
    path = branched(tmp_path)
    assert "taken on trust" in phalera("verify", path).out
    compared = phalera("verify", path, "--source", SOURCE)
    assert (compared.code, f"source after event {PLACE}" in compared.out) == (WHILE_IT_RUNS, True)
    wrong = phalera("verify", path, "--source", ROOT / "tests" / "golden" / "resignation.battle")
    assert (wrong.code, "other source" in wrong.out or "another source" in wrong.out) == (1, True)


def test_one_plays_on_at_the_terminal_and_the_file_is_written_at_the_end(tmp_path: Path) -> None:
    path = branched(tmp_path, "--play", "--bot", "random", "--seed", 3, typed=b"?\nend turn\nquit\n")
    battle = battle_file.load(str(path))
    assert any(recorded.type == "OrderAccepted" for recorded in battle.events)
    assert phalera("verify", path, "--source", SOURCE).code in (0, 4)


def test_the_same_seed_makes_the_same_branch(tmp_path: Path) -> None:
    files = [phalera("branch", SOURCE, "--at", PLACE, "--seed", 5, "--out", "-").bytes for _ in range(2)]
    assert files[0] == files[1]


def test_a_place_in_the_middle_of_an_order_is_refused_with_its_neighbours(tmp_path: Path) -> None:
    answer = phalera("branch", SOURCE, "--at", PLACE + 1, "--out", tmp_path / "x.battle")
    assert answer.code == 1
    assert f"after event {PLACE} or" in answer.err
    assert not (tmp_path / "x.battle").exists()


@pytest.mark.parametrize("n", [-1, 99_999])
def test_an_event_that_there_is_not_is_refused(tmp_path: Path, n: int) -> None:
    assert phalera("branch", SOURCE, "--at", n, "--out", tmp_path / "x.battle").code == 1


def test_a_case_is_a_lesson(tmp_path: Path) -> None:
    case, path = case_path(201, "singidunum"), tmp_path / "lesson.battle"
    answer = phalera("branch", case, "--play", "--out", path, "--json", typed=b"")
    assert answer.code == 0
    told = json.loads(answer.out[answer.out.index("{") :])
    assert told["branch"]["battle"] == ""
    assert phalera("verify", path, "--source", case).code == WHILE_IT_RUNS


@pytest.mark.parametrize("content", [b"", b"\xff\xfe", b"no toml", b'ruleset = "chess"', b'{"format":1}\n'])
def test_what_is_neither_a_battle_nor_a_case_is_said_in_a_sentence(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "given"
    path.write_bytes(content)
    answer = phalera("branch", path, "--out", tmp_path / "x.battle")
    assert answer.code in (1, 2)
    assert answer.err.startswith("phalera: ")


def test_an_unknown_side_or_bot_is_refused(tmp_path: Path) -> None:
    for option in (("--side", "east"), ("--play", "--bot", "genius")):
        assert phalera("branch", SOURCE, "--at", PLACE, "--out", tmp_path / "x.battle", *option).code == 2
