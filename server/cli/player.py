"""The commands `phalera player …`: the accounts of a host.

They work on the data folder, as those of server.cli.host. Only typer is imported at the top, as in server.cli.main.
"""

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from server.cli.console import Failed, in_sentences, say, say_json
from server.cli.deeds import deed_of_host
from server.cli.host import Data, Db, Url, opened
from server.cli.options import AsJson

if TYPE_CHECKING:
    from server.people.moderation import ModerationDeed
    from server.store import EventStore
    from server.store.tables.accounts import Account

DAY_S = 24 * 3600

Name = Annotated[str, typer.Argument(help="The player's name.", show_default=False)]


class Role(StrEnum):
    """What an account may do on this server."""

    PLAYER = "player"
    ADMINISTRATOR = "administrator"


player = typer.Typer(help="Accounts: add, let in, lock out, give a role, remove, list.", no_args_is_help=True)


def add_to(main: typer.Typer) -> None:
    """Put these commands beside the others."""
    main.add_typer(player, name="player")


@player.command("add")
@in_sentences
def player_add(
    name: Name,
    email: Annotated[str, typer.Argument(help="The address for letters.", show_default=False)],
    data: Data = "",
    db: Db = "",
    url: Url = "",
) -> None:
    """Make an account; prints an API token and a login link, this once.

    The player gets a letter that tells them where to write.
    """
    from server.clock import SystemClock
    from server.entropy import SystemEntropy
    from server.mail.outgoing.letters.mime import is_address
    from server.people.players import enrol, login_link
    from server.sole import link_base
    from server.store import Violated
    from server.store.tables import accounts, outbox
    from server.store.tables.outbox import LetterKind

    if email.strip() and not is_address(email.strip()):
        raise Failed(f"“{email}” is not an address for letters: NAME@HOST, and nothing else.", 2)
    with opened(data, db, make=True, url=url) as (settings, store):
        others = accounts.by_email(store, email.strip()) if email.strip() else []
        enrolled = enrol(SystemClock(), SystemEntropy(), name, email)
        account = enrolled.account
        welcome = [outbox.post("", 0, account.player, LetterKind.WELCOME, account.created)] if account.email else []
        try:
            store.write_now(*enrolled.statements, *welcome)
        except Violated:
            raise Failed(f"There is a player “{name}” already, or one whose name looks like it.") from None
        say(f"{account.name} is player {account.player}.")
        if not accounts.census(store).administrators:
            say(f"Nobody administers this server yet: `phalera player role {account.name} administrator` lets them.")
        say(f"API token   {enrolled.api_token}")
        say(f"login link  {login_link(link_base(settings), enrolled.login_token)}")
        if welcome:
            say("A letter that tells them where to write is in the outbox.")
        if others:
            first = others[0].name
            say(f"{first} has that address, too: a mail that answers no letter is taken for {first}’s.")


@player.command("token")
@in_sentences
def player_token(
    name: Name,
    days: Annotated[int, typer.Option(min=0, help="How long the API token works; 0: until it is revoked.")] = 365,
    data: Data = "",
    db: Db = "",
    url: Url = "",
) -> None:
    """Give a player another API token and login link; older ones stay good. It ends a ban."""
    from server.clock import SystemClock
    from server.entropy import SystemEntropy
    from server.people.moderation import let_in
    from server.people.notices import AccountEvent, notice_to
    from server.people.players import login_link, new_token
    from server.sole import link_base

    with opened(data, db, url=url) as (settings, store):
        account = account_of(store, name)
        if account.banned:
            _done(store, let_in(account), "let-in", account)
            account = account_of(store, account.player)
            say(f"{account.name} is no longer banned.")
        api, api_statement = new_token(SystemClock(), SystemEntropy(), account.player, "api", days * DAY_S)
        login, login_statement = new_token(SystemClock(), SystemEntropy(), account.player, "login")
        letter = notice_to(SystemClock(), SystemEntropy(), account, AccountEvent.TOKEN)
        store.write_now(api_statement, login_statement, *letter, deed_of_host("token", account.player))
        say(f"API token   {api}")
        say(f"login link  {login_link(link_base(settings), login)}")


@player.command("tokens")
@in_sentences
def player_tokens(name: Name, data: Data = "", db: Db = "", as_json: AsJson = False) -> None:
    """List what lets a player in, with its last use and its end."""
    from server.store.tables import passkeys, tokens

    with opened(data, db) as (_, store):
        account = account_of(store, name)
        listed = tokens.of_player(store, account.player)
        keys = passkeys.of_player(store, account.player)
    rows = [
        {"id": one.id, "kind": one.kind, "created": one.created, "seen": one.seen, "expires": one.expires}
        for one in listed
        if one.used is None
    ]
    rows += [
        {"id": one.id, "kind": "passkey", "created": one.created, "seen": one.used, "expires": None} for one in keys
    ]
    if as_json:
        say_json(rows)
        return
    for row in rows:
        seen, expires = (str(row[key] or "never")[:16] for key in ("seen", "expires"))
        say(f"{row['id']}  {row['kind']:<7}  made {str(row['created'])[:16]}  used {seen:<16}  ends {expires}")


