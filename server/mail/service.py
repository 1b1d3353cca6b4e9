"""The mail of a running server: take mail in, carry letters out.

Start: first unfinished work left by a crash, then incoming mail, then the postman. Stop: no new
mail; the mail being received and the letter being handed over are completed.
"""

import asyncio
import logging
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from replay.writing.recording import Batch
from server.mail.endpoint import IMAP, SMTP, endpoint, listening, require_mailbox
from server.mail.incoming.dns import lookup_if
from server.mail.incoming.receiver import Accept, Receiver
from server.mail.outgoing.carrier import carrier_of
from server.mail.outgoing.postman import Postman
from server.people.addresses import addresses_of
from server.play.live_battle import LiveBattle
from server.running import Server
from server.settings import BadSetting, Settings, Unusable, not_listening
from server.stamps import only_proven
from server.store import StoreError
from server.store.tables import mail_tokens, raw_mail

if TYPE_CHECKING:
    from server.mail.incoming.pull import Puller

log = logging.getLogger(__name__)

STOP_S = 5.0
"""How long a letter may take to hand over when the server stops; after that it is sent again after the start."""


LEFT_S, MOST_LEFT_S = 60, 3600
"""The delay before a mail that could not be processed is retried: at first, and after many failures."""


class Taking(Protocol):
    """The intake as transports know it (`server.mail.incoming.intake`)."""

    async def accept(self, raw: bytes) -> object:
        """Keep a mail and act on it. Raises StoreError if it could not be kept."""

    async def resume(self, least_age_s: int = 0) -> int:
        """Process mails at least `least_age_s` old that have no verdict; returns their number."""


class MailService:
    """The mail of a running server. `ports` of the SMTP and the LMTP listener, if any."""

    def __init__(self, server: Server, postman: Postman, intake: Taking) -> None:
        settings = server.settings
        self.server = server
        self.postman = postman
        self.intake = intake
        self.ports: dict[str, int] = {}
        former = addresses_of(settings, server.keys).mailboxes[1:]
        self.receiver = Receiver(settings.mailbox, self.accept, knows=self._knows, former=former)
        self.puller = _puller(settings.post.imap, self.accept) if settings.post.imap else None
        self._work: asyncio.Task[None] | None = None
        self._again: asyncio.Task[None] | None = None

    async def accept(self, raw: bytes) -> object:
        """Take one mail in; afterwards there may be an answer to send."""
        try:
            return await self.intake.accept(raw)
        finally:
            self.postman.ring()

    async def start(self) -> None:
        """Continue where the last process stopped; then let mail in and out.

        Raises: Unusable, also for an address that cannot be bound
        """
        post = self.server.settings.post
        try:
            judged = await self.intake.resume()
            if judged:
                log.info("%d mails that were kept are judged now", judged)
        except StoreError:
            log.exception("mails that were kept wait")
        try:
            await self._listen("smtp", post.listen_smtp)
            await self._listen("lmtp", post.listen_lmtp)
        except Unusable:
            await self.receiver.close(grace_s=0)
            raise
        if missing := missing_way(self.server.settings):
            log.warning("%s", missing)
        if self.puller is not None:
            self.puller.start()
        self.server.battles.listeners.append(self._ring)
        self._work = asyncio.create_task(self.postman.work())
        self._again = asyncio.create_task(self._judge_left())

    def ways(self) -> tuple[str, str]:
        """The destinations and sources of mail, for the host."""
        return ways(self.server.settings, self.ports)

    async def _listen(self, kind: str, at: str) -> None:
        if not at:
            return
        try:
            self.ports[kind] = await self.receiver.listen(at, is_lmtp=kind == "lmtp")
        except OSError as reason:
            raise not_listening(at, f"--listen-{kind}", reason) from None

    async def stop(self) -> None:
        """Stop accepting mail and finish what has begun."""
        await self.receiver.close()
        if self.puller is not None:
            await self.puller.close()
        if self._again is not None:
            self._again.cancel()
            await asyncio.gather(self._again, return_exceptions=True)
        if self._work is not None:
            self.server.battles.listeners.remove(self._ring)
            await self.postman.finish(STOP_S)
            self._work.cancel()
            await asyncio.gather(self._work, return_exceptions=True)

    async def _judge_left(self) -> None:
        """Forever process mails left over by a failing disk; repeated failures are retried less often."""
        pause_s = LEFT_S
        while True:
            await asyncio.sleep(pause_s)
            left, judged = list[raw_mail.Mail](), 0
            try:
                left = raw_mail.unjudged(self.server.store, 1)
                judged = await self.intake.resume(LEFT_S) if left else 0
            except StoreError as failure:
                log.warning("mails that were kept still wait: %s", failure)
            if judged:
                self.postman.ring()
            pause_s = LEFT_S if judged or not left else min(2 * pause_s, MOST_LEFT_S)

    def _knows(self, token: str) -> bool:
        """Whether this token was ever issued. Mail to an unknown one is refused before it is sent."""
        return mail_tokens.find(self.server.store, token) is not None

    def _ring(self, live: LiveBattle, batch: Batch) -> None:
        self.postman.ring()


