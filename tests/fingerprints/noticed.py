"""Says how many random faults in the rules of a game change their fingerprints. Run by hand; it takes minutes.

python -m tests.fingerprints.noticed tts 15
"""

import argparse
import random
import signal
from collections.abc import Sequence

from domain.catalogue import RULESETS
from tests.fingerprints.kept import faults, kept
from tests.fingerprints.playing import fingerprints
from tests.mutation.__main__ import survivors
from tests.mutation.games import GAMES
from tests.mutation.mutants import Mutant
from tests.mutation.trial import in_fork, mutants_of, plant

LIMIT_S = 60
"""Seconds of computing after which a fault counts as noticed: it runs round and round."""


def drawn(code: str, count: int) -> Sequence[Mutant]:
    """Random faults in functions of a game's rules, without those that are known to be harmless; always the same."""
    game = GAMES[code]
    harmless = survivors(game)
    modules = [f"{game.package}.{chapter}" for chapter in game.chapters + game.unsifted]
    known = [one for module in modules for one in mutants_of(module) if one.in_function and one.key not in harmless]
    return random.Random(f"{code} faults").sample(known, count)


def is_noticed(code: str, fault: Mutant) -> bool:
    """Whether the fingerprints that are kept do not come again with a fault; so also if it runs into an error."""

    def look() -> bool:
        signal.setitimer(signal.ITIMER_PROF, LIMIT_S)
        plant(fault)
        return any(faults(kept(), RULESETS[code], fingerprints(RULESETS[code])))

    return in_fork(look) is not False


def main(arguments: Sequence[str] | None = None) -> None:
    """Try faults one after the other, and count."""
    parser = argparse.ArgumentParser(prog="python -m tests.fingerprints.noticed")
    parser.add_argument("game", choices=GAMES)
    parser.add_argument("count", type=int)
    given = parser.parse_args(arguments)
    noticed = 0
    for fault in drawn(given.game, given.count):
        found = is_noticed(given.game, fault)
        noticed += found
        print(f"{'noticed' if found else '-':<8} {fault.key}", flush=True)
    print(f"{noticed} of {given.count}")


if __name__ == "__main__":
    main()
