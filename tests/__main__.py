"""Run every check.

    python -m tests             every check: ruff, mypy, pyright, import contracts, pytest
    python -m tests --quick     in two minutes: without the tests marked `slow` (whole battles, processes, conversations
                                by mail, the player, most of many alike), `mail` (Postfix, Dovecot, mutt) or
                                `browser`; properties with fewer examples, mypy by its cache
    python -m tests --sweep     the first, with all seeds, scenarios and cases of what it samples
    python -m tests -k shooting the same as the first, with these arguments handed to pytest

All checks run, also after one has failed; the exit code is 1 if any failed. Every skipped test is
listed with its reason, and with CI=true a skip is a failure. The last line is pytest's closing line.
"""

import os
import subprocess
import sys
import time
from functools import cached_property
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

CHECKS = {
    "ruff check": ("ruff", "check", "."),
    "ruff format": ("ruff", "format", "--check", "."),
    "import contracts": ("lint-imports",),
}
TYPES = {"mypy": ("mypy",), "pyright": ("basedpyright",)}
"""Run beside pytest, one process each: mypy takes half a minute without its cache, pyright (of the library) some ten
seconds."""

PARALLEL = ("-n", "4", "--dist", "worksteal")
"""Four processes, each with a quarter of the tests in their order, the `long` ones first: what a file shares is made
once. Those are twice as many as our machines have cores: tests of mail, of pages and of servers in processes of their
own wait for others a third of their time, and the cores would be idle meanwhile."""

QUICK = ("-n", "2", "--dist", "each", "--apart", "-m", "not (slow or mail or browser)", "--hypothesis-profile=quick")
"""Two processes: these tests wait for nothing. Each process reads and tries its own half of the files, as all of them
would be fourteen seconds of work for each."""


class CountedTogether:
    """Where each process collects a share of the tests, all of them together are what was collected: the last one may
    have found none."""

    def __init__(self) -> None:
        self._counts: list[int] = []
        self._session: pytest.Session | None = None

    def pytest_sessionstart(self, session: pytest.Session) -> None:
        """The session of the process that hands out the tests."""
        self._session = session if session.config.getoption("apart") else None

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, ids: list[str]) -> None:
        """What one process has collected."""
        self._counts.append(len(ids))

    def pytest_runtest_logstart(self) -> None:
        """All have collected."""
        if self._session is not None:
            self._session.testscollected = sum(self._counts)


class Skips:
    """Names each failed test at once, collects the skipped ones, and shows all results above pytest's closing line."""

    def __init__(self, results: dict[str, bool], types: "dict[str, Beside]", forbidden: bool) -> None:
        self.results = results
        self.types = types
        self.forbidden = forbidden
        self.reasons: dict[str, str] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """A test that fails, or skips itself; an expected failure is not a skip."""
        if report.failed:
            print(f"\nFAILED {report.nodeid} ({report.when})", flush=True)
        if report.skipped and not hasattr(report, "wasxfail"):
            self.reasons[report.nodeid] = reason(report.longrepr)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """A whole file that skips itself."""
        if report.skipped:
            self.reasons[report.nodeid] = reason(report.longrepr)

    @pytest.hookimpl(trylast=True)
    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter, exitstatus: int) -> None:
        """The results of all checks, then each skip."""
        write = terminalreporter.write_line
        terminalreporter.write_sep("=", "all checks")
        for tool in self.types.values():
            write(tool.output)
        for name, passed in {**self.results, **passed_by(self.types)}.items():
            write(f"{name:<18} {'ok' if passed else 'FAILED'}")
        write(f"{'pytest':<18} {'ok' if exitstatus == pytest.ExitCode.OK else 'FAILED'}")
        verdict = "none" if not self.reasons else f"{len(self.reasons)}{' - FAILED: CI=true' * self.forbidden}"
        write(f"{'skipped tests':<18} {verdict}")
        for test, why in sorted(self.reasons.items()):
            write(f"  {test}: {why}")


class Beside:
    """A tool of this environment that runs while the tests do; what it says is kept until somebody asks."""

    def __init__(self, command: tuple[str, ...]) -> None:
        self._process: subprocess.Popen[str] | None = None
        try:
            self._process = subprocess.Popen(
                located(command), cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
            )
        except FileNotFoundError:
            self.output = missing(command)

    @cached_property
    def output(self) -> str:
        """All that it printed; waits for its end."""
        assert self._process is not None
        return self._process.communicate()[0].rstrip()

    @property
    def passed(self) -> bool:
        """Whether it found nothing; waits for its end."""
        return bool(self.output) and self._process is not None and self._process.returncode == 0


def passed_by(tools: dict[str, Beside]) -> dict[str, bool]:
    """Whether each tool found nothing; waits for all of them."""
    return {name: tool.passed for name, tool in tools.items()}


def reason(longrepr: object) -> str:
    """Why a test was skipped: pytest gives (file, line, "Skipped: why")."""
    text = str(longrepr[2]) if isinstance(longrepr, tuple) else str(longrepr)
    return text.removeprefix("Skipped: ")


def located(command: tuple[str, ...]) -> list[str]:
    """A command whose program is that of this environment."""
    return [str(Path(sys.executable).parent / command[0]), *command[1:]]


def missing(command: tuple[str, ...]) -> str:
    """What to do where a tool is not there."""
    return f"{command[0]} is not installed: pip install -c constraints.txt '.[dev]'"


def passes(name: str, command: tuple[str, ...]) -> bool:
    """Run one tool of this environment, its output as it comes."""
    print(f"--- {name}", flush=True)
    begun = time.monotonic()
    try:
        code = subprocess.run(located(command), cwd=ROOT, check=False).returncode
    except FileNotFoundError:
        print(missing(command))
        code = 1
    print(f"--- {name}: {'ok' if code == 0 else 'FAILED'} ({time.monotonic() - begun:.1f} s)\n", flush=True)
    return code == 0


def main(arguments: list[str]) -> int:
    """Run all checks; 0 if each of them passed."""
    os.chdir(ROOT)
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # hundreds of processes would compile the sources anew
    if "--quick" in arguments:
        arguments = [*QUICK, *(word for word in arguments if word != "--quick")]
    types = {name: Beside(command) for name, command in TYPES.items()}
    results = {name: passes(name, command) for name, command in CHECKS.items()}
    skips = Skips(results, types, forbidden=os.environ.get("CI", "").lower() in {"1", "true", "yes"})
    code = pytest.main([*PARALLEL, "-rxX", *arguments], plugins=[skips, CountedTogether()])
    passed = code == pytest.ExitCode.OK and all(results.values()) and all(passed_by(types).values())
    return int(not passed or (skips.forbidden and bool(skips.reasons)))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
