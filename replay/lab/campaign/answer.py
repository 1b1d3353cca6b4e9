"""What a case of a campaign asks, what it is answered, and where the two differ (CAM-CASE)."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Annotated, Any, TypeVar

import msgspec
from msgspec import Meta, Struct

from domain.basics.decoding import convert
from replay.bench.bench import UnreadableCase

Case = Mapping[str, Any]
Row = dict[str, Any]
MOST = 1000
"""Entrants, rounds and periods of a case."""
Count = Annotated[int, Meta(ge=0, le=MOST)]
Names = Annotated[list[str], Meta(min_length=1, max_length=MOST)]
T = TypeVar("T")


class _Refused(Struct, forbid_unknown_fields=True):
    """A step of a course, or an order, counted from 1, and the code of its refusal."""

    code: str
    step: int = 0
    order: int = 0


class _Head(Struct, forbid_unknown_fields=True):
    """What every case has beside what is asked: what it is about, and what must come of it."""

    ask: str
    title: str = ""
    rules: list[str] = []
    expect: list[Row] = []
    reject: list[_Refused] = []
    final: Row | None = None


HEAD = frozenset(_Head.__struct_fields__)


class Answer(Struct, frozen=True):
    """What an `ask` yields. `events` have type, by, rule and data, `rejections` order and code, `checks` the results of
    the rows of `[[check]]`."""

    final: Row = {}
    events: Sequence[Row] = ()
    rejections: Sequence[Row] = ()
    checks: Sequence[Row] = ()


class CampaignAsk(Struct, frozen=True):
    """How a case is answered, and how its `[final]` is compared.

    Shape: `answer` raises UnreadableCase; `differences` takes what came and what was wanted; `beside` is the key that
           names a file next to the case: the answer gets its bytes in the place of its name
    """

    answer: Callable[[Case], Answer]
    differences: Callable[[Row, Row], Iterator[str]] | None = None
    beside: str = ""


class CampaignResult(Struct, frozen=True):
    """The result of a case of a campaign, as `phalera lab --json` prints it."""

    events: Sequence[Row]
    rejections: Sequence[Row]
    final: Row
    checks: Sequence[Row]
    ok: bool
    failures: Sequence[str]


def question(case: Case, shape: type[T]) -> T:
    """What a case asks, as a value of a type that names every key.

    Raises: UnreadableCase with the key that is wrong
    """
    return read({key: value for key, value in case.items() if key not in HEAD}, shape)


def read(table: Any, shape: type[T]) -> T:
    """A part of a case as a value of a type.

    Raises: UnreadableCase with the key that is wrong
    """
    try:
        return convert(table, shape)
    except msgspec.ValidationError as wrong:
        raise UnreadableCase(str(wrong)) from None


def failures(case: Case, answer: Answer, differences: Callable[[Row, Row], Iterator[str]] | None) -> Iterator[str]:
    """What came otherwise than a case wants: events, refusals, rows, and the end, whole.

    Raises: UnreadableCase with the key that is wrong
    """
    wanted = read({key: value for key, value in case.items() if key in HEAD}, _Head)
    yield from _different_events(wanted.expect, answer.events)
    yield from _different_rejections(wanted.reject, answer.rejections)
    yield from _different_checks(case.get("check", ()), answer.checks)
    if wanted.final is not None:
        yield from (differences or whole)(plain(answer.final), wanted.final)


def plain(value: Any) -> Any:
    """Lists and tables only, as a TOML file has them."""
    return msgspec.json.decode(msgspec.json.encode(value))


def whole(got: Row, wanted: Row) -> Iterator[str]:
    """Compare all keys of either."""
    for key in sorted({*got, *wanted}):
        if got.get(key) != wanted.get(key):
            yield f"final.{key} is {got.get(key)!r}, not {wanted.get(key)!r}"


def _different_events(wanted: Sequence[Row], got: Sequence[Row]) -> Iterator[str]:
    """The whole list in order, of each event the fields that are listed."""
    for number, (event, want) in enumerate(zip(got, wanted, strict=False), 1):
        for key, value in want.items():
            have = plain(event.get(key))
            if key != "data" and have != value:
                yield f"event {number} has {key} {have!r}, not {value!r}"
            for field, inner in read(value, Row).items() if key == "data" else ():
                if have.get(field) != inner:
                    yield f"event {number} ({event['type']}) has {field} {have.get(field)!r}, not {inner!r}"
    if len(got) != len(wanted):
        yield f"there are {len(got)} events, not {len(wanted)}: {[event['type'] for event in got[len(wanted) :]]}"


def _different_rejections(wanted: Sequence[_Refused], got: Sequence[Row]) -> Iterator[str]:
    """The refused steps or orders, each with its code, and no other."""
    codes = {row.step or row.order: row.code for row in wanted}
    found = {row["order"]: row["code"] for row in got}
    for number in sorted({*codes, *found}):
        if codes.get(number) != found.get(number):
            yield f"step {number} is refused with {found.get(number)!r}, not {codes.get(number)!r}"


def _different_checks(rows: Sequence[Row], got: Sequence[Row]) -> Iterator[str]:
    for number, (row, result) in enumerate(zip(rows, got, strict=True), 1):
        for key, value in plain(result).items():
            if key in row and value != row[key]:
                yield f"check {number} has {key} {value!r}, not {row[key]!r}"
        if not set(result) & set(row):
            yield f"check {number} wants nothing"
