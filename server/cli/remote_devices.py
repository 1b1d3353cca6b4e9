"""The commands of `phalera remote` for a seat on all devices of its player: the key of lockers, and what is in them.

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
    remote.command("words")(words)
    remote.command("carry")(carry)


@in_sentences
def words(
    url: Annotated[str, typer.Argument(metavar="URL", help="The address of the server.", show_default=False)],
    take: Annotated[bool, typer.Option("--take", help="Type the words of another device.")] = False,
    lang: Lang = "en",
) -> None:
    """Show the nine words that bring your seats to another device."""
    from server.remote import carrying

    server, source = home().server(url), entropy()
    if take:
        typed = typer.prompt("Nine words", hide_input=True, err=True)
        answer_of(server, lambda connection: carrying.take_words(connection, server, typed), lang)
        say("The key of your lockers is here: phalera remote carry BATTLE")
        return
    say(answer_of(server, lambda connection: carrying.show_words(connection, server, source), lang))


@in_sentences
def carry(battle: Named, lang: Lang = "en") -> None:
    """Bring a seat here from your other devices, and from here to them."""
    from server.remote import carrying

    place, source = home().place(battle), entropy()
    found = answer_of(place.server, lambda connection: carrying.carry(connection, place, source), lang)
    if found.is_altered:
        say("The locker on the server was altered. It was not used, and is put right from here.")
    elif found.is_older:
        say("The server gave an older locker than before. It is put right from here.")
    say(f"{found.side} of battle {place.battle} is the same here and on your other devices.")
