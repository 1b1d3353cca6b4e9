"""The second verifier agrees with the manifest of the suite and the golden battles, and imports nothing of ours."""

import ast
import json
import sys
from pathlib import Path

import pytest

from replay.proof.verify import verify
from tests.conformance import battles
from tests.conformance.second.verifier import verdict
from tests.replay.made_battle import HOST, SIGNER
from tests.support import altered
from tests.support.looping import some
from tests.support.rechained import put_together, taken_apart

HERE = Path(__file__).parent
ENTRIES = json.loads((battles.FOLDER / battles.MANIFEST).read_text(encoding="utf-8"))
GOLDENS = sorted((HERE.parent / "golden").glob("*.battle"))


OF_GAMES = frozenset({"wrong-data", "unknown-type"})
"""Kinds of fault that need the types of a game's own events."""


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry["file"])
def test_the_second_verifier_gives_the_verdict_of_the_manifest(entry):
    assert verdict((battles.FOLDER / entry["file"]).read_bytes()) == (entry["event"], entry["kind"])


@pytest.mark.parametrize("path", GOLDENS, ids=lambda path: path.stem)
def test_the_second_verifier_finds_no_fault_in_a_golden_battle(path):
    assert verdict(path.read_bytes()) == (0, "")


@pytest.mark.parametrize("kind", ["KeyDisclosed", "MasterRevealed", "ContributionGiven"])
@pytest.mark.parametrize("path", GOLDENS[::4], ids=lambda path: path.stem)
def test_both_verifiers_find_the_same_fault_in_a_golden_battle_that_its_host_forged(path, kind):
    """Members of the first event of a type are of another; who forged it has chained and signed it all anew."""
    header, events = taken_apart(path.read_bytes())
    event = next((one for one in events if one["type"] == kind), None)
    if event is None:
        assert "unfinished" in path.stem
        return
    name = {"KeyDisclosed": "key", "MasterRevealed": "master", "ContributionGiven": "value"}[kind]
    event["data"][name] = "0" * len(event["data"][name])
    forged = put_together({**header, "host": HOST, "key": SIGNER.key}, events, SIGNER)
    fault = verify(forged).fault
    assert fault is not None
    assert verdict(forged) == (fault.n, fault.what)


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["agreement", "ruling", "time", "singidunum-drawn", "warmaster-drawn", "claimed", "ruled"]
)
def test_both_verifiers_judge_alike_what_an_event_of_version_3_says_otherwise(name):
    told = [("nothing", altered.files()[name]), *altered.alterations(name, 60)]
    differ = []
    for what, content in some(told):
        fault, found = verify(content, judges_moves=False).fault, verdict(content)
        expected = (fault.n, fault.what) if fault else (0, "")
        if found != expected and expected[1] not in OF_GAMES:
            differ.append((what, expected, found))
    assert differ == []


def test_the_second_verifier_imports_the_standard_library_cryptography_and_itself():
    paths = list((HERE / "second").glob("*.py"))
    for path in some(paths):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [one.name for one in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom) and not node.level:
                names = [node.module or ""]
            tops = {name.partition(".")[0] for name in names}
            assert tops <= {*sys.stdlib_module_names, "cryptography"}, path.name
