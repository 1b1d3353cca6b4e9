"""The entrance for orders from every channel, and the continuation of those that had to wait.

Programs, pages and mail pass requests to `OrderService`; `server.play.run` plays them. A script parked by a decision of
the other side continues after the answer; a request cut by a crash continues at the next start.
"""

import asyncio
import logging
from functools import partial

from domain.basics.errors import Refusal
from replay.writing.recording import Batch
from server.entropy import new_secret
from server.play.ledger import Ledger
from server.play.live_battle import LiveBattle
from server.play.live_battles import LiveBattles
from server.play.request import ORDER_REQUEST, LineOutcome, OrderRequest, RequestAnswer, body_of
from server.play.run import QuestionClosed, Run
from server.play.scripts import command_id
from server.store.tables import requests
from server.store.tables.requests import Request

__all__ = ["LineOutcome", "OrderRequest", "OrderService", "QuestionClosed", "RequestAnswer"]

log = logging.getLogger(__name__)


class OrderService:
    """Plays requests on live battles."""

    def __init__(self, battles: LiveBattles) -> None:
        self.battles = battles
        self.store = battles.store
        self._tasks: set[asyncio.Task[None]] = set()
        battles.listeners.append(self._after)

    async def orders(self, orders: OrderRequest, key: str = "", question: str = "") -> RequestAnswer:
        """Play a request, or continue one that came before; without `key` it is a new one. A new one that answers a
        `question` (`question_of`) is only played while it is open.

        Raises: QuestionClosed; Refusal core.key-reused, core.stale, core.preview-only …; scripts.Unreadable; StoreError
        """
        live = await self.battles.get(orders.battle)
        async with live.lock:
            await live.freshen()
            body = body_of(orders)
            find = partial(self._known, orders, key, body) if key else None
            name = key or new_secret(self.battles.entropy)
            return await Run(
                live, orders, Ledger(live, orders, name, body, may_forget=not key, find=find), question
            ).whole()

    def _known(self, orders: OrderRequest, key: str, body: bytes) -> Request | None:
        """An earlier request with this key: kept whole, or known by its only order."""
        id_ = command_id(orders.player, key, 1)
        if not requests.is_known(self.store, orders.player, key, id_):
            return None
        known = requests.find(self.store, orders.player, key)
        if known is None:
            first = requests.command(self.store, id_)
            known = first and Request(orders.player, key, first.digest, body, True)
        return known

    async def resume(self) -> int:
        """At start, continue requests cut by a crash and parked scripts whose answer has come; returns their number."""
        resumed = 0
        for request in requests.unfinished(self.store):
            orders = ORDER_REQUEST.decode(request.body)
            try:
                live = await self.battles.get(orders.battle)
                resumed += await self._go_on(live, orders.side, request)
            except Refusal as refusal:
                log.warning("a request in %s could not be resumed: %s", orders.battle, refusal)
            except Exception:
                log.exception("a request in %s could not be resumed", orders.battle)
        return resumed

    async def close(self) -> None:
        """Wait for background work to end, that which it begins included. A task that is done may not have left the set
        yet: from Python 3.14 on, waiting for such ones alone lets nothing else happen."""
        while going := [task for task in self._tasks if not task.done()]:
            await asyncio.wait(going)

    # --- parked scripts

    def _after(self, live: LiveBattle, batch: Batch) -> None:
        """After each append, continue a parked script if it can."""
        for side in tuple(live.parked):
            if not live.asks_another(side):
                task = asyncio.ensure_future(self._parked(live, side))
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)

    async def _parked(self, live: LiveBattle, side: str) -> None:
        try:
            script = live.parked.get(side)
            request = script and requests.find(self.store, script.account, script.key)
            if request:
                await self._go_on(live, side, request)
        except Exception:
            log.exception("a parked script in %s could not go on", live.id)

    async def _go_on(self, live: LiveBattle, side: str, request: Request) -> bool:
        async with live.lock:
            await live.freshen()
            script = live.parked.get(side)
            is_parked = script is not None and (script.account, script.key) == (request.account, request.key)
            if is_parked and live.asks_another(side):
                return False
            found = requests.find(self.store, request.account, request.key)
            if found is None or found.done:
                return False
            orders, tells = ORDER_REQUEST.decode(found.body), self.battles.letters is not None
            await Run(live, orders, Ledger(live, orders, found.key, found.body, found, tells=tells)).whole(goes_on=True)
            return True
