"""How is one request of order lines played, each line exactly once?

The lines run in order under the battle's lock, each its own append. Order i has the id (account, key, i): a request
that comes again is answered from what was recorded and goes on at the first order that was not. If more orders follow,
the request itself is kept in the transaction of its first, so one that a crash cuts is known at the next start, and one
of which nothing was played is not. A decision of the other side parks the rest (design.md 7).
"""

import asyncio
from collections.abc import Sequence
from hashlib import sha256
from typing import Any

import msgspec
from msgspec import Struct

from domain.driver import Entry
from domain.errors import BrokenInvariant, Refusal
from domain.game import OTHER
from server.recording import Batch, Recording
from server.scripts import Line, Script, command_id, public_key, read_script
from server.store import Command, Duplicate, Statement, StoreError, Violated, parked, requests
from server.store.requests import Request
from server.table import Table, With, question_after

ALONE = Line(0, "")
"""Stands for the contribution of a request without orders."""
ACCEPTED = b'{"status":"accepted"}'


class Orders(Struct, frozen=True, omit_defaults=True):
    """A request as it is kept: who orders what, through which channel (api, page, mail, cli, bot).

    `phrase_required`: a contribution of a person needs one; only a mail may come without.
    """

    battle: str
    side: str
    player: str
    channel: str
    orders: str = ""
    phrase: str = ""
    seal: str = ""
    expect: int | None = None
    phrase_required: bool = True


class Outcome(Struct, frozen=True):
    """What became of a line: `accepted`, with events `first` … `last`; `refused`; `parked`; `not-played`."""

    line: Line
    status: str
    first: int = 0
    last: int = 0
    refusal: Refusal | None = None


class Played(Struct, frozen=True):
    """What became of a request; `again`: part of it had been played before."""

    key: str
    outcomes: tuple[Outcome, ...]
    again: bool = False

    @property
    def refused(self) -> Refusal | None:
        """Why nothing of it was played, if nothing was."""
        if any(outcome.status in ("accepted", "parked") for outcome in self.outcomes):
            return None
        return next((outcome.refusal for outcome in self.outcomes if outcome.refusal), None)


class _Answer(Struct, omit_defaults=True):
    """The answer to a line as the store keeps it."""

    status: str
    code: str = ""
    rule: str = ""
    params: dict[str, Any] = {}


_ENCODER = msgspec.json.Encoder()
ORDERS = msgspec.json.Decoder(Orders)
_ANSWER = msgspec.json.Decoder(_Answer)


def body_of(orders: Orders) -> bytes:
    """The bytes under which a request is kept; the same request has the same."""
    return _ENCODER.encode(orders)


