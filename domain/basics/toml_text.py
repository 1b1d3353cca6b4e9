"""Write a table as TOML.

The inverse of `domain.basics.data.parse_toml`: generated armies and scenarios become
files that people can edit. Tables come after plain values, as TOML requires; a list of small tables
stands one to a line.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

TomlTable = Mapping[str, Any]


def to_toml(table: TomlTable) -> str:
    """A table as TOML: strings, whole numbers, truth values, lists and tables of them.

    Raises:  TypeError for anything else
    """
    return "\n".join(_lines(table, ())).strip("\n") + "\n"


def _lines(table: TomlTable, path: tuple[str, ...], listed: bool = False) -> Iterator[str]:
    """The lines of a table; `listed`: it is an element of a list, where small tables stand on one line."""
    below = {key: value for key, value in table.items() if _has_own_lines(value, listed)}
    for key, value in table.items():
        if key not in below:
            yield from _entry(key, value)
    for key, value in below.items():
        name = (*path, key)
        header = ".".join(map(_key, name))
        if isinstance(value, Mapping):
            if not value or any(not _has_own_lines(inner, listed) for inner in value.values()):
                yield f"\n[{header}]"
            yield from _lines(value, name, listed)
            continue
        for entry in value:
            yield f"\n[[{header}]]"
            yield from _lines(entry, name, True)


def _has_own_lines(value: Any, listed: bool) -> bool:
    """Whether a value stands under a header: a table, or a list of tables with tables in them."""
    if isinstance(value, Mapping):
        return not listed or _holds_tables(value)
    return _are_tables(value) and any(map(_holds_tables, value))


def _holds_tables(table: TomlTable) -> bool:
    return any(isinstance(value, Mapping) or _are_tables(value) for value in table.values())


def _are_tables(value: Any) -> bool:
    return _is_list(value) and bool(value) and all(isinstance(entry, Mapping) for entry in value)


def _is_list(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str)


def _entry(key: str, value: Any) -> Iterator[str]:
    if _are_tables(value):
        yield f"{_key(key)} = ["
        yield from (f"  {_value(entry)}," for entry in value)
        yield "]"
    else:
        yield f"{_key(key)} = {_value(value)}"


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int):
        return str(value)
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, Mapping):
        inner = ", ".join(f"{_key(key)} = {_value(entry)}" for key, entry in value.items())
        return f"{{ {inner} }}" if inner else "{}"
    if _is_list(value):
        return f"[{', '.join(map(_value, value))}]"
    raise TypeError(f"{value!r} has no form in TOML")


def _text(text: str) -> str:
    """A string; JSON's escapes are TOML's, but for DEL, which TOML wants escaped."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _key(key: str) -> str:
    bare = bool(key) and key.isascii() and key.replace("-", "").replace("_", "").isalnum()
    return key if bare else _text(key)
