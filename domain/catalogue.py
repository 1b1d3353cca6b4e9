"""The only list of games."""

from domain.games.to_the_strongest import RULESET as TO_THE_STRONGEST
from domain.ruleset import Ruleset

RULESETS: dict[str, Ruleset] = {ruleset.code: ruleset for ruleset in (TO_THE_STRONGEST,)}
