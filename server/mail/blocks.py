"""The blocks of a letter, before it is text or HTML.

Any part of the server produces blocks; `server.mail.outgoing.letters` turns them into the two bodies of a mail.
All text is in the reader's language already.
"""

from msgspec import Struct

from domain.campaign.theatre.map_scene import MapScene


class HeadingLine(Struct, frozen=True, tag="heading"):
    """A line above related blocks."""

    text: str


class Paragraph(Struct, frozen=True, tag="paragraph"):
    """Running text; the text body wraps it."""

    text: str


class Listing(Struct, frozen=True, tag="listing"):
    """Lines that stay as they are, in a fixed-width font: a log, a help table."""

    lines: tuple[str, ...]


class TableBlock(Struct, frozen=True, tag="table"):
    """Rows below the heads of their columns. The first column is a number or a place; `own`: the row of the reader,
    from 0, -1 for none."""

    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    own: int = -1


class ExamplesBlock(Struct, frozen=True, tag="examples"):
    """Lines that may be written, each with what it does. In the text body each begins with `| `, so that none can be
    read as a line of the answer."""

    lines: tuple[tuple[str, str], ...]


class OrdersBlock(Struct, frozen=True, tag="orders"):
    """Legal orders to copy, numbered; `groups` of (heading, orders with what they need). In the text body each
    line begins with `| `, so that none can be read as an order."""

    groups: tuple[tuple[str, tuple[str, ...]], ...]


class Choice(Struct, frozen=True):
    """An order of a short list: its number in the whole list, its words, and how likely its draw passes ("" without
    one)."""

    number: int
    words: str
    odds: str = ""


class MenuLine(Struct, frozen=True):
    """The orders of a unit, or of the whole side (`label` and `unit` ""), the most wanted first."""

    label: str
    choices: tuple[Choice, ...]
    unit: str


class MenuBlock(Struct, frozen=True, tag="menu"):
    """The legal orders in a few lines, as many as there is room for; `groups` of (heading or "", lines), and for each
    of them the colour that its formation has in the picture of the board ("" for none). In the text body each line
    begins with `| `, so that none can be read as an order."""

    groups: tuple[tuple[str, tuple[MenuLine, ...]], ...]
    tints: tuple[str, ...]
    battle: str


class BoardBlock(Struct, frozen=True, tag="board"):
    """The board of a battle after event `n`, as the reader's side knows it: as text, and as a picture. `brief`: in as
    few lines as it needs, and no list of what stands where."""

    battle: str
    n: int
    side: str
    brief: bool = False


class MapBlock(Struct, frozen=True, tag="map"):
    """The map of a campaign: as a picture, and in letters."""

    scene: MapScene


class Link(Struct, frozen=True, tag="link"):
    """A button in HTML, an address on its own line in text."""

    text: str
    href: str


Block = (
    HeadingLine
    | Paragraph
    | Listing
    | TableBlock
    | ExamplesBlock
    | OrdersBlock
    | MenuBlock
    | BoardBlock
    | MapBlock
    | Link
)
