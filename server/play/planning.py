"""Propose how a side sets up: the orders that a bot would give before the first turn, to be changed and sent.

The bot knows what the side knows. Nothing is drawn or stored: what its orders would lead to is imagined, and the
proposal ends where the other side acts, the phase ends, or only the order is left that lets the battle go on. The same
situation gets the same proposal. It is computed in a worker process (`server.workers`); its work is bounded by `MOST`.
"""

from collections.abc import Sequence
from hashlib import sha256
from typing import Any

from msgspec import Struct

from domain.basics.errors import Refusal
from domain.contract.option import Option
from domain.contract.ruleset import Ruleset
from domain.log.chance import StreamChance
from domain.log.fairness import Stream
from domain.run.bots import BOTS, USUAL
from domain.run.decide import decide, folded, to_act
from server.play.live_battle import LiveBattle
from server.workers import Runner

MOST = 80
"""Orders of a proposal; no army has as many pieces to place in one phase."""


class Situation(Struct, frozen=True):
    """A battle as a side knows it, after event `n`."""

    ruleset: Ruleset
    battle: str
    n: int
    side: str
    known: Any


def can_plan(ruleset: Ruleset, known: Any, options: Sequence[Option]) -> bool:
    """Whether there is something to set up, and a bot that knows how."""
    return bool(ruleset.bots) and not known.turn and known.waiting is None and any(map(is_placed, options))


async def plan(runner: Runner, live: LiveBattle, side: str) -> tuple[str, ...]:
    """Order lines that set up a side; () if there is nothing to propose.

    Raises: Busy
    """
    return await runner.run(planned, Situation(live.ruleset, live.id, live.n, side, live.known(side)))


def planned(situation: Situation) -> tuple[str, ...]:
    """The orders that were asked for, computed here."""
    ruleset, side, known = situation.ruleset, situation.side, situation.known
    phase, lines = known.phase, list[str]()
    seed = f"plan\n{situation.battle}\n{situation.n}\n{side}".encode()
    chance = StreamChance(Stream(sha256(seed).digest()))
    while len(lines) < MOST and known.phase == phase and side in to_act(ruleset, known):
        options = ruleset.orders.options(known, side)
        if not can_plan(ruleset, known, options):
            break
        line = BOTS[USUAL](ruleset, known, side, options, chance)
        if not any(option.order == line and is_placed(option) for option in options):
            break
        try:
            facts = decide(ruleset, known, side, ruleset.orders.parse(line), chance)
        except Refusal:  # it depends on what the side does not know
            break
        lines.append(line)
        known = ruleset.secrets.known(folded(ruleset, known, facts), side)
    return tuple(lines)


def is_placed(option: Option) -> bool:
    """Whether an order puts something on the board."""
    return option.target is not None and option.target.act == "place"
