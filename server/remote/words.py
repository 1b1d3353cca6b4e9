"""Say something to the opponent in a battle on a server."""

from msgspec import Struct

from replay.writing.entropy import Entropy
from server.remote.connection import ServerConnection
from server.remote.once import send_once
from server.remote.state import BattleFiles


class RelayedWords(Struct, frozen=True):
    """Words are on their way; `to` is the name of whoever holds the other side."""

    to: str


async def talk(
    connection: ServerConnection, place: BattleFiles, text: str, side: str, entropy: Entropy
) -> RelayedWords:
    """Have the server relay words to the other side; `side` "" for the only one that the player holds.

    Raises: Refused, Unanswered (the same again goes on), NotDone
    """
    body = {"text": text, "side": side}
    return await send_once(connection, place, f"/battles/{place.battle}/words", body, RelayedWords, entropy)
