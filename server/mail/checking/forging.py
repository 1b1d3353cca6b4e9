"""Prove that nobody outside can write in the name of a mail system.

A probe is handed in from outside, as any stranger would do it, with results that nobody has checked in forged fields
`Authentication-Results` of the name. Whoever believes the name would believe these fields. Only if none of them arrives
is the name proven.
"""

from msgspec import Struct

from server.mail.checking.finding import TRUST, MailFinding, fault, ok
from server.mail.checking.probe import Arrived
from server.mail.incoming.reading.caps import plain
from server.mail.incoming.reading.head import read_head
from server.mail.incoming.reading.trust import PASS, stated
from server.people.addresses import Addresses

STRANGER = "stranger.invalid"
"""The domain of the forged sender: it exists nowhere (RFC 2606)."""
FIELD = "authentication-results"
STRIP = (
    "Let your mail system take away what strangers write in its name before it adds its own"
    " (docs/mail-hosting.md has the lines for Postfix), or leave --mail-trust out."
)


class Forgery(Struct, frozen=True):
    """A probe with a number of forged `fields`; `mark` is in each of them."""

    raw: bytes
    mark: str
    fields: int


def forgery(addresses: Addresses, token: str, name: str, date: str) -> Forgery:
    """A probe that claims, in all ways in which a reader would believe it, that `name` has found its sender genuine.

    Shape: `date` as in RFC 5322
    """
    mark = token[::-1]
    claim = f"dmarc=pass header.from={STRANGER}; dkim=pass header.d={STRANGER} header.s={mark}"
    who = (name, name.upper(), f'"{name}"', f"({mark}) {name}", f"{name} 1", f"\r\n {name}")
    above = [f"Authentication-Results: {one}; {claim}" for one in who]
    below = [f"{field} {name}; {claim}" for field in ("authentication-results:", "Authentication-Results :")]
    lines = [
        *above,
        f"From: check@{STRANGER}",
        f"To: {addresses.to(token)}",
        "Subject: A probe of Phalera",
        f"Date: {date}",
        f"Message-ID: <forged.{token}@{STRANGER}>",
        *below,
        "",
        "This is a probe of `phalera mail check --trust`: it asks for nothing.",
        "",
    ]
    return Forgery("\r\n".join(lines).encode(), mark, len(above) + len(below))


def forging_finding(arrived: Arrived, forged: Forgery, addresses: Addresses, name: str) -> MailFinding:
    """Whether a forged field came through. One that was given another name is none any more."""
    head = read_head(plain(arrived.raw))
    through = [value for value in head.all(FIELD) if forged.mark in value]
    if not head.has("from"):
        return fault(TRUST, "the probe arrived in a form that cannot be read", STRIP)
    if through or stated(head, STRANGER, addresses, (name,))[0] == PASS:
        said = f"{len(through)} of {forged.fields} fields that a stranger wrote in the name of {name} came through"
        return fault(TRUST, said, STRIP)
    stamps = "and stamps what comes in" if head.has(FIELD) else "and has not stamped this probe, which is not signed"
    return ok(TRUST, f"{name} lets nothing through that a stranger writes in its name, {stamps}")