class Run:
    """One request being played; the table's lock is held."""

    def __init__(self, table: Table, orders: Orders, key: str, body: bytes, known: Request | None) -> None:
        self.table = table
        self.orders = orders
        self.key = key
        self.body = body
        self.digest = sha256(body).digest()
        self.known = known
        self.kept = known is not None
        self.may_forget = False  # nobody knows the key: a refusal need not be recorded
        self.public_key = public_key(orders.player, key)

    async def whole(self, goes_on: bool = False) -> Played:
        """Play what was not played before. `goes_on`: the side's parked script is this one, and may.

        What fails in the middle stays unfinished, until it is repeated, the server starts anew, or the side gives
        another order.
        """
        try:
            return await self._play(goes_on)
        except (StoreError, asyncio.CancelledError):
            if self.kept:
                self.table.cut[self.orders.side] = (self.orders.player, self.key)
            raise

    async def _play(self, goes_on: bool) -> Played:
        script = read_script(self.orders.orders, self.table.ruleset.parse, self.orders.phrase, self.orders.seal)
        lines = script.orders or (ALONE,)
        outcomes: list[Outcome] = []
        for place, line in enumerate(lines):
            outcome = self._recorded(line)
            if outcome is None and self.known is not None and not goes_on:
                outcome = self._stands_still(line)
            if outcome is None:
                if place == 0:
                    self._require_fresh()
                outcome = await self._line(script, line, lines[place + 1 :])
            outcomes.append(outcome)
            stopped = outcome.status if outcome.status != "accepted" else self._parked_after(lines[place + 1 :])
            if stopped:
                rest = "parked" if stopped == "parked" else "not-played"
                outcomes += [Outcome(left, rest) for left in lines[place + 1 :]]
                break
        return Played(self.key, tuple(outcomes), self.known is not None)

    # --- what was played before

    def _recorded(self, line: Line) -> Outcome | None:
        """The outcome of a line that was played before."""
        return None if self.known is None else self._answered(line)

    def _answered(self, line: Line) -> Outcome | None:
        found = requests.command(self.table.store, self._id(line))
        if found is None:
            return None
        answer = _ANSWER.decode(found.answer)
        if answer.status == "accepted":
            return Outcome(line, "accepted", found.first, found.first + found.events - 1)
        return Outcome(line, answer.status, refusal=Refusal(answer.code, answer.rule, **answer.params))

    def _stands_still(self, line: Line) -> Outcome | None:
        """A line not played yet that this repetition must not play: parked, or dropped since."""
        if self._is_parked():
            return Outcome(line, "parked")
        return Outcome(line, "not-played") if self.known is not None and self.known.done else None

    def _is_parked(self) -> bool:
        script = self.table.parked.get(self.orders.side)
        return script is not None and (script.account, script.key) == (self.orders.player, self.key)

    def _parked_after(self, rest: Sequence[Line]) -> str:
        return "parked" if rest and self._is_parked() and self.table.question() == OTHER[self.orders.side] else ""

    def _require_fresh(self) -> None:
        expect = self.orders.expect
        if expect is not None and expect != self.table.n:
            raise Refusal("core.stale", "CORE-REPEAT", expect=expect, n=self.table.n)

    # --- playing a line

    async def _line(self, script: Script, line: Line, rest: Sequence[Line]) -> Outcome:
        before = self.table.question()
        waits = False

        def make(recording: Recording, at: str) -> Batch:
            return self._batch(recording, at, script, line)

        def attach(batch: Batch) -> With:
            nonlocal waits
            waits = bool(rest) and question_after(before, batch) == OTHER[self.orders.side]
            return With(Command(self._id(line), self.digest, ACCEPTED), self._beside(rest, waits))

        try:
            batch = await self.table.append(make, attach)
        except Refusal as refusal:
            return await self._refused(line, refusal)
        except Duplicate as known:  # played by another process meanwhile, or the key was used in another battle
            if known.recorded.digest != self.digest:
                raise key_reused() from None
            await self.table.reread()
            self.kept = True
            return self._answered(line) or Outcome(line, "not-played")
        except Violated:
            raise self._repeated_elsewhere() from None
        self._remember(rest, waits)
        return Outcome(line, "accepted", self.table.n - len(batch.rows) + 1, self.table.n)

    def _batch(self, recording: Recording, at: str, script: Script, line: Line) -> Batch:
        side = self.orders.side
        if line is not ALONE:
            return recording.order(self._entry(script, line), at)
        if not (script.phrase or script.seal):
            raise Refusal("core.no-order", "CORE-ORDER")
        batch = recording.contribute(side, script.phrase, at, script.seal)
        if not batch.rows:
            raise Refusal("core.no-order", "CORE-ORDER")
        return batch

    def _entry(self, script: Script, line: Line) -> Entry:
        orders = self.orders
        return Entry(
            orders.side,
            line.text,
            orders.player,
            orders.channel,
            line.number,
            self.public_key,
            script.phrase,
            orders.phrase_required,
            script.seal,
        )

    async def _refused(self, line: Line, refusal: Refusal) -> Outcome:
        """Record a refusal, so that a repetition gets the same answer. It ends the request."""
        if self.kept or not self.may_forget:
            answer = _ENCODER.encode(_Answer("refused", refusal.code, refusal.rule, refusal.params))
            command = Command(self._id(line), self.digest, answer)
            also = (*(self._end() if self.kept else ()), *self._unpark())
            try:
                await self.table.append(
                    lambda recording, at: recording.prepare((), at), lambda batch: With(command, also)
                )
            except Duplicate as known:
                if known.recorded.digest != self.digest:
                    raise key_reused() from None
            if self._is_parked():
                self.table.parked.pop(self.orders.side)
        return Outcome(line, "refused", refusal=refusal)

    # --- what goes into the transaction

    def _id(self, line: Line) -> bytes:
        return command_id(self.orders.player, self.key, line.place)

    def _beside(self, rest: Sequence[Line], waits: bool) -> list[Statement]:
        """Request, and where it stands: done, parked, or in the middle. An order drops the side's older script."""
        also = self._keep() if rest else []
        older = self.table.parked.get(self.orders.side)
        if older is not None and not self._is_parked():
            also += [parked.drop(older.battle, older.side), requests.finish(older.account, older.key)]
        cut = self.table.cut.get(self.orders.side)
        if cut is not None and cut != (self.orders.player, self.key):
            also.append(requests.finish(*cut))
        if waits:
            also.append(parked.park(self._script(rest)))
        elif not rest and self.kept:
            also += [*self._end(), *self._unpark()]
        return also

    def _keep(self) -> list[Statement]:
        if self.kept:
            return []
        return [requests.accept(self.orders.player, self.key, self.digest, self.body)]

    def _end(self) -> list[Statement]:
        return [requests.finish(self.orders.player, self.key)]

    def _unpark(self) -> list[Statement]:
        return [parked.drop(self.orders.battle, self.orders.side)] if self._is_parked() else []

    def _script(self, rest: Sequence[Line]) -> parked.Script:
        lines = _ENCODER.encode([line.text for line in rest])
        return parked.Script(self.orders.battle, self.orders.side, self.orders.player, self.key, rest[0].number, lines)

    def _remember(self, rest: Sequence[Line], waits: bool) -> None:
        """Take over what was committed."""
        side = self.orders.side
        self.kept = self.kept or bool(rest)
        self.table.cut.pop(side, None)
        if waits:
            self.table.parked[side] = self._script(rest)
        elif not rest or not self._is_parked():
            self.table.parked.pop(side, None)

    def _repeated_elsewhere(self) -> Exception:
        """The key has come into use since we looked: for another battle, or in another process."""
        found = requests.find(self.table.store, self.orders.player, self.key)
        if found is not None and found.digest != self.digest:
            return key_reused()
        return BrokenInvariant(f"{self.table.id}: a request was kept twice, or a row refused")


def key_reused() -> Refusal:
    """The same key with another request."""
    return Refusal("core.key-reused", "CORE-REPEAT")
