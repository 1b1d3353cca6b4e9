"""The description of the API says of each member what it is."""

import re
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from jsonschema import Draft202012Validator

from domain.basics.decoding import decode
from server.web.openapi import ANY, UNSENT, WORDED, document, examples, is_counted, members, units
from server.web.routes import API
from tests.api_examples import PAGE, text_of, told
from tests.api_examples.session import recorded
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


def is_moment(example: Any) -> bool:
    """Whether it is a time or a day."""
    return isinstance(example, str) and bool(re.fullmatch(r"\d{4}-\d\d-\d\d(T[\d:.]+Z)?", example))


def test_every_number_and_time_has_a_unit_and_nothing_else() -> None:
    for name, member, of in some(described()):
        has = is_counted(of) or is_moment(of["examples"][0])
        assert bool(of.get("x-unit")) is has, f"{name}.{member}: see server/web/api/units.toml"


def test_no_unit_is_of_a_member_that_is_not_there() -> None:
    there = {(name, member) for name, member, _ in described()}
    there |= {(ANY, member) for name, member, of in described() if of.get("x-unit") == units()[ANY].get(member)}
    assert {(name, member) for name, lines in units().items() for member in lines} <= there


def test_every_member_has_an_example_that_fits_its_schema() -> None:
    components = document(API)["components"]
    for name, member, of in some(described()):
        assert "examples" in of, (
            f"{name}.{member}: say it in tests/api_examples, then python -m tests.api_examples make"
        )
        for example in of["examples"]:
            assert example not in (None, "", [], {}), f"{name}.{member} has an example that shows nothing"
            found = list(Draft202012Validator({**of, "components": components}).iter_errors(example))
            assert found == [], f"{name}.{member}: {found[0].message}"


@pytest.mark.long
async def test_the_examples_are_those_of_a_session_with_a_server() -> None:
    made = text_of(await recorded())
    assert told(PAGE.read_text(encoding="utf-8")) == told(made), "python -m tests.api_examples make"


def test_no_answer_promises_what_the_server_keeps_to_itself() -> None:
    assert [name for name, member, _ in some(described()) if member in UNSENT and name in ("Scene", *WORDED)] == []


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
