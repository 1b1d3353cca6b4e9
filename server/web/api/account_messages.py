"""Messages of the API about the end of an account."""

from msgspec import Struct


class ConcernedView(Struct, frozen=True):
    """A battle that is not over in which you hold a side. `fate`: it is `cancelled`, your side is `free` again, passes
    to the `substitute` whose `name` it has, is `resigned`, or `stays` as it is, because its lines are signed with a key
    of yours or a docket halts play: then the other side claims it in time."""

    battle: str
    title: str
    side: str
    fate: str
    name: str = ""


class Departure(Struct, frozen=True):
    """What the removal of your account would do to your battles. Their logs keep its opaque id and the `name` that you
    were shown under."""

    player: str
    name: str
    battles: tuple[ConcernedView, ...]


class RemoveAccount(Struct, frozen=True, forbid_unknown_fields=True):
    """Remove your account, for good. `name` is yours, written out; `proof` the secret of a login link that works (what
    follows `/login/`), which is used up: that of a letter, or of a key link."""

    name: str
    proof: str


class LinkSent(Struct, frozen=True):
    """A letter with a login link is on its way, if the account has an address: for `minutes`."""

    minutes: int


class Removed(Struct, frozen=True):
    """The account is gone."""

    player: str
