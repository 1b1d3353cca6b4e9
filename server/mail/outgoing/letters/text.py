"""Render a letter as plain text.

Running text is wrapped; boards, orders and listings stay as they are. No line of it can be read as an order, whatever a
mail program makes of it when it quotes: orders begin with `| `, sentences of a recap with a dash and the event.
"""

from collections.abc import Iterator, Mapping, Sequence
from textwrap import wrap

from replay.drawing.text.signs import WIDTH
from replay.telling.words import ENGLISH
from server.mail.blocks import ExamplesBlock, HeadingLine, Link, Listing, MenuBlock, OrdersBlock, Paragraph, TableBlock
from server.mail.cut import uncut
from server.mail.outgoing.letters.menu_text import BAR, PACKED, menu_lines, packed_lines
from server.mail.outgoing.letters.pieces import (
    Cut,
    EchoedLine,
    Lead,
    LetterPicture,
    LetterWords,
    ListPiece,
    Piece,
)
from server.words import say

LONGEST = 45
"""Lines that a letter with a short list of orders should not exceed."""
LEAST_ORDERS, MOST_PACKED = 4, 12
"""Lines that the short list gets in any case, and those that it gets to name every unit."""
CLOSE = (Listing, MenuBlock, LetterPicture, ListPiece, Paragraph)
"""What may stand without a blank line above it where room is short, the first of these first."""
COMMENT = "#"
INDENT = "    "
GAP = "  "
WIDEST_ORDER = 34
"""Orders up to this length get their comments in one column."""


def text_of(pieces: Sequence[Piece], foot: Sequence[str], note: str, lang: str = ENGLISH) -> str:
    """The text body: the pieces, the foot, and the signed head behind a signature line. The short list of orders gets
    the lines that are left of `LONGEST`, or of its section, if nothing followed it but the foot."""
    ending = ["", *(line for told in foot for line in _wrapped(told))]
    if note:
        ending += ["-- ", *note.rstrip("\n").split("\n")]
    parts: list[list[str] | MenuBlock] = []
    cuts, rooms, gaps = set[int](), dict[int, int](), dict[int, type[Piece]]()
    number = 0
    for piece in pieces:
        if parts:
            is_apart = isinstance(piece, HeadingLine) and len(parts) - 1 not in rooms
            gaps[len(parts)] = type(piece)
            parts.append(["", ""] if is_apart else [""])
        parts.append(piece if isinstance(piece, MenuBlock) else list(_lines(piece, number, lang)))
        if isinstance(piece, Cut):
            cuts.add(len(parts) - 1)
            rooms |= {len(parts) - 1: piece.room} if piece.room else {}
        if isinstance(piece, OrdersBlock):
            number += sum(not order.startswith(COMMENT) for _, orders in piece.groups for order in orders)
    lines: list[str] = []
    last = LONGEST - len(ending)
    if not rooms:
        _squeeze(parts, gaps, last, lang)
    for at, part in enumerate(parts):
        last = len(lines) + rooms[at] if at in rooms else last
        if isinstance(part, MenuBlock):
            lines += menu_lines(part, max(last - len(lines), LEAST_ORDERS), lang)
        else:
            lines += part if at in cuts else map(uncut, part)
    return "\n".join([*lines, *ending]) + "\n"


def _squeeze(parts: list[list[str] | MenuBlock], gaps: Mapping[int, type[Piece]], last: int, lang: str) -> None:
    """Take blank lines out of a letter that is too long even with the shortest list of orders, the ones between what
    belongs together first."""
    if not any(isinstance(part, MenuBlock) for part in parts):
        return
    most = next(
        (at for at, after in gaps.items() if after is HeadingLine), len(parts)
    )  # what binds the host comes on top
    least = (_least(part, lang) if isinstance(part, MenuBlock) else part for part in parts[:most])
    over = sum(map(len, least)) - last
    for kind in CLOSE:
        for at in [at for at, after in gaps.items() if after is kind and over > 0]:
            parts[at] = []
            over -= 1


def _least(menu: MenuBlock, lang: str) -> list[str]:
    """The shortest list of orders with every unit, or the shortest of all where that is short or too long."""
    packed = packed_lines(menu, lang, PACKED[-1])
    is_apart = LEAST_ORDERS < len(packed) <= MOST_PACKED
    return packed if is_apart else list(menu_lines(menu, LEAST_ORDERS, lang))


def _lines(piece: Piece, number: int, lang: str) -> Iterator[str]:
    match piece:
        case Lead(text) | Paragraph(text):
            yield from _wrapped(text)
        case HeadingLine(text):
            yield text
            yield "=" * len(text)
        case Cut(text, _):
            yield text
        case TableBlock(heads, rows, _):
            yield from _table(heads, rows)
        case Listing(lines):
            yield from lines
        case ListPiece(lines):
            for level, said in lines:
                indent = INDENT * level
                yield from _wrapped(f"{indent}- {said}", f"{indent}  ")
        case ExamplesBlock(lines):
            yield from _examples(lines)
        case EchoedLine(lines):
            for written, became in lines:
                yield f"{BAR}{written}"
                yield from _wrapped(f"{INDENT}{became}", INDENT) if became else ()
        case LetterWords(_, lines):
            for line in lines:
                yield from _wrapped(f"{BAR}{line}", BAR) or [BAR.rstrip()]
        case Link(text, href):
            yield say(lang, "letter.link", text=text)
            yield href
        case OrdersBlock(groups):
            yield from _orders(groups, number)
        case LetterPicture(_, text):
            yield from text.rstrip("\n").split("\n")
        case _:
            raise TypeError(piece)


def _examples(lines: Sequence[tuple[str, str]]) -> Iterator[str]:
    """Lines with their meanings beside them, below those that are long."""
    width = max((len(line) for line, _ in lines if len(line) <= WIDEST_ORDER), default=0)
    for line, does in lines:
        told = _wrapped(f"{BAR}{line.ljust(width)}{GAP}{does}", f"{BAR}{' ' * width}{GAP}")
        yield from told if len(line) <= width else (f"{BAR}{line}", *_wrapped(f"{BAR}{INDENT}{does}", f"{BAR}{INDENT}"))


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """The rows below their heads, in columns; the widest column gives way until a row fits in a line."""
    widths = [max(map(len, column)) for column in zip(heads, *rows, strict=True)]
    while sum(widths) + len(GAP) * (len(widths) - 1) > WIDTH:
        widths[widths.index(max(widths))] -= 1
    for row in (heads, *rows):
        cells = (shortened(cell, width).ljust(width) for cell, width in zip(row, widths, strict=True))
        yield GAP.join(cells).rstrip()


def shortened(text: str, width: int) -> str:
    """A text in at most so many letters."""
    return text if len(text) <= width else f"{text[: width - 1].rstrip()}…"


def _wrapped(text: str, indent: str = "") -> list[str]:
    return wrap(text, WIDTH, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)


def _orders(groups: Sequence[tuple[str, Sequence[str]]], number: int) -> Iterator[str]:
    for at, (title, orders) in enumerate(groups):
        if at:
            yield ""
        yield from _wrapped(title) if title else ()
        plain = [order.partition(COMMENT)[0].rstrip() for order in orders]
        width = max((len(order) for order in plain if len(order) <= WIDEST_ORDER), default=0)
        for order, written in zip(plain, orders, strict=True):
            if not order:  # a comment that goes on
                yield f"{BAR}{written}"
                continue
            number += 1
            comment = written.partition(COMMENT)[2].strip()
            yield f"{BAR}{order.ljust(width)}  {COMMENT} {number}{f': {comment}' if comment else ''}"
