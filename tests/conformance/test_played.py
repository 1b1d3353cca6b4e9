"""The battles of bots of the public suite are those of their maker, and `phalera verify --bots` judges them as told."""

import json
from typing import Any

import pytest

from replay.proof.bots import with_bots
from replay.proof.verify import verify
from tests.conformance import battles, played
from tests.conformance.second.verifier import verdict

ENTRIES: list[dict[str, Any]] = json.loads((played.FOLDER / played.MANIFEST).read_text(encoding="utf-8"))


def test_the_battles_are_those_of_the_maker():
    files, entries = played.made()
    assert {path.name: path.read_bytes() for path in played.FOLDER.glob("*.battle")} == files
    assert (played.FOLDER / played.MANIFEST).read_text(encoding="utf-8") == battles.manifest(entries)


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry["file"])
def test_our_verifier_says_of_bots_what_the_manifest_says(entry: dict[str, Any]):
    content = (played.FOLDER / entry["file"]).read_bytes()
    report = with_bots(verify(content), content)
    fault = report.fault
    found = (report.exit, fault.n if fault else 0, fault.what if fault else "")
    assert found == (entry["exit"], entry["event"], entry["kind"])
    if fault is None:
        assert [(one.side, one.orders) for one in report.bots or ()] == [tuple(one) for one in entry["orders"]]
        assert {one.left_out for one in report.bots or ()} == {entry["left_out"]}


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry["file"])
def test_the_second_verifier_finds_nothing_for_it_plays_no_bot(entry: dict[str, Any]):
    assert verdict((played.FOLDER / entry["file"]).read_bytes()) == (0, "")
