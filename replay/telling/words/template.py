"""Fill a text with gaps to make a sentence.

`{name}` is a member of the message, `{name:form}` the same in a form (replay.telling.words.forms). A part in
`[square brackets]` stands only where all it names is there and not empty; `[one|other]` takes the
first alternative of which that is true. `{name:?}`, `{name:?value}` and `{name:?=other}` print
nothing: they ask whether a member is there, is that value, or is the same as another one, so that
`[{standing:?} (standing order)]` can be said.
"""

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from string import Formatter
from typing import Any

TEST, SAME = "?", "?="
_SEGMENT = re.compile(r"\[([^\[\]]*)\]")

Say = Callable[[str, Any], str]
"""From (form, value) to text."""
Piece = tuple[str, str, str]
"""A text, and the gap after it as name and form; the last may have none ("")."""
Part = tuple[bool, tuple[tuple[Piece, ...], ...]]
"""Whether it may fall away, and its alternatives."""


def fill(template: str, params: Mapping[str, Any], say: Say) -> str:
    """The text with its gaps filled.

    Raises: KeyError with the name of a member that is not there, outside brackets
    """
    texts = []
    for optional, alternatives in _parsed(template):
        for pieces in alternatives:
            if not optional or all(_holds(name, form, params) for _, name, form in pieces if name):
                texts.append(_filled(pieces, params, say))
                break
    return "".join(texts)


def fields(template: str) -> frozenset[str]:
    """The names that a message must have for this template: those outside brackets."""
    return frozenset(
        name for optional, (pieces, *_) in _parsed(template) if not optional for _, name, _ in pieces if name
    )


def _filled(pieces: tuple[Piece, ...], params: Mapping[str, Any], say: Say) -> str:
    texts = []
    for text, name, form in pieces:
        texts.append(text)
        if name and not form.startswith(TEST):
            texts.append(say(form, params[name]))
    return "".join(texts)


def _holds(name: str, form: str, params: Mapping[str, Any]) -> bool:
    value = params.get(name)
    if form.startswith(SAME):
        return name in params and value == params.get(form[2:])
    if len(form) > 1 and form.startswith(TEST):
        return str(value) == form[1:]
    return value is not None and value is not False and value not in ("", (), [], {})


@lru_cache(maxsize=4096)
def _parsed(template: str) -> tuple[Part, ...]:
    parts: list[Part] = []
    for at, text in enumerate(_SEGMENT.split(template)):
        alternatives = text.split("|") if at % 2 else [text]
        if text or at % 2:
            parts.append((bool(at % 2), tuple(_pieces(alternative) for alternative in alternatives)))
    return tuple(parts)


def _pieces(text: str) -> tuple[Piece, ...]:
    return tuple((before, name or "", form or "") for before, name, form, _ in Formatter().parse(text))
