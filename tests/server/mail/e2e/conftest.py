"""Mail programs for the tests of this folder; where one is missing its tests say so and are skipped."""

from collections.abc import Iterator
from typing import NamedTuple

import pytest

from tests.mailhost.dovecot import Dovecot, dovecot
from tests.mailhost.loopback import HOST, Absent, common_folder, require
from tests.mailhost.postfix import Postfix, postfix


class Programs(NamedTuple):
    """Postfix and Dovecot without Phalera: mail for `players.test` goes to mailboxes."""

    dovecot: Dovecot
    postfix: Postfix


@pytest.fixture(scope="session")
def everything() -> None:
    """All programs that the tests need. With CI=true a skip is a failure (`tests.__main__`)."""
    try:
        require("postfix", "dovecot", "mutt", "script", "swaks", "s-nail")
    except Absent as absent:
        pytest.skip(str(absent))


@pytest.fixture(scope="session")
def programs(everything: None) -> Iterator[Programs]:
    """They run until the last test that uses them is over."""
    with common_folder("programs") as folder, dovecot(folder / "dovecot") as boxes:
        routes = {"players.test": f"lmtp:[{HOST}]:{boxes.lmtp_port}"}
        with postfix(folder / "postfix", routes) as mta:
            yield Programs(boxes, mta)
