"""The commands `phalera mail …`.

Beside a running server or without one, on the data folder. Only typer is imported at the top, as in server.cli.main.
"""

from typing import Annotated

import typer

from server.cli.console import in_sentences, say, say_json
from server.cli.host import AsJson, Data, Db, HostName, MailAddress, SmtpOut, Url, opened, settings_of

mail = typer.Typer(help="Mail by hand: accept a message, send or list what waits.", no_args_is_help=True)


def add_to(main: typer.Typer) -> None:
    """Put these commands beside the others."""
    main.add_typer(mail, name="mail")


@mail.command("accept")
@in_sentences
def mail_accept(
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="A raw message; - reads standard input.", show_default=False)
    ],
    data: Data = "",
    db: Db = "",
    host: HostName = "localhost",
    mail_address: MailAddress = "",
    smtp_out: SmtpOut = "",
    url: Url = "",
) -> None:
    """Take one raw message in, as if it had just arrived."""
    from replay.battle_file import read_bytes
    from server.mail import commands

    content = read_bytes(file)
    commands.accept(settings_of(data, db, host=host, address=mail_address, smtp=smtp_out, server={"url": url}), content)


@mail.command("send")
@in_sentences
def mail_send(
    data: Data = "",
    db: Db = "",
    host: HostName = "localhost",
    mail_address: MailAddress = "",
    smtp_out: SmtpOut = "",
    url: Url = "",
) -> None:
    """Send what is due in the outbox."""
    from server.mail import commands

    commands.send(settings_of(data, db, host=host, address=mail_address, smtp=smtp_out, server={"url": url}))


@mail.command("queue")
@in_sentences
def mail_queue(data: Data = "", db: Db = "", as_json: AsJson = False) -> None:
    """List the letters that wait or were given up: tries, next try, last error."""
    from server.mail import commands

    with opened(data, db) as (settings, _):
        pass  # only to say clearly that there is no store
    rows = commands.queue(settings)
    if as_json:
        say_json(rows)
        return
    for row in rows:
        say(commands.told(row))
    if not rows:
        say("Nothing waits in the outbox.")


@mail.command("retry")
@in_sentences
def mail_retry(
    letter: Annotated[
        int | None,
        typer.Argument(metavar="ID", help="A letter of the queue; without it all that wait.", show_default=False),
    ] = None,
    data: Data = "",
    db: Db = "",
    host: HostName = "localhost",
    mail_address: MailAddress = "",
    smtp_out: SmtpOut = "",
    url: Url = "",
) -> None:
    """Send at once what waits, its tries counted anew; a letter named by its id even if it was given up."""
    from server.mail import commands

    with opened(data, db):
        pass
    commands.retry(settings_of(data, db, host=host, address=mail_address, smtp=smtp_out, server={"url": url}), letter)
