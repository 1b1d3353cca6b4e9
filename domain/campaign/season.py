"""The next season of a league: which entrants go up a division, which go down, and which stay (CAM-CLB-07).

A league is one cup for each division; division 1 is the highest. Its numbers of promoted and relegated entrants are
those of its own file.
"""

from collections.abc import Callable, Iterator, Sequence

from msgspec import Struct

from domain.campaign.standings import standings
from domain.campaign.state import CampaignState, Entrant, contest_of

RULE = "CAM-CLB-07"
UP, DOWN, STAYS, GONE = "up", "down", "stays", "gone"
MOST_DIVISIONS = 8


class Division(Struct, frozen=True):
    """A division as it stands. `order` are the entrants who are still there, the first of the table on top; `gone` how
    many of those who began are not; `promote` and `relegate` how many it sends up, and down."""

    order: tuple[str, ...]
    gone: int = 0
    promote: int = 2
    relegate: int = 2


class Berth(Struct, frozen=True):
    """A place in the next season: the entrant of a division, counted from 0, and how they came to it (`up`, `down`,
    `stays`)."""

    division: int
    entrant: str
    move: str


def division_of(state: CampaignState, is_there: Callable[[Entrant], bool]) -> Division:
    """The division that a cup is, by its table now.

    Shape: `is_there` whether somebody who has not left the cup may fight the next season, too
    """
    rows = standings(contest_of(state), state.cup.tiebreaks) if state.order else ()
    found = (state.entrants[row.entrant] for row in rows)
    order = tuple(one.id for one in found if not one.left and is_there(one))
    season = state.settings.season
    assert season is not None  # it is a division
    return Division(order, len(state.order) - len(order), season.promote, season.relegate)


def next_season(divisions: Sequence[Division]) -> tuple[tuple[Berth, ...], ...]:
    """The divisions of the next season, the highest first: who came down on top, then who stays, then who came up.

    Whoever has gone counts as relegated first. A place that is still free then goes to one more from below, so that
    every division but the last is as large as its numbers say; newcomers enter the last.
    """
    going = [tuple(_moves(divisions, at)) for at in range(len(divisions))]
    return tuple(tuple(_berths(going, at)) for at in range(len(divisions)))


def _moves(divisions: Sequence[Division], at: int) -> Iterator[tuple[str, str]]:
    """Each entrant of a division, with where they go."""
    division, empty = divisions[at], sum(one.gone for one in divisions[:at])
    up = 0
    if at:
        up = division.promote + max(0, empty - divisions[at - 1].relegate)
    down = max(0, division.relegate - empty - division.gone) if at + 1 < len(divisions) else 0
    stay = max(up, len(division.order) - down)
    for place, entrant in enumerate(division.order):
        yield entrant, UP if place < up else STAYS if place < stay else DOWN


def _berths(going: Sequence[Sequence[tuple[str, str]]], at: int) -> Iterator[Berth]:
    """Who is in a division of the next season."""
    for division, move in ((at - 1, DOWN), (at, STAYS), (at + 1, UP)):
        if 0 <= division < len(going):
            yield from (Berth(division, entrant, move) for entrant, way in going[division] if way == move)