@player.command("revoke")
@in_sentences
def player_revoke(
    name: Name,
    token: Annotated[
        str,
        typer.Argument(metavar="[ID]", help="One token, as `player tokens` names it; else all.", show_default=False),
    ] = "",
    data: Data = "",
    db: Db = "",
) -> None:
    """Revoke one token or passkey of a player, or all their tokens, sessions, login links and passkeys, the address of
    their feed and the reply addresses of their letters.

    A running server lets a revoked API token in for two seconds at most. The player gets a letter.
    """
    from server.clock import SystemClock
    from server.entropy import SystemEntropy
    from server.people.notices import AccountEvent, notice_to
    from server.people.players import revoked
    from server.store import Unmatched
    from server.store.tables import passkeys, tokens

    with opened(data, db) as (_, store):
        account = account_of(store, name)
        if not token:
            changed = sum(store.write_now(*revoked(account.player)))
            store.write_now(
                *notice_to(SystemClock(), SystemEntropy(), account, AccountEvent.REVOKED),
                deed_of_host("revoke", account.player),
            )
            say(f"{changed} tokens, sessions, links and passkeys of {account.name} are revoked.")
            return
        is_passkey = any(one.id == token for one in passkeys.of_player(store, account.player))
        try:
            one = (passkeys.remove if is_passkey else tokens.revoke_named)(account.player, token)
            store.write_now(one, deed_of_host("revoke", account.player))
        except Unmatched:
            raise Failed(f"{account.name} has no token {token}: `phalera player tokens {name}` lists them.") from None
    say(f"{token} is revoked.")


@player.command("ban")
@in_sentences
def player_ban(name: Name, data: Data = "", db: Db = "") -> None:
    """Lock a player out: tokens, sessions, links and mail. The account stays.

    Their battles go on: the other side may claim them in time, or the host stops them. `player token` lets them in
    again.
    """
    from server.clock import SystemClock
    from server.people.moderation import ban

    with opened(data, db) as (_, store):
        account = account_of(store, name)
        _done(store, ban(account, SystemClock().now()), "ban", account)
    say(f"{account.name} is locked out.")


@player.command("role")
@in_sentences
def player_role(
    name: Name,
    role: Annotated[Role, typer.Argument(help="What they are from now on.", show_default=False)],
    data: Data = "",
    db: Db = "",
) -> None:
    """Make a player administrator of this server, or a plain player again.

    An administrator sees nothing of a battle that others do not. As long as there is none, `phalera serve` prints a
    set-up code at each start, with which an account becomes one.
    """
    from server.people.moderation import demote, promote
    from server.store.tables import accounts

    with opened(data, db) as (_, store):
        account = account_of(store, name)
        is_one = role is Role.ADMINISTRATOR
        deed = promote(account) if is_one else demote(account, may_be_last=True)
        _done(store, deed, "promote" if is_one else "demote", account)
        left = accounts.census(store).administrators
    say(f"{account.name} administers this server." if is_one else f"{account.name} is a plain player.")
    if not left:
        say("Nobody administers this server now, but you with these commands.")


@player.command("remove")
@in_sentences
def player_remove(
    name: Name,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    data: Data = "",
    db: Db = "",
) -> None:
    """Take a player off this server: name, address, tokens, wishes, bot accounts.

    The logs of their battles keep the name that they played under.
    """
    from server.people.moderation import remove
    from server.people.programs import bots_of

    with opened(data, db) as (_, store):
        account = account_of(store, name)
        deed = remove(account, bots=bots_of(store, account.player))
        if not yes:
            typer.confirm(f"Take {account.name} off this server? It cannot be undone.", abort=True)
        _done(store, deed, "remove", account)
    say(f"{account.name} is taken off this server.")


@player.command("list")
@in_sentences
def player_list(data: Data = "", db: Db = "", as_json: AsJson = False) -> None:
    """List the accounts by name: id, name, address or owner, date, and who administers or is banned."""
    from server.store.tables import accounts

    with opened(data, db) as (_, store):
        listed = accounts.listed(store)
    names = {account.player: account.name for account in listed}
    if as_json:
        say_json([account._asdict() for account in listed])
        return
    for account in listed:
        state = f"banned {account.banned[:10]}" if account.banned else account.role if account.administers else ""
        reached = f"bot of {names[account.owner]}" if account.owner else account.email or account.kept_email
        say(f"{account.player}  {account.name:<24}  {reached:<32}  {account.created[:10]}  {state}".rstrip())


def _done(store: "EventStore", deed: "ModerationDeed", what: str, account: "Account") -> None:
    """Write what was planned, and that the host has done it.

    Raises: Refusal
    """
    from server.store import Unmatched

    try:
        store.write_now(*deed.statements, deed_of_host(what, account.player))
    except Unmatched:
        raise deed.refusal from None


def account_of(store: "EventStore", name: str) -> "Account":
    """The account with a name, or an id.

    Raises: Failed
    """
    from server.store.tables import accounts

    account = accounts.by_name(store, name) or accounts.by_player(store, name)
    if account is None:
        raise Failed(f"There is no player “{name}”.")
    return account
