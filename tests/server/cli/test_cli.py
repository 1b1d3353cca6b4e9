"""Each command does what its help says, answers in sentences, and exits with the right code."""

import json
import os
import signal
import socket
import sqlite3
import subprocess
import sys
from contextlib import closing
from email import message_from_bytes, policy
from importlib import metadata
from pathlib import Path
from select import select
from typing import Any
from urllib.request import urlopen

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from typer.testing import CliRunner

from domain.basics.data import scenario_text
from domain.run.bots import BOTS
from replay.proof import notes
from replay.proof.notes import Head
from replay.search import FIELDS, NUMBERS
from server.cli.main import main
from tests.support.cases import case_path
from tests.support.disputing import Disputed
from tests.support.lanes import thinned
from tests.support.tiny import changed, ended_battle, ended_file, played_battle, signed_again, tiny_battle
from tests.support.waiting import LIMIT_S

ROOT = Path(__file__).parents[3]
READING = ("replay", "why", "verify", "board", "stats", "log")


class Answer:
    def __init__(self, arguments: tuple[str, ...], typed: bytes | None) -> None:
        result = CliRunner(env={"PHALERA_DATA": None, "COLUMNS": "120"}).invoke(main, list(arguments), input=typed)
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        self.code, self.out, self.err, self.bytes = result.exit_code, result.stdout, result.stderr, result.stdout_bytes


def phalera(*arguments: object, typed: bytes | None = None) -> Answer:
    return Answer(tuple(map(str, arguments)), typed)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "tiny.battle"
    path.write_bytes(ended_file())
    return path


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "data"


# --- every command


@pytest.mark.slow
def test_help_lists_every_command_that_exists():
    told = phalera("--help").out
    for command in (
        *READING,
        "diff",
        "evidence",
        "docket",
        "demo",
        "play",
        "lab",
        "serve",
        "export",
        "import",
        "rebuild",
        "backup",
        "restore",
        "migrate",
        "move",
        "doctor",
        "player",
        "battle",
        "host",
    ):
        assert f"  {command} " in told
        assert phalera(command, "--help").code == 0
    assert "..." not in told.replace("[ARGS]...", "")


