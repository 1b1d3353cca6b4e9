"""A host's own figures: read whole or refused with a sentence, and never by half."""

import re
from pathlib import Path

import pytest
from msgspec.structs import replace
from typer.testing import CliRunner

from server.cli.main import main
from server.limits import UNLIMITED, USUAL, Limits, Rate
from server.settings import BadSetting
from server.settings_file import limits_for, limits_in

EXAMPLE = Path("docs/operating/settings.toml")


def written(folder: Path, text: str) -> Path:
    path = folder / "settings.toml"
    path.write_text(text)
    return path


def test_the_file_of_the_docs_has_every_figure_and_changes_none() -> None:
    assert limits_in(EXAMPLE) == Limits()
    text = EXAMPLE.read_text()
    names = [*Limits.__struct_fields__, *USUAL]
    assert [name for name in names if not re.search(rf"^(\[limits\.)?{name}\b", text, re.M)] == []


def test_what_a_file_leaves_out_is_as_usual(tmp_path: Path) -> None:
    text = '[limits]\nguests = 7\nidle_s = 5\nbattles = { guest = 3 }\n[limits.rates.guest]\naddress = "1 per day"\n'
    found = limits_in(written(tmp_path, text))
    assert (found.guests, found.idle_s, found.connections) == (7, 5.0, Limits().connections)
    assert found.battles == replace(Limits().battles, guest=3)
    assert found.rates["guest"] == Rate(address="1 per day")
    assert found.rates["battle"] == USUAL["battle"]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("[limits", "is not TOML"),
        ("[limit]", "there is no `limit` at the top. Did you mean `limits`?"),
        ("[limits]\nconections = 1", "there is no `conections` in `limits`. Did you mean `connections`?"),
        ("[limits]\nbattles = { nobody = 1 }", "there is no `nobody` in `limits.battles`. What there is: `account`"),
        ("[limits]\nbattles = 5", "`limits.battles` is a table with `account`, `guest`, `program`."),
        ('[limits]\nguests = "many"', "`limits.guests` is a whole number, 0 for without limit, not 'many'."),
        ("[limits]\nguests = true", "`limits.guests` is a whole number"),
        ("[limits]\nguests = 1.5", "`limits.guests` is a whole number"),
        ("[limits]\nguests = -1", "`limits.guests` is -1: it cannot be below 0."),
        ("[limits]\nidle_s = nan", "`limits.idle_s` is a number, not nan."),
        ("[limits.rates.guest]\naddress = 20", "`limits.rates.guest.address` is a text"),
        ('[limits.rates.guest]\naddress = "a lot"', '`limits.rates.guest.address` cannot be read: "a lot".'),
        ('[limits.rates.guest]\naddress = "0 per hour"', "lets something be done at least once"),
    ],
)
def test_a_fault_is_a_sentence_that_names_file_and_entry(tmp_path: Path, text: str, sentence: str) -> None:
    path = written(tmp_path, text)
    with pytest.raises(BadSetting) as fault:
        limits_in(path)
    assert str(path) in str(fault.value) and sentence in str(fault.value)


def test_serve_says_the_fault_and_does_not_start(tmp_path: Path) -> None:
    path = written(tmp_path, "[limits]\nguests = -1")
    for given in (["--settings", str(path), "--data", str(tmp_path / "data")], ["--data", str(tmp_path)]):
        ended = CliRunner().invoke(main, ["serve", *given])
        assert ended.exit_code != 0 and "cannot be below 0" in ended.output
    missing = CliRunner().invoke(main, ["serve", "--settings", str(tmp_path / "none.toml"), "--data", str(tmp_path)])
    assert missing.exit_code != 0 and "none.toml cannot be read" in missing.output
    assert [path.name for path in tmp_path.iterdir()] == ["settings.toml"]  # and no data folder was begun


def test_the_command_line_wins_and_a_named_file_goes_before_that_of_the_folder(tmp_path: Path) -> None:
    written(tmp_path, "[limits]\nguests = 7")
    other = tmp_path / "other.toml"
    other.write_text("[limits]\nguests = 8")
    assert limits_for(str(tmp_path), "", False).guests == 7
    assert limits_for(str(tmp_path), str(other), False).guests == 8
    assert limits_for(str(tmp_path), str(other), True) == UNLIMITED
    assert limits_for(str(tmp_path / "new"), "", False) == Limits()
