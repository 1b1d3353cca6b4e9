"""Write the state of any game as plain data, and read it back (docs/branches.md).

A position is a state as a log can hold it: objects, arrays, texts, whole numbers, true, false and null. It is made and
read by the types of the state, so that no game writes code for it:

- A struct is an object of its fields, without those that have their default.
- A mapping is an array of `[key, value]` pairs in its own order: rules go by that order, and a canonical line sorts the
  keys of its objects. A set is a sorted array.
- The question that waits is read as the game's own event, as in a log.

What is read may come from anybody. Size, depth and numbers are bounded before anything is made of it; then its shape is
checked, and after that the game says what cannot be (`domain.contract.ruleset.Ruleset.thaw`).

"""

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from functools import cache
from types import NoneType
from typing import Any

import msgspec
from msgspec import Struct, inspect
from msgspec.structs import replace

from domain.basics.decoding import convert, described
from domain.basics.errors import Refusal
from domain.engine.state import GameState, S
from domain.events.battle import DecisionAsked

RULE = "CORE-BRANCH"
MOST_VALUES = 200_000
"""Values of a position with all that is in them: several times those of the largest battle."""
MOST_LEVELS = 24
"""Objects and arrays within each other."""
MOST_CHARACTERS = 1000
GREATEST = 1 << 31
"""Beyond every number of a state, in both directions."""
WAITING = "waiting"

Flaw = tuple[str, str]
"""Where in a state something is that cannot be, and a stable word for what is wrong."""


def bad_position(where: str, flaw: str) -> Refusal:
    """The refusal of a position."""
    return Refusal("core.bad-position", RULE, where=where[:80], flaw=flaw)


_LEAVES = frozenset({int, str, bool, NoneType})
"""What most values of a position are: they hold no others."""


# --- writing


def freeze(state: GameState) -> dict[str, Any]:
    """A state as plain data, of which `thaw` makes an equal one."""
    frozen: dict[str, Any] = _plain(replace(state, waiting=None))
    if state.waiting is not None:
        frozen[WAITING] = msgspec.to_builtins(state.waiting)
    return frozen


def _plain(value: Any) -> Any:
    if type(value) in _LEAVES:
        return value
    if isinstance(value, Struct):
        held = ((name, getattr(value, field), default) for name, field, default in _fields(type(value)))
        return {name: _plain(own) for name, own, default in held if own != default}
    if isinstance(value, Mapping):
        return [[_plain(key), _plain(own)] for key, own in value.items()]
    if isinstance(value, AbstractSet):
        return sorted(_plain(own) for own in value)
    return [_plain(own) for own in value] if isinstance(value, (tuple, list)) else value


@cache
def _fields(kind: type[Struct]) -> tuple[tuple[str, str, Any], ...]:
    """Each field of a struct: its name in plain data, its name, and its default."""
    return tuple((field.encode_name, field.name, _default(field)) for field in msgspec.structs.fields(kind))


def _default(field: msgspec.structs.FieldInfo) -> Any:
    """The default of a field; what equals no value of a state if it has none."""
    has_factory = field.default_factory is not msgspec.NODEFAULT
    return field.default_factory() if has_factory else field.default


# --- reading


def thaw(kind: type[S], asked: type[DecisionAsked], data: Any) -> S:
    """The state in a position, which may come from anybody; `asked` is the game's own event of that name.

    Raises: Refusal core.bad-position
    """
    require_bounded(data)
    if not isinstance(data, dict):
        raise bad_position("", "shape")
    try:
        state = convert(_typed(_shape(kind), {**data, WAITING: None}, ""), kind)
        waiting = convert(data.get(WAITING), asked | None)
    except msgspec.ValidationError as error:
        raise bad_position(str(error).partition(" - at `$")[2].strip("`."), "shape") from None
    return replace(state, waiting=waiting)


def require_bounded(data: Any) -> None:
    """Refuse plain data that is larger, deeper or beyond the numbers and texts of any battle; nothing else is looked
    at.

    Raises: Refusal core.bad-position
    """
    left, levels, here = MOST_VALUES, 0, [data]
    while here:
        left -= len(here)
        if left < 0:
            raise bad_position("", "too-large")
        if levels > MOST_LEVELS:
            raise bad_position("", "too-deep")
        below: list[Any] = []
        for value in here:
            if isinstance(value, dict):
                below += value
                below += value.values()
            elif isinstance(value, (list, tuple)):
                below += value
            elif isinstance(value, str):
                if len(value) > MOST_CHARACTERS:
                    raise bad_position("", "too-long")
            elif isinstance(value, int):
                if not -GREATEST < value < GREATEST:
                    raise bad_position("", "number")
            elif value is not None:
                raise bad_position("", "shape")
        here, levels = below, levels + 1


@cache
def _shape(kind: type[Struct]) -> inspect.Type:
    return described(kind)


def _typed(shape: inspect.Type, value: Any, where: str) -> Any:
    """Plain data with its pairs as mappings again, where the shape has a mapping; whatever does not fit stays as it is,
    for the conversion to refuse.

    Raises: Refusal core.bad-position for a member that the shape does not have, and for a key that comes twice
    """
    shape = _chosen(shape)
    if isinstance(shape, inspect.DictType):
        return _mapping(shape, value, where)
    if type(value) in _LEAVES:
        return value
    if isinstance(shape, inspect.StructType) and isinstance(value, dict):
        shapes = _members(shape.cls)
        for name in value:
            if name not in shapes:
                raise bad_position(f"{where}.{name}".lstrip("."), "unknown-member")
        return {name: _typed(shapes[name], own, f"{where}.{name}".lstrip(".")) for name, own in value.items()}
    if isinstance(value, (list, tuple)):
        if isinstance(shape, inspect.TupleType):
            pairs = zip(shape.item_types, value, strict=False)
            return [*(_typed(one, own, where) for one, own in pairs), *value[len(shape.item_types) :]]
        if isinstance(shape, (inspect.VarTupleType, inspect.FrozenSetType)):
            inner = _chosen(shape.item_type)
            if not isinstance(inner, _MADE_OF_OTHERS):
                return [*value]
            return [_typed(inner, own, where) for own in value]
    return value


@cache
def _members(kind: type[Struct]) -> dict[str, inspect.Type]:
    """The shape of each field of a struct by its name in plain data."""
    shape = _shape(kind)
    assert isinstance(shape, inspect.StructType)
    return {field.encode_name: _chosen(field.type) for field in shape.fields}


def _chosen(shape: inspect.Type) -> inspect.Type:
    """Of several shapes the first that is made of others, if one is."""
    if not isinstance(shape, inspect.UnionType):
        return shape
    return next((one for one in shape.types if isinstance(one, _MADE_OF_OTHERS)), shape)


_MADE_OF_OTHERS = (
    inspect.StructType,
    inspect.DictType,
    inspect.TupleType,
    inspect.VarTupleType,
    inspect.FrozenSetType,
)


def _mapping(shape: inspect.DictType, value: Any, where: str) -> dict[Any, Any]:
    if not isinstance(value, (list, tuple)):
        raise bad_position(where, "shape")
    made: dict[Any, Any] = {}
    for pair in value:
        if not isinstance(pair, (list, tuple)) or len(pair) != 2:
            raise bad_position(where, "shape")
        key = tuple(pair[0]) if isinstance(pair[0], (list, tuple)) else pair[0]
        try:
            is_there = key in made
        except TypeError:  # an object, or an array within the array
            raise bad_position(where, "shape") from None
        if is_there:
            raise bad_position(f"{where}.{key}", "twice")
        made[key] = _typed(shape.value_type, pair[1], f"{where}.{key}")
    return made
