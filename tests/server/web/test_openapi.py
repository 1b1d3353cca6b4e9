"""The description of the API says of each member what it is."""

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from domain.decoding import decode
from server.web.openapi import ANY, document, examples, members
from server.web.routes import API
from tests.support.looping import some


def described() -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Message, member and its schema."""
    for name, schema in document(API)["components"]["schemas"].items():
        for member, of in schema.get("properties", {}).items():
            yield name, member, of


def test_every_member_is_described() -> None:
    bare = [f"{name}.{member}" for name, member, of in some(described()) if not of.get("description")]
    assert bare == [], "say in server/web/api/members.toml what these are"


def test_no_line_is_about_a_member_that_is_not_there() -> None:
    told = {(name, member): of["description"] for name, member, of in described()}
    used = {(name, member) for (name, member), line in told.items() if members().get(name, {}).get(member) == line}
    used |= {(ANY, member) for (_, member), line in told.items() if members()[ANY].get(member) == line}
    assert {(name, member) for name, lines in members().items() for member in lines} - used == set()


def test_a_line_is_a_sentence() -> None:
    assert [line for lines in members().values() for line in lines.values() if not line.endswith(".")] == []


@pytest.mark.parametrize("name", examples())
def test_an_example_is_a_request_and_stands_where_it_may_be_sent(name: str) -> None:
    (body,) = {route.body for route in API if route.body is not None and route.body.__name__ == name}
    decode(msgspec.json.encode(examples()[name]), body)
    shown = [
        operation["requestBody"]["content"]["application/json"].get("example")
        for operations in document(API)["paths"].values()
        for operation in operations.values()
        if operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("example")
    ]
    assert examples()[name] in shown
