"""Accounts of bots: programs that play, each owned by a player, with a token of its own and no other way in."""

from domain.basics.errors import Refusal
from replay.writing.clock import Clock, later
from replay.writing.entropy import Entropy, new_id
from server.entropy import new_secret
from server.limits import Limits
from server.people.players import API_S, Player, is_gone, require_player_name
from server.store.append import Statement
from server.store.contract import TableRows
from server.store.tables import accounts, tokens
from server.store.tables.accounts import Account


def enrol_bot(
    store: TableRows, clock: Clock, entropy: Entropy, limits: Limits, owner: Player, name: str
) -> tuple[Account, str, tuple[Statement, ...]]:
    """A new bot account of a player, its token in plaintext (only this once), and the statements that make it. A name
    that is taken makes the write Violated.

    Raises: Refusal core.bad-name, core.name-reserved, core.guest-bots, core.bot-account, core.too-many-bot-accounts
    """
    require_person(owner)
    if not owner.email:
        raise Refusal("core.guest-bots", "CORE-ACCESS")
    most = limits.bot_accounts
    if most and len(bots_of(store, owner.id)) >= most:
        raise Refusal("core.too-many-bot-accounts", "CORE-ACCESS", most=most)
    account = Account(f"p{new_id(entropy)}", require_player_name(name), "", clock.now(), owner=owner.id)
    token, issued = bot_token(clock, entropy, account.player)
    return account, token, (accounts.add(account), issued)


def bot_token(clock: Clock, entropy: Entropy, bot: str) -> tuple[str, Statement]:
    """A token for a bot, in plaintext, and the statement that issues it: good for as long as any of programs."""
    token, now = new_secret(entropy), clock.now()
    return token, tokens.issue(token, bot, "api", now, later(now, API_S))


def bots_of(store: TableRows, owner: str) -> list[Account]:
    """The bot accounts of a player that are not gone, oldest first."""
    return [account for account in accounts.of_owner(store, owner) if not is_gone(account)]


def own_bot(store: TableRows, owner: Player, bot: str) -> Account:
    """The account of a player's bot.

    Raises: Refusal core.no-such-bot-account
    """
    found = next((account for account in bots_of(store, owner.id) if account.player == bot), None)
    if found is None:
        raise Refusal("core.no-such-bot-account", "CORE-ACCESS")
    return found


def require_person(player: Player) -> None:
    """Refuse a bot account what only a person does: own bots, have an address, leave.

    Raises: Refusal core.bot-account
    """
    if player.owner:
        raise Refusal("core.bot-account", "CORE-ACCESS")
