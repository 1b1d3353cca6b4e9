"""The small parts of the server: scripts, settings, keys, time, sentences."""

import os
import re
import stat
from pathlib import Path

import pytest
from msgspec import structs

from domain.basics.errors import Refusal
from domain.catalogue import RULESETS
from domain.log import record
from replay.proof.notes import BadNote
from replay.telling.words.catalogue import find
from replay.writing.clock import later
from replay.writing.entropy import new_id
from server.clock import SystemClock
from server.entropy import new_battle_id
from server.people.key_files import read_or_make_key
from server.people.keys import keys_of_host
from server.people.players import enrol, require_name
from server.play.archive import import_battle
from server.play.scripts import ScriptLine, Unreadable, command_id, public_key, read_script
from server.settings import Settings, Unusable, make_folder
from server.store import Append, EventStore, Opening
from server.upkeep.folder import close_to_others
from server.web import problems
from tests.support.clock import ManualClock
from tests.support.entropy import entropy_of_test
from tests.support.tiny import ended_battle, ended_file

TTS = RULESETS["tts"]
CODE = re.compile(r'Refusal\(\s*"(core\.[a-z-]+)"')


# --- scripts


def test_comments_and_empty_lines_are_no_orders() -> None:
    script = read_script("# first\r\n\r\nR1 ahead # go\n  \nphrase twelve # sharp bytes\nend turn", TTS.orders.parse)
    assert script.orders == (ScriptLine(3, "R1 ahead", 1), ScriptLine(6, "end turn", 2))
    assert script.phrase == "twelve # sharp bytes"


def test_a_phrase_in_the_lines_counts_before_one_beside_them() -> None:
    assert read_script("PHRASE mine", TTS.orders.parse, phrase="other").phrase == "mine"
    assert read_script("R1 ahead", TTS.orders.parse, phrase="other").phrase == "other"


def test_a_seal_may_be_followed_by_a_comment() -> None:
    assert read_script("seal ABCD-EFGH # the third", TTS.orders.parse).seal == "ABCD-EFGH"


def test_a_phrase_is_written_in_one_way() -> None:
    assert read_script("phrase e\u0301te\u0301", TTS.orders.parse).phrase == "été"


def test_every_bad_line_is_named() -> None:
    with pytest.raises(Unreadable) as caught:
        read_script("R1 ahead\nnonsense\n\nR2 flies", TTS.orders.parse)
    assert [fault.line.number for fault in caught.value.faults] == [2, 4]


def test_ids_of_lines_differ_where_account_key_or_line_differ() -> None:
    ids = {command_id(a, k, n) for a in ("p1", "p2") for k in ("k", "k\n1") for n in (0, 1, 11)}
    assert len(ids) == 12
    assert public_key("p1", "k") != public_key("p2", "k")


# --- settings, keys, time


def test_the_data_folder_is_named_or_found_in_the_environment(tmp_path: Path) -> None:
    assert Settings.at(tmp_path, {}).log == tmp_path / "log.db"
    assert Settings.at(None, {"PHALERA_DATA": str(tmp_path)}).data == tmp_path
    assert Settings.at(None, {"XDG_DATA_HOME": str(tmp_path)}).data == tmp_path / "phalera"
    for other in ({}, {"XDG_DATA_HOME": "relative"}):
        assert Settings.at(None, other).data == Path.home() / ".local" / "share" / "phalera"


def test_a_key_is_made_once_and_kept_to_ourselves(tmp_path: Path) -> None:
    entropy = entropy_of_test()
    path = tmp_path / "key"
    first = read_or_make_key(path, "one.example", entropy)
    again = read_or_make_key(path, "two.example", entropy)
    assert first.key == again.key
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [entry.name for entry in tmp_path.iterdir()] == ["key"]
    path.write_text("something else")
    with pytest.raises(BadNote):
        read_or_make_key(path, "one.example", entropy)


def test_the_clock_of_this_machine_counts():
    clock = SystemClock()
    assert 0 < clock.monotonic_ms() <= clock.monotonic_ms()


