"""Battle files of every state that ever wrote one are read, told, drawn and verified by this release."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from domain.catalogue import RULESETS
from domain.log import record
from replay import battle_file
from replay.battle_file import BattleFile
from replay.proof import verdict
from replay.proof.chain import file_bytes
from replay.proof.notes import Signer
from replay.proof.verify import FAULT, NOT_ALL_JUDGED, OK, OTHER_RULES, verify
from tests.releases.commands import phalera
from tests.releases.keeping import Kept, archives, described
from tests.support.looping import some
from tests.support.rechained import put_together, taken_apart

OLDEST = [path for path in archives() if described(path).files == record.FIRST_VERSION]
"""Those whose battle files are of version 1."""
WITH_GOLDEN = OLDEST[1:]
of_version_1 = pytest.mark.parametrize("archive", OLDEST, ids=lambda path: path.name.partition(".tar")[0])

with_golden = pytest.mark.parametrize("archive", WITH_GOLDEN, ids=lambda path: path.name.partition(".tar")[0])


@cache
def parsed(content: bytes) -> BattleFile:
    """A battle file, read."""
    return battle_file.parse(content)


def files(kept: Kept, tmp_path: Path) -> Iterator[tuple[str, bytes, Path]]:
    """The battle files of an archive: name, bytes, and where they lie for a command."""
    for name, content in some(sorted(kept.files.items())):
        path = tmp_path / f"{name}.battle"
        path.write_bytes(content)
        yield name, content, path


def test_every_file_is_folded_to_its_end_and_is_the_same_bytes_again(kept: Kept) -> None:
    for name, content in some(kept.files.items()):
        battle = parsed(content)
        assert battle.timeline.now.n == battle.last, name
        assert all(
            recorded.type in RULESETS[battle.ruleset.code].events or recorded.event for recorded in battle.events
        )
        log = battle.log
        assert file_bytes(log.header_line, log.lines, log.checkpoint) == content


def test_no_event_of_an_old_file_is_passed_over(kept: Kept) -> None:
    for content in some(kept.files.values()):
        foreign = [entry.type for entry in parsed(content).events if type(entry.event).__name__ == "ForeignEvent"]
        assert foreign == []


def test_an_ended_battle_has_the_end_that_it_had(kept: Kept) -> None:
    now = parsed(kept.files["ended"]).timeline.now
    assert (now.ended, now.game.winner) == (True, "north")
    assert not parsed(kept.files["waiting"]).timeline.now.ended


def test_a_charge_that_waits_for_an_answer_stands_where_it_stood(kept: Kept) -> None:
    battle = parsed(kept.files["waiting"])
    known = battle.ruleset.secrets.known(battle.timeline.now.game, "")
    assert (known.units["R1"].box, known.units["L1"].box) == ("D2", "D3")
    asked = battle.events[-1].event
    assert (asked.side, asked.kind, asked.unit) == ("north", "evade", "L1")  # type: ignore[attr-defined]


@pytest.mark.slow
def test_the_reading_commands_take_every_file(kept: Kept, tmp_path: Path) -> None:
    for name, content, path in some(files(kept, tmp_path)):
        last = parsed(content).last
        for command in (
            ("replay", path, "--plain"),
            ("replay", path, "--plain", "--at", last // 2),
            ("board", path, "--to", "txt"),
            ("why", path, last),
            ("why", path, max(last // 2, 1)),
            ("log", path),
            ("stats", path, "--json"),
            ("report", path, "--to", "md"),
        ):
            said = phalera(*command)
            assert (said.code, bool(said.out.strip())) == (0, True), (name, command, said)


def test_no_file_is_at_fault(kept: Kept) -> None:
    for name, content in some(kept.files.items()):
        report = verify(content)
        ours = RULESETS[parsed(content).ruleset.code].version
        judged = OTHER_RULES if parsed(content).log.header.rules != ours else (OK, NOT_ALL_JUDGED)[report.is_open]
        assert (report.fault, report.exit) == (None, judged), name
        assert report.checked + report.bound + report.secret + report.unknown_cards == report.draws


@of_version_1
def test_a_file_of_version_1_says_what_is_proven_and_what_is_not(kept: Kept, tmp_path: Path) -> None:
    for name, content, path in some(files(kept, tmp_path)):
        said, lines = phalera("verify", path), list(verdict.lines(verify(content)))
        assert said.code == verify(content).exit
        assert "PBEM-1" in said.out
        assert "FAULT" not in said.out, name
        if verify(content).exit == OTHER_RULES:
            assert any("install phalera 0.1.0" in line for line in lines)


@with_golden
def test_the_draws_of_version_1_are_computed_again(kept: Kept) -> None:
    report = verify(kept.files["golden-phases"])
    assert (report.draws, report.checked, report.ended, report.unopened) == (143, 143, True, ())


@with_golden
@pytest.mark.parametrize(
    ("kind", "lie", "what"),
    [
        ("CardDrawn", {"card": "X1"}, "card-differs"),
        ("ContributionGiven", {"phrase": "another phrase, as long"}, "contribution-differs"),
        ("NonceDisclosed", {"nonce": "00" * 32}, "nonce-differs"),
        ("MasterRevealed", {"master": "00" * 32}, "master-not-committed"),
        ("Unsealed", {"salt": "00" * 32}, "commitment-differs"),
    ],
)
def test_a_lie_in_a_file_of_version_1_is_found(kept: Kept, kind: str, lie: dict[str, str], what: str) -> None:
    header, events = taken_apart(kept.files["golden-phases"])
    told = next(event for event in events if event["type"] == kind and lie.keys() <= event["data"].keys())
    told["data"] |= lie
    host = Signer(header["host"], bytes(32))
    report = verify(put_together(header | {"key": host.key}, events, host))
    assert report.fault is not None
    assert (report.exit, report.fault.what, report.fault.n) == (FAULT, what, told["n"])


def test_a_file_of_a_later_version_names_what_to_install(tmp_path: Path) -> None:
    lines = (Path(__file__).parents[1] / "golden" / "time.battle").read_bytes().split(b"\n")
    lines[0] = record.canonical(
        {"battle": "b1", "format": record.FORMAT, "release": "9.0.0", "version": record.VERSION + 1}
    )
    path = tmp_path / "later.battle"
    path.write_bytes(b"\n".join(lines))
    said = phalera("verify", path)
    assert said.code == OTHER_RULES
    assert "install a later release" in said.out
    for command in (("replay", path, "--plain"), ("why", path, 1), ("board", path)):
        said = phalera(*command)
        assert said.code == 1
        assert "install a later release" in said.err
