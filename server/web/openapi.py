"""Make the OpenAPI document from the routes and their messages."""

import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

import msgspec
from aiohttp import web

from domain.decoding import schemas_of
from domain.scene import Scene
from server.release import release
from server.web.api import reports
from server.web.api.exchange import JSON
from server.web.api.log import PNG, SVG, TEXT
from server.web.problems import MEDIA_TYPE, Problem
from server.web.routes import API, Route

REF = "#/components/schemas/{name}"
PARAMETER = re.compile(r"\{(\w+)\}")
ANY = "any"
"""In the file of members: what holds wherever a message says nothing else."""


async def show_openapi(request: web.Request) -> web.Response:
    """GET /openapi.json"""
    return web.Response(body=_encoded(), content_type=JSON)


def document(routes: Sequence[Route]) -> dict[str, Any]:
    """The OpenAPI document for a list of routes."""
    kinds = list(
        dict.fromkeys(kind for route in routes for kind in (route.body, route.answer) if isinstance(kind, type))
    )
    kinds.append(Problem)
    schemas, components = schemas_of(kinds, REF)
    _describe(components, members())
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
def examples() -> Mapping[str, Mapping[str, Any]]:
    """What requests may look like, by message."""
    return _packaged("examples.toml")


def _packaged(name: str) -> dict[str, Any]:
    return tomllib.loads(files("server.web.api").joinpath(name).read_text(encoding="utf-8"))


def _describe(components: dict[str, Any], told: Mapping[str, Mapping[str, str]]) -> None:
    """Say of each member what it is, where its type does not."""
    for name, schema in components.items():
        for member, of in schema.get("properties", {}).items():
            own = told.get(name, {}).get(member) or told[ANY].get(member)
            if own and "description" not in of:
                of["description"] = own


def _operation(route: Route, schemas: dict[type, Any]) -> dict[str, Any]:
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


def _path_parameters(route: Route) -> list[dict[str, Any]]:
    return [
        {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}
        for name in PARAMETER.findall(route.path)
    ]


def _query_parameters(route: Route) -> list[dict[str, Any]]:
    return [{"name": name, "in": "query", "schema": QUERY.get(name, FLAG)} for name in route.query]


def _headers(route: Route) -> list[dict[str, Any]]:
    name = HEADERS.get(route.path.rpartition("/")[2])
    return [{"name": name, "in": "header", "schema": {"type": "string"}}] if name else []


def _success(route: Route, schemas: dict[type, Any]) -> dict[str, Any]:
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
    "format": {"type": "string", "enum": list(reports.FORMS)},
}
HEADERS = {"orders": "Idempotency-Key", "stream": "Last-Event-ID"}


@cache
def _encoded() -> bytes:
    return msgspec.json.encode(document(API))
