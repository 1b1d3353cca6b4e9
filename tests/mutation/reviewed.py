"""Faults that reviews have planted and found alive: each is noticed by the tests nearest to it.

A fault is a text of a module and what stands there instead; the nearest test or file of tests stands in the folder that
mirrors the module's.
"""

import ast
from typing import NamedTuple

from tests.mutation.mutants import Mutant
from tests.mutation.trial import source_of


class Reviewed(NamedTuple):
    """A fault by hand: `text` stands in a function of the module, once."""

    module: str
    function: str
    text: str
    instead: str
    nearest: str

    def mutant(self) -> Mutant:
        """The fault as one that can be planted."""
        source = source_of(self.module).read_text()
        (node,) = (one for one in ast.parse(source).body if getattr(one, "name", "") == self.function)
        lines = source.splitlines(keepends=True)
        before, body, after = (
            lines[: node.lineno - 1],
            lines[node.lineno - 1 : node.end_lineno],
            lines[node.end_lineno :],
        )
        changed = "".join(body).replace(self.text, self.instead)
        if "".join(body).count(self.text) != 1:
            raise ValueError(f"not once in {self.module}.{self.function}: {self.text}")
        whole = "".join([*before, changed, *after])
        return Mutant(
            self.module, self.function, True, f"{self.text} -> {self.instead}", 1, "reviewed", whole, _as_it_is
        )


def _as_it_is(tree: ast.Module) -> None:
    """The source has the fault already."""


_DISPUTES, _BRANCHING, _INPUTS = "domain.disputes.disputes", "domain.run.branching", "domain.run.inputs"
_SECRETS = "domain.games.to_the_strongest.secrets"
_OF_DISPUTES = "tests/domain/disputes/test_disputes.py::test_the_days_of_an_ended_battle_are_whole_days"
_OF_BRANCHING = "tests/domain/run/test_branching.py"
_OF_RUN = "tests/domain/run/test_battle.py"
_OF_SECRETS = (
    "tests/domain/games/to_the_strongest/test_secrets.py"
    "::test_the_cards_that_a_side_has_drawn_from_the_common_deck_are_known_to_it_alone"
)
REVIEWED = {
    "a dispute may come a day late": Reviewed(
        _DISPUTES, "_require_in_time", "days * DAY_MS", "(days + 1) * DAY_MS", _OF_DISPUTES
    ),
    "a dispute may come a millisecond late": Reviewed(
        _DISPUTES, "_require_in_time", "moment_of(case.spoken.at) >", "moment_of(case.spoken.at) - 1 >", _OF_DISPUTES
    ),
    "a standing order keeps its number in a branch": Reviewed(
        _BRANCHING, "branched", "n=renumbered(order.n)", "n=order.n", _OF_BRANCHING
    ),
    "a number in a branch is off by one": Reviewed(
        _BRANCHING, "branched", "n - branch.n - 1", "n - branch.n", _OF_BRANCHING
    ),
    "sixteen bytes of phrase alone are too few": Reviewed(
        _INPUTS, "contribute", "length < LEAST_PHRASE", "length <= LEAST_PHRASE", _OF_RUN
    ),
    "sixteen bytes of phrase with an order are too few": Reviewed(
        _INPUTS, "_given", ".encode()) < LEAST_PHRASE", ".encode()) <= LEAST_PHRASE", _OF_RUN
    ),
    "sixteen bytes of phrase out of turn are too few": Reviewed(
        _INPUTS, "_first_out_of_turn", ">= LEAST_PHRASE", "> LEAST_PHRASE", _OF_RUN
    ),
    "cards drawn by the other side are known": Reviewed(
        _SECRETS, "_without_secrets", "if pair[1] != side)", ")", _OF_SECRETS
    ),
    "one's own drawn cards are forgotten": Reviewed(
        _SECRETS, "_without_secrets", "if pair[1] != side)", "if pair[1] == side)", _OF_SECRETS
    ),
}
