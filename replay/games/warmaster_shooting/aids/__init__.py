"""The play-aid sheet of the shooting phase."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from replay.aids.sheet import Sheet
from replay.games.warmaster_shooting.aids.summary import summary

SHEETS: Mapping[str, Callable[[str], Sheet]] = MappingProxyType({"summary": summary})
"""Each sheet by its name, as a function of the language."""
LANGUAGES = ("en", "fr")
