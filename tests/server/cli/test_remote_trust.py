"""A player decides from a terminal whom to trust: another key, and a battle whose log has a fault."""

from pathlib import Path

import pytest

from server.remote.judging import KeptFault, require_no_fault
from server.remote.state import BattleFiles, Home, home_folder, read_kept, write_kept
from tests.replay.made_battle import SIGNER
from tests.server.cli.test_cli import phalera
from tests.support.dishonest import OTHER_SIGNER, WEAK_SIGNER

ADDRESS = "https://phalera.example"


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> BattleFiles:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    server = Home(home_folder({"XDG_STATE_HOME": str(tmp_path)})).server(ADDRESS)
    server.keep_login("token")
    return server.place("b1")


def test_one_more_key_is_known(place: BattleFiles) -> None:
    assert "is a key of" in phalera("remote", "trust", SIGNER.name, SIGNER.key).out
    assert phalera("remote", "trust", SIGNER.name, "anna", OTHER_SIGNER).code == 0
    assert place.server.pins.read_text() == f"{SIGNER.name} {SIGNER.key}\n{SIGNER.name} anna {OTHER_SIGNER}\n"


@pytest.mark.parametrize("words", [("h", "k"), ("h", "anna", WEAK_SIGNER), ("h", "anna", OTHER_SIGNER, "more")])
def test_what_is_no_key_is_refused(place: BattleFiles, words: tuple[str, ...]) -> None:
    assert phalera("remote", "trust", *words).code == 2
    assert not place.server.pins.exists()


def test_a_player_goes_on_behind_a_fault_and_only_behind_one(place: BattleFiles) -> None:
    assert phalera("remote", "continue", f"{ADDRESS}/battles/b1").code == 1
    write_kept(place.fault, KeptFault(7, "key-differs", "Another key."))
    told = phalera("remote", "continue", f"{ADDRESS}/battles/b1")
    assert (told.code, "despite key-differs at event 7" in told.out) == (0, True)
    require_no_fault(place)
    kept = read_kept(place.fault, KeptFault)
    assert kept is not None and kept.is_accepted
