"""Write a scene as plain text, for terminals, mail and Braille displays.

A square grid becomes a board of characters: each box is five wide and three high, with ground, camp
and general in its first line and a unit in each of the others, so that twelve columns fit a mail.
Any other scene becomes a table of what stands where.
"""

from collections.abc import Iterator
from textwrap import wrap

from msgspec import Struct

from domain.scene import Cell, Line, Scene, Token
from replay.drawing.canvas import is_grid, lettering, middle
from replay.drawing.describe import titled_captions
from replay.telling.words import ENGLISH, worded
from replay.telling.words.scenes import sign
from replay.telling.words.sentences import fragment

WIDTH = 78
NO_BREAK = "\N{NO-BREAK SPACE}"
"""French has it before colons."""
BOX_WIDE = 5

GROUND_LETTERS = {
    "gentle_hill": "h",
    "steep_hill": "H",
    "wood": "w",
    "scrub": "u",
    "marsh": "m",
    "rocky": "r",
    "building": "b",
    "water": "~",
    "impassable": "X",
}
UNKNOWN_GROUND = "?"
OPEN = frozenset({"open", "plain", ""})
CAMP, ZONE = "c", ":"


class Signs(Struct, frozen=True, gc=False):
    """The characters of a board: facings N E S W, disorder by how much, general, border lines."""

    facings: str
    disorder: str
    general: str
    across: str
    down: str
    corner: str
    edges: dict[str, tuple[str, str]]
    """For each linear feature the sign along a horizontal and along a vertical border."""
    wide: str = ""


ASCII = Signs(
    facings="^>v<",
    disorder=' !"#',
    general="*",
    across="-",
    down="|",
    corner="+",
    edges={
        "stream": ("~", "S"),
        "ford": ("=", "="),
        "hedge": ("%", "%"),
        "wall": ("#", "#"),
        "stakes": ("x", "x"),
        "fortified": ("M", "M"),
    },
)
UNICODE = Signs(
    facings="▲▶▼◀",
    disorder=" !‼⁂",
    general="★",
    across="─",
    down="│",
    corner="┼",
    edges={
        "stream": ("≈", "≀"),
        "ford": ("╪", "╪"),
        "hedge": ("♣", "♣"),
        "wall": ("█", "█"),
        "stakes": ("╳", "╳"),
        "fortified": ("▓", "▓"),
    },
)


def draw_text(scene: Scene, *, unicode: bool = False, roster: bool = False, lang: str = ENGLISH) -> str:
    """The scene as lines of text that end in a line feed.

    `unicode` takes better signs than ASCII has; `roster` adds a line for every token; `lang` is the reader's.
    """
    scene = worded(scene, lang)
    signs = UNICODE if unicode else ASCII
    lines = list(_board(scene, signs, lang) if is_grid(scene) else _table(scene, lang))
    lines += ["", *_captions(scene), *_owners(scene, lang)]
    if roster and is_grid(scene):
        lines += ["", *_roster(scene)]
    return "".join(f"{line.rstrip()}\n" for line in lines)


# --- a square grid


