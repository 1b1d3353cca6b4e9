"""Carry a letter out: over SMTP, or into a Maildir.

A carrier takes one message for one recipient. If it cannot hand it over it raises `NotCarried`; the postman decides
whether and when to try again.
"""

import asyncio
import mailbox
import re
from contextlib import suppress
from email.generator import BytesGenerator
from email.message import EmailMessage
from email.policy import SMTP as WIRE
from io import BytesIO
from pathlib import Path
from typing import Protocol

import aiosmtplib
from msgspec import Struct

from server.mail.endpoint import SMTP, Endpoint, endpoint
from server.mail.outgoing.signing import Sign, signer_if
from server.settings import Settings
from server.store import Statement

TIMEOUT_S = 60.0
DOWN = 421
"""The answer of a mail system that ends the conversation, whatever it was about (RFC 5321 3.8)."""
AT_ONCE = 8
"""Connections to a mail system. Relays allow some ten of one client; where one allows fewer, the others wait."""
LINE = 990
"""Headers are folded at this width only: Python breaks a long Message-ID in References into encoded words."""
PLAIN = re.compile(r"""[^\s<>(),:;"\[\]\\@]+@[^\s<>(),:;"\[\]\\@]+""")
"""An address that can be used in the protocol as it is: one, and nothing but an address."""
UNUSABLE = "this address cannot be written to from here"
NO_MAILBOX = ("5.1.1", "5.1.2", "5.1.3", "5.1.6", "5.2.1")
"""The enhanced status (RFC 3463) of a mailbox that does not exist, or no more. Whatever else a mail system refuses for
good may be its own affair (a relay that is not permitted to us): it is tried again for days, and no fault of theirs."""


class Composed(Struct, frozen=True):
    """A letter ready to go. `sender` is the envelope's: where bounces go, "" for nowhere. `also` is committed before it
    is sent: the tokens it contains. `wait_until`: it is not to be sent before (quiet hours, a digest); `meanwhile` is
    committed with the note of that: the letters that it waits for."""

    message: EmailMessage
    recipient: str
    sender: str
    also: tuple[Statement, ...] = ()
    wait_until: str = ""
    meanwhile: tuple[Statement, ...] = ()


class NotCarried(Exception):
    """The letter was not accepted. `code` is the mail system's, 0 if there was no answer. `is_permanent`: there is no
    such mailbox. `is_down`: nothing can be carried at present, whoever it is for."""

    def __init__(self, code: int, text: str, is_permanent: bool, is_down: bool = False) -> None:
        super().__init__(f"{code} {text}" if code else text)
        self.code = code
        self.text = text
        self.is_permanent = is_permanent
        self.is_down = is_down


class Carrier(Protocol):
    """Hands letters over, up to `AT_ONCE` at the same time."""

    async def reach(self) -> None:
        """Make sure that letters can be handed over at all, before any is written.

        Raises: NotCarried, always `is_down`
        """

    async def carry(self, message: EmailMessage, sender: str, recipient: str) -> None:
        """Hand one over; on return somebody else is responsible for it.

        Raises: NotCarried
        """

    async def close(self) -> None:
        """Release the mail system: nothing more for the moment."""


def carrier_of(settings: Settings) -> Carrier:
    """The carrier that the settings name.

    Raises: BadSetting for an invalid URL, or a key that cannot be used
    """
    if settings.post.smtp:
        name = settings.mailbox.rpartition("@")[2]
        return SmtpCarrier(endpoint(settings.post.smtp, SMTP), name, sign=signer_if(settings))
    return MaildirCarrier(settings.maildir)


