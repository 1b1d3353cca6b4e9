"""What do `phalera mail accept` and `phalera mail send` do?"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from server.clock import SystemClock, SystemEntropy
from server.hall import Hall
from server.keys import read_or_make_key
from server.mail.intake import Intake, Verdict
from server.mail.occasions import letters
from server.mail.postman import Postman
from server.play import Play
from server.settings import Settings, make_folder
from server.store import EventStore

SENTENCES = {
    "played": "Played; the answer is in the Maildir.",
    "refused": "Refused by the rules; the answer says why.",
    "unreadable": "Not every line is an order, so nothing was played; the answer says which.",
    "closed": "The question it answers is not open any more; the answer shows the board.",
    "duplicate": "The same message was taken in before; nothing was done.",
    "automatic": "An automatic message; nothing was done.",
    "no-token": "It is addressed to no question of this server; nothing was done.",
    "wrong-sender": "Its sender is not the player who was asked; nothing was done.",
    "too-large": "It is larger than 1 MiB; nothing was done.",
    "broken": "It cannot be read as a message; nothing was done.",
}
TAKEN = frozenset({"played", "duplicate", "automatic"})


def accept(settings: Settings, raw: bytes) -> None:
    """Take one raw message in, as if it had just arrived; exit 1 if its orders were not played."""
    verdict = asyncio.run(_accept(settings, raw))
    print(SENTENCES[verdict.what] + (f" ({verdict.battle})" if verdict.battle else ""))
    if verdict.what not in TAKEN:
        raise SystemExit(1)


def send(settings: Settings) -> None:
    """Write what waits in the outbox into the Maildir."""
    written = asyncio.run(_send(settings))
    folder = settings.maildir / "out"
    print(f"{written} letters written to {folder}" if written else "Nothing waits in the outbox.")


async def _accept(settings: Settings, raw: bytes) -> Verdict:
    async with _hall(settings) as hall:
        play, postman = Play(hall), Postman(hall, settings.maildir)
        verdict = await Intake(play, postman).accept(raw)
        await play.close()
        await postman.deliver()
        return verdict


async def _send(settings: Settings) -> int:
    async with _hall(settings) as hall:
        return await Postman(hall, settings.maildir).deliver()


@asynccontextmanager
async def _hall(settings: Settings) -> AsyncIterator[Hall]:
    """The battles of a data folder, beside whatever server runs on it."""
    make_folder(settings)
    clock, entropy = SystemClock(), SystemEntropy()
    with EventStore.open(settings.store(), asyncio.get_running_loop()) as store:
        signer = read_or_make_key(settings.key, settings.host, entropy)
        hall = Hall(settings, store, clock, entropy, signer)
        hall.letters = letters
        yield hall
