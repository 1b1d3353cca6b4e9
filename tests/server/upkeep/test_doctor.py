"""The doctor looks at everything, names what is wrong, and says what to do about it."""

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from msgspec import structs

from domain.basics.pace import moment_of
from domain.catalogue import RULESETS
from domain.log import record
from domain.log.entries import log_origin
from replay.proof.cosigned import Cosigner, NoteKey
from replay.proof.notes import Signer
from server import stamps
from server.play.archive import import_battle
from server.settings import Settings
from server.store import Append, EventStore, Opening
from server.store.tables import vault
from server.upkeep import contents
from server.upkeep.doctor import examine
from server.upkeep.finding import DataFinding
from server.witness import log_file, state
from server.witness.log_file import LogFile
from server.witness.parts import OLD_S
from server.witness.state import WitnessFile
from tests.support.serving import serving
from tests.support.shown_logs import many
from tests.support.tiny import TTS, ended_battle, ended_file, played_battle

HERE = Signer("here.example", b"\x03" * 32)
NOW = "2026-05-01T12:00:00.000Z"
PARTS = [
    "folder",
    "disk",
    "files",
    "key",
    "store",
    "accounts",
    "names",
    "tokens",
    "vault",
    "requests",
    "outbox",
    "mailboxes",
    "battles",
    "proofs",
    "rules",
]


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """A folder with a key and a battle that another host has played."""
    folder = tmp_path / "data"
    folder.mkdir(mode=0o700)
    chosen = Settings.at(folder)
    with EventStore.open(chosen.store()) as store:
        import_battle(store, ended_file())
    chosen.key.write_text(HERE.secret_key())
    chosen.key.chmod(0o600)
    return chosen


def faults(settings: Settings) -> list[DataFinding]:
    """What is not well; each finding says what to do."""
    found = [finding for finding in examine(settings, NOW) if not finding.ok]
    assert all(finding.advice for finding in found)
    return found


def put(settings: Settings, *statements: str) -> None:
    """Write past the store, its triggers off."""
    with closing(sqlite3.connect(settings.log, isolation_level=None)) as db:
        for (name,) in db.execute("SELECT name FROM sqlite_schema WHERE type='trigger'").fetchall():
            db.execute(f"DROP TRIGGER {name}")
        for statement in statements:
            db.execute(statement)
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def test_what_is_well_is_said_part_by_part(settings: Settings) -> None:
    found = list(examine(settings, NOW))
    assert [finding.what for finding in found] == PARTS
    assert all(finding.ok for finding in found), found


def test_players_whose_letters_came_back_are_named_and_no_fault(settings: Settings) -> None:
    put(
        settings,
        "INSERT INTO accounts (player, name, name_key, email, email_key, created) "
        "VALUES ('p1', 'Anna', 'anna', '', '', 'now')",
        "INSERT INTO correspondents (player, lang, zone, delivery, quiet, picture, signed, bounces, stopped) "
        "VALUES ('p1', 'en', 'UTC', 'instant', '', 1, '', 3, 'bounced')",
    )
    (finding,) = [one for one in examine(settings, NOW) if one.what == "mailboxes"]
    assert finding.ok
    assert finding.said == "letters came back from Anna: phalera mail status says why"


def test_whose_stamps_are_believed_is_told(settings: Settings) -> None:
    stamps.record(settings, "mx.example.org", stamps.ProvenStamp(NOW, "mx.example.org"))
    (finding,) = [one for one in examine(settings, NOW) if one.what == "trust"]
    assert finding.ok
    assert finding.said == "nobody outside can stamp mail as mx.example.org for play@localhost (2026-05-01)"
    (settings.data / stamps.FILE).write_text("{")
    assert [one.what for one in faults(settings)] == ["trust"]


