"""Play one request of orders, each order exactly once.

The script (`domain.scripts`) says which order comes next; they run under the battle's lock, each its own append. The
i-th order tried has the id (account, key, i): a request that comes again, or is resumed, is led through its script by
what was recorded and goes on at the first order that was not. If more may follow, the request itself is kept in the
transaction of the first order that is recorded, so one that a crash cuts is known at the next start. A decision of the
other side parks the rest (design.md 7, docs/decisions/0008-scripts.md).
"""

import asyncio
from hashlib import sha256

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from domain.engine.errors import BrokenInvariant, Refusal
from domain.engine.inputs import Entry
from domain.engine.state import OTHER
from domain.scripts import cursor as courses
from domain.scripts.cursor import Give, LineMark, ScriptCursor
from domain.scripts.program import Order, Script, ScriptLine
from domain.scripts.report import NOT_PLAYED, PARKED, Outcome, outcomes
from server.play.live_battle import Alongside, LiveBattle, Make, question_after
from server.play.questions import question_of
from server.play.recording import Batch, Recording
from server.play.request import ACCEPTED, ENDED, OrderRequest, RequestAnswer, answer_of, key_reused, refusal_in
from server.play.script_view import BattleScriptView, settled
from server.play.scripts import command_id, public_key, read_script
from server.store import CommandRecord, Duplicate, Statement, StoreError, Violated
from server.store.tables import outbox, parked, requests
from server.store.tables.outbox import LetterKind
from server.store.tables.requests import Request

__all__ = ["ALONE", "OrderRequest", "Outcome", "QuestionClosed", "RequestAnswer", "Run"]

ALONE = Script((ScriptLine(0, ""),), program=(Order(0, ""),))
"""Stands for a request without orders: its contribution."""


class OrderResult(Struct, frozen=True):
    """What became of one order: events `first` … `last`, or the refusal; without either the script had ended without
    one. `last` is the battle's last event then."""

    first: int
    last: int
    refusal: Refusal | None = None


class QuestionClosed(Exception):
    """Another question is put to the side now than the one that its orders answer."""


class _Overtaken(Exception):
    """Another process has written before the first order: what it was chosen by is no more."""


