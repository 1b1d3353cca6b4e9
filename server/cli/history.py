"""The command that looks into the log of a battle file: log.

Only typer is imported at the top, as in server.cli.main.
"""

from typing import Annotated

import typer

from server.cli.console import UNUSABLE, Failed, in_sentences, say
from server.cli.options import Lang


def add_to(main: typer.Typer) -> None:
    """Put the command beside the others."""
    main.command()(log)


@in_sentences
def log(
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="A battle file; - reads standard input.", show_default=False)
    ],
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[WORD…]",
            help="Words of the sentences, and by: card: die: rule: type: unit:, which must all hold.",
            show_default=False,
        ),
    ] = None,
    to: Annotated[str, typer.Option(help="txt, jsonl or csv.")] = "txt",
    lang: Lang = "en",
    as_json: Annotated[bool, typer.Option("--json", help="The same as --to jsonl.")] = False,
) -> None:
    """Print the events of a battle, or those that a search finds.

    As sentences, as JSON Lines with the data of each event (for jq), or as CSV (for spreadsheets).
    For example: phalera log FILE unit:R1 type:CardDrawn
    """
    from replay import battle_file
    from replay.reports import selected
    from replay.search import BadSearch, read_search
    from replay.telling.words import phrase

    to = "jsonl" if as_json else to
    if to not in selected.FORMS:
        raise Failed(f"A log is printed as {', '.join(selected.FORMS)}, not as “{to}”.", UNUSABLE)
    try:
        terms = read_search(" ".join(words or ()), lang)
    except BadSearch as reason:
        raise Failed(str(reason), UNUSABLE) from None
    battle = battle_file.load(file, lang)
    found = selected.find(battle, terms, lang)
    for line in selected.written(battle, found, to):
        say(line)
    if not found:
        typer.echo(phrase("search.none", {}, lang), err=True)
