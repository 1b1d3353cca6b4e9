"""What a bot would order: computed outside the process that serves (`server.workers`).

A thought depends on nothing but what travels to it: the state as the bot's side knows it, and the seed of its chance.
"""

from typing import Any

from msgspec import Struct

from domain.contract.ruleset import Ruleset
from domain.log.chance import StreamChance
from domain.log.fairness import Stream
from domain.run.bots import wanted_orders


class Thought(Struct, frozen=True):
    """What a bot is asked: `known` is the state as its side knows it, `seed` 32 bytes."""

    ruleset: Ruleset
    bot: str
    known: Any
    side: str
    seed: bytes


def think(thought: Thought) -> tuple[str, ...]:
    """The order that the bot wants to give, and the one that lets the battle go on; () if there is nothing to order."""
    chance = StreamChance(Stream(thought.seed))
    return wanted_orders(thought.ruleset, thought.bot, thought.known, thought.side, chance)
