"""A case as a battle file: the log that a server would have kept of it, had these cards or dice come.

The draws of a case are stacked, so that its file holds as bytes, chain and signature but not as
draws: `phalera why` and `replay` read it, `verify` rightly does not believe it.
"""

import tomllib
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from domain.basics.errors import Refusal
from domain.catalogue import RULESETS
from domain.log.chance import StackedChance
from domain.run.seats import Battle
from replay.lab.lab import CASE_KEYS
from replay.writing.recording import Batch
from tests.support.cases import case_path
from tests.support.recorded import Recorded


class StackedDealer:
    """A dealer whose cards lie ready; none is taken back, for a refused order draws none."""

    def __init__(self, chance: StackedChance) -> None:
        self._chance = chance

    def deal(self, battle: Battle) -> StackedChance:
        """The chance for one order."""
        return self._chance

    def adopt(self, chance: StackedChance) -> None:
        """The order is committed."""


def case(number: int, options: Mapping[str, Any] | None = None, game: str = "tts", **members: Any) -> dict[str, Any]:
    """The case of a game with a number; some of its options, or of its members, may be others."""
    table = tomllib.loads(case_path(number, game).read_text(encoding="utf-8"))
    return {**table, **members, "options": {**table.get("options", {}), **(options or {})}}


class CaseBattle(Recorded):
    """A case being recorded: its cards come from the start."""

    def __init__(self, table: Mapping[str, Any]) -> None:
        self._dealer = StackedDealer(StackedChance(RULESETS[table["ruleset"]].draws.stacked(table)))
        super().__init__({key: value for key, value in table.items() if key not in CASE_KEYS})

    def take(self, batch: Batch) -> None:
        """The set-up is the first to be taken; whoever draws after it draws these cards."""
        super().take(batch)
        self.recording.dealer = self._dealer  # type: ignore[assignment]  # it deals the same way


def battle_file(table: Mapping[str, Any]) -> bytes:
    """The file of a case played to its last order; what the rules refuse is not in it."""
    battle = CaseBattle(table)
    for line in table["orders"]:
        with suppress(Refusal):
            battle.orders(line)
    return battle.file()
