"""What the store knows of one request of orders, and what it has to be told of it.

The order at place i of a request has the id (account, key, i). Under that id the store keeps its events or its refusal
(`recorded`), so a repeated request is answered from there. The request itself is kept (`kept`) in the
transaction of its first recorded order, and only if more orders may follow: a plain request of one order costs one row
less. Whether it is done, and whether its script waits for the other side, is written with the order that makes it so.

A `Ledger` makes the statements (`beside`, `ending`) and changes its own memory, and that of the live battle, only when
they are committed (`took_over`, `settle`). Its caller holds the lock of the battle.

Most requests are new, and of one order. Whether one of these came before is not asked first: if it did, the store
refuses its order (the id is taken), or the rules do, and only then is it looked for (`look_up`).
"""

from collections.abc import Callable
from hashlib import sha256

from msgspec import Struct

from domain.basics.errors import BrokenInvariant, Refusal
from domain.scripts.report import NOT_PLAYED, PARKED
from server.play.live_battle import LiveBattle
from server.play.request import ACCEPTED, ENDED, OrderRequest, answer_of, key_reused, refusal_in
from server.play.scripts import command_id, public_key
from server.store import CommandRecord, Duplicate, Statement
from server.store.tables import outbox, parked, requests
from server.store.tables.outbox import LetterKind
from server.store.tables.parked import ParkedScript
from server.store.tables.requests import Request


class OrderResult(Struct, frozen=True):
    """The result of one order: events `first` … `last`, or the refusal; neither if the script had ended without an
    order. `last` is the battle's last event then."""

    first: int
    last: int
    refusal: Refusal | None = None


