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
    of the units and leaders that the reader sees. `units` and `ends`: of each order whom it is for, and the cell to
    which it leads, "" for none; `kinds` and `cells`: of the reader's units the game's word for what they are, and
    where they stand; `waiting`: the lines that one word plays (`doubting.GO`)."""

    orders: tuple[str, ...] = ()
    usual: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    units: tuple[str, ...] = ()
    ends: tuple[str, ...] = ()
    kinds: dict[str, str] = {}
    cells: dict[str, str] = {}
    waiting: tuple[str, ...] = ()

    @property
    def named(self) -> frozenset[str]:
        """The names of units and leaders, of those that are ordered as one, too; none of an earlier release."""
        return (
            frozenset(name.upper() for name in (*self.names, *filter(None, self.units))) if self.names else frozenset()
        )


def list_of(live: LiveBattle, side: str, waiting: tuple[str, ...] = ()) -> bytes:
    """The list of a letter to a side about the battle as it stands; b"" if nothing can be ordered. `waiting`: lines of
    the mail that it answers, which wait for one word more."""
    if side not in live.to_act():
        return b""
    known = live.known(side)
    scene = live.ruleset.shown.view(known, side)
    tokens = [token for token in (*scene.aside, *scene.tokens) if token.form != "site"]
    own = {token.id: token for token in tokens if token.side == side}
    own |= {group.label: own[group.tokens[0]] for group in scene.groups if group.tokens[0] in own}
    options = {option.order: option for option in live.options(side)}
    orders = tuple(numbered(live, side))
    targets = [options[order].target for order in orders]
    letter = ListedOrders(
        orders,
        tuple(live.ruleset.orders.usual(known, side)),
        tuple(dict.fromkeys(token.id for token in tokens)),
        tuple(options[order].unit for order in orders),
        tuple(target.box if target and target.act != "shoot" else "" for target in targets),
        {name: token.type for name, token in own.items() if token.type},
        {name: token.cell for name, token in own.items() if token.cell},
        waiting,
    )
    return msgspec.json.encode(letter)


def listed(content: bytes) -> ListedOrders:
    """A stored list; it is empty if a letter had none, or comes from an earlier release."""
    try:
        return decode(content, ListedOrders) if content else ListedOrders()
    except msgspec.DecodeError:
        return ListedOrders()
