"""Simulate a host and its players from seeds (docs/simulation.md).

    python -m tests.simulation [--seed S | --seeds N [--first S]] [--games tts,stp] [--shrink] [--planted]

A line for each seed. Where an invariant does not hold: the seed, the step, the last twenty actions, the invariant, and
the command that replays it.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Sequence

from tests.simulation.planted import FAULTS, planted
from tests.simulation.run import Outcome, live
from tests.simulation.shrinking import shrunk
from tests.simulation.world import Setting


def main() -> int:
    """Parse, run, report; 1 if an invariant does not hold."""
    parser = argparse.ArgumentParser(prog="python -m tests.simulation", description=__doc__.split("\n\n", 1)[0])
    parser.add_argument("--seed", type=int, help="one seed")
    parser.add_argument("--seeds", type=int, default=10, help="how many seeds")
    parser.add_argument("--first", type=int, default=1, help="the first of them")
    parser.add_argument("--games", default="", help="codes of games, separated by commas; all if none is named")
    parser.add_argument("--days", type=float, default=Setting(0).days, help="virtual days")
    parser.add_argument("--battles", type=int, default=Setting(0).battles)
    parser.add_argument("--players", type=int, default=Setting(0).players)
    parser.add_argument("--no-mail", action="store_true", help="everybody plays over the API")
    parser.add_argument("--no-campaigns", action="store_true", help="no cups")
    parser.add_argument("--without", default="", help="kinds of faults to leave out, separated by commas")
    parser.add_argument("--shrink", action="store_true", help="make a run that fails as small as can be")
    parser.add_argument("--planted", action="store_true", help="plant each fault, and say which seed finds it")
    parser.add_argument("--verbose", action="store_true", help="what happened how often")
    given = parser.parse_args()
    seeds = [given.seed] if given.seed is not None else range(given.first, given.first + given.seeds)
    if given.planted:
        return try_planted(seeds)
    failed, cpu_s, battle_days, count = 0, 0.0, 0.0, Counter[str]()
    for seed in seeds:
        setting = Setting(
            seed,
            days=given.days,
            battles=given.battles,
            players=given.players,
            mail=not given.no_mail,
            campaigns=not given.no_campaigns,
            games=tuple(filter(None, given.games.split(","))),
            without=tuple(filter(None, given.without.split(","))),
        )
        outcome = live(setting)
        print(line_of(outcome), flush=True)
        if outcome.broken:
            failed += 1
            print(told(shrunk(outcome, print) if given.shrink else outcome), flush=True)
        cpu_s, battle_days = cpu_s + outcome.cpu_s, battle_days + outcome.battle_days
        count.update(outcome.count)
    print(f"{len(seeds)} seeds, {failed} failed; {battle_days:.0f} battle-days in {cpu_s:.0f} s of CPU")
    if given.verbose:
        print("\n".join(f"{times:8} {what}" for what, times in sorted(count.items())))
    return 1 if failed else 0


def try_planted(seeds: Sequence[int]) -> int:
    """Plant each fault, and print by which seed and which invariant it is found; 1 if one is not."""
    missed = 0
    for name, fault in FAULTS.items():
        with planted(name):
            found = next((outcome for outcome in map(_small, seeds) if outcome.broken), None)
        missed += found is None
        by = f"seed {found.setting.seed}, {found.broken}: {found.said[:100]}" if found else f"not in {len(seeds)} seeds"
        print(f"{name} ({', '.join(fault.by)}): {by}", flush=True)
    return 1 if missed else 0


def _small(seed: int) -> Outcome:
    return live(Setting(seed, days=8 if seed % 2 else 20, battles=4, players=5))


def line_of(outcome: Outcome) -> str:
    """A run in a line."""
    state = outcome.broken or "ok"
    speed = outcome.battle_days / max(outcome.cpu_s, 1e-6)
    return (
        f"seed {outcome.setting.seed:6} {state:12} {outcome.steps:5} steps {outcome.battle_days:6.0f} battle-days "
        f"{outcome.cpu_s:6.1f} s {speed:6.0f}/s  {outcome.trace[:16]}"
    )


def told(outcome: Outcome) -> str:
    """What somebody needs who is to find the fault."""
    setting = outcome.setting
    more = f" --days {setting.days:g} --battles {setting.battles} --players {setting.players}"
    more += "" if setting.mail else " --no-mail"
    more += "" if setting.campaigns else " --no-campaigns"
    more += f" --games {','.join(setting.games)}" if setting.games else ""
    more += f" --without '{','.join(setting.without)}'" if setting.without else ""
    lines = [
        f"seed {setting.seed}, step {outcome.steps}: {outcome.broken}: {outcome.said}",
        "the last actions:",
        *(f"  {line}" for line in outcome.recent),
        f"again: python -m tests.simulation --seed {setting.seed}{more}",
    ]
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
