"""The asks `pairing`, `round-robin` and `bracket`: who meets whom."""

from collections.abc import Iterator, Mapping
from typing import Annotated, Literal

from msgspec import Meta, Struct

from domain.campaign.boards import BoardResult, Place, places_of
from domain.campaign.bracket import bracket_round, decided, next_slots, slots
from domain.campaign.round_robin import table_rounds
from domain.campaign.sides import SideRecord, seated, side_records
from domain.campaign.swiss import Contender, pair_round
from replay.bench.bench import UnreadableCase
from replay.lab.campaign.answer import MOST, Answer, Case, Count, Names, question
from replay.lab.campaign.results import Kept, Side, winner_of


class _Entrant(Struct, forbid_unknown_fields=True):
    id: str
    points: int
    rank: int
    given: Count
    sides: str
    met: list[str]
    last: list[str]


class _Pairing(Struct, forbid_unknown_fields=True):
    system: Literal["swiss"]
    round: Count
    entrant: Annotated[list[_Entrant], Meta(min_length=1, max_length=MOST)]
    apart: list[tuple[str, str]] = []


class _Entrants(Struct, forbid_unknown_fields=True):
    entrants: Names


class _Fought(Struct, forbid_unknown_fields=True):
    board: str
    winner: Side
    kept: Kept = (0, 0)


class _Bracket(Struct, forbid_unknown_fields=True):
    entrants: Names
    lots: list[Literal[0, 1]] = []
    result: list[_Fought] = []


def pairing(case: Case) -> Answer:
    """Pair a round of a Swiss cup."""
    field: _Pairing = question(case, _Pairing)
    contenders = [
        Contender(
            each.id,
            each.points,
            SideRecord(each.rank, each.sides),
            each.given,
            frozenset(each.met),
            frozenset(each.last),
        )
        for each in field.entrant
    ]
    paired = pair_round(contenders, field.round, field.apart)
    return Answer({"pairs": paired.pairs, "bye": paired.bye, "level": paired.level})


def round_robin(case: Case) -> Answer:
    """The table for some entrants."""
    rounds = table_rounds(question(case, _Entrants).entrants)
    return Answer({"rounds": [each.pairs for each in rounds], "free": [each.free for each in rounds]})


def bracket(case: Case) -> Answer:
    """A knock-out from its first round to its champion, as far as it has results."""
    cup: _Bracket = question(case, _Bracket)
    results, lots = {each.board: each for each in cup.result}, iter(cup.lots)
    at = slots(cup.entrants)
    places: tuple[Place, ...] = ()
    rounds: list[list[list[str]]] = []
    while len(at) > 1:
        now = _places(at, places, cup.entrants, len(rounds) + 1)
        rows = [_row(place, results, lots) for place in now]
        rounds.append(rows)
        at = next_slots(at, {frozenset(place.pair): row[3] for place, row in zip(now, rows, strict=True)})
        places = (*places, *now)
    return Answer({"rounds": rounds, "champion": "".join(at)})


def _places(at: tuple[str, ...], before: tuple[Place, ...], entrants: list[str], number: int) -> tuple[Place, ...]:
    records = side_records(tuple(entrants), before)
    return places_of(number, seated(bracket_round(at).pairs, records, number))


def _row(place: Place, results: Mapping[str, _Fought], lots: Iterator[int]) -> list[str]:
    if place.name not in results:
        raise UnreadableCase(f"there is no result of board {place.name}")
    fought = results[place.name]
    try:
        how = decided([BoardResult(place, winner_of(place, fought.winner), kept=fought.kept)], lots.__next__)
    except StopIteration:
        raise UnreadableCase(f"there is no lot for board {place.name}") from None
    return [place.name, *place.pair, how.winner, how.how]
