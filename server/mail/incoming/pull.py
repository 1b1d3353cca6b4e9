"""Fetch mail from an ordinary mailbox over IMAP.

A separate thread checks an IMAP account: when the account announces news (IDLE), otherwise every
minute. Accepted mail is moved to the folder `Processed`, oversized mail, unread, to `TooBig`. After a crash
between the two steps the mail is fetched again and is then a duplicate: it is only moved. The mailbox must be the
server's own.
"""

import asyncio
import imaplib
import logging
import re
import socket
import ssl
import threading
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager, suppress

from imap_tools import BaseMailBox, ImapToolsError, MailBox, MailBoxUnencrypted
from imap_tools.errors import MailboxLoginError
from imap_tools.idle import get_socket_poller

from server.mail.endpoint import Endpoint
from server.mail.incoming.reading.caps import MOST_BYTES
from server.mail.incoming.receiver import Accept
from server.store import StoreError

log = logging.getLogger(__name__)

PROCESSED, TOO_BIG = "Processed", "TooBig"
WANTED = "UNSEEN UNDELETED"
POLL_S = 60.0
PAUSES_S = (5.0, 15.0, 60.0, 300.0)
"""How long to wait after the first failure in a row, the second …; the last for all further ones."""
TIMEOUT_S = 60.0
LISTEN_S = 0.5
"""How often an idle connection checks whether the server is stopping."""
CHUNK = 200
_SIZE = re.compile(rb"UID (\d+)\b")
_BYTES = re.compile(rb"RFC822\.SIZE (\d+)\b")

Trouble = (OSError, imaplib.IMAP4.error, ImapToolsError, ssl.SSLError)


class Puller:
    """Checks one mailbox from `start` to `close`. `pulled` counts the mails taken in."""

    def __init__(
        self, where: Endpoint, accept: Accept, poll_s: float = POLL_S, pauses_s: Sequence[float] = PAUSES_S
    ) -> None:
        self.pulled = 0
        self._where = where
        self._accept = accept
        self._poll_s = poll_s
        self._pauses_s = pauses_s
        self._processed, self._too_big = PROCESSED, TOO_BIG
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    def start(self) -> None:
        """Start; mails are handed over in the loop that this is called in."""
        self._loop = asyncio.get_running_loop()
        self._thread = threading.Thread(target=self._run, name="mail-puller", daemon=True)
        self._thread.start()

    async def close(self, grace_s: float = 10.0) -> None:
        """Stop; a mail that is being taken in is moved first."""
        self._stop.set()
        if self._thread is not None:
            await asyncio.to_thread(self._thread.join, grace_s)

    # --- in the thread

    def _run(self) -> None:
        failures = 0
        while not self._stop.is_set():
            try:
                with self._mailbox() as box:
                    while not self._stop.is_set():
                        self._round(box)
                        failures = 0
                        self._wait(box)
            except Trouble as trouble:
                pause = self._pauses_s[min(failures, len(self._pauses_s) - 1)]
                failures += 1
                log.warning("the mailbox cannot be read: %s; again in %d s", _why(trouble), pause)
                self._stop.wait(pause)
            except Exception:
                log.exception("the mailbox cannot be read")
                self._stop.wait(self._pauses_s[-1])

    @contextmanager
    def _mailbox(self) -> Iterator[BaseMailBox]:
        where = self._where
        box: BaseMailBox
        if where.is_tls:
            context = ssl.create_default_context()
            if not where.is_checked:
                context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
            box = MailBox(where.host, where.port, timeout=TIMEOUT_S, ssl_context=context)
        else:
            box = MailBoxUnencrypted(where.host, where.port, timeout=TIMEOUT_S)
        try:
            box.login(where.user, where.password, initial_folder=None)
            _, said = box.client.capability()  # a server often states its capabilities only after the login
            box.client.capabilities = tuple(said[-1].decode("ascii", "replace").upper().split())
            self._processed, self._too_big = folders(box, where.folder)
            box.folder.set(where.folder)
            yield box
        finally:
            with suppress(*Trouble):  # it is gone already
                box.logout()
            with suppress(OSError):
                box.client.shutdown()

    def _round(self, box: BaseMailBox) -> None:
        """Take in new mails, oldest first."""
        box.client.noop()  # some servers announce mail only in reply to a command
        for uid, size in list(sizes(box, box.uids(WANTED, charset=None))):
            if self._stop.is_set():
                return
            if size > MOST_BYTES:
                log.warning("a mail of %d bytes is too large: moved to %s", size, TOO_BIG)
                box.move(uid, self._too_big)
            elif (raw := body(box, uid)) is not None and self._take(raw):
                box.move(uid, self._processed)
                self.pulled += 1

    def _take(self, raw: bytes) -> bool:
        """Hand a mail over; False leaves it where it is, for the next round."""
        assert self._loop is not None
        try:
            asyncio.run_coroutine_threadsafe(_awaited(self._accept, raw), self._loop).result()
        except StoreError:
            log.exception("a mail could not be kept; it stays in the mailbox")
            return False
        except Exception:
            log.exception("a mail could not be taken in; it stays in the mailbox")
            return False
        return True

    def _wait(self, box: BaseMailBox) -> None:
        """Wait until there is news, or it is time to check."""
        if "IDLE" not in box.client.capabilities:
            self._stop.wait(self._poll_s)
            return
        waited = 0.0
        box.idle.start()  # type: ignore[no-untyped-call]  # the library has no types here
        while waited < self._poll_s and not self._stop.is_set():
            if _has_news(box.client.sock):
                break
            waited += LISTEN_S
        box.idle.stop()  # type: ignore[no-untyped-call]  # the library has no types here


