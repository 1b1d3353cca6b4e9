"""Take over listening sockets that the service manager holds (systemd, `sd_listen_fds(3)`).

The manager keeps them open while the server is restarted, so connections wait in their queue and none is refused.
"""

import os
import socket
from collections.abc import MutableMapping

from server.settings import Unusable

FIRST = 3
"""The number of the first file that is passed on."""
NAMES = ("LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES")


def take_sockets(environment: MutableMapping[str, str], process: int, first: int = FIRST) -> tuple[socket.socket, ...]:
    """The sockets passed to this process, in order; () if there are none. Neither they nor the variables that tell of
    them reach the processes it starts.

    Raises: Unusable for what is no listening TCP socket
    """
    meant, count, *_ = [environment.pop(name, "") for name in NAMES]
    if meant != str(process) or not count.isdecimal():
        return ()
    return tuple(_listening(number) for number in range(first, first + int(count)))


def _listening(number: int) -> socket.socket:
    try:
        os.set_inheritable(number, False)
        taken = socket.socket(fileno=number)
    except OSError as reason:
        raise Unusable(f"File {number}, passed by the service manager, is not a socket: {reason.strerror}.") from None
    if not _is_listening(taken):
        taken.close()
        raise Unusable(
            f"File {number}, passed by the service manager, is not a listening TCP socket:"
            " ListenStream= of the socket unit is a port, or an address and a port."
        )
    taken.setblocking(False)
    return taken


def _is_listening(taken: socket.socket) -> bool:
    if taken.family not in (socket.AF_INET, socket.AF_INET6) or taken.type != socket.SOCK_STREAM:
        return False
    return bool(taken.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN))
