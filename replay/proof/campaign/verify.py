"""Verify the file of a campaign: bytes, chain, signature, chance, rules, and the battles that it counts (CAM-LOG-06).

Whatever the content, the answer is a `CampaignReport`. The fault of the earliest event counts.
"""

from collections.abc import Callable, Mapping, Sequence

from msgspec.structs import replace

from domain.campaign.config import CampaignConfig
from domain.campaign.events import CampaignEnded, CampaignOpened, ResultCounted, TableResult
from domain.campaign.header import RULES, is_campaign
from domain.catalogue import RULESETS
from domain.contract.campaign_book import CampaignBook
from domain.contract.ruleset import Ruleset
from domain.log.record import FileFault
from replay.proof.beside import Stopped, proven_heads
from replay.proof.blocks import ProtocolFault
from replay.proof.campaign.battles import BattlesCompared
from replay.proof.campaign.course import CampaignWalk
from replay.proof.campaign.draws import CampaignDraws
from replay.proof.campaign.folder import Find
from replay.proof.campaign.log import CampaignLog, open_campaign
from replay.proof.campaign.own_words import CampaignWords
from replay.proof.campaign.report import CampaignReport
from replay.proof.campaign.seals import CampaignSeals
from replay.proof.campaign.seeds import SeedingLadder, require_seeds, seeded_by
from replay.proof.faults import fault_sentence
from replay.proof.heads import Evidence
from replay.proof.histories import fork
from replay.proof.notes import BadNote
from replay.proof.report import Fault
from replay.proof.seen import WitnessEvidence, judge
from replay.proof.verify import (
    FAULT,
    LATER,
    NOT_A_FILE,
    NOT_ALL_JUDGED,
    OK,
    OTHER_RULES,
    event_at,
)
from replay.telling.words import ENGLISH

NOT_ALL_THERE = OTHER_RULES
"""Exit where files of battles are missing."""


def verify_campaign(
    content: bytes,
    key: str | None = None,
    find: Find | None = None,
    *,
    rulesets: Mapping[str, Ruleset] = RULESETS,
    lang: str = ENGLISH,
    evidence: Sequence[Evidence] = (),
    against: Evidence | None = None,
    witnessed: WitnessEvidence | None = None,
) -> CampaignReport:
    """Check the bytes of a campaign's file.

    Shape: `key` is a verifier key from another source; `find` gives the files of battles, None if there are none;
           `evidence`, `against` and `witnessed` as in `replay.proof.verify.verify`
    """
    try:
        log = open_campaign(content, key)
    except FileFault as fault:
        return _unreadable(content, fault, lang)
    report = _described(log, key)
    try:
        report = _beside(report, log, key, evidence, against, witnessed)
    except Stopped as stop:
        return replace(report, exit=FAULT, fault=stop.fault(lang))
    except ProtocolFault as stranger:
        told = Stopped(stranger.n, stranger.what, stranger.details).fault(lang)
        return replace(report, exit=FAULT, fault=told)
    return _judged(report, log, find, rulesets, lang)


def _judged(
    report: CampaignReport, log: CampaignLog, find: Find | None, rulesets: Mapping[str, Ruleset], lang: str
) -> CampaignReport:
    """What chance, seals, signatures, rules and battles show."""
    draws = CampaignDraws(log.header.campaign, log.events)
    seals = CampaignSeals(log.header.campaign, log.events, log.chained.lines)
    words = CampaignWords(log.header.campaign, dict(enumerate(log.chained.hashes)).get)
    course = CampaignWalk(log.events, draws, seals, words, _book(log, rulesets))
    faults = [_found(course.check, lambda: course.n + 1, len(log.events))]
    report = replace(report, draws=draws.drawn, bound=draws.bound, judged=course.judged, given=tuple(course.given))
    report = replace(
        report, signed_by=(*words.signed.values(),), unsigned=words.unsigned, host_wrote=(*words.host_wrote,)
    )
    report = replace(report, not_judged=tuple(course.sealed))
    if find is not None and course.state.config is not None:
        battles = BattlesCompared(log, seals.events, course.state.config, find, rulesets)
        faults.append(_found(lambda: battles.check(course.cut), lambda: len(log.events), len(log.events)))
        report = _compared(report, battles)
        ladder = _ladder(course.state.config, find, rulesets)
        faults.append(_found(lambda: require_seeds(log.events, ladder), lambda: len(log.events), len(log.events)))
        if ladder is not None:
            report = replace(report, missing=tuple(dict.fromkeys((*report.missing, *ladder.missing))))
    if report.ended and not report.signed:
        faults.append(ProtocolFault(len(log.events), "unsigned"))
    first = min((fault for fault in faults if fault is not None), key=lambda fault: fault.n, default=None)
    if first is not None:
        told = Fault(first.n, first.what, fault_sentence(first.what, first.details, lang))
        return replace(report, exit=FAULT, fault=told)
    return replace(report, exit=_exit(report))


