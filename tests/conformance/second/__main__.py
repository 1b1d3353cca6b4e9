"""Print the first fault of a battle file: python -m tests.conformance.second FILE"""

import sys
from pathlib import Path

from .verifier import verdict

if __name__ == "__main__":
    n, kind = verdict(Path(sys.argv[1]).read_bytes())
    print(f"event {n}: {kind}" if kind else "no fault, but for the moves")
    sys.exit(1 if kind else 0)
