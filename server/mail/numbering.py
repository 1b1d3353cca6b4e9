"""The orders that the numbers of a letter's list stand for, and the word "usual", kept with the token of the letter.

A reply may come when the battle has gone on, and is processed again after a crash: so the list is stored as it was
printed, never made again.
"""

import msgspec
from msgspec import Struct

from domain.basics.decoding import decode
from server.mail.orders import numbered
from server.play.live_battle import LiveBattle


class ListedOrders(Struct, frozen=True):
    """Orders in canonical notation: by number from 1, and the standing orders that are offered under one word. `names`:
    of the units and leaders that the reader sees."""

    orders: tuple[str, ...] = ()
    usual: tuple[str, ...] = ()
    names: tuple[str, ...] = ()


def list_of(live: LiveBattle, side: str) -> bytes:
    """The list of a letter to a side about the battle as it stands; b"" if nothing can be ordered."""
    if side not in live.to_act():
        return b""
    known = live.known(side)
    scene = live.ruleset.shown.view(known, side)
    usual = tuple(live.ruleset.orders.usual(known, side))
    names = tuple(dict.fromkeys(token.id for token in (*scene.aside, *scene.tokens) if token.form != "site"))
    return msgspec.json.encode(ListedOrders(tuple(numbered(live, side)), usual, names))


def listed(content: bytes) -> ListedOrders:
    """A stored list; it is empty if a letter had none, or comes from an earlier release."""
    try:
        return decode(content, ListedOrders) if content else ListedOrders()
    except msgspec.DecodeError:
        return ListedOrders()
