"""Log in by a letter: a link goes to the address of an account, works once, and for a quarter of an hour.

Whoever asks learns nothing: the answer is the same whether somebody has the address or not, and nothing goes to an
address that no account has. A player gets few such letters a day, however often somebody asks.
"""

from replay.writing.clock import later
from server.acts.services import Services
from server.people import players
from server.store import Violated
from server.store.tables import accounts, outbox, tokens
from server.store.tables.outbox import LetterKind

MOST_A_DAY = 5
MOST_ACCOUNTS = 3
"""Accounts of one address that get a link each."""
KIND = "login"


async def ask_to_log_in(services: Services, written: str) -> None:
    """Post a letter with a link to each account that has an address."""
    address = services.addresses.elsewhere(written)
    for account in accounts.by_email(services.store, address)[:MOST_ACCOUNTS] if address else ():
        await send_link(services, account.player)


async def send_link(services: Services, player: str) -> None:
    """Post a letter with a link by which a player logs in, unless they have had those of the day."""
    now = services.now()
    for place in range(MOST_A_DAY):
        name = f"{player}.{now[:10]}.{place}"
        token = services.addresses.token(KIND, name)
        try:
            await services.store.write(
                tokens.issue(token, player, KIND, now, later(now, players.LOGIN_S)),
                outbox.post("", 0, player, f"{LetterKind.LOGIN}:{name}", now),
            )
        except Violated:  # this one of the day is taken
            continue
        services.ring()
        return
