"""Put the result of verifying a campaign into words: as of battles, a fault first, then what was checked."""

from collections.abc import Iterator

from domain.campaign.header import RULES
from replay.proof.campaign.report import CampaignReport
from replay.proof.faults import quoted
from replay.proof.verdict import ranges, what_witnesses_say
from replay.proof.verify import NOT_A_FILE, OK
from replay.telling.words import ENGLISH
from replay.telling.words.sentences import phrase

MOST_NAMED = 20
"""Battles of a kind that are named."""


def lines(report: CampaignReport, lang: str = ENGLISH) -> Iterator[str]:
    """A report as lines to read, the verdict last.

    Shape: `report` must be in the same language, because it quotes the fault
    """
    fault = report.fault
    if report.later:
        yield report.later
        return
    if fault is not None:
        what = fault.sentence.rstrip(".")
        if report.exit == NOT_A_FILE:
            yield phrase("verdict.not-a-campaign", {"what": what}, lang)
            return
        yield phrase("verdict.fault", {"n": fault.n, "kind": fault.what, "what": what}, lang)
    if report.key:
        course = {"n": report.events, "signed": "yes" if report.signed else ""}
        yield phrase("verdict.campaign-ended" if report.ended else "verdict.campaign-running", course, lang)
        own = "trusted-key" if report.trusted else "own-key"
        yield phrase(f"verdict.{own}", {"fingerprint": report.fingerprint}, lang)
        yield phrase("verdict.host-kid", {"kid": report.kid}, lang)
    for head in report.heads:
        yield phrase("verdict.head", quoted({"source": head.source, "n": head.n}), lang)
    if fault is None:
        yield from _checked(report, lang)
    if report.witnessed is not None:
        yield from what_witnesses_say(report.witnessed, lang)
    if report.two_histories is not None:
        kind = "two-histories" if report.two_histories.is_proven else "fork"
        yield phrase(f"verdict.{kind}", {"n": report.two_histories.n}, lang)
    elif fault is None and report.is_unwitnessed:
        yield phrase("verdict.unwitnessed", {}, lang)
    elif fault is None:
        yield phrase("verdict.campaign-holds" if report.exit == OK else "verdict.campaign-open", {}, lang)


def _words(report: CampaignReport, lang: str) -> Iterator[str]:
    """Who has signed what they say, and what the host wrote down."""
    for one in report.signed_by[:MOST_NAMED]:
        told = quoted({"who": one.name, "seat": one.seat, "kid": one.kid})
        yield phrase("verdict.campaign-signed", {**told, "lines": one.lines, "n": one.n}, lang)
    rest = report.signed_by[MOST_NAMED:]
    if rest:
        more = {"n": len(rest), "lines": sum(one.lines for one in rest)}
        yield phrase("verdict.campaign-signed-more", more, lang)
    if report.unsigned:
        yield phrase("verdict.campaign-unsigned", {"n": report.unsigned}, lang)
    if report.host_wrote:
        named = quoted({"n": len(report.host_wrote), "events": list(report.host_wrote[:MOST_NAMED])})
        yield phrase("verdict.campaign-host-wrote", named, lang)


def _checked(report: CampaignReport, lang: str) -> Iterator[str]:
    draws = {"n": report.draws, "bound": report.bound}
    yield phrase("verdict.campaign-draws", draws, lang)
    if report.rules != RULES:
        yield phrase("verdict.campaign-rules", quoted({"version": report.rules, "ours": RULES}), lang)
    yield phrase("verdict.campaign-judged", {"n": report.judged}, lang)
    if report.not_judged:
        yield phrase("verdict.not-judged", {"events": ranges(report.not_judged)}, lang)
    for n in report.given:
        yield phrase("verdict.campaign-role-given", {"n": n}, lang)
    yield from _words(report, lang)
    if report.at_table:
        at_table = quoted({"n": len(report.at_table), "boards": list(report.at_table[:MOST_NAMED])})
        yield phrase("verdict.campaign-at-table", at_table, lang)
    if report.counted and not report.looked:
        yield phrase("verdict.campaign-no-battles", {"n": report.counted}, lang)
    elif report.counted:
        yield phrase("verdict.campaign-battles", {"n": len(report.compared), "all": report.counted}, lang)
    for kind, battles in (
        ("missing", report.missing),
        ("by-other-rules", report.by_other_rules),
        ("other-scenarios", report.other_scenarios),
    ):
        if battles:
            named = quoted({"n": len(battles), "battles": list(battles[:MOST_NAMED])})
            yield phrase(f"verdict.campaign-{kind}", named, lang)
