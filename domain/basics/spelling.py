"""The form in which the words of an order line are compared."""

import unicodedata
from functools import lru_cache


@lru_cache(1 << 12)  # players send words of all kinds
def plain_word(word: str) -> str:
    """A word without accents, in lower case."""
    decomposed = unicodedata.normalize("NFKD", word.casefold())
    return "".join(letter for letter in decomposed if not unicodedata.combining(letter))
