"""The players of this server, and how they sign in.

An account is a name and an address; a token grants access, and the store keeps only its digest. Functions
here make the statements; the server submits them to its store, a command writes them and waits.
"""

import unicodedata
from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import replace

from domain.basics.errors import Refusal
from domain.log.limits import unfit_text
from replay.writing.clock import Clock, later
from replay.writing.entropy import Entropy, new_id
from server.entropy import new_secret
from server.spelling.letters import flaw_in
from server.spelling.reserved import is_reserved
from server.store import Statement
from server.store.contract import TableRows
from server.store.tables import (
    absences,
    accounts,
    blocks,
    campaigns,
    club_battles,
    club_invitations,
    clubs,
    complaints,
    correspondents,
    drafts,
    feeds,
    invitations,
    lockers,
    mail_tokens,
    notes,
    notices,
    passkeys,
    posts,
    press,
    raw_mail,
    requests,
    spectators,
    tokens,
    watched,
    webhooks,
)
from server.store.tables.accounts import Account
from server.store.tables.tokens import StoredToken
from server.store.tables.webhooks import HookOwner, OwnerKind

LOGIN_S = 15 * 60
"""How long a login link works, once. One issued by an operator works longer."""
INVITATION_S = 7 * 24 * 3600
KEY_LINK_S = 7 * 24 * 3600
"""How long the link works by which a guest comes back, once."""
SESSION_S = 90 * 24 * 3600
API_S = 365 * 24 * 3600
"""How long an API token works, unless its operator says otherwise."""
SEEN_S = 3600
"""The use of a token is recorded once in this time."""
LONGEST_NAME = 40
GUEST_ADDRESS = ""


class Player(Struct, frozen=True):
    """A signed-in player: opaque id, name shown, the address for letters ("": none), whether they administer the
    server; of a bot account the player who owns it ("": a person), and their address."""

    id: str
    name: str
    email: str = ""
    administers: bool = False
    owner: str = ""
    owner_email: str = ""


class Enrolled(Struct, frozen=True):
    """A new account, its secrets in plaintext (only this once), and the statements that create it."""

    account: Account
    api_token: str
    login_token: str
    statements: tuple[Statement, ...]


def enrol(clock: Clock, entropy: Entropy, name: str, email: str = GUEST_ADDRESS) -> Enrolled:
    """A new player whom the host knows: account, API token, login link. A name that is taken makes the write Violated;
    one that names an office is the host's to give.

    Raises: Refusal core.bad-name
    """
    now = clock.now()
    account = Account(f"p{new_id(entropy)}", require_letters(name), email.strip(), now)
    api, login = new_secret(entropy), new_secret(entropy)
    return Enrolled(
        account,
        api,
        login,
        (
            accounts.add(account),
            tokens.issue(api, account.player, "api", now, later(now, API_S)),
            tokens.issue(login, account.player, "login", now, later(now, INVITATION_S)),
        ),
    )


def new_token(
    clock: Clock, entropy: Entropy, player: str, kind: str, lasts_s: int | None = None
) -> tuple[str, Statement]:
    """Another token for a player: `api` for a program, `login` once and soon, `session` for a browser. `lasts_s` 0:
    without an end, None: as long as usual."""
    now, token = clock.now(), new_secret(entropy)
    lasts = {"login": LOGIN_S, "session": SESSION_S, "api": API_S}[kind] if lasts_s is None else lasts_s
    return token, tokens.issue(token, player, kind, now, later(now, lasts) if lasts else None)


def login_link(address: str, token: str) -> str:
    """The link that a player opens to log in."""
    return f"{address}/login/{token}"


def of_token(store: TableRows, token: str, kind: str, now: str) -> Player | None:
    """The player to whom a valid token belongs."""
    return signed_in(store, token, kind, now)[0]


def signed_in(store: TableRows, token: str, kind: str, now: str) -> tuple[Player | None, StoredToken | None]:
    """The player to whom a valid token belongs, and the token if its use should be recorded."""
    found = tokens.good(store, token, kind, now)
    if found is None:
        return None, None
    account = accounts.by_player(store, found.player)
    if account is None or account.banned:
        return None, None
    player = player_of(account)
    if account.owner:
        owner = accounts.by_player(store, account.owner)
        if owner is None or owner.banned or is_gone(owner):
            return None, None
        player = replace(player, owner_email=owner.email)
    is_news = found.seen is None or later(found.seen, SEEN_S) <= now
    return player, found if is_news else None


