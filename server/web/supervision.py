"""Tell the service manager how the server does (systemd, `sd_notify(3)`): ready, at work, stopping.

Where the manager watches (`WatchdogSec=`), the event loop says twice in that time that it goes round. A loop that hangs
says nothing, and the manager starts the server anew.
"""

import asyncio
import logging
import os
import socket
from collections.abc import Callable, MutableMapping

from server.settings import Unusable

log = logging.getLogger(__name__)

STATUS_S = 30.0
"""How often the status is told where nobody watches."""
PATIENCE_S = 0.5
"""How long a message may wait for the manager, who usually takes it at once."""


class Supervision:
    """The way to the service manager: an address of a datagram socket, "" if there is none, and how long it waits for a
    sign of life (0: it does not watch). `process` is named as the one that serves."""

    def __init__(self, address: str = "", watch_s: float = 0.0, process: int = 0) -> None:
        self._address = f"\0{address[1:]}" if address.startswith("@") else address
        self._every_s = watch_s / 2 or STATUS_S
        self._watched = watch_s > 0
        self._process = process or os.getpid()
        self._telling: asyncio.Task[None] | None = None

    @classmethod
    def found(cls, environment: MutableMapping[str, str], process: int) -> "Supervision":
        """The manager that the environment names. The variables do not reach the processes that the server starts.

        Raises: Unusable for an address that is none
        """
        names = ("NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID")
        address, watch_us, watched = [environment.pop(name, "") for name in names]
        if address and address[0] not in "/@":
            raise Unusable("NOTIFY_SOCKET is neither a path nor the name of an abstract socket.")
        is_ours = watched in ("", str(process)) and watch_us.isdecimal()
        return cls(address, int(watch_us) / 1_000_000 if is_ours else 0.0, process)

    def ready(self, status: Callable[[], str]) -> None:
        """Say that the server serves, and from now on how it does: `status` is a short sentence."""
        if self._address:
            self.tell("READY=1", f"MAINPID={self._process}", f"STATUS={status()}")
            self._telling = asyncio.ensure_future(self._go_on(status))

    def stopping(self) -> None:
        """Say that the server ends; from then on nobody watches."""
        if self._telling is not None:
            self._telling.cancel()
        self.tell("STOPPING=1", "STATUS=Requests and letters are being finished.")

    async def _go_on(self, status: Callable[[], str]) -> None:
        while True:
            await asyncio.sleep(self._every_s)
            self.tell(*(["WATCHDOG=1"] if self._watched else []), f"STATUS={status()}")

    def tell(self, *lines: str) -> None:
        """Send lines in one message. A manager that cannot be reached is no fault of the server."""
        if not (self._address and lines):
            return
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as way:
                way.settimeout(PATIENCE_S)
                way.sendto("\n".join(lines).encode(), self._address)
        except OSError as reason:
            log.debug("the service manager cannot be told: %s", reason.strerror)
