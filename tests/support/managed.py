"""A service manager for tests: it holds the listening socket, starts servers on it, and hears what they say."""

import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

from tests.support.waiting import until

CHILD = """
import os, sys
os.environ["LISTEN_PID"] = os.environ["WATCHDOG_PID"] = str(os.getpid())
os.dup2(int(sys.argv[1]), 3)
os.set_inheritable(3, True)
from server import logs
from server.settings import Settings
from server import assembly
logs.configure("json", "warning")
assembly.run(Settings.at(port=1))
"""
"""Becomes a server as under systemd. The port of its own settings could not be bound by most."""


class Manager:
    """Keeps one listening socket, and starts one server after the other on it."""

    def __init__(self, folder: Path, watch_us: int = 400_000) -> None:
        self._folder = folder
        self._watch_us = watch_us
        self._path = folder / "notify"
        self.log = folder / "log"
        self._heard: list[str] = []
        self._ear = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._ear.bind(str(self._path))
        self._ear.setblocking(False)
        self.listening = socket.create_server(("127.0.0.1", 0), backlog=4096)
        self.port: int = self.listening.getsockname()[1]

    def start(self) -> "subprocess.Popen[bytes]":
        """A server, which may not be ready yet."""
        number = self.listening.fileno()
        environment = {
            **os.environ,
            "LISTEN_FDS": "1",
            "NOTIFY_SOCKET": str(self._path),
            "WATCHDOG_USEC": str(self._watch_us),
            "PHALERA_DATA": str(self._folder / "data"),
            "PYTHONPATH": os.getcwd(),
        }
        with open(self.log, "ab") as log:
            return subprocess.Popen(
                [sys.executable, "-c", CHILD, str(number)],
                env=environment,
                stdout=subprocess.DEVNULL,
                stderr=log,
                pass_fds=(number,),
            )

    def heard(self) -> list[str]:
        """All lines that servers have said, those of one message after those of the one before."""
        while True:
            try:
                self._heard += self._ear.recv(4096).decode().splitlines()
            except BlockingIOError:
                return self._heard

    def wait_for(self, line: str, times: int = 1) -> None:
        """Wait until a line has been said a number of times."""
        until(f"{line}, {times} times", lambda: self.heard().count(line) >= times, lambda: str(self._heard))

    def stop(self, server: "subprocess.Popen[bytes]") -> int:
        """End a server as systemd does; gives its exit code."""
        server.send_signal(signal.SIGTERM)
        until("the end", lambda: self.heard() and server.poll() is not None)
        return server.returncode

    def close(self) -> None:
        """Listen no longer."""
        self.listening.close()
        self._ear.close()
