"""The players of this server, and how they sign in.

An account is a name and an address; a token grants access, and the store keeps only its digest. Functions
here make the statements; the server submits them to its store, a command writes them and waits.
"""

import unicodedata

from msgspec import Struct

from domain.engine.errors import Refusal
from domain.log.limits import unfit_text
from server.clock import Clock, later
from server.entropy import Entropy, new_id, new_secret
from server.store import Statement
from server.store.contract import Rows
from server.store.tables import accounts, tokens
from server.store.tables.accounts import Account

LOGIN_S = 15 * 60
"""How long a login link works, once. One issued by an operator works longer."""
INVITATION_S = 7 * 24 * 3600
SESSION_S = 90 * 24 * 3600
LONGEST_NAME = 40
GUEST_ADDRESS = ""


class Player(Struct, frozen=True):
    """A signed-in player: opaque id, name shown, and the address for letters ("": none)."""

    id: str
    name: str
    email: str = ""


class Enrolled(Struct, frozen=True):
    """A new account, its secrets in plaintext (only this once), and the statements that create it."""

    account: Account
    api_token: str
    login_token: str
    statements: tuple[Statement, ...]


def enrol(clock: Clock, entropy: Entropy, name: str, email: str = GUEST_ADDRESS) -> Enrolled:
    """A new player: account, API token, login link. A name that is taken makes the write Violated.

    Raises: Refusal core.bad-name
    """
    now = clock.now()
    account = Account(f"p{new_id(entropy)}", require_name(name), email.strip(), now)
    api, login = new_secret(entropy), new_secret(entropy)
    return Enrolled(
        account,
        api,
        login,
        (
            accounts.add(account),
            tokens.issue(api, account.player, "api", now),
            tokens.issue(login, account.player, "login", now, later(now, INVITATION_S)),
        ),
    )


def new_token(clock: Clock, entropy: Entropy, player: str, kind: str) -> tuple[str, Statement]:
    """Another token for a player: `api` forever, `login` once and soon, `session` for a browser."""
    now, token = clock.now(), new_secret(entropy)
    lasts = {"login": LOGIN_S, "session": SESSION_S}.get(kind)
    return token, tokens.issue(token, player, kind, now, later(now, lasts) if lasts else None)


def login_link(address: str, token: str) -> str:
    """The link that a player opens to log in."""
    return f"{address}/login/{token}"


def of_token(store: Rows, token: str, kind: str, now: str) -> Player | None:
    """The player to whom a valid token belongs."""
    found = tokens.good(store, token, kind, now)
    return None if found is None else of_id(store, found.player)


def of_id(store: Rows, player: str) -> Player | None:
    """The player with an opaque id."""
    account = accounts.by_player(store, player)
    return None if account is None else Player(account.player, account.name, account.email)


def require_name(name: str) -> str:
    """A name in a form fit for a log: NFC, one line, not empty, not too long.

    Raises: Refusal core.bad-name
    """
    plain = " ".join(unicodedata.normalize("NFC", name).split())
    if not plain or len(plain) > LONGEST_NAME or not plain.isprintable() or unfit_text(plain):
        raise Refusal("core.bad-name", "CORE-ACCESS", name=plain[:LONGEST_NAME], longest=LONGEST_NAME)
    return plain
