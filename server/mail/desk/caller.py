"""The player who sent a command."""

from msgspec import Struct

from domain.basics.errors import Refusal
from domain.basics.message import Message
from replay.telling.words import ENGLISH
from server.people.players import Player
from server.store.tables.accounts import Account


class Caller(Struct, frozen=True):
    """The player whose mail it is. `battle` and `side`: those of the letter that they answer, "" if none is known;
    `heads`: the heads of ours that the mail echoes, 16 hex digits each (`server.mail.verdict.MailReading`);
    `campaign`: that of the letter."""

    account: Account
    lang: str = ENGLISH
    battle: str = ""
    side: str = ""
    heads: tuple[str, ...] = ()
    campaign: str = ""

    @property
    def player(self) -> Player:
        """The same as the rest of the server knows them."""
        return Player(self.account.player, self.account.name, self.account.email)


class Declined(Exception):
    """A command that cannot be done, and the message for its player."""

    def __init__(self, id_: str, **params: object) -> None:
        super().__init__(id_)
        self.message = Message(id_, params)


def message_of(refused: Refusal) -> Message:
    """The message of a refusal."""
    fault = refused.params.get("fault")
    msgid = f"{refused.code}.{fault}" if fault else refused.code
    return Message(msgid, {**refused.params, "rule": refused.rule})
