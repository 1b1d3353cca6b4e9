"""A check that goes on from the one before finds what a check of the whole log finds, at the same event."""

import random
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from replay.proof import chain, growing
from replay.proof.growing import checked_on, protocol_fault
from replay.proof.resuming import WalkSoFar
from tests.support.growing import grown, read, requests
from tests.support.lanes import thinned

TESTS = Path(__file__).parents[2]
FILES = [
    file
    for file in sorted([*(TESTS / "conformance" / "battles").glob("*.battle"), *(TESTS / "golden").glob("*.battle")])
    if read(file.read_bytes()) is not None  # its bytes hold
]
LONG = TESTS / "golden" / "medals.battle"
MOST_ENDS = 12
LONGEST_TURN = 120
"""Events of which the draws are not disclosed yet, in the golden battles."""


@pytest.mark.parametrize("file", thinned(FILES, 4), ids=lambda file: file.stem)
def test_each_file_is_judged_as_it_grows_as_it_is_whole(file: Path) -> None:
    log = read(file.read_bytes())
    assert log is not None
    ends = requests(log)
    if len(ends) > MOST_ENDS:
        ends = sorted({*random.Random(file.name).sample(ends, MOST_ENDS), *ends[-2:]})
    judged = [(n, found.fault, whole) for n, found, whole in grown(log, ends)]
    assert judged
    assert [n for n, found, whole in judged if found != whole] == []


def test_only_the_turn_that_is_not_disclosed_is_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    log = chain.open_file(LONG.read_bytes())
    whole: list[int] = []
    honest = growing._resumed

    def counted(*args: Any) -> Any:
        found = honest(*args)
        whole.extend([len(args[0].lines)] if found is None else [])
        return found

    monkeypatch.setattr(growing, "_resumed", counted)
    kept: WalkSoFar | None = None
    sizes = []
    for n in requests(log)[:-1]:
        found = checked_on(chain.begun(log, n), kept)
        assert found.fault is None
        if kept is not None and found.walk is not None:
            assert n - found.walk.block < LONGEST_TURN
            sizes.append(len(msgspec.json.encode(replace(found.walk, messages=replace(found.walk.messages, names="")))))
        kept = found.walk
    assert kept is not None and kept.checked > 300
    assert not whole
    assert sizes[-1] < 2 * sizes[len(sizes) // 2]


def test_what_was_kept_of_another_log_counts_for_nothing() -> None:
    log = chain.open_file(LONG.read_bytes())
    ends = requests(log)
    kept = checked_on(chain.begun(log, ends[len(ends) // 2]), None).walk
    assert kept is not None
    for strange in (replace(kept, head=b"\0" * 32), replace(kept, checked=len(log.lines) + 1)):
        assert checked_on(log, strange) == (None, None)  # the battle is over: nothing is kept
        shorter = chain.begun(log, ends[-8])
        again = checked_on(shorter, strange).walk
        assert again is not None and again.checked == len(shorter.lines)


def test_a_fault_behind_what_was_checked_is_that_of_the_whole_log() -> None:
    log = chain.open_file(LONG.read_bytes())
    at = next(n for n in requests(log) if n > len(log.lines) // 2)
    kept = checked_on(chain.begun(log, at), None).walk
    drawn = next(n for n in range(at, len(log.lines)) if log.lines[n].endswith(b'"type":"KeyDisclosed"}'))
    event = msgspec.json.decode(log.lines[drawn])
    event["data"]["key"] = "ab" * 32
    lines = [*log.lines[:drawn], msgspec.json.encode(event, order="sorted")]
    forged = read(chain.file_bytes(log.header_line, lines, None))
    assert forged is not None
    found = checked_on(forged, kept)
    assert found.fault == protocol_fault(forged)
    assert found.fault is not None and (found.fault.n, found.fault.what) == (drawn + 1, "key-differs")
    assert found.walk is None