@pytest.mark.parametrize(
    "arguments",
    [
        ("replay", "{}", "--plain"),
        ("why", "{}", "3"),
        ("verify", "{}"),
        ("board", "{}"),
        ("stats", "{}"),
        ("log", "{}"),
        ("diff", "{}", "{}"),
        ("evidence", "{}", "--event", "3"),
        ("docket", "{}"),
        ("lab", "{}"),
        ("import", "{}", "--data", "d"),
    ],
)
@pytest.mark.parametrize("content", thinned([None, b"", b"\0\xff\n", b"{}\n", b'{"battle":"x"}\n{"n":1}\n'], 5))
def test_bad_files_are_told_in_one_sentence(arguments, content, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "bad.battle"
    if content is not None:
        path.write_bytes(content)
    answer = phalera(*(part.format(path) for part in arguments))
    assert answer.code in (1, 2)
    assert "Traceback" not in answer.out + answer.err
    assert len((answer.err or answer.out).splitlines()) == 1, answer.err


@pytest.mark.parametrize("command", READING)
def test_reading_commands_take_standard_input(command):
    arguments = (command, "-", "7") if command == "why" else (command, "-")
    assert phalera(*arguments, typed=ended_file()).code == 0


@pytest.mark.parametrize("command", READING)
def test_reading_commands_print_json(command, file):
    arguments = (command, file, "7") if command == "why" else (command, file)
    answer = phalera(*arguments, "--json")
    assert answer.code == 0
    for document in answer.out.splitlines() if command == "log" else [answer.out]:
        json.loads(document)


# --- reading


def test_replay_tells_events_and_boards(file):
    answer = phalera("replay", file, "--plain")
    assert answer.err == ""
    assert "Anna takes South." in answer.out
    assert answer.out.count("facing;") > 2
    assert phalera("replay", file).out == answer.out  # this is not a terminal


@pytest.mark.slow
def test_replay_in_a_terminal_starts_the_player_and_plain_needs_no_textual(file, monkeypatch):
    import builtins

    from replay.player.app import ReplayPlayer
    from server.cli import replaying as module

    started = []

    def run(self: ReplayPlayer) -> None:
        started.append(self.playback.battle.last)
        self._return_code = 7

    monkeypatch.setattr(ReplayPlayer, "run", run)
    monkeypatch.setattr(module, "_is_on_a_terminal", lambda: True)
    last = int(phalera("log", file).out.splitlines()[-1].split()[0])
    answer = phalera("replay", file)
    assert (answer.code, answer.out) == (7, "")
    assert started == [last]
    real = builtins.__import__

    def without(name: str, *given: Any) -> Any:
        assert not name.startswith("textual")
        return real(name, *given)

    monkeypatch.setattr(builtins, "__import__", without)
    for options in (("--plain",), ("--json",), ("--at", "4"), ("--from", "5"), ("--to", "5")):
        assert phalera("replay", file, *options).out
    assert started == [last]


def test_replay_at_an_event(file):
    out = phalera("replay", file, "--plain", "--at", 4).out
    assert "Anna takes South." in out
    assert "Bob takes North." not in out
    assert phalera("replay", file, "--plain", "--from", 5, "--to", 6).out.count("takes") == 1


@pytest.mark.parametrize("n", ["0", "999", "-3"])
def test_events_that_do_not_exist(file, n):
    for arguments in (("why", file, "--", n), ("replay", file, "--at", n), ("replay", file, "--to", n)):
        answer = phalera(*arguments)
        assert answer.code == 1
        assert "There is no event" in answer.err


def test_why_names_the_rule(file):
    assert "[" in phalera("why", file, 17).out or "Rule" in phalera("why", file, 17).out


@pytest.mark.parametrize(("to", "start"), [("svg", "<svg"), ("txt", ""), ("json", "{")])
def test_board_is_drawn(file, to, start):
    assert phalera("board", file, "--to", to).out.startswith(start)
    assert phalera("board", file, "--to", "bmp").code == 2


@pytest.mark.slow
@pytest.mark.parametrize(("to", "start"), thinned([("png", b"\x89PNG"), ("gif", b"GIF8"), ("webp", b"RIFF")], 3))
def test_board_is_drawn_as_a_picture_of_pixels(file, to, start):
    drawn = phalera("board", file, "--at", 20, "--to", to)
    assert drawn.bytes.startswith(start)
    assert phalera("board", file, "--at", 20, "--to", to).bytes == drawn.bytes


@pytest.mark.slow
def test_board_is_drawn_as_a_clip(file, tmp_path):
    name = tmp_path / "clip.gif"
    assert phalera("board", file, "--from", 17, "--until", 20, "--to", "gif", "--speed", 2, "--out", name).code == 0
    assert name.read_bytes().startswith(b"GIF89a")
    assert phalera("board", file, "--from", 38, "--to", "webp").bytes[8:12] == b"WEBP"


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("--from", 3), 2, "A clip is drawn as gif or webp, not as “txt”."),
        (("--from", 3, "--to", "gif", "--speed", 0), 2, "A clip has 0.25 to 20 frames in a second, not 0."),
        (("--from", 9, "--until", 3, "--to", "gif"), 2, "A clip that begins with event 9 cannot end with event 3."),
        (("--until", 99, "--to", "gif"), 1, "There is no event 99: the file has events 1 to 39."),
    ],
)
def test_a_clip_that_cannot_be_is_refused(file, arguments, code, said):
    answer = phalera("board", file, *arguments)
    assert (answer.code, answer.err) == (code, f"phalera: {said}\n")


def test_board_goes_into_a_file(file, tmp_path):
    picture = tmp_path / "board.svg"
    assert phalera("board", file, "--at", 9, "--to", "svg", "--out", picture).code == 0
    assert picture.read_bytes().startswith(b"<svg")
    assert "same" in phalera("board", file, "--at", 9, "--to", "svg", "--out", picture).out
    picture.write_bytes(b"mine")
    kept = phalera("board", file, "--at", 9, "--to", "svg", "--out", picture)
    assert (kept.code, picture.read_bytes()) == (1, b"mine")
    assert "--force" in kept.err
    assert phalera("board", file, "--to", "svg", "--out", picture, "--force").code == 0


def test_stats_of_several_files(file, tmp_path):
    other = tmp_path / "other.battle"
    other.write_bytes(ended_battle("other").file())
    out = phalera("stats", file, other).out
    assert "tiny.battle: battle " in out
    assert "other.battle: battle " in out
    assert "activation" in out
    assert set(json.loads(phalera("stats", file, other, "--json").out)) == {str(file), str(other)}


def test_log_prints_what_is_found_as_text_json_lines_and_csv(file):
    found = phalera("log", file, "type:OrderAccepted", "R1")
    assert (found.code, found.err) == (0, "")
    as_json = phalera("log", file, "type:OrderAccepted R1", "--to", "jsonl").out
    lines = [json.loads(line) for line in as_json.splitlines()]
    assert [line["n"] for line in lines] == [int(line.split()[0]) for line in found.out.splitlines()]
    assert {line["data"]["player"] for line in lines} == {"south-person"}
    table = phalera("log", file, "type:OrderAccepted", "R1", "--to", "csv", "--lang", "fr").out.splitlines()
    assert table[0] == "n,at,by,rule,type,said,voided"
    assert len(table) == len(lines) + 1
    assert "avance" in table[-1]


