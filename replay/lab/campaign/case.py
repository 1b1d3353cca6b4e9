"""Run a case of a campaign: answer what it asks, and compare (campaign cases of tests/cases/README.md)."""

import json
from collections.abc import Iterator, Mapping

from replay.bench.bench import UnreadableCase
from replay.lab.campaign import draws, ladders, lines, pairing, results
from replay.lab.campaign.answer import CampaignAsk, CampaignResult, Case, failures, plain
from replay.lab.campaign.course import course
from replay.telling.words import ENGLISH, phrase

KEY = "ask"
"""What a case of a campaign has instead of a ruleset."""
ASKS: Mapping[str, CampaignAsk] = {
    "adjudicate": CampaignAsk(results.adjudicate),
    "bracket": CampaignAsk(pairing.bracket),
    "chance": CampaignAsk(draws.chance),
    "course": CampaignAsk(course),
    "file": CampaignAsk(lines.file),
    "kept": CampaignAsk(results.shares),
    "notation": CampaignAsk(lines.notation),
    "pairing": CampaignAsk(pairing.pairing),
    "rated": CampaignAsk(ladders.counts),
    "rating": CampaignAsk(ladders.rating, ladders.apart),
    "round-robin": CampaignAsk(pairing.round_robin),
    "standings": CampaignAsk(results.table),
}
"""Every ask by its name; what a new one yields is an `Answer`."""


def run_campaign_case(case: Case, asks: Mapping[str, CampaignAsk] = ASKS) -> CampaignResult:
    """Answer a case and compare.

    Raises: UnreadableCase for an ask that is none, and for a case that does not have what it asks for
    """
    ask = asks.get(str(case.get(KEY)))
    if ask is None:
        raise UnreadableCase(f"nothing answers ask = {case.get(KEY)!r}; there are {', '.join(sorted(asks))}")
    answer = ask.answer(case)
    found = list(failures(case, answer, ask.differences))
    return CampaignResult(
        plain(answer.events), plain(answer.rejections), plain(answer.final), plain(answer.checks), not found, found
    )


def campaign_case_lines(case: Case, result: CampaignResult, lang: str = ENGLISH) -> Iterator[str]:
    """A case as lines to read: what came of it, and what should be different."""
    if case.get("title"):
        yield f"{case['title']}\n"
    for number, event in enumerate(result.events, 1):
        yield f"{number:>4}  {event['type']} {json.dumps(event['data'], ensure_ascii=False)}"
    for number, row in enumerate(result.checks, 1):
        yield f"{number:>4}  {json.dumps(row, ensure_ascii=False)}"
    for key, value in result.final.items():
        yield f"{key}: {json.dumps(value, ensure_ascii=False)}"
    for rejection in result.rejections:
        yield f"{rejection['order']:>4}  {rejection['code']}"
    yield ""
    yield from (phrase("case.failed", {"failure": failure}, lang) for failure in result.failures)
    count = len(result.failures)
    yield phrase("case.count", {"count": count}, lang) if count else phrase("case.ok", {}, lang)
