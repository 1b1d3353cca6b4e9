"""Runs the cases against any implementation of the rules.

    python -m tests.conformance --command "phalera lab --json {case}"
    python -m tests.conformance --command "my-engine {case}" --jobs 2 401 402

Exit code 0: it agrees with every case; 1: it does not; 2: nothing could be run.
"""

import argparse
import sys
from collections.abc import Sequence

from tests.conformance.running import Verdict, chosen, run_all

WIDTH = 46


def main(arguments: Sequence[str] | None = None) -> int:
    """Run, print a table and the differences; give the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.conformance", description=__doc__.partition("\n")[0])
    parser.add_argument("--command", required=True, help="run for each case; {case} is the path of its file")
    parser.add_argument("--jobs", type=int, default=1, help="cases at a time (default 1)")
    parser.add_argument("--timeout", type=int, default=60, help="seconds for a case (default 60)")
    parser.add_argument("cases", nargs="*", help="numbers, files or folders (default: all cases)")
    given = parser.parse_args(arguments)
    try:
        paths = chosen(given.cases)
    except FileNotFoundError as missing:
        print(f"no such case: {missing}", file=sys.stderr)
        return 2
    if not paths or given.jobs < 1:
        print("no cases to run" if not paths else "--jobs is at least 1", file=sys.stderr)
        return 2
    failed = [
        verdict for verdict in map(_shown, run_all(given.command, paths, given.jobs, given.timeout)) if verdict.faults
    ]
    for verdict in failed:
        print(f"\n{verdict.case}: {verdict.title}", *(f"  {fault}" for fault in verdict.faults), sep="\n")
    print(f"\n{len(paths) - len(failed)} of {len(paths)} cases agree")
    return 1 if failed else 0


def _shown(verdict: Verdict) -> Verdict:
    """One line of the table, as soon as it is known."""
    count = len(verdict.faults)
    result = f"{count} difference{'s' * (count > 1)}" if count else "agrees"
    print(f"{verdict.case:<{WIDTH}} {result:<14} {verdict.title}".rstrip(), flush=True)
    return verdict


if __name__ == "__main__":
    sys.exit(main())
