"""What a page of evidence is made of, whatever form it is printed in: parts with a title, of a few kinds of blocks.

All words are in one language already. Nothing in them is marked up: each form escapes what it must.
"""

from msgspec import Struct

from domain.contract.scene import Scene


class WordsBlock(Struct, frozen=True):
    """A paragraph; `is_strong` for what nobody should overlook."""

    said: str
    is_strong: bool = False


class ItemsBlock(Struct, frozen=True):
    """A list of sentences."""

    said: tuple[str, ...]


class Code(Struct, frozen=True):
    """Lines that stand as they are: bytes in hex, a command of the shell."""

    lines: tuple[str, ...]


class EvidenceBoard(Struct, frozen=True):
    """The table at a moment, with the words above it; `key` makes its ids unique in a page."""

    key: str
    title: str
    scene: Scene


Block = WordsBlock | ItemsBlock | Code | EvidenceBoard


class EvidencePart(Struct, frozen=True):
    """Blocks under a title."""

    title: str
    blocks: tuple[Block, ...]


class EvidencePage(Struct, frozen=True):
    """All evidence on an event."""

    lang: str
    title: str
    parts: tuple[EvidencePart, ...]
