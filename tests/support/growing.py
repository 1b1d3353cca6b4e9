"""A log as it reaches somebody who follows it: cut behind requests, each check going on from the one before."""

from collections.abc import Iterator

import msgspec

from domain.basics.decoding import decode
from domain.log.record import FileFault
from replay.proof import chain
from replay.proof.blocks import INPUTS
from replay.proof.chain import Log
from replay.proof.growing import CheckedSoFar, checked_on, protocol_fault
from replay.proof.report import Fault
from replay.proof.resuming import WalkSoFar

_INPUTS = tuple(b'"type":"%b"}' % name.encode() for name in sorted(INPUTS))
_GIVEN = b'"type":"ContributionGiven"}'


def requests(log: Log) -> list[int]:
    """The events behind which a server may have answered: before an input, but not between a contribution and its
    order."""
    ends = [n for n in range(1, len(log.lines)) if log.lines[n].endswith(_INPUTS) and not _brings(log.lines[n - 1])]
    return [*ends, len(log.lines)]


def _brings(line: bytes) -> bool:
    return line.endswith(_GIVEN) and b'"channel":' not in line


def grown(log: Log, ends: list[int]) -> Iterator[tuple[int, CheckedSoFar, Fault | None]]:
    """Check a log as it grows to each of some ends, with the index written and read each time; beside it what a check
    of the whole finds. Behind a fault nothing more comes."""
    kept: WalkSoFar | None = None
    for n in ends:
        cut = chain.begun(log, n)
        found, whole = checked_on(cut, kept), protocol_fault(cut)
        yield n, found, whole
        if whole is not None:
            return
        kept = None if found.walk is None else decode(msgspec.json.encode(found.walk), WalkSoFar)


def read(content: bytes) -> Log | None:
    """A log, None if its bytes do not hold."""
    try:
        return chain.open_file(content, allow_unfinished=True)
    except FileFault:
        return None
