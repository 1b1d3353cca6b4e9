"""The command that runs the server.

Only typer is imported at the top, as in server.cli.main.
"""

import gc
import os
import sys
from io import TextIOWrapper
from typing import Annotated

import typer

from server.cli.console import Failed, in_sentences
from server.cli.host import (
    Data,
    Db,
    HostName,
    MailAddress,
    MailFormer,
    SmtpOut,
    Url,
    UrlFormer,
    address_of_links,
    settings_of,
)
from server.cli.options import DkimKey, DkimSelector, SettingsFile


def add_to(main: typer.Typer) -> None:
    """Put the command beside the others."""
    main.command("serve")(serve)


@in_sentences
def serve(
    data: Data = "",
    db: Db = "",
    host: HostName = "",
    bind: Annotated[str, typer.Option(help="The address to listen at.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port; 0 takes any free one.")] = 8080,
    url: Url = "",
    url_former: UrlFormer = None,
    letters: Annotated[
        bool, typer.Option("--mail/--no-mail", help="Take mail in and send letters to players with an address.")
    ] = True,
    mail_address: MailAddress = "",
    mail_former: MailFormer = None,
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
        str,
        typer.Option(
            metavar="N|24h,7d,4w,12m",
            envvar="PHALERA_BACKUP_KEEP",
            help="How many of them are kept: the newest, or one for each of so many hours, days, weeks and months.",
        ),
    ] = "7",
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
    seed: Annotated[
        str,
        typer.Option(
            metavar="TEXT",
            help="For tests: all chance follows from this text, and who knows it knows every card."
            " Only with a --host that ends in .test.",
            show_default=False,
        ),
    ] = "",
    settings_file: SettingsFile = "",
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
    from server.settings_file import limits_for

    for option, value, known in (("--log", log, logs.FORMS), ("--log-level", log_level, logs.LEVELS)):
        if value not in known:
            raise Failed(f"{option} is one of {', '.join(known)}, not “{value}”.", 2)

    settings = settings_of(
        data,
        db,
        host=host,
        smtp=smtp_out,
        address=mail_address,
        former=tuple(mail_former or ()),
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
            "former_urls": tuple(map(address_of_links, url_former or ())),
            "mail": letters,
            "metrics_public": metrics_public,
            "trusted_proxies": tuple(map(network, trusted_proxy or ())),
            "backup_to": backup_to,
            "backup_every_s": seconds_of(backup_every),
            "backup_keep": kept_as(backup_keep),
            "memory_bytes": memory * 1024 * 1024,
            "limits": limits_for(data, settings_file, unlimited),
            "operators": tuple(operator or ()),
            "spectators_talk": spectators_talk,
            "seed": seed,
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


def kept_as(text: str) -> str:
    """The backups that are kept, as an option has it.

    Raises: BadSetting
    """
    from server.upkeep.retention import retention_in

    retention_in(text)
    return text
