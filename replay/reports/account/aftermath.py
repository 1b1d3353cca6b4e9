"""What a battle came to, for the page of its end: whom each army has lost, and its honours.

They are those of the report; nothing is proven here, so this costs a fraction of it.
"""

import msgspec
from msgspec import Struct

from replay.battle_file import parse
from replay.reports.account.contents import Honours, Losses, honours_of, losses_of
from replay.reports.account.reading import read
from replay.reports.account.voice import Voice


class Aftermath(Struct, frozen=True):
    """For each side its losses and its honours, in the order of play."""

    losses: tuple[Losses, ...]
    honours: tuple[Honours, ...]


def aftermath(content: bytes, lang: str) -> bytes:
    """The aftermath of the battle in the bytes of a file, in a language, as JSON.

    Raises: UnreadableFile
    """
    reading = read(parse(content, lang=lang))
    voice, sides = Voice(reading, lang), reading.battle.ruleset.seats.names
    return msgspec.json.encode(
        Aftermath(tuple(losses_of(reading, voice, side) for side in sides), honours_of(reading, voice))
    )
