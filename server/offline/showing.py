"""Show what is told of a battle on a terminal: in its sixteen colours, at a pace that can be read.

Where there are no colours, or no terminal, everything is told as plain text at once; what is told is the same.
"""

import time
from collections.abc import Callable, Iterable
from io import StringIO

from rich.console import Console
from rich.text import Text

from domain.contract.scene import Scene
from replay.player.views import coloured, with_names

TURN, ORDER = "--- ", "> "
"""How the lines begin that tell of a turn and of an order (`server.play.narrator`)."""
BOARD_LINES = 4
"""A block of at least so many lines has a board in it."""
LINES_OF_A_BOARD = 6
"""So many sentences a board is worth: it takes as long to look at."""

Style = Callable[[str, Scene], str]
"""What is told as the terminal gets it; the scene says which names are whose."""


def plainly(block: str, scene: Scene) -> str:
    """What is told as it is."""
    return block


def in_colours(block: str, scene: Scene) -> str:
    """What is told in the colours of the terminal: names of units by side, boards as the player has them."""
    lines = block.split("\n")
    if len(lines) >= BOARD_LINES:
        shown = list(coloured(scene, lines))
    else:
        shown = [with_names(scene, line) for line in lines]
    for line, text in zip(lines, shown, strict=True):
        if line.startswith((TURN, ORDER)):
            text.stylize("bold")
    return _codes(Text("\n").join(shown))


def style(*, has_colours: bool) -> Style:
    """How a terminal gets it."""
    return in_colours if has_colours else plainly


def paced(
    blocks: Iterable[str], tell: Callable[[str], None], speed: float, wait: Callable[[float], None] = time.sleep
) -> None:
    """Tell blocks one after the other, so many sentences a second; a board stays longer."""
    for block in blocks:
        tell(block)
        is_board = block.count("\n") >= BOARD_LINES
        wait((LINES_OF_A_BOARD if is_board else 1) / speed)


def _codes(text: Text) -> str:
    """A styled text with the codes of a terminal."""
    out = StringIO()
    console = Console(file=out, force_terminal=True, color_system="standard", highlight=False, legacy_windows=False)
    console.print(text, end="", soft_wrap=True)
    return out.getvalue()
