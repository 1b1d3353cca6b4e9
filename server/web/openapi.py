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