def _puller(url: str, accept: Accept) -> "Puller":
    """What fetches from a mailbox; most servers have none, and are ready without its library."""
    from server.mail.incoming.pull import Puller

    return Puller(endpoint(url, IMAP), accept)


def usable(settings: Settings) -> Settings:
    """The settings of a server, without the trust that nothing proves: the log tells of it.

    Raises: BadSetting; Unusable if the proofs cannot be read
    """
    require_usable(settings)
    settings, doubts = only_proven(settings)
    for line in doubts:
        log.warning("%s", line)
    return settings


def require_usable(settings: Settings) -> None:
    """Refuse invalid mail settings before anything is opened.

    Raises: BadSetting
    """
    post = settings.post
    for address in (settings.mailbox, *post.former):
        require_mailbox(address)
    lookup_if(settings.post.checks_dkim)
    carrier_of(settings)
    if post.dkim_key and not post.smtp:
        raise BadSetting("--dkim-key signs what goes out by --smtp-out, which is missing.")
    for url, ports, name in ((post.smtp, SMTP, "SMTP"), (post.imap, IMAP, "IMAP")):
        system = endpoint(url, ports) if url else None
        if system is not None and system.user and not system.password:
            raise BadSetting(f"To log in at {system.host} set PHALERA_{name}_PASSWORD or PHALERA_{name}_PASSWORD_FILE.")
    for at in (post.listen_smtp, post.listen_lmtp):
        if at:
            listening(at)


def ways(settings: Settings, ports: Mapping[str, int]) -> tuple[str, str]:
    """The destinations and sources of mail, for the host; without users and passwords. `ports`: of the listeners.

    Raises: BadSetting
    """
    post = settings.post
    goes = f"are dropped into {settings.maildir / 'out'}"
    if post.smtp:
        out = endpoint(post.smtp, SMTP)
        signed = f", signed by {post.dkim_selector}" if post.dkim_selector else ""
        goes = f"go out through {out.host}, port {out.port}{signed}"
    comes = []
    if post.imap:
        account = endpoint(post.imap, IMAP)
        comes.append(f"from {account.folder} at {account.host}, port {account.port} (IMAP)")
    for kind, at in (("smtp", post.listen_smtp), ("lmtp", post.listen_lmtp)):
        if at:
            where = listening(at)
            place = str(where) if isinstance(where, Path) else f"{where[0]}, port {ports.get(kind, where[1])}"
            comes.append(f"at {place} ({kind.upper()})")
    came = " and ".join(comes) or "by `phalera mail accept` alone"
    return f"Letters {goes}", f"Mail for {settings.mailbox} comes in {came}"


def missing_way(settings: Settings) -> str:
    """A warning for a host whose mail goes one way only; "" if it goes both ways, or neither."""
    post = settings.post
    has_way_in = bool(post.imap or post.listen_smtp or post.listen_lmtp)
    if post.smtp and not has_way_in:
        return "Letters go out, but no reply comes in by itself: --imap, --listen-lmtp or --listen-smtp is missing."
    if has_way_in and not post.smtp:
        return f"Mail comes in, but letters are only dropped into {settings.maildir}: --smtp-out is missing."
    return ""
