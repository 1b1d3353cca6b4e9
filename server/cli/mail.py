"""The commands `phalera mail …`.

Beside a running server or without one, on the data folder. Only typer is imported at the top, as in server.cli.main.
"""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from server.cli.console import Failed, in_sentences, say, say_json
from server.cli.host import Data, Db, HostName, MailAddress, MailFormer, SmtpOut, Url, opened, settings_of
from server.cli.options import AsJson, DkimKey, DkimSelector

if TYPE_CHECKING:
    from server.mail.commands import Sent
    from server.settings import Settings

mail = typer.Typer(help="Mail of a host: accept, send, what waits, who is reached.", no_args_is_help=True)


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
    host: HostName = "",
    mail_address: MailAddress = "",
    mail_former: MailFormer = None,
    smtp_out: SmtpOut = "",
    dkim_selector: DkimSelector = "",
    dkim_key: DkimKey = "",
    url: Url = "",
) -> None:
    """Take one raw message in, as if it had just arrived."""
    from replay.battle_file import read_bytes
    from server.mail import commands

    content = read_bytes(file)
    settings = settings_of(
        data,
        db,
        host=host,
        address=mail_address,
        former=tuple(mail_former or ()),
        smtp=smtp_out,
        dkim_selector=dkim_selector,
        dkim_key=dkim_key,
        server={"url": url},
    )
    verdict = commands.accept(settings, content)
    sentence = SENTENCES.get(verdict.what, f"Taken in: {verdict.what}.")
    say(sentence + (f" ({verdict.battle})" if verdict.battle else ""))
    if verdict.what not in TAKEN:
        raise typer.Exit(1)


@mail.command("send")
@in_sentences
def mail_send(
    data: Data = "",
    db: Db = "",
    host: HostName = "",
    mail_address: MailAddress = "",
    mail_former: MailFormer = None,
    smtp_out: SmtpOut = "",
    dkim_selector: DkimSelector = "",
    dkim_key: DkimKey = "",
    url: Url = "",
) -> None:
    """Send what is due in the outbox."""
    settings = settings_of(
        data,
        db,
        host=host,
        address=mail_address,
        former=tuple(mail_former or ()),
        smtp=smtp_out,
        dkim_selector=dkim_selector,
        dkim_key=dkim_key,
        server={"url": url},
    )
    _send(settings)


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
        say(_line(row))
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
    host: HostName = "",
    mail_address: MailAddress = "",
    mail_former: MailFormer = None,
    smtp_out: SmtpOut = "",
    dkim_selector: DkimSelector = "",
    dkim_key: DkimKey = "",
    url: Url = "",
) -> None:
    """Send at once what waits, its tries counted anew; a letter named by its id even if it was given up."""
    from server.mail import commands

    with opened(data, db):
        pass
    settings = settings_of(
        data,
        db,
        host=host,
        address=mail_address,
        former=tuple(mail_former or ()),
        smtp=smtp_out,
        dkim_selector=dkim_selector,
        dkim_key=dkim_key,
        server={"url": url},
    )
    commands.hasten(settings, letter)
    _send(settings)


def _send(settings: "Settings") -> None:
    """Send what is due, unless a server does: it may know another way out than this command."""
    from server.mail import commands

    if commands.is_served(settings):
        say("A server runs on this folder: it sends what is due within half a minute.")
        return
    _say_sent(commands.send(settings))


# --- in words


SENTENCES = {
    "played": "Played; the answer is on its way.",
    "command": "Done as it asked; the answer is on its way.",
    "held": "Held until its player confirms it; the letter with the link is on its way.",
    "vacation": "A note that its writer is away; nothing was done.",
    "automatic": "An automatic message; nothing was done.",
    "loop": "It comes from this server itself; nothing was done.",
    "bounce": "A report about a letter that did not arrive; it is noted.",
    "probe": "A probe of `phalera mail check`; nothing was done.",
    "duplicate": "The same message was taken in before; nothing was done.",
    "refused": "Refused by the rules; the answer says why.",
    "unreadable": "Not every line is an order, so nothing was played; the answer says which.",
    "empty": "There is nothing in it to do; the answer says how to write.",
    "closed": "The question it answers is no longer open; the answer shows the board.",
    "no-question": "It is addressed to no question of this server, so nothing was played.",
    "stranger": "Its sender has no account here; nothing was done.",
    "flooded": "Too much mail has come of late; nothing was done.",
    "left": "It is kept, but could not be judged; the server tries again.",
    "too-large": "It is larger than 1 MiB; nothing was done.",
    "broken": "It cannot be read as a message; nothing was done.",
}
TAKEN = frozenset({"played", "command", "held", "vacation", "automatic", "loop", "bounce", "probe", "duplicate"})


def _say_sent(sent: "Sent") -> None:
    """What a round of sending has done; exit 1 if some of it could not be handed over."""
    if sent.handed:
        say(f"{sent.handed} letters {f'written to {sent.folder}/out' if sent.folder else 'handed over'}.")
    elif not sent.failed:
        say(f"Nothing is due; {sent.waiting} letters wait." if sent.waiting else "Nothing waits in the outbox.")
    if sent.failed:
        raise Failed(f"{sent.failed} letters could not be handed over: {sent.error}. See `phalera mail queue`.")


def _line(row: dict[str, Any]) -> str:
    """A row of the queue as a line."""
    state = row["state"] if row["state"] == "given up" else (row["next_try"][:16] or "due")
    about = f"{row['kind']} {row['battle']}".strip()
    line = f"{row['id']:>6}  {state:<16}  {row['tries']:>2} tries  {row['recipient']:<20}  {about}"
    return f"{line}\n{'':8}{row['error']}" if row["error"] else line