class MaildirCarrier:
    """Drops letters into `out` below `folder`; the envelope is written in two headers."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    async def reach(self) -> None:
        """Do nothing: whether the disk takes a letter is known when it does."""

    async def carry(self, message: EmailMessage, sender: str, recipient: str) -> None:
        """Drop a letter.

        Raises: NotCarried if the disk refuses it
        """
        del message["Return-Path"], message["X-Envelope-To"]
        message["Return-Path"], message["X-Envelope-To"] = f"<{sender}>", recipient
        try:
            await asyncio.to_thread(self.drop, message)
        except OSError as failure:
            raise NotCarried(0, failure.strerror or type(failure).__name__, False, is_down=True) from failure

    def drop(self, message: EmailMessage) -> None:
        """Put a mail into the Maildir."""
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        box = mailbox.Maildir(self.folder / "out", create=True)
        box.add(message)
        box.close()

    async def close(self) -> None:
        """Do nothing: nothing is open."""


class SmtpCarrier:
    """Speaks SMTP over a few connections, which stay open until `close`; a lost one is opened anew.

    TLS is used where it is offered. On another machine the certificate must be valid, and a password is not sent
    without TLS. A mail system that hangs over one letter holds up that letter alone.
    """

    def __init__(self, where: Endpoint, name: str, timeout_s: float = TIMEOUT_S, sign: Sign | None = None) -> None:
        self._where = where
        self._sign = sign
        self._name = name
        self._timeout_s = timeout_s
        self._free: list[aiosmtplib.SMTP] = []
        self._used = 0
        self._freed = asyncio.Condition()

    async def reach(self) -> None:
        """Have a connection, if none is open.

        Raises: NotCarried
        """
        if self._used or any(line.is_connected for line in self._free):
            return
        self._free = [await self._opened()]

    async def carry(self, message: EmailMessage, sender: str, recipient: str) -> None:
        """Send a letter; a connection that was lost since its last letter is opened once more.

        Raises: NotCarried
        """
        written = _bytes_of(message)
        if self._sign is not None:
            written = await asyncio.to_thread(self._sign, written)
        await self.carry_bytes(written, sender, recipient)

    async def carry_bytes(self, written: bytes, sender: str, recipient: str) -> None:
        """Send a mail as it is written.

        Raises: NotCarried
        """
        address = _on_the_wire(recipient)
        if not PLAIN.fullmatch(address):
            raise NotCarried(553, UNUSABLE, True)
        try:
            await self._over_a_line(written, sender, address, is_fresh=False)
        except aiosmtplib.SMTPServerDisconnected:
            try:
                await self._over_a_line(written, sender, address, is_fresh=True)
            except aiosmtplib.SMTPServerDisconnected as failure:
                raise NotCarried(0, "the connection was lost", False, is_down=True) from failure

    async def _over_a_line(self, written: bytes, sender: str, address: str, is_fresh: bool) -> None:
        line = await self._line(is_fresh)
        try:
            await _send(line, written, sender, address)
        except BaseException as failure:
            if not isinstance(failure, NotCarried):
                line.close()
            raise
        finally:
            if line.is_connected:
                self._free.append(line)
            await self._leave()

    async def _line(self, is_fresh: bool) -> aiosmtplib.SMTP:
        """A connection: a free one, a new one, or, where the mail system allows no more, the next that becomes free. It
        counts as used, from when it is being opened, until `_leave`.

        Raises: NotCarried
        """
        while True:
            self._used += 1
            while self._free and not is_fresh:
                line = self._free.pop()
                if line.is_connected:
                    return line
            try:
                return await self._opened()
            except BaseException as failure:
                await self._leave()
                if not isinstance(failure, NotCarried) or (not self._used and not self._free):
                    raise
            async with self._freed:
                await self._freed.wait_for(lambda: self._free or not self._used)
            is_fresh = False

    async def _leave(self) -> None:
        """Use a connection no more, and wake all who wait: where the last one is lost, nobody frees one for them."""
        self._used -= 1
        async with self._freed:
            self._freed.notify_all()

    async def _opened(self) -> aiosmtplib.SMTP:
        where = self._where
        must = bool(where.user) and not where.is_near and not where.is_tls
        line = aiosmtplib.SMTP(
            hostname=where.host,
            port=where.port,
            username=where.user or None,
            password=where.password if where.user else None,
            local_hostname=self._name,
            timeout=self._timeout_s,
            use_tls=where.is_tls,
            start_tls=None if not must and not where.is_tls else must,
            validate_certs=where.is_checked and not where.is_near,
        )
        try:
            await line.connect()
        except aiosmtplib.SMTPResponseException as refused:
            raise NotCarried(refused.code, refused.message, False, is_down=True) from refused
        except (aiosmtplib.SMTPException, OSError) as failure:  # errors of TLS are OSErrors
            raise NotCarried(0, _reason(failure), False, is_down=True) from failure
        return line

    async def close(self) -> None:
        """Say goodbye on the connections that nobody uses."""
        idle, self._free = self._free, []
        for line in idle:
            with suppress(aiosmtplib.SMTPException, OSError):  # it is gone already
                await line.quit(timeout=5)
            line.close()


async def _send(line: aiosmtplib.SMTP, written: bytes, sender: str, address: str) -> None:
    """Send a letter over a connection, which is good afterwards, or closed.

    Raises: NotCarried; aiosmtplib.SMTPServerDisconnected
    """
    options = [] if address.isascii() else ["SMTPUTF8"]
    try:
        await line.sendmail(sender, [address], written, mail_options=options)
    except aiosmtplib.SMTPRecipientsRefused as refused:
        first = refused.recipients[0]
        is_gone = first.code >= 500 and first.message.startswith(NO_MAILBOX)
        raise NotCarried(first.code, first.message, is_gone) from refused
    except aiosmtplib.SMTPServerDisconnected:
        raise
    except aiosmtplib.SMTPResponseException as refused:
        raise NotCarried(refused.code, refused.message, False, is_down=refused.code == DOWN) from refused
    except (aiosmtplib.SMTPNotSupported, ValueError) as impossible:
        raise NotCarried(553, UNUSABLE, True) from impossible
    except aiosmtplib.SMTPTimeoutError as silent:  # about this letter: others may go meanwhile
        line.close()
        raise NotCarried(0, _reason(silent), False) from silent
    except (aiosmtplib.SMTPException, OSError) as failure:
        line.close()
        raise NotCarried(0, _reason(failure), False, is_down=True) from failure


def _reason(failure: Exception) -> str:
    return str(failure) or type(failure).__name__


def _on_the_wire(address: str) -> str:
    """An address with a non-ASCII domain as mail systems write it (IDNA)."""
    local, _, host = address.rpartition("@")
    if host.isascii():
        return address
    try:
        return f"{local}@{host.encode('idna').decode('ascii')}"
    except UnicodeError:
        return address


def _bytes_of(message: EmailMessage) -> bytes:
    """The message in seven bits, which every mail system passes on unchanged."""
    written = BytesIO()
    policy = WIRE.clone(max_line_length=LINE, cte_type="7bit")
    BytesGenerator(written, policy=policy).flatten(message)
    return written.getvalue()
