"""Find the players whom the lines of disputes name: players write names and addresses, logs have ids."""

from collections.abc import Iterable

from msgspec.structs import replace

from domain.basics.errors import Refusal
from domain.basics.seats import Seats
from domain.contract.dispute_lines import PLAYER, read, write
from domain.engine.dockets import Docket, newest_of_others
from domain.log.record import PBEM_2_1
from domain.run.seats import Battle
from domain.run.terms import Terms
from server.people.umpire_keys import umpire_key_of
from server.store.contract import TableRows
from server.store.tables import accounts
from server.store.tables.accounts import Account


def named_in(text: str, battle: Battle, side: str, store: TableRows, seats: Seats) -> tuple[str, str]:
    """A line as the log will have it, and the name of the player whom it is about: an umpire, a substitute, or the
    umpire whom another side has proposed. An umpire is named with the key of their account, unless the line has one.
    Any other line stays as it is, and names nobody.

    Raises: Refusal core.docket-unknown-player, core.docket-which-player
    """
    order = read(text, seats)
    if order is None:
        return text, ""
    if order.player:
        account = account_named(store, order.player)
        has_key = order.verb == "umpire" and not order.signer and battle.version >= PBEM_2_1
        signer = umpire_key_of(store, account.player) if has_key else order.signer
        return write(replace(order, player=account.player, signer=signer)), account.name
    proposed = newest_of_others(battle.disputes.proposed, side) if side in seats else None
    if order.verb == "agree umpire" and proposed is not None:
        known = accounts.by_player(store, proposed.what)
        return text, known.name if known is not None else ""
    return text, ""


def terms_of(
    store: TableRows, umpire: str, takebacks: str, days: int, tags: Iterable[str] = (), unsigned: bool = False
) -> Terms:
    """What holds for the disputes of a battle to be opened; the umpire as somebody has written their name, with the key
    of their account, tags in any order and case.

    Raises: Refusal as `account_named`
    """
    account = account_named(store, umpire) if umpire else None
    player, name = (account.player, account.name) if account else ("", "")
    signer = umpire_key_of(store, player) if player else ""
    return Terms(player, name, takebacks, days, sorted_tags(tags), signer, unsigned)


def sorted_tags(tags: Iterable[str]) -> tuple[str, ...]:
    """Tags as a log has them: in small letters, each once, in order."""
    return tuple(sorted({tag.strip().casefold() for tag in tags}))


def is_dispute(text: str) -> bool:
    """Whether a line is one of a dispute, also if it says too much."""
    try:
        return bool(text) and read(text) is not None
    except Refusal:
        return True


def account_named(store: TableRows, said: str) -> Account:
    """The account of a player by id, name or address.

    Raises: Refusal core.docket-unknown-player; core.docket-which-player where several have the address
    """
    by_id = accounts.by_player(store, said) if PLAYER.fullmatch(said) else None
    account = by_id or accounts.by_name(store, said.removeprefix("@"))
    if account is not None:
        return account
    several = accounts.by_email(store, said) if "@" in said else []
    if len(several) > 1:
        raise Refusal("core.docket-which-player", "CORE-DSP-10", names=[one.name for one in several])
    if not several:
        raise Refusal("core.docket-unknown-player", "CORE-DSP-10", player=said[:64])
    return several[0]


def entry_of_agreeing(battle: Battle, docket: Docket, side: str) -> str:
    """Which kind of contribution the line brings with which `side` agrees, `plain` or `sealed`, where that takes play
    back (header version 3); "" for none."""
    other = newest_of_others(docket.offers, side) if side in battle.seats and docket.is_open else None
    takes_back = other is not None and other.what.startswith("rewind ")
    return battle.seats[side].mode if takes_back and battle.version >= PBEM_2_1 else ""
