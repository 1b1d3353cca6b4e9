"""What cases of forces and of maps have in common: armies, chance, and events as a case shows them."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Annotated, Any, TypeVar

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from domain.basics.errors import Refusal
from domain.campaign.theatre.state import ForceState, force_of
from domain.catalogue import RULESETS
from domain.contract.campaign_book import CampaignBook
from domain.events.event import Event
from domain.log.chance import DeckTooShort, NoSuchFace
from replay.bench.bench import UnreadableCase
from replay.lab.campaign.answer import Row, read

Deeds = list[tuple[str, str, int]]
"""Unit, honour, number of the event."""
Draws = Annotated[list[Annotated[int, Meta(ge=0, le=10_000)]], Meta(max_length=10_000)]
Dice = dict[str, Draws]
Table = dict[str, Any]
T = TypeVar("T", bound=Struct)


def book_of(ruleset: str) -> CampaignBook:
    """The campaigns of a game; "" stands for the first that has some.

    Raises: UnreadableCase
    """
    books = {code: game.campaign for code, game in RULESETS.items() if game.campaign and ruleset in ("", code)}
    if not books:
        raise UnreadableCase(f"{ruleset!r} carries no forces from battle to battle")
    return next(iter(books.values()))


def force_from(book: CampaignBook, name: str, power: str, army: Mapping[str, Any], area: str = "") -> ForceState:
    """A force from the table of its army, whose units may have had honours and risen steps before.

    Raises: UnreadableCase for an army that is none
    """
    had: dict[str, _Had] = {}
    try:
        found = book.read(_without_past(army, had))
    except Refusal as refused:
        raise UnreadableCase(f"{name}: {refused.code} {dict(refused.params)}") from None
    force = force_of(name, power, area, found, book.roster(found))
    for unit, before in had.items():
        was = force.elements.get(unit.upper())
        if was is None:
            raise UnreadableCase(f"{name}: {unit} is of a troop that there is not")
        force = force.with_element(replace(was, honours=before.honours, steps=before.steps))
    return force


class _Had(Struct, forbid_unknown_fields=True):
    """What a unit has had before."""

    honours: Annotated[int, Meta(ge=0, le=1000)] = 0
    steps: Annotated[int, Meta(ge=0, le=1000)] = 0


def _without_past(value: Any, had: dict[str, _Had]) -> Any:
    """A part of an army's table without what its units have had before, which is noted."""
    if isinstance(value, list):
        return [_without_past(inner, had) for inner in value]
    if not isinstance(value, dict):
        return value
    before = {key: inner for key, inner in value.items() if key in _Had.__struct_fields__}
    if before:
        had[str(value.get("id"))] = read(before, _Had)
    return {key: _without_past(inner, had) for key, inner in value.items() if key not in before}


@contextmanager
def stacked() -> Iterator[None]:
    """Draws that a case does not have, or cannot have, are its fault."""
    try:
        yield
    except DeckTooShort as missing:
        raise UnreadableCase(f"the case has no more draws of {missing.name}") from None
    except Refusal as refused:
        raise UnreadableCase(f"{refused.code} {dict(refused.params)}") from None
    except NoSuchFace as wrong:
        raise UnreadableCase(f"{wrong.name} draws {wrong.value}, which there is not") from None


def split(table: Mapping[str, Any], shape: type[T]) -> tuple[T, dict[str, Any]]:
    """What a case says of a force, and the table of its army: all keys that `shape` does not have.

    Raises: UnreadableCase with the key that is wrong
    """
    own = {field.encode_name for field in msgspec.structs.fields(shape)}
    of_army = {key: value for key, value in table.items() if key not in own}
    return read({key: value for key, value in table.items() if key in own}, shape), of_army


def told(events: Sequence[Event]) -> list[Row]:
    """Events as a case shows them."""
    return [
        {
            "n": number,
            "by": "server",
            "type": type(event).__name__,
            "rule": event.RULE,
            "data": msgspec.to_builtins(event),
        }
        for number, event in enumerate(events, 1)
    ]
