"""Battle files of header version 3 of each game, and all the ways in which their host tells one event otherwise.

A file is altered, chained and signed anew by its host: whoever judges it must find what it says, and not how it is
spelled. What players have signed stays as it was, so behind a change their signatures differ.
"""

import random
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from typing import Any

from domain.events.battle import ClockFired
from domain.log.record import PBEM_2_1
from tests.conformance import version_3 as made
from tests.golden.__main__ import played, script
from tests.replay.made_battle import HOST, SIGNER
from tests.replay.proof import test_signed_lines as lines
from tests.support.rechained import put_together, taken_apart

KEPT = (
    *("agreement", "ruling", "time", "unfinished", "blind"),
    *("singidunum-drawn", "singidunum-goal", "warmaster-drawn", "warmaster-volleys"),
)
"""Golden battles, played again in version 3: draws, secrets, umpires, clocks and take-backs of all games."""
BY = ("server", "umpire", "north", "south", "west")
ACROSS = {"north": "south", "south": "north"}

File = tuple[str, bytes]
"""What was done, and the file."""


@cache
def files() -> dict[str, bytes]:
    """Honest files by name: whole battles of each game, and made ones whose players and umpires sign."""
    found = {name: played({**script(name), "version": PBEM_2_1}).file() for name in KEPT}
    told = lines.playing()
    told.own("north", ClockFired("vacation", "north", lines.VACATION), lines.VACATION)
    lines.flagged(told)
    lines.claim(told)
    found["claimed"] = told.file()
    found["ruled"] = made.a_ruling_with_the_umpires_key()[0].file()
    found["given-back"] = made.a_signed_seat_given_back()[0].file()
    return found


def alterations(name: str, most: int) -> Iterator[File]:
    """Up to `most` of the ways in which one event of a file can be told otherwise, one of each kind, any of them."""
    header, events = taken_apart(files()[name])
    header |= {"host": HOST, "key": SIGNER.key}
    chance, seen = random.Random(name), set[str]()
    ways = [(kind, at, 1, told) for at, event in enumerate(events) for kind, told in _ways(event)]
    ways += [(f"{a['type']} behind {b['type']}", at, 2, [b, a]) for at, (a, b) in enumerate(pairwise(events))]
    chance.shuffle(ways)
    for kind, at, width, told in ways:
        if kind in seen or len(seen) == most:
            continue
        seen.add(kind)
        rest = [*events[:at], *told, *events[at + width :]]
        numbered = [{**event, "n": n} for n, event in enumerate(rest, 1)]
        yield f"{name}, event {at + 1}: {kind}", put_together(header, numbered, SIGNER)


def _ways(event: dict[str, Any]) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """What may stand instead of an event: none, two, or another one."""
    kind, data = event["type"], event["data"]
    yield f"no {kind}", []
    yield f"{kind} twice", [event, event]
    for by in BY:
        if by != event["by"]:
            yield f"{kind} by {by}", [{**event, "by": by}]
    yield f"{kind} under another rule", [{**event, "rule": f"{event['rule']}-9"}]
    yield f"{kind} later", [{**event, "at": f"2031{event['at'][4:]}"}]
    for other in ("BattleStopped", "TurnBegan", f"{kind}@2", "Nothing"):
        yield f"{kind} called {other}", [{**event, "type": other}]
    for member in ("sealed", "opens", "set_by", "shown", "face", "signature", "serial", "given", "scenario_hash"):
        if member not in data:
            yield f"{kind} with {member}", [{**event, "data": {**data, member: _stray(member)}}]
    for member, value in data.items():
        for how, other in _others(value):
            yield f"{kind}.{member} {how}", [{**event, "data": {**data, member: other}}]
        less = {name: one for name, one in data.items() if name != member}
        yield f"{kind} without {member}", [{**event, "data": less}]


def _stray(member: str) -> Any:
    return {"opens": [1], "set_by": 1, "shown": ["1c1"], "face": 1, "serial": 1, "given": {"north": 1}}.get(
        member, "00"
    )


def _others(value: Any) -> Iterator[tuple[str, Any]]:
    """Other values in the place of one: near it, and of other types."""
    yield "nothing", None
    match value:
        case bool():
            yield "otherwise", not value
        case int():
            yield "more", value + 1
            yield "less", value - 1
            yield "far", 1 << 40
            yield "a text", str(value)
        case str():
            yield "empty", ""
            yield "longer", f"{value}0"
            yield "near", value[:-1] + ("0" if value[-1:] != "0" else "1")
            yield "a number", 7
            if value in ACROSS:
                yield "across", ACROSS[value]
                yield "nobody", "west"
        case list():
            yield "empty", []
            yield "doubled", [*value, *value]
            yield "an object", {}
        case dict():
            yield "empty", {}
            yield "a list", []
            for name, inner in value.items():
                for how, other in _others(inner) if not isinstance(inner, dict) else ():
                    yield f"{name} {how}", {**value, name: other}
