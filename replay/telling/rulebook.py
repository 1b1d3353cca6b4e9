"""The sentence of each rule, and the answers to questions often asked about it.

Each game has a table of its rules and of the rulings on disputed questions (`rules.toml` among its
data files); what all games share is in a table of its own, and so are the rules of campaigns.
Another language adds `title_fr`, `text_fr`, `question_fr` beside the English. A disputed question is
raised by an event whose rules it turns on, of the types in `only` if the table names them; or, if it
has `when`, by an event of which one of these lines holds. A rule that has `when` decides beside
others only in such an event.
"""

from collections.abc import Iterable, Mapping
from functools import cache
from types import MappingProxyType
from typing import Any

from msgspec import Struct

from domain.basics.data import CAMPAIGN, CORE, read_toml
from domain.basics.errors import BrokenInvariant

CORE_PREFIX = "CORE-"
SHARED: Mapping[str, str] = MappingProxyType({CORE_PREFIX: CORE, "CAM-": CAMPAIGN})
"""The tables that are no game's, by how the IDs of their rules begin."""
FILE = "rules.toml"
NOTHING: Mapping[str, Any] = MappingProxyType({})


class Rule(Struct, frozen=True):
    """A rule: `source` says where it comes from (seed, public, house), `see` which rules decide with it."""

    id: str
    title: str = ""
    text: str = ""
    source: tuple[str, ...] = ()
    see: tuple[str, ...] = ()


class Dispute(Struct, frozen=True):
    """A disputed question and its ruling, a text with gaps (replay.telling.words.template)."""

    number: int
    question: str
    text: str
    rules: tuple[str, ...]


def rule(ruleset: str, rule_id: str, lang: str = "en") -> Rule:
    """A rule by its ID; one without a text if the tables do not know it."""
    row = _row(ruleset, rule_id)
    if row is None:
        return Rule(rule_id)
    return Rule(rule_id, _member(row, "title", lang), _member(row, "text", lang), tuple(row["source"]), _see(row))


def decides(ruleset: str, rule_id: str, params: Mapping[str, Any]) -> bool:
    """Whether a rule that another one names in `see` has its part in an event with these members of its message."""
    return _holds(_row(ruleset, rule_id) or NOTHING, params)


def rules_of(ruleset: str, lang: str = "en") -> tuple[Rule, ...]:
    """The rules of a game in the order of its table, those of every game behind them."""
    own, shared = (_table(code)["rules"] for code in (ruleset, CORE))
    return tuple(rule(ruleset, rule_id, lang) for rule_id in (*own, *shared))


def disputes(
    ruleset: str, rules: Iterable[str], event_type: str, lang: str = "en", params: Mapping[str, Any] = NOTHING
) -> tuple[Dispute, ...]:
    """The disputed questions that an event raises.

    Shape: `rules` are those that decided it, `params` the members of its message
    """
    wanted, said = set(rules), {**params, "type": event_type}
    return tuple(
        Dispute(row["number"], _member(row, "question", lang), _member(row, "text", lang), tuple(row["rules"]))
        for row in _table(ruleset).get("disputes", ())
        if _raises(row, wanted, said)
    )


def _raises(row: Mapping[str, Any], rules: set[str], params: Mapping[str, Any]) -> bool:
    if "when" in row:
        return _holds(row, params)
    return not rules.isdisjoint(row["rules"]) and params["type"] in row.get("only", (params["type"],))


def _holds(row: Mapping[str, Any], params: Mapping[str, Any]) -> bool:
    """Whether one of the lines `when` of a row holds, or it has none."""
    lines = row.get("when")
    return lines is None or any(all(_is(params, name, value) for name, value in line.items()) for line in lines)


def _is(params: Mapping[str, Any], name: str, value: Any) -> bool:
    """Whether a member of a message is this; a unit also by what it is: `pikemen`."""
    found = params.get(name)
    return bool(found == value or (isinstance(found, str) and params.get("kinds", NOTHING).get(found) == value))


def _row(ruleset: str, rule_id: str) -> dict[str, Any] | None:
    """The row of a rule in the table of its game, or in one that is no game's."""
    code = next((code for prefix, code in SHARED.items() if rule_id.startswith(prefix)), ruleset)
    row: dict[str, Any] | None = _table(code)["rules"].get(rule_id)
    return row


def _member(row: dict[str, Any], member: str, lang: str) -> str:
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
