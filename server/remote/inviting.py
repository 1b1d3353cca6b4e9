"""Invite somebody by mail to a battle on a server, and ask for a battle that is over once more."""

import msgspec
from msgspec import Struct

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


async def rematch(connection: Connection, place: Place, same_sides: bool) -> tuple[Rematch, Place]:
    """Ask for the same battle again, or take up what the opponent has asked for; the battle that follows is kept, with
    phrases for contributions.

    Raises: Refused, Unanswered, NotDone
    """
    body = msgspec.json.encode({"same_sides": same_sides})
    found = await connection.send(f"/battles/{place.battle}/rematch", body, Rematch)
    if not is_battle(found.battle) or found.side not in SIDES:  # they become the name of a file
        raise NotDone(f"{place.server.address} names no battle that could follow.")
    new = place.server.place(found.battle)
    kept = new.kept()
    if kept is not None and kept.side != found.side:
        raise NotDone(f"You hold {kept.side} of battle {found.battle} already.")
    new.keep(kept or Kept(found.side))
    return found, new
