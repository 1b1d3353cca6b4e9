"""The command `phalera` of this release, run in this process."""

from typing import NamedTuple

from typer.testing import CliRunner

from server.cli.main import main


class Said(NamedTuple):
    """What a command has printed, and its exit code."""

    code: int
    out: str
    err: str


def phalera(*words: object) -> Said:
    """Run a command; an error of the program is raised."""
    result = CliRunner(env={"PHALERA_DATA": None, "COLUMNS": "120"}).invoke(main, list(map(str, words)))
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return Said(result.exit_code, result.stdout, result.stderr)
