"""What the tests of mail in and out need: an intake that only remembers, a sink for letters, programs."""

import asyncio
import datetime
import ipaddress
import ssl
import warnings
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import pytest
from aiosmtpd.smtp import SMTP as Serving
from aiosmtpd.smtp import AuthResult, Envelope, Session
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from server.mail.incoming.receiver import Receiver, Turned
from server.store import StoreFailed
from tests.mailhost.dovecot import Dovecot, dovecot
from tests.mailhost.loopback import HOST, Absent, common_folder, require

MAILBOX = "play@pbem.test"
TOKEN = "abcdefghijklmnopqrstuvwx"
OTHER = "234567abcdefghijklmnopqr"


class Kept:
    """An intake that keeps what it is given; `fails` so many times first, and waits for `gate` if there is one."""

    def __init__(self) -> None:
        self.raw: list[bytes] = []
        self.fails = 0
        self.gate: asyncio.Event | None = None
        self.begun = asyncio.Event()

    async def __call__(self, raw: bytes) -> None:
        """Take one."""
        self.begun.set()
        if self.gate is not None:
            await self.gate.wait()
        if self.fails:
            self.fails -= 1
            raise StoreFailed("the disk is full")
        self.raw.append(raw)


@pytest.fixture
def kept() -> Kept:
    """Nothing yet."""
    return Kept()


@pytest.fixture
async def receiver(kept: Kept) -> AsyncIterator[Receiver]:
    """A receiver that listens nowhere yet."""
    made = Receiver(MAILBOX, kept)
    yield made
    await made.close(grace_s=1)


Listen = Callable[[str, str], Any]


class Sink:
    """A mail system that takes letters, or does what it is told instead. `rcpt`, `data`: answers by turns, then 250."""

    def __init__(self, tls: Any = None, password: str = "") -> None:
        self.taken: list[tuple[str | None, list[str], bytes]] = []
        self.connections = 0
        self.users: list[str] = []
        self.rcpt: list[str] = []
        self.data: list[str] = []
        self.drops = 0  # so many times: hang up instead of an answer to DATA
        self.hangs: dict[str, asyncio.Event] = {}  # recipient: no answer to RCPT before this
        self.hanging = asyncio.Event()
        self.most = 100  # connections; later ones are turned away
        self._tls = tls
        self._password = password
        self._server: asyncio.Server | None = None

    async def start(self) -> int:
        """Listen; gives the port."""
        loop = asyncio.get_running_loop()

        def made() -> asyncio.BaseProtocol:
            self.connections += 1
            if self.connections > self.most:
                return Turned()
            extra: dict[str, Any] = {}
            if self._password:
                extra = {"authenticator": self._log_in, "auth_required": True, "auth_require_tls": False}
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # it asks for passwords without TLS: that is what is tried here
                return Serving(self, loop=loop, hostname="sink.test", tls_context=self._tls, **extra)

        self._server = await loop.create_server(made, HOST, 0)
        return int(self._server.sockets[0].getsockname()[1])

    async def stop(self) -> None:
        """Listen no more."""
        if self._server is not None:
            self._server.close()
            await asyncio.sleep(0)

    def _log_in(self, server: Any, session: Any, envelope: Any, mechanism: str, given: Any) -> AuthResult:
        self.users.append(given.login.decode())
        return AuthResult(success=given.password.decode() == self._password, handled=False)

    async def handle_RCPT(self, server: Serving, session: Session, envelope: Envelope, address: str, _: Any) -> str:
        """Whom it takes mail for."""
        if address in self.hangs:
            self.hanging.set()
            await self.hangs[address].wait()
        answer = self.rcpt.pop(0) if self.rcpt else "250 OK"
        if answer.startswith("250"):
            envelope.rcpt_tos.append(address)
        return answer

    async def handle_DATA(self, server: Serving, session: Session, envelope: Envelope) -> str:
        """The letter."""
        if self.drops:
            self.drops -= 1
            assert server.transport is not None
            server.transport.close()
            return "250 never read"
        answer = self.data.pop(0) if self.data else "250 OK"
        if answer.startswith("250"):
            content = envelope.content
            assert isinstance(content, bytes)
            self.taken.append((envelope.mail_from, list(envelope.rcpt_tos), content))
        return answer


@pytest.fixture
async def sink() -> AsyncIterator[Sink]:
    """A mail system that takes everything, not started."""
    made = Sink()
    yield made
    await made.stop()


@pytest.fixture
def needs() -> Callable[..., None]:
    """Skips with the reason where a program is missing; with CI=true a skip is a failure (`tests.__main__`)."""

    def look(*names: str) -> None:
        try:
            require(*names)
        except Absent as absent:
            pytest.skip(str(absent))

    return look


@pytest.fixture(scope="session")
def imap() -> Iterator[Dovecot]:
    """A Dovecot of our own, for all tests of this folder."""
    try:
        require("dovecot")
        with common_folder("transport") as folder, dovecot(folder / "dovecot") as running:
            yield running
    except Absent as absent:
        pytest.skip(str(absent))


@pytest.fixture(scope="session")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> ssl.SSLContext:
    """A context of a server whose certificate nobody knows."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "sink.test")])
    now = datetime.datetime(2026, 1, 1)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now)
        .not_valid_after(now + datetime.timedelta(days=36500))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address(HOST))]), False)
        .sign(key, hashes.SHA256())
    )
    file = tmp_path_factory.mktemp("tls") / "sink.pem"
    pem = serialization.Encoding.PEM
    private = key.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    file.write_bytes(private + made.public_bytes(pem))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(file)
    return context
