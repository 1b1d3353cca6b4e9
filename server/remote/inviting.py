"""Invite somebody by mail to a battle on a server, bring another army, ask for a battle that is over once more."""

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import Struct

from domain.dossier import Force
from domain.engine.state import SIDES
from domain.log.limits import is_battle
from server.remote.connection import Connection
from server.remote.errors import NotDone
from server.remote.state import Kept, Place


class Invited(Struct, frozen=True):
    """An invitation that is on its way: the side is kept for that address until `expires`."""

    side: str
    address: str
    expires: str


class Rematch(Struct, frozen=True):
    """The battle that follows, your side in it, and how far it is: `asked`, `waiting`, `accepted`, `begun` or `bot`."""

    battle: str
    side: str
    what: str


async def invite(connection: Connection, place: Place, address: str, side: str, message: str) -> Invited:
    """Have the server write to an address; `side` "" for the one that is free.

    Raises: Refused, Unanswered
    """
    body = {"address": address, "side": side, "message": message}
    return await connection.send(f"/battles/{place.battle}/invitations", msgspec.json.encode(body), Invited)


class Armies(Struct, frozen=True):
    """The armies of a battle that has not begun; `brings`: another one can be brought, `proposed` the battle with one
    that waits for its answer."""

    armies: tuple[Force, ...]
    options: tuple[str, ...]
    brings: bool
    proposed: str


class Brought(Struct, frozen=True):
    """The battle with another army, your side in it, and who is asked to accept it."""

    battle: str
    side: str
    opponent: str


async def armies(connection: Connection, place: Place) -> Armies:
    """The armies of a battle that has not begun.

    Raises: Refused, Unanswered
    """
    return await connection.read(f"/battles/{place.battle}/armies", Armies)


async def bring(connection: Connection, place: Place, side: str, own: Mapping[str, Any]) -> tuple[Brought, Place]:
    """Bring another army to a battle: `list` with `size` and `seed`, or an `army`. The battle with it is kept, with
    phrases for contributions.

    Raises: Refused, Unanswered, NotDone
    """
    body = msgspec.json.encode({"side": side, **own})
    found = await connection.send(f"/battles/{place.battle}/armies", body, Brought)
    return found, _kept(place, found.battle, found.side)


async def rematch(connection: Connection, place: Place, same_sides: bool) -> tuple[Rematch, Place]:
    """Ask for the same battle again, or take up what the opponent has asked for; the battle that follows is kept, with
    phrases for contributions.

    Raises: Refused, Unanswered, NotDone
    """
    body = msgspec.json.encode({"same_sides": same_sides})
    found = await connection.send(f"/battles/{place.battle}/rematch", body, Rematch)
    return found, _kept(place, found.battle, found.side)


def _kept(place: Place, battle: str, side: str) -> Place:
    """Keep a battle in which the server has seated the player.

    Raises: NotDone
    """
    if not is_battle(battle) or side not in SIDES:  # they become the name of a file
        raise NotDone(f"{place.server.address} names no battle that could follow.")
    new = place.server.place(battle)
    kept = new.kept()
    if kept is not None and kept.side != side:
        raise NotDone(f"You hold {kept.side} of battle {battle} already.")
    new.keep(kept or Kept(side))
    return new
