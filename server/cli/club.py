"""The commands `phalera club …`: clubs of a server, members to and from a file, named seats, the table.

Only typer is imported at the top, as in server.cli.main.
"""

from typing import Annotated

import typer

from server.cli.console import Failed, in_sentences, say, say_json
from server.cli.options import AsJson, Lang
from server.cli.remote_asking import answer_of, entropy
from server.cli.remote_trust import home

club = typer.Typer(help="Clubs of a server: members, seats, table.", no_args_is_help=True)

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


def _print_csv(heads: tuple[str, ...], rows: tuple[object, ...]) -> None:
    import csv
    from io import StringIO

    written = StringIO()
    lines = csv.writer(written, lineterminator="\n")
    lines.writerow(heads)
    lines.writerows([getattr(row, head) for head in heads] for row in rows)
    say(written.getvalue().rstrip("\n"))
