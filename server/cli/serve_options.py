"""The options of the command that runs the server.

Only typer is imported at the top, as in server.cli.main.
"""

from typing import Annotated, NamedTuple

import typer

from server.cli.host import Data, Db, HostName, MailAddress, MailFormer, SmtpOut, Url, UrlFormer
from server.cli.options import DkimKey, DkimSelector, SettingsFile


class ServeOptions(NamedTuple):
    """What `phalera serve` can be told, by the name of its parameter; in the order of its help."""

    data: Data = ""
    db: Db = ""
    host: HostName = ""
    bind: Annotated[str, typer.Option(help="The address to listen at.")] = "127.0.0.1"
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port; 0 takes any free one.")] = 8080
    url: Url = ""
    url_former: UrlFormer = None
    letters: Annotated[
        bool, typer.Option("--mail/--no-mail", help="Take mail in and send letters to players with an address.")
    ] = True
    mail_address: MailAddress = ""
    mail_former: MailFormer = None
    smtp_out: SmtpOut = ""
    imap: Annotated[
        str,
        typer.Option(
            metavar="URL",
            envvar="PHALERA_IMAP",
            help="Fetch mail from imaps://USER@HOST[:PORT][/FOLDER] (password: PHALERA_IMAP_PASSWORD).",
            show_default=False,
        ),
    ] = ""
    listen_smtp: Annotated[
        str,
        typer.Option(
            metavar="HOST:PORT|SOCKET",
            envvar="PHALERA_LISTEN_SMTP",
            help="Take mail in by SMTP.",
            show_default=False,
        ),
    ] = ""
    listen_lmtp: Annotated[
        str,
        typer.Option(
            metavar="HOST:PORT|SOCKET",
            envvar="PHALERA_LISTEN_LMTP",
            help="Take mail in by LMTP, behind Postfix for instance.",
            show_default=False,
        ),
    ] = ""
    mail_trust: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            envvar="PHALERA_MAIL_TRUST",
            help="Believe what a mail system of this name has checked (Authentication-Results); may be repeated.",
            show_default=False,
        ),
    ] = None
    mail_check_dkim: Annotated[
        bool,
        typer.Option("--mail-check-dkim", help="Check signatures here, too; asks the DNS, needs the extra `dkim`."),
    ] = False
    dkim_selector: DkimSelector = ""
    dkim_key: DkimKey = ""
    trusted_proxy: Annotated[
        list[str] | None,
        typer.Option(
            metavar="ADDRESS",
            envvar="PHALERA_TRUSTED_PROXY",
            help="Believe X-Forwarded-For and -Proto of this address or network; may be repeated.",
            show_default=False,
        ),
    ] = None
    backup_to: Annotated[
        str, typer.Option(metavar="DIR", envvar="PHALERA_BACKUP_TO", help="Make backups into this folder.")
    ] = ""
    backup_every: Annotated[
        str, typer.Option(metavar="TIME", envvar="PHALERA_BACKUP_EVERY", help="How often: 24h, 30m, 7d.")
    ] = "24h"
    backup_keep: Annotated[
        str,
        typer.Option(
            metavar="N|24h,7d,4w,12m",
            envvar="PHALERA_BACKUP_KEEP",
            help="How many of them are kept: the newest, or one for each of so many hours, days, weeks and months.",
        ),
    ] = "7"
    memory: Annotated[
        int,
        typer.Option(
            metavar="MIB",
            min=1,
            envvar="PHALERA_MEMORY",
            help="The memory for battles; those asked for least recently leave it.",
        ),
    ] = 256
    operator: Annotated[
        list[str] | None,
        typer.Option(
            metavar="PLAYER",
            envvar="PHALERA_OPERATOR",
            help="The id or e-mail address of a player who runs this server: their seats say so. May be repeated.",
            show_default=False,
        ),
    ] = None
    spectators_talk: Annotated[
        bool,
        typer.Option(
            "--spectators-talk/--no-spectators-talk",
            envvar="PHALERA_SPECTATORS_TALK",
            help="Let those who watch a battle talk with each other, apart from its players.",
        ),
    ] = True
    webhooks: Annotated[
        bool,
        typer.Option(
            "--webhooks/--no-webhooks",
            envvar="PHALERA_WEBHOOKS",
            help="Let players have other programs told what happens: this server writes to public addresses.",
        ),
    ] = True
    unlimited: Annotated[
        bool,
        typer.Option(
            "--unlimited", help="No limits of rate, amount and connections: for benchmarks and closed networks."
        ),
    ] = False
    seed: Annotated[
        str,
        typer.Option(
            metavar="TEXT",
            help="For tests: all chance follows from this text, and who knows it knows every card."
            " Only with a --host that ends in .test.",
            show_default=False,
        ),
    ] = ""
    settings_file: SettingsFile = ""
    log: Annotated[
        str, typer.Option(metavar="FORM", envvar="PHALERA_LOG", help="The form of the log: console or json.")
    ] = "console"
    log_level: Annotated[
        str,
        typer.Option(metavar="LEVEL", envvar="PHALERA_LOG_LEVEL", help="debug, info (each request), warning or error."),
    ] = "info"
    metrics_public: Annotated[
        bool, typer.Option("--metrics-public", help="Answer /metrics to everybody, not only on this machine.")
    ] = False
