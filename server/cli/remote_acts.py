"""The commands of `phalera remote` for what a player does beside orders: leave, claim, pause, be away.

Only typer is imported at the top, as in server.cli.main.
"""

from typing import Annotated

import typer

from server.cli.console import in_sentences, say
from server.cli.options import Lang
from server.cli.remote_asking import answer_of
from server.cli.remote_trust import Named, home


def add_to(remote: typer.Typer) -> None:
    """Put these commands among those of `phalera remote`."""
    remote.command("leave")(leave)
    remote.command("clock")(clock)


@in_sentences
def leave(battle: Named, lang: Lang = "en") -> None:
    """Give your side back before the battle begins."""
    _act(battle, "leave", lang)
    say("You have given your side back.")


@in_sentences
def clock(
    battle: Named,
    do: Annotated[str, typer.Argument(help="claim, pause, resume or vacation.", show_default=False)],
    days: Annotated[int, typer.Option(help="How long a pause shall last, where your seat signs.")] = 7,
    begins: Annotated[str, typer.Option(help="When the vacation begins, as your list has it.")] = "",
    ends: Annotated[str, typer.Option(help="When it ends.")] = "",
    lang: Lang = "en",
) -> None:
    """Claim, ask for a pause or agree, resume, be away."""
    _act(battle, do, lang, days, begins, ends)
    say("Done.")


def _act(battle: str, do: str, lang: str, days: int = 0, begins: str = "", ends: str = "") -> None:
    from server.remote import acting

    place = home().place(battle)
    answer_of(place.server, lambda connection: acting.act(connection, place, do, days, begins, ends), lang)
