"""The key with which a player signs as umpire (PBEM-2.1, "Umpires sign").

An account has one public key for all battles in which it judges; the secret half stays with the player. It is kept
beside the account's other accepted requests, under a key that no request can have, so that the store keeps its format.
"""

from hashlib import sha256

from server.store import Statement
from server.store.contract import TableRows
from server.store.tables import requests

PLACE = "umpire key"
"""With a space in it: no idempotency key has one."""


def umpire_key_of(store: TableRows, player: str) -> str:
    """The base64 of a player's Ed25519 key as umpire; "" for none."""
    found = requests.find(store, player, PLACE)
    return found.body.decode("ascii") if found is not None else ""


def keep_umpire_key(store: TableRows, player: str, signer: str) -> tuple[Statement, ...]:
    """What stores another key, "" for none from here on. Battles keep the one with which their umpire was named.

    Shape: `signer` has been checked (`replay.writing.signatures.require_signer`)
    """
    body = signer.encode("ascii")
    if requests.find(store, player, PLACE) is not None:
        return (requests.close(player, PLACE, signer),)
    row = requests.accept(player, PLACE, sha256(body).digest(), body)
    return (row, requests.finish(player, PLACE))
