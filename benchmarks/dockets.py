"""What disputes cost: a battle with 100 rulings, every other one a rewind and the rest corrections.

    python -m benchmarks.dockets

CPU time, medians of five rounds, beside the same work on a battle of as many events that nobody disputes. A dispute is
raised about the newest order; the umpire takes it and those before it back, or sets the medals of a side.
"""

import time
from collections.abc import Callable
from statistics import median

from benchmarks.reading import long_battle
from domain.run.timeline import Timeline
from replay import battle_file
from replay.battle_file import BattleFile
from replay.proof.audit import audit
from replay.proof.chain import file_bytes
from replay.proof.verify import verify
from tests.support.disputing import Disputed

ROUNDS, RULINGS, ORDERS = 5, 100, 1
"""`ORDERS`: how many are given before each dispute; so few that the battle lasts."""
MEDALS = (5, 6)


def main() -> None:
    """Print the table."""
    disputed = disputed_battle()
    calm = long_battle(battle_file.parse(disputed).last).file()
    print(f"{'CPU time, µs an event':<22}{'disputed':>12}{'calm':>12}")
    for name, work in (("fold", _fold), ("audit", _audit), ("verify, whole", _verify)):
        print(f"{name:<22}{_cpu_us(work, disputed):>12.1f}{_cpu_us(work, calm):>12.1f}")
    report = verify(disputed)
    rewinds = sum(one.type == "Rewound" for one in battle_file.parse(disputed).events)
    print(f"\n{report.events} events, {rewinds} rewinds, {report.corrected} facts set; fault: {report.fault}")


def disputed_battle() -> bytes:
    """The file of the battle with all the rulings."""
    battle = Disputed(umpire=True, name="medals")
    for number in range(1, RULINGS + 1):
        before = battle.n
        n = battle.play(ORDERS)
        battle.say(f"north: dispute {n} facts That was not so.")
        lines = [f"umpire: rule d{number} rewind {before} Again."]
        if number % 2:
            lines[:0] = [f"umpire: rule d{number} correct set medals south {medals} because so." for medals in MEDALS]
        next(line for line in lines if not battle.refused(line))
    return battle.battle.file()


def _fold(battle: BattleFile) -> None:
    timeline = Timeline(battle.ruleset)
    for recorded in battle.events:
        timeline.feed(recorded)


def _audit(battle: BattleFile) -> None:
    audit(battle.ruleset, battle.events)


def _verify(battle: BattleFile) -> None:
    verify(file_bytes(battle.log.header_line, battle.log.lines, battle.log.checkpoint))


def _cpu_us(work: Callable[[BattleFile], None], content: bytes) -> float:
    """Microseconds an event, the median of some rounds."""
    battle = battle_file.parse(content)
    taken = []
    for _ in range(ROUNDS):
        begun = time.process_time()
        work(battle)
        taken.append(1e6 * (time.process_time() - begun) / battle.last)
    return median(taken)


if __name__ == "__main__":
    main()