@pytest.mark.slow
def test_log_says_when_nothing_is_found_and_what_can_be_asked_for(file):
    none = phalera("log", file, "hurricane")
    assert (none.code, none.out, none.err) == (0, "", "No event is found.\n")
    for wrong in ("odds>0.5", "luck>much", "unit:"):
        assert phalera("log", file, wrong).code == 2
    assert "unit:" in phalera("log", file, "odds>0.5").err
    assert phalera("log", file, "--to", "xml").code == 2


@pytest.mark.slow
def test_report_takes_its_form_from_the_name_of_the_file_it_writes(file, tmp_path):
    assert phalera("report", file).out.startswith("# ")
    for form, start in (("html", b"<!DOCTYPE html>"), ("pdf", b"%PDF-"), ("md", b"# ")):
        out = tmp_path / f"told.{form}"
        assert phalera("report", file, "--out", out, "--lang", "fr").code == 0
        assert out.read_bytes().startswith(start)
        assert phalera("report", file, "--out", out).code != 0  # it is there already
        assert phalera("report", file, "--out", out, "--force").code == 0
    assert phalera("report", "-", "--to", "html", typed=file.read_bytes()).out.startswith("<!DOCTYPE html>")


def test_report_says_what_is_wrong(file, tmp_path, monkeypatch):
    wrong = phalera("report", file, "--to", "docx")
    assert wrong.code == 2
    assert "md, html, pdf" in wrong.err
    assert phalera("report", tmp_path / "nothing.battle").code != 0
    monkeypatch.setattr("replay.drawing.pdf.can_write", lambda: False)
    without = phalera("report", file, "--to", "pdf")
    assert without.code == 2
    assert "phalera[pdf]" in without.err


@pytest.mark.slow
def test_diff_leaves_with_1_where_histories_fork(file, tmp_path):
    other = tmp_path / "other.battle"
    other.write_bytes(played_battle().file())
    assert phalera("diff", file, other).code == 0
    assert phalera("diff", file, file).code == 0
    other.write_bytes(signed_again(ended_battle(), lambda log: changed(log, "CardDrawn", card="10c1")))
    answer = phalera("diff", file, other, "--head", file, "--lang", "fr")
    assert answer.code == 1
    assert "DEUX HISTOIRES" in answer.out
    assert "other.battle CONTREDIT la tête" in " ".join(answer.out.split())
    assert json.loads(phalera("diff", file, other, "--json").out)["is_proven"] is True
    other.write_bytes(ended_battle("other").file())
    assert phalera("diff", file, other).code == 2


@pytest.mark.parametrize("bad", [b"", b"\0\xff\n", None])
def test_diff_leaves_with_2_and_not_as_of_two_histories_where_a_file_cannot_be_read(file, tmp_path, bad):
    other = tmp_path / "other.battle"
    other.mkdir() if bad is None else other.write_bytes(bad)
    answer = phalera("diff", file, other)
    assert (answer.code, answer.out, len(answer.err.splitlines())) == (2, "", 1)
    missing = phalera("diff", file, file, "--head", tmp_path)
    assert (missing.code, missing.err) == (2, f"phalera: Cannot read {tmp_path}: is a directory.\n")


@pytest.mark.slow
def test_diff_reads_one_file_from_standard_input(file):
    assert "standard input ends there." in phalera("diff", "-", file, typed=file.read_bytes()).out
    both = phalera("diff", "-", "-", typed=file.read_bytes())
    assert (both.code, both.err) == (2, "phalera: Only one of the two files can come from standard input.\n")


@pytest.mark.slow
def test_evidence_is_laid_out_in_three_forms(file, tmp_path):
    said = phalera("evidence", file, "--event", "17", "--head", file)
    assert said.code == 0
    assert "decide exactly what the file has" in " ".join(said.out.split())
    assert "So event 17 stood in the log then as it stands here." in " ".join(said.out.split())
    assert phalera("evidence", "-", "--event", "17", "--to", "md", typed=file.read_bytes()).out.startswith("# Evidence")
    page = tmp_path / "evidence.html"
    written = phalera("evidence", file, "--event", "17", "--to", "html", "--lang", "fr", "--out", page)
    assert written.out.startswith(f"{page} written")
    assert page.read_text(encoding="utf-8").startswith('<!DOCTYPE html>\n<html lang="fr">')
    assert phalera("evidence", file, "--event", "99").code == 1
    assert phalera("evidence", file, "--docket", "d1").code == 1
    assert phalera("evidence", file, "--docket", "d1", "--event", "3").code == 2
    assert phalera("evidence", file, "--event", "17", "--to", "pdf").code == 2
    assert phalera("evidence", file).code == 2


