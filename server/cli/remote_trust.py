"""The commands of `phalera remote` by which a player decides whom to trust: after a fault, and when a key changes.

Only typer is imported at the top, as in server.cli.main.
"""

import os
from typing import TYPE_CHECKING, Annotated

import typer

from server.cli.console import UNUSABLE, Failed, in_sentences, say

if TYPE_CHECKING:
    from server.remote.state import Home

Named = Annotated[str, typer.Argument(metavar="BATTLE", help="Its id or its address.", show_default=False)]


def add_to(remote: typer.Typer) -> None:
    """Put these commands among those of `phalera remote`."""
    remote.command("continue")(go_on)
    remote.command()(trust)


def home() -> "Home":
    """What is kept of servers and battles on this machine."""
    from server.remote.state import Home, home_folder

    return Home(home_folder(os.environ))


@in_sentences
def go_on(battle: Named) -> None:
    """Play on in a battle whose log has a fault.

    Until then nothing is sent. The file that proves the fault stays.
    """
    from server.remote import judging

    place = home().place(battle)
    fault = judging.accept(place)
    say(f"You go on despite {fault.what} at event {fault.n}. The proof stays in {place.faulty_log}.")


@in_sentences
def trust(
    host: Annotated[str, typer.Argument(metavar="HOST", help="The name of the host.", show_default=False)],
    key: Annotated[
        list[str],
        typer.Argument(
            metavar="[[BATTLE] PLAYER] KEY",
            help="A battle and a player there, by their ids; the key.",
            show_default=False,
        ),
    ],
) -> None:
    """Know one more key of a host, or of a player there.

    For when a key has changed and its owner has told you so. Without BATTLE a player's key is known in all battles.
    """
    from replay.proof.pins import BadPins, read_pins
    from server.remote.files import make_private_folder, write_private

    root = home().root
    try:
        (pin,) = read_pins(" ".join([host, *key]))
    except BadPins:
        raise Failed("That is no key: phalera remote trust HOST [[BATTLE] PLAYER] KEY", UNUSABLE) from None
    make_private_folder(root)
    file = root / "pins"
    known = file.read_bytes() if file.exists() else b""
    write_private(file, known + f"{pin.line()}\n".encode())
    say(f"{pin.kid} is a key of {pin.player or pin.host}. All known keys are in {file}.")
