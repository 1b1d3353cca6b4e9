"""Bots: they give the orders of a side that no person plays.

A bot gets what a player gets, `known(state, side)` and the options, and answers with an order line. The bots of a
game come with it (`Ruleset.bots`). A strength that a game does not have is played by the next weaker one that it has,
and called so (`played_by`); `random` plays any game, and is the only one of a game without bots.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from domain.basics.errors import BrokenInvariant
from domain.contract.option import Option
from domain.contract.ruleset import Ruleset
from domain.log.chance import Chance
from domain.run.decide import decide, folded, to_act

Bot = Callable[[Ruleset, Any, str, Sequence[Option], Chance], str]
"""(ruleset, known state, side, options, chance) to an order line. Chance is asked with the scope
`bot:SIDE`, apart from the draws of the battle."""

STRENGTHS = ("easy", "sensible", "strong")
"""The bots that play a game by its rules, the weakest first."""
RANDOM = "random"
USUAL = "sensible"
"""The bot that plays where nobody says which."""
GO_ON, GO_ON_BEFORE = 12, 3
"""How rarely the random bot takes the last option for its own sake, which lets the battle go on (`end turn`, a no): one
order in 12 in the turns, and in 3 before the first of them, where pieces could be set up forever."""


def random_bot(ruleset: Ruleset, state: Any, side: str, options: Sequence[Option], chance: Chance) -> str:
    """Any option, each as likely as the others; the last one a little more, so that turns end."""
    _require_options(side, options)
    scope = f"bot:{side}"
    if chance.die(scope, GO_ON if state.turn else GO_ON_BEFORE) == 1:
        return options[-1].order
    return options[chance.die(scope, len(options)) - 1].order


def offered(ruleset: Ruleset) -> tuple[str, ...]:
    """The bots that a game has, the weakest of those that think first, then `random`."""
    return (*(name for name in STRENGTHS if name in ruleset.bots), RANDOM)


def played_by(ruleset: Ruleset, name: str) -> str:
    """The bot that plays where that one is asked for: itself, the next weaker one that the game has, or `random`."""
    weaker = reversed(STRENGTHS[: STRENGTHS.index(name) + 1]) if name in STRENGTHS else ()
    return next((one for one in weaker if one in ruleset.bots), RANDOM)


def own_bot(name: str, ruleset: Ruleset, state: Any, side: str, options: Sequence[Option], chance: Chance) -> str:
    """What the game's own bot of that strength thinks best, or that of the next weaker one; a random order in a game
    that has none."""
    _require_options(side, options)
    found = played_by(ruleset, name)
    if found == RANDOM:
        return random_bot(ruleset, state, side, options, chance)
    return ruleset.bots[found](state, side, options, chance)


def _require_options(side: str, options: Sequence[Option]) -> None:
    if not options:
        raise BrokenInvariant(f"nothing to order for {side}")


BOTS: Mapping[str, Bot] = {name: partial(own_bot, name) for name in STRENGTHS} | {RANDOM: random_bot}
"""Every bot by its name, the weakest of those that think first."""


def play_on(
    ruleset: Ruleset, state: Any, bots: Mapping[str, tuple[Bot, Chance]], chance: Chance, most: int
) -> tuple[Any, int]:
    """Let bots play a battle on from a state, each with a chance of its own beside that of the battle.

    Returns: the state at the end, or after `most` orders, and how many they gave
    """
    orders = 0
    while state.winner is None and orders < most:
        side = to_act(ruleset, state)[0]
        bot, own_chance = bots[side]
        known = ruleset.secrets.known(state, side)
        text = bot(ruleset, known, side, ruleset.orders.options(known, side), own_chance)
        state = folded(ruleset, state, decide(ruleset, state, side, ruleset.orders.parse(text), chance))
        orders += 1
    return state, orders