# --- verify


def test_verify_leaves_with_0_1_or_3(file, tmp_path):
    assert phalera("verify", file).code == 0
    file.write_bytes(ended_file().replace(b"Anna", b"Berta"))
    answer = phalera("verify", file)
    assert answer.code == 1
    assert "FAULT at event 4" in answer.out
    from msgspec import structs

    other = signed_again(ended_battle(), lambda log: None, lambda header: structs.replace(header, rules="9.9"))
    file.write_bytes(other)
    answer = phalera("verify", file)
    assert answer.code == 3
    assert "No release here knows tts 9.9" in answer.out


@pytest.mark.slow
def test_verify_with_a_key_and_with_a_file_that_has_it(file, tmp_path):
    key = ended_battle().signer.key
    (tmp_path / "key.txt").write_text(key + "\n")
    for given in (key, tmp_path / "key.txt"):
        assert "The host's key is the one that you gave" in phalera("verify", file, "--key", given).out
    assert phalera("verify", file, "--key", "nonsense").code == 1


def test_verify_proves_earlier_heads(file, tmp_path):
    earlier = tmp_path / "earlier.battle"
    earlier.write_bytes(played_battle().file())
    answer = phalera("verify", file, "--head", earlier)
    assert answer.code == 0
    assert "is an earlier state of this very log" in answer.out
    battle = tiny_battle("tiny")
    header = battle.recording.header
    origin = notes.origin(header.host, header.battle)
    forged = notes.sign_head(battle.signer, Head(origin, 5, b"\1" * 32))
    answer = phalera("verify", file, "--head", forged)
    assert answer.code == 1
    assert "Another history was signed" in answer.out
    assert phalera("verify", file, "--head", tmp_path / "nothing").code == 1


def test_verify_of_a_running_battle_leaves_with_4(file):
    content = played_battle().file()
    for given in (content, content[: content.rfind(b"\n", 0, -1) + 1]):
        file.write_bytes(given)
        answer = phalera("verify", file)
        assert answer.code == 4
        assert "The battle is running; this file ends after event" in answer.out


def test_verify_against_another_file(file, tmp_path):
    other = tmp_path / "other.battle"
    other.write_bytes(played_battle().file())
    assert phalera("verify", file, "--against", other).code == 0
    other.write_bytes(signed_again(ended_battle(), lambda log: changed(log, "CardDrawn", card="10c1")))
    answer = phalera("verify", file, "--against", other)
    assert answer.code == 1
    assert "TWO HISTORIES: the files differ at event" in answer.out


def test_verify_names_a_signed_lie(file):
    file.write_bytes(signed_again(ended_battle(), lambda log: changed(log, "CardDrawn", card="10c1")))
    answer = phalera("verify", file, "--json")
    assert answer.code == 1
    assert json.loads(answer.out)["fault"]["what"] == "card-differs"


# --- lab


@pytest.mark.slow
def test_lab_leaves_with_0_1_or_2(tmp_path):
    case = (case_path(1)).read_text(encoding="utf-8")
    good = phalera("lab", case_path(1))
    assert good.code == 0
    assert good.out.rstrip().endswith("OK: everything as expected.")
    assert phalera("lab", "-", typed=case.encode()).code == 0
    bad = phalera("lab", "-", typed=case.replace("[5, 8, 4]", "[4, 8, 4]").encode())
    assert bad.code == 1
    assert "FAILED: " in bad.out
    for nonsense in (b"ruleset = 3", b"\xff", b"= =", b'ruleset = "tts"\n', b'ruleset = "chess"\n'):
        answer = phalera("lab", "-", typed=nonsense)
        assert (answer.code, len(answer.err.splitlines())) == (2, 1), answer.err


def test_lab_json_has_the_members_of_the_format():
    answer = phalera("lab", case_path(3), "--json")
    told = json.loads(answer.out)
    assert set(told) == {"events", "rejections", "final", "ok", "failures"}
    assert told["ok"]
    assert told["events"][0]["n"] == 1


