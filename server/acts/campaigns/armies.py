"""The armies that entrants bring to a cup whose boards are battles of points (`entry.armies`)."""

from collections.abc import Mapping
from typing import Any

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from domain.basics.errors import Refusal
from domain.campaign.config import CampaignConfig, ForceSize, bad_file
from domain.campaign.refusals import army_not_legal
from domain.campaign.scenario import scenario_of_points
from domain.catalogue import army_book
from domain.run.inputs import facts_of_opening
from replay.writing.entropy import Entropy
from server.armies import OwnArmy, army_of, new_army, plain
from server.play.live_battles import LiveBattles

SEED_BYTES = 4
"""Of the chance by which the army of a bot is made."""


def require_armies(battles: LiveBattles, config: CampaignConfig) -> None:
    """Refuse a cup to which nobody could bring an army, or whose options the game does not know.

    Raises: Refusal campaign.bad-file; those of the game for its scenario
    """
    wanted = config.entry.armies
    if wanted is None:
        return
    game = battles.ruleset(config.ruleset)
    if game.armies is None:
        raise bad_file("entry.armies")
    try:
        army = plain(_any_army(config.ruleset, wanted, 0))
    except Refusal:
        raise bad_file("entry.armies.size") from None
    facts_of_opening(game, scenario_of_points(config, game.armies, (army, army)))


def army_for(config: CampaignConfig, own: OwnArmy | None) -> dict[str, Any] | UnsetType:
    """The army that somebody enters with, as the log has it; unset if they bring none.

    Raises: Refusal campaign.army-not-legal with what the game has against it; of the game for what is none
    """
    if own is None:
        return UNSET
    wanted = config.entry.armies
    if wanted is None:
        raise army_not_legal("not-wanted")
    army = army_of(config.ruleset, own if own.table is not None or own.size else replace(own, size=wanted.size))
    found = army_book(config.ruleset).findings(army)
    if found:
        raise army_not_legal("findings", wanted.size, tuple(one.code for one in found))
    table: dict[str, Any] = plain(army)
    return table


def army_of_bot(config: CampaignConfig, entropy: Entropy) -> dict[str, Any] | UnsetType:
    """An army by chance for a bot; unset where nobody brings one."""
    wanted = config.entry.armies
    if wanted is None:
        return UNSET
    table: dict[str, Any] = plain(_any_army(config.ruleset, wanted, int.from_bytes(entropy.bytes(SEED_BYTES), "big")))
    return table


def _any_army(ruleset: str, wanted: ForceSize, seed: int) -> Mapping[str, Any]:
    keys = list(army_book(ruleset).lists())
    army: Mapping[str, Any] = new_army(ruleset, keys[seed % len(keys)], wanted.size, seed)
    return army
