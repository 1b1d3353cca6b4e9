"""Judge battles from a terminal: bring a key to the account, and take the office of an umpire in a battle.

An umpire's lines go the way of a seat's (`server.remote.play`), under the name `umpire`.
"""

import msgspec
from msgspec import Struct

from domain.engine.dockets import UMPIRE
from replay.writing.entropy import Entropy
from server.remote.connection import BattleNow, ServerConnection
from server.remote.errors import NotDone
from server.remote.history import follow, seat_in
from server.remote.signing import read_key, read_or_make_key
from server.remote.state import BattleFiles, KeptSeat, ServerFolder


class _OwnKey(Struct, frozen=True):
    signer: str


async def bring_key(connection: ServerConnection, server: ServerFolder, entropy: Entropy) -> str:
    """Give the account the player's key on this server, which is made if there is none; returns its public half.

    Raises: Refused, Unanswered, NotDone
    """
    key = read_or_make_key(server.key_file, entropy)
    body = msgspec.json.encode(_OwnKey(key.public))
    return (await connection.send("/account/umpire-key", body, _OwnKey)).signer


async def judge(connection: ServerConnection, place: BattleFiles) -> tuple[BattleNow, bool]:
    """Keep that a battle is judged from here; whether each line is signed, too.

    Raises: Refused, Unanswered, OtherHistory; NotDone where a side is held here, or the umpire has another key
    """
    kept = place.kept()
    if kept is not None and kept.side != UMPIRE:
        raise NotDone(f"You hold {kept.side} of battle {place.battle}.")
    now, log = await follow(connection, place)
    office = seat_in(log, UMPIRE)
    file = place.key if place.key.exists() else place.server.key_file
    if office.signer and not (file.exists() and read_key(file).public == office.signer):
        raise NotDone(
            f"{file} is not the key with which the umpire of this battle was named. If another device of yours has it: "
            f"phalera remote carry {place.battle}"
        )
    if kept is None:
        place.keep(KeptSeat(UMPIRE))
    return now, bool(office.signer)
