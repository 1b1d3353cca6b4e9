"""The commands of a host: battles, read models; and what its other commands share.

These commands work on the data folder (`--data`, or `PHALERA_DATA`). Only typer is imported at the
top, as in server.cli.main.
"""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any

import typer

from server.cli.console import UNUSABLE, Failed, in_sentences, say

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
Db = Annotated[
    str,
    typer.Option(
        metavar="URL",
        envvar="PHALERA_DB",
        help="The store, if it is not in the data folder: postgresql://…",
        show_default=False,
    ),
]
Battle = Annotated[str, typer.Argument(metavar="BATTLE", help="The id of a battle.", show_default=False)]
HostName = Annotated[
    str,
    typer.Option(
        metavar="NAME",
        envvar="PHALERA_HOST",
        help="The name in heads and battle files; that in the key, at first localhost, if it is not named.",
        show_default=False,
    ),
]


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
UrlFormer = Annotated[
    list[str] | None,
    typer.Option(
        metavar="URL",
        envvar="PHALERA_URL_FORMER",
        help="An address as players reached it before, so that links of that time work, if they arrive here."
        " May be repeated.",
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
MailFormer = Annotated[
    list[str] | None,
    typer.Option(
        metavar="LOCAL@HOST",
        envvar="PHALERA_MAIL_FORMER",
        help="Where mail arrived before, and still is answered; play@ the former names of the host without being named."
        " May be repeated.",
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
    for command in (import_, rebuild):
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


# --- settings


def settings_of(data: str, db: str, *, host: str, server: dict[str, Any] | None = None, **post: Any) -> "Settings":
    """The settings of a host with those of its mail; passwords come from the environment.

    Raises:  Failed
    """
    from msgspec.structs import replace

    from server.mail.endpoint import with_password
    from server.people.keys import host_named
    from server.settings import MailSettings, Settings

    post["smtp"] = with_password(post.get("smtp", ""), "PHALERA_SMTP_PASSWORD", os.environ)
    post["imap"] = with_password(post.get("imap", ""), "PHALERA_IMAP_PASSWORD", os.environ)
    settings = Settings.at(data or None, db=db, post=MailSettings(**post), **(server or {}))
    return replace(settings, host=host or host_named(settings))


# --- battles


@in_sentences
def import_(
    files: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE...", help="Files of battles and campaigns; - reads standard input.", show_default=False
        ),
    ],
    key: Annotated[str, typer.Option(metavar="KEY", help="The key their host must have signed with.")] = "",
    battles: Annotated[
        str, typer.Option(metavar="DIR", help="Of a campaign: the folder with the files of its battles.")
    ] = "",
    data: Data = "",
    db: Db = "",
) -> None:
    """Take in ended battles and campaigns, verified first.

    They are the same byte for byte. Of several files one that is not taken in is
    named, and the others are.
    """
    from replay.battle_file import read_bytes
    from server.play.archive import NotImported

    refused = []
    with opened(data, db, make=True) as (_, store):
        for file in files:
            try:
                _import_file(store, read_bytes(file), battles, key)
            except NotImported as reason:
                refused.append(f"{file}: {reason}" if len(files) > 1 else str(reason))
    if refused:
        raise Failed("\n".join(refused))


def _import_file(store: "EventStore", content: bytes, battles: str, key: str) -> None:
    """Raises: NotImported"""
    from domain.campaign.header import is_campaign
    from server.play.archive import import_battle

    if is_campaign(content.partition(b"\n")[0]):
        _import_campaign(store, content, battles, key)
        return
    battle = import_battle(store, content, key or None)
    say(f"Battle {battle} is taken in: {content.count(10) - 2} events.")


def _import_campaign(store: "EventStore", content: bytes, battles: str, key: str) -> None:
    """Raises: NotImported"""
    from pathlib import Path

    from replay.proof.campaign.folder import in_folder
    from server.campaigns.archive import import_campaign

    folder = Path(battles)
    if battles and not folder.is_dir():
        raise Failed(f"{battles} is no folder.", UNUSABLE)
    find = in_folder(folder) if battles else lambda battle: None
    campaign, count = import_campaign(store, content, find, key or None)
    say(f"Campaign {campaign} is taken in with {count} battles: {content.count(10) - 2} events.")


@in_sentences
def rebuild(data: Data = "", db: Db = "") -> None:
    """Fold all read models anew from the log. Nothing is mailed and nobody is logged out."""
    from projections.runner import ProjectionRunner
    from server.play.lobby import FILE

    with opened(data, db) as (settings, store):
        settings.read_models.mkdir(mode=0o700, parents=True, exist_ok=True)
        runner = ProjectionRunner(settings.read_models / FILE, store)
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


def require_file(settings: "Settings") -> None:
    """Refuse what is done to the file of a store where there is none.

    Raises: Failed
    """
    from pathlib import Path

    store = settings.store()
    if not store.is_file:
        raise Failed("This is done to the file of a store: `phalera move` the store from the database to one first.", 2)
    if not Path(store.dbname).is_file():
        raise Failed(f"There is no store at {store.dbname}; --data names another folder.", 2)


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