def test_lab_answers_cases_of_campaigns():
    case = case_path(14, "campaign").read_text(encoding="utf-8")
    told = json.loads(phalera("lab", case_path(14, "campaign"), "--json").out)
    assert set(told) == {"events", "rejections", "final", "checks", "ok", "failures"}
    assert told["ok"] and told["checks"][0] == {"kept": [416, 0]}
    bad = phalera("lab", "-", typed=case.replace("[416, 0]", "[417, 0]").encode())
    assert bad.code == 1 and "FAILED: check 1 has kept [416, 0], not [417, 0]" in bad.out
    none = phalera("lab", "-", typed=b'ask = "tea"')
    assert (none.code, len(none.err.splitlines())) == (2, 1)


def test_lab_tells_refused_orders():
    assert "is refused: " in phalera("lab", case_path(12)).out


# --- demo and play


@pytest.mark.slow
def test_demo_tells_and_writes_its_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    answer = phalera("demo", "--scenario", "skirmish", "--seed", 3)
    assert answer.code == 0
    assert "--- Turn 1" in answer.out
    assert "skirmish-3.battle written" in answer.out
    assert phalera("verify", "skirmish-3.battle").code == 0
    again = phalera("demo", "--scenario", "skirmish", "--seed", 3)
    assert again.code == 0
    assert "is there already, with the same" in again.out
    other = phalera("demo", "--scenario", "skirmish", "--seed", 4, "--out", "skirmish-3.battle", "--quiet")
    assert other.code == 1
    assert "--force" in other.err
    quiet = phalera("demo", "--scenario", "skirmish", "--seed", 4, "--out", "skirmish-3.battle", "--quiet", "--force")
    assert (quiet.code, quiet.out) == (0, "")


@pytest.mark.slow
def test_demo_and_play_take_files_and_name_what_they_write_after_them(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "given").mkdir()
    path = tmp_path / "given" / "mine.toml"
    path.write_text(scenario_text("tts", "skirmish"))
    assert phalera("demo", "--scenario", path, "--quiet").code == 0
    assert phalera("play", "--scenario", path, "--seed", 1, typed=b"quit\n").code == 0
    assert (tmp_path / "mine-2.battle").exists()
    assert len(list(tmp_path.glob("mine-*.battle"))) == 2
    assert phalera("demo", "--scenario", "nowhere.toml").code == 1


def test_the_help_of_log_names_all_that_can_be_asked_for():
    told = " ".join(phalera("log", "--help").out.split())
    assert all(f" {field}:" in told for field in FIELDS)
    assert all(f" {number}>" in told for number in NUMBERS)


@pytest.mark.parametrize("command", ["demo", "play", "simulate"])
def test_the_help_names_every_bot_and_says_that_files_work(command):
    told = " ".join(phalera(command, "--help").out.split())
    assert all(bot in told for bot in BOTS)
    assert "NAME|FILE" in told


@pytest.mark.slow
def test_demo_to_standard_output_is_the_file_alone():
    content = phalera("demo", "--scenario", "skirmish", "--out", "-").bytes
    assert phalera("verify", "-", typed=content).code == 0


@pytest.mark.parametrize(
    "options",
    [
        (),
        ("--scenario", "two-lines"),
        ("--scenario", "waterloo"),
        ("--ruleset", "chess"),
        ("--ruleset", "tts", "--south", "genius"),
        ("--ruleset", "tts", "--seed", "x"),
    ],
)
def test_demo_says_what_it_does_not_have(options):
    answer = phalera("demo", *options)
    assert answer.code in (1, 2)
    assert answer.out == ""


@pytest.mark.slow
def test_play_saves_the_battle(tmp_path):
    out = tmp_path / "mine.battle"
    answer = phalera("play", "--scenario", "skirmish", "--seed", 1, "--out", out, typed=b"R1 ahead\nresign\nyes\n")
    assert answer.code == 0
    assert "North wins" in answer.out
    assert phalera("verify", out).code == 0
    assert phalera("play", "--side", "east").code == 2


def test_play_that_is_left_is_saved_as_far_as_it_went(tmp_path):
    out = tmp_path / "mine.battle"
    assert phalera("play", "--ruleset", "tts", "--out", out, typed=b"R1 ahead\n").code == 0
    assert phalera("verify", out).code == 4


# --- a host's commands


