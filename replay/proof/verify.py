"""Verify a battle file: bytes, chain, signatures, chance, secrets, authority and rules.

Whatever the content, the answer is a `Report`: a file is judged, never refused. The protocol (`replay.proof.protocol`)
is checked from the events alone, the rules (`replay.proof.audit`) in a second pass. The fault of the earliest event
counts, and nothing behind it is judged.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from domain.basics.errors import Refusal
from domain.catalogue import RULESETS
from domain.contract.ruleset import Ruleset
from domain.events.battle import RulesChanged
from domain.log.record import FIRST_VERSION, FORMAT, FileFault, Recorded
from replay.proof import chain, histories, protocol, shapes
from replay.proof.audit import AuditFault, AuditReport, audit
from replay.proof.beside import Stopped, proven_heads
from replay.proof.blocks import INPUTS, ProtocolFault
from replay.proof.branches import branch_of, require_position, require_same, source_in
from replay.proof.chain import Log
from replay.proof.claims import wrong_claims
from replay.proof.faults import quoted
from replay.proof.first import judging
from replay.proof.heads import Evidence
from replay.proof.histories import Fork
from replay.proof.notes import BadNote
from replay.proof.protocol import Chronicle, Findings
from replay.proof.report import Fault, ProvenHead, Report
from replay.proof.seats import names_of
from replay.proof.seen import WitnessEvidence, judge
from replay.telling.words import ENGLISH, phrase

__all__ = [
    "FAULT",
    "NOT_ALL_JUDGED",
    "NOT_A_FILE",
    "OK",
    "OTHER_RULES",
    "Fault",
    "ProvenHead",
    "Report",
    "release_for",
    "verify",
]

OK, FAULT, NOT_A_FILE, OTHER_RULES, NOT_ALL_JUDGED = 0, 1, 2, 3, 4

LATER = "later-version"
_FORMAT = f'"format":"{FORMAT}"'.encode()

Progress = Callable[[int], None]
"""Called with the number of events done; each is done twice."""


def verify(
    content: bytes,
    key: str | None = None,
    evidence: Sequence[Evidence] = (),
    *,
    against: Evidence | None = None,
    source: Evidence | None = None,
    rulesets: Mapping[str, Ruleset] = RULESETS,
    progress: Progress | None = None,
    lang: str = ENGLISH,
    is_closed: bool = True,
    judges_moves: bool = True,
    trust: Callable[[Log], object] | None = None,
    witnessed: WitnessEvidence | None = None,
) -> Report:
    """Check the bytes of a battle file; `lang` is the language of the sentences. Without `is_closed` the signature of
    the host may be missing at the end of a battle that is over, as in the store of the host itself. Without
    `judges_moves` the rules of the game are not asked: what is left is the check of a browser, to the kind and event.

    Shape: `key` is a verifier key from another source; `evidence` the notes and mails that hold earlier heads;
    `against` another file of the same battle, `source` the file that a branch began from; `trust` compares the keys of
    the log with those that the reader knows (`replay.proof.pins`), and raises a ProtocolFault;
    `witnessed` are proofs of the log of the host, and whom the reader believes
    """
    report = Report(exit=FAULT)
    try:
        log = _bytes(content, key)
        report = _described(log, key)
        report = replace(report, heads=tuple(proven_heads(log, evidence)), witnessed=judge(log, witnessed))
        if against is not None:
            report = replace(report, two_histories=_fork(log, against, key))
        asks = progress or (lambda _: None), lang, is_closed, judges_moves
        report = _judged(report, log, source, rulesets, *asks)
        if trust is not None:
            trust(log)
    except Stopped as stop:
        if stop.what == LATER:
            return replace(report, exit=OTHER_RULES, later=stop.fault(lang).sentence)
        exit_ = FAULT if _FORMAT in content[: content.find(b"\n") + 1] else NOT_A_FILE
        return replace(report, exit=exit_, fault=stop.fault(lang))
    except ProtocolFault as stranger:
        return replace(report, exit=FAULT, fault=Stopped(stranger.n, stranger.what, stranger.details).fault(lang))
    return replace(report, exit=_exit(report))


def _exit(report: Report) -> int:
    if report.two_histories is not None or report.is_unwitnessed:
        return FAULT
    if report.other_rules:
        return OTHER_RULES
    return NOT_ALL_JUDGED if report.is_open else OK


# --- bytes, signatures, earlier heads, another file


def _bytes(content: bytes, key: str | None) -> Log:
    try:
        return chain.open_file(content, allow_unfinished=True, trusted_key=key)
    except FileFault as fault:
        raise Stopped(event_at(fault, content), fault.what, fault.details) from None


def event_at(fault: FileFault, content: bytes) -> int:
    """The event that a line stands for; the checkpoint stands for the last one."""
    last = content.count(b"\n") - 1
    n = max(fault.line - 1, 0)
    return last - 1 if n == last > 0 and fault.what in _OF_THE_CHECKPOINT else n


_OF_THE_CHECKPOINT = frozenset({"not-a-note", "other-key", "bad-signature", "not-a-head", "other-head"})


def _described(log: Log, key: str | None) -> Report:
    header, host = log.header, log.keys[0][1]
    return Report(
        exit=OK,
        version=header.version,
        battle=header.battle,
        host=header.host,
        ruleset=f"{header.ruleset} {header.rules}",
        events=len(log.lines),
        head=log.hashes[-1].hex(),
        signed=log.checkpoint is not None,
        key=header.key,
        fingerprint=host.fingerprint(),
        kid=host.kid,
        trusted=key is not None,
    )


def _fork(log: Log, against: Evidence, key: str | None) -> Fork | None:
    try:
        return histories.fork(log, chain.open_file(against.content, allow_unfinished=True, trusted_key=key))
    except BadNote as fault:
        raise Stopped(0, fault.what, {}, against.source) from None
    except FileFault as fault:
        raise Stopped(max(fault.line - 1, 0), fault.what, fault.details, against.source) from None


# --- what the events say


def _judged(
    report: Report,
    log: Log,
    source: Evidence | None,
    rulesets: Mapping[str, Ruleset],
    progress: Progress,
    lang: str,
    is_closed: bool,
    judges_moves: bool,
) -> Report:
    ruleset = rulesets.get(log.header.ruleset)
    try:
        events = shapes.read_events(log.lines, log.header.rules, ruleset, version=log.header.version)
    except FileFault as fault:
        raise Stopped(fault.line - 1, fault.what, fault.details) from None
    versions = _versions(log, events)
    others = versions if ruleset is None else tuple(version for version in versions if version != ruleset.version)
    found = _EarliestFault()
    is_first = log.header.version == FIRST_VERSION
    names = names_of(ruleset, events[0].event if events else None)
    cites_ours = ruleset if not (is_first and others) else None  # rule IDs of then had other names
    for wrong in wrong_claims(log.header.ruleset, cites_ours, names, events):
        found.add(*wrong)
    report = _branched(report, events, ruleset, source, rulesets, found, judges_moves)
    if is_first:
        report = _by_first_protocol(report, log, ruleset, events, found, progress)
    else:
        report = _found(report, _protocol(log, ruleset, events, found, progress))
    if report.ended and is_closed and not report.signed:
        found.add(len(events), "unsigned", {})
    rules = None
    trusted = _trusted(events, found)
    if judges_moves and ruleset is not None and log.header.rules == ruleset.version and trusted:
        rules = _rules(ruleset, trusted, log.header.version, found, progress)
    report = _ruled(report, rules)
    if found.first is not None:
        raise found.first
    told = tuple(release_for(log.header.ruleset, ruleset, version, lang) for version in others)
    return replace(report, other_rules=others, install=told)


def _branched(
    report: Report,
    events: Sequence[Recorded],
    ruleset: Ruleset | None,
    source: Evidence | None,
    rulesets: Mapping[str, Ruleset],
    found: "_EarliestFault",
    judges_moves: bool,
) -> Report:
    """The report with where a branch begins; its position must be a state of the game, and that of its source."""
    try:
        branch = branch_of(events)
        if branch is None:
            if source is not None:
                found.add(1, "not-a-branch", {})
            return report
        report = replace(report, branch=branch[0])
        if judges_moves and ruleset is not None and branch[1].rules == ruleset.version:
            require_position(ruleset, branch[1])
        if ruleset is not None and source is not None:
            require_same(ruleset, events[0].event, source_in(source.content, rulesets))
            report = replace(report, is_of_source=True)
    except ProtocolFault as fault:
        found.add(fault.n, fault.what, fault.details)
    except Refusal as refusal:
        found.add(1, "bad-position", {"where": refusal.params["where"], "flaw": refusal.params["flaw"]})
    except FileFault as fault:
        assert source is not None
        raise Stopped(max(fault.line - 1, 0), fault.what, fault.details, source.source) from None
    return report


def _by_first_protocol(
    report: Report,
    log: Log,
    ruleset: Ruleset | None,
    events: Sequence[Recorded],
    found: "_EarliestFault",
    progress: Progress,
) -> Report:
    """The report with what PBEM-1 could prove, for a file of version 1."""
    if ruleset is None:
        return report
    try:
        proven = judging.check(log.header.battle, log.header.rules, ruleset, events, progress)
    except ProtocolFault as fault:
        found.add(fault.n, fault.what, fault.details)
    except Exception as reason:  # a signed log may claim anything: the answer is a report, whatever it contains
        found.add(len(events), "not-readable", {"reason": _named(reason)})
    else:
        secret = proven.draws - proven.proven_draws
        tally = {"draws": proven.draws, "checked": proven.proven_draws, "secret": secret}
        return replace(report, ended=proven.complete, unopened=proven.unopened, **tally)
    return report


def _found(report: Report, findings: Findings | None) -> Report:
    """The report with what the protocol has shown."""
    if findings is None:
        return report
    tally = findings.tally
    return replace(
        report,
        ended=findings.ended > 0,
        draws=tally.draws,
        checked=tally.checked,
        bound=tally.bound,
        secret=tally.secret,
        unknown_cards=tally.unknown,
        continued_from=0 if findings.ended else findings.continued_from,
        seats=findings.seats,
        scenario=findings.scenario,
        listed=findings.listed,
        unopened=findings.unopened,
    )


def _ruled(report: Report, rules: AuditReport | None) -> Report:
    """The report with what the rules have shown."""
    if rules is None:
        return report
    return replace(
        report,
        judged=rules.judged,
        not_judged=rules.not_judged,
        excused=rules.excused,
        corrected=rules.corrected,
    )


class _EarliestFault:
    """The fault of the earliest event, from all passes."""

    def __init__(self) -> None:
        self.first: Stopped | None = None

    def add(self, n: int, what: str, details: Mapping[str, Any]) -> None:
        if self.first is None or n < self.first.n:
            self.first = Stopped(n, what, details)


def _trusted(events: Sequence[Recorded], found: _EarliestFault) -> Sequence[Recorded]:
    """The events that the rules may judge: where something was opened otherwise than it was sealed, the blocks before
    that, for what is opened counts from the beginning."""
    if found.first is None or found.first.what not in _UNTRUSTED:
        return events
    starts = [entry.n for entry in events if entry.type in INPUTS and entry.n <= found.first.n]
    return events[: starts[-1] - 1]


_UNTRUSTED = frozenset({"commitment-differs", "content-differs", "opened-twice", "not-sealed", "opened-late"})


def _protocol(
    log: Log, ruleset: Ruleset | None, events: Sequence[Recorded], found: _EarliestFault, progress: Progress
) -> Findings | None:
    n = 0

    def follow(done: int) -> None:
        nonlocal n
        n = done
        progress(done)

    header = log.header
    chronicle = Chronicle(header.battle, header.ruleset, header.rules, events, log.lines, log.hashes, header.version)
    try:
        return protocol.check(chronicle, ruleset, follow)
    except ProtocolFault as fault:
        found.add(fault.n, fault.what, fault.details)
    except Exception as reason:  # a signed log may claim anything: the answer is a report, whatever it contains
        found.add(_block_end(events, n), "not-readable", {"reason": _named(reason)})
    return None


def _rules(
    ruleset: Ruleset, events: Sequence[Recorded], version: int, found: _EarliestFault, progress: Progress
) -> AuditReport | None:
    done = 0

    def follow(at: int) -> None:
        nonlocal done
        done = at
        progress(len(events) + at)

    try:
        return audit(ruleset, events, follow, version=version)
    except AuditFault as fault:
        found.add(fault.n, fault.what, fault.details)
    except Exception as reason:  # a signed log may claim anything, and the rules trust what it claims
        found.add(_block_end(events, done), "not-judgeable", {"reason": _named(reason)})
    return None


def _block_end(events: Sequence[Recorded], done: int) -> int:
    """The last event of the block behind event `done`."""
    behind = (entry.n - 1 for entry in events[done + 1 :] if entry.type in INPUTS)
    return next(behind, len(events))


def _versions(log: Log, events: Sequence[Recorded]) -> tuple[str, ...]:
    changed = [recorded.event.to for recorded in events if isinstance(recorded.event, RulesChanged)]
    return tuple(dict.fromkeys((log.header.rules, *changed)))


def release_for(game: str, ruleset: Ruleset | None, version: str, lang: str = ENGLISH) -> str:
    """A sentence saying which release to install to judge by a version of a ruleset, or that none is known here."""
    release = ruleset.releases.get(version, "") if ruleset else ""
    told = {"ruleset": game, "ours": ruleset.version if ruleset else "", "version": version, "release": release}
    return phrase("verdict.install" if ruleset and release else "verdict.no-release", quoted(told), lang)


def _named(reason: Exception) -> str:
    return f"{type(reason).__name__}: {reason}"
