"""A DKIM signature is checked where no server of ours has said anything, and proves only what it covers."""

from base64 import b64encode

import dkim
import pytest
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat

from server.mail.incoming.reading import read_mail
from server.mail.verdict import MailReading
from tests.server.mail.incoming.reading.corpus import OURS
from tests.server.mail.incoming.reading.corpus.shared import ORDERS, mail

KEY = rsa.generate_private_key(public_exponent=65537, key_size=1024)
PRIVATE = KEY.private_bytes(Encoding.PEM, PrivateFormat.TraditionalOpenSSL, NoEncryption())
PUBLIC = b64encode(KEY.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo))
RECORD = b"v=DKIM1; k=rsa; p=" + PUBLIC
RECORDS = {b"s1._domainkey.example.org.": RECORD, b"s1._domainkey.evil.example.": RECORD}
RAW = mail(ORDERS).replace(b"\n", b"\r\n")


def signed(raw: bytes = RAW, domain: bytes = b"example.org", **options) -> bytes:
    """A mail with a signature on top."""
    return dkim.sign(raw, b"s1", domain, PRIVATE, include_headers=[b"from", b"subject", b"to"], **options) + raw


def read(raw: bytes, records: dict[bytes, bytes] = RECORDS, trusted: tuple[str, ...] = ()) -> MailReading:
    """A reading with this DNS."""
    return read_mail(raw, OURS, trusted, records.get)


def trust(raw: bytes, records: dict[bytes, bytes] = RECORDS) -> tuple[str, str]:
    """What is known of the sender."""
    reading = read(raw, records)
    assert reading.what == "mail"
    return reading.trust, reading.signed


def test_a_signature_of_the_senders_domain_proves_the_sender() -> None:
    assert trust(signed()) == ("pass", "example.org")


def test_fields_of_our_own_delivery_above_it_do_not_break_it() -> None:
    assert trust(b"Return-Path: <anna@example.org>\r\nDelivered-To: x@y\r\n" + signed()) == ("pass", "example.org")


@pytest.mark.parametrize("change", [(b"R1 charge E4", b"R1 charge E5"), (b"Subject: Re", b"Subject: Fw")])
def test_a_changed_mail_fails(change: tuple[bytes, bytes]) -> None:
    assert trust(signed().replace(*change)) == ("fail", "")


def test_a_signature_of_another_domain_proves_nothing() -> None:
    assert trust(signed(domain=b"evil.example")) == ("none", "")


def test_a_second_signature_of_the_sender_counts() -> None:
    assert trust(signed(signed(), b"evil.example")) == ("pass", "example.org")


def test_a_key_that_cannot_be_had_proves_nothing() -> None:
    assert trust(signed(), {}) == ("none", "")


def test_a_key_too_long_to_compute_with_is_not_used() -> None:
    assert trust(signed(), dict.fromkeys(RECORDS, RECORD + b" " * 800)) == ("none", "")


def test_a_revoked_or_broken_key_fails() -> None:
    assert trust(signed(), dict.fromkeys(RECORDS, b"v=DKIM1; p=")) == ("fail", "")


def test_a_signature_over_a_part_of_the_text_proves_nothing() -> None:
    assert trust(signed(length=True) + b"resign\r\n") == ("none", "")


def test_only_three_signatures_are_looked_at() -> None:
    one = signed()[: -len(RAW)]
    wrong = one.replace(b" bh=", b" bh=xxxx")
    assert trust(wrong * 2 + one + RAW) == ("pass", "example.org")
    assert trust(wrong * 3 + one + RAW) == ("fail", "")


def test_a_dns_that_fails_is_no_fault_of_the_mail() -> None:
    def broken(name: bytes) -> bytes:
        raise TimeoutError(name)

    reading = read_mail(signed(), OURS, (), broken)
    assert (reading.what, reading.trust, reading.text) == ("mail", "none", ORDERS)


def test_without_a_dns_nothing_is_checked() -> None:
    assert read_mail(signed(), OURS).trust == "none"


def test_what_a_trusted_server_says_is_not_checked_again() -> None:
    stamped = b"Authentication-Results: mx; dkim=fail header.d=example.org\r\n" + signed()
    assert read(stamped, trusted=("mx",)).trust == "fail"
    assert read(stamped).trust == "pass"
