"""The years of a people or an army list, in words."""

from typing import Any

from replay.telling.words import phrase

BEFORE = {"en": "BC", "fr": "av. J.-C."}


def years(entry: Any, lang: str = "en") -> str:
    """The years of a list: "264 to 146 BC"."""
    before = BEFORE.get(lang, BEFORE["en"])
    first, last = entry.first, entry.last
    params = {"first": str(abs(first)), "last": str(abs(last))}
    if last < 0:
        params["last"] += f" {before}"
    elif first < 0:
        params["first"] += f" {before}"
    return phrase("army-text.years", params, lang)
