"""What can a host ask for on the command line: its server, its players, its battles?

These commands work on the data folder (`--data`, or `PHALERA_DATA`). Only typer is imported at the
top, as in server.cli.
"""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import TextIOWrapper
from typing import TYPE_CHECKING, Annotated

import typer

from server.console import Failed, in_sentences, say, say_json, write_file

if TYPE_CHECKING:
    from server.settings import Settings
    from server.store import EventStore

LONG_WORK = 20_000
"""Steps from which on a progress bar is shown."""

Data = Annotated[str, typer.Option(metavar="DIR", envvar="PHALERA_DATA", help="The data folder.", show_default=False)]
Db = Annotated[str, typer.Option(metavar="URL", help="The store, if it is not in the data folder.", show_default=False)]
Battle = Annotated[str, typer.Argument(metavar="BATTLE", help="The id of a battle.", show_default=False)]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Name = Annotated[str, typer.Argument(help="The player's name.", show_default=False)]

player = typer.Typer(help="Accounts: add, give a new token, list.", no_args_is_help=True)
mail = typer.Typer(help="Mail by hand: accept a message, send what waits.", no_args_is_help=True)


def add_to(main: typer.Typer) -> None:
    """Put these commands beside the others."""
    for command in (serve, export, import_, rebuild, backup, doctor):
        main.command(command.__name__.rstrip("_"))(command)
    main.add_typer(player, name="player")
    main.add_typer(mail, name="mail")


@contextmanager
def progress(total: int) -> Iterator[Callable[[int], None] | None]:
    """A progress bar for long work on a terminal: a function that is told how much is done."""
    if total < LONG_WORK or not sys.stderr.isatty():
        yield None
        return
    with typer.progressbar(length=total, file=sys.stderr) as bar:
        done = 0

        def follow(now: int) -> None:
            nonlocal done
            if now - done >= total // 100:
                bar.update(now - done)
                done = now

        yield follow


# --- the server


@in_sentences
def serve(
    data: Data = "",
    db: Db = "",
    host: Annotated[str, typer.Option(help="The name in heads and battle files.")] = "localhost",
    bind: Annotated[str, typer.Option(help="The address to listen at.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="The port; 0 takes any free one.")] = 8080,
    url: Annotated[str, typer.Option(help="The address as players reach it.", show_default=False)] = "",
    letters: Annotated[
        bool,
        typer.Option(
            "--mail/--no-mail", help="Drop letters to players with an address into the data folder's Maildir."
        ),
    ] = True,
) -> None:
    """Run the server."""
    from server import app
    from server.mail.service import add_mail
    from server.settings import Settings

    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(line_buffering=True)  # whoever reads a pipe waits for the line with the address
    settings = Settings.at(data or None, db=db, host=host, bind=bind, port=port, url=url.rstrip("/"), mail=letters)
    app.run(settings, add_mail if letters else None)


# --- battles


@in_sentences
def export(
    battle: Battle,
    out: Annotated[str, typer.Option(metavar="FILE", help="Where to write; - is standard output.")] = "-",
    force: Annotated[bool, typer.Option("--force", help="Write over a file that exists.")] = False,
    data: Data = "",
    db: Db = "",
) -> None:
    """Write a battle of this host as a battle file."""
    from server.archive import export_battle
    from server.upkeep import read_key

    with opened(data, db) as (settings, store):
        content = export_battle(store, read_key(settings), battle)
    said = write_file(out, content, force)
    if said:
        say(said)


@in_sentences
def import_(
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="A battle file; - reads standard input.", show_default=False)
    ],
    key: Annotated[str, typer.Option(metavar="KEY", help="The key its host must have signed with.")] = "",
    data: Data = "",
    db: Db = "",
) -> None:
    """Take in a finished battle, verified first, byte for byte."""
    from replay.battle_file import read_bytes
    from server.archive import NotImported, import_battle

    content = read_bytes(file)
    with opened(data, db, make=True) as (_, store):
        try:
            battle = import_battle(store, content, key or None)
        except NotImported as reason:
            raise Failed(str(reason)) from None
    say(f"Battle {battle} is taken in: {content.count(10) - 2} events.")


@in_sentences
def rebuild(data: Data = "", db: Db = "") -> None:
    """Fold all read models anew from the log. Nothing is mailed and nobody is logged out."""
    from projections.runner import Runner
    from server.lobby import FILE

    with opened(data, db) as (settings, store):
        settings.read_models.mkdir(mode=0o700, parents=True, exist_ok=True)
        runner = Runner(settings.read_models / FILE, store)
        try:
            with progress(store.position()) as follow:
                position = runner.rebuild((lambda done, total: follow(done)) if follow else None)
            unreadable = runner.unreadable()
        finally:
            runner.close()
    say(f"{position:,} events folded.")
    for battle, n, reason in unreadable:
        say(f"Battle {battle} cannot be read by this release, at event {n}: {reason}.")
    if unreadable:
        raise typer.Exit(1)


