"""Run a case: play it on the bench, then write it down as a host would and verify that.

The what-if bench of `phalera lab`, and the runner of the acceptance cases of every ruleset (rules
spec of each game, section on cases; output fixed in design.md 11).
"""

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from domain.catalogue import RULESETS
from domain.contract.ruleset import Ruleset
from replay.bench.bench import CASE_KEYS, CaseResult, Rejection, UnreadableCase, play_case
from replay.lab.proving import proof_failures
from replay.telling.words import ENGLISH

__all__ = ["CASE_KEYS", "CaseResult", "Rejection", "UnreadableCase", "run_case"]


def run_case(case: Mapping[str, Any], rulesets: Mapping[str, Ruleset] = RULESETS, lang: str = ENGLISH) -> CaseResult:
    """Play a case, compare, and verify its log; `lang` is the language of the refusals.

    Raises: UnreadableCase for an invalid case
    """
    played = play_case(case, rulesets, lang)
    result = played.result
    if not result.ok:
        return result
    failures = proof_failures(played.ruleset, case, played.accepted, lang)
    return replace(result, ok=not failures, failures=failures)
