"""A battle comes out of the store as it went in, byte for byte."""

from pathlib import Path

import pytest
from msgspec import UNSET, structs

from domain.basics.errors import Refusal
from replay import battle_file
from replay.proof import chain
from replay.proof.notes import Signer
from replay.proof.verify import NOT_ALL_JUDGED, OK, verify
from replay.writing.entropy import SeededEntropy
from replay.writing.in_memory import OfflineBattle, SeededClock
from server.offline.branching import branched, of_file
from server.people.keys import Keyring
from server.play.archive import NotImported, export_battle, import_battle
from server.play.recalling import recall
from server.settings import Settings
from server.store import Append, EventStore, Opening
from server.store.tables import vault
from tests.support.entropy import entropy_of_test
from tests.support.tiny import (
    TTS,
    changed,
    ended_battle,
    ended_file,
    played_battle,
    signed_again,
    tiny_scenario,
)

HERE = Keyring(Signer("here.example", b"\x03" * 32))


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    folder = tmp_path / "data"
    folder.mkdir(mode=0o700)
    return Settings.at(folder)


@pytest.fixture
def store(settings):
    with EventStore.open(settings.store()) as opened:
        yield opened


def test_an_imported_battle_is_exported_byte_for_byte(store):
    battle = import_battle(store, ended_file())
    assert export_battle(store, HERE, battle) == ended_file()
    assert verify(export_battle(store, HERE, battle)).exit == OK


def test_an_imported_battle_can_be_folded_as_its_own_host_could(store):
    battle = import_battle(store, ended_file())
    recording = recall(store, battle, lambda code: TTS, lambda: entropy_of_test().bytes(32))
    assert recording is not None
    assert recording.battle.game == ended_battle().recording.battle.game
    assert {n: (kept.salt, kept.content) for n, kept in recording.vault.items()} == {
        n: (kept.salt, kept.content) for n, kept in ended_battle().recording.vault.items()
    }
    assert [secret.seat for secret in vault.sealed(store, battle)] == ["south", "south"]


def test_a_battle_is_taken_in_once(store):
    import_battle(store, ended_file())
    with pytest.raises(NotImported, match="here already"):
        import_battle(store, ended_file())


def test_a_running_battle_stays_with_its_host(store):
    with pytest.raises(NotImported, match="not finished"):
        import_battle(store, played_battle().file())


def test_a_file_that_does_not_hold_is_not_taken(store):
    with pytest.raises(NotImported, match="does not hold"):
        import_battle(store, ended_file().replace(b"Anna", b"Berta"))
    lie = signed_again(ended_battle(), lambda log: changed(log, "CardDrawn", card="10c1"))
    with pytest.raises(NotImported, match="card-differs"):
        import_battle(store, lie)
    assert store.battles() == []


def test_rules_that_cannot_be_asked_here_do_not_let_a_battle_in(store):
    other = signed_again(ended_battle(), lambda log: None, lambda header: structs.replace(header, rules="9.9"))
    with pytest.raises(NotImported, match="cannot be judged here"):
        import_battle(store, other)


def test_a_key_that_is_asked_for_must_have_signed(store):
    with pytest.raises(NotImported, match="other-key"):
        import_battle(store, ended_file(), HERE.current.key)
    import_battle(store, ended_file(), ended_battle().signer.key)


def test_a_running_battle_of_this_host_is_exported_with_its_head_signed_now(store):
    battle = played_battle()
    recording = battle.recording
    log = chain.open_file(battle.file())
    rows = [
        (one.type, line, hash_) for one, line, hash_ in zip(battle.events(), log.lines, log.hashes[1:], strict=True)
    ]
    opens = Opening(recording.header_line, recording.header.created, "public")
    master = vault.put_master(recording.gid, recording.secrets.keys.master)
    store.append_now(Append(recording.gid, 0, rows, also=(master,), opens=opens))
    assert export_battle(store, Keyring(battle.signer), recording.gid) == battle.file()
    assert verify(battle.file()).exit == NOT_ALL_JUDGED


def test_an_unknown_battle_cannot_be_exported(store):
    with pytest.raises(Refusal):
        export_battle(store, HERE, "nothing")


@pytest.mark.parametrize("readers", ["public", "link", ""])
def test_a_branch_with_more_readers_than_its_source_is_not_taken(store, readers):
    """`phalera branch` gives a branch the readers of its source; a file made by other means may have others."""
    source = OfflineBattle(TTS, tiny_scenario(), SeededClock("private"), SeededEntropy("private"), readers="players")
    for side, name in (("south", "Anna"), ("north", "Bob")):
        source.seat_person(side, name)
    place = source.recording.battle.n
    source.order("south", "resign")
    import_battle(store, source.file())
    found = of_file(battle_file.parse(source.file(), "source"), place)
    branch = branched(structs.replace(found, opened=structs.replace(found.opened, readers=readers or UNSET)), 3)
    own = branched(found, 4)
    for one in (branch, own):
        for side, name in (("south", "Anna"), ("north", "Eve")):
            one.seat_person(side, name)
        one.order("south", "resign")
    with pytest.raises(NotImported, match="more readers"):
        import_battle(store, branch.file())
    import_battle(store, own.file())
    assert [one.readers for one in store.battles()] == ["players", "players"]
