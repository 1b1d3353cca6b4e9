"""Receive mail over SMTP or LMTP.

For hosts with a mail system of their own: it hands over mail for this server by LMTP (or SMTP) to a port of the
loopback or to a socket. Mail for others is refused at RCPT, before any of it is sent, so that no bounce has to be
written to a sender who may be forged. "250" is sent only once the mail is kept.
"""

import asyncio
import logging
import re
import socket
from collections import defaultdict
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP, Envelope, Session

from server.mail.endpoint import listening
from server.mail.incoming.reading.caps import MOST_BYTES
from server.people.addresses import TOKEN
from server.store import StoreError

log = logging.getLogger(__name__)
logging.getLogger("mail.log").setLevel(logging.CRITICAL)  # the library's own: it would log every address

Accept = Callable[[bytes], Awaitable[object]]
"""Keeps a raw mail and acts on it; returns once it is kept. Raises StoreError if it could not be."""

ENVELOPE_BYTES = 1024
"""Room for the two lines that are put in front, so that the whole stays within `MOST_BYTES`."""
MOST_SENDER = 320
MOST_RECIPIENTS = 20
MOST_CONNECTIONS = 64
IDLE_S = 300.0
GRACE_S = 10.0
COMMAND_BYTES = 512
SAME = ("postmaster", "abuse")
"""Names that every host must take mail for (RFC 2142); here they are aliases of the server."""

KEPT = "250 2.0.0 Kept"
NOT_KEPT = "451 4.3.0 It could not be kept; try again later"
UNKNOWN = "550 5.1.1 No such mailbox here"
TOO_MANY = "452 4.5.3 Too many recipients"
BUSY = "421 4.3.2 Too many connections; try again later"
LEAVING = "421 4.3.2 The server is stopping; try again later"


class Receiver:
    """Listens, in the loop that `listen` is called in. `mailbox` is `LOCAL@HOST`, `former` are earlier ones; mail to
    their tokens is accepted too, if somebody `knows` the token."""

    def __init__(
        self,
        mailbox: str,
        accept: Accept,
        most_connections: int = MOST_CONNECTIONS,
        idle_s: float = IDLE_S,
        knows: Callable[[str], bool] = bool,
        former: Sequence[str] = (),
    ) -> None:
        self.mailbox = mailbox.lower()
        self.idle_s = idle_s
        self.is_closing = False
        self.sessions: set[Conversation] = set()
        self._accept = accept
        self._knows = knows
        self._most_connections = most_connections
        pairs = [box.lower().rpartition("@")[::2] for box in (mailbox, *former)]
        self._hosts = {host for _, host in pairs}
        ours = "|".join(rf"{re.escape(local)}(?:\+{TOKEN})?@{re.escape(host)}" for local, host in pairs)
        self._own = re.compile(ours, re.I | re.A)
        self._servers: list[asyncio.Server] = []
        self._sockets: list[Path] = []
        self._taking: set[asyncio.Task[list[str]]] = set()

    # --- listening

    async def listen(self, at: str, is_lmtp: bool) -> int:
        """Listen at HOST:PORT or at the path of a socket; returns the port, 0 for a socket.

        Raises: BadSetting for an invalid address, OSError for one that is taken
        """
        loop, where = asyncio.get_running_loop(), listening(at)

        def converse() -> asyncio.BaseProtocol:
            if len(self.sessions) >= self._most_connections:
                return Turned()
            return LmtpConversation(self, loop) if is_lmtp else SmtpConversation(self, loop)

        if isinstance(where, Path):
            _require_free(where)
            try:
                server = await loop.create_unix_server(converse, str(where))
            except OSError as reason:  # it does not name the path
                raise OSError(reason.errno, reason.strerror, str(where)) from None
            where.chmod(0o666)  # as open as a port of the loopback; its folder keeps others out
            self._sockets.append(where)
            port = 0
        else:
            server = await loop.create_server(converse, *where)
            port = server.sockets[0].getsockname()[1]
        self._servers.append(server)
        return port

    async def close(self, grace_s: float = GRACE_S) -> None:
        """Stop accepting mail; one that is being sent is completed, if that takes no longer than `grace_s`."""
        self.is_closing = True
        for server in self._servers:
            server.close()
        for path in self._sockets:
            path.unlink(missing_ok=True)
        for session in list(self.sessions):
            if not session.is_sending:
                session.leave()
        with suppress(TimeoutError):
            async with asyncio.timeout(grace_s):
                while any(session.is_sending for session in self.sessions) or self._taking:
                    await asyncio.sleep(0.02)
        for session in list(self.sessions):
            session.leave()
        await asyncio.sleep(0)  # transports close in the next turn of the loop

    # --- one mail

    def own(self, recipient: str) -> str:
        """The address of ours that a recipient is, "" if it is not ours."""
        local, _, host = recipient.rpartition("@")
        if host.lower() in self._hosts and local.lower() in SAME:
            return self.mailbox
        if self._own.fullmatch(recipient) is None:
            return ""
        token = local.partition("+")[2].lower()
        if not token:
            return self.mailbox
        return recipient.lower() if self._knows(token) else ""

    async def handle_RCPT(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: Sequence[str]
    ) -> str:
        """Whether the mail is for us."""
        if self.is_closing:
            return LEAVING
        if not self.own(address):
            return UNKNOWN
        if len(envelope.rcpt_tos) >= MOST_RECIPIENTS:
            return TOO_MANY
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 Yes"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        """Keep the mail. A client that hangs up meanwhile stops nothing: it will repeat whatever was not answered, and
        then it is a duplicate."""
        content = envelope.content if isinstance(envelope.content, bytes) else b""
        sender = "" if envelope.mail_from in (None, "<>") else str(envelope.mail_from)
        task = asyncio.ensure_future(self._take(sender, list(envelope.rcpt_tos), content))
        self._taking.add(task)
        task.add_done_callback(self._taking.discard)
        replies = await asyncio.shield(task)
        if isinstance(server, LmtpConversation):
            return "\r\n".join(replies)
        return next((reply for reply in replies if reply != KEPT), KEPT)

    async def handle_exception(self, error: Exception) -> str:
        """Handle what no part of the conversation expected."""
        log.error("a conversation with a mail system failed", exc_info=error)
        return "451 4.3.0 Something went wrong here; try again later"

    async def _take(self, sender: str, recipients: Sequence[str], content: bytes) -> list[str]:
        """Take in a mail for each token, since each is a question of its own; the bare mailbox counts only if there is
        none: `reply to all` often adds it. Returns a reply for each recipient."""
        ours = [self.own(recipient) for recipient in recipients]
        wanted = [address for address in dict.fromkeys(ours) if address != self.mailbox] or [self.mailbox]
        outcome = {address: await self._keep(enveloped(sender, address, content)) for address in wanted}
        whole = next((reply for reply in outcome.values() if reply != KEPT), KEPT)
        return [outcome.get(address, whole) for address in ours]

    async def _keep(self, raw: bytes) -> str:
        try:
            await self._accept(raw)
        except StoreError:
            log.exception("a mail could not be kept; its sender is told to try again")
            return NOT_KEPT
        except Exception:
            log.exception("a mail could not be taken in; its sender is told to try again")
            return NOT_KEPT
        return KEPT


def enveloped(sender: str, recipient: str, content: bytes) -> bytes:
    """A mail with its envelope written above it; `sender` "" for the empty one."""
    clean = "".join(sign for sign in sender if sign.isprintable())[:MOST_SENDER]
    lines = f"Return-Path: <{clean}>\r\nDelivered-To: {recipient}\r\n"
    return lines.encode() + content


def _require_free(path: Path) -> None:
    """A socket that a stopped server left behind may be replaced; that of a running one may not.

    Raises: OSError
    """
    if not path.is_socket():
        return
    with socket.socket(socket.AF_UNIX) as probe:
        try:
            probe.connect(str(path))
        except ConnectionRefusedError:
            return
    raise FileExistsError(17, "another server listens there", str(path))


# --- conversations


class Turned(asyncio.Protocol):
    """Turns away a connection above the limit."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Say so and hang up."""
        assert isinstance(transport, asyncio.WriteTransport)
        transport.write(f"{BUSY}\r\n".encode())
        transport.close()


