"""The one place where msgspec learns a type.

At the first use for reading msgspec works out how a type is read and keeps that at the class, without a lock: two
threads that do so at once can end the process. Here it happens under one lock, before anything is read. Whatever
decodes or converts to a type, or asks what it is made of, does so through these functions; encoding learns nothing and
needs none of them.
"""

from collections.abc import Callable, Iterable
from threading import RLock
from typing import Any, TypeVar, overload

import msgspec
from msgspec import inspect

T = TypeVar("T")

_LOCK = RLock()
_LEARNT: set[Any] = set()


def learn(shape: Any) -> None:
    """Have msgspec work out a type and all that it is made of, unless it has; other threads wait meanwhile.

    Raises: TypeError for what msgspec cannot read
    """
    if shape in _LEARNT:
        return
    with _LOCK:
        if shape not in _LEARNT:
            msgspec.msgpack.Decoder(shape)  # of all formats the one that takes any keys
            _LEARNT.add(shape)


@overload
def decoder(shape: type[T], float_hook: Callable[[str], Any] | None = None) -> msgspec.json.Decoder[T]: ...
@overload
def decoder(shape: Any, float_hook: Callable[[str], Any] | None = None) -> msgspec.json.Decoder[Any]: ...
def decoder(shape: Any, float_hook: Callable[[str], Any] | None = None) -> msgspec.json.Decoder[Any]:
    """Reads JSON of a type; for what is read often."""
    learn(shape)
    return msgspec.json.Decoder(shape, float_hook=float_hook)


@overload
def packed_decoder(
    shape: type[T], dec_hook: Callable[[type, Any], Any] | None = None
) -> msgspec.msgpack.Decoder[T]: ...
@overload
def packed_decoder(shape: Any, dec_hook: Callable[[type, Any], Any] | None = None) -> msgspec.msgpack.Decoder[Any]: ...
def packed_decoder(shape: Any, dec_hook: Callable[[type, Any], Any] | None = None) -> msgspec.msgpack.Decoder[Any]:
    """Reads MessagePack of a type."""
    learn(shape)
    return msgspec.msgpack.Decoder(shape, dec_hook=dec_hook)


@overload
def decode(content: bytes | str, shape: type[T]) -> T: ...
@overload
def decode(content: bytes | str, shape: Any) -> Any: ...
def decode(content: bytes | str, shape: Any) -> Any:
    """Read JSON of a type.

    Raises: msgspec.DecodeError, msgspec.ValidationError
    """
    learn(shape)
    return msgspec.json.decode(content, type=shape)


@overload
def convert(plain: Any, shape: type[T], *, strict: bool = True, from_attributes: bool = False) -> T: ...
@overload
def convert(plain: Any, shape: Any, *, strict: bool = True, from_attributes: bool = False) -> Any: ...
def convert(plain: Any, shape: Any, *, strict: bool = True, from_attributes: bool = False) -> Any:
    """Make a value of a type of plain data, or of an object's attributes.

    Raises: msgspec.ValidationError
    """
    learn(shape)
    return msgspec.convert(plain, shape, strict=strict, from_attributes=from_attributes)


def described(shape: Any) -> inspect.Type:
    """What a type is made of, as `msgspec.inspect` says it; that makes a decoder on its way."""
    learn(shape)
    return inspect.type_info(shape)


def schemas_of(shapes: Iterable[Any], reference: str) -> tuple[tuple[dict[str, Any], ...], dict[str, Any]]:
    """The JSON schemas of types, and of what they are made of; `reference` is the form of a link to one of these."""
    kinds = tuple(shapes)
    for kind in kinds:
        learn(kind)
    return msgspec.json.schema_components(kinds, ref_template=reference)
