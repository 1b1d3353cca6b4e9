"""The command of `phalera remote` that opens a battle.

Only typer is imported at the top, as in server.cli.main.
"""

from pathlib import Path
from typing import Annotated

import typer

from server.cli.console import UNUSABLE, Failed, in_sentences, say
from server.cli.options import Game, Lang
from server.cli.remote_asking import answer_of, entropy
from server.cli.remote_trust import home


def add_to(remote: typer.Typer) -> None:
    """Put this command among those of `phalera remote`."""
    remote.command("open")(open_battle)


@in_sentences
def open_battle(
    url: Annotated[str, typer.Argument(metavar="URL", help="The address of the server.", show_default=False)],
    scenario: Annotated[
        str, typer.Argument(metavar="SCENARIO|FILE.toml", help="A packaged battle, or your own.", show_default=False)
    ],
    game: Game = "",
    readers: Annotated[str, typer.Option(help="public, link or players; public if you do not say.")] = "",
    pace: Annotated[str, typer.Option(help="Its clock, as in 3d+7d; none if you do not say.")] = "",
    tag: Annotated[
        list[str] | None, typer.Option(metavar="WORD", help="A word by which lists find it; up to five times.")
    ] = None,
    lang: Lang = "en",
) -> None:
    """Open a battle, in which you take no side yet."""
    from server.remote.opening import WantedBattle, open_battle

    server, source = home().server(url), entropy()
    named = {"scenario_toml": _text(scenario)} if scenario.endswith(".toml") else {"scenario": scenario}
    wanted = WantedBattle(game, **named, readers=readers, pace=pace, tags=tuple(tag or ()))
    place = answer_of(server, lambda connection: open_battle(connection, server, wanted, source), lang)
    address = f"{server.address}/battles/{place.battle}"
    say(f"{address} is open. Take a side: phalera remote take {address} SIDE")


def _text(path: str) -> str:
    """The text of a scenario of one's own.

    Raises: Failed
    """
    try:
        return Path(path).read_text(encoding="utf-8")
    except (OSError, ValueError):
        raise Failed(f"{path} cannot be read.", UNUSABLE) from None
