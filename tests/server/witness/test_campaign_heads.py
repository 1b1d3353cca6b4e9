"""Heads of campaigns stand in the log of their host beside those of battles; files are held against them."""

from pathlib import Path

import pytest

from domain.log.entries import battle_name
from replay.proof.campaign.log import open_campaign
from replay.proof.campaign.verdict import lines
from replay.proof.campaign.verify import verify_campaign
from replay.proof.cosigned import Cosigner
from replay.proof.heads import Evidence
from replay.proof.notes import Signer
from replay.proof.seen import WitnessEvidence
from replay.proof.verify import FAULT, NOT_ALL_JUDGED
from replay.proof.witnessed import proofs_in
from server.web.api.campaigns import file_of
from server.witness.host_log import HostLog, seed_of
from server.witness.log_file import LogFile
from tests.support.forgeries import of_type
from tests.support.rechained import put_together, taken_apart
from tests.support.serving import serving
from tests.support.signed_campaigns import signers

NOW = "2027-03-01T12:00:00.000Z"
WITNESS = Cosigner("w.test/witness", bytes([6]) * 32)


@pytest.fixture
async def logged(tmp_path: Path) -> tuple[list[bytes], str, HostLog]:
    """The files of a cup after each of three things said, the proof of its newest head, and the log."""
    async with serving(tmp_path / "data") as server:
        people = await signers(server, "Anna", "Bob")
        live, store, keys = people["Anna"].live, server.running.store, server.running.keys
        files = [file_of(live)]
        for one in people.values():
            await one.enters()
            files.append(file_of(live))
        log = HostLog(tmp_path, LogFile(tmp_path / "tlog.db"), keys.current, lambda: NOW)
        assert log.follow(store)
        assert not log.follow(store)
        newest = log.file.newest(log.origin)
        assert newest is not None
        answer = WITNESS.line(newest.note.partition("\n\n")[0] + "\n", 1_803_902_400)
        assert log.take_cosignature(newest.size, newest.note, f"{answer}\n", WITNESS.key)
        return files, log.proof(open_campaign(files[0]).hashes[1], {WITNESS.key.text()}), log


async def test_each_block_of_a_campaign_is_entered_once(logged: tuple[list[bytes], str, HostLog]) -> None:
    files, _, log = logged
    found = open_campaign(files[-1])
    rows = log.file._db.execute("SELECT battle, n, what, hash FROM entries ORDER BY place").fetchall()
    name = battle_name(found.hashes[1])
    ends = [1, 2, 3, 4, 5]
    assert [(row[0], row[1]) for row in rows] == [(name, n) for n in ends]
    assert [row[2] for row in rows] == ["opened", *["head"] * 4]
    assert [row[3] for row in rows] == [found.hashes[n].hex() for n in ends]


async def test_a_file_is_held_against_a_head_a_witness_and_another_file(
    logged: tuple[list[bytes], str, HostLog],
) -> None:
    files, text, _ = logged
    newest, evidence = files[-1], [Evidence("earlier", files[1])]
    proofs = tuple(("proof", one) for one in proofs_in(text.encode()))
    report = verify_campaign(newest, evidence=evidence, witnessed=WitnessEvidence(proofs))
    assert (report.exit, report.fault) == (NOT_ALL_JUDGED, None)
    assert [head.n for head in report.heads] == [3]
    assert report.witnessed is not None
    assert (report.witnessed.n, report.witnessed.signatures) == (5, 1)
    assert any("event 3" in line for line in lines(report))


async def test_another_history_of_a_campaign_is_found(logged: tuple[list[bytes], str, HostLog]) -> None:
    files, text, log = logged
    header, events = taken_apart(files[-1])
    of_type(events, "EntrantJoined")["name"] = "Hanna"
    host = Signer(header["host"], seed_of(log._signer))
    forged = put_together(header, events, host, requotes=False)
    proofs = tuple(("proof", one) for one in proofs_in(text.encode()))
    for given, kind in (
        ({"evidence": [Evidence("earlier", files[1])]}, "other-history"),
        ({"witnessed": WitnessEvidence(proofs)}, "log-fork"),
    ):
        report = verify_campaign(forged, **given)
        assert report.exit == FAULT and report.fault is not None
        assert report.fault.what == kind
    report = verify_campaign(files[-1], against=Evidence("other", forged))
    assert report.exit == FAULT and report.two_histories is not None
    assert (report.two_histories.n, report.two_histories.is_proven) == (2, True)
    assert verify_campaign(files[-1], against=Evidence("earlier", files[0])).two_histories is None
