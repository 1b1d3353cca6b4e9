"""The memory of a process that computes previews without end: it stays flat.

    python -m benchmarks.previews [--count 10000] [--playouts 10]

Each preview tries 200 lines that are refused, the most that was ever kept. Printed are the resident memory and the
refusals alive after every tenth of the previews, collected first.
"""

import argparse
import gc
from collections.abc import Sequence
from pathlib import Path

from benchmarks.rehearsal import RULES, endless
from domain.basics.errors import Refusal
from domain.engine.state import SIDES
from replay.writing.entropy import SeededEntropy
from replay.writing.in_memory import OfflineBattle, SeededClock
from server.play.preview import PreviewRequest, outlook

TEXT = "\n".join(["try R1 charge H6"] * 200)


def request(playouts: int) -> PreviewRequest:
    """A preview in a battle that has just begun."""
    battle = OfflineBattle(RULES, endless("skirmish"), SeededClock("previews"), SeededEntropy("previews"))
    for side, name in zip(SIDES, ("Anna", "Bob"), strict=True):
        battle.seat_person(side, name)
    recording, side = battle.recording, battle.to_act[0]
    return PreviewRequest(
        RULES, recording.gid, recording.battle.n, side, recording.known(side), TEXT, playouts=playouts
    )


def resident_mib() -> float:
    """The memory that this process holds."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096 / (1 << 20)


def main(arguments: Sequence[str] | None = None) -> None:
    """Compute previews, and print a line after every tenth."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--playouts", type=int, default=10, help="of each")
    given = parser.parse_args(arguments)
    count, asked = given.count, request(given.playouts)
    print("| previews | resident MiB | refusals alive |\n|---|---|---|")
    for done in range(count + 1):
        if done % (count // 10) == 0:
            gc.collect()
            alive = sum(isinstance(found, Refusal) for found in gc.get_objects())
            print(f"| {done:,} | {resident_mib():.1f} | {alive} |", flush=True)
        outlook(asked)


if __name__ == "__main__":
    main()
