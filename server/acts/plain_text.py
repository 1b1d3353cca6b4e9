"""The words of a player in a form fit for other people's eyes."""

import re
import unicodedata

_DOT = re.compile(r"(?<=\w)[.\u3002\uff0e\uff61](?=\w)")


def readable(text: str) -> str:
    """A text in displayable form: NFC, line feeds kept, no other control characters or invisible marks."""
    lines = unicodedata.normalize("NFC", text.replace("\r\n", "\n").replace("\t", " ")).split("\n")
    return "\n".join("".join(filter(_is_visible, line)).rstrip() for line in lines).strip()


def unlinked(text: str) -> str:
    """A text in which no mail program finds an address to click."""
    return _DOT.sub(". ", text).replace("://", ": ").replace("@", " (at) ")


def _is_visible(letter: str) -> bool:
    """Whether a character is not a control, format (direction marks, zero widths) or surrogate character."""
    return letter.isprintable() or unicodedata.category(letter) in ("Zs", "Co")
