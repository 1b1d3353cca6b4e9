"""The work behind `phalera mail accept`, `send`, `queue` and `retry`."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, NamedTuple

from server.clock import SystemClock
from server.entropy import SystemEntropy
from server.mail.assembly import MailParts, assemble
from server.mail.outgoing.carrier import Carrier, MaildirCarrier, carrier_of
from server.mail.outgoing.occasions import letters
from server.mail.outgoing.postman import Postman
from server.people.keys import read_or_make_key
from server.play.live_battles import LiveBattles
from server.play.lobby import ReadModels
from server.play.service import OrderService
from server.settings import Settings, Unusable, make_folder
from server.store import EventStore
from server.store.tables import accounts, deliveries, outbox

SENTENCES = {
    "played": "Played; the answer is on its way.",
    "command": "Done as it asked; the answer is on its way.",
    "held": "Held until its player confirms it; the letter with the link is on its way.",
    "vacation": "A note that its writer is away; nothing was done.",
    "automatic": "An automatic message; nothing was done.",
    "loop": "It comes from this server itself; nothing was done.",
    "bounce": "A report about a letter that did not arrive; it is noted.",
    "duplicate": "The same message was taken in before; nothing was done.",
    "refused": "Refused by the rules; the answer says why.",
    "unreadable": "Not every line is an order, so nothing was played; the answer says which.",
    "empty": "There is nothing in it to do; the answer says how to write.",
    "closed": "The question it answers is not open any more; the answer shows the board.",
    "no-question": "It is addressed to no question of this server, so nothing was played.",
    "stranger": "Its sender has no account here; nothing was done.",
    "flooded": "Too much mail has come of late; nothing was done.",
    "left": "It is kept, but could not be judged; the server tries again.",
    "too-large": "It is larger than 1 MiB; nothing was done.",
    "broken": "It cannot be read as a message; nothing was done.",
}
ALL = 1_000_000
TAKEN = frozenset({"played", "command", "held", "vacation", "automatic", "loop", "bounce", "duplicate"})


def accept(settings: Settings, raw: bytes) -> None:
    """Take one raw message in, as if it had just arrived; exit 1 if its orders were not played."""
    verdict = asyncio.run(_accept(settings, raw))
    sentence = SENTENCES.get(verdict.what, f"Taken in: {verdict.what}.")
    print(sentence + (f" ({verdict.battle})" if verdict.battle else ""))
    if verdict.what not in TAKEN:
        raise SystemExit(1)


def send(settings: Settings) -> None:
    """Send what is due in the outbox; exit 1 if some of it could not be handed over."""
    sent = asyncio.run(_send(settings))
    if sent.handed:
        print(f"{sent.handed} letters {_where(sent.carrier)}.")
    elif not sent.failed:
        print(f"Nothing is due; {sent.waiting} letters wait." if sent.waiting else "Nothing waits in the outbox.")
    if sent.failed:
        raise Unusable(f"{sent.failed} letters could not be handed over: {sent.error}. See `phalera mail queue`.")


def queue(settings: Settings) -> list[dict[str, Any]]:
    """What waits in the outbox, and what was given up: a row each, addresses left out."""
    with EventStore.open(settings.store()) as store:
        names = {account.player: account.name for account in accounts.listed(store)}
        return [
            {
                "id": letter.id,
                "battle": letter.battle,
                "recipient": names.get(letter.recipient, letter.recipient),
                "kind": letter.kind,
                "created": letter.created,
                "state": "waiting" if letter.sent_at is None else "given up",
                "tries": delivery.attempts,
                "next_try": delivery.next_try if letter.sent_at is None else "",
                "error": delivery.error,
            }
            for letter, delivery in deliveries.queue(store)
        ]


def told(row: dict[str, Any]) -> str:
    """A row of the queue as a line."""
    state = row["state"] if row["state"] == "given up" else (row["next_try"][:16] or "due")
    about = f"{row['kind']} {row['battle']}".strip()
    line = f"{row['id']:>6}  {state:<16}  {row['tries']:>2} tries  {row['recipient']:<20}  {about}"
    return f"{line}\n{'':8}{row['error']}" if row["error"] else line


def retry(settings: Settings, id_: int | None) -> None:
    """Make all that waits due at once, or one letter even if it was given up; then send."""
    with EventStore.open(settings.store()) as store:
        now = SystemClock().now()
        if id_ is not None:
            letter = outbox.find(store, id_)
            is_given_up = any(known.id == id_ for known, _ in deliveries.queue(store))
            if letter is None or not is_given_up:
                raise Unusable(f"There is no letter {id_} that waits or was given up.")
            reopened = [outbox.reopen(id_)] if letter.sent_at is not None else []
            store.write_now(*reopened, deliveries.put_off(deliveries.Delivery(id_, 0, now, "")))
        else:
            store.write_now(deliveries.hasten(now))
    send(settings)


class Sent(NamedTuple):
    """What a round has done. `error` is that of the last failure."""

    carrier: Carrier
    handed: int
    failed: int
    waiting: int
    error: str


async def _accept(settings: Settings, raw: bytes) -> Any:
    async with _hall(settings) as battles:
        play = OrderService(battles)
        async with _assembled(settings, play) as parts:
            verdict = await parts.intake.accept(raw)
            await play.close()
            await Postman(battles, carrier_of(settings), parts.writer.compose).deliver()
        return verdict


async def _send(settings: Settings) -> Sent:
    async with _hall(settings) as battles:
        carrier, began = carrier_of(settings), battles.clock.now()
        due = {letter.id for letter in deliveries.due(battles.store, began, limit=ALL)}
        async with _assembled(settings, OrderService(battles)) as parts:
            handed = await Postman(battles, carrier, parts.writer.compose).deliver()
        after = deliveries.queue(battles.store)
        errors = [delivery.error for letter, delivery in after if letter.id in due and delivery.error]
        waiting = sum(letter.sent_at is None for letter, _ in after)
        return Sent(carrier, handed, len(errors), waiting, errors[-1] if errors else "")


def _where(carrier: Carrier) -> str:
    return f"written to {carrier.folder / 'out'}" if isinstance(carrier, MaildirCarrier) else "handed over"


@asynccontextmanager
async def _assembled(settings: Settings, play: OrderService) -> AsyncIterator[MailParts]:
    """The parts of the mail; the read models are opened only if a command asks for lists."""
    models: list[ReadModels] = []

    def lobby() -> ReadModels:
        if not models:
            models.append(ReadModels(settings, play.battles.store))
        return models[0]

    try:
        yield assemble(play, lobby)
    finally:
        for model in models:
            await asyncio.to_thread(model.close)


@asynccontextmanager
async def _hall(settings: Settings) -> AsyncIterator[LiveBattles]:
    """The battles of a data folder, beside whatever server runs on it."""
    make_folder(settings)
    clock, entropy = SystemClock(), SystemEntropy()
    with EventStore.open(settings.store(), asyncio.get_running_loop()) as store:
        signer = read_or_make_key(settings.key, settings.host, entropy)
        yield LiveBattles(settings, store, clock, entropy, signer, letters)
