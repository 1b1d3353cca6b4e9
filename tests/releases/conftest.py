"""Each kept archive, unpacked once for all tests that only read it."""

from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from tests.releases.keeping import Kept, archives, unpacked


@pytest.fixture(scope="session")
def read_only(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Path], Kept]:
    """An archive, unpacked where nothing is written."""
    return cache(lambda archive: unpacked(archive, tmp_path_factory.mktemp("kept") / "data"))


@pytest.fixture(params=archives(), ids=lambda archive: archive.name.partition(".tar")[0])
def archive(request: pytest.FixtureRequest) -> Path:
    """Each archive in its turn."""
    return Path(request.param)


@pytest.fixture
def kept(archive: Path, read_only: Callable[[Path], Kept]) -> Kept:
    """Each archive, to be read."""
    return read_only(archive)