@pytest.mark.slow
def test_a_battle_goes_into_a_data_folder_and_out_again(file, data):
    (data / "key").parent.mkdir(mode=0o700)
    assert phalera("import", file, "--data", data).code == 0
    assert "here already" in phalera("import", file, "--data", data).err
    battle = ended_battle().recording.gid
    no_key = phalera("export", battle, "--data", data)
    assert (no_key.code, "key" in no_key.err) == (1, True)
    (data / "key").write_text(ended_battle().signer.secret_key())
    (data / "key").chmod(0o600)
    assert phalera("export", battle, "--data", data).bytes == ended_file()
    assert phalera("export", "nothing", "--data", data).code == 1
    assert phalera("doctor", "--data", data).code == 0
    assert json.loads(phalera("doctor", "--data", data, "--json").out)[0]["ok"]
    assert (
        "38 events" in phalera("rebuild", "--data", data).out
        or "events folded" in phalera("rebuild", "--data", data).out
    )
    assert phalera("backup", data.parent / "copy", "--data", data).code == 0
    assert phalera("backup", data.parent / "copy", "--data", data).code == 1


@pytest.mark.slow
def test_of_several_files_each_is_taken_in_that_can_be(file, data, tmp_path):
    running = tmp_path / "running.battle"
    assert phalera("play", "--ruleset", "tts", "--out", running, typed=b"R1 ahead\n").code == 0
    answer = phalera("import", running, file, file, "--data", data)
    assert answer.code == 1
    assert answer.out.count("is taken in") == 1 and ended_battle().recording.gid in answer.out
    assert f"{running}: " in answer.err and f"{file}: " in answer.err
    assert "here already" in answer.err


@pytest.mark.parametrize(
    "command",
    ["rebuild", "doctor", "migrate", ("export", "x"), ("export", "--all"), ("backup", "x"), ("player", "list")],
)
def test_without_a_store_it_is_said_and_none_is_made(command, data):
    answer = phalera(*([command] if isinstance(command, str) else command), "--data", data)
    assert answer.code == 2
    assert "There is no store" in answer.err
    assert not data.exists()


@pytest.mark.slow
def test_players_are_added_and_listed(data):
    added = phalera("player", "add", "Anna", "anna@example.org", "--data", data)
    assert added.code == 0
    assert "API token" in added.out
    assert "/login/" in added.out
    assert data.stat().st_mode & 0o077 == 0
    twice = phalera("player", "add", "ANNA", "other@example.org", "--data", data)
    assert (twice.code, "already" in twice.err) == (1, True)
    token = phalera("player", "token", "anna", "--data", data)
    assert "API token" in token.out
    assert phalera("player", "token", "Bob", "--data", data).code == 1
    assert "anna@example.org" in phalera("player", "list", "--data", data).out
    assert json.loads(phalera("player", "list", "--data", data, "--json").out)[0]["name"] == "Anna"
    assert phalera("player", "add", " ", "x@example.org", "--data", data).code == 1


def test_links_begin_with_the_address_that_players_reach(data, monkeypatch):
    added = phalera("player", "add", "Anna", "anna@example.org", "--data", data, "--url", "https://games.example/")
    assert "login link  https://games.example/login/" in added.out
    monkeypatch.setenv("PHALERA_URL", "https://other.example")
    assert "login link  https://other.example/login/" in phalera("player", "token", "Anna", "--data", data).out
    assert "begins with https://" in phalera("player", "token", "Anna", "--data", data, "--url", "games.example").err


@pytest.mark.slow
def test_a_player_who_is_added_hears_where_to_write(data, monkeypatch):
    monkeypatch.setenv("PHALERA_URL", "https://games.example")
    monkeypatch.setenv("PHALERA_MAIL_ADDRESS", "play@games.example")
    added = phalera("player", "add", "Anna", "anna@example.org", "--data", data)
    assert "A letter" in added.out and "A letter" not in phalera("player", "add", "Bob", "", "--data", data).out
    (waits,) = json.loads(phalera("mail", "queue", "--data", data, "--json").out)
    assert (waits["recipient"], waits["kind"], waits["state"]) == ("Anna", "welcome", "waiting")
    assert phalera("mail", "send", "--data", data).out.startswith("1 letters written")
    (letter,) = (path for path in (data / "mail" / "out").rglob("*") if path.is_file())
    message = message_from_bytes(letter.read_bytes(), policy=policy.default)
    body = message.get_body(("plain",))
    assert body is not None
    text = body.get_content()
    for said in ("play@games.example", "“help” explains everything", "“battles”", "“open skirmish”"):
        assert said in text
    assert message["To"] == "anna@example.org" and "/login/" not in letter.read_text()
    login = added.out.rpartition("/login/")[2].split()[0]
    assert login not in letter.read_text() and "https://games.example/unsubscribe/" in letter.read_text()


def test_the_data_folder_may_come_from_the_environment(data, monkeypatch):
    result = CliRunner().invoke(main, ["player", "add", "Anna", "a@example.org"], env={"PHALERA_DATA": str(data)})
    assert result.exit_code == 0
    assert (data / "log.db").is_file()


