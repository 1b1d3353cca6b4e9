"""Make, read and publish the key with which this server signs its letters (DKIM, RFC 6376).

The file holds an RSA key in PEM, readable by its owner alone. Nothing of it is ever shown but the public part, as the
record that the domain has to publish.
"""

import os
import re
import stat
from base64 import b64encode
from pathlib import Path

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from msgspec import Struct

from server.settings import BadSetting

BITS = 2048
FEWEST_BITS = 1024
"""Receivers believe no shorter key (RFC 8301 3.2)."""
FILE = "dkim.pem"
"""The usual name, in the data folder."""
SELECTOR = "phalera"
LONGEST_STRING = 255
"""A TXT record consists of strings of this length at most (RFC 1035 3.3)."""
OTHERS = stat.S_IRWXG | stat.S_IRWXO
_LABEL = r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
_SELECTOR = re.compile(rf"{_LABEL}(?:\.{_LABEL}){{0,3}}", re.I)


class SigningKey(Struct, frozen=True):
    """A key and the selector under which its domain publishes it. `pem`: PKCS #1."""

    selector: str
    domain: str
    pem: bytes
    public: str

    def __repr__(self) -> str:
        """Its text without the secret, because it may be logged."""
        return f"SigningKey({self.selector!r}, {self.domain!r})"

    @property
    def name(self) -> str:
        """The name in the DNS that has the public key."""
        return f"{self.selector}._domainkey.{self.domain}"

    @property
    def record(self) -> str:
        """The text that is to be published there."""
        return f"v=DKIM1; k=rsa; p={self.public}"


def make_key(path: Path) -> None:
    """Write a new key to a file that does not exist yet.

    Raises: OSError, FileExistsError among them
    """
    key = rsa.generate_private_key(public_exponent=65537, key_size=BITS)
    pem = key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(pem)
        file.flush()
        os.fsync(file.fileno())


def read_key(path: Path, selector: str, domain: str) -> SigningKey:
    """The key of a file, to sign for a domain.

    Raises: BadSetting, in a sentence that repeats nothing of the file
    """
    if not _SELECTOR.fullmatch(selector):
        raise BadSetting(f"“{selector}” cannot be a selector: letters, digits and hyphens, as in a name of the DNS.")
    try:
        content, mode = path.read_bytes(), path.stat().st_mode
    except OSError as reason:
        raise BadSetting(f"The key {path} cannot be read: {(reason.strerror or '').lower()}.") from None
    if mode & OTHERS:
        raise BadSetting(f"The key {path} is open to others, who could sign as {domain}: chmod go= {path}")
    try:
        key = serialization.load_pem_private_key(content, None)
    except (ValueError, TypeError, UnsupportedAlgorithm):
        raise BadSetting(f"{path} holds no key in PEM without a password: `phalera mail key` makes one.") from None
    if not isinstance(key, rsa.RSAPrivateKey) or key.key_size < FEWEST_BITS:
        raise BadSetting(f"The key {path} is not one of RSA with {FEWEST_BITS} bits or more.")
    public = key.public_key().public_bytes(serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)
    pem = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.TraditionalOpenSSL, serialization.NoEncryption()
    )
    return SigningKey(selector, domain, pem, b64encode(public).decode())


def zone_line(key: SigningKey) -> str:
    """The record as a line of a zone file."""
    text = key.record
    parts = [f'"{text[at : at + LONGEST_STRING]}"' for at in range(0, len(text), LONGEST_STRING)]
    return f"{key.name}. IN TXT ( {' '.join(parts)} )"
