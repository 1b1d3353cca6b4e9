"""The page of the events of each game of the site of the docs, made from their classes."""

from msgspec import UnsetType
from msgspec.inspect import Type, UnionType
from msgspec.structs import FieldInfo, fields

from domain.basics.decoding import described
from domain.catalogue import RULESETS
from domain.contract.ruleset import Ruleset
from domain.events.battle import CORE_EVENTS, Event
from domain.log.record import type_name
from domain.run.timeline import catalogue_of

ABOUT = """\
A file of a game has these types and those of [the battle file](../record-format.md), no others. `?` marks a member
that may be absent, `null` stands only where it is named. A kind is that of JSON, an object with its members in braces
where it has fixed ones. A type of the battle file is here if its rule or its members differ, with those that
it has besides. What may be sealed has a table there, too."""


def page() -> str:
    """The page."""
    parts = [
        "<!-- Made from the event classes by tests/event_pages.py: python -m tests.docs_site -->",
        "# Events of each game",
        ABOUT,
        *(_game(code, ruleset) for code, ruleset in RULESETS.items()),
    ]
    return "\n\n".join(parts) + "\n"


def own_events(ruleset: Ruleset) -> dict[str, type[Event]]:
    """The types of a game that are not as in every game: in shape, or in the rule that they cite."""
    return {
        name: kind
        for name, kind in sorted(catalogue_of(ruleset).items())
        if CORE_EVENTS.get(name) is not kind or name in ruleset.rules.cited
    }


def _game(code: str, ruleset: Ruleset) -> str:
    lines = [f"## {code} {ruleset.version}", "", "| type | rule | members |", "| --- | --- | --- |"]
    for name, kind in own_events(ruleset).items():
        members = "; ".join(_member(field.encode_name, field.type, field.required) for field in _own_fields(name, kind))
        rule = ruleset.rules.cited.get(type_name(kind), kind.RULE)
        lines.append(f"| `{name}` | {rule} | {members} |")
    return "\n".join(lines)


def _own_fields(name: str, kind: type[Event]) -> list[FieldInfo]:
    of_every_game = {field.encode_name for field in fields(CORE_EVENTS[name])} if name in CORE_EVENTS else set()
    return [field for field in fields(kind) if field.encode_name not in of_every_game]


def _member(name: str, of: object, is_required: bool) -> str:
    return f"`{name}{'' if is_required else '?'}` {kind_of(described(of))}"


def kind_of(of: Type) -> str:
    """A type as JSON has it."""
    if isinstance(of, UnionType):
        kinds = (kind_of(one) for one in of.types if getattr(one, "cls", None) is not UnsetType)
        return " or ".join(dict.fromkeys(kind for kind in kinds if kind))
    name = type(of).__name__
    if name in ("ListType", "SetType", "FrozenSetType", "VarTupleType", "CollectionType"):
        return f"array of {kind_of(of.item_type)}"  # type: ignore[attr-defined]
    if name == "TupleType":
        return f"array ({', '.join(kind_of(one) for one in of.item_types)})"  # type: ignore[attr-defined]
    if name == "StructType":
        members = (f"`{f.encode_name}` {kind_of(f.type)}" for f in of.fields)  # type: ignore[attr-defined]
        return f"object {{{', '.join(members)}}}"
    if name in ("EnumType", "LiteralType"):
        values = of.values if name == "LiteralType" else [one.value for one in of.cls]  # type: ignore[attr-defined]
        return " or ".join(f"`{value}`" for value in values)
    return NAMES[name]


NAMES = {
    "AnyType": "any value",
    "BoolType": "boolean",
    "CustomType": "string",
    "DictType": "object",
    "FloatType": "number",
    "IntType": "integer",
    "NoneType": "null",
    "StrType": "string",
    "UnsetType": "",
}
