"""The asks `notation` and `file`: what people write, and what it is read as."""

from typing import Any

from msgspec import Struct

from domain.basics.errors import Refusal
from domain.campaign.config import resolved
from domain.campaign.notation import read_order, write_order
from replay.lab.campaign.answer import Answer, Case, question


class _Line(Struct, forbid_unknown_fields=True):
    line: str
    canonical: str


class _Lines(Struct, forbid_unknown_fields=True):
    check: list[_Line]


class _File(Struct, forbid_unknown_fields=True):
    """A campaign file as the table `file`."""

    file: dict[str, Any]


def notation(case: Case) -> Answer:
    """Each line in canonical English, or the code with which it is refused."""
    lines: _Lines = question(case, _Lines)
    return Answer(checks=[{"canonical": _canonical(row.line)} for row in lines.check])


def _canonical(line: str) -> str:
    try:
        return write_order(read_order(line))
    except Refusal as refusal:
        return refusal.code


def file(case: Case) -> Answer:
    """The configuration that a file comes to, or the code and the key with which it is refused."""
    wanted: _File = question(case, _File)
    try:
        return Answer({"config": resolved(wanted.file).plain()})
    except Refusal as refusal:
        return Answer({"code": refusal.code, **refusal.params})
