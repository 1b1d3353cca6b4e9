"""A receiver of webhooks over TLS on this machine, with a certificate that is made for it."""

import asyncio
import ssl
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

from aiohttp import web
from aiohttp.test_utils import TestServer
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

HOST = "hooks.example"
Answer = Callable[[web.Request], Awaitable[web.StreamResponse]]


def certified(folder: Path, host: str = HOST) -> tuple[ssl.SSLContext, ssl.SSLContext]:
    """The contexts of a server with a certificate for `host`, and of a client that trusts it."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, host)])
    begins = datetime(2020, 1, 1, tzinfo=UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(begins)
        .not_valid_after(begins + timedelta(days=36500))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(host)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    chain, secret = folder / f"{host}.pem", folder / f"{host}.key"
    chain.write_bytes(made.public_bytes(serialization.Encoding.PEM))
    secret.write_bytes(
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(chain, secret)
    return server, ssl.create_default_context(cafile=str(chain))


class Receiver:
    """What has come in at an address of this machine: path, headers, body."""

    def __init__(self, port: int = 0) -> None:
        self.port = port
        self.got: list[tuple[str, dict[str, str], bytes]] = []


@asynccontextmanager
async def receiving(
    tls: ssl.SSLContext, answer: Answer | None = None, address: str = "127.0.0.1", port: int | None = None
) -> AsyncGenerator[Receiver]:
    """A receiver that answers 204, or what `answer` says."""
    receiver = Receiver()

    async def take(request: web.Request) -> web.StreamResponse:
        receiver.got.append((request.path_qs, dict(request.headers), await request.read()))
        return web.Response(status=204) if answer is None else await answer(request)

    app = web.Application()
    app.router.add_route("*", "/{path:.*}", take)
    server = TestServer(app, scheme="https", host=address, port=port)
    await server.start_server(ssl=tls)
    receiver.port = server.make_url("/").port or 0
    try:
        yield receiver
    finally:
        await server.close()


async def never(request: web.Request) -> web.StreamResponse:
    """No answer."""
    await asyncio.Event().wait()
    raise AssertionError