class Run:
    """One request being played; the table's lock is held."""

    def __init__(self, live: LiveBattle, orders: OrderRequest, key: str, body: bytes, known: Request | None) -> None:
        self.live = live
        self.orders = orders
        self.key = key
        self.body = body
        self.digest = sha256(body).digest()
        self.known = known
        self.kept = known is not None
        self.is_done = known is not None and known.done
        self.question = ""  # what a new request answers (`question_of`): only while that is open
        self.tells = False  # it goes on by itself: its player gets a letter when it has come to its end
        self.may_forget = False  # nobody knows the key: what nothing follows need not be recorded
        self.public_key = public_key(orders.player, key)
        self.script = ALONE

    async def whole(self, goes_on: bool = False) -> RequestAnswer:
        """Play what was not played before. `goes_on`: the side's parked script is this one, and may.

        What fails in the middle stays unfinished, until it is repeated, the server starts anew, or the side gives
        another order.
        """
        try:
            while True:
                try:
                    return await self._play(goes_on)
                except _Overtaken:
                    continue
        except (StoreError, asyncio.CancelledError):
            if self.kept:
                self.live.cut[self.orders.side] = (self.orders.player, self.key)
            raise

    async def _play(self, goes_on: bool) -> RequestAnswer:
        self._read()
        earlier = self._recorded(1)
        if earlier is None and self.known is None:
            self._require_fresh()
        course, marks, rest = ScriptCursor(), list[LineMark](), NOT_PLAYED
        sight = self._start(earlier)
        while not course.is_over:
            course, made = courses.advance(self.script, course, sight)
            marks += made
            if course.is_over:
                break
            result = self._recorded(course.place)
            if result is None and self.known is not None and not goes_on:
                stands_still = self._stands_still()
                if stands_still:
                    rest = stands_still
                    break
            if result is None:
                result = await self._give(course, sight.n)
            if result.refusal is not None:
                course, made = courses.refused(self.script, course, result.refusal)
                sight = BattleScriptView(self.live, self.orders.side, result.last)
            else:
                course, made = courses.accepted(self.script, course, result.first, result.last)
                sight = settled(self.live, self.orders.side, result.last)
            marks += made
            if not result.refusal and sight.waits_for_other and courses.may_go_on(self.script, course):
                rest = PARKED if self._is_parked() else NOT_PLAYED
                break
            if not result.refusal and sight.n > result.last and self._was_dropped(course):
                break
        if course.is_over:
            await self._close(course, earlier, sight.n)
        return RequestAnswer(self.key, outcomes(self.script, course, marks, rest), self.known is not None)

    def _read(self) -> None:
        ruleset, orders = self.live.ruleset, self.orders
        script = read_script(orders.orders, ruleset.orders.parse, orders.phrase, orders.seal, ruleset.orders.senses)
        if not script.gives_orders:
            script = replace(ALONE, phrase=script.phrase, seal=script.seal)
        self.script = script

    # --- what was played before

    def _start(self, earlier: OrderResult | None) -> BattleScriptView:
        """What the script looks at before its first order: the battle as it was then."""
        n = self.live.n
        if earlier is not None:
            n = earlier.first - 1 if earlier.first else earlier.last
        return BattleScriptView(self.live, self.orders.side, n)

    def _recorded(self, place: int) -> OrderResult | None:
        """What became of an order that was given before."""
        return None if self.known is None else self._answered(place)

    def _answered(self, place: int) -> OrderResult | None:
        found = requests.command(self.live.store, self._id(place))
        if found is None:
            return None
        refusal = refusal_in(found.answer)
        if refusal is None and found.events:
            return OrderResult(found.first, found.first + found.events - 1)
        return OrderResult(0, found.first - 1, refusal)

    def _stands_still(self) -> str:
        """Why this repetition must not go on with an order not given yet: the script is parked, or was dropped."""
        if self._is_parked():
            return PARKED
        return NOT_PLAYED if self.is_done else ""

    def _is_parked(self) -> bool:
        script = self.live.parked.get(self.orders.side)
        return script is not None and (script.account, script.key) == (self.orders.player, self.key)

    def _was_dropped(self, course: ScriptCursor) -> bool:
        """Whether the script, that had to wait here, never went on: what stands behind was not looked at, whatever the
        other side has answered since."""
        return self.is_done and courses.may_go_on(self.script, course) and self._recorded(course.place) is None

    def _require_fresh(self) -> None:
        expect = self.orders.expect
        if expect is not None and expect != self.live.n:
            raise Refusal("core.stale", "CORE-REPEAT", expect=expect, n=self.live.n)
        if self.question and question_of(self.live, self.orders.side) != self.question:
            raise QuestionClosed

    def _require_seen(self, recording: Recording, course: ScriptCursor, seen: int) -> None:
        """The first order is given to the battle that was looked at, event `seen`: a repetition looks there too."""
        if course.place == 1 and recording.battle.n != seen:
            raise _Overtaken

    # --- giving an order

    async def _give(self, course: ScriptCursor, seen: int) -> OrderResult:
        assert course.given is not None
        give, place = course.given, course.place
        before = self.live.question()
        after, _ = courses.accepted(self.script, course, 0, 0)
        more = courses.may_go_on(self.script, after)
        waits = False

        def make(recording: Recording, at: str) -> Batch:
            self._require_seen(recording, course, seen)
            return self._batch(recording, at, give)

        def attach(batch: Batch) -> Alongside:
            nonlocal waits
            waits = more and question_after(before, batch) == OTHER[self.orders.side]
            n = batch.recorded[-1].n
            return Alongside(CommandRecord(self._id(place), self.digest, ACCEPTED), self._beside(after, more, waits, n))

        try:
            batch = await self.live.append(make, attach)
        except Refusal as refusal:
            return await self._refused(course, refusal, seen)
        except Duplicate as known:  # played by another process meanwhile, or the key was used in another battle
            return await self._played_elsewhere(known, place)
        except Violated:
            raise self._repeated_elsewhere() from None
        self._remember(after, more, waits)
        return OrderResult(self.live.n - len(batch.rows) + 1, self.live.n)

    def _batch(self, recording: Recording, at: str, give: Give) -> Batch:
        orders, script = self.orders, self.script
        if give.text:
            line = script.orders[give.line].number
            entry = Entry(
                orders.side,
                give.text,
                orders.player,
                orders.channel,
                line,
                self.public_key,
                script.phrase,
                orders.phrase_required,
                script.seal,
            )
            return recording.order(entry, at)
        if not (script.phrase or script.seal):
            raise Refusal("core.no-order", "CORE-ORDER")
        batch = recording.contribute(orders.side, script.phrase, at, script.seal)
        if not batch.rows:
            raise Refusal("core.no-order", "CORE-ORDER")
        return batch

    async def _refused(self, course: ScriptCursor, refusal: Refusal, seen: int) -> OrderResult:
        """Record a refusal, so that a repetition gets the same answer and a script goes the same way again."""
        after, _ = courses.refused(self.script, course, refusal)
        more = courses.may_go_on(self.script, after)
        if more or self.kept or not self.may_forget:
            command = CommandRecord(self._id(course.place), self.digest, answer_of(refusal))
            also = self._keep() if more else [*self._end(self.live.n), *self._unpark()]
            try:
                await self.live.append(self._nothing(course, seen), lambda batch: Alongside(command, also))
            except Duplicate as known:
                return await self._played_elsewhere(known, course.place)
            except Violated:
                raise self._repeated_elsewhere() from None
            self._settle(more)
        return OrderResult(0, self.live.n, refusal)

    def _nothing(self, course: ScriptCursor, seen: int) -> Make:
        """An append without events."""

        def make(recording: Recording, at: str) -> Batch:
            self._require_seen(recording, course, seen)
            return recording.prepare((), at)

        return make

    async def _played_elsewhere(self, known: Duplicate, place: int) -> OrderResult:
        if known.recorded.digest != self.digest:
            raise key_reused() from None
        await self.live.reread()
        self.kept = True
        found = requests.find(self.live.store, self.orders.player, self.key)
        self.is_done = found is None or found.done
        answered = self._answered(place)
        if answered is None:
            raise BrokenInvariant(f"{self.live.id}: a command is there and is not")
        return answered

    # --- the end

    async def _close(self, course: ScriptCursor, earlier: OrderResult | None, seen: int) -> None:
        """Let the store know that the script has come to its end, where that was not known with its last order."""
        command = None
        is_first = course.place == 1 and earlier is None and not self.may_forget
        goes_on = self.known is not None and not self.is_done  # it may have waited, and was not dropped
        if is_first or goes_on:
            command = CommandRecord(self._id(course.place), self.digest, ENDED)
        also = [*self._end(self.live.n), *self._unpark()]
        if command is None and not also:
            return
        try:
            await self.live.append(self._nothing(course, seen), lambda batch: Alongside(command, also))
        except Duplicate as known:
            if known.recorded.digest != self.digest:
                raise key_reused() from None
        self._settle(False)
        self.live.cut.pop(self.orders.side, None)

    # --- what goes into the transaction

    def _id(self, place: int) -> bytes:
        return command_id(self.orders.player, self.key, place)

    def _beside(self, after: ScriptCursor, more: bool, waits: bool, n: int) -> list[Statement]:
        """Request, and where it stands after event `n`: done, parked, or in the middle. An order drops the side's older
        script."""
        also = self._keep() if more else []
        older = self.live.parked.get(self.orders.side)
        if older is not None and not self._is_parked():
            also += [parked.drop(older.battle, older.side), requests.finish(older.account, older.key)]
        cut = self.live.cut.get(self.orders.side)
        if cut is not None and cut != (self.orders.player, self.key):
            also.append(requests.finish(*cut))
        if waits:
            also.append(parked.park(self._waiting(after)))
        elif not more:
            also += [*self._end(n), *self._unpark()]
        return also

    def _keep(self) -> list[Statement]:
        if self.kept:
            return []
        return [requests.accept(self.orders.player, self.key, self.digest, self.body)]

    def _end(self, n: int) -> list[Statement]:
        """It is done; a letter that says so is only sent while it is still its side's move (`outgoing.letters`)."""
        if not self.kept or self.is_done:
            return []
        player, battle = self.orders.player, self.orders.battle
        told = [outbox.post(battle, n, player, LetterKind.TURN, self.live.now())] if self.tells else []
        return [requests.finish(player, self.key), *told]

    def _unpark(self) -> list[Statement]:
        return [parked.drop(self.orders.battle, self.orders.side)] if self._is_parked() else []

    def _waiting(self, after: ScriptCursor) -> parked.ParkedScript:
        """What the side is shown of the script that waits; it goes on from its request and what was recorded."""
        lines = [self.script.orders[index] for index in courses.lines_waiting(self.script, after)]
        texts = msgspec.json.encode([line.text for line in lines])
        return parked.ParkedScript(
            self.orders.battle, self.orders.side, self.orders.player, self.key, lines[0].number, texts
        )

    # --- taking over what was committed

    def _remember(self, after: ScriptCursor, more: bool, waits: bool) -> None:
        side = self.orders.side
        self.live.cut.pop(side, None)
        if not waits and not self._is_parked():
            self.live.parked.pop(side, None)
        self._settle(more)
        if waits:
            self.live.parked[side] = self._waiting(after)

    def _settle(self, more: bool) -> None:
        """The request is kept, if more may follow; else it is done, and waits no longer."""
        self.kept = self.kept or more
        if more:
            return
        self.is_done = True
        if self._is_parked():
            self.live.parked.pop(self.orders.side)

    def _repeated_elsewhere(self) -> Exception:
        """The key has come into use since we looked: for another battle, or in another process."""
        found = requests.find(self.live.store, self.orders.player, self.key)
        if found is not None and found.digest != self.digest:
            return key_reused()
        return BrokenInvariant(f"{self.live.id}: a request was kept twice, or a row refused")
