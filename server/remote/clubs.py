"""Ask a server about clubs, and do what their organisers do: members from a file, named seats, the table, seasons."""

from collections.abc import Mapping
from urllib.parse import urlencode

from msgspec import Struct

from replay.writing.entropy import Entropy
from server.remote.connection import ServerConnection
from server.remote.errors import NotDone
from server.remote.once import send_once
from server.remote.state import ServerFolder


class ClubOnServer(Struct, frozen=True):
    """A club in a list."""

    club: str
    name: str
    members: int
    role: str


class _ClubList(Struct, frozen=True):
    mine: tuple[ClubOnServer, ...]
    clubs: tuple[ClubOnServer, ...]


class MemberOnServer(Struct, frozen=True):
    """A member of a club."""

    name: str
    role: str
    not_before: str
    running: int


class _ClubWhole(Struct, frozen=True):
    members: tuple[MemberOnServer, ...]


class LineOfRoster(Struct, frozen=True):
    """What a line of a file of members has come to."""

    line: int
    name: str
    what: str
    link: str
    detail: str


class _RosterRead(Struct, frozen=True):
    lines: tuple[LineOfRoster, ...]


class RowOnServer(Struct, frozen=True):
    """A row of the table of a club."""

    place: int
    name: str
    points: int
    played: int
    won: int
    drawn: int
    lost: int


class _TableRead(Struct, frozen=True):
    rows: tuple[RowOnServer, ...]


class SeasonRowOnServer(Struct, frozen=True):
    """A row of the table of a division; `move` is `up`, `down`, `stays` or `gone`."""

    place: int
    name: str
    points: int
    played: int
    won: int
    drawn: int
    lost: int
    move: str


class DivisionOnServer(Struct, frozen=True):
    """A division of a season, and the campaign that it is."""

    division: int
    campaign: str
    status: str
    entrants: int
    rows: tuple[SeasonRowOnServer, ...]


class SeasonOnServer(Struct, frozen=True):
    """A season of a league of a club."""

    name: str
    season: int
    over: bool
    followed: bool
    divisions: tuple[DivisionOnServer, ...]


class _SeasonsRead(Struct, frozen=True):
    seasons: tuple[SeasonOnServer, ...]


class _LineAnswered(Struct, frozen=True):
    status: str
    detail: str


class _LinesAnswered(Struct, frozen=True):
    lines: tuple[_LineAnswered, ...]


class _Seated(Struct, frozen=True):
    battles: tuple[str, ...]


async def clubs_on(connection: ServerConnection) -> tuple[ClubOnServer, ...]:
    """One's own clubs, then those that everybody may read.

    Raises: NotDone
    """
    found = await connection.read("/clubs", _ClubList)
    own = {one.club for one in found.mine}
    return (*found.mine, *(one for one in found.clubs if one.club not in own))


async def members_of(connection: ServerConnection, club: str) -> tuple[MemberOnServer, ...]:
    """The members of a club.

    Raises: NotDone
    """
    return (await connection.read(f"/clubs/{club}", _ClubWhole)).members


async def add_to_club(
    connection: ServerConnection, server: ServerFolder, club: str, csv: str, entropy: Entropy
) -> tuple[LineOfRoster, ...]:
    """Add members from a file; what each line has come to.

    Raises: Refused, Unanswered, NotDone
    """
    return (await send_once(connection, server, f"/clubs/{club}/roster", {"csv": csv}, _RosterRead, entropy)).lines


async def table_on(connection: ServerConnection, club: str, tag: str) -> tuple[RowOnServer, ...]:
    """The table of a club, of the battles with a tag.

    Raises: NotDone
    """
    return (await connection.read(f"/clubs/{club}/table{f'?tag={tag}' if tag else ''}", _TableRead)).rows


async def seat_on(
    connection: ServerConnection,
    server: ServerFolder,
    club: str,
    seats: dict[str, str],
    scenario: str,
    tag: str,
    pace: str,
    entropy: Entropy,
) -> str:
    """Open a battle between two members; its id. The same again after no answer is the same battle.

    Raises: Refused, Unanswered (the same again goes on), NotDone
    """
    body = {"club": club, "tag": tag, "pace": pace, "pairings": [{"seats": seats, "scenario": scenario}]}
    return (await send_once(connection, server, "/battles/bulk", body, _Seated, entropy)).battles[0]


async def seasons_on(
    connection: ServerConnection, club: str, name: str = "", season: int = 0
) -> tuple[SeasonOnServer, ...]:
    """The newest season of each league of a club, or that of the one that is named, or the season with a number.

    Raises: NotDone
    """
    asked = {key: value for key, value in (("name", name), ("season", season)) if value}
    return (await connection.read(f"/clubs/{club}/seasons?{urlencode(asked)}", _SeasonsRead)).seasons


async def open_season_on(
    connection: ServerConnection, server: ServerFolder, club: str, wanted: Mapping[str, object], entropy: Entropy
) -> tuple[SeasonOnServer, ...]:
    """Open the first season of a league: its `name`, `divisions`, and `toml` or `example`.

    Raises: Refused, Unanswered (the same again goes on), NotDone
    """
    return (await send_once(connection, server, f"/clubs/{club}/seasons", wanted, _SeasonsRead, entropy)).seasons


async def next_season_on(
    connection: ServerConnection, server: ServerFolder, club: str, name: str, entropy: Entropy
) -> tuple[SeasonOnServer, ...]:
    """Open the next season of a league.

    Raises: Refused, Unanswered (the same again goes on), NotDone
    """
    newest = await seasons_on(connection, club, name)
    if not newest:
        raise NotDone(f"The club has no league “{name}”.")
    path, body = f"/campaigns/{newest[0].divisions[0].campaign}/orders", {"orders": "season next"}
    (line,) = (await send_once(connection, server, path, body, _LinesAnswered, entropy)).lines
    if line.status != "accepted":
        raise NotDone(line.detail)
    return await seasons_on(connection, club, name)
