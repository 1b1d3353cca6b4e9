"""Faults planted into the server, each of which the simulator must find (docs/simulation.md has the table).

A fault replaces something of the server in this process while it is planted; nothing of the simulator knows of it.
"""

import asyncio
import pkgutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from hashlib import sha256
from itertools import count
from typing import Any
from unittest import mock

from msgspec import Struct
from msgspec.structs import replace

from domain.basics.pace import moment_of
from server.play.bots import Bots
from server.play.service import OrderService
from server.store import EventStore
from server.store.writer import StoreWriter
from server.time.timekeeper import Timekeeper


class PlantedFault(Struct, frozen=True):
    """What is replaced: (target of `mock.patch`, what stands there instead, given what stood there). `by` is the
    invariant that finds it."""

    by: tuple[str, ...]
    replaced: tuple[tuple[str, Callable[[Any], Any]], ...]
    games: tuple[str, ...] = ()


def _late_commit(submit: Any) -> Any:
    def answered(self: StoreWriter, work: Any) -> Any:
        loop = asyncio.get_running_loop()
        promise = loop.create_future()
        promise.set_result((1,) * 99)
        loop.call_later(0.2, submit, self, work)
        return promise

    return answered


def _other_key(command_id: Any) -> Any:
    numbers = count()
    return lambda account, key, n: sha256(f"{account} {key} {n} {next(numbers)}".encode()).digest()


def _unexpecting(orders: Any) -> Any:
    async def played(self: OrderService, request: Any, key: str = "", question: str = "") -> Any:
        return await orders(self, replace(request, expect=None), key, question)

    return played


def _an_hour_late(plan: Any) -> Any:
    def planned(self: Timekeeper, live: Any, now: str) -> None:
        plan(self, live, now)
        kept = self._battles.get(live.id)
        if kept is not None and kept.due:
            kept.due += 3_600_000

    return planned


def _forgetting(find: Any) -> Any:
    def found(self: Timekeeper, battle: str, content: bytes) -> None:
        if self._position == 0:
            find(self, battle, content)

    return found


def _sleeping(resume: Any) -> Any:
    async def resumed(self: Bots, battles: Any) -> None:
        return None

    return resumed


def _letters_first(submit: Any) -> Any:
    def submitted(self: EventStore, append: Any) -> Any:
        def is_letter(one: Any) -> bool:
            return "INTO outbox" in one.sql

        letters = [one for one in append.also if is_letter(one)]
        if not letters:
            return submit(self, append)

        async def one_after_the_other() -> Any:
            await self.write(*letters)
            return await submit(self, replace(append, also=[one for one in append.also if not is_letter(one)]))

        return asyncio.ensure_future(one_after_the_other())

    return submitted


def _half(of_move: Any) -> Any:
    numbers = count()
    return lambda live, batch: of_move(live, batch) if next(numbers) % 4 else {}


def _twice(letters: Any) -> Any:
    return lambda live, batch, at: [*letters(live, batch, at), *letters(live, batch, at)]


def _no_letters(letters_of: Any) -> Any:
    return lambda *given: letters_of(*given)[1:]


def _without_vacations(put_right: Any) -> Any:
    async def put(live: Any, now: str, planned: Any) -> None:
        await put_right(live, now, ())

    return put


async def _unheard(*given: Any) -> None:
    return None


FAULTS: Mapping[str, PlantedFault] = {
    "an answer before the commit": PlantedFault(
        ("SIM-ACK", "SIM-HURT", "SIM-FOLD"), (("server.store.writer.StoreWriter.submit", _late_commit),)
    ),
    "the key of a request is forgotten": PlantedFault(
        ("SIM-ACK", "SIM-HURT"),
        (
            ("server.play.service.command_id", _other_key),
            ("server.play.ledger.command_id", _other_key),
            ("server.play.service.OrderService._known", lambda _: lambda *given: None),
        ),
    ),
    "what was expected is not looked at": PlantedFault(
        ("SIM-ACK",), (("server.play.service.OrderService.orders", _unexpecting),)
    ),
    "flags fall an hour late": PlantedFault(
        ("SIM-TIME",), (("server.time.timekeeper.Timekeeper._plan", _an_hour_late),)
    ),
    "the time of old battles is not kept after a start": PlantedFault(
        ("SIM-TIME",), (("server.time.timekeeper.Timekeeper._find", _forgetting),)
    ),
    "bots are not woken after a start": PlantedFault(("SIM-GOES-ON",), (("server.play.bots.Bots.resume", _sleeping),)),
    "a clock that was set is believed": PlantedFault(
        ("SIM-TIME",),
        (
            ("server.watched_clock.WatchedClock._compared", lambda _: lambda self, shown: (moment_of(shown), 0)),
            ("server.watched_clock.WatchedClock.doubt", lambda _: None),
        ),
    ),
    "letters are posted before their event is stored": PlantedFault(
        ("SIM-LETTER",), (("server.store.store.EventStore.submit", _letters_first),)
    ),
    "one letter in four about a move is forgotten": PlantedFault(
        ("SIM-LETTER",), (("server.mail.outgoing.occasions._of_move", _half),)
    ),
    "each letter is posted twice": PlantedFault(("SIM-LETTER",), (("server.assembly.letters", _twice),)),
    "who wants no letters gets them": PlantedFault(
        ("SIM-LETTER",), (("server.mail.outgoing.letters.writer.due", lambda _: lambda *given: ""),)
    ),
    "a letter of a cup is forgotten": PlantedFault(
        ("SIM-CAMP",), (("server.campaigns.live_campaign.letters_of", _no_letters),)
    ),
    "a script that waited does not go on": PlantedFault(
        ("SIM-GOES-ON",),
        (
            ("server.play.service.OrderService._parked", lambda _: _unheard),
            ("server.play.service.OrderService.resume", lambda _: _unheard),
        ),
    ),
    "nobody is asked once the move has passed": PlantedFault(
        ("SIM-GOES-ON",), (("server.play.live_battle.to_act", lambda _: lambda *given: ()),)
    ),
    "a clock runs on in a vacation": PlantedFault(
        ("SIM-TIME",), (("server.time.timekeeper.put_right", _without_vacations),)
    ),
    "the time of a log goes back": PlantedFault(
        ("SIM-TIME", "SIM-PROOF", "SIM-HURT"),
        (
            ("replay.writing.recording.Recording.moment", lambda _: lambda self, at: at),
            ("server.watched_clock.WatchedClock._compared", lambda _: lambda self, shown: (moment_of(shown), 0)),
        ),
    ),
}


@contextmanager
def planted(name: str) -> Iterator[PlantedFault]:
    """Plant a fault."""
    fault = FAULTS[name]
    with ExitStack() as stack:
        for target, make in fault.replaced:
            stack.enter_context(mock.patch(target, make(_named(target))))
        yield fault


def _named(target: str) -> Any:
    owner, _, name = target.rpartition(".")
    return getattr(pkgutil.resolve_name(owner), name)
