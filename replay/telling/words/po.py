"""Reads message catalogues in gettext's `.po` format, the part of it that ours are written in.

Entries are `msgid`, `msgid_plural`, `msgstr` and `msgstr[n]`, each text in one or more quoted lines; a comment has a
line of its own. Whatever else a tool may write (contexts, fuzzy and obsolete entries) is an error: a catalogue is read
when a program starts, and nothing in it may be passed over in silence. Compiled catalogues (`.mo`) would be read
faster, but have to be built; reading the largest of ours takes a few milliseconds.
"""

import re
from collections.abc import Callable, Mapping
from gettext import c2py
from typing import NamedTuple

_ENTRY = re.compile(r'(msgid|msgid_plural|msgstr|msgstr\[(\d)\]) (".*")')
_TEXT = re.compile(r'"((?:[^"\\]|\\[nt"\\])*)"')
_ESCAPE = re.compile(r'\\([nt"\\])')
_PLAIN = {"n": "\n", "t": "\t", '"': '"', "\\": "\\"}
_PLURAL_FORMS = re.compile(r"^Plural-Forms:.*plural=([^;\n]+)", re.M)
HEADER = ""
"""The msgid of the entry that describes the catalogue."""


class Catalogue(NamedTuple):
    """The texts of one file: each id with its text, or with one text for each plural form; `form` is the number of the
    form for a count."""

    texts: Mapping[str, tuple[str, ...]]
    form: Callable[[int], int]


class BadCatalogue(ValueError):
    """A line that this reader does not know, or an id without a text or with two."""


def read_po(source: str) -> Catalogue:
    """The catalogue of a `.po` file.

    Raises: BadCatalogue, naming the line or the id
    """
    entries: list[tuple[str, list[str]]] = []
    field: list[str] = []  # the lines of the text that is being read
    for number, line in enumerate(source.splitlines(), 1):
        if not line or (line[0] == "#" and line[:2] not in ("#~", "#,")):
            continue
        found = _ENTRY.fullmatch(line)
        if found:
            field = [_text(found[3], number)]
            entries.append((found[1], field))
        elif line[0] == '"' and entries:
            field.append(_text(line, number))
        else:
            raise BadCatalogue(f"line {number}: {line}")
    texts = _texts([(name, "".join(lines)) for name, lines in entries])
    header = "".join(texts.pop(HEADER, ()))
    plural = _PLURAL_FORMS.search(header)
    return Catalogue(texts, c2py(plural[1]) if plural else lambda count: int(count != 1))


def _text(quoted: str, number: int) -> str:
    found = _TEXT.fullmatch(quoted)
    if not found:
        raise BadCatalogue(f"line {number}: {quoted}")
    return _ESCAPE.sub(lambda escape: _PLAIN[escape[1]], found[1]) if "\\" in quoted else found[1]


def _texts(fields: list[tuple[str, str]]) -> dict[str, tuple[str, ...]]:
    """The texts by id, from the fields of all entries."""
    forms: dict[str, list[str]] = {}
    msgid: str | None = None
    for name, text in fields:
        if name == "msgid":
            if text in forms:
                raise BadCatalogue(f"{text}: twice")
            msgid, forms[text] = text, []
        elif msgid is None:
            raise BadCatalogue(f"{name} before the first msgid")
        elif name != "msgid_plural":
            forms[msgid].append(text)
    empty = [one for one, texts in forms.items() if not all(texts) or not texts]
    if empty:
        raise BadCatalogue(f"{', '.join(empty)}: without a text")
    return {one: tuple(texts) for one, texts in forms.items()}
