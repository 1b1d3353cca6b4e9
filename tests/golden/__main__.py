"""Make each golden battle again, byte for byte.

python -m tests.golden [NAME …]     # after a change of the rules, of events, or of a script

A script is a scenario with a `seed`, from which secrets, phrases, clock and key follow (replay.writing.in_memory), and
the `orders` that were given; no bot is asked, so the battles do not change with the bots. Where it has a `pace`, an
order may be `wait: HOURS`, or `clock: SIDE WHAT` for what time does (domain.time.clock). `umpire` names one at the
opening; `share: SIDE` gives the share of the chance that a side owes behind a rewind. `version` is that of the
protocol.
"""

import sys
import tomllib
from pathlib import Path
from typing import Any

from domain.basics.pace import HOUR_MS
from domain.catalogue import RULESETS
from domain.run.terms import Terms
from replay.writing.entropy import SeededEntropy
from replay.writing.in_memory import OfflineBattle, SeededClock

HERE = Path(__file__).parent
SCRIPT_KEYS = frozenset({"seed", "orders", "pace", "umpire", "version"})
"""Top-level keys of a script that are not part of its scenario."""
JUDGE = "pjudge"
"""The id of the umpire."""
PLAYERS = {"south": "Anna", "north": "Ben"}


def names() -> list[str]:
    """The battles that are kept."""
    return sorted(path.stem for path in HERE.glob("*.toml"))


def script(name: str) -> dict[str, Any]:
    """The script of a battle, as it stands in its file."""
    return tomllib.loads((HERE / f"{name}.toml").read_text(encoding="utf-8"))


def kept(name: str) -> Path:
    """The battle file that is kept."""
    return HERE / f"{name}.battle"


def played(table: dict[str, Any]) -> OfflineBattle:
    """The battle of a script, played to its last order.

    Raises:  Refusal for an order that the rules do not take
    """
    scenario = {key: value for key, value in table.items() if key not in SCRIPT_KEYS}
    ruleset, seed = RULESETS[table["ruleset"]], table["seed"]
    clock = SeededClock(seed)
    terms = Terms(umpire=JUDGE, name=table["umpire"]) if "umpire" in table else Terms()
    pace, version = table.get("pace", ""), table["version"]
    battle = OfflineBattle(ruleset, scenario, clock, SeededEntropy(seed), pace, terms, version=version)
    for side, name in PLAYERS.items():
        battle.seat_person(side, name)
    for line in table["orders"]:
        side, _, text = line.partition(": ")
        if side == "wait":
            clock.wait(int(text) * HOUR_MS)
        elif side == "share":
            battle.contribute(text)
        elif side == "clock":
            of, _, what = text.partition(" ")
            battle.fire_clock(what, of)
        else:
            battle.order(side, text)
    return battle


def main(wanted: list[str]) -> None:
    """Write the battle files anew."""
    for name in wanted or names():
        kept(name).write_bytes(played(script(name)).file())


if __name__ == "__main__":
    main(sys.argv[1:])
