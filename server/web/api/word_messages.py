"""Messages of the API about what the players of a battle say to each other."""

from msgspec import Struct


class SayWords(Struct, frozen=True, forbid_unknown_fields=True):
    """Words for your opponent: `text`, plain, at most 4096 bytes. `side` is yours, "" if you hold one."""

    text: str
    side: str = ""


class Relayed(Struct, frozen=True):
    """Your words are on their way; `to` is the name of whoever holds the other side."""

    to: str


class WordsView(Struct, frozen=True):
    """What the holder of a `side` has said, under their `name`; `at` as times of the log are written, `yours`: it was
    you."""

    side: str
    name: str
    at: str
    text: str
    yours: bool


class Words(Struct, frozen=True):
    """The last hundred messages between the players of a battle, oldest first, without those of players whom you have
    blocked."""

    battle: str
    words: tuple[WordsView, ...]
