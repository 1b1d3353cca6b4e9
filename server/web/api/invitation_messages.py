"""Messages of the API about invitations and rematches."""

from msgspec import Struct


class Invite(Struct, frozen=True, forbid_unknown_fields=True):
    """Invite somebody by mail to a free side of a battle that you have opened or play in; `side` "" for the one that is
    free. `message` is yours, plain text, at most 800 bytes in 12 lines."""

    address: str
    side: str = ""
    message: str = ""


class Invited(Struct, frozen=True):
    """An invitation that is on its way: the side is kept for that address until `expires`."""

    battle: str
    side: str
    address: str
    expires: str


class AskRematch(Struct, frozen=True, forbid_unknown_fields=True):
    """Ask for a battle that is over once more, with the sides swapped, or with `same_sides`."""

    same_sides: bool = False


class RematchView(Struct, frozen=True):
    """The battle that follows and your side in it. `what`: your opponent is `asked`, you are `waiting` for them still,
    you have `accepted` what they had asked for, it has `begun` before, or a `bot` plays."""

    battle: str
    side: str
    what: str
