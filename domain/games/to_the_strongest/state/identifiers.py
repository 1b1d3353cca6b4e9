"""The ids of units, generals and corps (to-the-strongest.md 2).

Orders are words, so an id must be distinguishable from the words that begin an order, and a unit from a box.
"""

from domain.games.to_the_strongest.state.vocabulary import ALIASES, FIRST_WORDS
from domain.mechanics.square import MAX_COLUMNS, MAX_ROWS, on_board

ANY_BOARD = (MAX_COLUMNS, MAX_ROWS)
"""The largest board: a name that is not a box on it is not a box anywhere."""


def is_well_formed(name: str) -> bool:
    """Whether an id is a letter followed by letters, digits and hyphens (to-the-strongest.md 2).

    Rule:    TTS-ORD-01
    """
    return name[:1].isalpha() and name.replace("-", "").isalnum() and name.isascii()


def begins_an_order(name: str) -> bool:
    """Whether an order that begins with this id would be read as something else, in English or French.

    Rule:    TTS-ORD-01, TTS-ORD-03
    """
    word = name.lower()
    return ALIASES.get(word, word) in FIRST_WORDS


def is_box(name: str, board: tuple[int, int]) -> bool:
    """Whether a unit of this name could be taken for a box of the board.

    Rule:    TTS-ORD-01
    Shape:   board as (columns, rows)
    """
    return on_board(board, name.upper())