def test_a_file_that_is_no_store_is_said(data):
    data.mkdir()
    (data / "log.db").write_bytes(b"this is no database at all" * 100)
    answer = phalera("player", "list", "--data", data)
    assert answer.code == 1
    assert len(answer.err.splitlines()) == 1
    assert "not a database" in phalera("doctor", "--data", data).out


@pytest.mark.slow
def test_a_store_of_an_earlier_release_is_migrated(data):
    data.mkdir(mode=0o700)
    formats = Path(__file__).parents[1] / "store" / "formats"
    with closing(sqlite3.connect(data / "log.db")) as db:
        db.executescript((formats / "1.sql").read_text())
    (data / "log.db").chmod(0o600)
    refused = phalera("doctor", "--data", data)
    assert (refused.code, "phalera migrate" in refused.out) == (1, True)
    assert "`phalera migrate`" in phalera("player", "list", "--data", data).err
    done = phalera("migrate", "--data", data)
    assert (done.code, "log.db.format-1.tar is a backup of it as it was" in done.out) == (0, True)
    assert "already" in phalera("migrate", "--data", data).out
    assert phalera("doctor", "--data", data).code == 0


def test_mail_by_hand(data, tmp_path):
    assert phalera("mail", "send", "--data", data).out.startswith("Nothing waits")
    answer = phalera("mail", "accept", "-", "--data", data, typed=b"Subject: hello\n\nR1 ahead\n")
    assert answer.code == 1
    assert len(answer.out.splitlines()) == 1
    assert phalera("mail", "accept", tmp_path / "nothing", "--data", data).code == 2


# --- as a process of its own


@pytest.mark.slow
def test_serve_says_where_and_stops_when_told(data):
    command = [sys.executable, "-m", "server.cli", "serve", "--port", "0", "--data", str(data), "--mail"]
    command += ["--log", "json", "--log-level", "debug"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT)
    try:
        assert server.stdout is not None
        ready, _, _ = select([server.stdout], [], [], LIMIT_S)
        assert ready, "no line with the address"
        line = server.stdout.readline().decode()
        assert line.startswith("Phalera serves http://127.0.0.1:")
        with urlopen(f"{line.split()[-1]}/healthz", timeout=LIMIT_S) as answer:
            assert answer.status == 200
        server.send_signal(signal.SIGTERM)
        assert server.wait(LIMIT_S) == 0
        assert server.stderr is not None
        log = [json.loads(line) for line in server.stderr.read().splitlines()]
        assert {"ready", "request"} <= {line["message"] for line in log}
        assert [line["status"] for line in log if line.get("route") == "/healthz"] == [200]
    finally:
        server.kill()
        server.wait()
        for stream in (server.stdout, server.stderr):
            if stream is not None:
                stream.close()


@pytest.mark.slow
@pytest.mark.parametrize(("option", "talk"), [((), True), (("--no-spectators-talk",), False)])
def test_a_host_can_leave_the_talk_of_spectators_out(data, monkeypatch, option, talk):
    started: list[Any] = []
    monkeypatch.setattr("server.assembly.run", started.append)
    for name in ("os.umask", "server.logs.configure"):
        monkeypatch.setattr(name, lambda *given: None)
    assert phalera("serve", "--data", data, *option).code == 0
    assert [settings.spectators_talk for settings in started] == [talk]


def test_what_no_server_can_use_is_said_in_a_sentence(data):
    assert "65535" in phalera("serve", "--port", "65536", "--data", data).err
    assert "begins with https://" in phalera("serve", "--url", "battles.example", "--data", data).err
    assert "--log is one of console, json" in phalera("serve", "--log", "xml", "--data", data).err
    asked = phalera("serve", "--imap", "imaps://play@imap.example.org", "--data", data)
    assert (asked.code, "PHALERA_IMAP_PASSWORD" in asked.err) == (2, True)


@pytest.mark.slow
def test_an_address_that_no_letter_can_go_to_is_refused(data):
    for address in ("nobody", "a@example.org, b@example.org"):
        refused = phalera("player", "add", "Bob", address, "--data", data)
        assert (refused.code, "is not an address for letters" in refused.err) == (2, True)
    phalera("player", "add", "Anna", "anna@example.org", "--data", data)
    assert "Anna has that address, too" in phalera("player", "add", "Ben", "ANNA@example.org", "--data", data).out


