"""Tell whether a text is French.

By the English words that are no French ones. Names that players and scenarios give, quoted phrases
and rule texts' option names are left out: they are nobody's to translate.
"""

import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from msgspec import Struct

ENGLISH = re.compile(
    r"\b(the|of|and|is|are|was|were|with|from|has|have|had|by|for|not|it|its|draws?|needed|left|wins?|lost|gives?|"
    r"goes|cannot|south|north|east|west|side|turns?|begins?|ends?|ahead|shoots?|must|may|who|which)\b",
    re.IGNORECASE,
)


def speaks_french(text: str, names: Collection[str] = ()) -> bool:
    """Whether nothing in a text is English, but for the names in it."""
    return not english_in(text, names)


def english_in(text: str, names: Collection[str] = ()) -> list[str]:
    """The English words of a text."""
    for name in sorted(names, key=len, reverse=True):
        text = text.replace(name, "")
    text = re.sub(r"«.*?»|draw:\w+|\w+_\w+|Événement \d+, \w+|\b[A-Z]{2,}[\w-]*", "", text)
    return [match.group() for match in ENGLISH.finditer(text)]


def ill_set(text: str) -> list[str]:
    """What in a French text is not set as French is: a typewriter's apostrophe, a mark that a line could begin with, or
    one without its space. Gaps, code and addresses are left out."""
    bare = GAPS.sub("x", text).replace("To the Strongest!", "")
    return [bare[max(0, found.start() - AROUND) : found.end() + AROUND] for found in ILL_SET.finditer(bare)]


GAPS = re.compile(r"\{[^{}]*\}|`[^`]*`|\w+:\s?\w*/\S*|Authorization: Bearer")
ILL_SET = re.compile(r"'|[^\N{NO-BREAK SPACE}][;?!»]|[ \n][:%]|«[^\N{NO-BREAK SPACE}]|\w:(?=\s|$)")
AROUND = 20
"""Characters shown on either side."""


def names_in(value: Any) -> set[str]:
    """The names and titles that a scenario gives."""
    return {name for name in _names(value) if name}


def _names(value: Any) -> Iterator[str]:
    if isinstance(value, Struct):
        value = {field: getattr(value, field) for field in value.__struct_fields__}
    if isinstance(value, Mapping):
        yield from (str(value[key]) for key in ("title", "name", "corps_name", "army") if value.get(key))
        for inner in value.values():
            yield from _names(inner)
    elif isinstance(value, (list, tuple)):
        for inner in value:
            yield from _names(inner)
