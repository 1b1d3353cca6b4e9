"""A device with passkeys, in software: it makes them and signs with them as a browser's answer has it (WebAuthn 2)."""

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from hashlib import sha256
from typing import Any

import cbor2
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

PRESENT, VERIFIED, ATTESTED = 0x01, 0x04, 0x40
EDDSA = {1: 1, 3: -8, -1: 6}
"""A COSE key of Ed25519, without its bytes."""


def text_of(content: bytes) -> str:
    """Bytes as base64url without padding."""
    return urlsafe_b64encode(content).rstrip(b"=").decode()


def bytes_of(text: str) -> bytes:
    """The bytes of base64url without padding."""
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


class Authenticator:
    """A device with one passkey; `seed` makes its key. What it says can be bent: `origin`, `count`, `user`."""

    def __init__(self, origin: str, seed: str = "device") -> None:
        self.origin = origin
        self.count = 0
        self.user = b""
        self.credential = sha256(f"{seed} credential".encode()).digest()
        self._key = Ed25519PrivateKey.from_private_bytes(sha256(f"{seed} key".encode()).digest())

    def make(self, options: dict[str, Any], name: str = "Laptop") -> dict[str, Any]:
        """The answer to the options by which a page asks for a passkey."""
        self.user = bytes_of(options["user"]["id"])
        public = cbor2.dumps({**EDDSA, -2: self._key.public_key().public_bytes_raw()})
        attested = bytes(16) + len(self.credential).to_bytes(2, "big") + self.credential + public
        said = self._said(options["rp"]["id"], ATTESTED) + attested
        client = self._client("webauthn.create", options["challenge"])
        attestation = cbor2.dumps({"fmt": "none", "attStmt": {}, "authData": said})
        response = {"clientDataJSON": text_of(client), "attestationObject": text_of(attestation)}
        return {"id": text_of(self.credential), "name": name, "response": response}

    def sign(self, options: dict[str, Any]) -> dict[str, Any]:
        """The answer to the options by which a page asks for a login."""
        self.count += 1
        said, client = self._said(options["rpId"]), self._client("webauthn.get", options["challenge"])
        response = {
            "clientDataJSON": text_of(client),
            "authenticatorData": text_of(said),
            "signature": text_of(self._key.sign(said + sha256(client).digest())),
            "userHandle": text_of(self.user),
        }
        return {"id": text_of(self.credential), "response": response}

    def _said(self, party: str, flags: int = 0) -> bytes:
        head = bytes([PRESENT | VERIFIED | flags]) + self.count.to_bytes(4, "big")
        return sha256(party.encode()).digest() + head

    def _client(self, kind: str, challenge: str) -> bytes:
        told = {"type": kind, "challenge": challenge, "origin": self.origin, "crossOrigin": False}
        return json.dumps(told).encode()
