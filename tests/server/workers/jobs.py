"""Jobs for the tests of worker processes."""

import os
import time
from pathlib import Path
from typing import Any

from domain.basics.errors import Refusal
from domain.contract.ruleset import Ruleset
from domain.scripts.program import Script, ScriptFault, ScriptLine
from domain.scripts.reading import Unreadable


def process_id() -> int:
    return os.getpid()


def same(value: Any) -> Any:
    print("not a frame")
    return value


def title(ruleset: Ruleset) -> str:
    return ruleset.title


def refuse() -> None:
    raise Refusal("core.no-order", "CORE-ORDER", what="nothing")


def cannot_read() -> None:
    line = ScriptLine(1, "gibberish")
    raise Unreadable(Script((line,)), (ScriptFault(line, Refusal("core.parse", "CORE-PARSE", text="gibberish")),))


class Odd(Exception):
    def __init__(self, one: int, other: int) -> None:
        super().__init__("odd")


def fail_oddly() -> None:
    raise Odd(1, 2)


def die() -> None:
    os._exit(7)


def die_once(mark: str) -> str:
    if not Path(mark).exists():
        Path(mark).touch()
        os._exit(7)
    return "second"


def hang() -> None:
    while True:
        time.sleep(60)


def fill_memory() -> int:
    return len(bytes(3 << 30))


def wait_a_moment() -> str:
    """Longer than `wait_a_moment` may compute in its test, and nothing is computed."""
    time.sleep(0.3)
    return "done"


def compute_for_ever() -> None:
    while True:
        pass
