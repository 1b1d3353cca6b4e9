"""Write a board in as few lines as it needs: for letters, where the rest of the screen belongs to words.

A row of boxes or hexes is one line; it takes another where a box holds more than fits beside its neighbours. Counters
are left out but for harm. Linear features stand between the boxes, rows of the sketch of free measure in which there is
nothing are left out at both ends, and so is its table.
"""

from collections.abc import Iterator, Sequence
from itertools import dropwhile

from domain.scene import Cell, Line, Scene, Token
from replay.drawing.canvas import column_and_row, middle
from replay.drawing.text import free
from replay.drawing.text.borders import Border, border, borders_of
from replay.drawing.text.hexes import FACINGS as HEX_FACINGS
from replay.drawing.text.hexes import FACINGS_FINE as HEX_FACINGS_FINE
from replay.drawing.text.hexes import faced, steps_of
from replay.drawing.text.signs import WIDTH, ZONE, Signs, base_text, by_cell, ground_of, legend
from replay.drawing.text.square import FACINGS, FACINGS_FINE, faced_base

EMPTY = "."
WIDEST = 7
"""The most characters from one column to the next."""


def board(scene: Scene, signs: Signs, lang: str) -> Iterator[str]:
    """The board or sketch with its legend."""
    if scene.grid == "free" or not scene.cells:
        yield from _trimmed(free.sketch(scene, signs), signs)
        facings = free.facings_of(scene, signs)
    else:
        yield from _rows(scene, signs)
        facings = _facings(scene, signs)
    yield from legend(scene, signs, facings, lang, counted=False)


def _trimmed(lines: Iterator[str], signs: Signs) -> Iterator[str]:
    """A sketch without the empty rows below its upper and above its lower frame, but for one of each."""
    top, *rows, bottom, ticks = lines
    blank = {signs.down, " "}
    kept = list(dropwhile(lambda row: set(row.lstrip("-0123456789 ")) <= blank, rows))
    kept = list(dropwhile(lambda row: set(row.lstrip("-0123456789 ")) <= blank, reversed(kept)))
    yield top
    yield from reversed(kept)
    yield bottom
    yield ticks


# --- rows of boxes or hexes


def _rows(scene: Scene, signs: Signs) -> Iterator[str]:
    """The rows below the letters of the first one, each behind its number; every second of hexes is set off by half."""
    lefts, last = _lefts(scene)
    rows: dict[int, list[Cell]] = {}
    for cell in scene.cells:
        rows.setdefault(middle(cell)[1], []).append(cell)
    ordered = [cells for _, cells in sorted(rows.items(), reverse=True)]
    numbers = [column_and_row(cells[0].id)[1] for cells in ordered]
    gutter = max(map(len, numbers)) + 1
    pitch = min(WIDEST, (WIDTH - gutter) // last) if last else WIDEST
    borders, tokens = borders_of(scene), by_cell(scene)
    yield _placed([(gutter + lefts[cell.id] * pitch // 2 + 1, column_and_row(cell.id)[0]) for cell in ordered[0]])
    for number, cells in zip(numbers, ordered, strict=True):
        placed = [(gutter + lefts[cell.id] * pitch // 2, cell) for cell in cells]
        if above := _above(placed, borders, pitch, signs):
            yield above
        contents = [_content(scene, cell, tokens.get(cell.id, ()), pitch - 1, signs) for _, cell in placed]
        for line in range(max(map(len, contents))):
            words = [(0, number)] if not line else []
            for (left, cell), content in zip(placed, contents, strict=True):
                words.append((left, _beside(cell, borders, signs)))
                words += [(left + 1, content[line])] if line < len(content) else []
            yield _placed(words)


def _lefts(scene: Scene) -> tuple[dict[str, int], int]:
    """How many halves of a column from the west each cell lies, and how many columns there are."""
    middles = {cell.id: middle(cell)[0] for cell in scene.cells}
    if scene.grid == "hex":
        steps = steps_of(scene.cells[0], list(middles.values()))
    else:
        steps = {x: 2 * at for at, x in enumerate(sorted(set(middles.values())))}
    return {id_: steps[x] for id_, x in middles.items()}, max(steps.values()) // 2 + 1 + (scene.grid == "hex")


def _content(scene: Scene, cell: Cell, here: Sequence[Token], room: int, signs: Signs) -> list[str]:
    """The lines of a cell: each base, the first with ground and emblems if they fit beside it."""
    bases = sorted((t for t in here if t.form == "base"), key=lambda t: (-t.at[1], -t.layer))
    ground = ground_of(cell, here, signs)
    ground = "" if ground == ZONE and bases else ground
    emblems = "".join(dict.fromkeys(signs.of(token.kind) for token in here if token.form == "emblem"))
    if not bases:
        return [(ground + emblems) or EMPTY]
    words = [_base(scene, base, signs) for base in bases]
    if len(ground + words[0] + emblems) <= room:
        return [ground + words[0] + emblems, *words[1:]]
    if len(words[0] + emblems) <= room:
        return [words[0] + emblems, *words[1:], *([ground] if ground else [])]
    return [*words, ground + emblems]


def _base(scene: Scene, base: Token, signs: Signs) -> str:
    if scene.grid == "square":
        return faced_base(base, signs)
    words = base_text(base, "", signs)
    return words if base.facing is None else faced(words, base.facing, signs)


def _above(placed: list[tuple[int, Cell]], borders: dict[Border, Line], pitch: int, signs: Signs) -> str:
    """A line with the features on the upper borders of a row, "" if there are none."""
    words = []
    for left, cell in placed:
        top = max(y for _, y in cell.outline)
        upper = sorted(point for point in cell.outline if point[1] == top)
        feature = borders.get(border(upper[0], upper[-1])) if len(upper) > 1 else None
        words += [(left + 1, signs.of_line(feature.kind)[0] * (pitch - 1))] if feature else []
    return _placed(words) if words else ""


def _beside(cell: Cell, borders: dict[Border, Line], signs: Signs) -> str:
    """The sign of a feature on the western border of a cell, else a space."""
    west = min(x for x, _ in cell.outline)
    ends = sorted(point for point in cell.outline if point[0] == west)
    feature = borders.get(border(ends[0], ends[-1])) if len(ends) > 1 else None
    return signs.of_line(feature.kind)[-1] if feature else " "


def _placed(words: list[tuple[int, str]]) -> str:
    """Words at their columns; a later one never covers an earlier one."""
    line = ""
    for at, word in words:
        line = line.ljust(at) + word if word.strip() else line
    return line


def _facings(scene: Scene, signs: Signs) -> str:
    if scene.grid == "square":
        return " ".join(FACINGS_FINE if signs.is_unicode else FACINGS)
    if not any(token.facing is not None for token in scene.tokens if token.form == "base"):
        return ""
    letters = HEX_FACINGS_FINE if signs.is_unicode else HEX_FACINGS
    return " ".join(faced("x", 600 * at, signs) for at in range(len(letters)))
