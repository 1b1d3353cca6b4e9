"""Tags of clients and accounts for the lines of the log: who reads them sees that two requests came from one client,
and not from where.

A tag is a keyed digest, made with the host's key: without it nobody can find an address by trying them all. Tags
change with each month, so that the logs of a year do not add up to a life.
"""

import hmac
from functools import lru_cache
from hashlib import sha256

from replay.proof.notes import Signer
from replay.writing.clock import Clock

DIGITS = 12
"""Hex digits of a tag: two of a million clients hardly have the same."""
MONTH = len("2026-11")
KNOWN = 4096
CLIENT, ACCOUNT = "client", "account"


class Tags:
    """The tags that a host gives, each month others."""

    def __init__(self, signer: Signer, clock: Clock) -> None:
        self._secret = hmac.digest(signer.secret_key().encode(), b"phalera/log tags", sha256)
        self._clock = clock
        self._made = lru_cache(maxsize=KNOWN)(self._make)

    def client(self, address: str) -> str:
        """The tag of a client's address, as limits count it; "" without one."""
        return address and self._made(CLIENT, address, self._clock.now()[:MONTH])

    def account(self, player: str) -> str:
        """The tag of an account, by the id of its player; "" for a stranger."""
        return player and self._made(ACCOUNT, player, self._clock.now()[:MONTH])

    def _make(self, kind: str, name: str, month: str) -> str:
        return hmac.digest(self._secret, f"{month}\n{kind}\n{name}".encode(), sha256).hex()[:DIGITS]
