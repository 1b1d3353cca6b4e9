"""What a packaged scenario begins with: its state before the first order, and the shields of its sides."""

from functools import cache
from typing import Any

from domain.basics.data import SCENARIOS, read_toml
from domain.catalogue import RULESETS
from domain.contract.heraldry import Shield
from domain.run.decide import folded, opening


def opened(code: str, name: str) -> Any:
    """The state that a packaged scenario begins with."""
    ruleset = RULESETS[code]
    return folded(ruleset, ruleset.rules.initial, opening(ruleset, read_toml(code, SCENARIOS, f"{name}.toml")))


@cache
def shields_of_scenario(code: str, name: str) -> tuple[Shield, ...]:
    """The shields of both sides of a packaged scenario, () in a game without."""
    return RULESETS[code].shown.table.shields(opened(code, name))
