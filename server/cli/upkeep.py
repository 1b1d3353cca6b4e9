"""The commands that keep a data folder: migrate, backup, restore, doctor.

Only typer is imported at the top, as in server.cli.main.
"""

from pathlib import Path
from typing import Annotated

import typer

from server.cli.console import Failed, in_sentences, say, say_json
from server.cli.host import Data, Db, HostName, opened
from server.cli.options import AsJson


def add_to(main: typer.Typer) -> None:
    """Put these commands beside the others."""
    for command in (migrate, backup, restore, doctor):
        main.command(command.__name__)(command)


@in_sentences
def migrate(data: Data = "", db: Db = "") -> None:
    """Bring the store of an earlier release to this one’s format.

    The server must be stopped. A copy is made first; a step that fails changes nothing.
    """
    from server.settings import Settings
    from server.sole import sole_server
    from server.store.migrations import migrate as migrated

    settings = Settings.at(data or None, db=db)
    path = Path(settings.store().dbname)
    if not path.is_file():
        raise Failed(f"There is no store at {path}; --data names another folder.", 2)
    with sole_server(settings):
        done = migrated(path)
    if done.copy is None:
        say(f"The store has format {done.after} already.")
    else:
        say(f"The store has format {done.after} now. {done.copy} is the store as it was, in format {done.before}.")


@in_sentences
def backup(
    target: Annotated[
        str, typer.Argument(metavar="FOLDER|FILE.tar", help="A new folder or file for the copy.", show_default=False)
    ],
    data: Data = "",
    db: Db = "",
) -> None:
    """Copy log, accounts, secrets and key as of one moment.

    Play may go on meanwhile. Read models are not copied: the server makes them anew.
    """
    from server.upkeep.backup import back_up

    with opened(data, db) as (settings, store):
        copied = back_up(settings, store, target)
    say(f"{target} holds {copied}. It has the host's key and all secrets: keep it as safe as the original.")


@in_sentences
def restore(
    source: Annotated[str, typer.Argument(metavar="FROM", help="A backup, folder or file.", show_default=False)],
    target: Annotated[str, typer.Argument(metavar="TO", help="A new data folder.", show_default=False)],
) -> None:
    """Put a backup into a new data folder, after checking it.

    Nothing is written over. A backup that is not whole is refused.
    """
    from server.clock import SystemClock
    from server.upkeep.backup import restore as put_back

    if not Path(source).exists():
        raise Failed(f"There is no backup at {source}.", 2)
    for finding in put_back(source, target, SystemClock().now()):
        say(f"{finding.what}: {finding.said}. {finding.advice}")
    say(f"{target} holds what was in {source}: phalera serve --data {target}")


@in_sentences
def doctor(data: Data = "", db: Db = "", host: HostName = "", as_json: AsJson = False) -> None:
    """Check everything in the data folder, and say what to do.

    Exit code 0: all is well. 1: something is not. Nothing is changed; a server may run meanwhile.
    """
    from server.clock import SystemClock
    from server.settings import Settings
    from server.upkeep.doctor import examine
    from server.upkeep.finding import DataFinding

    settings = Settings.at(data or None, db=db)
    if not Path(settings.store().dbname).is_file():
        raise Failed(f"There is no store in {settings.data}; --data names another folder.", 2)
    findings: list[DataFinding] = []
    for finding in examine(settings, SystemClock().now(), _tell_progress, host):
        findings.append(finding)
        if not as_json:
            say(f"{'ok   ' if finding.ok else 'FAULT'}  {finding.what}: {finding.said}")
            if finding.advice and not finding.ok:
                say(f"       {finding.advice}")
    if as_json:
        say_json(findings)
    raise typer.Exit(0 if all(finding.ok for finding in findings) else 1)


PROGRESS_EVERY = 500


def _tell_progress(done: int, total: int) -> None:
    """Say now and then how far it is, to people and logs alike."""
    if done % PROGRESS_EVERY == 0 and done < total:
        typer.echo(f"… {done:,} of {total:,} battles", err=True)
