"""The shooting phase of Warmaster Evolution: a play aid."""

from replay.catalogue import GameShown
from replay.games.warmaster_shooting.aids import LANGUAGES, SHEETS

SHOWN = GameShown(sheets=SHEETS, languages=LANGUAGES)
"""What `replay.catalogue` finds here."""
