"""The scenario that the boards of a campaign are fought with."""

from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from domain.basics.data import find_scenario, scenario_table
from domain.campaign.boards import Place
from domain.campaign.config import CampaignConfig, bad_file
from domain.campaign.state import CampaignState
from domain.contract.armies import ArmyBook
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


Armies = tuple[Mapping[str, Any], Mapping[str, Any]]
"""What south and north bring to a board, each as the log has it."""


def armies_on(state: CampaignState, place: Place) -> Armies | None:
    """The armies that meet on a board; None where each board is fought as `[battle]` says."""
    if state.settings.entry.armies is None:
        return None
    south, north = (state.entrants[name].army for name in place.pair)
    return (south, north) if south is not None and north is not None else None


def scenario_of_points(config: CampaignConfig, book: ArmyBook, armies: Armies) -> Scenario:
    """The table of the scenario between two armies that entrants have brought, options of the campaign merged in.

    Raises: Refusal of the game for what is no legal army
    """
    south, north = map(book.read, armies)
    return book.battle(south, north, dict(config.battle.options))


def scenario_hash(config: CampaignConfig, named: str = "") -> str:
    """The SHA-256 of the canonical JSON of the scenario's table, in hex."""
    return hash_of(scenario_of(config, named))


def hash_of(scenario: Scenario) -> str:
    """The SHA-256 of the canonical JSON of a table, in hex."""
    return sha256(canonical(scenario)).hexdigest()
