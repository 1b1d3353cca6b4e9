"""The commands `phalera mail …` with which a host looks after the way of the letters: check, key, status, lift.

Only typer is imported at the top, as in server.cli.main.
"""

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from server.cli.console import Failed, in_sentences, say, say_json
from server.cli.host import Data, Db, HostName, MailAddress, SmtpOut, opened, settings_of
from server.cli.options import AsJson, DkimKey, DkimSelector, with_options

if TYPE_CHECKING:
    from server.mail.checking.finding import MailFinding
    from server.mail.strikes import StruckPlayer
    from server.settings import Settings


def add_to(mail: typer.Typer) -> None:
    """Put these commands beside the others."""
    for command in (check, key, status, lift):
        mail.command(command.__name__)(command)


class CheckOptions(NamedTuple):
    """What `phalera mail check` can be told, by the name of its parameter; in the order of its help."""

    address: Annotated[
        str,
        typer.Argument(help="Where the probe goes; that of the server if it is not named.", show_default=False),
    ] = ""
    trust: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="Prove instead that no stranger can write in the name of this mail system (for --mail-trust).",
            show_default=False,
        ),
    ] = ""
    outside: Annotated[
        str,
        typer.Option(
            metavar="HOST[:PORT]",
            help="Where strangers hand mail in, for --trust; the MX of the domain if it is not named.",
            show_default=False,
        ),
    ] = ""
    wait: Annotated[int, typer.Option(metavar="SECONDS", min=0, help="How long the probe may take.")] = 120
    data: Data = ""
    db: Db = ""
    host: HostName = ""
    mail_address: MailAddress = ""
    smtp_out: SmtpOut = ""
    dkim_selector: DkimSelector = ""
    dkim_key: DkimKey = ""
    as_json: AsJson = False


@in_sentences
@with_options(CheckOptions)
def check(given: CheckOptions) -> None:
    """Send a probe, and say what is wrong with the way of the mail: DNS, relay, way back, clock.

    Beside the running server, with the same options. Exit code 0: no fault is found. 1: there is one, or with --trust
    nothing is proven.
    """
    from server.mail.checking import commands
    from server.mail.checking.finding import FAULT, OK

    settings = _settings(given)

    def tell(finding: "MailFinding") -> None:
        if not given.as_json:
            say(f"{finding.state:<7}  {finding.what}: {finding.said}")
            if finding.advice:
                say(f"{'':9}{finding.advice}")

    to = given.address or settings.mailbox
    found = commands.check(settings, to, given.trust, given.outside, float(given.wait), tell)
    if given.as_json:
        say_json(found)
    is_well = all(finding.state == OK if given.trust else finding.state != FAULT for finding in found)
    raise typer.Exit(0 if is_well else 1)


def _settings(given: CheckOptions) -> "Settings":
    """The settings with which a probe is sent.

    Raises: Failed
    """
    from server.mail.endpoint import require_mailbox
    from server.mail.outgoing.letters.mime import is_address

    with opened(given.data, given.db):
        pass
    settings = settings_of(
        given.data,
        given.db,
        host=given.host,
        address=given.mail_address,
        smtp=given.smtp_out,
        dkim_selector=given.dkim_selector,
        dkim_key=given.dkim_key,
    )
    require_mailbox(settings.mailbox)
    if given.address and not is_address(given.address):
        raise Failed(f"“{given.address}” is not an address: NAME@HOST, and nothing else.", 2)
    if given.trust and not re.fullmatch(r"[\w.-]+", given.trust):
        raise Failed(f"“{given.trust}” is not the name of a mail system: mx.example.org.", 2)
    if given.trust and given.address:
        raise Failed("With --trust the probe goes to the server itself: leave the address out.", 2)
    return settings


@in_sentences
def key(
    selector: Annotated[
        str, typer.Option("--dkim-selector", metavar="NAME", envvar="PHALERA_DKIM_SELECTOR", help="Its name.")
    ] = "phalera",
    file: Annotated[
        str,
        typer.Option(
            "--dkim-key",
            metavar="FILE",
            envvar="PHALERA_DKIM_KEY",
            help="Where it is; dkim.pem in the data folder if it is not named.",
            show_default=False,
        ),
    ] = "",
    data: Data = "",
    host: HostName = "",
    mail_address: MailAddress = "",
) -> None:
    """Make a key to sign letters with (DKIM), and print the record that the domain publishes.

    A key that is there already is kept: its record is printed.
    """
    from server.mail import signing_key
    from server.settings import make_folder

    settings = settings_of(data, "", host=host, address=mail_address)
    path = Path(file) if file else settings.data / signing_key.FILE
    if not path.exists():
        if not file:
            make_folder(settings)
        signing_key.make_key(path)
        say(f"{path} is a new key, readable by you alone.")
    made = signing_key.read_key(path, selector, settings.mailbox.rpartition("@")[2])
    say(f"The domain has to publish this record (TXT at {made.name}):")
    say(signing_key.zone_line(made))
    say(f"Then start the server with --dkim-selector {made.selector} --dkim-key {path}")


@in_sentences
def status(data: Data = "", db: Db = "", as_json: AsJson = False) -> None:
    """List the players whose letters came back, or get none, and why."""
    from server.mail import strikes

    with opened(data, db) as (settings, _):
        pass  # only to say clearly that there is no store
    rows = strikes.status(settings)
    if as_json:
        say_json(rows)
        return
    for row in rows:
        say(_line(row))
    if not rows:
        say("No letter has come back.")


@in_sentences
def lift(
    player: Annotated[
        str, typer.Argument(metavar="ADDRESS|PLAYER", help="An address, a name or an id.", show_default=False)
    ],
    data: Data = "",
    db: Db = "",
) -> None:
    """Forget that letters to a player came back; what waits for them is due at once."""
    from server.mail import strikes

    with opened(data, db) as (settings, _):
        pass
    for name in strikes.lift(settings, player):
        say(f"Letters to {name} go again; `phalera mail queue` lists those that were given up.")


def _line(row: "StruckPlayer") -> str:
    """A player with strikes as a line."""
    states = {"": "letters go", "bounced": "stopped: letters came back", "unsubscribed": "stopped by the player"}
    line = f"{row.name:<24}  {row.strikes} of {row.most} strikes  {states.get(row.stopped, row.stopped)}"
    return f"{line}\n{'':8}{row.why}" if row.why else line
