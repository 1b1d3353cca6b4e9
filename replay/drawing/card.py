"""The picture that stands for a battle where somebody shares its address: the board, who plays, and the score."""

from textwrap import wrap

from msgspec import Struct

from domain.contract.scene import Scene
from replay.drawing.palette import INK, PAPER, WHITE, dress_of
from replay.drawing.pen import escaped, tag, text
from replay.drawing.raster import png_of
from replay.drawing.svg import NAMESPACE, draw_svg
from replay.telling.words import ENGLISH

WIDTH, HEIGHT = 1200, 630
"""Of the picture in pixels, as the sites that show such pictures want it."""
EDGE, BOARD = 30, 720
"""Around the board, and how wide it may be."""
LEFT, RIGHT = EDGE + BOARD + EDGE, WIDTH - EDGE
"""Of the words beside it."""
TITLE, WORDS, NAME, SCORE, SMALLER = 44, 26, 30, 62, 40
"""Sizes of letters."""
TITLE_LETTERS, WORDS_LETTERS, NAME_LETTERS = 15, 27, 19
"""As many fit into a line."""
SOFT = "#5d5446"


class SideOnCard(Struct, frozen=True):
    """A side as the card shows it: who it is, and the amount of what decides the battle."""

    side: str
    name: str
    score: int


def draw_card(scene: Scene, title: str, sides: tuple[SideOnCard, ...], *, lang: str = ENGLISH) -> bytes:
    """The card as PNG, 1200 × 630 pixels; below the title the first caption that is of neither side."""
    board = draw_svg(scene, captions=False, lang=lang)
    placed = board.replace("<svg", f'<svg x="{EDGE}" y="{EDGE}" width="{BOARD}" height="{HEIGHT - 2 * EDGE}"', 1)
    said = next((words for side, words in scene.captions if not side), "")
    parts = [tag("rect", width=WIDTH, height=HEIGHT, fill=PAPER), placed, *_words(title, said), *_sides(scene, sides)]
    svg = tag("svg", "\n".join(parts), xmlns=NAMESPACE, view_box=f"0 0 {WIDTH} {HEIGHT}", width=WIDTH, height=HEIGHT)
    return png_of(svg, WIDTH)


def _words(title: str, said: str) -> list[str]:
    y, drawn = 60.0, []
    for size, letters, most, words in ((TITLE, TITLE_LETTERS, 3, title), (WORDS, WORDS_LETTERS, 3, said)):
        for line in wrap(words, letters, max_lines=most, placeholder=" …"):
            weight = "bold" if size == TITLE else None
            fill = INK if size == TITLE else SOFT
            drawn.append(text(escaped(line), LEFT, y, size, fill, text_anchor="start", font_weight=weight))
            y += size * 1.25
        y += 12
    return [*drawn, text("Phalera", RIGHT, HEIGHT - 24, 22, SOFT, text_anchor="end")]


def _sides(scene: Scene, sides: tuple[SideOnCard, ...]) -> list[str]:
    drawn, size = [], SCORE if all(side.score < 10 for side in sides) else SMALLER
    for at, side in enumerate(sides):
        y = HEIGHT - 250 + 105 * at
        fill = dress_of(scene.sides, side.side).strong
        name = next(iter(wrap(side.name, NAME_LETTERS, max_lines=1, placeholder="…")), "")
        drawn.append(tag("rect", x=LEFT, y=y, width=84, height=84, rx=12, fill=fill))
        drawn.append(text(str(side.score), LEFT + 42, y + 42, size, WHITE, font_weight="bold"))
        drawn.append(text(escaped(name), LEFT + 104, y + 42, NAME, INK, text_anchor="start", font_weight="bold"))
    return drawn
