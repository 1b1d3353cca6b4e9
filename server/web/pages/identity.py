"""Whether it is the player who asks: before something gives access to an account, or the account is removed.

A session that somebody has stolen is old. A player who logs in again, by a letter, a passkey or a key link, has a new
one, and that is the proof, for a few minutes. A guest who has nothing but the cookie has nothing else to prove it with.
"""

from aiohttp import web
from yarl import URL

from domain.basics.errors import Refusal
from server.people.passkeys import Party
from server.people.players import Player
from server.store.tables import accounts, passkeys
from server.store.tables.accounts import Account
from server.web import auth
from server.web.keys import server_of
from server.web.networks import is_address

PROVE = "/prove"
LOCAL = "localhost"
"""The one name where a browser needs no TLS for passkeys."""


def party_of(request: web.Request) -> Party | None:
    """To whom passkeys are bound here: the name in the address of the server. None where browsers allow none, because
    the address is a number, or neither TLS nor this machine."""
    settings = server_of(request).settings
    try:
        url = URL(settings.url or f"http://{request.host}")
        host, origin = url.raw_host or "", str(url.origin())
    except ValueError:  # the name by which a stranger asked
        return None
    is_local = host == LOCAL or host.endswith(f".{LOCAL}")
    if is_address(host) or not (is_local or (settings.url and url.scheme == "https")):
        return None
    return Party(host, origin)


def account_of(request: web.Request, player: Player) -> Account:
    """The account of a player who is logged in.

    Raises: Refusal core.not-signed-in if it has gone this moment
    """
    account = accounts.by_player(server_of(request).store, player.id)
    if account is None:
        raise Refusal("core.not-signed-in", "CORE-ACCESS")
    return account


def mails(request: web.Request) -> bool:
    """Whether this server sends letters."""
    return bool(server_of(request).settings.mail)


def may_log_in_by_letter(request: web.Request, player: Player) -> bool:
    """Whether a letter can let the player in again."""
    return mails(request) and bool(account_of(request, player).email)


def has_passkey(request: web.Request, player: Player) -> bool:
    """Whether a passkey can let the player in again."""
    return party_of(request) is not None and bool(passkeys.of_player(server_of(request).store, player.id))


def is_proven(request: web.Request, player: Player) -> bool:
    """Whether the caller has proven lately that they are the player, or is a guest who cannot. A program never has."""
    if auth.session_of(request) is None:
        return False
    return auth.is_fresh(request) or not (may_log_in_by_letter(request, player) or has_passkey(request, player))


def require_fresh(request: web.Request, player: Player) -> None:
    """Refuse what gives access to an account until its player has logged in once more.

    Raises: Refusal core.proof-needed
    """
    if not is_proven(request, player):
        raise Refusal("core.proof-needed", "CORE-ACCESS", minutes=auth.FRESH_S // 60)