def _beside(
    report: CampaignReport,
    log: CampaignLog,
    key: str | None,
    evidence: Sequence[Evidence],
    against: Evidence | None,
    witnessed: WitnessEvidence | None,
) -> CampaignReport:
    """What heads that were kept, another file and witnesses say.

    Raises: Stopped, ProtocolFault
    """
    report = replace(report, heads=tuple(proven_heads(log, evidence)), witnessed=judge(log, witnessed))
    if against is None:
        return report
    try:
        return replace(report, two_histories=fork(log, open_campaign(against.content, key)))
    except BadNote as bad:
        raise Stopped(0, bad.what, {}, against.source) from None
    except FileFault as bad:
        raise Stopped(max(bad.line - 1, 0), bad.what, bad.details, against.source) from None


def _ladder(config: CampaignConfig, find: Find, rulesets: Mapping[str, Ruleset]) -> SeedingLadder | None:
    """The ladder by which a cup is seeded, as far as its file is there and holds."""
    name = seeded_by(config)
    if not name:
        return None
    content = find(name)
    if content is None:
        return SeedingLadder(name, missing=(name,))
    report = verify_campaign(content, find=find, rulesets=rulesets)
    if report.fault is not None or report.campaign != name:
        return SeedingLadder(name, fault=report.fault.what if report.fault is not None else "other-battle")
    return SeedingLadder(name, open_campaign(content).events, report.missing)


def _book(log: CampaignLog, rulesets: Mapping[str, Ruleset]) -> CampaignBook | None:
    """What the game of a campaign says of armies that live on."""
    opened = log.events[0].event if log.events else None
    ruleset = rulesets.get(opened.ruleset) if isinstance(opened, CampaignOpened) else None
    return ruleset.campaign if ruleset is not None else None


def _unreadable(content: bytes, fault: FileFault, lang: str) -> CampaignReport:
    """The report on bytes that are no log of a campaign."""
    told = Fault(event_at(fault, content), fault.what, fault_sentence(fault.what, fault.details, lang))
    if fault.what == LATER:
        return CampaignReport(exit=OTHER_RULES, later=told.sentence)
    is_ours = is_campaign(content.partition(b"\n")[0])
    return CampaignReport(exit=FAULT if is_ours else NOT_A_FILE, fault=told)


def _found(check: Callable[[], None], at: Callable[[], int], last: int) -> ProtocolFault | None:
    """The fault that a check finds."""
    try:
        check()
    except ProtocolFault as fault:
        return fault
    except Exception as reason:  # a signed log may claim anything, and the rules trust what it claims
        return ProtocolFault(min(at(), last), "not-judgeable", reason=f"{type(reason).__name__}: {reason}")
    return None


def _described(log: CampaignLog, key: str | None) -> CampaignReport:
    header, chained = log.header, log.chained
    host = chained.keys[0][1]
    events = [entry.event for entry in log.events]
    return CampaignReport(
        exit=OK,
        version=header.version,
        campaign=header.campaign,
        host=header.host,
        rules=header.rules,
        events=len(events),
        head=chained.hashes[-1].hex(),
        ended=any(isinstance(event, CampaignEnded) for event in events),
        signed=chained.checkpoint is not None,
        key=header.key,
        fingerprint=host.fingerprint(),
        kid=host.kid,
        trusted=key is not None,
        counted=sum(isinstance(event, ResultCounted) for event in events),
        at_table=tuple(event.board for event in events if isinstance(event, TableResult)),
    )


def _compared(report: CampaignReport, battles: BattlesCompared) -> CampaignReport:
    return replace(
        report,
        looked=True,
        compared=tuple(battles.compared),
        missing=tuple(battles.missing),
        by_other_rules=tuple(battles.by_other_rules),
        other_scenarios=tuple(battles.other_scenarios),
    )


def _exit(report: CampaignReport) -> int:
    if report.two_histories is not None or report.is_unwitnessed:
        return FAULT
    if report.missing or report.by_other_rules or report.rules != RULES:
        return NOT_ALL_THERE
    if report.counted and not report.looked:
        return NOT_ALL_THERE
    return OK if report.ended else NOT_ALL_JUDGED
