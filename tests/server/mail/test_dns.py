"""A signature of the sender's domain is checked with the key in the DNS."""

import asyncio
from base64 import b64encode
from typing import Any

import dkim
import dns.message
import dns.resolver
import dns.rrset
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

from server.mail.incoming import dns as keys
from server.mail.incoming.reading import read_mail
from server.people.addresses import Addresses
from server.settings import BadSetting
from tests.support.waiting import LIMIT_S

ADDRESSES = Addresses("play@phalera.test", b"s" * 32)
HEAD = b"From: anna@example.test\r\nTo: play@phalera.test\r\nSubject: x\r\nMessage-ID: <1@example.test>\r\n"
MAIL = HEAD + b"\r\nR1 ahead\r\n"


class NameServer(asyncio.DatagramProtocol):
    """Answers each question for a name it knows with its text; says nothing at all about `silent`."""

    def __init__(self, records: dict[str, str]) -> None:
        self.records = records
        self.transport: Any = None

    def connection_made(self, transport: Any) -> None:
        self.transport = transport

    def datagram_received(self, data: bytes, addr: Any) -> None:
        asked = dns.message.from_wire(data)
        name = asked.question[0].name.to_text()
        if "silent" in name:
            return
        answer = dns.message.make_response(asked)
        if name in self.records:
            answer.answer.append(dns.rrset.from_text(name, 60, "IN", "TXT", f'"{self.records[name]}"'))
        self.transport.sendto(answer.to_wire(), addr)


@pytest.fixture
async def private_key(monkeypatch):
    """A key of example.test, published by a name server of our own."""
    key = rsa.generate_private_key(public_exponent=65537, key_size=1024)
    public = key.public_key().public_bytes(serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)
    record = f"v=DKIM1; k=rsa; p={b64encode(public).decode()}"
    loop = asyncio.get_running_loop()
    transport, _ = await loop.create_datagram_endpoint(
        lambda: NameServer({"one._domainkey.example.test.": record}), ("127.0.0.1", 0)
    )
    resolver = dns.resolver.Resolver(configure=False)
    resolver.nameservers = ["127.0.0.1"]
    resolver.port = transport.get_extra_info("sockname")[1]
    monkeypatch.setattr(dns.resolver, "default_resolver", resolver)
    monkeypatch.setattr(keys, "TIMEOUT_S", LIMIT_S)
    yield key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.TraditionalOpenSSL, serialization.NoEncryption()
    )
    transport.close()


def signed(private_key: bytes, selector: bytes = b"one") -> bytes:
    return bytes(dkim.sign(MAIL, selector, b"example.test", private_key)) + MAIL


async def trust_of(raw: bytes) -> tuple[str, str]:
    found = await asyncio.to_thread(read_mail, raw, ADDRESSES, (), keys.lookup_if(True))
    return found.trust, found.signed


async def test_a_good_signature_passes(private_key):
    assert await trust_of(signed(private_key)) == ("pass", "example.test")


async def test_a_changed_mail_fails(private_key):
    assert await trust_of(signed(private_key).replace(b"R1 ahead", b"R2 ahead")) == ("fail", "")


@pytest.mark.slow
@pytest.mark.parametrize("selector", [b"none", b"silent"])
async def test_a_key_that_nobody_gives_proves_nothing(private_key, selector, monkeypatch):
    monkeypatch.setattr(keys, "TIMEOUT_S", 0.5)  # for the one that is silent
    assert await trust_of(signed(private_key, selector)) == ("none", "")


async def test_an_unsigned_mail_asks_nobody(private_key):
    assert await trust_of(MAIL) == ("none", "")


def test_without_the_extra_it_is_said_what_to_install(monkeypatch):
    monkeypatch.setattr(keys, "find_spec", lambda module: None)
    assert keys.lookup_if(False) is None
    with pytest.raises(BadSetting, match="dkim"):
        keys.lookup_if(True)
