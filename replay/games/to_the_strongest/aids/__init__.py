"""The play-aid sheets of To the Strongest!, by name."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from replay.aids.sheet import Sheet
from replay.games.to_the_strongest.aids.activation import activation
from replay.games.to_the_strongest.aids.charging import charging
from replay.games.to_the_strongest.aids.generals import generals
from replay.games.to_the_strongest.aids.moves import moves
from replay.games.to_the_strongest.aids.saves import saves
from replay.games.to_the_strongest.aids.setup import setup
from replay.games.to_the_strongest.aids.stratagems import stratagems
from replay.games.to_the_strongest.aids.units import units

SHEETS: Mapping[str, Callable[[str], Sheet]] = MappingProxyType(
    {
        "activation": activation,
        "moves": moves,
        "charge": charging,
        "saves": saves,
        "generals": generals,
        "setup": setup,
        "units": units,
        "stratagems": stratagems,
    }
)
"""Each sheet by its name, as a function of the language, in the order in which they are printed."""
LANGUAGES = ("en", "fr")
