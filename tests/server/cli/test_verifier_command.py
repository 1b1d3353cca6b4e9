"""`phalera verifier`: the one file that verifies, on a disk."""

import hashlib
from pathlib import Path

from server.web.pages.verifier import verifier_page
from tests.server.cli.test_cli import phalera


def test_it_writes_the_file_and_says_its_hash(tmp_path: Path) -> None:
    path = tmp_path / "verifier.html"
    told = phalera("verifier", "--out", path)
    assert told.code == 0 and path.read_bytes() == verifier_page()
    assert hashlib.sha256(path.read_bytes()).hexdigest() in told.out


def test_a_file_of_another_release_is_kept_unless_one_says_so(tmp_path: Path) -> None:
    path = tmp_path / "verifier.html"
    path.write_text("another")
    assert phalera("verifier", "--out", path).code != 0 and path.read_text() == "another"
    assert phalera("verifier", "--out", path, "--force").code == 0
    assert path.read_bytes() == verifier_page()
