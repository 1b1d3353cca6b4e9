"""The cost of checking all the time: what `phalera remote` does with what a server adds, without the network.

    python -m benchmarks.following

A battle of 2,000 events is followed turn by turn, and as if a player asked after each ten events: the copy is read, the
lines that came are chained to it, the whole log is checked by the protocol, and the copy is written. The base is
hashing the lines that came and decoding each. CPU time.
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
from replay.proof.growing import protocol_fault
from server.remote.files import write_private

EVENTS = 2_100
REACHED = (250, 500, 1_000, 2_000)
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
    checking = base = 0.0
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "copy.battle"
        copy.write_bytes(chain.file_bytes(log.header_line, log.lines[: ends[0]], None))
        for before, after in pairwise(ends):
            new = lines[before:after]
            start = time.process_time()
            _follow(copy, new)
            checking += time.process_time() - start
            start = time.process_time()
            _read(new)
            base += time.process_time() - start
            for n in REACHED:
                if before < n <= after:
                    each = checking / (after - ends[0]) * 1e3
                    print(f"{name}, up to event {n}: {each:.2f} ms an event, {checking / base:.0f} × reading the lines")


def _follow(copy: Path, new: list[bytes]) -> None:
    log = chain.extended(chain.open_file(copy.read_bytes(), allow_unfinished=True), new)
    if (fault := protocol_fault(log)) is not None:
        raise AssertionError(fault)
    write_private(copy, chain.file_bytes(log.header_line, log.lines, None))


def _read(lines: list[bytes]) -> None:
    for line in lines:
        sha256(line).digest()
        msgspec.json.decode(line)


if __name__ == "__main__":
    main()
