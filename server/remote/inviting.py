"""Invite somebody by mail to a battle on a server, bring another army, ask for a battle that is over once more."""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from domain.basics.seats import is_name
from domain.contract.dossier import Force
from domain.log.limits import is_battle
from replay.writing.entropy import Entropy
from server.remote.connection import ServerConnection
from server.remote.errors import NotDone
from server.remote.once import send_once
from server.remote.state import BattleFiles, KeptSeat


class SentInvitation(Struct, frozen=True):
    """An invitation that is on its way: the side is kept for that address until `expires`."""

    side: str
    address: str
    expires: str


class AskedRematch(Struct, frozen=True):
    """The battle that follows, your side in it, and how far it is: `asked`, `waiting`, `accepted`, `begun` or `bot`."""

    battle: str
    side: str
    what: str


async def invite(
    connection: ServerConnection, place: BattleFiles, address: str, side: str, message: str, entropy: Entropy
) -> SentInvitation:
    """Have the server write to an address; `side` "" for the one that is free.

    Raises: Refused, Unanswered (the same again goes on), NotDone
    """
    body = {"address": address, "side": side, "message": message}
    return await send_once(connection, place, f"/battles/{place.battle}/invitations", body, SentInvitation, entropy)


class Armies(Struct, frozen=True):
    """The armies of a battle that has not begun; `brings`: another one can be brought, `proposed` the battle with one
    that waits for its answer."""

    armies: tuple[Force, ...]
    options: tuple[str, ...]
    brings: bool
    proposed: str


class BroughtBattle(Struct, frozen=True):
    """The battle with another army, your side in it, and who is asked to accept it."""

    battle: str
    side: str
    opponent: str


async def armies(connection: ServerConnection, place: BattleFiles) -> Armies:
    """The armies of a battle that has not begun.

    Raises: Refused, Unanswered
    """
    return await connection.read(f"/battles/{place.battle}/armies", Armies)


async def bring(
    connection: ServerConnection, place: BattleFiles, side: str, own: Mapping[str, Any], entropy: Entropy
) -> tuple[BroughtBattle, BattleFiles]:
    """Bring another army to a battle: `list` with `size` and `seed`, or an `army`. The battle with it is kept, with
    phrases for contributions.

    Raises: Refused, Unanswered (the same again goes on), NotDone
    """
    path = f"/battles/{place.battle}/armies"
    found = await send_once(connection, place, path, {"side": side, **own}, BroughtBattle, entropy)
    return found, _keep(place, found.battle, found.side)


async def rematch(
    connection: ServerConnection, place: BattleFiles, same_sides: bool, entropy: Entropy
) -> tuple[AskedRematch, BattleFiles]:
    """Ask for the same battle again, or take up what the opponent has asked for; the battle that follows is kept, with
    phrases for contributions.

    Raises: Refused, Unanswered, NotDone
    """
    path, body = f"/battles/{place.battle}/rematch", {"same_sides": same_sides}
    found = await send_once(connection, place, path, body, AskedRematch, entropy)
    return found, _keep(place, found.battle, found.side)


def _keep(place: BattleFiles, battle: str, side: str) -> BattleFiles:
    """Keep a battle in which the server has seated the player.

    Raises: NotDone
    """
    if not is_battle(battle) or not is_name(side):  # they become the name of a file
        raise NotDone(f"{place.server.address} names no battle that could follow.")
    new = place.server.place(battle)
    kept = new.kept()
    if kept is not None and kept.side != side:
        raise NotDone(f"You hold {kept.side} of battle {battle} already.")
    new.keep(kept or KeptSeat(side))
    return new
