"""Run a case of a campaign: answer what it asks, and compare (campaign cases of tests/cases/README.md)."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

from domain.basics.errors import Refusal
from replay.battle_file import read_bytes
from replay.bench.bench import UnreadableCase
from replay.lab.campaign import draws, forces, ladders, lines, linked, maps, pairing, results
from replay.lab.campaign.answer import CampaignAsk, CampaignResult, Case, failures, plain
from replay.lab.campaign.course import course
from replay.telling.words import ENGLISH, phrase

KEY = "ask"
"""What a case of a campaign has instead of a ruleset."""
ASKS: Mapping[str, CampaignAsk] = {
    "adjudicate": CampaignAsk(results.adjudicate),
    "bracket": CampaignAsk(pairing.bracket),
    "carry": CampaignAsk(forces.carried),
    "chance": CampaignAsk(draws.chance),
    "course": CampaignAsk(course),
    "file": CampaignAsk(lines.file),
    "ground": CampaignAsk(forces.battlefield),
    "kept": CampaignAsk(results.shares),
    "linked": CampaignAsk(linked.linked),
    "map": CampaignAsk(maps.turn),
    "notation": CampaignAsk(lines.notation),
    "outcome": CampaignAsk(forces.outcome, beside="file"),
    "pairing": CampaignAsk(pairing.pairing),
    "rated": CampaignAsk(ladders.counts),
    "rating": CampaignAsk(ladders.rating, ladders.apart),
    "round-robin": CampaignAsk(pairing.round_robin),
    "standings": CampaignAsk(results.table),
}
"""Every ask by its name; what a new one yields is an `Answer`."""


def run_campaign_case(case: Case, folder: Path | None = None, asks: Mapping[str, CampaignAsk] = ASKS) -> CampaignResult:
    """Answer a case and compare. `folder` is where the case stands, None if it came from nowhere.

    Raises: UnreadableCase for an ask that is none, and for a case that does not have what it asks for
    """
    ask = asks.get(str(case.get(KEY)))
    if ask is None:
        raise UnreadableCase(f"nothing answers ask = {case.get(KEY)!r}; there are {', '.join(sorted(asks))}")
    given = {**case, ask.beside: _beside(case.get(ask.beside), folder)} if ask.beside else case
    answer = ask.answer(given)
    found = list(failures(case, answer, ask.differences))
    return CampaignResult(
        plain(answer.events), plain(answer.rejections), plain(answer.final), plain(answer.checks), not found, found
    )


def _beside(name: object, folder: Path | None) -> bytes:
    """The bytes of a file that stands next to a case.

    Raises: UnreadableCase for a name that leads elsewhere, and where there is no such file
    """
    if not isinstance(name, str) or not name or name != Path(name).name:
        raise UnreadableCase(f"{name!r} is no file beside the case")
    if folder is None:
        raise UnreadableCase(f"{name} is asked for, and nothing stands beside standard input")
    try:
        return read_bytes(str(folder / name))
    except Refusal as refused:
        raise UnreadableCase(f"{name} cannot be read: {refused.code}") from None


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