@in_sentences
def backup(
    target: Annotated[str, typer.Argument(metavar="FOLDER", help="A new folder for the copy.", show_default=False)],
    data: Data = "",
    db: Db = "",
) -> None:
    """Copy log, accounts, secrets and key as of one moment.

    Play may go on meanwhile. Read models are not copied: `rebuild` makes them.
    """
    from server.upkeep import back_up

    with opened(data, db) as (settings, store):
        copied = back_up(settings, store, target)
    say(f"{target} holds {copied}. It has the host's key and all secrets: keep it as safe as the original.")


@in_sentences
def doctor(data: Data = "", db: Db = "", as_json: AsJson = False) -> None:
    """Look whether folder, key and each chain are in order."""
    from server.upkeep import examine

    with opened(data, db) as (settings, store):
        findings = list(examine(settings, store))
    if as_json:
        say_json(findings)
    else:
        for finding in findings:
            say(f"{'ok   ' if finding.ok else 'FAULT'}  {finding.said}")
    raise typer.Exit(0 if all(finding.ok for finding in findings) else 1)


# --- players


@player.command("add")
@in_sentences
def player_add(
    name: Name,
    email: Annotated[str, typer.Argument(help="The address for letters.", show_default=False)],
    data: Data = "",
    db: Db = "",
) -> None:
    """Make an account; prints an API token and a login link, this once."""
    from server.clock import SystemClock, SystemEntropy
    from server.players import enrol, login_link
    from server.store import Violated

    with opened(data, db, make=True) as (settings, store):
        enrolled = enrol(SystemClock(), SystemEntropy(), name, email)
        try:
            store.write_now(*enrolled.statements)
        except Violated:
            raise Failed(f"There is a player “{name}” already.") from None
        say(f"{enrolled.account.name} is player {enrolled.account.player}.")
        say(f"API token   {enrolled.api_token}")
        say(f"login link  {login_link(settings.address, enrolled.login_token)}")


@player.command("token")
@in_sentences
def player_token(name: Name, data: Data = "", db: Db = "") -> None:
    """Give a player another API token and login link; older API tokens stay good."""
    from server.clock import SystemClock, SystemEntropy
    from server.players import login_link, new_token
    from server.store import accounts

    with opened(data, db) as (settings, store):
        account = accounts.by_name(store, name)
        if account is None:
            raise Failed(f"There is no player “{name}”.")
        api, api_statement = new_token(SystemClock(), SystemEntropy(), account.player, "api")
        login, login_statement = new_token(SystemClock(), SystemEntropy(), account.player, "login")
        store.write_now(api_statement, login_statement)
        say(f"API token   {api}")
        say(f"login link  {login_link(settings.address, login)}")


@player.command("list")
@in_sentences
def player_list(data: Data = "", db: Db = "", as_json: AsJson = False) -> None:
    """List the accounts by name."""
    from server.store import accounts

    with opened(data, db) as (_, store):
        listed = accounts.listed(store)
    if as_json:
        say_json([account._asdict() for account in listed])
        return
    for account in listed:
        say(f"{account.player}  {account.name:<24}  {account.email:<32}  {account.created[:10]}")


# --- mail


@mail.command("accept")
@in_sentences
def mail_accept(
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="A raw message; - reads standard input.", show_default=False)
    ],
    data: Data = "",
    db: Db = "",
) -> None:
    """Take one raw message in, as if it had just arrived."""
    from replay.battle_file import read_bytes
    from server.mail import commands
    from server.settings import Settings

    commands.accept(Settings.at(data or None, db=db), read_bytes(file))


@mail.command("send")
@in_sentences
def mail_send(data: Data = "", db: Db = "") -> None:
    """Send what waits in the outbox."""
    from server.mail import commands
    from server.settings import Settings

    commands.send(Settings.at(data or None, db=db))


# --- the data folder


@contextmanager
def opened(data: str, db: str, make: bool = False) -> "Iterator[tuple[Settings, EventStore]]":
    """Settings and store of a data folder, which `make` may create."""
    from server.settings import Settings, make_folder
    from server.store import EventStore

    settings = Settings.at(data or None, db=db)
    if make:
        make_folder(settings)
    elif not (db or settings.log.is_file()):
        raise Failed(f"There is no store in {settings.data}; --data names another folder.", 2)
    with EventStore.open(settings.store()) as store:
        yield settings, store
