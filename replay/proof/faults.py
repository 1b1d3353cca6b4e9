"""Put a fault of a battle file into a sentence.

The checks (chain, notes, seats, draws, decks, audit) report a fault as a stable code with
plain details. The catalogue has the sentence of each code under `fault.CODE`; here are the details
that need formatting.
"""

from collections.abc import Mapping
from typing import Any

import msgspec

from replay.telling import words
from replay.telling.words.catalogue import find
from replay.telling.words.sentences import fragment

ENGLISH = words.ENGLISH
FAULT, MEMBER = "fault", "member"
DIFFERENT_LENGTH = 400
"""Maximum characters of a difference shown."""


def fault_sentence(what: str, details: Mapping[str, Any], lang: str = ENGLISH) -> str:
    """The fault without its place."""
    if what == "not-allowed":
        params = {name: value for name, value in details.items() if name not in ("code", "rule")}
        refusal = words.refusal(details["code"], details["rule"], params, lang)
        return words.phrase(f"{FAULT}.{what}", {"refusal": refusal}, lang)
    if what == "event-differs":
        return _difference(details["expected"], details["found"], lang)
    if find(f"{FAULT}.{what}", lang) is None:
        return f"{what} ({', '.join(f'{name}: {_plain(value)}' for name, value in details.items())})"
    return words.phrase(f"{FAULT}.{what}", details, lang)


def line_sentence(line: int, what: str, details: Mapping[str, Any], lang: str = ENGLISH) -> str:
    """The fault with its place: the line counts from 1, 0 is the file as a whole."""
    said = f"{fault_sentence(what, details, lang)} [{what}]"
    return fragment(f"{FAULT}.line", {"line": line, "said": said}, lang) if line else said


def _plain(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)


def _difference(expected: str, found: str, lang: str) -> str:
    """The members in which an event differs from the one the rules decide."""
    by_rules, in_log = _members(expected), _members(found)
    names = [name for name in sorted({*by_rules, *in_log}) if by_rules.get(name) != in_log.get(name)]
    if "type" in names:
        types = {"expected": by_rules["type"], "found": in_log["type"]}
        return words.phrase(f"{FAULT}.other-event", types, lang)
    told = "; ".join(
        fragment(
            f"{FAULT}.member-differs",
            {"name": name, "expected": _json(by_rules, name, lang), "found": _json(in_log, name, lang)},
            lang,
        )
        for name in names
    )
    return words.phrase(f"{FAULT}.event-differs", {"told": told[:DIFFERENT_LENGTH]}, lang)


def _members(line: str) -> dict[str, Any]:
    members = msgspec.json.decode(line)
    return {**members.pop("data"), "by": members["by"], "rule": members["rule"], "type": members["type"]}


def _json(members: Mapping[str, Any], name: str, lang: str) -> str:
    absent = find(f"{MEMBER}.absent", lang) or ""
    return msgspec.json.encode(members[name]).decode() if name in members else absent
