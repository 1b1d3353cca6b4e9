"""Mail by hand on a data folder, beside a server or without one: take one message in, send or list what waits."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from server import sole
from server.clock import SystemClock
from server.entropy import SystemEntropy
from server.mail.assembly import MailParts, mail_parts
from server.mail.outgoing.carrier import MaildirCarrier, carrier_of
from server.mail.outgoing.occasions import letters
from server.mail.outgoing.postman import Postman
from server.mail.verdict import Verdict
from server.people.keys import keys_of_host
from server.play.live_battles import LiveBattles
from server.play.lobby import ReadModels
from server.play.service import OrderService
from server.settings import Settings, Unusable, make_folder
from server.store import EventStore
from server.store.tables import accounts, deliveries, outbox
from server.witness.parts import WitnessParts


class Sent(NamedTuple):
    """The result of a round. `folder`: the Maildir that letters were dropped into, None if they were handed over;
    `error` is that of the last failure."""

    handed: int
    failed: int
    waiting: int
    error: str
    folder: Path | None


def accept(settings: Settings, raw: bytes) -> Verdict:
    """Take one raw message in, as if it had just arrived, and send the answer."""
    return asyncio.run(_accept(settings, raw))


def send(settings: Settings) -> Sent:
    """Send what is due in the outbox."""
    return asyncio.run(_send(settings))


def queue(settings: Settings) -> list[dict[str, Any]]:
    """The letters waiting in the outbox or abandoned: a row each, without addresses."""
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


def hasten(settings: Settings, id_: int | None) -> None:
    """Make all waiting letters due at once, or one letter even if it was abandoned.

    Raises: Unusable if there is no such letter
    """
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


def is_served(settings: Settings) -> bool:
    """Whether a server runs on the data folder: it sends by itself, the way that it knows."""
    return sole.is_served(settings)


async def _accept(settings: Settings, raw: bytes) -> Verdict:
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
        due = {letter.id for letter in deliveries.due(battles.store, began)}
        async with _assembled(settings, OrderService(battles)) as parts:
            handed = await Postman(battles, carrier, parts.writer.compose).deliver()
        after = deliveries.queue(battles.store)
        errors = [delivery.error for letter, delivery in after if letter.id in due and delivery.error]
        waiting = sum(letter.sent_at is None for letter, _ in after)
        folder = carrier.folder if isinstance(carrier, MaildirCarrier) else None
        return Sent(handed, len(errors), waiting, errors[-1] if errors else "", folder)


@asynccontextmanager
async def _assembled(settings: Settings, play: OrderService) -> AsyncIterator[MailParts]:
    """The parts of the mail; the read models are opened only if a command asks for lists, the log of heads only if a
    letter has to bring what its witnesses have signed."""
    models: list[ReadModels] = []
    battles = play.battles
    witness = WitnessParts(settings.data, battles.keys.current, battles.clock.now, battles.entropy)

    def lobby() -> ReadModels:
        if not models:
            models.append(ReadModels(settings, battles.store))
        return models[0]

    parts = mail_parts(play, lobby)
    parts.writer.press.proof_of = partial(witness.cosigned_proof, battles.store)
    try:
        yield parts
    finally:
        await asyncio.to_thread(witness.close)
        for model in models:
            await asyncio.to_thread(model.close)


@asynccontextmanager
async def _hall(settings: Settings) -> AsyncIterator[LiveBattles]:
    """The battles of a data folder, next to any server that runs on it."""
    make_folder(settings)
    clock, entropy = SystemClock(), SystemEntropy()
    with EventStore.open(settings.store(), asyncio.get_running_loop()) as store:
        yield LiveBattles(settings, store, clock, entropy, keys_of_host(settings, store, entropy), letters)
