"""What a name looks like: names that a reader may take for one another have the same look.

The skeleton of UTS 39, made of the name without case, and without what is hardly seen: spaces, punctuation, symbols.
Because names are compared in any case, `I`, `i`, `l` and `1` count as one letter here.
"""

import unicodedata

from server.spelling.tables import looks

SEEN = ("L", "M", "N")
"""The general categories that count: letters, marks, numbers."""
ROUNDS = 2
"""A look may be a capital whose small letter looks like another one."""


def look_of(name: str) -> str:
    """The look of a name, "" if nothing of it is a letter or a digit."""
    known, text = looks(), unicodedata.normalize("NFKC", name).casefold()
    for _ in range(ROUNDS):
        parts = unicodedata.normalize("NFD", text)
        text = "".join(known.get(letter, letter) for letter in parts).casefold()
    bare = unicodedata.normalize("NFD", text).replace("i", "l")
    return "".join(letter for letter in bare if unicodedata.category(letter)[0] in SEEN and not is_invisible(letter))


def is_invisible(letter: str) -> bool:
    """Whether a letter or mark shows nothing (Default_Ignorable_Code_Point, and the blank of braille)."""
    point = ord(letter)
    return unicodedata.category(letter) == "Cf" or any(first <= point <= last for first, last in INVISIBLE)


INVISIBLE = (
    (0x034F, 0x034F),
    (0x115F, 0x1160),
    (0x17B4, 0x17B5),
    (0x180B, 0x180F),
    (0x2800, 0x2800),
    (0x3164, 0x3164),
    (0xFE00, 0xFE0F),
    (0xFFA0, 0xFFA0),
    (0x1D173, 0x1D17A),
    (0xE0000, 0xE0FFF),
)
"""Letters and marks that are not seen, beside those of category Cf (DerivedCoreProperties.txt)."""
