"""Put a fault of a battle file into a sentence.

The checks (chain, notes, seats, draws, decks, audit) report a fault as a stable code with
plain details. The catalogue has the sentence of each code under `fault.CODE`; here are the details
that need formatting.
"""

from collections.abc import Mapping
from typing import Any
from unicodedata import category

import msgspec

from replay.telling import words
from replay.telling.words.catalogue import find
from replay.telling.words.sentences import fragment

ENGLISH = words.ENGLISH
FAULT, MEMBER = "fault", "member"
DIFFERENT_LENGTH = 400
"""Maximum characters of a difference shown."""
QUOTED_LENGTH = 80
"""Maximum characters shown of a text from a file."""


def quoted(value: Any) -> Any:
    """Plain data from a file as a terminal may show it: texts are cut, and control characters, line breaks and marks
    that turn the direction of writing stand there escaped. Numbers stay."""
    if isinstance(value, str):
        text = value if len(value) <= QUOTED_LENGTH else value[: QUOTED_LENGTH - 1] + "…"
        return text if text.isprintable() else "".join(map(_visible, text))
    if isinstance(value, Mapping):
        return {quoted(name): quoted(member) for name, member in value.items()}
    return [quoted(member) for member in value] if isinstance(value, (list, tuple)) else value


def _visible(character: str) -> str:
    is_harmless = category(character)[0] != "C" and category(character) not in ("Zl", "Zp")
    return character if is_harmless else character.encode("unicode_escape").decode("ascii")


def fault_sentence(what: str, details: Mapping[str, Any], lang: str = ENGLISH) -> str:
    """The fault without its place."""
    if what in ("event-differs", "casualties"):
        return _difference(what, details["expected"], details["found"], lang)
    details = quoted(details)
    if what == "not-allowed":
        params = {name: value for name, value in details.items() if name not in ("code", "rule")}
        refusal = words.refusal(details["code"], details["rule"], params, lang)
        return words.phrase(f"{FAULT}.{what}", {"refusal": refusal}, lang)
    if find(f"{FAULT}.{what}", lang) is None:
        return f"{what} ({', '.join(f'{name}: {_plain(value)}' for name, value in details.items())})"
    return words.phrase(f"{FAULT}.{what}", details, lang)


def line_sentence(line: int, what: str, details: Mapping[str, Any], lang: str = ENGLISH) -> str:
    """The fault with its place: the line counts from 1, 0 is the file as a whole."""
    said = f"{fault_sentence(what, details, lang)} [{what}]"
    return fragment(f"{FAULT}.line", {"line": line, "said": said}, lang) if line else said


def _plain(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)


def _difference(what: str, expected: str, found: str, lang: str) -> str:
    """The members in which an event differs from the one the rules decide."""
    by_rules, in_log = _members(expected), _members(found)
    names = [name for name in sorted({*by_rules, *in_log}) if by_rules.get(name) != in_log.get(name)]
    if "type" in names:
        types = quoted({"expected": by_rules["type"], "found": in_log["type"]})
        return words.phrase(f"{FAULT}.other-event", types, lang)
    told = "; ".join(
        fragment(
            f"{FAULT}.member-differs",
            quoted({"name": name, "expected": _json(by_rules, name, lang), "found": _json(in_log, name, lang)}),
            lang,
        )
        for name in names
    )
    return words.phrase(f"{FAULT}.{what}", {"told": told[:DIFFERENT_LENGTH]}, lang)


def _members(line: str) -> dict[str, Any]:
    members = msgspec.json.decode(line)
    return {**members.pop("data"), "by": members["by"], "rule": members["rule"], "type": members["type"]}


def _json(members: Mapping[str, Any], name: str, lang: str) -> str:
    absent = find(f"{MEMBER}.absent", lang) or ""
    return msgspec.json.encode(members[name]).decode() if name in members else absent
