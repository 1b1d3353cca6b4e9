"""The command `phalera replay`: a battle on the full screen, as text, or as a page.

Only typer is imported at the top, as in server.cli.main.
"""

from typing import TYPE_CHECKING, Annotated

import typer

from server.cli import remote as cli_remote
from server.cli.console import in_sentences, say, say_json, write_file
from server.cli.options import AsJson, Force, Lang

if TYPE_CHECKING:
    from replay.battle_file import BattleFile


def add_to(main: typer.Typer) -> None:
    """Put this command beside the others."""
    main.command()(replay)


@in_sentences
def replay(
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE|URL",
            help="A battle file; - reads standard input. Or the address of a battle on a server.",
            show_default=False,
        ),
    ],
    plain: Annotated[bool, typer.Option("--plain", help="Sentences and boards of text, one after the other.")] = False,
    at: Annotated[int | None, typer.Option(metavar="N", help="Only event N, and the board after it.")] = None,
    first: Annotated[int, typer.Option("--from", metavar="N", help="The first event told.")] = 1,
    last: Annotated[int | None, typer.Option("--to", metavar="N", help="The last event told.")] = None,
    html: Annotated[
        str, typer.Option("--html", metavar="OUT", help="One page with board, story and proof; no server needed.")
    ] = "",
    force: Force = False,
    lang: Lang = "en",
    as_json: AsJson = False,
) -> None:
    """Look through a battle, or tell it event by event.

    The player starts in a terminal; ? in it explains the keys. A battle on a server is followed as it goes on. In a
    pipe, and with --plain or a range of events, the events are told with the board at each turn. With --html it is
    written as one file for any browser, to be sent to whoever was not there.
    """
    from replay import battle_file

    watch = cli_remote.watch(file, lang) if "://" in file else None
    content = cli_remote.watched(watch) if watch else battle_file.read_bytes(file)
    if html:
        _write_film(content, html, lang, battle_file.called(file), force)
        return
    battle = battle_file.parse(content, battle_file.called(file), lang=lang)
    if not (plain or as_json) and (at, first, last) == (None, 1, None) and _is_on_a_terminal():
        from replay.player.app import ReplayPlayer
        from server.offline.branching import branch_file

        player = ReplayPlayer(battle, file, lang, follow=watch.follow if watch else None, branch=branch_file)
        player.run()
        raise typer.Exit(player.return_code or 0)
    start = battle.require_event(first if at is None else at, lang=lang)
    end = battle.require_event(at if at is not None else battle.last if last is None else last, lang=lang)
    _tell(battle, start, end, lang, as_json)


def _write_film(content: bytes, out: str, lang: str, name: str, force: bool) -> None:
    from server.web.pages.film import film_page

    said = write_file(out, film_page(content, lang, name), force)
    if said:
        say(said)


def _tell(battle: "BattleFile", start: int, end: int, lang: str, as_json: bool) -> None:
    from replay.reports import plain

    if as_json:
        say_json(list(plain.lines(battle, start, end, lang)))
        return
    for block in plain.as_text(battle, start, end, lang):
        say(block)


def _is_on_a_terminal() -> bool:
    """Whether somebody can press keys and see what they do; a dumb terminal has no cursor to move."""
    import os
    import sys

    return os.environ.get("TERM") != "dumb" and all(stream.isatty() for stream in (sys.stdin, sys.stdout, sys.stderr))
