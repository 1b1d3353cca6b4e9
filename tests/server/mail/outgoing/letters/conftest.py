"""An office for each test, on a folder of its own."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.support.letter_writing import Office, opened


@pytest.fixture
async def office(tmp_path: Path) -> AsyncIterator[Office]:
    """An office whose battle has begun: south is to move."""
    async with opened(tmp_path / "data") as running:
        await running.begin()
        yield running
