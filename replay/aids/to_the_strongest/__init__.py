"""Which play-aid sheets does To the Strongest! have?"""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from replay.aids.sheet import Sheet
from replay.aids.to_the_strongest.activation import activation
from replay.aids.to_the_strongest.generals import generals
from replay.aids.to_the_strongest.saves import saves
from replay.aids.to_the_strongest.stratagems import stratagems
from replay.aids.to_the_strongest.units import units

SHEETS: Mapping[str, Callable[[str], Sheet]] = MappingProxyType(
    {
        "generals": generals,
        "stratagems": stratagems,
        "units": units,
        "activation": activation,
        "saves": saves,
    }
)
"""Each sheet by its name, as a function of the language, in the order in which they are printed."""
LANGUAGES = ("en", "fr")
