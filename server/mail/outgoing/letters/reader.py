"""The reader of a letter."""

from msgspec import Struct

from server.store.contract import TableRows
from server.store.tables import correspondents
from server.store.tables.accounts import Account


class LetterReader(Struct, frozen=True):
    """A player and their preferences for letters. `zone` an IANA name, `email` "" for a guest; `is_long`: letters with
    all orders and the whole board."""

    player: str
    name: str = ""
    email: str = ""
    lang: str = "en"
    zone: str = "UTC"
    picture: bool = True
    is_long: bool = False


def reader_of(store: TableRows, account: Account) -> LetterReader:
    """The reader for an account."""
    wishes = correspondents.find(store, account.player)
    return LetterReader(
        account.player, account.name, account.email, wishes.lang, wishes.zone, wishes.picture, wishes.is_long
    )
