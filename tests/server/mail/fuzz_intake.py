"""Fuzz the reading of mail: no crash, no hang, no order that nobody wrote.

    python -m tests.server.mail.fuzz_intake --seconds 60

By hand, with atheris (libFuzzer): it changes the mails of the corpus and keeps what reaches new lines of the code. A
mail that breaks something is written to `crash-…` in the folder it is run in; the command then fails.
"""

import argparse
import importlib
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

LONGEST_S = 1.0
LONGEST_MAIL = 64 * 1024
CRASHED = 77


def main() -> None:
    """Fuzz for so many seconds, then say how often."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--longest", type=int, default=LONGEST_MAIL, help="bytes of a mail")
    parser.add_argument("--seed", type=int, default=0, help="0: another one each time")
    arguments = parser.parse_args()
    atheris: Any = importlib.import_module("atheris")
    with atheris.instrument_imports(include=["server.mail.incoming.reading", "email", "inscriptis", "authres"]):
        from server.mail.incoming.reading import read_mail
    from tests.server.mail.incoming.reading.corpus import CASES, OURS

    slowest = 0.0

    def one(raw: bytes) -> None:
        nonlocal slowest
        begun = time.process_time()
        reading = read_mail(raw, OURS, ("mx.phalera.example",), lambda name: None)
        taken = time.process_time() - begun
        slowest = max(slowest, taken)
        if taken > LONGEST_S:
            raise AssertionError(f"{taken:.2f} s")
        if reading.what != "mail" and reading.text:
            raise AssertionError(f"orders from {reading.what}")
        if any(line.startswith((">", "| ")) or "-----8<-----" in line for line in reading.text.split("\n")):
            raise AssertionError("a quote is read as an order")
        if (reading.bounce is not None) != (reading.what == "bounce"):
            raise AssertionError(f"a bounce is {reading.what}")

    with tempfile.TemporaryDirectory(prefix="phalera-fuzz-") as folder:
        for case in CASES:
            if len(case.raw) <= arguments.longest:
                (Path(folder) / case.name).write_bytes(case.raw)
        limits = [f"-max_total_time={arguments.seconds}", f"-max_len={arguments.longest}", f"-seed={arguments.seed}"]
        limits += ["-print_final_stats=1", f"-error_exitcode={CRASHED}"]
        atheris.Setup([sys.argv[0], *limits, folder], one)
        atheris.Fuzz()


if __name__ == "__main__":
    main()
