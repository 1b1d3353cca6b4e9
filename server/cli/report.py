"""The command that tells a whole battle: report.

Only typer is imported at the top, as in server.cli.main.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from server.cli.console import UNUSABLE, Failed, in_sentences, say, write_file
from server.cli.options import Force, Lang, Out
from server.cli.stats import played_on

if TYPE_CHECKING:
    from replay.reports.account.contents import PlayedOn

Told = Annotated[
    str,
    typer.Argument(
        metavar="FILE", help="A battle, or the log of a campaign; - reads standard input.", show_default=False
    ),
]
BattlesOf = Annotated[
    str, typer.Option("--battles", metavar="DIR", help="Of a campaign: the files of its battles, to tell them, too.")
]
LinkTo = Annotated[
    str, typer.Option("--link", metavar="URL", help="Of a campaign: the server to whose pages it links.")
]


def add_to(main: typer.Typer) -> None:
    """Put this command beside the others."""
    main.command()(report)


@in_sentences
def report(
    file: Told,
    to: Annotated[
        str, typer.Option(help="md, html or pdf; else by the name of --out, else md.", show_default=False)
    ] = "",
    out: Out = "-",
    rollouts: Annotated[
        int, typer.Option(metavar="N", min=0, help="Winning chances: let bots play on from each turn, N times.")
    ] = 0,
    seed: Annotated[int, typer.Option(help="The games of --rollouts follow from it.")] = 1,
    jobs: Annotated[int, typer.Option(metavar="N", min=1, help="Processes that play beside each other.")] = 2,
    battles: BattlesOf = "",
    link: LinkTo = "",
    force: Force = False,
    lang: Lang = "en",
) -> None:
    """Tell a battle or a campaign to people who were not there.

    Armies, the story by turns, where it turned, honours, losses, boards, what is proven; of a campaign its rounds, its
    battles, its tables. For example: phalera report FILE --out battle.html
    """
    from domain.campaign.header import is_campaign
    from replay import battle_file
    from replay.drawing import pdf
    from replay.reports.account.printed import FORMS, written

    to = to or Path(out).suffix.removeprefix(".") or "md"
    if to not in FORMS:
        raise Failed(f"A report is written as {', '.join(FORMS)}, not as “{to}”.", UNUSABLE)
    if to == "pdf" and not pdf.can_write():
        raise Failed(
            "A report as PDF needs an extra: pip install 'phalera[pdf]'. A browser prints the HTML as well.", UNUSABLE
        )
    content = battle_file.read_bytes(file)
    if is_campaign(content.partition(b"\n")[0]):
        told = _of_campaign(content, battles, to, lang, link)
    else:
        name = battle_file.called(file)
        played = _played(content, name, lang, rollouts, seed, jobs) if rollouts else None
        told = written(content, to, lang, name, played)
    said = write_file(out, told, force)
    if said:
        say(said)


def _played(content: bytes, name: str, lang: str, rollouts: int, seed: int, jobs: int) -> "PlayedOn":
    """The winning chances at the start of each player-turn."""
    from replay import battle_file
    from replay.reports.account.contents import PlayedOn

    found = played_on(battle_file.parse(content, name, lang=lang), rollouts, seed, jobs)
    return PlayedOn(tuple(found), rollouts, seed)


def _of_campaign(content: bytes, battles: str, to: str, lang: str, link: str) -> bytes:
    """The report of a campaign; `battles` is the folder of its battles, "" for none.

    Raises: Failed for a folder that is not there
    """
    from replay.proof.campaign.folder import in_folder
    from replay.reports.campaign.printed import campaign_written

    if battles and not Path(battles).is_dir():
        raise Failed(f"{battles} is not a folder.", UNUSABLE)
    return campaign_written(content, in_folder(Path(battles)) if battles else None, to, lang, link.rstrip("/"))
