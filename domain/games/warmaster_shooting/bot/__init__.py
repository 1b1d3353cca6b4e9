"""The bots of the shooting phase: what wounds, volleys and charges are worth, and the option that is worth most."""

from collections.abc import Mapping

from domain.contract.ruleset import Think
from domain.games.warmaster_shooting.bot.judgement import easy, sensible

BOTS: Mapping[str, Think] = {"easy": easy, "sensible": sensible}
