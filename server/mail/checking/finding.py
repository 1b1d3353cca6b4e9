"""What a check of the mail has found, and what to do about it."""

from msgspec import Struct

OK, FAULT, UNKNOWN = "ok", "fault", "unknown"
TRUST = "trust"
"""The finding that a stamp can be forged, or cannot."""


class MailFinding(Struct, frozen=True, omit_defaults=True):
    """What was looked at, how it is (`ok`, `fault`, or `unknown` where it could not be found out), what was found, and
    what to do ("": nothing).

    `what` is `mx`, `spf`, `dkim`, `dmarc`, `sent`, `loop`, `plus`, `results`, `signature`, `ptr`, `clock` or `trust`.
    """

    what: str
    state: str
    said: str
    advice: str = ""


def ok(what: str, said: str) -> MailFinding:
    """All is well."""
    return MailFinding(what, OK, said)


def fault(what: str, said: str, advice: str) -> MailFinding:
    """Something is to be done."""
    return MailFinding(what, FAULT, said, advice)


def unknown(what: str, said: str, advice: str) -> MailFinding:
    """It cannot be found out from here."""
    return MailFinding(what, UNKNOWN, said, advice)
