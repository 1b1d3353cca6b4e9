"""The scenario that the boards of a campaign are fought with."""

from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from domain.basics.data import find_scenario, scenario_table
from domain.campaign.config import CampaignConfig, bad_file
from domain.log.canonical import canonical

Scenario = dict[str, Any]


def scenario_of(config: CampaignConfig, named: str = "") -> Scenario:
    """The table of the scenario that a battle is fought with, options merged in: that of the campaign, or the packaged
    one that a challenge has named.

    Raises: Refusal core.unknown-scenario, core.which-scenario; campaign.bad-file where the file names none
    """
    given = named or config.battle.scenario
    if not given:
        raise bad_file("battle.scenario")
    table = dict(given) if isinstance(given, Mapping) else scenario_table(*find_scenario(given, [config.ruleset]))
    options = table.get("options")
    if config.battle.options:
        table["options"] = {**(options if isinstance(options, dict) else {}), **config.battle.options}
    return table


def scenario_hash(config: CampaignConfig, named: str = "") -> str:
    """The SHA-256 of the canonical JSON of the scenario's table, in hex."""
    return sha256(canonical(scenario_of(config, named))).hexdigest()
