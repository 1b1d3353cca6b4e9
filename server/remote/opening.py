"""Open a battle on a server, for others and oneself to join."""

import msgspec
from msgspec import Struct

from replay.writing.entropy import Entropy
from server.remote.connection import ServerConnection
from server.remote.once import send_once
from server.remote.state import BattleFiles, ServerFolder


class WantedBattle(Struct, frozen=True, omit_defaults=True):
    """What a server is asked for: a packaged `scenario` or the text of one; "" and () leave it to the server."""

    ruleset: str = ""
    scenario: str = ""
    scenario_toml: str = ""
    readers: str = ""
    pace: str = ""
    tags: tuple[str, ...] = ()


class _Opened(Struct, frozen=True):
    battle: str


async def open_battle(
    connection: ServerConnection, server: ServerFolder, wanted: WantedBattle, entropy: Entropy
) -> BattleFiles:
    """Where the new battle is kept; the same again after no answer is the same battle.

    Raises: Refused, Unanswered (the same again goes on), NotDone
    """
    body = msgspec.to_builtins(wanted)
    opened = await send_once(connection, server, "/battles", body, _Opened, entropy)
    return server.place(opened.battle)
