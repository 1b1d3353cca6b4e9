"""What the host and the administrators do about an account: ban, let in, log out, give and take the role, remove.

The commands `phalera player …` and the pages plan the same deeds here, and write the statements each in their own way.
A statement holds its condition once more, so that of two deeds at once the second finds what the first has left.
"""

import logging
from collections.abc import Callable, Iterable, Mapping

from msgspec import Struct

from domain.basics.errors import Refusal
from server.people.players import erased, locked_out
from server.store import Statement
from server.store.tables import accounts, deeds, set_up, tokens
from server.store.tables.accounts import Account

log = logging.getLogger(__name__)

LONGEST_WHY = 300


class ModerationDeed(Struct, frozen=True):
    """A deed about an account: the statements of its transaction, and the refusal if that is Unmatched."""

    statements: tuple[Statement, ...]
    refusal: Refusal


def ban(account: Account, at: str) -> ModerationDeed:
    """Lock a player out: tokens, sessions, links and mail. The account and its battles stay.

    Raises: Refusal core.administers, core.as-it-is
    """
    require_plain(account)
    if account.banned:
        raise as_it_is(account)
    return ModerationDeed((accounts.ban(account.player, at), *locked_out(account.player)), as_it_is(account))


def let_in(account: Account, at: str = "") -> ModerationDeed:
    """End a ban: the address is good again, and they log in by it.

    Raises: Refusal core.as-it-is
    """
    if not account.banned:
        raise as_it_is(account)
    return ModerationDeed((accounts.lift_ban(account),), as_it_is(account))


def log_out(account: Account, at: str = "") -> ModerationDeed:
    """End the sessions of a player and the login links that are still open; programs keep their tokens."""
    return ModerationDeed(
        tuple(tokens.revoke_all(account.player, kind) for kind in ("session", "login")), as_it_is(account)
    )


def promote(account: Account, at: str = "") -> ModerationDeed:
    """Make a player administrator.

    Raises: Refusal core.as-it-is
    """
    if account.banned or account.administers:
        raise as_it_is(account)
    return ModerationDeed((accounts.promote(account.player), set_up.forget()), as_it_is(account))


def demote(account: Account, at: str = "", may_be_last: bool = False) -> ModerationDeed:
    """Make an administrator a plain player; the last one stays, unless the host says otherwise.

    Raises: Refusal core.as-it-is
    """
    if not account.administers:
        raise as_it_is(account)
    last = Refusal("core.last-administrator", "CORE-ACCESS", name=account.name)
    return ModerationDeed((accounts.demote(account.player, may_be_last),), last)


def remove(account: Account, at: str = "", bots: Iterable[Account] = ()) -> ModerationDeed:
    """Take a player, with their bot accounts, off this server.

    Raises: Refusal core.administers
    """
    require_plain(account)
    gone = [statement for one in (account, *bots) for statement in erased(one.player)]
    return ModerationDeed((accounts.stay_plain(account.player), *gone), as_it_is(account))


def remove_guest(account: Account, at: str = "") -> ModerationDeed:
    """Take a guest off this server.

    Raises: Refusal core.no-guest, core.administers
    """
    if not account.is_guest:
        raise Refusal("core.no-guest", "CORE-ACCESS", name=account.name)
    return remove(account)


DEEDS: Mapping[str, Callable[[Account, str], ModerationDeed]] = {
    "ban": ban,
    "let-in": let_in,
    "log-out": log_out,
    "promote": promote,
    "demote": demote,
    "remove": remove_guest,
}
"""What an administrator may do about another account, by its name on the pages and in the log."""


def offered(account: Account) -> tuple[str, ...]:
    """The deeds that an account as it stands leaves to do."""
    found = []
    for name, plan in DEEDS.items():
        try:
            plan(account, "")
        except Refusal:
            continue
        found.append(name)
    return tuple(found)


def require_plain(account: Account) -> None:
    """Refuse to lock out or remove who administers: the role goes first.

    Raises: Refusal core.administers
    """
    if account.administers:
        raise Refusal("core.administers", "CORE-ACCESS", name=account.name)


def as_it_is(account: Account) -> Refusal:
    """The refusal of a deed that would change nothing."""
    return Refusal("core.as-it-is", "CORE-ACCESS", name=account.name)


def recorded(what: str, about: str, by: str, at: str, why: str = "") -> Statement:
    """A deed for the log of moderation, written in the transaction that does it: by whom (`deeds.HOST`: by a command),
    and about which player, battle, ban or complaint, by their ids."""
    return deeds.record(at, by, what, about, " ".join(why.split())[:LONGEST_WHY])


def note(what: str, about: str, by: str) -> None:
    """Log a deed that is done: by whom, and about what, by their ids."""
    log.info("moderation", extra={"deed": what, "about": about, "by": by})
