"""Singidunum: a play aid."""

from replay.catalogue import GameShown
from replay.games.singidunum.aids import LANGUAGES, SHEETS

SHOWN = GameShown(sheets=SHEETS, languages=LANGUAGES)
"""What `replay.catalogue` finds here."""
