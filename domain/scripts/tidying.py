"""Undo what people put around an order: list marks, emphasis, punctuation, small words, pictures, notes in brackets.

A line is read as it stands first; only if that fails are these readings of it tried, in this order. So nothing that
could be written before has changed its meaning. What a reading makes of a line is an order only if the game reads it.
"""

import re
import unicodedata
from collections.abc import Iterator

from domain.basics.spelling import plain_word

LONGEST = 400
"""A longer line is prose."""
MOST_AT_ONCE = 20
"""Orders of one line."""
FILLERS = frozenset(
    (
        *("please", "then", "now", "and", "first", "next", "finally", "move", "moves", "moving", "order", "orders"),
        *("unit", "the", "so", "ok", "okay", "puis", "ensuite", "et", "maintenant", "enfin", "deplace", "deplacer"),
        *("bouge", "ordre", "l'unite", "unite", "alors", "svp", "en"),
    )
)
"""Small words that people put before or into an order; without accents."""

_MARK = re.compile(
    r"(?:\|\s*|[-*+•·◦‣▪▸►→⁃○●✓✔☑➤]+\s+|[•·◦‣▪▸►→✓✔☑➤]\s*|\[[ xX]?\]\s*|"
    r"\(?#?\d{1,3}[.)\]:]\s+|\(?#?\d{1,3}[)\]]\s*|#\d{1,3}\s+|[a-z]\)\s+)"
)
_EMPHASIS = re.compile(r"(?<!\w)([*_~`]{1,3})(\S(?:.*?\S)?)\1(?!\w)")
_QUOTED = re.compile(r"^([\"'`])(.+)\1$")
_ENDS = " \t.,;:!?…"
_NOTE = re.compile(r"(?<=\S) \([^()]*\)$")
_LABEL = re.compile(r"^(\S+)\s*(?::|,|\s-|\s=>|\s->)\s+(?=\S)")
_APART = re.compile(r"\b([A-Za-z]{1,2}) (?=\d{1,2}\b)")
_SPELLED = re.compile(r"^([A-Za-z]) (one|two|three|four|five|six|seven|eight|nine|ten)\b", re.I)
_NUMBERS = {
    word: at
    for at, word in enumerate(("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"), 1)
}
_TARGET = re.compile(r"^(\S+?)\s*(?:->|=>|→|>)\s*(?=[A-Za-z]\d{1,2}$)")
_REASON = re.compile(
    r"\s+[-\u2013\u2014]{1,2}\s+(?:to|so|because|since|for|as|pour|car|afin|parce|puisque)\s[^\d]+$", re.I
)
"""Why an order is given, behind a dash: words alone."""
_CLOSING = re.compile(r"^(?:that'?s (?:all|it)|that is (?:all|it)|c'est tout)\s*[,.:;!-]\s*(?=\S)", re.I)
_SMILEY = re.compile(r"\s*(?:[:;=8]['^-]?[)(DPpoO3|/\\*]+|<3|\^\^|\bxD)\s*$")
_BETWEEN = re.compile(r"\s*[,;.]\s+|\s+/\s+|\s+(?:and|then|et|puis)\s+(?:then\s+|puis\s+)?|\s*(?:->|=>|→)\s*", re.I)


def tidied(said: str) -> Iterator[tuple[str, ...]]:
    """The readings of a line that cannot be read as it stands: each is one order, or several."""
    if len(said) > LONGEST:
        return
    seen = {said}
    plain = _spelled(_CLOSING.sub("", stripped(said).replace("\u2019", "'")))
    label = _LABEL.sub(r"\1 ", plain, count=1)
    for reading in (
        plain,
        label,
        *(_without_commas(text) for text in (plain, label)),
        *(_APART.sub(r"\1", text) for text in (plain, _without_commas(label))),
        *(_without_fillers(text) for text in (plain, _without_commas(label))),
        _without_fillers(_APART.sub(r"\1", _without_commas(label))),
        _TARGET.sub(r"\1 to ", plain, count=1),
        _without_fillers(_without_commas(_REASON.sub("", plain))),
    ):
        if reading and reading not in seen:
            seen.add(reading)
            yield (reading,)
    several = tuple(part for part in map(stripped, _BETWEEN.split(plain)) if part)
    if 1 < len(several) <= MOST_AT_ONCE:
        yield several
        alone = (_without_commas(_LABEL.sub(r"\1 ", part, count=1)) for part in several)
        yield tuple(_without_fillers(_APART.sub(r"\1", part)) or part for part in alone)


def _spelled(text: str) -> str:
    """A line whose name was dictated, `R two ahead`, as it is written."""
    return _SPELLED.sub(lambda found: f"{found[1]}{_NUMBERS[found[2].lower()]}", text)


def stripped(said: str) -> str:
    """A line without list marks, emphasis, pictures, a note behind it, and punctuation around it."""
    text = _SMILEY.sub("", without_pictures(said))
    before = ""
    while text != before:  # `- *R1 ahead.*`: each may stand within another
        before = text
        text = _MARK.sub("", text.strip(), count=1) if _MARK.match(text.strip()) else text.strip()
        text = _EMPHASIS.sub(r"\2", text)
        text = without_note(_QUOTED.sub(r"\2", text.strip(_ENDS)))
    return text


def without_note(text: str) -> str:
    """A line without what stands in brackets at its end."""
    return _NOTE.sub("", text)


def without_pictures(said: str) -> str:
    """A line without emoji and other pictures."""
    kept = "".join(" " if _is_picture(letter) else letter for letter in said)
    return " ".join(kept.split())


def _is_picture(letter: str) -> bool:
    code = ord(letter)
    return code > 0x2000 and (
        unicodedata.category(letter) in ("So", "Cs", "Co", "Cn") or code in (0x200D, 0xFE0E, 0xFE0F) or code >= 0x1F000
    )


def _without_commas(text: str) -> str:
    return " ".join(word.rstrip(",;:.") or word for word in text.split())


def _without_fillers(text: str) -> str:
    return " ".join(word for word in text.split() if plain_word(word.strip(",.")) not in FILLERS)
