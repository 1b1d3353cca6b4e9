"""A listening socket that was passed on is taken over; what is none is refused."""

import os
import socket
from pathlib import Path

import pytest

from server.settings import Unusable
from server.web.activation import take_sockets

OURS = 4711


def passed(**more: str) -> dict[str, str]:
    return {"LISTEN_PID": str(OURS), "LISTEN_FDS": "1", "OTHER": "stays", **more}


def test_a_socket_that_was_passed_on_is_taken_over_once() -> None:
    environment = passed(LISTEN_FDNAMES="phalera.socket")
    with socket.create_server(("127.0.0.1", 0)) as held:
        (taken,) = take_sockets(environment, OURS, first=os.dup(held.fileno()))
        with taken:
            assert taken.getsockname() == held.getsockname()
            assert not taken.get_inheritable()
    assert environment == {"OTHER": "stays"}
    assert take_sockets(environment, OURS) == ()


@pytest.mark.parametrize("variables", [{"LISTEN_PID": "1"}, {"LISTEN_PID": ""}, {"LISTEN_FDS": "x"}])
def test_what_is_passed_to_another_process_is_left_alone(variables: dict[str, str]) -> None:
    assert take_sockets(passed(**variables), OURS, first=99_999) == ()


def test_what_is_no_listening_tcp_socket_is_refused(tmp_path: Path) -> None:
    local = socket.socket(socket.AF_UNIX)
    local.bind(str(tmp_path / "socket"))
    local.listen()
    idle, datagrams = socket.socket(), socket.socket(type=socket.SOCK_DGRAM)
    for held in (local, idle, datagrams):
        with held, pytest.raises(Unusable, match="not a listening TCP socket"):
            take_sockets(passed(), OURS, first=os.dup(held.fileno()))
    number = os.open(tmp_path, os.O_RDONLY)
    with pytest.raises(Unusable, match="is not a socket"):
        take_sockets(passed(), OURS, first=number)
    os.close(number)
