"""Messages of the accounts of bots."""

from msgspec import Struct


class MakeBot(Struct, frozen=True, forbid_unknown_fields=True):
    """A new bot account."""

    name: str


class BotAccountView(Struct, frozen=True):
    """A bot account of yours. `token` is there in the answer that made it, and in no other."""

    player: str
    name: str
    created: str
    token: str = ""


class BotAccounts(Struct, frozen=True):
    """The bot accounts of a player, oldest first."""

    bots: tuple[BotAccountView, ...]
