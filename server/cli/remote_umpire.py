"""The commands of `phalera remote` for umpires: bring a key, judge a battle.

Only typer is imported at the top, as in server.cli.main.
"""

from typing import Annotated

import typer

from server.cli.console import in_sentences, say
from server.cli.options import Lang
from server.cli.remote_asking import answer_of, entropy
from server.cli.remote_trust import Named, home


def add_to(remote: typer.Typer) -> None:
    """Put these commands among those of `phalera remote`."""
    remote.command("umpire-key")(bring_key)
    remote.command("judge")(judge)


@in_sentences
def bring_key(
    url: Annotated[str, typer.Argument(metavar="URL", help="The address of the server.", show_default=False)],
    lang: Lang = "en",
) -> None:
    """Sign what you rule as umpire.

    Your account gets the public half of your key; battles that name you from now on have it.
    """
    from server.remote import umpiring

    server, source = home().server(url), entropy()
    signer = answer_of(server, lambda connection: umpiring.bring_key(connection, server, source), lang)
    say(f"You sign as umpire with the key {signer}. Its secret half is in {server.key_file}: keep a copy of it.")


@in_sentences
def judge(battle: Named, lang: Lang = "en") -> None:
    """Judge a battle as its umpire, by `phalera remote order`."""
    from server.remote import telling, umpiring

    place = home().place(battle)
    now, is_signed = answer_of(place.server, lambda connection: umpiring.judge(connection, place), lang)
    say("\n".join(telling.situation(now, place.kept())))
    say("Your lines are signed." if is_signed else "Your lines are not signed: the battle names no key of yours.")