@pytest.mark.slow
def test_a_port_that_is_taken_is_said(data):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        answer = run("serve", "--port", taken.getsockname()[1], "--data", data)
        port = taken.getsockname()[1]
    assert answer.returncode == 1
    said = f"phalera: Another program listens at 127.0.0.1, port {port} already: --port takes another place.\n"
    assert answer.stderr.decode() == said
    elsewhere = run("serve", "--bind", "192.0.2.1", "--data", data).stderr.decode()
    assert elsewhere.startswith("phalera: Nobody can listen at 192.0.2.1, port 8080 (") and elsewhere.count("\n") == 1


def run(*arguments: object, **more: object) -> subprocess.CompletedProcess[bytes]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "server.cli", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, check=False, env=environment, timeout=LIMIT_S, **more)  # type: ignore[call-overload]


@pytest.mark.slow
def test_a_pipe_that_is_closed_early_is_no_traceback(file):
    command = f"{sys.executable} -m server.cli replay {file} --plain | head -n 1"
    done = subprocess.run(
        ["bash", "-c", command],
        capture_output=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        timeout=LIMIT_S,
    )
    assert b"Traceback" not in done.stderr


def test_help_imports_nothing_heavy():
    code = (
        "import sys\n"
        "from server.cli.main import main\n"
        "heavy = {'msgspec', 'domain', 'replay', 'aiohttp', 'eventsourcing', 'cryptography', 'sqlite3', 'rich'}\n"
        "print(sorted(heavy & set(sys.modules)))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, check=True, cwd=ROOT, text=True, timeout=LIMIT_S
    )
    assert done.stdout == "[]\n"


@pytest.mark.slow
def test_bytes_go_through_standard_input_and_output_unchanged(file):
    done = run("verify", "-", input=ended_file())
    assert done.returncode == 0
    demo = run("demo", "--scenario", "skirmish", "--out", "-")
    assert demo.stdout == phalera("demo", "--scenario", "skirmish", "--out", "-").bytes


@pytest.mark.slow
def test_an_option_that_does_not_exist_leaves_with_2(file):
    assert run("verify", file, "--fast").returncode == 2


def modules_of(*packages: str) -> list[str]:
    """The modules that come with these packages and with all that they need."""
    wanted, found = list(packages), set()
    while wanted:
        name = canonicalize_name(wanted.pop())
        if name not in found:
            found.add(name)
            needs = [Requirement(need) for need in metadata.requires(name) or ()]
            wanted += [need.name for need in needs if need.marker is None or need.marker.evaluate({"extra": ""})]
    distributions = metadata.packages_distributions().items()
    return [module for module, names in distributions if found & {canonicalize_name(name) for name in names}]


IMPORT_GUARD = """
import sys
from importlib.abc import MetaPathFinder

class Guard(MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        top = name.partition(".")[0]
        if top in allowed or top in sys.stdlib_module_names or top.startswith("_sysconfigdata"):
            return None
        raise ImportError(f"{name} is not installed here")

allowed = {*ALLOWED, "domain", "projections", "replay", "server"}
sys.meta_path.insert(0, Guard())
from server.cli.main import main
sys.argv = ["phalera", *sys.argv[1:]]
main()
"""


@pytest.mark.parametrize(
    "arguments",
    [
        ("replay", "--plain"),
        ("why", "17"),
        ("verify",),
        ("board", "--to", "svg"),
        ("board", "--to", "txt"),
        ("stats",),
    ],
    ids=" ".join,
)
@pytest.mark.slow
def test_a_battle_is_read_with_msgspec_cryptography_and_typer_alone(arguments, file):
    code = IMPORT_GUARD.replace("ALLOWED", repr(modules_of("msgspec", "cryptography", "typer")))
    command, *rest = arguments
    done = subprocess.run(
        [sys.executable, "-c", code, command, str(file), *rest],
        capture_output=True,
        check=False,
        cwd=ROOT,
        timeout=LIMIT_S,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout


# --- disputes


@pytest.mark.slow
def test_dockets_are_shown_with_what_was_said_and_what_the_rules_say(tmp_path):
    battle = Disputed(umpire=True)
    n = battle.play()
    battle.say(
        f"north: dispute {n} rules The box was taken.", "south: answer d1 It was not.", "umpire: rule d1 none So."
    )
    path = tmp_path / "disputed.battle"
    path.write_bytes(battle.battle.file())
    told = phalera("docket", path, "d1").out
    assert "The box was taken." in told
    assert "It was not." in told
    assert "follows from the rules" in told
    assert "Le Nord conteste" in phalera("docket", path, "--lang", "fr").out
    assert json.loads(phalera("docket", path, "--json").out)[0]["docket"]["how"] == "ruled"
    assert phalera("docket", path, "d2").code == 1
