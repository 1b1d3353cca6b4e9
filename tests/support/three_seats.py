"""A battle of lots, the toy with three seats, played to its end, and its events told otherwise."""

from collections.abc import Callable
from functools import cache
from typing import Any

from replay.proof.report import Fault
from replay.proof.verify import verify
from tests.support.rechained import put_together, taken_apart
from tests.toys.lots import LOTS
from tests.toys.played import SIGNER, recorded

GAMES = {"lots": LOTS}
HIDING = ["red: hide 3", "green: hide 5", "blue: hide 1"]
THROWING = ["red: throw", "green: throw", "blue: throw"]

Lie = Callable[[list[dict[str, Any]]], int]
"""Changes the events, as plain data, and says at which of them (from 1) it must show."""


@cache
def lots_file() -> bytes:
    """The file of a whole battle."""
    return recorded(LOTS, HIDING + THROWING)[1]


def told(lie: Lie, content: bytes = b"") -> tuple[Fault, int]:
    """What is found in a battle whose host lies and signs, and the event at which it must show."""
    header, events = taken_apart(content or lots_file())
    at = lie(events)
    fault = verify(put_together(header, events, SIGNER), rulesets=GAMES).fault
    assert fault is not None, "the lie holds"
    return fault, at


def left_out(events: list[dict[str, Any]], n: int) -> None:
    """Leave an event out as a host would: everything that names a later one names it by its new number."""
    del events[n - 1]

    def renumbered(number: int) -> int:
        return number - (number >= n)

    for event in events:
        data = event["data"]
        event["n"] = renumbered(event["n"])
        if event["type"] == "Unsealed":
            data["n"] = renumbered(data["n"])
        if "opens" in data:
            data["opens"] = [renumbered(number) for number in data["opens"]]
        if "seen" in data:
            data["seen"]["n"] = renumbered(data["seen"]["n"])


def nth(events: list[dict[str, Any]], kind: str, **members: Any) -> int:
    """The number of the first event of a type with these members."""
    fits = (one for one in events if one["type"] == kind and members.items() <= one["data"].items())
    return int(next(fits)["n"])
