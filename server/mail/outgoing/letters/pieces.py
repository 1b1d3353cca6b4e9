"""The pieces of a letter beyond the common blocks."""

from msgspec import Struct

from server.mail.blocks import Block


class ListPiece(Struct, frozen=True, tag="items"):
    """A list of sentences; `lines` of (level, sentence): a sentence at level 1 follows from the one above it."""

    lines: tuple[tuple[int, str], ...]


class EchoedLine(Struct, frozen=True, tag="echo"):
    """Lines of a player's mail as written, each with its result ("" if that is stated elsewhere)."""

    lines: tuple[tuple[str, str], ...]


class LetterWords(Struct, frozen=True, tag="words"):
    """What somebody else wrote, line by line as written; `by` names the author."""

    by: str
    lines: tuple[str, ...]


class Cut(Struct, frozen=True, tag="cut"):
    """The line above which an answer is written; or the mark of a battle in a letter about several, which begins a
    section of `room` lines."""

    text: str
    room: int = 0


class Lead(Struct, frozen=True, tag="lead"):
    """The first line: what is wanted, and by when."""

    text: str


class LetterPicture(Struct, frozen=True, tag="picture"):
    """A board ready to be shown: `words` describe it, `text` is drawn with letters, `png` is b"" if no picture is
    wanted; the mail contains it under `cid`."""

    words: str
    text: str
    png: bytes
    cid: str


Piece = Block | ListPiece | EchoedLine | LetterWords | Cut | Lead | LetterPicture
