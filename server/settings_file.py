"""Read the settings file of a host: limits that are not the usual ones.

`docs/operating/settings.toml` has every figure with its usual value. What a file leaves out keeps it. A file with a
fault changes nothing: the server does not start with half of what its host wants.
"""

import tomllib
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from math import isfinite
from pathlib import Path
from typing import Any

from limits import parse_many
from msgspec import to_builtins

from domain.basics.decoding import convert
from server.limits import UNLIMITED, Limits
from server.settings import BadSetting, Settings

LADDERS = "ladders"
NAME = "settings.toml"
"""The file in the data folder that is read where none is named."""


def limits_in(path: Path) -> Limits:
    """The limits of a file; the usual ones for what it does not name.

    Raises: BadSetting with a sentence for the first fault
    """
    written = {name: value for name, value in _written(path).items() if name != LADDERS}
    try:
        merged = _merged({"limits": to_builtins(Limits())}, written, ())
    except _WrongEntry as fault:
        raise BadSetting(f"{path}: {fault}") from None
    return convert(merged["limits"], Limits)


def _written(path: Path) -> Mapping[str, Any]:
    """What a file says.

    Raises: BadSetting
    """
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except OSError as failure:
        raise BadSetting(f"{path} cannot be read: {(failure.strerror or str(failure)).lower()}.") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as failure:
        raise BadSetting(f"{path} is not TOML: {failure}.") from None


def ladders_for(data: str, file: str, games: Iterable[str]) -> tuple[str, ...]:
    """The games for which a host wants a ladder of its own (`ladders = [CODE, …]`), by its settings file.

    Raises: BadSetting for what is no list of installed games
    """
    path = _path(data, file)
    wanted = _written(path).get(LADDERS, []) if path else []
    known = sorted(games)
    if not isinstance(wanted, list) or any(code not in known for code in wanted):
        raise BadSetting(f"{path}: `{LADDERS}` is a list of games, of {_listed(dict.fromkeys(known))}, not {wanted!r}.")
    return tuple(dict.fromkeys(wanted))


def _path(data: str, file: str) -> Path | None:
    """The settings file that is read: the one named, else that of the data folder, if there is one."""
    usual = Settings.at(data or None).data / NAME
    return Path(file) if file else usual if usual.is_file() else None


def limits_for(data: str, file: str, unlimited: bool) -> Limits:
    """The limits of a server: those of a settings file, named or in the data folder; none, if there are to be none.

    Raises: BadSetting
    """
    named = _path(data, file)
    written = limits_in(named) if named else Limits()  # a fault is told though nothing of it would hold
    return UNLIMITED if unlimited else written


class _WrongEntry(Exception):
    """A sentence about one entry."""


def _merged(usual: Mapping[str, Any], written: Mapping[str, Any], at: tuple[str, ...]) -> dict[str, Any]:
    """The usual entries of a table, with those that are written in their places."""
    merged = dict(usual)
    for name, value in written.items():
        if name not in usual:
            raise _WrongEntry(_unknown(name, at, usual))
        here = (*at, name)
        if isinstance(usual[name], Mapping):
            if not isinstance(value, Mapping):
                raise _WrongEntry(f"`{'.'.join(here)}` is a table with {_listed(usual[name])}.")
            merged[name] = _merged(usual[name], value, here)
        else:
            merged[name] = _figure(usual[name], value, here)
    return merged


def _unknown(name: str, at: tuple[str, ...], usual: Mapping[str, Any]) -> str:
    where = f"in `{'.'.join(at)}`" if at else "at the top"
    near = get_close_matches(name, usual, 1)
    meant = f" Did you mean `{near[0]}`?" if near else f" What there is: {_listed(usual)}."
    return f"there is no `{name}` {where}.{meant}"


def _listed(usual: Mapping[str, Any]) -> str:
    return ", ".join(f"`{name}`" for name in usual)


def _figure(usual: object, value: object, here: tuple[str, ...]) -> object:
    """A figure of the kind that stands there as a rule."""
    name = ".".join(here)
    if isinstance(usual, str):
        _require_rate(value, name)
        return value
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if isinstance(usual, int) and (not is_number or not isinstance(value, int)):
        raise _WrongEntry(f"`{name}` is a whole number, 0 for without limit, not {value!r}.")
    if not is_number or not isfinite(value):  # type: ignore[arg-type]  # a number, by the line above
        raise _WrongEntry(f"`{name}` is a number, not {value!r}.")
    if value < 0:  # type: ignore[operator]  # a number
        raise _WrongEntry(f"`{name}` is {value}: it cannot be below 0.")
    return value if isinstance(usual, int) else float(value)  # type: ignore[arg-type]  # a number


def _require_rate(value: object, name: str) -> None:
    """Refuse what is not a rate."""
    example = '"20 per hour; 60 per day", or "" for without limit'
    if not isinstance(value, str):
        raise _WrongEntry(f"`{name}` is a text: {example}, not {value!r}.")
    try:
        parsed = parse_many(value) if value else []
    except ValueError:
        raise _WrongEntry(f'`{name}` cannot be read: "{value}". A rate is {example}.') from None
    if any(rate.amount < 1 for rate in parsed):
        raise _WrongEntry(f'`{name}` is "{value}": a rate lets something be done at least once.')
