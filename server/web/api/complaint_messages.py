"""Messages about complaints to the administrators, and blocked players."""

from msgspec import Struct

from server.store.tables.complaints import ComplaintKind


class Complain(Struct, frozen=True, forbid_unknown_fields=True):
    """Report something to the administrators of the server, and say `why`.

    Shape: a `player` by their id; a `battle`; in a battle a message of the other player (`post`) or words of a
           spectator (`remark`) by its `item`; `block` blocks the player, too
    """

    kind: ComplaintKind
    why: str
    player: str = ""
    battle: str = ""
    item: str = ""
    block: bool = False


class ComplaintView(Struct, frozen=True):
    """What you have reported. `outcome` is "" while it is open, then `acted` or `dismissed`, with the administrators'
    `answer`."""

    id: str
    at: str
    kind: str
    player: str
    battle: str
    why: str
    settled: str
    outcome: str
    answer: str


class Complaints(Struct, frozen=True):
    """What you have reported, the newest first."""

    complaints: tuple[ComplaintView, ...]


class BlockPlayer(Struct, frozen=True, forbid_unknown_fields=True):
    """Block a player, by their id: they cannot invite you, play against you or be heard by you. They are not told."""

    player: str


class BlockedPlayer(Struct, frozen=True):
    """Somebody whom you have blocked."""

    player: str
    name: str


class Blocks(Struct, frozen=True):
    """Whom you have blocked."""

    blocked: tuple[BlockedPlayer, ...]
