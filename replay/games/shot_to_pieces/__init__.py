"""Shot to Pieces: its play aids, two sheets for each period."""

from replay.catalogue import GameShown
from replay.games.shot_to_pieces.aids import LANGUAGES, SHEETS

SHOWN = GameShown(sheets=SHEETS, languages=LANGUAGES)
"""What `replay.catalogue` finds here."""
