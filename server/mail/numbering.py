"""The orders that the numbers of a letter's list stand for, kept with the token of the letter.

A reply may come when the battle has gone on, and is processed again after a crash: so the list is stored as it was
printed, never made again.
"""

import msgspec
from msgspec import Struct

from replay.telling.words import ENGLISH, worded
from server.mail.orders import numbered
from server.play.live_battle import LiveBattle


class ListedOrders(Struct, frozen=True):
    """Orders in canonical notation, by number from 1."""

    orders: tuple[str, ...] = ()


def list_of(live: LiveBattle, side: str) -> bytes:
    """The list of a letter to a side about the battle as it stands; b"" if nothing can be ordered."""
    if side not in live.to_act():
        return b""
    scene = worded(live.ruleset.shown.view(live.known(side), side), ENGLISH)
    return msgspec.json.encode(ListedOrders(tuple(numbered(live, side, scene, ENGLISH))))


def listed(content: bytes) -> tuple[str, ...]:
    """The orders in a stored list; () if a letter had none, or comes from an earlier release."""
    try:
        return msgspec.json.decode(content, type=ListedOrders).orders if content else ()
    except msgspec.DecodeError:
        return ()
