"""Keeps an example of each member of the API's messages from what goes to and fro."""

import json
import re
import sys
from collections.abc import Iterator, Mapping
from typing import Any

from aiohttp.test_utils import TestClient

from server.web.http_route import HttpRoute
from server.web.openapi import document
from server.web.problems import MEDIA_TYPE
from server.web.routes import API
from tests.support.serving import Caller, Reply

LONGEST = 300
"""Characters of JSON beyond which a shorter example is looked for."""
LINK = "#/components/schemas/"
FORCE = {"force": "F1", "power": "rome", "area": "messana", "is_lost": False, "points": 45, "first_points": 44}
RECORD = {
    "force": "F1",
    "element": "G1",
    "kind": "leader",
    "group": "I",
    "troop": "legionaries",
    "label": "veteran",
    "first": "standard",
    "points": 11,
    "now": "captured",
    "captor": "carthage",
}
"""What the ledger of a war says: the session fights none."""
FIGHT = {
    "title": "The Trebia",
    "south": "rome",
    "north": "carthage",
    "size": 100,
    "ground": "river",
    "scenario": "",
    "vp": 1,
}
WAY_ON = {"winner": "carthage", "node": "cannae", "title": "Cannae"}
NODE = {"id": "trebia", "title": "Into Italy", "status": "fought", "round": 1, "winner": "carthage", "carry": True}
SIDE = {"id": "rome", "name": "Rome", "held_by": "Anna", "ready": False, "treasury": 15, "vp": 0}
"""What the tree of one says."""
BY_HAND: Mapping[str, Mapping[str, Any]] = {
    "Happened": {"name": "R4"},
    "Option": {"how": "opposed"},
    "Sight": {"side": "south"},
    "GiveRuling": {"signatures": [{"serial": 1, "signature": "AAAA"}]},
    "CampaignTree": {"node": "cannae", "sides": [SIDE], "nodes": [{**NODE, "battles": [], "next": []}]},
    "TreeSideView": SIDE,
    "NodeShown": {**NODE, "battles": [FIGHT], "next": [WAY_ON]},
    "NodeBattleShown": {**FIGHT, "scenario": "skirmish"},
    "WayOn": WAY_ON,
    "LedgerView": {"forces": [{**FORCE, "records": []}]},
    "ForceLedger": {**FORCE, "records": [{**RECORD, "entries": []}]},
    "ServiceRecord": {**RECORD, "entries": [{"n": 15, "round": 1, "what": "battle"}]},
    "ServiceEntry": {
        "n": 15,
        "round": 1,
        "what": "battle",
        "board": "1.1",
        "battle": "k3jz81aq",
        "title": "The Trebia",
        "against": ["F2"],
        "fared": "lost",
        "fate": "worn",
        "needed": 2,
        "die": 4,
        "now": "fit",
        "honour": "vallaris",
        "event": 210,
        "total": 1,
        "was": "standard",
        "by": "carthage",
        "area": "messana",
        "points": 8,
    },
    "RuleOnFlag": {"signatures": [{"serial": 1, "signature": "AAAA"}]},
}
"""Members that are empty in whatever the session sees: what stands in them else."""
COMMIT = "2608060ccc35"
"""Of the release, in place of the one that made the file."""
BEST = (True, True, 0)
JSON = "application/json"


class Recorder:
    """What has been seen of each member: `examples`, by message and member."""

    def __init__(self) -> None:
        self.examples: dict[str, dict[str, Any]] = {}
        self._worth: dict[tuple[str, str], tuple[bool, bool, int]] = {}
        self._document = document(API)
        self._schemas: Mapping[str, Any] = self._document["components"]["schemas"]
        self._routes = [(route.method, pattern_of(route.path), route) for route in API]

    def exchange(self, method: str, path: str, body: Any, reply: Reply) -> None:
        """Take what a request said, if it was granted, and its answer."""
        route = self._route(method, path.partition("?")[0])
        if route is None:
            return
        operation = self._document["paths"][route.path][method.lower()]
        if reply.type == MEDIA_TYPE:
            self.take(operation["responses"]["default"]["content"][MEDIA_TYPE]["schema"], reply.json)
            return
        if route.body is not None:
            self.take(operation["requestBody"]["content"][JSON]["schema"], body)
        if reply.type == JSON:
            self.take(operation["responses"][str(reply.status)]["content"][JSON]["schema"], reply.json)

    def take(self, schema: Mapping[str, Any], value: Any) -> None:
        """Keep what a value of a schema shows of messages, also of those within it."""
        for name, member, found in self._members(schema, value):
            kept = self._worth.get((name, member), (False, False, -sys.maxsize))
            if kept < BEST and (now := worth(found)) > kept:
                self._worth[name, member] = now
                self.examples.setdefault(name, {})[member] = short(found)

    def by_hand(self) -> None:
        """Add what the session does not come to.

        Raises: AssertionError for what it has come to
        """
        for name, members in BY_HAND.items():
            for member, value in members.items():
                assert not self.examples.setdefault(name, {}).get(member), (
                    f"the session has an example of {name}.{member}"
                )
                self.examples[name][member] = value
        self.examples["Health"]["commit"] = COMMIT

    def _members(self, schema: Mapping[str, Any], value: Any) -> Iterator[tuple[str, str, Any]]:
        for one in schema.get("anyOf", ()):
            if value is not None:
                yield from self._members(one, value)
        if "$ref" in schema and isinstance(value, dict):
            name = schema["$ref"].removeprefix(LINK)
            for member, of in self._schemas[name].get("properties", {}).items():
                if member in value:
                    yield name, member, value[member]
                    yield from self._members(of, value[member])
        elif isinstance(value, list):
            for at, one in enumerate(value):
                fixed = schema.get("prefixItems", ())
                within = fixed[at] if at < len(fixed) else schema.get("items")
                if isinstance(within, dict):
                    yield from self._members(within, one)
        elif isinstance(value, dict) and isinstance(schema.get("additionalProperties"), dict):
            for one in value.values():
                yield from self._members(schema["additionalProperties"], one)

    def _route(self, method: str, path: str) -> HttpRoute | None:
        fitting = (route for its, pattern, route in self._routes if its == method and pattern.fullmatch(path))
        return min(fitting, key=lambda route: route.path.count("{"), default=None)


class RecordedCaller(Caller):
    """Somebody whose requests and answers are examples."""

    def __init__(
        self, recorder: Recorder, client: TestClient[Any, Any], token: str = "", player: str = "", name: str = ""
    ) -> None:
        super().__init__(client, token, player)
        self.name = name
        self._recorder = recorder

    async def ask(self, method: str, path: str, headers: Any = None, **more: Any) -> Reply:
        """Any request; what it says counts once it is granted."""
        reply = await super().ask(method, path, headers, **more)
        self._recorder.exchange(method, path, more.get("json"), reply)
        return reply


def pattern_of(path: str) -> re.Pattern[str]:
    """What addresses a path of the table means."""
    return re.compile(re.sub(r"\{\w+\}", "[^/]+", path))


def worth(value: Any) -> tuple[bool, bool, int]:
    """An example is better the more of this it has: it says something, it is not long, and of long ones it is short."""
    length = len(json.dumps(value))
    return bool(value) or value is False, length <= LONGEST, min(0, LONGEST - length)


def short(value: Any) -> Any:
    """A value that can be read: of lists of objects the first one is left, of lists of lists the first four."""
    if isinstance(value, dict):
        return {name: short(one) for name, one in value.items()}
    if isinstance(value, list):
        most = 1 if any(isinstance(one, dict) for one in value) else 4
        return [short(one) for one in value[:most]]
    return value
