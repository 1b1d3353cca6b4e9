"""Find the players whom the lines of disputes name: players write names and addresses, logs have ids."""

from msgspec.structs import replace

from domain.engine.dispute_lines import PLAYER, read, write
from domain.engine.dockets import UMPIRE, Docket
from domain.engine.errors import Refusal
from domain.engine.rewind_points import Past, has_drawn_since
from domain.engine.seats import Battle
from domain.engine.state import OTHER
from domain.engine.terms import Terms
from server.store.contract import Rows
from server.store.tables import accounts
from server.store.tables.accounts import Account


def named_in(text: str, battle: Battle, side: str, store: Rows) -> tuple[str, str]:
    """A line as the log will have it, and the name of the player whom it is about: an umpire, a substitute, or the
    umpire whom the other side has proposed. Any other line stays as it is, and names nobody.

    Raises: Refusal core.docket-unknown-player, core.docket-which-player
    """
    order = read(text)
    if order is None:
        return text, ""
    if order.player:
        account = account_named(store, order.player)
        return write(replace(order, player=account.player)), account.name
    proposed = battle.disputes.proposed.get(OTHER.get(side, UMPIRE))
    if order.verb == "agree umpire" and proposed is not None:
        known = accounts.by_player(store, proposed.what)
        return text, known.name if known is not None else ""
    return text, ""


def bots_answer(past: Past, docket: Docket) -> str:
    """What a bot says to a take-back: yes before a card or die has fallen, else no (CORE-DSP-10)."""
    return f"{'decline' if has_drawn_since(past, docket.about) else 'agree'} {docket.id}"


def terms_of(store: Rows, umpire: str, takebacks: str, days: int) -> Terms:
    """What holds for the disputes of a battle to be opened; the umpire as somebody has written their name.

    Raises: Refusal as `account_named`
    """
    account = account_named(store, umpire) if umpire else None
    return Terms(account.player if account else "", account.name if account else "", takebacks, days)


def is_dispute(text: str) -> bool:
    """Whether a line is one of a dispute, also if it says too much."""
    try:
        return bool(text) and read(text) is not None
    except Refusal:
        return True


def account_named(store: Rows, said: str) -> Account:
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
