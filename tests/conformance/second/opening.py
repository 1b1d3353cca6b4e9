"""What event 1 says of its scenario and its branch (docs/record-format.md 1, and the last section)."""

import hashlib
from typing import Any

from .file import BattleFile, from_hex
from .lines import Wrong, canonical, is_battle, is_host
from .shapes import KNOWN

NOT_OF_A_SCENARIO = (
    "commitment keys readers pace takebacks disputes_days tags campaign unsigned_umpire given scenario_hash sealed"
)


def require_opening(file: BattleFile, seats: list[str]) -> None:
    """Check event 1: what the scenario gave, which it is, and where a branch begins."""
    if file.events[0].type != "BattleOpened":
        raise Wrong(1, "opened-late")
    opening, header = file.events[0].own, file.header
    if file.version == 2 and ("given" in opening or "scenario_hash" in opening):
        raise Wrong(1, "bad-member")
    if file.version > 2 and KNOWN.get(header["ruleset"]) == header["rules"] and "position" not in opening:
        if opening.get("given", {}) != (_given(opening.get("sides")) if header["ruleset"] == "tts" else {}):
            raise Wrong(1, "given-differs")
        shown = {name: value for name, value in opening.items() if name not in NOT_OF_A_SCENARIO.split()}
        if opening.get("scenario_hash") != hashlib.sha256(canonical(shown)).hexdigest():
            raise Wrong(1, "scenario-differs")
    if ("branch" in opening) is not ("position" in opening):
        raise Wrong(1, "bad-branch")
    if "branch" in opening:
        _require_branch(opening["branch"], opening["position"], seats)


def _given(sides: Any) -> dict[str, int]:
    armies = {side: army for side, army in sides.items() if isinstance(army, dict)} if isinstance(sides, dict) else {}
    given = {side: army.get("stratagems") for side, army in armies.items()}
    return {side: number for side, number in given.items() if type(number) is int and number > 0}


def _require_branch(branch: dict[str, Any], position: dict[str, Any], seats: list[str]) -> None:
    from_hex(1, branch["head"], 32)
    names = (is_battle(branch["battle"]) and is_host(branch["host"])) or not (branch["battle"] or branch["host"])
    movers = seats if position["t"] else ["", *seats]
    is_known = branch["known"] in ("all", "stranger", *seats)
    if not names or branch["n"] < 1 or not is_known or position["t"] < 0 or position["mover"] not in movers:
        raise Wrong(1, "bad-branch")
