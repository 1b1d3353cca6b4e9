"""Play one request of orders, each order exactly once.

Guarantees
- The script (`domain.scripts`) says which order comes next. Each order is an append of its own, under the battle's
  lock; the i-th order tried has the id (account, key, i).
- A request that is repeated, or resumed after a crash, is not continued from a saved position. It is stepped through
  from the start; where an order is recorded (`server.play.ledger`), its result is taken, otherwise the order is played.
  So the way through a script must follow from the log alone: a `BattleScriptView` shows the battle as of an event,
  never "now".
- The first order is given to the very battle that was looked at. If another process has written meanwhile, the script
  starts again, and `expect` and the question are checked again.
- When the rules ask the other side, the rest is parked. `OrderService` starts the request again after the answer.

Rejected: storing the position of a script. A repetition of the same key would still have to produce the same
answer from the log, so the position would be a second truth (docs/decisions/0008-scripts.md).
"""

import asyncio

import msgspec
from msgspec.structs import replace

from domain.basics.errors import Refusal
from domain.run.inputs import Entry, Phrase
from domain.run.own_word import Signed
from domain.scripts import cursor as script_cursor
from domain.scripts.course import ScriptCourse
from domain.scripts.cursor import Give, LineMark, Moved, ScriptCursor
from domain.scripts.program import GiveOrder, Script, ScriptLine
from domain.scripts.report import NOT_PLAYED, PARKED, outcomes
from replay.writing.recording import Batch, Recording
from server.play.branching import require_nobody_else
from server.play.disputing import is_dispute, named_in
from server.play.ledger import Ledger, OrderResult
from server.play.live_battle import Alongside, LiveBattle, Make, question_after
from server.play.questions import question_of
from server.play.request import OrderRequest, RequestAnswer
from server.play.script_view import BattleScriptView, settled
from server.play.scripts import Unreadable, read_script
from server.play.signing import require_signable
from server.play.suggesting import suggesting
from server.store import Duplicate, Statement, StoreError, Violated
from server.store.tables import drafts
from server.store.tables.parked import ParkedScript

ALONE = Script((ScriptLine(0, ""),), program=(GiveOrder(0, ""),))
"""Stands for a request without orders: its contribution."""


class QuestionClosed(Exception):
    """The question put to the side now is not the one that its orders answer."""


class _Overtaken(Exception):
    """Another process has written before the first order: the basis for choosing it has changed. Or the request turns
    out to be a repetition."""