def test_time_is_written_as_in_the_log() -> None:
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", SystemClock().now())
    assert later("2026-01-01T00:00:00.000Z", 0.25) == "2026-01-01T00:00:00.250Z"


def test_ids_are_eight_letters_and_digits() -> None:
    assert re.fullmatch("[a-z2-7]{8}", new_id(entropy_of_test()))
    assert re.fullmatch("[a-z2-7]{16}", new_battle_id(entropy_of_test()))


@pytest.mark.parametrize("name", ["", "   ", "x" * 41, "a\x00b", "\u200b"])
def test_a_name_is_one_short_line(name: str) -> None:
    with pytest.raises(Refusal, match=r"core\.bad-name"):
        require_name(name)
    assert require_name(" Anna \n of  Ze\u0301la ") == "Anna of Zéla"


def test_tokens_are_stored_as_digests_only() -> None:
    enrolled = enrol(ManualClock(), entropy_of_test(), "Anna", "anna@example.org")
    stored = str([statement.params for statement in enrolled.statements])
    assert enrolled.api_token not in stored
    assert enrolled.login_token not in stored


# --- sentences


def test_every_code_of_the_server_has_a_sentence() -> None:
    sources = [path for path in Path("server").rglob("*.py") if "store" not in path.parts]
    codes = {code for path in sources for code in CODE.findall(path.read_text(encoding="utf-8"))}
    assert len(codes) > 20
    sentences = {f"core.too-many-invitations.{limit}" for limit in ("player", "mailbox", "server")}  # one for each
    codes = (codes | set(problems.STATUS)) - {"core.too-many-invitations"} | sentences
    assert {code for code in codes if find(code, "en") is None} == set()


def test_a_refusal_of_the_server_is_told_with_its_numbers() -> None:
    problem = problems.problem_of(Refusal("core.stale", "CORE-REPEAT", expect=3, n=5))
    assert problem.status == 409
    assert "event 3" in problem.detail
    assert problem.detail.endswith("[CORE-REPEAT]")


def test_a_lost_key_is_not_made_anew(tmp_path: Path) -> None:
    settings, entropy = Settings.at(tmp_path / "data", {}), entropy_of_test()
    make_folder(settings)
    with EventStore.open(settings.store()) as store:
        first = keys_of_host(settings, store, entropy).current
        import_battle(store, ended_file())
        settings.key.unlink()
        own = keys_of_host(settings, store, entropy).current
        assert own.key != first.key  # another host has played and signed the battle that is here
        header = structs.replace(record.decode_header(ended_battle().recording.header_line), battle="own", key=own.key)
        opens = Opening(record.encode_header(header), header.created, "public")
        store.append_now(Append("own", 0, [], opens=opens))
        assert keys_of_host(settings, store, entropy).current.key == own.key
        settings.key.unlink()
        with pytest.raises(Unusable, match=r"is missing.*from a backup"):
            keys_of_host(settings, store, entropy)
        assert not settings.key.exists()
        read_or_make_key(settings.key, "another.example", entropy)
        with pytest.raises(Unusable, match="not the key with which battle own was opened"):
            keys_of_host(settings, store, entropy)
        settings.key.write_text("nothing")
        with pytest.raises(Unusable, match="holds no key"):
            keys_of_host(settings, store, entropy)


def test_secret_files_are_closed_to_others_and_an_open_folder_is_said(tmp_path: Path) -> None:
    settings = Settings.at(tmp_path / "data", {})
    settings.data.mkdir()
    settings.data.chmod(0o755)
    before = os.umask(0o022)
    try:
        with EventStore.open(settings.store()) as store:
            keys_of_host(settings, store, entropy_of_test())
            assert {stat.S_IMODE(path.stat().st_mode) for path in settings.data.iterdir()} == {0o600}
            settings.log.chmod(0o644)
            (said,) = close_to_others(settings)
            assert said.endswith(f"chmod go= {settings.data}")
            assert stat.S_IMODE(settings.log.stat().st_mode) == 0o600
            settings.data.chmod(0o700)
            assert close_to_others(settings) == []
    finally:
        os.umask(before)