def revoked(player: str, with_passkeys: bool = True, keeps_links: bool = False) -> tuple[Statement, ...]:
    """The statements that end whatever lets somebody in as a player, or act for them: API tokens, those of their bots,
    sessions, the address of their feed, their webhooks, the reply addresses of letters; login links unless they are
    kept, passkeys if that is meant."""
    kinds = ("api", "session") if keeps_links else ("api", "session", "login")
    return (
        *(tokens.revoke_all(player, kind) for kind in kinds),
        tokens.revoke_of_bots(player),
        *((passkeys.forget_all(player), lockers.forget_passkeys(player)) if with_passkeys else ()),
        mail_tokens.revoke_acting(player),
        feeds.revoke(player),
        *webhooks.forget_all(HookOwner(OwnerKind.ACCOUNT, player)),
    )


def locked_out(player: str) -> tuple[Statement, ...]:
    """The statements that end what lets a player in, and every link in their letters."""
    return *revoked(player), mail_tokens.revoke_all(player)


def erased(player: str) -> tuple[Statement, ...]:
    """The statements that take a player off this server: name, address, wishes, requests, drafts, notes, the text of
    their mails and what they said as a spectator. Logs keep the name that was shown, and the opaque id."""
    return (
        invitations.forget(player),
        *locked_out(player),
        accounts.bare(player),
        accounts.call_gone(player, _gone(player)),
        correspondents.forget(player),
        absences.forget(player),
        requests.forget(player),
        drafts.forget_all(player),
        notes.forget_all(player),
        lockers.forget_all(player),
        posts.forget_read(player),
        watched.forget_all(player),
        notices.forget_all(player),
        raw_mail.empty_of(player),
        *spectators.forget_all(player),
        blocks.forget(player),
        complaints.forget(player),
        *clubs.forget(player),
        club_invitations.forget(player),
        *club_battles.forget(player),
        campaigns.forget(player),
        press.forget(player),
    )


def is_gone(account: Account) -> bool:
    """Whether the player was taken off this server."""
    return account.name == _gone(account.player)


def _gone(player: str) -> str:
    """The name of the account of somebody who was taken off this server."""
    return f"gone {player}"


def player_of(account: Account) -> Player:
    """The player of an account."""
    return Player(account.player, account.name, account.email, account.administers, account.owner)


def is_operator(player: Player, operators: Iterable[str]) -> bool:
    """Whether a player, or the owner of a bot, is one of those who run the server, named by their ids or e-mail
    addresses."""
    own = {player.id, player.email.casefold(), player.owner, player.owner_email.casefold()} - {""}
    return any(named.casefold() in own for named in operators)


def require_name(name: str) -> str:
    """A name in a form fit for a log: NFC, one line, not empty, not too long.

    Raises: Refusal core.bad-name
    """
    plain = " ".join(unicodedata.normalize("NFC", name).split())
    if not plain or len(plain) > LONGEST_NAME or not plain.isprintable() or unfit_text(plain):
        raise Refusal("core.bad-name", "CORE-ACCESS", name=plain[:LONGEST_NAME], longest=LONGEST_NAME)
    return plain


def require_letters(name: str) -> str:
    """A name in the form of `require_name`, of letters that nobody takes for others.

    Raises: Refusal core.bad-name
    """
    plain = require_name(name)
    if flaw := flaw_in(plain):
        raise Refusal("core.bad-name", "CORE-ACCESS", name=plain, longest=LONGEST_NAME, **flaw)
    return plain


def require_player_name(name: str) -> str:
    """A name that a player may have: as `require_letters`, and not that of an office, a side or nobody.

    Raises: Refusal core.bad-name, core.name-reserved
    """
    plain = require_letters(name)
    if is_reserved(plain):
        raise Refusal("core.name-reserved", "CORE-ACCESS", name=plain)
    return plain
