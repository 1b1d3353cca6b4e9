"""The service manager is told how the server does, over its datagram socket."""

import socket
from pathlib import Path

import pytest

from server.settings import Unusable
from server.web.supervision import Supervision

OURS = 4711


def listening(address: str) -> socket.socket:
    ear = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    ear.bind(f"\0{address[1:]}" if address.startswith("@") else address)
    ear.setblocking(False)
    return ear


@pytest.mark.parametrize("abstract", [False, True])
async def test_the_manager_is_told_in_one_message(tmp_path: Path, abstract: bool) -> None:
    address = f"@{tmp_path}" if abstract else str(tmp_path / "notify")
    with listening(address) as ear:
        environment = {"NOTIFY_SOCKET": address, "WATCHDOG_USEC": "60000000", "OTHER": "stays"}
        supervision = Supervision.found(environment, OURS)
        supervision.ready(lambda: "2 connections.")
        assert ear.recv(4096) == b"READY=1\nMAINPID=4711\nSTATUS=2 connections."
        supervision.stopping()
        assert ear.recv(4096).startswith(b"STOPPING=1\n")
    assert environment == {"OTHER": "stays"}


async def test_a_manager_that_has_gone_is_no_fault(tmp_path: Path) -> None:
    supervision = Supervision(str(tmp_path / "nobody"))
    supervision.ready(lambda: "")
    supervision.stopping()


async def test_without_a_manager_nothing_is_said() -> None:
    supervision = Supervision.found({}, OURS)
    supervision.ready(lambda: pytest.fail("nobody asks how it does"))
    supervision.stopping()


def test_an_address_that_is_none_is_refused() -> None:
    with pytest.raises(Unusable, match="NOTIFY_SOCKET"):
        Supervision.found({"NOTIFY_SOCKET": "notify"}, OURS)
