"""Bots: they give the orders of a side that no person plays.

A bot gets what a player gets, `known(state, side)` and the options, and answers with an order line. The bots of a
game come with it (`Ruleset.bots`). A strength that a game does not have is played by the next weaker one that it has,
and called so (`played_by`); `random` plays any game, and is the only one of a game without bots.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from domain.basics.commands import AcceptDraw, OfferDraw
from domain.basics.errors import BrokenInvariant
from domain.contract.option import Option
from domain.contract.ruleset import Ruleset
from domain.engine.dockets import Docket
from domain.log.chance import Chance
from domain.run.decide import decide, folded, to_act
from domain.run.rewind_points import Past, has_drawn_since
from domain.run.seats import Battle, Seat

Bot = Callable[[Ruleset, Any, str, Sequence[Option], Chance], str]
"""(ruleset, known state, side, options, chance) to an order line. Chance is asked with the scope
`bot:SIDE`, apart from the draws of the battle."""

STRENGTHS = ("easy", "sensible", "strong")
"""The bots that play a game by its rules, the weakest first."""
RANDOM = "random"
RANDOM_VERSION = "1"
"""What changes when the random bot would order otherwise."""
BOT = "bot-"
"""Prefix of a bot's player id; its name follows."""
MOST_EVENTS = 10_000
"""The length after which two bots agree on a draw; a battle of people is over after a fraction of it."""
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


def bot_of(seat: Seat) -> str:
    """The name of the bot that holds a seat, or ""."""
    return seat.player.removeprefix(BOT) if seat.kind == "bot" else ""


def bot_label(ruleset: Ruleset, bot: str) -> str:
    """Name and version of a bot of this release, as its orders say them: `sensible 1`."""
    return f"{bot} {RANDOM_VERSION if bot == RANDOM else ruleset.bots_version}"


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


def wanted_orders(ruleset: Ruleset, bot: str, known: Any, side: str, chance: Chance) -> tuple[str, ...]:
    """The order that a bot wants to give, and the one that lets the battle go on; () if there is nothing to order."""
    options = ruleset.orders.options(known, side)
    if not options:  # it waits for the other side's contribution
        return ()
    wanted = BOTS[bot](ruleset, known, side, options, chance)
    return tuple(dict.fromkeys((wanted, options[-1].order)))


def draw_between_bots(ruleset: Ruleset, battle: Battle, side: str, most: int) -> tuple[str, tuple[str, ...]] | None:
    """Which bot says what to end a battle of bots that has gone on for `most` events; None in any other. `side`: whose
    move it is."""
    if battle.n < most or not all(bot_of(seat) in BOTS for seat in battle.seats.values()):
        return None
    write, offered_by = ruleset.orders.write, battle.game.draw_offer
    if offered_by:
        waits = [other for other in ruleset.seats.others(offered_by) if other not in battle.game.draw_agreed]
        return waits[0], (write(AcceptDraw(), "en"),)
    return side, (write(OfferDraw(), "en"),)


def bots_answer(past: Past, docket: Docket) -> str:
    """What a bot says to a take-back: yes before a card or die has fallen, else no (CORE-DSP-10)."""
    return f"{'decline' if has_drawn_since(past, docket.about) else 'agree'} {docket.id}"


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
