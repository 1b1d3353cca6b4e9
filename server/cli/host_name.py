"""The commands `phalera host …`: the names and keys of a host.

Only typer is imported at the top, as in server.cli.main.
"""

from typing import Annotated

import typer

from server.cli.console import Failed, in_sentences, say, say_json
from server.cli.host import Data, Db, MailAddress, opened, settings_of
from server.cli.options import AsJson

host = typer.Typer(help="The name of this host, and its keys: show, rename.", no_args_is_help=True)


def add_to(main: typer.Typer) -> None:
    """Put these commands beside the others."""
    main.add_typer(host, name="host")


@host.command("show")
@in_sentences
def host_show(data: Data = "", db: Db = "", as_json: AsJson = False) -> None:
    """List the names that this host has had, with their keys and how many battles were opened with each.

    Exit code 1 if a key is missing.
    """
    from server.upkeep.naming import host_keys

    with opened(data, db) as (settings, store):
        keys = host_keys(settings, store)
    if as_json:
        say_json(keys)
    else:
        for key in keys:
            state = "current" if key.is_current else "former" if key.is_here else "MISSING"
            say(f"{key.name:<30}  {state:<7}  {key.battles:>6,} battles")
            say(f"  key          {key.key}")
            say(f"  fingerprint  {key.fingerprint}")
    raise typer.Exit(0 if all(key.is_here for key in keys) else 1)


@host.command("rename")
@in_sentences
def host_rename(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The new name: games.example.", show_default=False)],
    data: Data = "",
    db: Db = "",
    mail_address: MailAddress = "",
) -> None:
    """Give this host another name, while its server is stopped.

    Battles that are there keep the name and key under which they were opened and are signed so for ever. Those opened
    afterwards have the new name and a key of their own. Going back to an earlier name takes up its key again.
    """
    from server.entropy import SystemEntropy
    from server.sole import is_served, sole_server
    from server.upkeep.naming import rename, sentences_of

    with opened(data, db) as (settings, store):
        if is_served(settings):
            raise Failed(f"A server runs on {settings.data}: stop it first. Nothing was changed.")
        with sole_server(settings):
            done = rename(settings, store, name, SystemEntropy())
    for line in sentences_of(done, settings_of(data, db, host=name, address=mail_address)):
        say(line)
