"""Messages of the seasons of clubs (CAM-CLB-07)."""

from msgspec import Struct

from server.shown.season_table import SeasonTable


class OpenSeason(Struct, frozen=True, forbid_unknown_fields=True):
    """Open the first season of a league of your club, a cup for each of its `divisions`: the members of each by name,
    the highest first, none for one that is entered. Their file is a `toml`, or a packaged `example`."""

    name: str
    divisions: tuple[tuple[str, ...], ...] = ((), ())
    toml: str = ""
    example: str = "league"


class SeasonNamed(Struct, frozen=True):
    """A season of a league, without its tables."""

    name: str
    season: int


class Seasons(Struct, frozen=True):
    """The newest season of each league of a club, with its tables; `all` are all seasons by league, the newest
    first."""

    seasons: tuple[SeasonTable, ...]
    all: tuple[SeasonNamed, ...]