class Ledger:
    """The record of one request. `known`: the request as it came before, if it did, and `find` looks for it when that
    is to be found out later; `may_forget`: nobody knows the key, so a last order need not be recorded; `tells`: its
    player gets a letter when the request has ended."""

    def __init__(
        self,
        live: LiveBattle,
        orders: OrderRequest,
        key: str,
        body: bytes,
        known: Request | None = None,
        may_forget: bool = False,
        tells: bool = False,
        find: Callable[[], Request | None] | None = None,
    ) -> None:
        self.live = live
        self.orders = orders
        self.key = key
        self.public_key = public_key(orders.player, key)
        self._body = body
        self._digest = sha256(body).digest()
        self._find = find
        self._take(known)
        self._may_forget = may_forget
        self._tells = tells

    def _take(self, known: Request | None) -> None:
        self.is_repeat = known is not None
        self._kept = known is not None
        self._is_done = known is not None and known.done

    def look_up(self) -> bool:
        """Look for the request, unless that has been done; whether it now turns out that it came before.

        Raises: Refusal core.key-reused
        """
        find, self._find = self._find, None
        known = find() if find else None
        if known is None:
            return False
        if known.digest != self._digest:
            raise key_reused()
        self._take(known)
        return True

    # --- what was recorded

    def recorded(self, place: int) -> OrderResult | None:
        """The recorded result of an order that was given when the request came before."""
        return self._answered(place) if self.is_repeat else None

    def _answered(self, place: int) -> OrderResult | None:
        found = requests.command(self.live.store, self._id(place))
        if found is None:
            return None
        refusal = refusal_in(found.answer)
        if refusal is None and found.events:
            return OrderResult(found.first, found.first + found.events - 1)
        return OrderResult(0, found.first - 1, refusal)

    @property
    def is_parked(self) -> bool:
        """Whether the script of this request waits for the other side."""
        script = self.live.parked.get(self.orders.side)
        return script is not None and (script.account, script.key) == (self.orders.player, self.key)

    def stands_still(self) -> str:
        """Why a repetition must not go on with an order not given yet: its script is parked, or was dropped."""
        if self.is_parked:
            return PARKED
        return NOT_PLAYED if self._is_done else ""

    def was_dropped(self, place: int) -> bool:
        """Whether a script that had to wait before its order at `place` was never continued: the rest was not
        tried, whatever the other side has answered since."""
        return self._is_done and self.recorded(place) is None

    async def played_elsewhere(self, known: Duplicate, place: int) -> OrderResult:
        """The order was played by another process meanwhile.

        Raises: Refusal core.key-reused if the key was used for another request
        """
        self.require_same(known)
        await self.live.reread()
        self._kept = True
        found = requests.find(self.live.store, self.orders.player, self.key)
        self._is_done = found is None or found.done
        answered = self._answered(place)
        if answered is None:
            raise BrokenInvariant(f"{self.live.id}: a command is there and is not")
        return answered

    def require_same(self, known: Duplicate) -> None:
        """Require that a command already stored belongs to this request.

        Raises: Refusal core.key-reused
        """
        if known.recorded.digest != self._digest:
            raise key_reused() from None

    def kept_elsewhere(self) -> Exception:
        """The error when the key has come into use since we checked: for another battle, or in another process."""
        found = requests.find(self.live.store, self.orders.player, self.key)
        if found is not None and found.digest != self._digest:
            return key_reused()
        return BrokenInvariant(f"{self.live.id}: a request was kept twice, or a row refused")

    # --- what goes into the transaction of an order

    def _id(self, place: int) -> bytes:
        return command_id(self.orders.player, self.key, place)

    def accepted(self, place: int) -> CommandRecord:
        """Record that the order at a place was accepted."""
        return CommandRecord(self._id(place), self._digest, ACCEPTED)

    def refused(self, place: int, refusal: Refusal) -> CommandRecord:
        """Record that it was refused."""
        return CommandRecord(self._id(place), self._digest, answer_of(refusal))

    def must_record(self, more: bool) -> bool:
        """Whether a refusal is recorded: a repetition, or the rest of the script, will look for it."""
        return more or self._kept or not self._may_forget

    def ended(self, place: int, is_first: bool) -> CommandRecord | None:
        """Record that the script ended without an order at `place`; None if nobody will look for that."""
        has_waited = self.is_repeat and not self._is_done  # it may have waited, and was not dropped
        if has_waited or (is_first and not self._may_forget):
            return CommandRecord(self._id(place), self._digest, ENDED)
        return None

    def beside(self, more: bool, waits: ParkedScript | None, n: int) -> list[Statement]:
        """The state of the request after event `n`: done, parked, or in progress. An order drops the side's older
        script."""
        also = self.keep() if more else []
        older = self.live.parked.get(self.orders.side)
        if older is not None and not self.is_parked:
            also += [parked.drop(older.battle, older.side), self._close(older.account, older.key)]
        cut = self.live.cut.get(self.orders.side)
        if cut is not None and cut != (self.orders.player, self.key):
            also.append(self._close(*cut))
        if waits:
            also.append(parked.park(waits))
        elif not more:
            also += self.ending(n)
        return also

    def keep(self) -> list[Statement]:
        """Keep the request itself, if it is not kept yet."""
        if self._kept:
            return []
        return [requests.accept(self.orders.player, self.key, self._digest, self._body)]

    def ending(self, n: int) -> list[Statement]:
        """Record that it is done and waits no longer. A letter about that is only sent while it is still its side's
        move (`server.mail.outgoing.letters`)."""
        player, battle = self.orders.player, self.orders.battle
        also: list[Statement] = []
        if self._kept and not self._is_done:
            also.append(self._close(player, self.key))
            if self._tells:
                also.append(outbox.post(battle, n, player, LetterKind.TURN, self.live.now()))
        if self.is_parked:
            also.append(parked.drop(battle, self.orders.side))
        return also

    def _close(self, account: str, key: str) -> Statement:
        """A request of this battle is done."""
        return requests.close(account, key, self.live.id)

    # --- taking over what was committed

    def took_over(self, more: bool, waits: ParkedScript | None) -> None:
        """Take over an accepted order."""
        side = self.orders.side
        self.live.cut.pop(side, None)
        if waits is None and not self.is_parked:
            self.live.parked.pop(side, None)
        self.settle(more)
        if waits:
            self.live.parked[side] = waits

    def settle(self, more: bool) -> None:
        """The request is kept, if more may follow; otherwise it is done and waits no longer."""
        self._kept = self._kept or more
        if more:
            return
        self._is_done = True
        if self.is_parked:
            self.live.parked.pop(self.orders.side)

    def cut_short(self) -> None:
        """Note that a failure stopped the request in the middle: the side's next order finishes it."""
        if self._kept:
            self.live.cut[self.orders.side] = (self.orders.player, self.key)
