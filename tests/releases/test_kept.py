"""Every state that ever wrote a format has its kept folder, and so has every release."""

import re
from pathlib import Path

import pytest

from domain.log import record
from server.store import schema
from tests.releases.keeping import archives, described, keep, unpacked
from tests.releases.making import Release, exports, make

ROOT = Path(__file__).parents[2]
MADE = [described(path) for path in archives()]
FIRST_KEPT = (0, 3, 0)
"""The first release; what was before has no section in the changelog."""
LARGEST, ALL_OF_THEM = 200_000, 2_000_000
"""Bytes of an archive, and of all."""


def releases() -> list[str]:
    """The releases in the changelog."""
    found = re.findall(r"^## \[(\d+)\.(\d+)\.(\d+)\]", (ROOT / "CHANGELOG.md").read_text(), re.M)
    return [".".join(numbers) for numbers in found if tuple(map(int, numbers)) >= FIRST_KEPT]


def test_every_release_has_its_folder() -> None:
    missing = set(releases()) - {made.release for made in MADE}
    assert not missing, f"{sorted(missing)}: run `python -m tests.releases make` and commit what it writes"


def test_every_format_up_to_the_newest_that_is_kept_has_a_folder() -> None:
    stores, files = {made.store for made in MADE}, {made.files for made in MADE}
    assert stores >= set(range(1, 12))
    assert max(stores) <= schema.VERSION
    assert files >= set(range(record.FIRST_VERSION, record.OPENED))
    assert max(files) <= record.VERSION


def test_every_folder_has_what_is_needed_of_it() -> None:
    for made in MADE:
        assert {"ended", "waiting", "hidden"} <= made.battles.keys()
        assert re.fullmatch(r"[0-9a-f]{40}", made.commit)


@pytest.mark.slow
def test_the_release_of_today_can_be_kept(tmp_path: Path) -> None:
    release = Release(ROOT, tmp_path / "data", ("--host", "kept.test", "--seed", "kept"))
    battles = make(release)
    files = exports(release, battles)
    archive = keep(release.data, files, battles, "9.9.9", "0" * 40, tmp_path)
    kept = unpacked(archive, tmp_path / "unpacked")
    assert (kept.made.store, kept.made.files) == (schema.VERSION, record.OPENED)
    assert kept.files == files
    assert battles.keys() == {"ended", "waiting", "hidden", "dice"}


def test_the_folders_are_small() -> None:
    sizes = [path.stat().st_size for path in archives()]
    assert max(sizes) < LARGEST
    assert sum(sizes) < ALL_OF_THEM
