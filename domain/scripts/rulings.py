"""The lines of a ruling that sets facts: `rule D correct`, and behind it what is set, line by line.

They are one order. Everywhere else a line is an order of its own, so the lines behind are joined to the first.
"""

from collections.abc import Sequence

from domain.basics.errors import Refusal
from domain.contract import dispute_lines
from domain.contract.dispute_lines import CORRECT, DisputeOrder
from domain.contract.settable import begins_setting


def join_rulings(lines: Sequence[str]) -> list[str]:
    """Lines, with those that set something joined to the `rule D correct` before them; "" stays in their places."""
    joined, ruling, between = list(lines), -1, ""
    for at, line in enumerate(lines):
        said = line.partition("#")[0].strip()
        if ruling >= 0 and begins_setting(said):
            joined[ruling] = joined[ruling].partition("#")[0].rstrip() + between + said
            joined[at] = ""
            between = "; "
        elif said:
            order = _correction(said)
            ruling, between = (-1, "") if order is None else (at, "; " if order.text else " ")
    return joined


def _correction(line: str) -> DisputeOrder | None:
    try:
        order = dispute_lines.read(line)
    except Refusal:
        return None
    return order if order is not None and order.remedy == CORRECT else None
