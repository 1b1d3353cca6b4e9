"""Make the OpenAPI document from the routes and their messages."""

import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, get_args

import msgspec
from aiohttp import web

from domain.basics.decoding import decode, schemas_of
from domain.contract.option import Act
from domain.contract.scene import Scene
from server.release import release
from server.web.api import reports
from server.web.api.exchange import JSON, KEY
from server.web.api.log import PNG, SVG, TEXT
from server.web.api.sought import LONGEST_WORDS, STATUSES
from server.web.http_route import HttpRoute
from server.web.problems import MEDIA_TYPE, Problem
from server.web.routes import API

REF = "#/components/schemas/{name}"
PARAMETER = re.compile(r"\{(\w+)\}")
UNSENT = ("told", "hand")
"""Members of a scene and its things that the server makes words of: no answer has them."""
WORDED = ("Cell", "Line", "Token", "Group", "Arc", "Disc", "Ruler", "Sight", "Formation")
UTC = "UTC"
"""The unit of a time or a day, which is written as text."""
ANY = "any"
"""In the file of members: what holds wherever a message says nothing else."""


async def show_openapi(request: web.Request) -> web.Response:
    """GET /openapi.json"""
    return web.Response(body=_encoded(), content_type=JSON)


def document(routes: Sequence[HttpRoute]) -> dict[str, Any]:
    """The OpenAPI document for a list of routes."""
    kinds = list(
        dict.fromkeys(kind for route in routes for kind in (route.body, route.answer) if isinstance(kind, type))
    )
    kinds.append(Problem)
    schemas, components = schemas_of(kinds, REF)
    _answered(components)
    _describe(components, members(), recorded())
    by_kind = dict(zip(kinds, schemas, strict=True))
    paths: dict[str, dict[str, Any]] = {}
    for route in routes:
        paths.setdefault(route.path, {})[route.method.lower()] = _operation(route, by_kind)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Phalera",
            "version": release(),
            "description": "Tabletop battles by correspondence: orders, odds, the log and its proof.",
        },
        "paths": paths,
        "components": {
            "schemas": components,
            "securitySchemes": {
                "token": {"type": "http", "scheme": "bearer"},
                "session": {"type": "apiKey", "in": "cookie", "name": "phalera_session"},
            },
        },
    }


@cache
def members() -> Mapping[str, Mapping[str, str]]:
    """What the members of messages are, by message and member."""
    return _packaged("members.toml")


@cache
def units() -> Mapping[str, Mapping[str, str]]:
    """In what numbers and times are counted, by message and member."""
    return _packaged("units.toml")


@cache
def recorded() -> Mapping[str, Mapping[str, Any]]:
    """What members of messages have looked like in a session with a server, by message and member."""
    text = files("server.web.api").joinpath("recorded.json").read_text(encoding="utf-8")
    return decode(text, dict[str, dict[str, Any]])


@cache
def examples() -> Mapping[str, Mapping[str, Any]]:
    """What requests may look like, by message."""
    return _packaged("examples.toml")


def _packaged(name: str) -> dict[str, Any]:
    return tomllib.loads(files("server.web.api").joinpath(name).read_text(encoding="utf-8"))


def _answered(components: dict[str, Any]) -> None:
    """Leave out what the server makes words of before it answers."""
    for name in (Scene.__name__, *WORDED):
        for member in UNSENT:
            components[name].get("properties", {}).pop(member, None)


def _describe(
    components: dict[str, Any], told: Mapping[str, Mapping[str, str]], seen: Mapping[str, Mapping[str, Any]]
) -> None:
    """Say of each member what it is, where its type does not, in what it is counted, and what it may look like."""
    for name, schema in components.items():
        for member, of in schema.get("properties", {}).items():
            own = told.get(name, {}).get(member) or told[ANY].get(member)
            if own and "description" not in of:
                of["description"] = own
            if unit := unit_of(name, member, is_counted(of)):
                of["x-unit"] = unit
            if member in seen.get(name, {}):
                of["examples"] = [seen[name][member]]


def is_counted(schema: Any) -> bool:
    """Whether a number is in a value of a schema, messages within it aside."""
    if isinstance(schema, list):
        return any(is_counted(one) for one in schema)
    parts = (schema.get(key, {}) for key in ("anyOf", "items", "prefixItems", "additionalProperties"))
    return schema.get("type") in ("integer", "number") or any(
        is_counted(one) for one in parts if one and one is not True
    )


