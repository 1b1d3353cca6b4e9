"""The golden battles still hold: as bytes, as draws, by the rules, through the store, and in sentences.

One battle of each game for each way in which it can end, one through every phase, one deployed in the dark, and
one that goes on (tests/golden/README.md).
"""

import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from domain.catalogue import RULESETS
from domain.contract.ruleset import NOBODY
from replay import battle_file
from replay.battle_file import BattleFile
from replay.called_off import BY_DEFAULT, BY_KEPT
from replay.proof.audit import audit
from replay.proof.notes import Signer
from replay.proof.verify import FAULT, NOT_ALL_JUDGED, OK, Report, verify
from replay.reports.plain import known_at
from replay.telling.why import explain, to_text
from replay.telling.words.catalogue import LANGUAGES
from replay.writing.in_memory import OfflineBattle
from server.people.keys import Keyring
from server.play.archive import NotImported, export_battle, import_battle
from server.settings import Settings
from server.store import EventStore
from tests.golden.__main__ import HERE, kept, names, played, script
from tests.support.catalogues import texts
from tests.support.lanes import thinned

ENDS = {
    "agreed-draw": ("draw", ""),
    "agreement": ("agreement", ""),
    "agreement-3": ("agreement", ""),
    "blind": ("medals", "north"),
    "medals": ("medals", "south"),
    "phases": ("medals", "north"),
    "resignation": ("resignation", "south"),
    "ruling": ("ruling", "south"),
    "shot-agreed-draw": ("draw", ""),
    "shot-broken": ("broken", "south"),
    "shot-carolina": ("turn-limit", "south"),
    "shot-empire": ("turn-limit", "south"),
    "shot-events": ("turn-limit", "north"),
    "shot-highlands": ("turn-limit", "south"),
    "shot-kabylia": ("turn-limit", "south"),
    "shot-loire": ("turn-limit", "south"),
    "shot-resignation": ("resignation", "south"),
    "singidunum-agreed-draw": ("draw", ""),
    "singidunum-drawn": ("turn-limit", ""),
    "singidunum-exhausted": ("exhausted", ""),
    "singidunum-goal": ("goal", "south"),
    "singidunum-resignation": ("resignation", "south"),
    "singidunum-resignation-3": ("resignation", "south"),
    "singidunum-turn-limit": ("turn-limit", "south"),
    "time": ("time", "south"),
    "turn-limit-drawn": ("turn-limit", ""),
    "turn-limit-won": ("turn-limit", "north"),
    "unfinished": ("", None),
    "warmaster-agreed-draw": ("draw", ""),
    "warmaster-destroyed": ("destroyed", "south"),
    "warmaster-drawn": ("turns-over", ""),
    "warmaster-resignation": ("resignation", "north"),
    "warmaster-resignation-3": ("resignation", "north"),
    "warmaster-volleys": ("turns-over", "south"),
}
"""How each ended, and who won; "" for nobody, None where nothing is decided."""
CALLED_OFF = {BY_KEPT, BY_DEFAULT}
"""How its campaign ends a battle: none stands in one here; `tests/replay/proof/test_called_off.py` has both."""
FINISHED = sorted(ENDS.keys() - {"unfinished"})
LARGEST, ALL_OF_THEM = 300_000, 2_850_000
"""Bytes of a kept battle, and of all."""
GAP = re.compile(r"[{}|]|None|UNSET")
"""What shows that a sentence was not filled well."""


@cache
def content(name: str) -> bytes:
    """The bytes of a kept battle."""
    return kept(name).read_bytes()


@cache
def battle(name: str) -> BattleFile:
    """A kept battle, read."""
    return battle_file.parse(content(name))


@cache
def made(name: str) -> OfflineBattle:
    """A kept battle, made again from its script."""
    return played(script(name))


def types(name: str) -> set[str]:
    """The types of its events."""
    return {recorded.type for recorded in battle(name).events}


def events(name: str, kind: str) -> dict[int, Any]:
    """Its events of a type, by number."""
    return {recorded.n: recorded.event for recorded in battle(name).events if recorded.type == kind}


def stratagems(name: str, kind: str) -> set[str]:
    """The stratagems that events of a type name."""
    return {event.stratagem for event in events(name, kind).values()}


@cache
def verified(given: bytes) -> Report:
    """What `verify` finds."""
    return verify(given)


# --- what is kept


def test_every_script_has_its_battle_and_every_battle_its_script():
    assert names() == sorted(ENDS)
    assert sorted(path.stem for path in HERE.glob("*.battle")) == sorted(ENDS)


def test_each_game_has_one_of_each_version_that_is_played_on():
    kept_ones = {(battle(name).ruleset.code, battle(name).log.header.version) for name in ENDS}
    of_version_2 = {(code, 2) for code in ("tts", "singidunum", "warmaster-shooting")}  # `stp` rolls dice of version 3
    assert kept_ones == of_version_2 | {(code, 3) for code in RULESETS}


