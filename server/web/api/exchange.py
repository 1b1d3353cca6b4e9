"""Turn requests into values, and values into responses."""

from typing import Any, TypeVar

import msgspec
from aiohttp import web

from domain.basics.decoding import decode
from domain.basics.errors import Refusal
from replay.telling.words import ENGLISH, LANGUAGES
from server.play.scripts import require_key
from server.web.bodies import bytes_of

JSON = "application/json"
KEY = "Idempotency-Key"
T = TypeVar("T")

MOST_DIGITS = 16
"""Digits of a number in a query: enough for 2^53."""

_ENCODER = msgspec.json.Encoder()


async def body_of(request: web.Request, kind: type[T]) -> T:
    """The message in a request's body; an empty body is an empty object.

    Raises: Refusal core.not-json, core.bad-json, core.bad-request, and as `bytes_of`
    """
    content = await bytes_of(request)
    if content and request.headers.get("Content-Type") != JSON and request.content_type != JSON:
        raise Refusal("core.not-json", "CORE-PARSE", found=request.content_type)
    try:
        message = decode(content or b"{}", kind)
    except msgspec.ValidationError as error:
        raise Refusal("core.bad-request", "CORE-PARSE", reason=str(error)) from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Refusal("core.bad-json", "CORE-PARSE", reason=str(error)) from None
    return message


def number_in_query(request: web.Request, name: str, default: int, least: int = 0, most: int = 1 << 53) -> int:
    """A whole number of the query.

    Raises: Refusal core.bad-query
    """
    text = request.query.get(name)
    if text is None:
        return default
    if not (text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS) or not least <= int(text) <= most:
        raise Refusal("core.bad-query", "CORE-PARSE", reason=f"{name} is a whole number from {least} to {most}")
    return int(text)


def language_of(request: web.Request) -> str:
    """The caller's language: that of the query (`lang`), else the first accepted one with a catalogue."""
    accepted = request.headers.get("Accept-Language", "")
    wanted = request.query.get("lang", "") if "?" in request.raw_path else ""  # a query costs much to read
    for entry in (wanted, *accepted.split(",")) if wanted or accepted else ():
        tag = entry.partition(";")[0].strip().casefold()[:2]
        if tag in LANGUAGES:
            return tag
    return ENGLISH


def key_in(request: web.Request) -> str:
    """The key under which a request may be repeated; "" without one.

    Raises: Refusal core.bad-key
    """
    return require_key(request.headers[KEY]) if KEY in request.headers else ""


def encoded(message: Any) -> bytes:
    """A message as the bytes of its JSON."""
    return _ENCODER.encode(message)


def answer(message: Any, status: int = 200, headers: dict[str, str] | None = None) -> web.Response:
    """A message as JSON."""
    return web.Response(body=encoded(message), status=status, content_type=JSON, headers=headers)


def preferred(request: web.Request, offered: tuple[str, ...]) -> str:
    """The media type of an answer: the best accepted one, the first offered if the caller does not care.

    Raises: Refusal core.not-acceptable
    """
    accepted = request.headers.get("Accept", "*/*")
    best, best_weight = "", 0.0
    for entry in accepted.split(","):
        kind, *parameters = (part.strip() for part in entry.split(";"))
        weight = next((_weight(part) for part in parameters if part.startswith("q=")), 1.0)
        for media in offered:
            if weight > best_weight and kind in ("*/*", media, media.partition("/")[0] + "/*"):
                best, best_weight = media, weight
                break
    if not best:
        raise Refusal("core.not-acceptable", "CORE-ACCESS", offered=list(offered))
    return best


def _weight(parameter: str) -> float:
    try:
        return float(parameter.removeprefix("q="))
    except ValueError:
        return 0.0
