"""Log in by a letter: a link goes to the address of an account, works once, and for a quarter of an hour.

Whoever asks learns nothing: the answer is the same whether somebody has the address or not, and nothing goes to an
address that no account has. A player gets few such letters a day, however often somebody asks.
"""

from server.clock import later
from server.mail.address import Addresses
from server.mail.blocks import Link, Paragraph
from server.mail.desk.desk import Desk
from server.mail.desk.moving import Asking, address_in
from server.people import players
from server.play.live_battles import LiveBattles
from server.store import Violated
from server.store.tables import accounts, correspondents, outbox, tokens
from server.store.tables.outbox import Letter, LetterKind
from server.words import say

MOST_A_DAY = 5
MOST_ACCOUNTS = 3
"""Accounts of one address that get a link each."""
KIND = "login"


async def ask_to_log_in(desk: Desk, written: str) -> None:
    """Post a letter with a link to each account that has an address."""
    address = address_in(desk, written)
    for account in accounts.by_email(desk.store, address)[:MOST_ACCOUNTS] if address else ():
        await send_link(desk, account.player)


async def send_link(desk: Desk, player: str) -> None:
    """Post a letter with a link by which a player logs in, unless they have had those of the day."""
    now = desk.now()
    for place in range(MOST_A_DAY):
        name = f"{player}.{now[:10]}.{place}"
        token = desk.addresses.token(KIND, name)
        try:
            await desk.store.write(
                tokens.issue(token, player, KIND, now, later(now, players.LOGIN_S)),
                outbox.post("", 0, player, f"{LetterKind.LOGIN}:{name}", now),
            )
        except Violated:  # this one of the day is taken
            continue
        desk.ring()
        return


def login_letter(battles: LiveBattles, addresses: Addresses, row: Letter) -> Asking | None:
    """The letter for a row `login:NAME` of the outbox; None when its link works no more."""
    store, now = battles.store, battles.clock.now()
    token = addresses.token(KIND, row.kind.partition(":")[2])
    account = accounts.by_player(store, row.recipient)
    if account is None or not account.email or players.of_token(store, token, KIND, now) is None:
        return None
    lang = correspondents.find(store, row.recipient).lang
    blocks = (
        Link(say(lang, "desk.login.link", name=account.name), players.login_link(battles.settings.address, token)),
        Paragraph(say(lang, "desk.login.else")),
    )
    return Asking(account.email, "", lang, say(lang, "desk.login.title"), say(lang, "desk.login.lead"), blocks)
