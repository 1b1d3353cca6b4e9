"""Run a case of whatever kind: of the rules of a game, or of campaigns, which have the key `ask`."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from replay.bench.bench import CaseResult, UnreadableCase
from replay.bench.case_file import case_lines
from replay.lab.campaign.answer import CampaignResult
from replay.lab.campaign.case import KEY, campaign_case_lines, run_campaign_case
from replay.lab.lab import run_case

__all__ = ["UnreadableCase", "any_case_lines", "run_any_case"]


def run_any_case(case: Mapping[str, Any], lang: str, folder: Path | None = None) -> CaseResult | CampaignResult:
    """Play or answer a case and compare; `folder` is where it stands.

    Raises: UnreadableCase for an invalid case
    """
    return run_campaign_case(case, folder) if KEY in case else run_case(case, lang=lang)


def any_case_lines(case: Mapping[str, Any], result: CaseResult | CampaignResult, lang: str) -> Iterator[str]:
    """A case as lines to read, in the language in which it was run."""
    return case_lines(case, result, lang) if isinstance(result, CaseResult) else campaign_case_lines(case, result, lang)
