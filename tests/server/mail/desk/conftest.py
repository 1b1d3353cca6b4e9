"""A desk for each test, on a folder of its own."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.server.mail.desk.desking import Counter, counter_at


@pytest.fixture
async def counter(tmp_path: Path) -> AsyncIterator[Counter]:
    """A desk, and two players with addresses."""
    async with counter_at(tmp_path / "data") as open_:
        yield open_
