"""How the panes of the player share the window.

The room of each follows from the window and the height of the board: nobody waits for textual to lay them out.
"""

from msgspec import Struct

WIDE = 118
"""Columns from which the board stands beside the log, not above it."""
BOARD_WIDE, WORDS = 82, 56
"""Columns of a board beside the log, and those that the log has at least."""
LINES = 3
"""Lines for title, state and message."""
REASONS, REASONS_WIDE = 3, 12
"""Lines for the reasons, with the rule above them."""

CSS = f"""
Screen {{ background: ansi_default; color: ansi_default; layout: vertical; }}
#title, #status, #message {{ height: 1; }}
#title {{ background: ansi_bright_black; }}
#panes {{ height: 1fr; }}
#panes.wide {{ layout: horizontal; }}
#panes.tall {{ layout: vertical; }}
#board {{ height: auto; padding: 0 1; }}
.wide #board {{ height: 1fr; }}
.wide #words {{ width: 1fr; }}
.tall #words {{ height: 1fr; }}
#log {{ height: 1fr; }}
#why {{ border-top: solid ansi_bright_black; padding: 0 1; }}
.tall #why {{ height: {REASONS}; }}
.wide #why {{ height: {REASONS_WIDE}; }}
"""


class Room(Struct, frozen=True):
    """The columns and lines of the panes. `across`: columns of the board with its margins; `board`: columns and lines
    within them; `reasons`: lines without the rule above them."""

    width: int
    height: int
    across: int
    board: tuple[int, int]
    reasons: int

    @property
    def is_wide(self) -> bool:
        """Whether the board stands beside the log."""
        return self.width >= WIDE

    def log(self, above: int) -> tuple[int, int]:
        """Columns and lines of the log; `above`: lines of a board above it."""
        lines = self.height - LINES - self.reasons - 1
        return (self.width - self.across, lines) if self.is_wide else (self.width, lines - above)


def room_in(width: int, height: int) -> Room:
    """The room in a window of so many columns and lines."""
    if width >= WIDE:
        across = min(BOARD_WIDE, width - WORDS)
        return Room(width, height, across, (across - 2, height - LINES), REASONS_WIDE - 1)
    return Room(width, height, width, (width - 2, max(height * 2 // 3 - 2, 1)), REASONS - 1)
