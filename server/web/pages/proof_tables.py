"""What the check of the proof in a browser knows of each game: a script made from the games (`proof_tables.js`).

A browser that checks a battle must not ask the host of that battle what its decks are (decision 51). So seats, decks,
dice, the types of events and what may be sealed are part of the scripts, by game: `python -m tests.proof_tables` makes
the file, and a test compares it with the games.
"""

import json
from collections.abc import Iterable, Mapping
from itertools import product
from typing import Any

from msgspec import NODEFAULT, UNSET, inspect

from domain.basics.decoding import described
from domain.catalogue import RULESETS
from domain.contract.ruleset import Ruleset
from domain.contract.sealed_rows import SealedRow
from domain.events.battle import CORE_EVENTS, Event
from domain.log.unicode_14 import UNASSIGNED
from domain.run.scenario_told import NOT_OF_A_SCENARIO
from replay.proof.scenario import packaged
from replay.proof.sealed import CORE_ROWS

FIRST_LINE = "// Made from the games by `python -m tests.proof_tables`: what the check of the proof knows of them.\n"
SIMPLE: Mapping[type[inspect.Type], str] = {
    inspect.StrType: "s",
    inspect.IntType: "i",
    inspect.BoolType: "b",
    inspect.AnyType: "*",
}
"""How the simplest types are written; the others are objects with one member (`shape_of`)."""


def tables_script(rulesets: Mapping[str, Ruleset] = RULESETS) -> str:
    """The script, byte for byte the same from the same games."""
    core = {name: _members(kind) for name, kind in sorted(CORE_EVENTS.items())}
    games = {code: game_table(rulesets[code]) for code in sorted(rulesets)}
    parts = {
        "UNASSIGNED": UNASSIGNED,
        "CORE_TYPES": core,
        "CORE_RULES": {name: kind.RULE for name, kind in sorted(CORE_EVENTS.items())},
        "CORE_ROWS": _rows(CORE_ROWS),
        "NOT_OF_A_SCENARIO": sorted(NOT_OF_A_SCENARIO),
    }
    lines = [FIRST_LINE, *(_constant(name, value) for name, value in parts.items())]
    body = ",\n".join(f"{json.dumps(code)}: {_json(table)}" for code, table in games.items())
    return "".join([*lines, f"/** @type {{any}} */\nexport const GAMES = {{\n{body}\n}};\n"])


def game_table(ruleset: Ruleset) -> dict[str, Any]:
    """What the check knows of one game; `decks` are [options, the decks with these options], the usual ones first."""
    draws = ruleset.draws
    return {
        "version": ruleset.version,
        "seats": ruleset.seats.seeding,
        "decks": [[options, draws.decks({"options": options})] for options in _options(draws.deck_options)],
        "faces": {str(sides): counts for sides, counts in draws.faces.items()},
        "looks": draws.looks,
        "given": draws.given,
        "prepares": sorted(ruleset.orders.prepares),
        "unresolved": ruleset.orders.unresolved,
        "scenarios": dict(packaged(ruleset)),
        "rows": _rows(ruleset.secrets.rows),
        "rules": dict(ruleset.rules.cited),
        "types": {name: _members(kind) for name, kind in sorted(ruleset.events.items())},
        "own": {name: kind.RULE for name, kind in sorted(ruleset.events.items()) if name in CORE_EVENTS},
    }


def _options(varied: Mapping[str, tuple[str, ...]]) -> Iterable[dict[str, str]]:
    """Every choice of the options by which decks differ: none, one, several of them."""
    for chosen in product(*(("", *values) for values in varied.values())):
        yield {name: value for name, value in zip(varied, chosen, strict=True) if value}


def _rows(rows: Mapping[str, Iterable[SealedRow]]) -> dict[str, Any]:
    return {
        kind: [{"members": row.members, "needed": row.needed, "when": [dict(case) for case in row.when]} for row in of]
        for kind, of in sorted(rows.items())
    }


# --- the types of events


def shape_of(kind: inspect.Type) -> Any:
    """A type as the script has it: a letter, or one of these objects.

    Shape:   `d` a dict of (`k`: with these keys), `v` a list of, `t` a list of exactly, `u` one of, `l` one of these
             values, `o` an object with these members (`x`: and no others)
    Raises:  TypeError for a type that no event has had so far
    """
    if type(kind) in SIMPLE:
        return SIMPLE[type(kind)]
    match kind:
        case inspect.NoneType():
            return "0"
        case inspect.LiteralType(values=values):
            return {"l": values}
        case inspect.DictType(key_type=inspect.StrType(), value_type=value):
            return {"d": shape_of(value)}
        case inspect.DictType(key_type=inspect.LiteralType(values=keys), value_type=value):
            return {"d": shape_of(value), "k": keys}
        case inspect.VarTupleType(item_type=item) | inspect.ListType(item_type=item):
            return {"v": shape_of(item)}
        case inspect.TupleType(item_types=items):
            return {"t": [shape_of(item) for item in items]}
        case inspect.UnionType(types=types):
            return {"u": [shape_of(one) for one in types]}
        case inspect.StructType(tag_field=None, array_like=False):
            return {"o": _fields(kind)} | ({"x": 1} if kind.forbid_unknown_fields else {})
    raise TypeError(f"no event had a member of type {kind} before")


def _members(kind: type[Event]) -> Any:
    found = described(kind)
    assert isinstance(found, inspect.StructType)
    return shape_of(found)


def _fields(struct: inspect.StructType) -> dict[str, list[Any]]:
    """Each member: its type, whether it must be there (1 or 0), and what it is otherwise, if that is something."""
    return {field.encode_name: [shape_of(field.type), int(field.required), *_default(field)] for field in struct.fields}


def _default(field: inspect.Field) -> list[Any]:
    if field.default_factory is not NODEFAULT:
        return [field.default_factory()]
    return [] if field.default in (NODEFAULT, UNSET) else [field.default]


def _constant(name: str, value: Any) -> str:
    return f"/** @type {{any}} */\nexport const {name} = {_json(value)};\n"


def _json(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=True)
