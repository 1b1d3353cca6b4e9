"""What the commands of `phalera remote` share: they ask a server as somebody who has logged in.

Only typer is imported at the top, as in server.cli.main.
"""

import os
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, TypeVar

import typer

from server.cli.console import UNUSABLE, Failed

if TYPE_CHECKING:
    from replay.writing.entropy import Entropy
    from server.remote.connection import ServerConnection
    from server.remote.state import ServerFolder

T = TypeVar("T")

TOKEN = "PHALERA_TOKEN"


def entropy() -> "Entropy":
    """Where keys, seals and phrases come from."""
    from server.entropy import SystemEntropy

    return SystemEntropy()


def answer_of(
    server: "ServerFolder", do: Callable[["ServerConnection"], Awaitable[T]], lang: str, token: str = ""
) -> T:
    """What a server answers to somebody who has logged in.

    Raises: Failed without a token; NotDone
    """
    import asyncio

    from server.remote.connection import ServerConnection

    kept = server.login()
    token = token or os.environ.get(TOKEN, "").strip() or (kept.token if kept else "")
    if not token:
        raise Failed(f"There is no token for {server.address}: phalera remote login {server.address}")
    require_token(token)

    async def ask() -> T:
        async with ServerConnection(server.address, token, lang) as connection:
            try:
                return await do(connection)
            finally:
                for sentence in connection.told:
                    typer.echo(sentence, err=True)
                if connection.notice:
                    typer.echo(f"{server.address} says: {connection.notice}", err=True)

    return asyncio.run(ask())


def require_token(token: str) -> None:
    """Refuse what cannot stand in a header."""
    if not token.strip().isascii() or not token.strip().isprintable():
        raise Failed("That is not an API token.", UNUSABLE)
