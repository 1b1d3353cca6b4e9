"""What weighing luck costs: `stats` of a battle of 130 points, and the read model of luck for each event.

    python -m benchmarks.luck

CPU time, medians of five rounds. The base of the read model is the fold of the same events.
"""

import time
from collections.abc import Callable, Sequence
from statistics import median

from benchmarks.reading import POINTS, battle_of_points
from domain.run.timeline import Timeline
from projections.luck import LuckMemory, luck_of
from projections.model import ModelStep, OpenedBattle
from projections.statistics import battle_statistics
from replay import battle_file
from replay.battle_file import BattleFile
from replay.reports.tables import statistics_lines
from replay.telling.luck import by_side

ROUNDS = 5


def main() -> None:
    """Print the table."""
    content = battle_of_points().file()
    battle = battle_file.parse(content)
    print(f"{POINTS} points, {battle.last} events, {len(luck_of(battle.timeline))} draws with something at stake\n")
    for name, work in (
        ("read the file", lambda: battle_file.parse(content)),
        ("count draws and tests", lambda: battle_statistics(battle.ruleset, battle.events)),
        ("weigh the luck", lambda: luck_of(battle.timeline)),
        ("add it up", lambda: by_side(luck_of(battle.timeline))),
        ("all of `stats`, as lines", lambda: _stats(content)),
    ):
        print(f"{name:<28}{_cpu_ms(work):>9.1f} ms")
    steps = [ModelStep(recorded, before, before, {}, False) for before, recorded in battle.timeline.along()]
    fold, weighed = _cpu_ms(lambda: _fold(battle)), _cpu_ms(lambda: _weigh(battle, steps))
    print(f"{'the read model':<28}{1000 * weighed / battle.last:>9.1f} µs an event, {weighed / fold:.2f} × the fold")


def _stats(content: bytes) -> str:
    battle = battle_file.parse(content)
    return "\n".join(statistics_lines("file", battle, battle_statistics(battle.ruleset, battle.events)))


def _fold(battle: BattleFile) -> None:
    timeline = Timeline(battle.ruleset)
    for recorded in battle.events:
        timeline.feed(recorded)


def _weigh(battle: BattleFile, steps: Sequence[ModelStep]) -> None:
    """The memory alone, with all states at hand."""
    memory = LuckMemory(OpenedBattle("", battle.ruleset, ""))
    for step in steps:
        memory.apply(step)
        memory.changes()


def _cpu_ms(work: Callable[[], object]) -> float:
    """The median of some rounds."""
    taken = []
    for _ in range(ROUNDS):
        begun = time.process_time()
        work()
        taken.append(1000 * (time.process_time() - begun))
    return median(taken)


if __name__ == "__main__":
    main()
