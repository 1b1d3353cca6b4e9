"""The tables of a season, division by division, with who goes up and who goes down as things stand (CAM-CLB-07)."""

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from domain.campaign.season import GONE, Division, next_season
from domain.campaign.standings import TableRow, standings
from domain.campaign.state import CampaignState, contest_of
from domain.campaign.tie_breaks import scores_of

LOST, DRAWN, WON = range(3)


class SeasonRow(Struct, frozen=True):
    """A line of the table of a division. `move` is what becomes of them after the season as things stand: `up`, `down`,
    `stays` or `gone`; `points` those of the cup, `played` their battles with `won`, `drawn` and `lost`."""

    place: int
    entrant: str
    name: str
    points: int
    played: int
    won: int
    drawn: int
    lost: int
    move: str


class SeasonDivision(Struct, frozen=True):
    """A division of a season: the campaign that it is, how that stands (`entering`, `running`, `ended`), how many it
    sends up and down, how many have entered, and its table, which has no rows before the lots."""

    division: int
    campaign: str
    title: str
    status: str
    promote: int
    relegate: int
    entrants: int
    rows: tuple[SeasonRow, ...]


class SeasonTable(Struct, frozen=True):
    """A season of a league. `over`: every division has ended; `followed`: the next season is open."""

    name: str
    season: int
    over: bool
    followed: bool
    divisions: tuple[SeasonDivision, ...]


def season_divisions(
    campaigns: Sequence[tuple[str, str, CampaignState]], standing: Sequence[Division]
) -> tuple[SeasonDivision, ...]:
    """The divisions of a season, each with its table.

    Shape: `campaigns` ids, each with how it stands and its state, the highest division first; `standing` the same
           divisions as `domain.campaign.season` takes them
    """
    moves = {(berth.division, berth.entrant): berth.move for row in next_season(standing) for berth in row}
    return tuple(
        _division(
            at, campaign, status, state, {entrant: move for (place, entrant), move in moves.items() if place == at}
        )
        for at, (campaign, status, state) in enumerate(campaigns)
    )


def _division(at: int, campaign: str, status: str, state: CampaignState, moves: Mapping[str, str]) -> SeasonDivision:
    season = state.settings.season
    assert season is not None
    rows = standings(contest_of(state), state.cup.tiebreaks) if state.order else ()
    return SeasonDivision(
        at + 1,
        campaign,
        state.settings.title,
        status,
        season.promote,
        season.relegate,
        len(state.players),
        tuple(_rows(state, rows, moves)),
    )


def _rows(state: CampaignState, rows: Sequence[TableRow], moves: Mapping[str, str]) -> Iterator[SeasonRow]:
    fought = scores_of(contest_of(state)).met if rows else {}
    for place, row in enumerate(rows, 1):
        counts = [0, 0, 0]
        for met in fought[row.entrant]:
            if met.opponent:
                counts[met.score] += 1
        yield SeasonRow(
            place,
            row.entrant,
            state.entrants[row.entrant].name,
            row.points,
            sum(counts),
            counts[WON],
            counts[DRAWN],
            counts[LOST],
            moves.get(row.entrant, GONE),
        )
