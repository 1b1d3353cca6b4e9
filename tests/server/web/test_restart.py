"""Under a service manager that holds the socket a restart refuses nobody, and the manager hears how the server does."""

import http.client
import threading
import time
from collections import Counter
from pathlib import Path

import pytest

from tests.support.managed import Manager
from tests.support.waiting import LIMIT_S, until

EVERY_S = 0.05
"""Twenty questions a second."""


class Asker(threading.Thread):
    """Asks again and again, by new connections or by one that is kept; counts what comes back."""

    def __init__(self, port: int, keeps: bool) -> None:
        super().__init__(daemon=True)
        self.answers: Counter[str] = Counter()
        self.ended = threading.Event()
        self._port = port
        self._keeps = keeps
        self._way: http.client.HTTPConnection | None = None

    def run(self) -> None:
        """Ask until told to end."""
        while not self.ended.wait(EVERY_S):
            try:
                self.answers[str(self._ask())] += 1
            except (OSError, http.client.HTTPException) as failure:
                self.answers[repr(failure)] += 1
                self._close()
        self._close()

    def _close(self) -> None:
        if self._way is not None:
            self._way.close()
        self._way = None

    def _ask(self) -> int:
        way = self._way or http.client.HTTPConnection("127.0.0.1", self._port, timeout=LIMIT_S)
        way.request("GET", "/api/v1/battles")
        answer = way.getresponse()
        answer.read()
        self._way = way
        if answer.will_close or not self._keeps:
            self._close()
        return answer.status


@pytest.mark.slow
def test_a_restart_refuses_no_request(tmp_path: Path) -> None:
    manager = Manager(tmp_path)
    server = manager.start()
    askers = [Asker(manager.port, keeps) for keeps in (False, True)]
    try:
        manager.wait_for("READY=1")
        for asker in askers:
            asker.start()
        for restarts in range(2, 4):
            so_far = [sum(asker.answers.values()) for asker in askers]
            asked = lambda before=so_far: all(  # noqa: E731  # of these figures, not of later ones
                sum(asker.answers.values()) >= count + 10 for asker, count in zip(askers, before, strict=True)
            )
            until("ten questions each", asked)
            assert manager.stop(server) == 0, manager.log.read_text()
            time.sleep(2 * EVERY_S)  # some come while nobody is there
            server = manager.start()
            manager.wait_for("READY=1", restarts)
        for asker in askers:
            asker.ended.set()
            asker.join(LIMIT_S)
        assert [set(asker.answers) for asker in askers] == [{"200"}, {"200"}], [asker.answers for asker in askers]
    finally:
        server.kill()
        server.wait()
        manager.close()


@pytest.mark.slow
def test_the_manager_hears_that_the_server_is_ready_alive_and_stopping(tmp_path: Path) -> None:
    manager = Manager(tmp_path)
    server = manager.start()
    try:
        manager.wait_for("WATCHDOG=1", 2)
        assert manager.stop(server) == 0
        said = manager.heard()
        assert said[:2] == ["READY=1", f"MAINPID={server.pid}"]
        assert "STATUS=0 connections, 0 streams." in said
        assert said[-2:] == ["STOPPING=1", "STATUS=Requests and letters are being finished."]
    finally:
        server.kill()
        server.wait()
        manager.close()
