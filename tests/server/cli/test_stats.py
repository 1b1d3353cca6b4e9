"""`phalera stats` tells many files one after another, and leaves out those that cannot be read."""

import gc
import json
import os
import tracemalloc
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from pathlib import Path

import pytest
from typer.testing import CliRunner

from server.cli.main import main
from tests.support.tiny import ended_battle, ended_file

FORMS = ((), ("--json",), ("--csv",))


@pytest.mark.parametrize("form", FORMS, ids=" ".join)
def test_a_file_that_cannot_be_read_is_named_and_the_others_are_told(tmp_path: Path, form: tuple[str, ...]) -> None:
    (tmp_path / "good.battle").write_bytes(ended_file())
    (tmp_path / "bad.battle").write_bytes(b"{}\n")
    (tmp_path / "last.battle").write_bytes(ended_battle("other").file())
    files = [str(tmp_path / f"{name}.battle") for name in ("good", "bad", "none", "last")]
    told = CliRunner().invoke(main, ["stats", *files, *form])
    assert told.exit_code == 1
    assert [line.split(":")[0] for line in told.stderr.splitlines()] == ["phalera", "phalera"]
    assert "bad.battle" in told.stderr and "none.battle" in told.stderr
    alone = [CliRunner().invoke(main, ["stats", file, *form]).stdout for file in (files[0], files[3])]
    if "--json" in form:
        assert json.loads(told.stdout) == json.loads(alone[0]) | json.loads(alone[1])
    elif "--csv" in form:
        assert told.stdout.splitlines() == [*alone[0].splitlines(), *alone[1].splitlines()[1:]]
    else:
        assert told.stdout == "".join(alone)


@pytest.mark.parametrize("form", FORMS, ids=" ".join)
def test_no_readable_file_is_an_empty_answer(tmp_path: Path, form: tuple[str, ...]) -> None:
    told = CliRunner().invoke(main, ["stats", str(tmp_path / "none"), *form])
    assert told.exit_code == 2
    assert json.loads(told.stdout) == {} if "--json" in form else len(told.stdout.splitlines()) == len(form)


@pytest.mark.slow
@pytest.mark.parametrize("form", FORMS, ids=" ".join)
def test_ten_times_the_files_take_no_more_memory(tmp_path: Path, form: tuple[str, ...]) -> None:
    files = [tmp_path / f"{number}.battle" for number in range(100)]
    for path in files:
        path.write_bytes(ended_file())
    peaks: dict[int, int] = {}
    with Path(os.devnull).open("w") as nowhere, redirect_stdout(nowhere), eager_collections():
        for count in (10, 10, 100):  # the first fills caches
            tracemalloc.start()
            assert main(["stats", *map(str, files[:count]), *form], standalone_mode=False) == 0
            peaks[count] = tracemalloc.get_traced_memory()[1]
            tracemalloc.stop()
    assert peaks[100] - peaks[10] < 90 * len(ended_file())  # less than the text of the files, let alone their events


@contextmanager
def eager_collections() -> Iterator[None]:
    """Garbage is collected at once: a peak is of what is held, whatever earlier tests have left."""
    usual = gc.get_threshold()
    gc.collect()
    gc.freeze()
    gc.set_threshold(200, 1, 1)
    try:
        yield
    finally:
        gc.set_threshold(*usual)
        gc.unfreeze()
