"""The bots of this game: what a fight or a place is worth, and the order that is worth most."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from domain.games.singidunum.bot.judgement import think

BOTS: Mapping[str, Any] = {
    "easy": partial(think, slips=3, careful=False),
    "sensible": partial(think, slips=0, careful=False),
    "strong": partial(think, slips=0, careful=True),
}
"""Maps a name to the bot of that strength: (known state, side, options, chance) to an order line."""
