"""Runs work that takes long outside the process that serves: bots' thoughts, previews, pictures.

The interpreter lets one thread of a process compute at a time, so a thread for long work would hold up everybody. A
`Runner` takes a function of a module and its arguments, plain values that can be sent; the function must not depend on
anything else in memory. `Inline` computes at once, where nobody else waits: tests, commands, simulations.
"""

from collections.abc import Callable
from typing import Any, Protocol, TypeVar

from msgspec import Struct

T = TypeVar("T")


class Busy(Exception):
    """Too much work is waiting already, or this work was given up: it may be asked for again later."""


class Runner(Protocol):
    """Runs functions somewhere."""

    async def run(self, job: Callable[..., T], *given: Any) -> T:
        """The result of a function.

        Raises: what the function raises; Busy
        """

    async def close(self) -> None:
        """Give up what is running; nothing can be run afterwards."""


class Inline:
    """Runs functions here and now."""

    async def run(self, job: Callable[..., T], *given: Any) -> T:
        """The result of a function."""
        return job(*given)

    async def close(self) -> None:
        """Nothing runs."""


class Workers(Struct, frozen=True):
    """Where long work runs: previews, which people wait for; pictures; and what may take its time (bots, letters)."""

    people: Runner
    pictures: Runner
    background: Runner

    async def close(self) -> None:
        """Give up what is running."""
        await self.people.close()
        await self.pictures.close()
        await self.background.close()


INLINE = Workers(Inline(), Inline(), Inline())
