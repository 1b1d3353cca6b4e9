"""Faults that reviews have planted and found alive: each is noticed by the tests nearest to it.

A fault is a text of a module and what stands there instead; the nearest test or file of tests stands in the folder that
mirrors the module's.
"""

import ast
from typing import Any, NamedTuple

from tests.mutation.mutants import Mutant
from tests.mutation.trial import source_of


class Reviewed(NamedTuple):
    """A fault by hand: `text` stands in a function of the module, or a method (`Class.method`), once."""

    module: str
    function: str
    text: str
    instead: str
    nearest: str

    def mutant(self) -> Mutant:
        """The fault as one that can be planted."""
        source = source_of(self.module).read_text()
        node: Any = ast.parse(source)
        for part in self.function.split("."):
            (node,) = (one for one in node.body if getattr(one, "name", "") == part)
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
_OF_READERS, _OF_SOURCES = "tests/server/play/test_who_reads.py", "tests/server/play/test_sources_of_branches.py"
_OF_DEPARTING, _OF_QUESTIONS = "tests/server/play/test_departing.py", "tests/server/play/test_questions.py"
_OF_POSITIONS = (
    "tests/domain/engine/test_positions.py::test_as_many_values_as_there_may_be_are_no_fault_and_one_more_is"
)
_OF_BOTS = (
    "tests/domain/run/test_bots.py::test_the_random_bot_takes_the_last_option_at_a_one_and_else_the_one_that_falls"
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
        _INPUTS, "_contribution_of", ".encode()) < LEAST_PHRASE", ".encode()) <= LEAST_PHRASE", _OF_RUN
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
    "a private battle is read by strangers": Reviewed(
        "server.play.access", "may_read", "player is not None", "player is None", _OF_READERS
    ),
    "a private battle is read by nobody": Reviewed(
        "server.play.access", "may_read", "bool(battle.seat_of(player.id))", "False", _OF_READERS
    ),
    "branches that go round in a circle are followed for ever": Reviewed(
        "server.play.branching", "_sources", "before.add(found.battle)", "pass", _OF_SOURCES
    ),
    "a branch of a case looks for a battle without an id": Reviewed(
        "server.play.branching", "_sources", "branch.battle and ", "", _OF_SOURCES
    ),
    "whom nobody has named for a seat follows": Reviewed(
        "server.play.departing", "_substitute", "UMPIRE in by or (others and others <= by)", "True", _OF_DEPARTING
    ),
    "an order of the other side changes a question": Reviewed(
        "server.play.questions", "_last_order", " and event.side == side", "", _OF_QUESTIONS
    ),
    "whoever moves is asked for a contribution": Reviewed(
        "server.play.questions", "question_of", " and side not in live.ruleset.rules.active(game)", "", _OF_QUESTIONS
    ),
    "a position has a value less than it may": Reviewed(
        "domain.engine.positions", "require_bounded", "left < 0", "left <= 0", _OF_POSITIONS
    ),
    "the random bot takes the last option but one": Reviewed(
        "domain.run.bots", "random_bot", "options[-1].order", "options[-2].order", _OF_BOTS
    ),
    "a head beyond a file is a fault of its first line": Reviewed(
        "replay.proof.chain", "require_prefix", "FileFault(0,", "FileFault(1,", "tests/replay/proof/test_chain.py"
    ),
    "rules of an unknown game are judged": Reviewed(
        "replay.proof.claims",
        "wrong_claims",
        "ruleset is not None and recorded.rule not in rules",
        "recorded.rule not in rules",
        "tests/replay/proof/test_claims.py",
    ),
    "an umpire is named where there is none": Reviewed(
        "domain.run.terms", "Terms.facts", "if not self.umpire:", "if False:", "tests/domain/run/test_terms.py"
    ),
    "who takes a seat from nobody may not": Reviewed(
        "replay.proof.settled",
        "SeatLeft.is_given_to",
        "return True",
        "return False",
        "tests/replay/proof/test_settled.py",
    ),
    "any clock event is a fallen flag": Reviewed(
        "replay.proof.silence",
        "Silence.passed",
        'first.type == "ClockFired" and getattr',
        'first.type == "ClockFired" or getattr',
        "tests/replay/proof/test_silence.py",
    ),
}
