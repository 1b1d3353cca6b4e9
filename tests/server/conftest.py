"""A server for each test, on a folder of its own."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.support.serving import RunningServer, serving


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[RunningServer]:
    """A running server."""
    async with serving(tmp_path / "data") as running:
        yield running
