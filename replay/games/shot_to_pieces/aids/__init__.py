"""The play-aid sheets of Shot to Pieces: for each period a turn and its orders, and fire and melee."""

from collections.abc import Callable, Mapping
from functools import partial
from types import MappingProxyType

from domain.games.shot_to_pieces.state.vocabulary import PERIODS
from replay.aids.sheet import Sheet
from replay.games.shot_to_pieces.aids.fire import fire_sheet
from replay.games.shot_to_pieces.aids.turn import turn_sheet

KINDS: Mapping[str, Callable[[str, str], Sheet]] = {"turn": turn_sheet, "fire": fire_sheet}
SHEETS: Mapping[str, Callable[[str], Sheet]] = MappingProxyType(
    {f"{period}-{kind}": partial(made, period) for period in PERIODS for kind, made in KINDS.items()}
)
"""Each sheet by its name, as a function of the language."""
LANGUAGES = ("en", "fr")