def _board(scene: Scene, signs: Signs, lang: str) -> Iterator[str]:
    columns, rows = lettering(scene)
    at = {middle(cell): cell for cell in scene.cells}
    xs = sorted({x for x, _ in at})
    ys = sorted({y for _, y in at}, reverse=True)
    boxes = {cell.id: _box(scene, cell, signs) for cell in scene.cells}
    wide = max(BOX_WIDE, *(len(line) for lines in boxes.values() for line in lines))
    gutter = max(len(row) for row in rows) + 1
    borders = _borders(scene)
    head = " " * (gutter + 1) + " ".join(name.center(wide) for name in columns)
    step_x, step_y = scene.width // len(columns), scene.height // len(rows)
    yield head
    for row, y in enumerate(ys):
        yield " " * gutter + _across(borders, xs, y + step_y // 2, step_x, wide, signs)
        for line in range(3):
            name = rows[row] if line == 1 else ""
            content = _down(borders, [boxes[at[x, y].id][line] for x in xs], xs, y, step_x, wide, signs)
            yield f"{name:>{gutter - 1}} {content}{' ' + name if line == 1 else ''}"
    yield " " * gutter + _across(borders, xs, ys[-1] - step_y // 2, step_x, wide, signs)
    yield head
    yield from _legend(scene, signs, lang)


def _box(scene: Scene, cell: Cell, signs: Signs) -> list[str]:
    """The three lines of a box."""
    here = [token for token in scene.tokens if token.cell == cell.id]
    units = sorted((t for t in here if t.kind == "unit"), key=lambda t: (-t.at[1], -t.layer))
    generals = [signs.general + token.label for token in here if token.kind == "general"]
    ground = "" if cell.kind in OPEN else GROUND_LETTERS.get(cell.kind, UNKNOWN_GROUND)
    camp = CAMP if any(token.kind == "camp" for token in here) else ""
    zone = ZONE if cell.zone else ""
    ground = f"{ground or camp or zone or ' '} " if len("".join(generals)) < BOX_WIDE - 1 else ground or camp
    first = ground + "".join(generals)
    if len(first) > BOX_WIDE and len(generals) > 1:
        first = f"{ground}{generals[0]}+"
    if len(units) == 1:
        return [first, _unit(units[0], signs), _counters(units[0])]
    return [first, *(_unit(unit, signs) for unit in units), *[""] * (2 - len(units))][:3]


def _unit(token: Token, signs: Signs) -> str:
    """Facing, name and disorder."""
    facing = "" if token.facing is None else signs.facings[(token.facing + 450) // 900 % 4]
    lost = sum(mark.count for mark in token.marks if mark.kind in ("disorder", "hits"))
    return f"{facing}{_plain(token.label)}{signs.disorder[min(lost, len(signs.disorder) - 1)].strip()}"


def _counters(token: Token) -> str:
    """The counters of a unit alone in its box, as many as there is room for."""
    words = [mark.text for mark in token.marks if mark.kind not in ("disorder", "hits") and mark.text]
    shown = ""
    for word in words:
        if len(shown) + len(word) <= BOX_WIDE:
            shown += word
    return shown.rjust(BOX_WIDE) if shown else ""


Border = tuple[tuple[int, int], tuple[int, int]]


def _borders(scene: Scene) -> dict[Border, Line]:
    """The linear features by their two ends, the lesser first."""
    return {_border(line.points[0], line.points[-1]): line for line in scene.lines}


def _border(one: tuple[int, int], two: tuple[int, int]) -> Border:
    return (one, two) if one < two else (two, one)


def _across(borders: dict[Border, Line], xs: list[int], y: int, step: int, wide: int, signs: Signs) -> str:
    """A horizontal border of the board."""
    line = signs.corner
    for x in xs:
        feature = borders.get(_border((x - step // 2, y), (x + step // 2, y)))
        sign = signs.edges.get(feature.kind, ("?", "?"))[0] if feature else signs.across
        line += sign * wide + signs.corner
    return line


def _down(
    borders: dict[Border, Line], contents: list[str], xs: list[int], y: int, step: int, wide: int, signs: Signs
) -> str:
    """A line of boxes with the vertical borders between them."""
    line = ""
    half = step // 2
    for x, content in zip([*xs, xs[-1] + step], [*contents, None], strict=True):
        feature = borders.get(_border((x - half, y - half), (x - half, y + half)))
        line += signs.edges.get(feature.kind, ("?", "?"))[1] if feature else signs.down
        line += "" if content is None else content.ljust(wide)
    return line


def _legend(scene: Scene, signs: Signs, lang: str) -> Iterator[str]:
    """What the signs that occur mean."""
    kinds = {cell.kind for cell in scene.cells if cell.kind not in OPEN}
    said = [f"{GROUND_LETTERS.get(kind, UNKNOWN_GROUND)} {sign(kind, lang)}" for kind in sorted(kinds)]
    said += [f"{CAMP} {sign('camp', lang)}"] if any(token.kind == "camp" for token in scene.tokens) else []
    said += [f"{ZONE} {sign('deployment_zone', lang)}"] if any(cell.zone for cell in scene.cells) else []
    led = any(token.kind == "general" for token in scene.tokens)
    said += [f"{signs.general} {sign('general', lang)}"] if led else []
    lost = {mark.count for token in scene.tokens for mark in token.marks if mark.kind == "disorder"}
    said += [f"{signs.disorder[min(count, 3)]} {count} {sign('disorder', lang)}" for count in sorted(lost)]
    for kind in sorted({line.kind for line in scene.lines}):
        flat, upright = signs.edges.get(kind, ("?", "?"))
        name = sign(kind, lang)
        said.append(f"{flat} {name}" if flat == upright else f"{flat} {upright} {name}")
    meanings = {(mark.text.rstrip("0123456789-"), mark.kind) for token in scene.tokens for mark in token.marks}
    alone = {text: kind for text, kind in sorted(meanings) if text and kind in _counted(scene)}
    said += [f"{text} {sign(kind, lang)}" for text, kind in alone.items()]
    facings = signs.facings
    compass = " ".join(facings)
    yield from wrap("; ".join([f"{compass} {sign('facing', lang)}", *said]), WIDTH)


def _counted(scene: Scene) -> set[str]:
    """The kinds of counters printed in boxes."""
    return {mark.kind for t in scene.tokens if t.kind == "unit" for mark in t.marks if mark.kind != "disorder"}


# --- other tables


def _table(scene: Scene, lang: str) -> Iterator[str]:
    """Every token with its place, in the units of the scene, facings in degrees."""
    rows = [(sign("id", lang), sign("side", lang), "x", "y", sign("facing", lang), sign("what", lang))]
    for token in _in_order(scene):
        facing = "" if token.facing is None else f"{token.facing / 10:g}"
        what = token.title or token.symbol.replace("_", " ")
        rows.append(
            (_plain(token.label or token.id), token.side, str(token.at[0]), str(token.at[1]), facing, _plain(what))
        )
    widths = [max(len(row[column]) for row in rows) for column in range(5)]
    for row in rows:
        lead = "  ".join(
            cell.rjust(width) if 2 <= column <= 4 else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(row[:5], widths, strict=True))
        )
        yield f"{lead}  {row[5]}"


def _roster(scene: Scene) -> Iterator[str]:
    """Every token in a sentence, by side, with its box."""
    for token in _in_order(scene):
        yield from wrap(f"{token.cell}: {_plain(token.title or token.id)}", WIDTH, subsequent_indent="    ")


def _in_order(scene: Scene) -> list[Token]:
    order = {side: at for at, side in enumerate(scene.sides)}
    return sorted(scene.tokens, key=lambda token: order.get(token.side, len(order)))


def _captions(scene: Scene) -> Iterator[str]:
    for side, words in titled_captions(scene):
        indent = "" if not side else "  "
        yield from wrap(_plain(words), WIDTH, initial_indent=indent, subsequent_indent=indent + "  ")


def _owners(scene: Scene, lang: str) -> Iterator[str]:
    """Whose units are which, where the first letters of their names do not say it."""
    units = [token for token in scene.tokens if token.kind == "unit"]
    initials = {(token.label[:1], token.side) for token in units}
    if len(initials) > len({initial for initial, _ in initials}) and is_grid(scene):
        for side in scene.sides:
            names = " ".join(_plain(token.label) for token in units if token.side == side)
            yield from wrap(
                fragment("scene.owner", {"side": sign(side, lang), "names": names}, lang),
                WIDTH,
                initial_indent="  ",
                subsequent_indent="    ",
            )


def _plain(words: str) -> str:
    """Words without characters that would upset a terminal."""
    return "".join(letter if letter.isprintable() or letter == NO_BREAK else "?" for letter in words)
