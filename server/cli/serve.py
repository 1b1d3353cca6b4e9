"""The command that runs the server.

Only typer is imported at the top, as in server.cli.main.
"""

import gc
import os
import sys
from io import TextIOWrapper
from typing import TYPE_CHECKING, Any

import typer

from server.cli.console import Failed, in_sentences
from server.cli.host import address_of_links, settings_of
from server.cli.options import with_options
from server.cli.serve_options import ServeOptions

if TYPE_CHECKING:
    from server.settings import Settings


def add_to(main: typer.Typer) -> None:
    """Put the command beside the others."""
    main.command("serve")(serve)


@in_sentences
@with_options(ServeOptions)
def serve(given: ServeOptions) -> None:
    """Run the server."""
    from server import logs

    for option, value, known in (("--log", given.log, logs.FORMS), ("--log-level", given.log_level, logs.LEVELS)):
        if value not in known:
            raise Failed(f"{option} is one of {', '.join(known)}, not “{value}”.", 2)
    settings = _settings(given)
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(line_buffering=True)  # whoever reads a pipe waits for the line with the address
    if not given.letters and (given.imap or given.listen_smtp or given.listen_lmtp):
        raise Failed("With --no-mail no mail is taken in: leave --imap, --listen-smtp and --listen-lmtp out.", 2)
    os.umask(0o077)
    logs.configure(given.log, given.log_level)
    gc.disable()  # nothing that is loaded now is garbage; the server, when ready, turns it on again
    try:
        from server import assembly

        assembly.run(settings)
    finally:
        gc.enable()


def _settings(given: ServeOptions) -> "Settings":
    return settings_of(
        given.data,
        given.db,
        host=given.host,
        smtp=given.smtp_out,
        address=given.mail_address,
        former=tuple(given.mail_former or ()),
        imap=given.imap,
        listen_smtp=given.listen_smtp,
        listen_lmtp=given.listen_lmtp,
        trusted=tuple(given.mail_trust or ()),
        checks_dkim=given.mail_check_dkim,
        dkim_selector=given.dkim_selector,
        dkim_key=given.dkim_key,
        server=_of_server(given),
    )


def _of_server(given: ServeOptions) -> dict[str, Any]:
    """The members of `Settings` beside those of mail."""
    from domain.catalogue import RULESETS
    from server.settings_file import ladders_for, limits_for

    return {
        "bind": given.bind,
        "port": given.port,
        "url": given.url,
        "former_urls": tuple(map(address_of_links, given.url_former or ())),
        "mail": given.letters,
        "metrics_public": given.metrics_public,
        "trusted_proxies": tuple(map(network, given.trusted_proxy or ())),
        "backup_to": given.backup_to,
        "backup_every_s": seconds_of(given.backup_every),
        "backup_keep": kept_as(given.backup_keep),
        "memory_bytes": given.memory * 1024 * 1024,
        "limits": limits_for(given.data, given.settings_file, given.unlimited),
        "ladders": ladders_for(given.data, given.settings_file, RULESETS),
        "operators": tuple(given.operator or ()),
        "spectators_talk": given.spectators_talk,
        "webhooks": given.webhooks,
        "seed": given.seed,
    }


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