def unit_of(name: str, member: str, has_number: bool) -> str:
    """In what a member of a message is counted; "" for what is neither a number nor a time."""
    own = units().get(name, {}).get(member, "")
    common = units()[ANY].get(member, "")
    return own or (common if has_number == (common != UTC) else "")


def _operation(route: HttpRoute, schemas: dict[type, Any]) -> dict[str, Any]:
    operation: dict[str, Any] = {
        "operationId": getattr(route.handler, "__name__", route.path),
        "summary": route.summary,
        "parameters": [*_path_parameters(route), *_query_parameters(route), *_headers(route)],
        "responses": {str(route.status): _success(route, schemas), "default": _problem(schemas)},
        "security": [{"token": []}, {"session": []}] + ([] if route.signed_in else [{}]),
    }
    if route.body is not None:
        content = {JSON: {"schema": schemas[route.body]}}
        if route.body.__name__ in examples():
            content[JSON]["example"] = examples()[route.body.__name__]
        operation["requestBody"] = {"required": True, "content": content}
    return operation


def _path_parameters(route: HttpRoute) -> list[dict[str, Any]]:
    return [
        {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}
        for name in PARAMETER.findall(route.path)
    ]


def _query_parameters(route: HttpRoute) -> list[dict[str, Any]]:
    return [{"name": name, "in": "query", "schema": QUERY.get(name, FLAG)} for name in route.query]


def _headers(route: HttpRoute) -> list[dict[str, Any]]:
    name = HEADERS.get((route.method, route.path.rpartition("/")[2]))
    return [{"name": name, "in": "header", "schema": {"type": "string"}}] if name else []


def _success(route: HttpRoute, schemas: dict[type, Any]) -> dict[str, Any]:
    if isinstance(route.answer, str):
        media = reports.FORMS.values() if "format" in route.query else (route.answer,)
        return {"description": route.summary, "content": {one: {"schema": {"type": "string"}} for one in media}}
    content = {JSON: {"schema": schemas[route.answer]}}
    if route.answer is Scene:
        content |= {media: {"schema": {"type": "string"}} for media in (SVG, PNG, TEXT)}
    return {"description": route.summary, "content": content}


def _problem(schemas: dict[type, Any]) -> dict[str, Any]:
    return {"description": "A problem document (RFC 9457).", "content": {MEDIA_TYPE: {"schema": schemas[Problem]}}}


FLAG: dict[str, Any] = {"type": "string", "enum": [""]}
"""A query flag, present or absent: `?mine`."""
QUERY: dict[str, dict[str, Any]] = {
    "after": {"type": "integer", "minimum": 0},
    "limit": {"type": "integer", "minimum": 1},
    "before": {"type": "string"},
    "n": {"type": "integer", "minimum": 0},
    "id": {"type": "integer", "minimum": 0},
    "side": {"type": "string"},
    "unit": {"type": "string", "description": "The id of a unit or leader of your side.", "example": "A1"},
    "x": {"type": "integer", "minimum": 0, "description": "A place of the scene, with `y`: how far east."},
    "y": {"type": "integer", "minimum": 0, "description": "How far north."},
    "facing": {"type": "integer", "minimum": 0, "maximum": 3599, "description": "In tenths of a degree."},
    "act": {"type": "string", "enum": list(get_args(Act)), "description": "One kind of order alone."},
    "place": {"type": "string", "description": "The battle, or the passkey, of a locker."},
    "game": {"type": "string", "description": "The code of a game."},
    "scenario": {"type": "string", "description": "A packaged scenario.", "example": "cannae"},
    "player": {"type": "string", "description": "The id of an account that holds a side."},
    "status": {"type": "string", "enum": list(STATUSES)},
    "since": {"type": "string", "format": "date", "description": "Opened on this day (UTC) or later."},
    "until": {"type": "string", "format": "date", "description": "Opened on this day (UTC) or earlier."},
    "words": {"type": "string", "maxLength": LONGEST_WORDS, "description": "Part of a title or of a player's name."},
    "tag": {"type": "string", "description": "A tag that the battle was opened with.", "example": "spring-league"},
    "format": {"type": "string", "enum": list(reports.FORMS)},
}
REPEATED = ("armies", "battles", "invitations", "orders", "rematch", "words")
"""What is done once under a key, by the last part of the address that it is posted to."""
HEADERS = {("POST", last): KEY for last in REPEATED} | {("GET", "stream"): "Last-Event-ID"}


@cache
def _encoded() -> bytes:
    return msgspec.json.encode(document(API))
