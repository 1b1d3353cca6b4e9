"""What a bot would order: computed outside the process that serves (`server.workers`).

A thought depends on nothing but what travels to it: the state as the bot's side knows it, and the seed of its chance.
"""

from typing import Any

from msgspec import Struct

from domain.contract.ruleset import Ruleset
from domain.log.chance import StreamChance
from domain.log.fairness import Stream
from domain.run.bots import BOTS


class Thought(Struct, frozen=True):
    """What a bot is asked: `known` is the state as its side knows it, `seed` 32 bytes."""

    ruleset: Ruleset
    bot: str
    known: Any
    side: str
    seed: bytes


def think(thought: Thought) -> tuple[str, ...]:
    """The order that the bot wants to give, and the one that lets the battle go on; () if there is nothing to order."""
    options = thought.ruleset.orders.options(thought.known, thought.side)
    if not options:  # it waits for the other side's contribution
        return ()
    chance = StreamChance(Stream(thought.seed))
    wanted = BOTS[thought.bot](thought.ruleset, thought.known, thought.side, options, chance)
    return tuple(dict.fromkeys((wanted, options[-1].order)))
