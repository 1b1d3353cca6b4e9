"""The bots of this game: what shots, melees and places are worth, and the option that is worth most."""

from collections.abc import Mapping

from domain.contract.ruleset import Think
from domain.games.shot_to_pieces.bot.judgement import easy, sensible

BOTS: Mapping[str, Think] = {"easy": easy, "sensible": sensible}
