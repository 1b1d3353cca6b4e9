"""The cost of checking all the time: what `phalera remote` does with what a server adds, without the network.

    python -m benchmarks.following

A battle of 4,000 events is followed turn by turn, and as if a player asked after each ten events: copy and index are
read, the lines that came are chained to them and checked by the protocol, and both are written. The base is hashing the
lines that came and decoding each; beside it stands what it costs to check the whole log each time. CPU time, of the
newest 250 events at each length.
"""

import tempfile
import time
from collections.abc import Sequence
from hashlib import sha256
from itertools import pairwise
from pathlib import Path

import msgspec

from benchmarks.reading import long_battle
from domain.log.record import splice_hash
from replay.proof import chain
from replay.proof.chain import Log
from replay.proof.growing import checked_on
from server.remote.copies import KeptCopy, grown, keep_copy, read_copy
from server.remote.state import BattleFiles, ServerFolder

EVENTS = 4_100
REACHED = (500, 1_000, 2_000, 4_000)
NEWEST = 250
FEW = 10
"""Events that a request brings at least."""
_ENTERS = (b'"type":"ContributionGiven"}', b'"type":"OrderAccepted"}')


def main() -> None:
    """Print the cost of an event, up to several lengths of the battle."""
    log = chain.open_file(long_battle(EVENTS).file())
    turns = [n for n, line in enumerate(log.lines, 1) if line.endswith(b'"type":"KeyDisclosed"}')]
    _measure("turn by turn", log, turns)
    _measure(f"by {FEW} events", log, _requests(log))


def _requests(log: Log) -> list[int]:
    """The last events of requests, at least `FEW` events apart: a contribution and its order are not parted."""
    found = [0]
    for n, (before, line) in enumerate(pairwise(log.lines), 1):
        is_first = line.endswith(_ENTERS) and not before.endswith(_ENTERS[0])
        if is_first and n - found[-1] >= FEW:
            found.append(n)
    return found[1:]


def _measure(name: str, log: Log, ends: Sequence[int]) -> None:
    lines = [splice_hash(line, hash_) for line, hash_ in zip(log.lines, log.hashes[1:], strict=True)]
    costs: list[tuple[int, float, float]] = []
    with tempfile.TemporaryDirectory() as folder:
        place = ServerFolder(Path(folder), "http://localhost").place(log.header.battle)
        begun = chain.begun(log, ends[0])
        content = chain.file_bytes(log.header_line, begun.lines, None)
        keep_copy(place, KeptCopy(content, begun, checked_on(begun, None).walk))
        for before, after in pairwise(ends):
            new = lines[before:after]
            start = time.process_time()
            _follow(place, new)
            checked = time.process_time()
            _read(new)
            costs.append((after, checked - start, time.process_time() - checked))
    for reached in REACHED:
        newest = [cost for cost in costs if reached - NEWEST < cost[0] <= reached]
        count = sum(after - before for before, after in pairwise(ends) if reached - NEWEST < after <= reached)
        following, base = sum(cost[1] for cost in newest), sum(cost[2] for cost in newest)
        whole = _whole(chain.begun(log, newest[-1][0])) * len(newest)
        print(
            f"{name}, at event {reached}: {following / count * 1e3:.2f} ms an event, {following / base:.0f} × reading "
            f"the lines; the whole log each time: {whole / count * 1e3:.2f} ms, {whole / base:.0f} ×"
        )


def _follow(place: BattleFiles, new: list[bytes]) -> None:
    kept = read_copy(place)
    assert kept is not None
    log = chain.extended(kept.log, new)
    found = checked_on(log, kept.walk)
    if found.fault is not None:
        raise AssertionError(found.fault)
    keep_copy(place, KeptCopy(grown(kept, log, new), log, found.walk))


def _whole(log: Log) -> float:
    """What it costs to read a file, check it from its first event on, and write it."""
    content = chain.file_bytes(log.header_line, log.lines, None)
    start = time.process_time()
    found = checked_on(chain.open_file(content, allow_unfinished=True), None)
    assert found.fault is None
    chain.file_bytes(log.header_line, log.lines, None)
    return time.process_time() - start


def _read(lines: list[bytes]) -> None:
    for line in lines:
        sha256(line).digest()
        msgspec.json.decode(line)


if __name__ == "__main__":
    main()
