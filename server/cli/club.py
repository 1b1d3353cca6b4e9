"""The commands `phalera club …`: clubs of a server, members to and from a file, named seats, the table, seasons.

Only typer is imported at the top, as in server.cli.main.
"""

from typing import TYPE_CHECKING, Annotated

import typer

from server.cli.console import Failed, in_sentences, say, say_json
from server.cli.options import AsJson, Lang
from server.cli.remote_asking import answer_of, entropy
from server.cli.remote_trust import home

if TYPE_CHECKING:
    from server.remote.clubs import SeasonOnServer

club = typer.Typer(help="Clubs of a server: members, seats, table, seasons.", no_args_is_help=True)

Url = Annotated[str, typer.Argument(metavar="URL", help="The address of the server.", show_default=False)]
Club = Annotated[str, typer.Argument(metavar="CLUB", help="The id of the club.", show_default=False)]
Tag = Annotated[str, typer.Option("--tag", metavar="WORD", help="The tag of the battles.")]


def add_to(main: typer.Typer) -> None:
    """Put these commands beside the others."""
    main.add_typer(club, name="club")


@club.command("list")
@in_sentences
def club_list(url: Url, lang: Lang = "en", as_json: AsJson = False) -> None:
    """List your clubs, and those that everybody may read."""
    from server.remote.clubs import clubs_on

    found = answer_of(home().server(url), clubs_on, lang)
    if as_json:
        say_json(found)
        return
    for one in found:
        say(f"{one.club}  {one.name}  {one.members}{f'  {one.role}' if one.role else ''}")


@club.command("roster")
@in_sentences
def club_roster(
    url: Url,
    club: Club,
    file: Annotated[str, typer.Argument(metavar="FILE", help="Lines NAME, ADDRESS?, ZONE?; - reads them.")] = "",
    lang: Lang = "en",
    as_json: AsJson = False,
) -> None:
    """Print the members as CSV; with a file, add those in it, each line answered by itself."""
    from replay.battle_file import read_bytes
    from server.remote.clubs import add_to_club, members_of

    server = home().server(url)
    if not file:
        members = answer_of(server, lambda connection: members_of(connection, club), lang)
        if as_json:
            say_json(members)
        else:
            _print_csv(("name", "role", "not_before", "running"), members)
        return
    try:
        csv = read_bytes(file).decode()
    except UnicodeDecodeError as fault:
        raise Failed(f"{file} is no text.") from fault
    lines = answer_of(server, lambda connection: add_to_club(connection, server, club, csv, entropy()), lang)
    if as_json:
        say_json(lines)
        return
    for one in lines:
        say(f"{one.line}: {one.name}: {one.detail or one.what}{f'  {one.link}' if one.link else ''}")


@club.command("seat")
@in_sentences
def club_seat(
    url: Url,
    club: Club,
    south: Annotated[str, typer.Argument(metavar="SOUTH", help="A member by name.", show_default=False)],
    north: Annotated[str, typer.Argument(metavar="NORTH", help="Another one.", show_default=False)],
    scenario: Annotated[str, typer.Argument(metavar="SCENARIO", help="A packaged battle.", show_default=False)],
    tag: Tag = "",
    pace: Annotated[str, typer.Option(help="Its clock, as in 3d+7d; none if you do not say.")] = "",
    lang: Lang = "en",
) -> None:
    """Open a battle between two members, as an organiser."""
    from server.remote.clubs import seat_on

    server, seats = home().server(url), {"south": south, "north": north}
    battle = answer_of(
        server, lambda connection: seat_on(connection, server, club, seats, scenario, tag, pace, entropy()), lang
    )
    say(f"{server.address}/battles/{battle}")


@club.command("table")
@in_sentences
def club_table(url: Url, club: Club, tag: Tag = "", lang: Lang = "en", as_json: AsJson = False) -> None:
    """Print the table as CSV: two points for a victory, one for a draw."""
    from server.remote.clubs import table_on

    rows = answer_of(home().server(url), lambda connection: table_on(connection, club, tag), lang)
    if as_json:
        say_json(rows)
    else:
        _print_csv(("place", "name", "points", "played", "won", "drawn", "lost"), rows)


@club.command("seasons")
@in_sentences
def club_seasons(
    url: Url,
    club: Club,
    name: Annotated[str, typer.Option(metavar="NAME", help="This league alone.")] = "",
    season: Annotated[int, typer.Option(metavar="N", help="This season of it; 0: the newest.")] = 0,
    lang: Lang = "en",
    as_json: AsJson = False,
) -> None:
    """Print the tables of a club's leagues, division by division, with who goes up and who goes down."""
    from server.remote.clubs import seasons_on

    found = answer_of(home().server(url), lambda connection: seasons_on(connection, club, name, season), lang)
    if as_json:
        say_json(found)
    else:
        _print_seasons(found)


@club.command("season")
@in_sentences
def club_season(
    url: Url,
    club: Club,
    name: Annotated[str, typer.Argument(metavar="NAME", help="The name of the league.", show_default=False)],
    file: Annotated[str, typer.Option("--file", metavar="FILE", help="Campaign file of a division; - reads it.")] = "",
    example: Annotated[str, typer.Option(metavar="NAME", help="A packaged example in its place.")] = "league",
    division: Annotated[
        list[str] | None, typer.Option(metavar="NAMES", help="Members of a division, between commas; once for each.")
    ] = None,
    go_on: Annotated[bool, typer.Option("--next", help="Open the next season of the league.")] = False,
    lang: Lang = "en",
) -> None:
    """Open the first season of a league, as an organiser, or with --next the next one; without --division two divisions
    that members enter themselves."""
    from replay.battle_file import read_bytes
    from server.remote.clubs import next_season_on, open_season_on

    server = home().server(url)
    if go_on:
        found = answer_of(server, lambda connection: next_season_on(connection, server, club, name, entropy()), lang)
        _print_seasons(found)
        return
    members = [[one.strip() for one in names.split(",") if one.strip()] for names in division or ("", "")]
    try:
        toml = read_bytes(file).decode() if file else ""
    except UnicodeDecodeError as fault:
        raise Failed(f"{file} is no text.") from fault
    wanted = {"name": name, "divisions": members, "toml": toml, "example": example}
    found = answer_of(server, lambda connection: open_season_on(connection, server, club, wanted, entropy()), lang)
    _print_seasons(found)


def _print_seasons(found: "tuple[SeasonOnServer, ...]") -> None:
    """The tables as CSV, each below a line that names season, division and campaign."""
    for season in found:
        for one in season.divisions:
            say(f"# {season.name} {season.season}, division {one.division}: {one.campaign} ({one.status})")
            if one.rows:
                _print_csv(("place", "name", "points", "played", "won", "drawn", "lost", "move"), one.rows)
            else:
                say(f"# {one.entrants} entered")


def _print_csv(heads: tuple[str, ...], rows: tuple[object, ...]) -> None:
    import csv
    from io import StringIO

    written = StringIO()
    lines = csv.writer(written, lineterminator="\n")
    lines.writerow(heads)
    lines.writerows([getattr(row, head) for head in heads] for row in rows)
    say(written.getvalue().rstrip("\n"))
