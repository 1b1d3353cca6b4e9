"""Write a scene as plain text, for terminals, mail and Braille displays.

A square grid and one of hexes become a board of characters that fits a mail; a table of free measure becomes a
sketch to scale and a table of what stands where. Below it stand the captions, and which side owns what where names do
not tell.
"""

from collections.abc import Iterator
from functools import lru_cache
from textwrap import wrap

from domain.contract.scene import Scene
from replay.drawing.describe import by_side, shape_titles, titled_captions
from replay.drawing.text import brief, free, hexes, square
from replay.drawing.text.signs import WIDTH, Signs, plain
from replay.telling.words import ENGLISH, worded
from replay.telling.words.scenes import sign
from replay.telling.words.sentences import fragment

LINES_KEPT = 4096
BOARDS = {"square": square.board, "hex": hexes.board, "free": free.board}


def draw_text(scene: Scene, *, unicode: bool = False, roster: bool = False, lang: str = ENGLISH) -> str:
    """The scene as lines of text that end in a line feed.

    `unicode` takes better signs than ASCII has; `roster` adds a line for every token; `lang` is the reader's.
    """
    scene = worded(scene, lang)
    is_gridded = scene.grid != "free" and bool(scene.cells)
    draw = BOARDS[scene.grid if is_gridded else "free"]
    lines = list(draw(scene, Signs(scene, unicode=unicode), lang))
    lines += ["", *_captions(scene), *_shapes(scene)]
    if is_gridded:
        lines += _owners(scene, lang)
        lines += ["", *_roster(scene)] if roster else []
    return "".join(f"{line.rstrip()}\n" for line in lines)


def _captions(scene: Scene) -> Iterator[str]:
    for side, words in titled_captions(scene):
        indent = "" if not side else "  "
        yield from wrap(plain(words), WIDTH, initial_indent=indent, subsequent_indent=indent + "  ")


def _shapes(scene: Scene) -> Iterator[str]:
    """What arcs, discs, rulers and lines of sight say."""
    for title in shape_titles(scene):
        yield from wrap(plain(title), WIDTH, initial_indent="  ", subsequent_indent="    ")


def _owners(scene: Scene, lang: str) -> Iterator[str]:
    """Whose units are which, where the first letters of their names do not say it."""
    units = [token for token in scene.tokens if token.form == "base"]
    initials = {(token.label[:1], token.side) for token in units}
    if len(initials) > len({initial for initial, _ in initials}):
        for side in scene.sides:
            names = " ".join(plain(token.label) for token in units if token.side == side)
            yield from wrap(
                fragment("scene.owner", {"side": sign(side, lang), "names": names}, lang),
                WIDTH,
                initial_indent="  ",
                subsequent_indent="    ",
            )


def _roster(scene: Scene) -> Iterator[str]:
    """Every token in a sentence, by side, with its cell."""
    for token in by_side(scene):
        yield from _roster_line(token.cell, token.title or token.id)


@lru_cache(LINES_KEPT)
def _roster_line(cell: str, words: str) -> tuple[str, ...]:
    """A token in a sentence; from one letter to the next hardly any changes."""
    return tuple(wrap(f"{cell}: {plain(words)}", WIDTH, subsequent_indent="    "))


def draw_brief(scene: Scene, *, unicode: bool = False, lang: str = ENGLISH) -> str:
    """The board or sketch with its legend in as few lines as it needs."""
    scene = worded(scene, lang)
    lines = [*brief.board(scene, Signs(scene, unicode=unicode), lang), *_owners(scene, lang)]
    return "".join(f"{line.rstrip()}\n" for line in lines)
