"""One run: from a setting to what has come of it."""

import logging
import shutil
import sys
import tempfile
import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from msgspec import Struct

from tests.simulation.checks import Checks
from tests.simulation.cups import Cups
from tests.simulation.loop import Stuck
from tests.simulation.people import Crowd
from tests.simulation.post import Post
from tests.simulation.world import DAY_S, Broken, Setting, World
from tests.support.memory import IN_MEMORY, is_fit

CUPS = 0.5
"""The part of the seeds with a cup."""
LOGGED = ("server", "projections", "replay", "aiohttp", "asyncio")


class Outcome(Struct, frozen=True):
    """What has come of a run: `broken` the invariant that does not hold and why, "" if all hold; `recent` the last
    actions; `battle_days` the virtual days of all battles until their end; `ended_s` the
    seconds that it lasted."""

    setting: Setting
    steps: int
    trace: str
    count: dict[str, int]
    battle_days: float
    cpu_s: float
    ended_s: float
    broken: str = ""
    said: str = ""
    recent: tuple[str, ...] = ()


def live(setting: Setting) -> Outcome:
    """Run it through, in a folder of its own, which is removed."""
    folder = Path(tempfile.mkdtemp(prefix="phalera-simulation-", dir=IN_MEMORY if is_fit(IN_MEMORY) else None))
    begun = time.process_time()
    broken: Broken | None = None
    try:
        post = Post() if setting.mail else None
        world = World(setting, folder, post)
        with _watched(world):
            try:
                _live(world, post)
            except Broken as failure:
                broken = failure
            except Stuck as failure:
                broken = Broken("SIM-HURT", str(failure))
            finally:
                world.battle_s = world.battle_s or world.now_s
                if world.host is not None:
                    world.host.lose_power(folder / "last")
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    said = (broken.invariant, broken.said) if broken else ("", "")
    return Outcome(
        setting,
        world.steps,
        world.trace.hexdigest(),
        dict(sorted(world.count.items())),
        world.battle_s / DAY_S,
        time.process_time() - begun,
        world.now_s,
        *said,
        tuple(world.recent),
    )


def _live(world: World, post: Post | None) -> None:
    if post is not None:
        post.world = world
    world.start()
    rates, world.rates = world.rates, Counter()  # type: ignore[assignment]  # nothing goes wrong on the first day
    crowd = Crowd(world)
    checks = Checks(world, crowd, post)
    world.rates = {kind: rates[kind] if kind == "vanish" else 0.0 for kind in rates}
    crowd.begin()
    if post is not None:
        post.begin(crowd)
    cups = Cups(world, crowd) if setting_has_cup(world) else None
    if cups is not None:
        cups.begin()
    world.rates = rates
    world.run()
    checks.at_the_end()
    if cups is not None:
        cups.at_the_end()
    world.battle_s = checks.battle_s()


def setting_has_cup(world: World) -> bool:
    """Whether there is a cup: by its seed, unless campaigns are left out."""
    return world.setting.campaigns and world.chance("has a cup").random() < CUPS


@contextmanager
def _watched(world: World) -> Iterator[None]:
    """Hear what the server logs of its own faults, and keep the rest quiet."""
    loggers = [logging.getLogger(name) for name in LOGGED]
    before = [(logger.level, logger.propagate) for logger in loggers]
    hook: Callable[[Any], Any] = sys.unraisablehook
    sys.unraisablehook = lambda _: None  # coroutines of a process that is gone
    for logger in loggers:
        logger.addHandler(world.faults)
        logger.propagate = False
        logger.setLevel(logging.ERROR)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)  # what such a process never began
            yield
    finally:
        sys.unraisablehook = hook
        for logger, (level, propagates) in zip(loggers, before, strict=True):
            logger.removeHandler(world.faults)
            logger.setLevel(level)
            logger.propagate = propagates
