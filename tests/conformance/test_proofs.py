"""The proofs of the public suite are those of their maker, and `phalera verify --policy` judges them as told."""

import json
from typing import Any

import pytest

from replay.proof.policy import read_policy
from replay.proof.seen import WitnessEvidence
from replay.proof.verify import verify
from replay.proof.witnessed import proofs_in
from tests.conformance import battles, proofs

ENTRIES: list[dict[str, Any]] = json.loads((proofs.FOLDER / proofs.MANIFEST).read_text(encoding="utf-8"))
TOLD = ("n", "signatures", "seen", "before", "further")


def test_the_proofs_are_those_of_the_maker():
    files, entries = proofs.made()
    assert {path.name: path.read_bytes() for path in proofs.FOLDER.iterdir() if path.suffix != ".json"} == files
    assert (proofs.FOLDER / proofs.MANIFEST).read_text(encoding="utf-8") == battles.manifest(entries)


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry["proof"])
def test_our_verifier_says_of_a_proof_what_the_manifest_says(entry: dict[str, Any]):
    found = proofs_in((proofs.FOLDER / entry["proof"]).read_bytes())
    policy = read_policy((proofs.FOLDER / entry["policy"]).read_text()) if entry["policy"] else None
    evidence = WitnessEvidence(tuple((entry["proof"], one) for one in found), policy)
    report = verify((battles.FOLDER / entry["battle"]).read_bytes(), witnessed=evidence)
    fault = report.fault
    assert (report.exit, fault.n if fault else 0, fault.what if fault else "") == (
        entry["exit"],
        entry["event"],
        entry["kind"],
    )
    if fault is None:
        told = report.witnessed
        assert told is not None
        assert {name: getattr(told, name) for name in TOLD} == {name: entry[name] for name in TOLD}
        assert [late.n for late in told.late] == entry["late"]


def test_the_suite_has_proofs_that_hold_and_proofs_that_do_not():
    assert {(entry["exit"], bool(entry["kind"])) for entry in ENTRIES} == {(3, False), (1, False), (1, True)}
