"""Check the mail of a host: the DNS, a probe on its way out and back, and whether a stamp can be forged.

The probe comes back to the running server, over the way in that it has. Nothing here opens a way in of its own: it
would take the mail of players from the server.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from datetime import datetime
from email.utils import format_datetime

from msgspec import Struct

from replay.writing.clock import Clock
from replay.writing.entropy import Entropy
from server import sole, stamps
from server.clock import SystemClock
from server.entropy import SystemEntropy
from server.mail.checking.domain import domain_findings, mail_hosts
from server.mail.checking.finding import FAULT, OK, TRUST, UNKNOWN, MailFinding, fault, ok, unknown
from server.mail.checking.forging import forgery, forging_finding
from server.mail.checking.names import Ask, NoNames, ask_system
from server.mail.checking.probe import Arrived, Sleep, arrival, new_token, probe
from server.mail.checking.returned import returned_findings
from server.mail.endpoint import SMTP, endpoint
from server.mail.outgoing.carrier import NotCarried, SmtpCarrier, carrier_of
from server.mail.outgoing.signing import key_if
from server.people.addresses import addresses_of
from server.people.keys import keys_of_host
from server.settings import Settings
from server.stamps import ProvenStamp
from server.store import EventStore

WAIT_S = 120.0
NOBODY = "no server runs on this folder, so nobody takes the probe in"
START = "Start phalera serve with its ways in, and check again beside it."


class Means(Struct, frozen=True):
    """What a check needs of the world."""

    ask: Ask = ask_system
    clock: Clock = SystemClock()
    entropy: Entropy = SystemEntropy()
    sleep: Sleep = asyncio.sleep
    is_served: Callable[[Settings], bool] = sole.is_served


class HostCheck:
    """One check of a host. `wait_s`: how long a probe may take."""

    def __init__(self, settings: Settings, store: EventStore, means: Means, wait_s: float = WAIT_S) -> None:
        self.settings = settings
        self.store = store
        self.means = means
        self.wait_s = wait_s
        self.domain = settings.mailbox.rpartition("@")[2]
        self.addresses = addresses_of(settings, keys_of_host(settings, store, means.entropy))

    async def mail(self, to: str) -> AsyncIterator[MailFinding]:
        """Look at the domain, and send a probe to an address; that of the server itself comes back.

        Raises: BadSetting, StoreError
        """
        key = key_if(self.settings)
        for finding in await asyncio.to_thread(lambda: list(domain_findings(self.means.ask, self.domain, key))):
            yield finding
        if not self.settings.post.smtp:
            yield unknown("sent", "no --smtp-out is named, so no probe is sent", "Name it as for serve.")
            return
        is_own = to.lower() == self.settings.mailbox.lower()
        token = await new_token(self.store, self.addresses, self.means.clock, self.means.entropy)
        now, own = self.means.clock.now(), self.addresses.to(token)
        carrier = carrier_of(self.settings)
        try:
            await carrier.carry(probe(self.addresses, token, own if is_own else to, now), own, own if is_own else to)
        except NotCarried as refused:
            yield fault("sent", f"the relay does not take the probe: {refused}", _advice(refused))
            return
        finally:
            await carrier.close()
        yield ok("sent", f"the relay has taken the probe to {to}")
        if not is_own:
            yield unknown(
                "results",
                f"what others make of it stands in that mailbox: does it lie in the inbox, and what says"
                f" Authentication-Results in its headers? A probe to {self.settings.mailbox} is read here",
                "Each of spf, dkim and dmarc should say pass there.",
            )
            return
        found = await self._arrival(token, now)
        if isinstance(found, MailFinding):
            yield found
            return
        read = (found, now, token, self.addresses, self.means.ask, key)
        for finding in await asyncio.to_thread(lambda: list(returned_findings(*read))):
            yield finding

    async def stamp(self, name: str, outside: str) -> MailFinding:
        """Whether a stranger can write in the name of a mail system; the outcome is recorded. `outside`: `HOST:PORT` at
        which strangers hand mail in, "" for those of the domain.

        Raises: BadSetting, Unusable, StoreError
        """
        try:
            hosts = (outside,) if outside else await asyncio.to_thread(mail_hosts, self.means.ask, self.domain)
        except NoNames as reason:
            return unknown(TRUST, f"{reason}", "Name the mail system by --outside HOST:PORT.")
        if not hosts:
            return fault(TRUST, f"nobody takes mail for {self.domain}", "Publish an MX record, or use --outside.")
        if not self.means.is_served(self.settings):
            return unknown(TRUST, NOBODY, START)
        findings = [await self._stamp(name, host) for host in hosts]
        if any(finding.what == TRUST and finding.state == FAULT for finding in findings):
            stamps.record(self.settings, name, None)
        if all(finding.state == OK for finding in findings):
            stamps.record(self.settings, name, ProvenStamp(self.means.clock.now(), ", ".join(hosts)))
        return min(findings, key=lambda finding: (FAULT, UNKNOWN, OK).index(finding.state))

    async def _stamp(self, name: str, host: str) -> MailFinding:
        """Whether a stranger can write in that name through one host."""
        token = await new_token(self.store, self.addresses, self.means.clock, self.means.entropy)
        now = self.means.clock.now()
        forged = forgery(self.addresses, token, name, format_datetime(datetime.fromisoformat(now)))
        line = SmtpCarrier(endpoint(f"smtp://{host}?verify=no", SMTP), self.domain)
        try:
            await line.carry_bytes(forged.raw, "", self.addresses.to(token))
        except NotCarried as refused:
            said = f"{host} does not take the probe of a stranger: {refused}"
            advice = "Check from another machine, or use --mail-check-dkim in place of --mail-trust."
            return unknown(TRUST, said, advice)
        finally:
            await line.close()
        found = await self._arrival(token, now)
        return found if isinstance(found, MailFinding) else forging_finding(found, forged, self.addresses, name)

    async def _arrival(self, token: str, since: str) -> Arrived | MailFinding:
        """The probe, or that it does not come back."""
        if not self.means.is_served(self.settings):
            return unknown("loop", NOBODY, START)
        found = await arrival(self.store, token, since, self.wait_s, self.means.sleep)
        return found or fault(
            "loop",
            f"the probe has not come back within {self.wait_s:.0f} s",
            f"Look into the log of your mail system: does it hand mail for {self.settings.mailbox}, also with +token,"
            " to this server (--listen-lmtp, --listen-smtp, --imap)? Greylisting may delay it: --wait waits longer.",
        )


def _advice(refused: NotCarried) -> str:
    """What to do about a relay that refuses."""
    if refused.is_down:
        return "Is --smtp-out right, and does the mail system run? With a password: PHALERA_SMTP_PASSWORD."
    return "Let your mail system take mail from this machine for others (Postfix: permit_mynetworks)."