def asked_by(settings: Settings) -> tuple[LogFile, NoteKey]:
    """The log of the host with two entries, and the key of a witness that was asked a day and more ago."""
    key = Cosigner("beta.test/witness", bytes([7]) * 32).key
    log, file = LogFile(settings.data / log_file.FILE), WitnessFile(settings.data / state.FILE)
    log.append(many(2), 1)
    file.ask(key, "https://beta.test/witness", moment_of(NOW) // 1000 - OLD_S - 1)
    file.close()
    return log, key


def test_witnesses_that_have_signed_nothing_for_a_day_are_named(settings: Settings) -> None:
    log, key = asked_by(settings)
    (finding,) = faults(settings)
    assert finding.what == "witnesses" and finding.said.endswith("for more than a day by beta.test/witness")
    log.keep_cosignature(log_origin(HERE.name), 2, key.text(), moment_of(NOW) // 1000, "a line")
    assert faults(settings) == []
    (finding,) = [one for one in examine(settings, NOW) if one.what == "witnesses"]
    assert finding.said == "no witness is more than a day behind, of 1 that are asked"
    log.note_further("beta.test/witness")
    assert "knows more of the log of heads than this folder" in faults(settings)[0].said
    log.close()
    (settings.data / log_file.FILE).write_bytes(b"no database at all" * 99)
    assert "is damaged" in faults(settings)[0].said


def test_open_files_and_folders_are_found(settings: Settings) -> None:
    settings.data.chmod(0o755)
    settings.key.chmod(0o644)
    settings.log.chmod(0o640)
    assert [(fault.what, fault.advice) for fault in faults(settings)] == [
        ("folder", f"chmod go= {settings.data}"),
        ("files", f"chmod go= {settings.key}"),
        ("files", f"chmod go= {settings.log}"),
    ]


@pytest.mark.parametrize(
    ("statement", "what", "said"),
    [
        ("UPDATE battles SET header = CAST(replace(header, 'tts', 'stt') AS BLOB)", "battles", "wrong"),
        (
            "UPDATE stored_events SET state = CAST(replace(CAST(state AS TEXT), 'Anna', 'Anne') AS BLOB) "
            "WHERE originator_version = 4",
            "battles",
            "wrong-hash at event 4",
        ),
        (
            "INSERT INTO accounts (player, name, name_key, email, email_key, created) "
            "VALUES ('p1', 'Anna', 'ben', '', '', 'now')",
            "accounts",
            "Anna",
        ),
        (
            "INSERT INTO tokens (digest, player, kind, created) VALUES (x'00', 'nobody', 'api', 'now')",
            "tokens",
            "no account",
        ),
        ("DELETE FROM vault WHERE kind = 'master'", "vault", "is missing"),
        ("INSERT INTO parked VALUES ('b', 'south', 'p1', 'k', 1, x'')", "requests", "lost its request"),
        (
            "INSERT INTO outbox VALUES (1, '', 0, 'p1', 'welcome', '2026-04-01T00:00:00.000Z', NULL)",
            "outbox",
            "1 letters wait",
        ),
        ("PRAGMA user_version = 1", "store", "format 1"),
    ],
)
def test_rows_that_do_not_fit_are_found(settings: Settings, statement: str, what: str, said: str) -> None:
    put(settings, statement)
    (fault,) = faults(settings)
    assert fault.what == what
    assert said in fault.said


def test_a_damaged_page_is_found_and_the_rest_is_looked_at(settings: Settings) -> None:
    put(settings)
    with closing(sqlite3.connect(settings.log)) as db:
        (page,) = db.execute("SELECT rootpage FROM sqlite_schema WHERE name='accounts'").fetchone()
        (size,) = db.execute("PRAGMA page_size").fetchone()
    with settings.log.open("r+b") as file:
        file.seek((page - 1) * size)
        file.write(bytes(range(256)) * (size // 256))
    found = faults(settings)
    assert {"store", "accounts"} <= {fault.what for fault in found}
    assert "damaged" in found[0].said
    assert "restore" in found[0].advice


def test_what_is_no_store_is_found(settings: Settings) -> None:
    settings.log.write_bytes(b"this is no database at all" * 100)
    (fault,) = faults(settings)
    assert (fault.what, "not a database" in fault.said) == ("store", True)


async def test_a_key_that_is_lost_or_another_is_found(tmp_path: Path) -> None:
    async with serving(tmp_path / "data") as server:
        await (await server.player("Anna")).open()
    settings = Settings.at(tmp_path / "data", {})
    assert faults(settings) == []
    kept = settings.key.read_text()
    settings.key.unlink()
    (lost,) = faults(settings)
    assert (lost.what, "backup" in lost.advice) == ("key", True)
    settings.key.write_text("nothing")
    settings.key.chmod(0o600)
    assert [fault.what for fault in faults(settings)] == ["key"]
    settings.key.write_text(HERE.secret_key())
    (other,) = faults(settings)
    assert (other.what, "opened with a key that is not here" in other.said) == ("key", True)
    settings.key.write_text(kept)
    assert faults(settings) == []


def test_a_battle_whose_rules_are_not_installed_is_found(settings: Settings, monkeypatch) -> None:
    header = structs.replace(played_battle().recording.header, battle="running", key=HERE.key, host=HERE.name)
    opens = Opening(record.encode_header(header), header.created, "public")
    with EventStore.open(settings.store()) as store:
        store.append_now(Append("running", 0, [], also=(vault.put_master("running", bytes(32)),), opens=opens))
    assert faults(settings) == []
    monkeypatch.setattr(contents, "RULESETS", {**RULESETS, "tts": structs.replace(TTS, version="99.0")})
    (fault,) = faults(settings)
    assert (fault.what, fault.said.startswith("running (tts")) == ("rules", True)
    put(settings, f"INSERT INTO closings VALUES ('running', '{NOW}', 'stopped')")
    assert faults(settings) == []
    assert ended_battle().recording.gid not in fault.said


def test_a_folder_that_cannot_be_written_to_is_told(settings: Settings, monkeypatch) -> None:
    access: Callable[..., bool] = os.access
    monkeypatch.setattr(os, "access", lambda path, mode: mode != os.W_OK and access(path, mode))
    assert [fault.what for fault in faults(settings)] == ["folder"]


def test_progress_is_told_battle_by_battle(settings: Settings) -> None:
    told: list[tuple[int, int]] = []
    list(examine(settings, NOW, lambda done, total: told.append((done, total))))
    assert told == [(1, 1)]


def test_nothing_is_changed_by_looking(settings: Settings) -> None:
    before = {path.name: path.read_bytes() for path in settings.data.iterdir()}
    list(examine(settings, NOW))
    assert {path.name: path.read_bytes() for path in settings.data.iterdir()} == before
