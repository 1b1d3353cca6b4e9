"""The commands that keep a data folder: migrate, move, backup, restore, doctor.

Only typer is imported at the top, as in server.cli.main.
"""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from server.cli.console import Failed, in_sentences, say, say_json
from server.cli.host import Data, Db, HostName, opened, require_file
from server.cli.options import AsJson

if TYPE_CHECKING:
    from server.upkeep.migrating import MigrationDone, MigrationPlan


def add_to(main: typer.Typer) -> None:
    """Put these commands beside the others."""
    for command in (migrate, move, backup, restore, doctor):
        main.command(command.__name__)(command)


@in_sentences
def migrate(
    data: Data = "",
    db: Db = "",
    check: Annotated[
        bool, typer.Option("--check", help="Only say what would happen; exit code 0 if it can be done, else 1.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Bring the store of an earlier release to this format.

    The server must be stopped. A whole backup is made first. A run that is cut changes nothing, and can be repeated.
    """
    from server.clock import SystemClock
    from server.settings import Settings
    from server.sole import sole_server
    from server.upkeep.migrating import carry_out
    from server.upkeep.migrating import plan as planned

    settings = Settings.at(data or None, db=db)
    require_file(settings)
    plan = planned(settings)
    if check:
        say_json(plan) if as_json else _tell_plan(plan)
        raise typer.Exit(0 if plan.is_possible else 1)
    if not plan.is_possible:
        raise Failed(" ".join(plan.faults))
    with sole_server(settings), _bar() as follow:
        done = carry_out(settings, SystemClock().now(), follow)
    if as_json:
        say_json(done)
    else:
        _tell_done(done)


@in_sentences
def move(
    to: Annotated[str, typer.Option("--to", metavar="URL", help="Where to: postgresql://…, or a new file.")],
    source: Annotated[
        str, typer.Option("--from", metavar="URL", help="Where from, if it is not the file in the data folder.")
    ] = "",
    data: Data = "",
    as_json: AsJson = False,
) -> None:
    """Move the store from a file to PostgreSQL, or back.

    The server must be stopped. Every row is copied and compared, and the source stays as it is. A run that is cut has
    moved nothing, and can be repeated.
    """
    from server.settings import Settings
    from server.sole import sole_server
    from server.store import StoreSettings
    from server.upkeep.moving import move as moved

    settings = Settings.at(data or None)
    with sole_server(settings), _bar() as follow:
        done = moved(StoreSettings.at(source or settings.log), StoreSettings.at(to), follow)
    if as_json:
        say_json(done)
        return
    say(f"{done.battles:,} battles with {done.events:,} events are in {done.target} now; {done.source} is as it was.")
    say(f"All {len(done.tables)} tables have been compared, row by row. Serve with --db, or PHALERA_DB, from now on.")


def _tell_plan(plan: "MigrationPlan") -> None:
    """What a migration would do, for people."""
    from server.upkeep.contents import some

    for fault in plan.faults:
        say(fault)
    if not plan.before:
        return
    made = f", made by phalera {plan.made_by}" if plan.made_by else ""
    say(f"{plan.store} has format {plan.before}{made}; phalera {plan.release} needs {plan.after}.")
    for step in plan.steps:
        say(f"  format {step.format}: {step.what}")
    battles = plan.battles
    for told, names in (
        ("Battles that go on", battles.played_on),
        ("Battles that are over, to be read and exported", battles.over),
        ("Battles of an earlier protocol: closed, to be read, exported and branched", battles.outdated),
        ("Battles that wait for rules that are not installed (`phalera battle rules`)", battles.without_rules),
        ("Battles that this release cannot read", tuple(f"{battle} ({why})" for battle, why in battles.unreadable)),
    ):
        if names:
            say(f"{told} ({len(names):,}): {some(names)}")
    if not plan.steps:
        say("There is nothing to do.")
    elif plan.is_possible:
        needed, free = (count // 1024 // 1024 for count in (plan.needed_bytes, plan.free_bytes))
        say(f"A backup is made first: {plan.backup}. {needed:,} MiB are needed, {free:,} are free.")
        say(f"It takes about {plan.seconds:,} s. Stop the server, then run `phalera migrate`.")


def _tell_done(done: "MigrationDone") -> None:
    """What a migration has done, for people."""
    from server.upkeep.contents import some

    if done.backup is None:
        say(f"The store has format {done.after} already.")
        return
    say(f"The store has format {done.after} now. {done.backup} is a backup of it as it was, in format {done.before}.")
    if done.outdated:
        say(f"Closed, because they are of an earlier protocol: {some(done.outdated)}. They can be read and branched.")


@contextmanager
def _bar() -> Iterator[Callable[[int, int], None] | None]:
    """A progress bar for the pages of a copy, on a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    with typer.progressbar(length=1000, label="copying", file=sys.stderr) as bar:
        shown = 0

        def follow(done: int, total: int) -> None:
            nonlocal shown
            now = 1000 * done // total if total else 1000
            bar.update(now - shown)
            shown = now

        yield follow


@in_sentences
def backup(
    target: Annotated[
        str,
        typer.Argument(metavar="FOLDER|FILE.tar[.gz]", help="A new folder or file for the copy.", show_default=False),
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
    if settings.store().is_file:
        require_file(settings)
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
