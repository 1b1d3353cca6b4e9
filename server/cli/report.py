"""The command that tells a whole battle: report.

Only typer is imported at the top, as in server.cli.main.
"""

from pathlib import Path
from typing import Annotated

import typer

from server.cli.console import UNUSABLE, Failed, in_sentences, say, write_file
from server.cli.options import Force, Lang, Out
from server.cli.stats import played_on


def add_to(main: typer.Typer) -> None:
    """Put this command beside the others."""
    main.command()(report)


@in_sentences
def report(
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="A battle file; - reads standard input.", show_default=False)
    ],
    to: Annotated[
        str, typer.Option(help="md, html or pdf; else by the name of --out, else md.", show_default=False)
    ] = "",
    out: Out = "-",
    rollouts: Annotated[
        int, typer.Option(metavar="N", min=0, help="Winning chances: let bots play on from each turn, N times.")
    ] = 0,
    seed: Annotated[int, typer.Option(help="The games of --rollouts follow from it.")] = 1,
    jobs: Annotated[int, typer.Option(metavar="N", min=1, help="Processes that play beside each other.")] = 2,
    force: Force = False,
    lang: Lang = "en",
) -> None:
    """Tell a battle to people who were not there.

    The armies, the story turn by turn, where it turned, who was honoured and who was lost, boards, and what is proven.
    For example: phalera report FILE --out battle.html
    """
    from replay import battle_file
    from replay.drawing import pdf
    from replay.reports.account.contents import PlayedOn
    from replay.reports.account.printed import FORMS, written

    to = to or Path(out).suffix.removeprefix(".") or "md"
    if to not in FORMS:
        raise Failed(f"A report is written as {', '.join(FORMS)}, not as “{to}”.", UNUSABLE)
    if to == "pdf" and not pdf.can_write():
        raise Failed(
            "A report as PDF needs an extra: pip install 'phalera[pdf]'. A browser prints the HTML as well.", UNUSABLE
        )
    content = battle_file.read_bytes(file)
    played = None
    if rollouts:
        found = played_on(battle_file.parse(content, battle_file.called(file), lang=lang), rollouts, seed, jobs)
        played = PlayedOn(tuple(found), rollouts, seed)
    said = write_file(out, written(content, to, lang, battle_file.called(file), played), force)
    if said:
        say(said)
