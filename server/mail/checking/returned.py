"""Read a probe that has come back: what others have checked of it, over which machines it went, and when.

Everything in it that a mail system has not written itself is ours: nothing else is read.
"""

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import NamedTuple

from server.mail.checking.finding import MailFinding, fault, ok, unknown
from server.mail.checking.names import Ask, NoNames
from server.mail.checking.probe import Arrived
from server.mail.incoming.reading.caps import plain
from server.mail.incoming.reading.head import MailHead, read_head
from server.mail.signing_key import SigningKey
from server.people.addresses import Addresses

SLACK_S = 60
"""Clocks of machines are never quite alike."""
MOST_HOPS = 20
METHODS = ("spf", "dkim", "dmarc")
_HOP = re.compile(r"from\s+(\S+)(?:\s+\(([^()\[\]]*)\[(?:IPv6:)?([0-9a-fA-F:.]{2,45})\])?", re.I)
_BY = re.compile(r"\bby\s+([^\s;()]{1,255})", re.I)
_RESULT = re.compile(r"(?:^|;)\s*(spf|dkim|dmarc)\s*(?:/\s*\d+\s*)?=\s*([a-z]+)", re.I)
_COMMENT = re.compile(r"\([^()]*\)")
ADVICE = {
    "spf": "The SPF record of your domain must name the relay that sends: see spf above.",
    "dkim": "Something signs wrongly, or changes the letter after it was signed: see dkim above.",
    "dmarc": "SPF or DKIM must pass for the domain of --mail-address itself.",
}


class Hop(NamedTuple):
    """A machine that handed the probe on: its name as it gave it, its address ("": not told), who took it, and when."""

    helo: str
    address: str
    by: str
    at: datetime | None


def returned_findings(
    arrived: Arrived, sent: str, token: str, addresses: Addresses, ask: Ask, key: SigningKey | None
) -> Iterator[MailFinding]:
    """What a probe tells that was `sent` at a time of our clock."""
    head = read_head(plain(arrived.raw))
    took_s = (_time(arrived.received) - _time(sent)).total_seconds()
    yield ok("loop", f"the probe came back after {took_s:.0f} s")
    yield _plus(head, token, addresses)
    yield from _results(head)
    if key is not None:
        yield _signature(arrived.raw, key)
    hops = hops_of(head)
    yield _names(hops, ask)
    yield _clock(hops, _time(sent), _time(arrived.received))


def _plus(head: MailHead, token: str, addresses: Addresses) -> MailFinding:
    if token in addresses.tokens_in(head.first("delivered-to")):
        return ok("plus", "addresses with a + come through whole")
    return unknown(
        "plus",
        "the address it was delivered to has lost its token, or is not told",
        "Let addresses with a + come to the same mailbox (plus addressing); replies are known by References alone.",
    )


def results_in(value: str) -> tuple[str, dict[str, str]]:
    """The writer of a field Authentication-Results, and the results of SPF, DKIM and DMARC in it: the best of each."""
    bare = _COMMENT.sub(" ", value)
    found: dict[str, str] = {}
    for method, result in _RESULT.findall(bare):
        if found.get(method.lower()) != "pass":
            found[method.lower()] = result.lower()
    words = bare.partition(";")[0].split()
    return words[0].strip('"') if words else "", found


def _results(head: MailHead) -> Iterator[MailFinding]:
    values = head.all("authentication-results")
    if not values:
        yield unknown(
            "results",
            "no mail system on the way wrote down what it checked",
            "Send a probe to a mailbox of a large provider, and look there: phalera mail check YOU@PROVIDER.",
        )
        return
    who, found = results_in(values[0])
    for method in METHODS:
        result = found.get(method, "")
        said = f"{who} says {method}={result or 'nothing'}"
        if result == "pass":
            yield ok("results", said)
        elif result in {"", "none"}:
            yield unknown("results", said, "A mail system outside may say more: phalera mail check YOU@PROVIDER.")
        else:
            yield fault("results", said, ADVICE[method])


