"""A flag that falls on a server of a test."""

from server.play.live_battle import LiveBattle
from server.time import deadlines
from tests.support.clock import ManualClock
from tests.support.serving import RunningServer


async def run_out(server: RunningServer, live: LiveBattle, hours: int = 3) -> None:
    """Let time pass, and the flags fall that are due then."""
    clock = server.running.machine
    assert isinstance(clock, ManualClock)
    clock.wait(hours=hours)
    async with live.lock:
        await deadlines.put_right(live, live.now(), ())