class Conversation(SMTP):
    """One connection, with our own limits. `is_sending`: between DATA and its answer."""

    def __init__(self, receiver: Receiver, loop: asyncio.AbstractEventLoop) -> None:
        self.command_size_limits = defaultdict(lambda: COMMAND_BYTES)  # the library's is one for all connections
        super().__init__(
            receiver,
            data_size_limit=MOST_BYTES - ENVELOPE_BYTES,
            enable_SMTPUTF8=True,
            hostname=receiver.mailbox.rpartition("@")[2],
            ident="Phalera",
            timeout=receiver.idle_s,
            auth_exclude_mechanism=("LOGIN", "PLAIN"),
            loop=loop,
        )
        self.is_sending = False
        self._receiver = receiver

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Count the connection from now on."""
        self._receiver.sessions.add(self)
        super().connection_made(transport)

    def connection_lost(self, error: Exception | None) -> None:
        """Stop counting the connection."""
        self._receiver.sessions.discard(self)
        super().connection_lost(error)

    async def smtp_DATA(self, arg: str) -> None:
        """The message itself."""
        self.is_sending = True
        try:
            await super().smtp_DATA(arg)
        finally:
            self.is_sending = False
        if self._receiver.is_closing:
            self.leave()

    def leave(self) -> None:
        """Say goodbye at once."""
        transport: Any = self.transport
        if transport is not None and not transport.is_closing():
            transport.write(f"{LEAVING}\r\n".encode())
            transport.close()


class SmtpConversation(Conversation):
    """SMTP: one answer for a message."""


class LmtpConversation(Conversation, LMTP):
    """LMTP: after the message one answer for each recipient (RFC 2033 4.2)."""

    def __init__(self, receiver: Receiver, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__(receiver, loop)
        self._answers = 0

    async def smtp_DATA(self, arg: str) -> None:
        """The message itself."""
        try:
            await super().smtp_DATA(arg)
        finally:
            self._answers = 0

    async def push(self, status: Any) -> None:
        """Answer; a status that the library gives for a whole message (too large, a line too long) goes to every
        recipient."""
        if self._answers and isinstance(status, str) and "\r\n" not in status:
            status = "\r\n".join([status] * self._answers)
        await super().push(status)
        if isinstance(status, str) and status.startswith("354 ") and self.envelope is not None:
            self._answers = len(self.envelope.rcpt_tos)
