"""What does a rule say, in one sentence, and what is answered to the questions about it?

Each game has a table of its rules and of the rulings on disputed questions (`rules.toml` among its
data files); what all games share is in a table of its own. Another language adds `title_fr`,
`text_fr`, `question_fr` beside the English.
"""

from collections.abc import Iterable
from functools import cache
from typing import Any

from msgspec import Struct

from domain.data import read_toml
from domain.errors import BrokenInvariant

CORE = "core"
CORE_PREFIX = "CORE-"
FILE = "rules.toml"


class Rule(Struct, frozen=True):
    """A rule: `source` says where it comes from (seed, public, house), `see` which rules decide with it."""

    id: str
    title: str = ""
    text: str = ""
    source: tuple[str, ...] = ()
    see: tuple[str, ...] = ()


class Dispute(Struct, frozen=True):
    """A disputed question and its ruling, a text with gaps (replay.words.template)."""

    number: int
    question: str
    text: str
    rules: tuple[str, ...]


def rule(ruleset: str, rule_id: str, lang: str = "en") -> Rule:
    """A rule by its ID; one without a text if the tables do not know it."""
    table = _table(CORE if rule_id.startswith(CORE_PREFIX) else ruleset)
    row = table["rules"].get(rule_id)
    if row is None:
        return Rule(rule_id)
    return Rule(rule_id, _said(row, "title", lang), _said(row, "text", lang), tuple(row["source"]), _see(row))


def disputes(ruleset: str, rules: Iterable[str], event_type: str, lang: str = "en") -> tuple[Dispute, ...]:
    """The disputed questions that turn on any of these rules, for an event of a type."""
    wanted = set(rules)
    return tuple(
        Dispute(row["number"], _said(row, "question", lang), _said(row, "text", lang), tuple(row["rules"]))
        for row in _table(ruleset).get("disputes", ())
        if not wanted.isdisjoint(row["rules"]) and event_type in row.get("only", (event_type,))
    )


def _said(row: dict[str, Any], member: str, lang: str) -> str:
    said: str = row.get(f"{member}_{lang}") or row[member]
    return said


def _see(row: dict[str, Any]) -> tuple[str, ...]:
    return tuple(row.get("see", ()))


@cache
def _table(code: str) -> dict[str, Any]:
    """The table of a game; an empty one for a game that brings none."""
    try:
        return read_toml(code, FILE)
    except BrokenInvariant:
        return {"rules": {}}
