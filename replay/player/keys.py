"""The keys of the player: what each does, and the page that explains them."""

from collections.abc import Iterator

from rich.table import Table
from rich.text import Text

from replay.telling.words.sentences import fragment

KEYS = (
    ("right", "step('event', True)", "event"),
    ("left", "step('event', False)", ""),
    ("down", "step('input', True)", "input"),
    ("up", "step('input', False)", ""),
    ("right_square_bracket", "step('turn', True)", "turn"),
    ("left_square_bracket", "step('turn', False)", ""),
    ("right_curly_bracket", "step('phase', True)", "phase"),
    ("left_curly_bracket", "step('phase', False)", ""),
    ("home", "end(False)", "end"),
    ("end", "end(True)", ""),
    ("g", "goto", "goto"),
    ("slash", "search", "search"),
    ("n", "found(True)", "found"),
    ("N", "found(False)", ""),
    ("f", "follow", "follow"),
    ("space", "play", "play"),
    ("plus", "speed(True)", "speed"),
    ("minus", "speed(False)", ""),
    ("1", "view('south')", "view"),
    ("2", "view('north')", ""),
    ("0", "view('')", ""),
    ("w", "why", "why"),
    ("v", "verify", "verify"),
    ("m", "mark", "mark"),
    ("d", "dockets", "dockets"),
    ("b", "branch", "branch"),
    ("e", "export", "export"),
    ("question_mark", "help", "help"),
    ("q,ctrl+c", "quit", "quit"),
)
"""Keys as the terminal names them, what they do, and the line of the help that explains them; "" for the one above."""

WRITTEN = {
    "event": "← →",
    "input": "↑ ↓",
    "turn": "[ ]",
    "phase": "{ }",
    "end": "Home End",
    "goto": "g",
    "search": "/",
    "found": "n N",
    "follow": "f",
    "play": "space",
    "speed": "+ -",
    "view": "1 2 0",
    "why": "w",
    "verify": "v",
    "mark": "m",
    "dockets": "d",
    "branch": "b",
    "export": "e",
    "help": "?",
    "quit": "q",
}

EXAMPLES = "unit:R1, type:CardDrawn, by:north, rule:CORE-ORDER, card:10, die:6, luck>0.5"
"""Of fields to search by."""


def help_page(lang: str) -> Table:
    """All keys and the signs of the log, in two columns, whatever the width of the page."""
    table = Table.grid(padding=(0, 1))
    table.add_column(style="bold", no_wrap=True)
    for key, line in _explained(lang):
        table.add_row(Text(key), Text(line))
    table.add_row()
    table.add_row("", Text(_signs(lang)))
    return table


def _explained(lang: str) -> Iterator[tuple[str, str]]:
    for what, key in WRITTEN.items():
        yield key, fragment(f"player.key-{what}", {"examples": EXAMPLES}, lang)


def _signs(lang: str) -> str:
    return fragment("player.signs", {}, lang)
