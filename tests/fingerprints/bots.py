"""Digests of what the bots of a game order: a bot that orders otherwise has another version (`Ruleset.bots_version`).

Written by `python -m tests.fingerprints.bots`, which refuses to write another digest for a kept version.
"""

import random
import sys
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from benchmarks.random_play import GAMES, Dealt
from domain.catalogue import RULESETS
from domain.contract.ruleset import Ruleset
from domain.log.chance import StreamChance
from domain.log.fairness import Stream
from domain.run.bots import bot_label, offered, wanted_orders
from domain.run.decide import beginning, decide, folded, opening, proceeding, to_act
from tests.fingerprints.playing import digest

FILE = Path(__file__).with_name("bots.toml")
HEAD = "# Digests of the orders of bots, by game, rules and bot, written by `python -m tests.fingerprints.bots`.\n"
STARTS, SKIPPED, ORDERS = 2, (10, 40), 10
"""Starts of each game, from so many random orders on, and how many orders are asked of a bot there."""


def kept() -> Mapping[str, str]:
    """The digests of before, by `CODE RULES BOT VERSION`."""
    return tomllib.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}


def found(ruleset: Ruleset) -> dict[str, str]:
    """The digests of today."""
    code, rules = ruleset.code, ruleset.version
    return {
        f"{code} {rules} {bot_label(ruleset, bot)}": digest([order.encode() for order in _orders(ruleset, bot)])
        for bot in offered(ruleset)
    }


def changed(before: Mapping[str, str], now: Mapping[str, str]) -> list[str]:
    """The bots that order otherwise under the version they had."""
    return [name for name, one in now.items() if before.get(name, one) != one]


def _orders(ruleset: Ruleset, bot: str) -> Iterator[str]:
    for number in range(STARTS):
        _, table = GAMES[ruleset.code].battle(number, random.Random(f"bots {ruleset.code} {number}"))
        for skipped in SKIPPED:
            yield from _from(ruleset, bot, table, skipped)


def _from(ruleset: Ruleset, bot: str, table: Mapping[str, Any], skipped: int) -> Iterator[str]:
    chance = Dealt(random.Random(f"chance {ruleset.code}"))
    state: Any = folded(ruleset, ruleset.rules.initial, opening(ruleset, table))
    state = folded(ruleset, state, beginning(ruleset, state))
    state = folded(ruleset, state, proceeding(ruleset, state, chance))
    for number in range(skipped + ORDERS):
        if state.winner is not None:
            return
        side = to_act(ruleset, state)[0]
        thinks = bot if number >= skipped else "random"
        own = StreamChance(Stream(number.to_bytes(32, "big")))
        order, *_ = wanted_orders(ruleset, thinks, ruleset.secrets.known(state, side), side, own)
        yield order
        state = folded(ruleset, state, decide(ruleset, state, side, ruleset.orders.parse(order), chance))


def main() -> int:
    """Write the file; 1, and nothing is written, if a bot of a kept version orders otherwise."""
    now = {name: one for code in GAMES for name, one in found(RULESETS[code]).items()}
    wrong = changed(kept(), now)
    if wrong:
        print(f"{', '.join(wrong)}: orders otherwise than before. A changed bot gets a new `bots_version`.")
        return 1
    FILE.write_text(HEAD + "".join(f'"{name}" = "{one}"\n' for name, one in sorted(now.items())), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
