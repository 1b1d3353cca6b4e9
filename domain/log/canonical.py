"""The one spelling of plain data in a battle file, written and read.

Lines are canonical (RFC 8785 with ASCII keys, integers below 2^53, NFC strings) and keep the limits of
`domain.log.limits`. What is written is read before anybody gets it: a line that somebody else would refuse is never
made.
"""

from typing import Any, TypeVar

import msgspec

from domain.basics.decoding import decoder
from domain.basics.errors import BrokenInvariant
from domain.log.limits import INTEGER_LIMIT, LINE_LIMIT, NESTING_LIMIT, STRING_LIMIT, is_deeper, unfit_text

# Searching each line for integers of 16 digits would cost as much as encoding it, so every digit first becomes 0, and
# every { a [, to be counted.
_MARKS = bytes.maketrans(b"123456789{", b"000000000[")
_SIXTEEN_DIGITS = b"0" * 16

_Line = TypeVar("_Line")


class FileFault(Exception):
    """A battle file, or one line of it, that is malformed.

    `line` counts from 1 (event n is line n + 1; 0: the file as a whole), `what` is a stable code,
    `details` are plain values: expected, found, reason.
    """

    def __init__(self, line: int, what: str, **details: Any) -> None:
        super().__init__(line, what, details)
        self.line = line
        self.what = what
        self.details = details


class _FloatFound(Exception):
    """A number with a decimal point or exponent, which this format does not allow."""


def _no_float(text: str) -> float:
    raise _FloatFound(text)


ENCODER = msgspec.json.Encoder(order="sorted")  # sorted keys and its escapes are those of RFC 8785


def decoder_of(shape: type[_Line]) -> msgspec.json.Decoder[_Line]:
    """Reads canonical lines of a shape."""
    return decoder(shape, float_hook=_no_float)


_PLAIN: msgspec.json.Decoder[Any] = decoder_of(Any)


def canonical(value: Any) -> bytes:
    """The one spelling of plain data in JSON (RFC 8785, with this format's limits).

    Shape:   an object, array or struct
    Raises:  BrokenInvariant for a float, an integer of 2^53 or more, a key not ASCII, text that is not NFC or not of
             Unicode 14.0, and whatever is longer or nests deeper than a line may
    """
    encoded = ENCODER.encode(value)
    try:
        read_shape(_PLAIN, encoded, 0)
    except (FileFault, msgspec.ValidationError) as fault:
        raise BrokenInvariant(f"not a line of this format: {getattr(fault, 'what', 'integer-too-large')}") from fault
    return encoded


def read_canonical(line: bytes, number: int) -> dict[str, Any]:
    """The object in a line of a file, which must be spelled exactly as we would write it.

    Raises:  FileFault as `read_shape`, or `not-canonical` for what is not an object
    """
    try:
        value = read_shape(_PLAIN, line, number)
    except msgspec.ValidationError:  # any shape fits, so it is a number with thousands of digits
        raise FileFault(number, "integer-too-large") from None
    if not isinstance(value, dict):
        raise FileFault(number, "not-canonical")
    return value


def read_shape(decoder: msgspec.json.Decoder[_Line], line: bytes, number: int) -> _Line:
    """The value in a line of a file, which must be spelled exactly as we would write it.

    Shape:   `decoder` is one of `decoder_of`
    Raises:  FileFault `line-too-long`, `too-deep`, `not-utf-8`, `not-json`, `not-canonical` (spaces, order, escapes,
             double keys …), `float`, `integer-too-large`, `key-not-ascii`, `string-too-long`, `string-not-nfc`,
             `unassigned`; msgspec.ValidationError if the line has another shape
    """
    if len(line) > LINE_LIMIT:
        raise FileFault(number, "line-too-long", found=len(line), most=LINE_LIMIT)
    marks = line.translate(_MARKS)
    if marks.count(b"[") > NESTING_LIMIT and is_deeper(line):
        raise FileFault(number, "too-deep", most=NESTING_LIMIT)
    try:
        value = decoder.decode(line)
        again = ENCODER.encode(value)
    except UnicodeDecodeError as reason:
        raise FileFault(number, "not-utf-8", reason=reason.reason) from None
    except _FloatFound:
        raise FileFault(number, "float") from None
    except msgspec.ValidationError:
        raise
    except (msgspec.MsgspecError, RecursionError, ValueError) as reason:
        raise FileFault(number, "not-json", reason=str(reason)) from None
    if again != line:
        raise FileFault(number, "not-canonical")
    if not line.isascii() or len(line) > STRING_LIMIT or _SIXTEEN_DIGITS in marks:
        unfit = _unfit(msgspec.to_builtins(value))
        if unfit:
            raise FileFault(number, unfit)
    return value


def typed(decoder: msgspec.json.Decoder[_Line], line: bytes, number: int, what: str) -> _Line:
    """A line read as one shape.

    Raises:  FileFault `what`
    """
    try:
        return decoder.decode(line)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as reason:
        raise FileFault(number, what, reason=str(reason)) from None


def _unfit(value: Any) -> str:
    """Why a value cannot stand in a log, as a fault of its line; "" if it can."""
    if isinstance(value, str):
        return unfit_text(value)
    if isinstance(value, float):
        return "float"
    if isinstance(value, int):
        return "" if -INTEGER_LIMIT < value < INTEGER_LIMIT else "integer-too-large"
    if isinstance(value, dict):
        for key in value:
            if not key.isascii():
                return "key-not-ascii"
            if len(key) > STRING_LIMIT:
                return "string-too-long"
        value = value.values()
    elif not isinstance(value, list):
        return ""
    return next((reason for reason in map(_unfit, value) if reason), "")
