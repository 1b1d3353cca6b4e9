"""Which games are there? The only list of them."""

from domain.ruleset import Ruleset
from domain.rulesets.to_the_strongest import RULESET as TO_THE_STRONGEST

RULESETS: dict[str, Ruleset] = {ruleset.code: ruleset for ruleset in (TO_THE_STRONGEST,)}
