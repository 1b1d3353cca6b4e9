"""Render a letter as HTML.

One self-contained page: its style is its own, the board comes with the mail. Colours are those of
the reader's program, light or dark. All text goes through the escaping of the templates.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any
from urllib.parse import quote

import jinja2

from replay.drawing.palette import INK
from server.mail.blocks import Choice, MenuBlock, OrdersBlock
from server.mail.cut import CUT
from server.mail.outgoing.letters.menu_text import BAR, shortened
from server.mail.outgoing.letters.pieces import Lead, Piece
from server.mail.outgoing.letters.text import COMMENT

MOST_CHOICES, FEW_CHOICES, MANY_UNITS = 7, 3, 9
"""Orders of a unit, so that a letter is at most three screens of a phone; fewer where units are many."""


def html_of(
    title: str, pieces: Sequence[Piece], foot: Sequence[tuple[str, str]], note: str, lang: str, address: str
) -> str:
    """The HTML body; `foot` are links as (text, href), "" for no link; `address` is that of the server's pages."""
    told = [_piece_members(piece, address) for piece in _numbered(pieces)]
    summary = next((piece.text for piece in pieces if isinstance(piece, Lead)), "")
    return _template().render(
        lang=lang, title=title, summary=summary, pieces=told, foot=foot, note=note, bar=BAR, ink=INK, scissors=CUT
    )


def _numbered(pieces: Sequence[Piece]) -> Iterator[tuple[Piece, int]]:
    """The pieces, each with the number of its first order."""
    number = 1
    for piece in pieces:
        yield piece, number
        if isinstance(piece, OrdersBlock):
            number += sum(not order.startswith(COMMENT) for _, orders in piece.groups for order in orders)


def _piece_members(numbered: tuple[Piece, int], address: str) -> dict[str, Any]:
    piece, number = numbered
    kind = str(piece.__struct_config__.tag)
    return {
        "kind": kind,
        "piece": piece,
        "groups": list(_groups(piece, number)) if isinstance(piece, OrdersBlock) else (),
        "menu": list(_menu(piece, address)) if isinstance(piece, MenuBlock) else (),
    }


def _menu(piece: MenuBlock, address: str) -> Iterator[tuple[str, str, list[tuple[str, tuple[str, list[Choice], int]]]]]:
    """The headings with their colours and lines; each line with the link to where its unit is ordered on the page."""
    page = f"{address}/battles/{piece.battle}#pick-"
    units = sum(len(lines) for _, lines in piece.groups)
    most = MOST_CHOICES if units < MANY_UNITS else FEW_CHOICES
    for (heading, lines), tint in zip(piece.groups, piece.tints, strict=True):
        yield (
            heading,
            tint,
            [(page + quote(line.unit), shortened(line, most if line.label else MOST_CHOICES)) for line in lines],
        )


def _groups(piece: OrdersBlock, number: int) -> Iterator[dict[str, Any]]:
    for title, written in piece.groups:
        orders: list[list[Any]] = []
        for line in written:
            order, _, comment = line.partition(COMMENT)
            if order.strip():
                orders.append([order.strip(), comment.strip()])
            elif orders:
                orders[-1][1] += f" {comment.strip()}"
        yield {"title": title, "start": number, "orders": orders}
        number += len(orders)


@cache
def _template() -> jinja2.Template:
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("server.mail.outgoing.letters"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    return environment.get_template("letter.html")
