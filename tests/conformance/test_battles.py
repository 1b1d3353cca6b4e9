"""The battle files of the public suite are those that their maker writes, and `phalera verify` judges them as told."""

import json
from pathlib import Path
from typing import Any

import pytest

from replay.proof.verify import verify
from tests.conformance import battles

ENTRIES: list[dict[str, Any]] = json.loads((battles.FOLDER / battles.MANIFEST).read_text(encoding="utf-8"))
PAGE = (Path(__file__).parents[2] / "docs" / "record-format.md").read_text(encoding="utf-8")


def test_the_files_are_those_of_the_maker():
    files, entries = battles.made()
    stored = {path.name: path.read_bytes() for path in battles.FOLDER.glob("*.battle")}
    assert stored == files
    assert (battles.FOLDER / battles.MANIFEST).read_text(encoding="utf-8") == battles.manifest(entries)


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry["file"])
def test_our_verifier_gives_the_verdict_of_the_manifest(entry: dict[str, Any]):
    report = verify((battles.FOLDER / entry["file"]).read_bytes())
    fault = report.fault
    found = (report.exit, fault.n if fault else 0, fault.what if fault else "")
    assert found == (entry["exit"], entry["event"], entry["kind"])
    assert report.version in (0, entry["version"])  # 0: bytes or note are wrong, and nothing else is told


def test_the_suite_has_honest_and_forged_files_of_both_versions():
    assert {(entry["version"], bool(entry["kind"])) for entry in ENTRIES} == {
        (version, is_forged) for version in (2, 3) for is_forged in (True, False)
    }
