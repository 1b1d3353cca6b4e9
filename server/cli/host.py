"""The commands of a host: server, battles.

These commands work on the data folder (`--data`, or `PHALERA_DATA`). Only typer is imported at the
top, as in server.cli.main.
"""

import gc
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import TextIOWrapper
from typing import TYPE_CHECKING, Annotated, Any

import typer

from server.cli.console import Failed, in_sentences, say, write_file
from server.cli.options import DkimKey, DkimSelector, Force, Out

if TYPE_CHECKING:
    from server.settings import Settings
    from server.store import EventStore

LONG_WORK = 20_000
"""Steps from which on a progress bar is shown."""

Data = Annotated[
    str,
    typer.Option(
        metavar="DIR",
        envvar="PHALERA_DATA",
        help="The data folder; if none is named, ~/.local/share/phalera.",
        show_default=False,
    ),
]
Db = Annotated[str, typer.Option(metavar="URL", help="The store, if it is not in the data folder.", show_default=False)]
Battle = Annotated[str, typer.Argument(metavar="BATTLE", help="The id of a battle.", show_default=False)]
HostName = Annotated[str, typer.Option(envvar="PHALERA_HOST", help="The name in heads and battle files.")]


def address_of_links(url: str) -> str:
    """An address as it stands at the start of links."""
    if url and not url.startswith(("https://", "http://")):
        raise typer.BadParameter("--url is the address as players reach it: it begins with https:// or http://.")
    return url.rstrip("/")


Url = Annotated[
    str,
    typer.Option(
        metavar="URL",
        envvar="PHALERA_URL",
        callback=address_of_links,
        help="The address as players reach it: the start of links.",
        show_default=False,
    ),
]
MailAddress = Annotated[
    str,
    typer.Option(
        metavar="LOCAL@HOST",
        envvar="PHALERA_MAIL_ADDRESS",
        help="Where mail for this server arrives; play@ its host if it is not named.",
        show_default=False,
    ),
]
SmtpOut = Annotated[
    str,
    typer.Option(
        metavar="URL",
        envvar="PHALERA_SMTP_OUT",
        help="Send letters through smtp:// or smtps://[USER@]HOST[:PORT] (password: PHALERA_SMTP_PASSWORD);"
        " without it they go into the data folder's Maildir.",
        show_default=False,
    ),
]


def add_to(main: typer.Typer) -> None:
    """Put these commands beside the others."""
    for command in (serve, export, import_, rebuild):
        main.command(command.__name__.rstrip("_"))(command)


