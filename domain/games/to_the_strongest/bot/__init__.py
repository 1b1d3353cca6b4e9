"""The bots of this game: what a charge, a shot or a place is worth, and the order that is worth most."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from domain.games.to_the_strongest.bot.judgement import think
from domain.games.to_the_strongest.bot.strength import EASY, SENSIBLE, STRONG

BOTS: Mapping[str, Any] = {
    "easy": partial(think, EASY),
    "sensible": partial(think, SENSIBLE),
    "strong": partial(think, STRONG),
}
"""Maps a name to the bot of that strength: (known state, side, options, chance) to an order line."""
