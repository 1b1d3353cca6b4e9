"""Messages of the API about an account: another address, a proof, its end."""

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


class MoveAddress(Struct, frozen=True, forbid_unknown_fields=True):
    """Move to another mail `address`. `proof` is the secret of a login link that works (what follows `/login/`), which
    is used up."""

    address: str
    proof: str


class AddressAsked(Struct, frozen=True):
    """A letter has gone to the `address`, which is yours when it is answered. A guest, who has none, writes from it to
    `reply` instead, "" for everybody else."""

    address: str
    reply: str


class LinkSent(Struct, frozen=True):
    """A letter with a login link is on its way, if the account has an address: for `minutes`."""

    minutes: int


class KeepUmpireKey(Struct, frozen=True, forbid_unknown_fields=True):
    """The key with which you sign as umpire from here on: `signer` is the base64 of an Ed25519 public key, "" for none.
    A battle in which you judge already keeps the key with which you were named."""

    signer: str


class UmpireKey(Struct, frozen=True):
    """The key with which you sign as umpire, in battles that name you from here on; "" for none."""

    signer: str


class Removed(Struct, frozen=True):
    """The account is gone."""

    player: str
