"""The pieces of a letter beyond the common blocks."""

from msgspec import Struct

from server.mail.blocks import Block


class Items(Struct, frozen=True, tag="items"):
    """A list of sentences; `lines` of (level, sentence): what stands at level 1 follows from the one above it."""

    lines: tuple[tuple[int, str], ...]


class EchoedLine(Struct, frozen=True, tag="echo"):
    """Lines of a player's mail as he wrote them, each with what became of it ("" where that is said elsewhere)."""

    lines: tuple[tuple[str, str], ...]


class LetterWords(Struct, frozen=True, tag="words"):
    """What somebody else wrote, line by line as he wrote it; `by` says who."""

    by: str
    lines: tuple[str, ...]


class Cut(Struct, frozen=True, tag="cut"):
    """The line above which an answer is written."""

    text: str


class Lead(Struct, frozen=True, tag="lead"):
    """The first line: what is wanted, and by when."""

    text: str


class LetterPicture(Struct, frozen=True, tag="picture"):
    """A board ready to be shown: `words` describe it, `text` is drawn with letters, `png` is b"" where no picture is
    wanted; it stands in the mail under `cid`."""

    words: str
    text: str
    png: bytes
    cid: str


Piece = Block | Items | EchoedLine | LetterWords | Cut | Lead | LetterPicture
