"""Write a board in as few lines as it needs: for letters, where the rest of the screen belongs to words.

A row of boxes or hexes is one line; it takes another where a box holds more than fits beside its neighbours. Counters
are left out but for harm. Linear features stand between the boxes. A board whose names have no room in the width of a
mail is written in parts of a few columns each, below each other. Rows of the sketch of free measure in which there is
nothing are left out at both ends, and so is its table.
"""

from collections.abc import Iterator, Sequence
from itertools import dropwhile

from domain.contract.scene import Cell, Line, Scene, Token
from replay.drawing.canvas import column_and_row, middle
from replay.drawing.text import free
from replay.drawing.text.borders import Border, border, borders_of
from replay.drawing.text.hexes import FACINGS as HEX_FACINGS
from replay.drawing.text.hexes import FACINGS_FINE as HEX_FACINGS_FINE
from replay.drawing.text.hexes import faced, steps_of
from replay.drawing.text.parts import parts
from replay.drawing.text.signs import WIDTH, ZONE, Signs, base_text, by_cell, ground_of, legend
from replay.drawing.text.square import FACINGS, FACINGS_FINE, faced_base

EMPTY = "."
WIDEST = 7
"""The most characters from one column to the next, as long as names need no more."""
CROWDED, MOST_ROWS, FEW_ROWS = 20, 11, 9
"""Rows of a table of free measure on which each token stands for itself; with more tokens than `CROWDED` it has fewer,
since their orders want the rest of the letter."""


def board(scene: Scene, signs: Signs, lang: str) -> Iterator[str]:
    """The board or sketch with its legend."""
    if scene.grid == "free" or not scene.cells:
        is_loose = bool(scene.tokens) and not scene.groups
        rows = MOST_ROWS if len(scene.tokens) <= CROWDED else FEW_ROWS
        yield from free.strip(scene, signs, rows) if is_loose else _trimmed(free.sketch(scene, signs), signs)
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
    """The rows of the whole board, or of one part after another where words have no room otherwise."""
    lefts, tokens = _lefts(scene), by_cell(scene)
    columns = max(lefts.values()) // 2 + 1
    whole = list(_part(scene, signs, range(columns)))
    pieces = [line for cell in scene.cells for line in _content(scene, cell, tokens.get(cell.id, ()), 0, signs)]
    needed = 1 + max(map(len, pieces))
    touching = 0 if _half(scene) else 1  # the facing before a name in a box parts it from the one before
    if needed - touching <= _pitch(scene, columns) and max(map(len, whole)) <= WIDTH:
        yield from whole
        return
    for part in parts(columns, _room(scene) // needed - _half(scene)):
        yield from [""] if part.start else []
        yield from _part(scene, signs, part, needed)


def _part(scene: Scene, signs: Signs, part: range, needed: int = 0) -> Iterator[str]:
    """The rows of some columns below the letters of the first one, each behind its number; every second of hexes is set
    off by half."""
    lefts, borders, tokens = _lefts(scene), borders_of(scene), by_cell(scene)
    rows: dict[int, list[Cell]] = {}
    for cell in scene.cells:
        if lefts[cell.id] // 2 in part:
            rows.setdefault(middle(cell)[1], []).append(cell)
    ordered = [cells for _, cells in sorted(rows.items(), reverse=True)]
    numbers = [column_and_row(cells[0].id)[1] for cells in ordered]
    gutter, pitch = WIDTH - _room(scene), max(_pitch(scene, len(part)), needed)
    at = {cell.id: gutter + (lefts[cell.id] - 2 * part.start) * pitch // 2 for cells in ordered for cell in cells}
    wide = dict.fromkeys(at, pitch)
    if scene.grid == "square" and not needed:
        wide = _widened(scene, {id_: lefts[id_] // 2 for id_ in at}, pitch, signs)
        columns = {lefts[id_] // 2: width for id_, width in wide.items()}
        at = {id_: gutter + sum(columns[column] for column in range(lefts[id_] // 2)) for id_ in at}
    yield _row_text([(at[cell.id] + 1, column_and_row(cell.id)[0]) for cell in ordered[0]])
    for number, cells in zip(numbers, ordered, strict=True):
        placed = [(at[cell.id], cell) for cell in cells]
        if above := _above(placed, borders, wide, signs):
            yield above
        contents = [_content(scene, cell, tokens.get(cell.id, ()), wide[cell.id] - 1, signs) for cell in cells]
        for line in range(max(map(len, contents))):
            words = [(0, number)] if not line else []
            for (left, cell), content in zip(placed, contents, strict=True):
                words.append((left, _beside(cell, borders, signs)))
                words += [(left + 1, content[line])] if line < len(content) else []
            yield _row_text(words)


def _widened(scene: Scene, columns: dict[str, int], pitch: int, signs: Signs) -> dict[str, int]:
    """How wide each cell is, `columns` being where it lies: what is left of a line goes to the columns in which a first
    base has no room, the western ones first."""
    tokens, wants = by_cell(scene), dict.fromkeys(columns.values(), pitch)
    for cell in scene.cells:
        if cell.id in columns:
            length = len(_content(scene, cell, tokens.get(cell.id, ()), WIDTH, signs)[0])
            wants[columns[cell.id]] = max(wants[columns[cell.id]], length + 1)
    spare = _room(scene) - pitch * len(wants)
    for column in sorted(wants):
        more = wants[column] - pitch
        wants[column] = pitch + (more if more <= spare else 0)
        spare -= wants[column] - pitch
    return {id_: wants[column] for id_, column in columns.items()}


def _room(scene: Scene) -> int:
    """Characters for the columns: the rest of a line is the numbers of the rows."""
    return WIDTH - 1 - max(len(column_and_row(cell.id)[1]) for cell in scene.cells)


def _half(scene: Scene) -> int:
    """1 if every second row is set off by half a column."""
    return int(scene.grid == "hex")


def _pitch(scene: Scene, columns: int) -> int:
    """Characters from one column to the next, with `columns` of them beside each other."""
    return min(WIDEST, _room(scene) // (columns + _half(scene)))


def _lefts(scene: Scene) -> dict[str, int]:
    """How many halves of a column from the west each cell lies."""
    middles = {cell.id: middle(cell)[0] for cell in scene.cells}
    if scene.grid == "hex":
        steps = steps_of(scene.cells[0], list(middles.values()))
    else:
        steps = {x: 2 * at for at, x in enumerate(sorted(set(middles.values())))}
    return {id_: steps[x] for id_, x in middles.items()}


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


def _above(placed: list[tuple[int, Cell]], borders: dict[Border, Line], wide: dict[str, int], signs: Signs) -> str:
    """A line with the features on the upper borders of a row, "" if there are none."""
    words = []
    for left, cell in placed:
        top = max(y for _, y in cell.outline)
        upper = sorted(point for point in cell.outline if point[1] == top)
        feature = borders.get(border(upper[0], upper[-1])) if len(upper) > 1 else None
        words += [(left + 1, signs.of_line(feature.kind)[0] * (wide[cell.id] - 1))] if feature else []
    return _row_text(words) if words else ""


def _beside(cell: Cell, borders: dict[Border, Line], signs: Signs) -> str:
    """The sign of a feature on the western border of a cell, else a space."""
    west = min(x for x, _ in cell.outline)
    ends = sorted(point for point in cell.outline if point[0] == west)
    feature = borders.get(border(ends[0], ends[-1])) if len(ends) > 1 else None
    return signs.of_line(feature.kind)[-1] if feature else " "


def _row_text(words: list[tuple[int, str]]) -> str:
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