def test_each_way_in_which_a_battle_can_end_is_kept():
    ways = {msgid.rpartition(".")[2] for msgid in texts("en") if ".BattleEnded." in msgid}
    assert {how for how, _ in ENDS.values() if how} == ways - CALLED_OFF
    assert {bool(winner) for how, winner in ENDS.values() if how == "turn-limit"} == {True, False}


def test_they_are_small():
    sizes = [len(content(name)) for name in ENDS]
    assert max(sizes) <= LARGEST
    assert sum(sizes) <= ALL_OF_THEM


def test_one_goes_through_every_phase_and_its_stratagems():
    phases = [event.phase for event in events("phases", "PhaseBegan").values()]
    assert phases == ["terrain", "scouting", "deployment", "turns"]
    assert {"ambush", "flank-march", "false-orders"} <= stratagems("phases", "StratagemTriggered")
    assert "oracle" in stratagems("phases", "StratagemPlayed")
    assert {"TerrainPlaced", "ScoutingDrawn", "ScoutingWon", "CorpsDeployed", "UnitReturned"} <= types("phases")


def test_one_is_deployed_in_the_dark_and_opened_afterwards():
    hidden = {n for n, event in events("blind", "UnitDeployed").items() if isinstance(event.sealed, str)}
    assert len(hidden) >= 5
    assert hidden <= {event.n for event in events("blind", "Unsealed").values()}


# --- as bytes and as draws


@pytest.mark.parametrize("name", thinned(ENDS, 7))
def test_it_verifies(name):
    report = verified(content(name))
    assert (report.exit, report.fault) == (OK if name in FINISHED else NOT_ALL_JUDGED, None)
    assert report.events == battle(name).last
    assert report.draws > 0
    assert report.judged > 10


@pytest.mark.parametrize("name", FINISHED)
def test_nothing_of_a_finished_battle_stays_closed(name):
    report = verified(content(name))
    assert (report.ended, report.is_open) == (True, False)
    assert report.checked == report.draws
    assert "MasterRevealed" in types(name)


def test_the_unfinished_one_holds_as_far_as_it_goes():
    report = verified(content("unfinished"))
    assert "MasterRevealed" not in types("unfinished")
    assert report.not_judged and report.unopened and report.excused
    assert report.checked and report.bound and report.secret
    without_head = content("unfinished").rstrip(b"\n").rpartition(b"\n")[0] + b"\n"
    report = verified(without_head)
    assert (report.exit, report.signed) == (NOT_ALL_JUDGED, False)
    assert report.events == battle("unfinished").last


@pytest.mark.parametrize("name", ENDS)
def test_one_letter_changed_is_found(name):
    lines = content(name).split(b"\n")
    middle = len(lines) // 2
    lines[middle] = lines[middle].replace(b'"by":"', b'"by":"x', 1)
    assert verified(b"\n".join(lines)).exit == FAULT


# --- by the rules


@pytest.mark.parametrize(("name", "end"), thinned(ENDS.items(), 4), ids=list(ENDS))
def test_it_is_replayed_to_the_same_end(name, end):
    game = battle(name).timeline.now.game
    assert (game.how, game.winner) == end
    again = made(name).recording.battle.game
    assert game == again or name == "unfinished"  # whose secrets the file has not
    secrets = battle(name).ruleset.secrets
    assert secrets.known(game, NOBODY) == secrets.known(again, NOBODY)


@pytest.mark.parametrize("name", thinned(ENDS, 2))
def test_its_orders_played_again_have_the_same_consequences(name):
    assert audit(battle(name).ruleset, battle(name).events).judged == verified(content(name)).judged


@pytest.mark.parametrize("name", ENDS)
def test_it_is_made_again_byte_for_byte(name):
    assert made(name).file() == content(name), "run: python -m tests.golden"


# --- through the store


@pytest.fixture
def store(tmp_path: Path):
    folder = tmp_path / "data"
    folder.mkdir(mode=0o700)
    with EventStore.open(Settings.at(folder).store()) as opened:
        yield opened


@pytest.mark.slow
def test_they_go_through_the_store_byte_for_byte(store):
    here = Keyring(Signer("here.example", b"\x03" * 32))
    taken = {import_battle(store, content(name)): name for name in FINISHED}
    assert len(taken) == len(FINISHED)
    for key, name in taken.items():
        assert export_battle(store, here, key) == content(name)


def test_the_unfinished_one_stays_with_its_host(store):
    with pytest.raises(NotImported, match="not finished"):
        import_battle(store, content("unfinished"))


# --- in sentences


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", ENDS)
@pytest.mark.slow
def test_every_event_is_explained(name, lang):
    read = battle(name)
    for n in range(1, read.last + 1):
        told = explain(read.ruleset, known_at(read, n - 1), read.events[:n], read.events[n:], lang)
        assert told.rule.text, told.rule.id
        assert not GAP.search(to_text(told, lang)), (n, to_text(told, lang))
