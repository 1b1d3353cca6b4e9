"""What a packaged scenario begins with: its state before the first order, and the shields of its sides."""

from functools import cache
from typing import Any

from domain.catalogue import RULESETS
from domain.data import SCENARIOS, read_toml
from domain.engine.decide import folded, opening
from domain.heraldry import Shield


def opened(code: str, name: str) -> Any:
    """The state that a packaged scenario begins with."""
    ruleset = RULESETS[code]
    return folded(ruleset, ruleset.rules.initial, opening(ruleset, read_toml(code, SCENARIOS, f"{name}.toml")))


@cache
def shields_of_scenario(code: str, name: str) -> tuple[Shield, ...]:
    """The shields of both sides of a packaged scenario, () in a game without."""
    return RULESETS[code].shown.table.shields(opened(code, name))
