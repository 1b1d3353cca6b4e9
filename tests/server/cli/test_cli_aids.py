"""`phalera aids` writes what it is asked for, where it is asked to, and refuses the rest in a sentence."""

import os
import subprocess

import pytest
from typer.testing import CliRunner

from replay.drawing import pdf
from server.cli.main import main
from tests.mailhost.phalera import PHALERA


def aids(*arguments):
    return CliRunner(env={"PHALERA_LANG": None}).invoke(main, ["aids", "--ruleset", "tts", *map(str, arguments)])


@pytest.fixture(autouse=True)
def in_a_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def test_one_html_document_has_all_sheets(tmp_path):
    done = aids("--lang", "fr")
    assert done.exit_code == 0
    assert names(tmp_path) == ["aids-fr.html"]
    assert done.stdout.startswith("aids-fr.html written: ")
    document = (tmp_path / "aids-fr.html").read_text()
    assert all(
        title in document for title in ("Généraux", "Stratagèmes", "Types de troupes", "Tir, sauvegardes et moral")
    )


@pytest.mark.slow
def test_svg_makes_a_file_for_each_page_in_a_folder(tmp_path):
    done = aids("--to", "svg", "--out", tmp_path / "cards")
    assert done.exit_code == 0
    assert len(names(tmp_path / "cards")) == 10
    assert "aid-units-2-en.svg" in names(tmp_path / "cards")


@pytest.mark.slow
def test_one_page_may_be_one_named_file_or_standard_output(tmp_path):
    assert aids("--sheet", "activation", "--to", "svg", "--out", "mine.svg").exit_code == 0
    told = aids("--sheet", "activation", "--to", "svg", "--out", "-")
    assert told.stdout_bytes == (tmp_path / "mine.svg").read_bytes()


def test_the_head_of_several_names_is_all_of_them(tmp_path):
    done = aids("--ruleset", "stp", "--sheet", "emp", "--to", "svg", "--out", "cards")
    assert done.exit_code == 0
    assert names(tmp_path / "cards") == ["aid-emp-fire-en.svg", "aid-emp-turn-en.svg"]
    refused = aids("--ruleset", "stp", "--sheet", "em")
    assert refused.exit_code == 2 and "There is no sheet “em”; there are ww1-turn, ww1-fire, acw-turn" in refused.stderr


@pytest.mark.slow
def test_a_file_that_is_there_is_kept_but_for_force(tmp_path):
    (tmp_path / "aids-en.html").write_text("mine")
    refused = aids()
    assert refused.exit_code == 1
    assert "--force" in refused.stderr
    assert (tmp_path / "aids-en.html").read_text() == "mine"
    assert aids("--force").exit_code == 0
    assert aids().stdout.startswith("aids-en.html is there already")


@pytest.mark.slow
def test_pdf_is_one_file(tmp_path):
    pytest.importorskip("reportlab")
    assert aids("--to", "pdf", "--lang", "fr", "--out", "aides.pdf").exit_code == 0
    assert (tmp_path / "aides.pdf").read_bytes().startswith(b"%PDF")


def test_without_the_extra_pdf_says_which(tmp_path, monkeypatch):
    monkeypatch.setattr(pdf, "find_spec", lambda name: None)
    refused = aids("--to", "pdf")
    assert refused.exit_code == 2
    assert refused.stderr == "phalera: PDF needs an extra that is not installed: pip install 'phalera[pdf]'.\n"
    assert names(tmp_path) == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--sheet", "dragons"), "There is no sheet “dragons”; there are activation, moves, charge, saves"),
        (("--lang", "tlh"), "The sheets speak en and fr, not “tlh”."),
        (("--to", "docx"), "Sheets are printed as svg, html, pdf, not as “docx”."),
        (("--to", "svg", "--out", "all.svg"), "That makes 10 files: name a folder with --out."),
        (("--to", "svg", "--out", "-"), "That makes 10 files: name a folder with --out."),
    ],
)
def test_what_it_cannot_do_it_says(tmp_path, arguments, said):
    refused = aids(*arguments)
    assert refused.exit_code == 2
    assert said in refused.stderr
    assert names(tmp_path) == []


def test_it_stands_in_the_help_with_all_its_choices():
    told = aids("--help").stdout
    assert all(word in " ".join(told.split()) for word in ("SHEET", "svg, html or pdf", "--force"))


@pytest.mark.slow
@pytest.mark.parametrize("game", ["tts", "singidunum", "warmaster-shooting", "stp"])
def test_the_same_sheets_are_the_same_bytes_in_each_process(game: str) -> None:
    """Sets of strings are in another order in another process: nothing is printed in theirs."""
    made = {
        subprocess.run(
            [*PHALERA, "aids", "--ruleset", game, "--to", "html", "--out", "-"],
            env={**os.environ, "PYTHONHASHSEED": seed},
            check=True,
            capture_output=True,
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(made) == 1 and b"<h2" in made.pop()