@contextmanager
def progress(total: int, least: int = LONG_WORK) -> Iterator[Callable[[int], None] | None]:
    """A progress bar for work of `least` steps or more on a terminal: a function that is told how much is done."""
    if total < least or not sys.stderr.isatty():
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
    host: HostName = "localhost",
    bind: Annotated[str, typer.Option(help="The address to listen at.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port; 0 takes any free one.")] = 8080,
    url: Url = "",
    letters: Annotated[
        bool, typer.Option("--mail/--no-mail", help="Take mail in and send letters to players with an address.")
    ] = True,
    mail_address: MailAddress = "",
    smtp_out: SmtpOut = "",
    imap: Annotated[
        str,
        typer.Option(
            metavar="URL",
            envvar="PHALERA_IMAP",
            help="Fetch mail from imaps://USER@HOST[:PORT][/FOLDER] (password: PHALERA_IMAP_PASSWORD).",
            show_default=False,
        ),
    ] = "",
    listen_smtp: Annotated[
        str,
        typer.Option(
            metavar="HOST:PORT|SOCKET",
            envvar="PHALERA_LISTEN_SMTP",
            help="Take mail in by SMTP.",
            show_default=False,
        ),
    ] = "",
    listen_lmtp: Annotated[
        str,
        typer.Option(
            metavar="HOST:PORT|SOCKET",
            envvar="PHALERA_LISTEN_LMTP",
            help="Take mail in by LMTP, behind Postfix for instance.",
            show_default=False,
        ),
    ] = "",
    mail_trust: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            envvar="PHALERA_MAIL_TRUST",
            help="Believe what a mail system of this name has checked (Authentication-Results); may be repeated.",
            show_default=False,
        ),
    ] = None,
    mail_check_dkim: Annotated[
        bool,
        typer.Option("--mail-check-dkim", help="Check signatures here, too; asks the DNS, needs the extra `dkim`."),
    ] = False,
    dkim_selector: DkimSelector = "",
    dkim_key: DkimKey = "",
    trusted_proxy: Annotated[
        list[str] | None,
        typer.Option(
            metavar="ADDRESS",
            envvar="PHALERA_TRUSTED_PROXY",
            help="Believe X-Forwarded-For and -Proto of this address or network; may be repeated.",
            show_default=False,
        ),
    ] = None,
    backup_to: Annotated[
        str, typer.Option(metavar="DIR", envvar="PHALERA_BACKUP_TO", help="Make backups into this folder.")
    ] = "",
    backup_every: Annotated[
        str, typer.Option(metavar="TIME", envvar="PHALERA_BACKUP_EVERY", help="How often: 24h, 30m, 7d.")
    ] = "24h",
    backup_keep: Annotated[
        int, typer.Option(min=1, envvar="PHALERA_BACKUP_KEEP", help="How many of them are kept.")
    ] = 7,
    memory: Annotated[
        int,
        typer.Option(
            metavar="MIB",
            min=1,
            envvar="PHALERA_MEMORY",
            help="The memory for battles; those asked for least recently leave it.",
        ),
    ] = 256,
    operator: Annotated[
        list[str] | None,
        typer.Option(
            metavar="PLAYER",
            envvar="PHALERA_OPERATOR",
            help="The id or e-mail address of a player who runs this server: their seats say so. May be repeated.",
            show_default=False,
        ),
    ] = None,
    spectators_talk: Annotated[
        bool,
        typer.Option(
            "--spectators-talk/--no-spectators-talk",
            envvar="PHALERA_SPECTATORS_TALK",
            help="Let those who watch a battle talk with each other, apart from its players.",
        ),
    ] = True,
    unlimited: Annotated[
        bool,
        typer.Option(
            "--unlimited", help="No limits of rate, amount and connections: for benchmarks and closed networks."
        ),
    ] = False,
    log: Annotated[
        str, typer.Option(metavar="FORM", envvar="PHALERA_LOG", help="The form of the log: console or json.")
    ] = "console",
    log_level: Annotated[
        str,
        typer.Option(metavar="LEVEL", envvar="PHALERA_LOG_LEVEL", help="debug, info (each request), warning or error."),
    ] = "info",
    metrics_public: Annotated[
        bool, typer.Option("--metrics-public", help="Answer /metrics to everybody, not only on this machine.")
    ] = False,
) -> None:
    """Run the server."""
    from server import logs
    from server.settings import UNLIMITED, Limits

    for option, value, known in (("--log", log, logs.FORMS), ("--log-level", log_level, logs.LEVELS)):
        if value not in known:
            raise Failed(f"{option} is one of {', '.join(known)}, not “{value}”.", 2)

    settings = settings_of(
        data,
        db,
        host=host,
        smtp=smtp_out,
        address=mail_address,
        imap=imap,
        listen_smtp=listen_smtp,
        listen_lmtp=listen_lmtp,
        trusted=tuple(mail_trust or ()),
        checks_dkim=mail_check_dkim,
        dkim_selector=dkim_selector,
        dkim_key=dkim_key,
        server={
            "bind": bind,
            "port": port,
            "url": url,
            "mail": letters,
            "metrics_public": metrics_public,
            "trusted_proxies": tuple(map(network, trusted_proxy or ())),
            "backup_to": backup_to,
            "backup_every_s": seconds_of(backup_every),
            "backup_keep": backup_keep,
            "memory_bytes": memory * 1024 * 1024,
            "limits": UNLIMITED if unlimited else Limits(),
            "operators": tuple(operator or ()),
            "spectators_talk": spectators_talk,
        },
    )
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(line_buffering=True)  # whoever reads a pipe waits for the line with the address
    if not letters and (imap or listen_smtp or listen_lmtp):
        raise Failed("With --no-mail no mail is taken in: leave --imap, --listen-smtp and --listen-lmtp out.", 2)
    os.umask(0o077)
    logs.configure(log, log_level)
    gc.disable()  # nothing that is loaded now is garbage; the server, when ready, turns it on again
    try:
        from server.web import app

        app.run(settings)
    finally:
        gc.enable()


def network(text: str) -> str:
    """An address or network as an option has it.

    Raises: Failed
    """
    from ipaddress import ip_network

    try:
        return str(ip_network(text, strict=False))
    except ValueError:
        raise Failed(f"“{text}” is neither an address nor a network: 127.0.0.1, 10.0.0.0/8.", 2) from None


UNITS_S = {"s": 1, "m": 60, "h": 3600, "d": 86400}


def seconds_of(text: str) -> float:
    """A length of time as an option has it: a whole number and s, m, h or d.

    Raises: Failed
    """
    number, unit = text[:-1], text[-1:]
    if not (number.isascii() and number.isdigit() and 0 < len(number) < 7 and unit in UNITS_S and int(number)):
        raise Failed(f"“{text}” is not a length of time: 24h, 30m, 7d.", 2)
    return float(int(number) * UNITS_S[unit])


def settings_of(data: str, db: str, *, host: str, server: dict[str, Any] | None = None, **post: Any) -> "Settings":
    """The settings of a host with those of its mail; passwords come from the environment.

    Raises:  Failed
    """
    from server.mail.endpoint import with_password
    from server.settings import MailSettings, Settings

    post["smtp"] = with_password(post.get("smtp", ""), "PHALERA_SMTP_PASSWORD", os.environ)
    post["imap"] = with_password(post.get("imap", ""), "PHALERA_IMAP_PASSWORD", os.environ)
    return Settings.at(data or None, db=db, host=host, post=MailSettings(**post), **(server or {}))


# --- battles


@in_sentences
def export(
    battle: Battle,
    out: Out = "-",
    force: Force = False,
    data: Data = "",
    db: Db = "",
) -> None:
    """Write a battle of this host as a battle file."""
    from server.people.keys import read_key
    from server.play.archive import export_battle

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
    from server.play.archive import NotImported, import_battle

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
    from server.play.lobby import FILE

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


# --- the data folder


@contextmanager
def opened(data: str, db: str, make: bool = False, url: str = "") -> "Iterator[tuple[Settings, EventStore]]":
    """Settings and store of a data folder, which `make` may create."""
    from server.settings import Settings, make_folder
    from server.store import EventStore

    settings = Settings.at(data or None, db=db, url=url)
    if make:
        make_folder(settings)
    elif not (db or settings.log.is_file()):
        raise Failed(f"There is no store in {settings.data}; --data names another folder.", 2)
    with EventStore.open(settings.store()) as store:
        yield settings, store
