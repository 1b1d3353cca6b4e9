"""An event loop whose time costs nothing, and whose tasks go on in an order that a seed draws.

It waits for no file, socket or thread: what is given to a thread is done at once, in the loop's own. Callbacks are
called in the order in which they were asked for, as asyncio promises it; of tasks that could go on, which nobody
promises anything, the seed says which does first. A loop can be cut between any two callbacks: nothing of it goes on
then, as if the machine had lost its power.
"""

import asyncio
import gc
import heapq
import random
from asyncio import base_events, events
from collections import deque
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

T = TypeVar("T")

RING_S = 60.0
"""A timer that was set for so long, or less, may be a look whether there is anything to do."""
QUIET_S = 3.0
"""How long after anything has happened each look is taken when it is due."""
MOST_CALLBACKS = 2_000_000
"""More of them at one moment: the server turns in a circle."""


class Cut(Exception):
    """The process is gone."""


class Stuck(Exception):
    """What was waited for cannot come any more, or callbacks come without end."""


class SimulatedTime:
    """The seconds that have passed since the start, through all loops of a run."""

    def __init__(self) -> None:
        self.now_s = 0.0


class SimulatedLoop(base_events.BaseEventLoop):
    """One process's loop. `horizon` says the next moment at which something is due, by what the server has noted: the
    looks before it that could not find anything are not taken, once nothing has happened for `QUIET_S`."""

    _ready: deque[Any]
    _scheduled: list[Any]
    _timer_cancelled_count: int

    def __init__(self, time: SimulatedTime, order: random.Random, horizon: Callable[[], float]) -> None:
        super().__init__()
        self._time = time
        self._order = order
        self.is_shuffled = True
        self.horizon = horizon
        self.fuse = 0
        """After so many callbacks the loop is cut; 0: it is not."""
        self.failures: list[dict[str, Any]] = []
        self.callbacks = 0
        self._stirred_s = time.now_s
        self._cut = False
        self.set_exception_handler(lambda _, context: self.failures.append(context))

    # --- what asyncio asks of a loop

    def time(self) -> float:
        """The seconds of the simulation."""
        return self._time.now_s

    def run_in_executor(self, executor: Any, func: Callable[..., T], *args: Any) -> "asyncio.Future[T]":  # type: ignore[override]
        """Do it now; who waits for it learns of it when it is their turn."""
        future: asyncio.Future[T] = self.create_future()
        if self._cut:
            return future
        try:
            self.call_soon(_settle, future, func(*args), None)
        except Exception as failure:
            self.call_soon(_settle, future, None, failure)
        return future

    def call_soon(self, callback: Any, *args: Any, context: Any = None) -> events.Handle:  # type: ignore[override]
        """As asyncio does it, unless the process is gone."""
        if self._cut:
            return events.Handle(callback, args, self, context)
        return super().call_soon(callback, *args, context=context)

    call_soon_threadsafe = call_soon  # type: ignore[assignment]  # there is no other thread

    def _process_events(self, event_list: Any) -> None:
        raise NotImplementedError

    def _write_to_self(self) -> None:
        raise NotImplementedError

    # --- going on

    def stir(self) -> None:
        """Something has happened: every look is taken when it is due, for a while."""
        self._stirred_s = self._time.now_s

    def go(self, until_s: float, done: Callable[[], bool] = lambda: False) -> None:
        """Go on until a moment, or until it is `done`.

        Raises: Cut where the fuse has burnt down; Stuck
        """
        before = events._get_running_loop()
        events._set_running_loop(self)
        try:
            at_once = 0
            while not done():
                self._ring()
                if not self._ready:
                    if not self._sleep(until_s):
                        return
                    at_once = 0
                    continue
                at_once += 1
                if at_once > MOST_CALLBACKS:
                    raise Stuck(f"{at_once} callbacks at one moment")
                self._call()
        finally:
            events._set_running_loop(before)

    def do(self, work: Coroutine[Any, Any, T], within_s: float = 3600.0) -> T:
        """Do something, and return what it returns.

        Raises: what it raises; Cut; Stuck if it does not end
        """
        task = self.create_task(work)
        self.go(self._time.now_s + within_s, task.done)
        if not task.done():
            task.cancel()
            self.go(self._time.now_s, task.done)
            raise Stuck(f"{work} does not end")
        return task.result()

    def _call(self) -> None:
        if self.fuse:
            self.fuse -= 1
            if not self.fuse:
                raise Cut
        handle: Any = self._next()
        if not handle._cancelled:
            self.callbacks += 1
            handle._run()

    def _next(self) -> Any:
        """The next callback; if it lets a task go on, one of those that could."""
        ready = self._ready
        if self.is_shuffled and len(ready) > 1 and _is_step(ready[0]):
            steps = 1
            while steps < len(ready) and _is_step(ready[steps]):
                steps += 1
            chosen = self._order.randrange(steps)
            handle = ready[chosen]
            del ready[chosen]
            return handle
        return ready.popleft()

    def _ring(self) -> None:
        """Let the timers ring whose moment has come."""
        while self._scheduled and (self._scheduled[0]._cancelled or self._scheduled[0]._when <= self._time.now_s):
            timer = heapq.heappop(self._scheduled)
            timer._scheduled = False
            if not timer._cancelled:
                self._ready.append(timer)
            else:
                self._timer_cancelled_count = max(0, self._timer_cancelled_count - 1)

    def _sleep(self, until_s: float) -> bool:
        """Let time pass until the next timer; False if none rings before `until_s`, which it is then."""
        now_s = self._time.now_s
        end_s = min(until_s, self._scheduled[0]._when if self._scheduled else until_s)
        if end_s - self._stirred_s >= QUIET_S and now_s < until_s:
            end_s = max(end_s, self._sleep_over_looks(until_s))
        self._time.now_s = max(now_s, end_s)
        return bool(self._scheduled) and self._scheduled[0]._when <= until_s

    def _sleep_over_looks(self, until_s: float) -> float:
        """The moment until which nobody has to look; the looks before it are put off until then."""
        horizon_s = max(self.horizon(), self._time.now_s)
        looks = [timer for timer in self._scheduled if timer._when < min(until_s, horizon_s)]
        firm = [timer._when for timer in looks if timer._when - timer.set_s > RING_S and not timer._cancelled]
        end_s = min([until_s, horizon_s, *firm])
        for timer in looks:
            timer._when = max(timer._when, end_s)
        heapq.heapify(self._scheduled)
        return end_s

    def call_at(  # type: ignore[override]
        self, when: float, callback: Any, *args: Any, context: Any = None
    ) -> asyncio.TimerHandle:
        """As asyncio does it, with a note of when it was set."""
        if self._cut:
            return events.TimerHandle(when, callback, args, self, context)
        timer = _Timer(when, callback, args, self, context)
        timer.set_s = self._time.now_s
        heapq.heappush(self._scheduled, timer)
        timer._scheduled = True
        return timer

    def cut(self) -> None:
        """Lose everything: no callback is called any more, no task goes on, nothing is finished."""
        self._cut = True
        self._ready.clear()
        self._scheduled.clear()
        for task in asyncio.all_tasks(self):
            task._log_destroy_pending = False  # type: ignore[attr-defined]
        self.close()


class _Timer(events.TimerHandle):
    """A timer that knows when it was set."""

    __slots__ = ("set_s",)
    set_s: float
    _scheduled: bool


def _settle(future: "asyncio.Future[Any]", result: Any, failure: Exception | None) -> None:
    if future.done():
        return
    if failure is None:
        future.set_result(result)
    else:
        future.set_exception(failure)


def _is_step(handle: Any) -> bool:
    return isinstance(getattr(handle._callback, "__self__", None), asyncio.Task)


def collect() -> None:
    """Forget what a cut loop has left, now and not in the middle of something else."""
    gc.collect()