def _signature(raw: bytes, key: SigningKey) -> MailFinding:
    """Whether our signature still holds, with our own key: the DNS has been asked before."""
    import dkim

    def record(name: bytes, timeout: int = 0) -> bytes | None:
        return key.record.encode() if name.rstrip(b".").decode() == key.name else None

    ours = b"d=" + key.domain.encode() in raw
    try:
        holds = ours and dkim.verify(raw, dnsfunc=record)
    except Exception:  # dkimpy raises for each way in which a signature can be wrong
        holds = False
    if holds:
        return ok("signature", "our signature arrived whole")
    advice = "Let nothing on the way change letters: no footers, no changed subjects."
    return fault("signature", "our signature does not hold any more when the probe arrives", advice)


# --- machines


def hops_of(head: MailHead) -> list[Hop]:
    """The machines on the way, the last first."""
    hops = []
    for value in head.all("received")[:MOST_HOPS]:
        found, by = _HOP.match(value.strip()), _BY.search(value)
        helo, address = (found[1], found[3] or "") if found else ("", "")
        hops.append(Hop(helo, address, by[1] if by else "", _date(value.rpartition(";")[2])))
    return hops


def _date(text: str) -> datetime | None:
    try:
        at = parsedate_to_datetime(text.strip())
    except (TypeError, ValueError, IndexError, OverflowError):
        return None
    return at if at.tzinfo else at.replace(tzinfo=UTC)


def _public(address: str) -> IPv4Address | IPv6Address | None:
    try:
        found = ip_address(address)
    except ValueError:
        return None
    return found if found.is_global else None


def _names(hops: list[Hop], ask: Ask) -> MailFinding:
    """Whether the machine that the world sees has a name that leads back to it (PTR), and says it (HELO)."""
    seen = next((hop for hop in hops if _public(hop.address)), None)
    if seen is None:
        return unknown(
            "ptr",
            "the probe never left this machine or network, so nobody has seen your relay's address",
            "A mailbox outside has: look at Received of a probe to YOU@PROVIDER.",
        )
    address = ip_address(seen.address)
    kind = "A" if address.version == 4 else "AAAA"
    try:
        names = [name.rstrip(".").lower() for name in ask(address.reverse_pointer, "PTR")]
        leading = [name for name in names if str(address) in ask(name, kind)]
        helo = seen.helo.rstrip(".").lower()
        advice = f"Ask whoever gave you {address} to name it {helo} (PTR), and publish {kind} for that name."
        if not names:
            return fault("ptr", f"{address} has no name; many refuse its mail", advice)
        if not leading:
            return fault("ptr", f"{address} is named {names[0]}, which does not lead back to it", advice)
        if helo not in leading and str(address) not in ask(helo, kind):
            advice = f"Let your relay greet as {leading[0]} (Postfix: myhostname)."
            return fault("ptr", f"{address} is {leading[0]} and greets as {helo}, which is another machine", advice)
    except NoNames as reason:
        return unknown("ptr", f"{reason}", "Check again from a machine with a working name server.")
    return ok("ptr", f"{address} is {leading[0]}, and greets as {helo}")


# --- time


def _time(text: str) -> datetime:
    at = datetime.fromisoformat(text)
    return at if at.tzinfo else at.replace(tzinfo=UTC)


def _clock(hops: list[Hop], sent: datetime, received: datetime) -> MailFinding:
    """Whether the times that others wrote lie between our sending and our receiving."""
    slack = timedelta(seconds=SLACK_S)
    times = [(hop.by, hop.at) for hop in hops if hop.at is not None]
    for by, at in times:
        off = sent - at if at < sent - slack else received - at if at > received + slack else timedelta()
        if off:
            way = "ahead of" if off > timedelta() else "behind"
            said = f"the clock of this machine is {abs(off.total_seconds()):.0f} s {way} that of {by}"
            return fault("clock", said, "Keep the clock right (NTP): deadlines and signatures depend on it.")
    if not times:
        return unknown("clock", "nobody on the way wrote down a time", "Check the clock by hand: date -u.")
    return ok("clock", f"the times of {len(times)} machines agree with ours")