class Run:
    """One request being played; the battle's lock is held. `question`: what a new request answers (`question_of`), ""
    for anything; the request is only played while that is open."""

    def __init__(self, live: LiveBattle, orders: OrderRequest, ledger: Ledger, question: str = "") -> None:
        self.live = live
        self.orders = orders
        self.ledger = ledger
        self.question = question
        self.script = ALONE
        self.course = ScriptCourse(BattleScriptView(live, orders.side, live.n))

    async def whole(self, goes_on: bool = False) -> RequestAnswer:
        """Play what was not played before. `goes_on`: the side's parked script is this one, and may continue.

        After a failure in the middle it stays unfinished, until it is repeated, the server restarts, or the side gives
        another order.

        Raises: QuestionClosed; Refusal core.stale, core.key-reused …; scripts.Unreadable; StoreError
        """
        try:
            while True:
                try:
                    return await self._play(goes_on)
                except _Overtaken:
                    await self.live.freshen()
        except (StoreError, asyncio.CancelledError):
            self.ledger.cut_short()
            raise

    async def _play(self, goes_on: bool) -> RequestAnswer:
        ledger = self.ledger
        self.script = self._read()
        if not self._may_be_tried():
            ledger.look_up()
        earlier = ledger.recorded(1)
        if not ledger.is_repeat:
            self._require_fresh()
        cursor, rest = ScriptCursor(), NOT_PLAYED
        marks: list[LineMark] = []
        view = self._start(earlier)
        self.course = ScriptCourse(view, prepares=not self.orders.signatures)
        while not cursor.is_over:
            cursor, made = script_cursor.step(self.script, cursor, view)
            marks += made
            if cursor.is_over:
                break
            if cursor.given is None:
                await asyncio.sleep(0)  # a condition may take milliseconds: others are served between two
                continue
            result = ledger.recorded(cursor.place)
            if result is None and ledger.is_repeat and not goes_on and (stands_still := ledger.stands_still()):
                rest = stands_still
                break
            if result is None:
                result = await self._give(cursor, view)
            (cursor, made), view = self._after(cursor, result, view)
            marks += made
            if result.refusal is None and script_cursor.may_go_on(self.script, cursor):
                if view.waits_for_other:
                    rest = PARKED if ledger.is_parked else NOT_PLAYED
                    break
                if view.n > result.last and ledger.was_dropped(cursor.place):
                    break
        if cursor.is_over:
            await self._close(cursor, earlier, view.n)
        return RequestAnswer(ledger.key, outcomes(self.script, cursor, marks, rest), ledger.is_repeat)

    # --- before the first order

    def _may_be_tried(self) -> bool:
        """Whether the outcome of the first order shows if the request came before: it is the only one, and nothing else
        is checked before it."""
        is_single = self.script.is_plain and len(self.script.orders) == 1
        return is_single and self.orders.expect is None and not self.question

    def _read(self) -> Script:
        try:
            return self._script_read()
        except (Refusal, Unreadable):
            self.ledger.look_up()
            raise

    def _script_read(self) -> Script:
        grammar, orders = self.live.ruleset.orders, self.orders
        try:
            script = read_script(orders.orders, self.live.ruleset.read, orders.phrase, orders.seal, grammar.senses)
        except Unreadable as unreadable:
            raise suggesting(self.live, orders.side, unreadable) from None
        script = script if script.gives_orders else replace(ALONE, phrase=script.phrase, seal=script.seal)
        require_signable(self.live.recording.battle.signer_of(orders.side), orders, script, self.live.ruleset)
        return script

    def _start(self, earlier: OrderResult | None) -> BattleScriptView:
        """The view of the script before its first order: the battle as it was then."""
        n = self.live.n
        if earlier is not None:
            n = earlier.first - 1 if earlier.first else earlier.last
        return BattleScriptView(self.live, self.orders.side, n)

    def _require_fresh(self) -> None:
        expect = self.orders.expect
        if expect is not None and expect != self.live.n:
            raise Refusal("core.stale", "CORE-REPEAT", expect=expect, n=self.live.n)
        is_closed = self.question and question_of(self.live, self.orders.side) != self.question
        if is_closed and not self._is_of_disputes():
            raise QuestionClosed

    def _is_of_disputes(self) -> bool:
        """Whether there are lines of disputes alone: they answer no question of the game."""
        orders = [line.text for line in self.script.orders]
        return self.script.is_plain and all(text and is_dispute(text) for text in orders)

    def _require_seen(self, recording: Recording, cursor: ScriptCursor, seen: int) -> None:
        """Require that the first order is given to the battle that was looked at, event `seen`; also in a
        repetition."""
        if cursor.place == 1 and recording.battle.n != seen:
            raise _Overtaken

    # --- one order

    def _after(
        self, cursor: ScriptCursor, result: OrderResult, view: BattleScriptView
    ) -> tuple[Moved, BattleScriptView]:
        """The script after the result of an order that it gave when it saw `view`, and what it sees then."""
        assert cursor.given is not None
        order = cursor.given.text
        if result.refusal is not None:
            cursor, made = self._after_refusal(cursor, result.refusal, view)
            view = BattleScriptView(self.live, self.orders.side, result.last)
        else:
            cursor, made = script_cursor.accepted(self.script, cursor, result.first, result.last)
            view = settled(self.live, self.orders.side, result.last)
        if cursor.given is None:
            self.course.tried(order)
        return (cursor, made), view

    def _after_refusal(self, cursor: ScriptCursor, refusal: Refusal, view: BattleScriptView) -> Moved:
        """The script goes on, or not; `view` is the battle that it saw when it gave the order."""
        return script_cursor.refused(self.script, cursor, refusal, self.course, view.known)

    async def _give(self, cursor: ScriptCursor, view: BattleScriptView) -> OrderResult:
        assert cursor.given is not None
        give, place, ledger, seen = cursor.given, cursor.place, self.ledger, view.n
        before = self.live.question()
        after, _ = script_cursor.accepted(self.script, cursor, 0, 0)
        more = script_cursor.may_go_on(self.script, after)
        waits: ParkedScript | None = None

        if is_dispute(give.text):
            await self.live.remember()

        def make(recording: Recording, at: str) -> Batch:
            self._require_seen(recording, cursor, seen)
            return self._batch(recording, at, give)

        def attach(batch: Batch) -> Alongside:
            nonlocal waits
            is_other_asked = question_after(before, batch) in self.live.seats.others(self.orders.side)
            waits = self._waiting(after) if more and is_other_asked else None
            return Alongside(ledger.accepted(place), ledger.beside(more, waits, batch.recorded[-1].n))

        try:
            batch = await self.live.append(make, attach)
        except (Refusal, StoreError) as failure:
            if ledger.look_up():
                raise _Overtaken from None
            if isinstance(failure, Refusal):
                return await self._refused(cursor, failure, view)
            if isinstance(failure, Duplicate):  # played by another process meanwhile
                return await ledger.played_elsewhere(failure, place)
            if isinstance(failure, Violated):
                raise ledger.kept_elsewhere() from None
            raise
        ledger.took_over(more, waits)
        return OrderResult(self.live.n - len(batch.rows) + 1, self.live.n)

    def _batch(self, recording: Recording, at: str, give: Give) -> Batch:
        orders, script = self.orders, self.script
        if give.text:
            line = script.orders[give.line].number
            text, named = named_in(give.text, recording.battle, orders.side, self.live.store, self.live.seats)
            if named:
                require_nobody_else(self.live)
            entry = Entry(
                orders.side,
                text,
                orders.player,
                orders.channel,
                line,
                self.ledger.public_key,
                script.phrase,
                orders.phrase_required,
                script.seal,
                orders.seen,
                self._signed(give.line),
                named,
                self._signed(len(script.orders)),
            )
            return recording.order(entry, at)
        if not (script.phrase or script.seal):
            raise Refusal("core.no-order", "CORE-ORDER")
        phrase = Phrase(script.phrase, orders.channel, orders.seen, self._signed(0))
        batch = recording.contribute(orders.side, phrase, at, script.seal)
        if not batch.rows:
            raise Refusal("core.no-order", "CORE-ORDER")
        return batch

    def _signed(self, line: int) -> Signed | None:
        """The signature of a line, by its index."""
        signatures = self.orders.signatures
        return signatures[line] if line < len(signatures) else None

    async def _refused(self, cursor: ScriptCursor, refusal: Refusal, view: BattleScriptView) -> OrderResult:
        """Record a refusal, so that a repetition gets the same answer and a script takes the same path again."""
        ledger, seen = self.ledger, view.n
        after, _ = self._after_refusal(cursor, refusal, view)
        more = script_cursor.may_go_on(self.script, after)
        if ledger.must_record(more):
            also = ledger.keep() if more else [*self._returned(cursor, refusal), *ledger.ending(self.live.n)]
            beside = Alongside(ledger.refused(cursor.place, refusal), also)
            try:
                await self.live.append(self._nothing(cursor, seen), lambda batch: beside)
            except Duplicate as known:
                return await ledger.played_elsewhere(known, cursor.place)
            except Violated:
                raise ledger.kept_elsewhere() from None
            ledger.settle(more)
        return OrderResult(0, self.live.n, refusal)

    def _returned(self, cursor: ScriptCursor, refusal: Refusal) -> list[Statement]:
        """Give the lines of a script that has waited back to its player: the one that is refused now, and those behind
        it. The rest of a script with conditions would not mean the same alone: it comes back as comments."""
        if not self.ledger.is_parked:
            return []
        orders, mark = self.orders, "" if self.script.is_plain else "# "
        lines = [self.script.orders[at].text for at in script_cursor.lines_waiting(self.script, cursor)]
        text = "".join(f"{mark}{line}\n" for line in lines)
        assert cursor.given is not None
        told = drafts.Returned(cursor.given.text, refusal.code, refusal.rule, dict(refusal.params), self.live.n)
        return [drafts.give_back(orders.battle, orders.side, orders.player, text, told, self.live.now())]

    def _nothing(self, cursor: ScriptCursor, seen: int) -> Make:
        """An append without events."""

        def make(recording: Recording, at: str) -> Batch:
            self._require_seen(recording, cursor, seen)
            return recording.prepare((), at)

        return make

    def _waiting(self, after: ScriptCursor) -> ParkedScript:
        """The waiting script as shown to its side; it continues from its request and its record."""
        lines = [self.script.orders[index] for index in script_cursor.lines_waiting(self.script, after)]
        texts = msgspec.json.encode([line.text for line in lines])
        orders = self.orders
        return ParkedScript(orders.battle, orders.side, orders.player, self.ledger.key, lines[0].number, texts)

    # --- the end

    async def _close(self, cursor: ScriptCursor, earlier: OrderResult | None, seen: int) -> None:
        """Record in the store that the script has ended, if that was not known with its last order."""
        ledger = self.ledger
        command = ledger.ended(cursor.place, is_first=cursor.place == 1 and earlier is None)
        also = ledger.ending(self.live.n)
        if command is None and not also:
            return
        try:
            await self.live.append(self._nothing(cursor, seen), lambda batch: Alongside(command, also))
        except Duplicate as known:
            ledger.require_same(known)
        ledger.settle(False)
        self.live.cut.pop(self.orders.side, None)