def _has_news(sock: socket.socket) -> bool:
    """Whether an idle connection has data or has ended. The library's own `poll` mistakes the end for silence."""
    if isinstance(sock, ssl.SSLSocket) and sock.pending():
        return True
    return bool(get_socket_poller(sock, LISTEN_S))  # type: ignore[arg-type]  # seconds may be broken


def folders(box: BaseMailBox, inbox: str) -> tuple[str, str]:
    """The names of the two folders for processed mail, created if missing. If a server wants all folders
    below the inbox they are created there.

    Raises: ImapToolsError
    """
    known = {folder.name: folder.delim for folder in box.folder.list()}
    delimiter = known.get(inbox) or next(iter(known.values()), "/")
    return _folder(box, known, PROCESSED, inbox, delimiter), _folder(box, known, TOO_BIG, inbox, delimiter)


def _folder(box: BaseMailBox, known: dict[str, str], name: str, inbox: str, delimiter: str) -> str:
    below = f"{inbox}{delimiter}{name}"
    for candidate in (name, below):
        if candidate in known:
            return candidate
    try:
        box.folder.create(name)
    except ImapToolsError:
        box.folder.create(below)
        return below
    return name


def sizes(box: BaseMailBox, uids: Sequence[str]) -> Iterator[tuple[str, int]]:
    """The size of each mail, before any of it is fetched."""
    for start in range(0, len(uids), CHUNK):
        _, answer = box.client.uid("FETCH", ",".join(uids[start : start + CHUNK]), "(UID RFC822.SIZE)")
        found = {}
        for item in answer:
            line = item[0] if isinstance(item, tuple) else item or b""
            uid, size = _SIZE.search(line), _BYTES.search(line)
            if uid and size:
                found[uid[1].decode()] = int(size[1])
        yield from ((uid, found[uid]) for uid in uids[start : start + CHUNK] if uid in found)


def body(box: BaseMailBox, uid: str) -> bytes | None:
    """A whole mail, byte for byte, not marked as read; None if it has gone meanwhile. The library's own `fetch` would
    parse it, and a hostile mail breaks that."""
    _, answer = box.client.uid("FETCH", uid, "(BODY.PEEK[])")
    return next((item[1] for item in answer if isinstance(item, tuple)), None)


async def _awaited(accept: Callable[[bytes], Awaitable[object]], raw: bytes) -> object:
    return await accept(raw)


def _why(trouble: Exception) -> str:
    """The error without the server's text, which may name the account."""
    if isinstance(trouble, MailboxLoginError):
        return "the login is refused"
    if isinstance(trouble, OSError) and trouble.strerror:
        return trouble.strerror
    return type(trouble).__name__
