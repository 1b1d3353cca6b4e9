"""The blocks of a letter, before it is text or HTML.

Any part of the server produces blocks; `server.mail.outgoing.letters` turns them into the two bodies of a mail.
All text is in the reader's language already.
"""

from msgspec import Struct


class Heading(Struct, frozen=True, tag="heading"):
    """A line above related blocks."""

    text: str


class Paragraph(Struct, frozen=True, tag="paragraph"):
    """Running text; the text body wraps it."""

    text: str


class Listing(Struct, frozen=True, tag="listing"):
    """Lines that stay as they are, in a fixed-width font: a log, a help table."""

    lines: tuple[str, ...]


class OrdersBlock(Struct, frozen=True, tag="orders"):
    """Legal orders to copy, numbered; `groups` of (heading, orders with what they need). In the text body each
    line begins with `| `, so that none can be read as an order."""

    groups: tuple[tuple[str, tuple[str, ...]], ...]


class BoardBlock(Struct, frozen=True, tag="board"):
    """The board of a battle after event `n`, as the reader's side knows it: as text, and as a picture."""

    battle: str
    n: int
    side: str


class Link(Struct, frozen=True, tag="link"):
    """A button in HTML, an address on its own line in text."""

    text: str
    href: str


Block = Heading | Paragraph | Listing | OrdersBlock | BoardBlock | Link
