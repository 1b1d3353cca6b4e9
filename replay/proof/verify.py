"""Verify a battle file: bytes, chain, signatures, draws and rules.

Runs all checks of docs/record-format.md 6, in this order; the first fault ends them and is named by line
and kind. Whatever the content, the answer is a `Report`: a file is judged, never refused.

The protocol (replay.proof.draws) is checked event by event next to a fold of the battle, the rules
(replay.proof.audit) in a second pass. If both find a fault, the earlier event counts.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from domain.catalogue import RULESETS
from domain.engine.events import CardDrawn, OrderAccepted, RulesChanged
from domain.engine.timeline import Timeline, vault_of
from domain.log.record import FileFault, Recorded
from domain.ruleset import Ruleset
from replay.battle_file import decode_events, unknown_ruleset
from replay.proof import chain, draws, seats
from replay.proof.audit import AuditFault, AuditReport, audit
from replay.proof.chain import Log
from replay.proof.claims import wrong_claims
from replay.proof.faults import fault_sentence
from replay.proof.heads import Evidence, NoHead, prove
from replay.proof.notes import BadNote, Verifier
from replay.telling.words import ENGLISH, phrase

OK, FAULT, OTHER_RULES = 0, 1, 3

RELEASES: Mapping[tuple[str, str], str] = {
    (code, version): release for code, game in RULESETS.items() for version, release in game.releases.items()
}
"""(ruleset, version) to the first release of Phalera that judges by it."""

Progress = Callable[[int], None]
"""Called with the number of events done; each is done twice."""


class Fault(Struct, frozen=True):
    """A fault. `line` counts from 1 (0: the file as a whole), `n` is the event there, 0 if there is none."""

    line: int
    n: int
    what: str
    sentence: str


class Proven(Struct, frozen=True):
    """An earlier head of this very log, and where it was found."""

    n: int
    source: str


class Report(Struct, frozen=True, kw_only=True):
    """The findings. `trusted` says that the reader supplied the key; otherwise the file
    vouches for itself. `chance` and `rules` are None if the check did not get that far; `other_rules`
    are the versions that judged and are not ours, `install` which release has them."""

    exit: int
    fault: Fault | None = None
    battle: str = ""
    host: str = ""
    ruleset: str = ""
    events: int = 0
    head: str = ""
    finished: bool = False
    key: str = ""
    fingerprint: str = ""
    trusted: bool = False
    heads: tuple[Proven, ...] = ()
    chance: draws.Report | None = None
    rules: AuditReport | None = None
    other_rules: tuple[str, ...] = ()
    install: tuple[str, ...] = ()


class _Stop(Exception):
    """The first fault; `source` is where it was found, if not in the file."""

    def __init__(self, line: int, n: int, what: str, details: Mapping[str, Any], source: str = "") -> None:
        super().__init__(what)
        self.line, self.n, self.what, self.details, self.source = line, n, what, details, source

    def fault(self, lang: str) -> Fault:
        """The fault in a language."""
        said = fault_sentence(self.what, self.details, lang)
        return Fault(self.line, self.n, self.what, f"{self.source}: {said}" if self.source else said)


def verify(
    content: bytes,
    key: str | None = None,
    evidence: Sequence[Evidence] = (),
    *,
    allow_unfinished: bool = False,
    rulesets: Mapping[str, Ruleset] = RULESETS,
    progress: Progress | None = None,
    lang: str = ENGLISH,
) -> Report:
    """Check the bytes of a battle file; `lang` is the language of the sentences.

    Shape: `key` is a verifier key from another source; `evidence` the notes and mails that hold earlier heads
    """
    report = Report(exit=FAULT)
    try:
        log = _bytes(content, key)
        report = _described(log, key)
        report = replace(report, heads=tuple(_heads(log, evidence)))
        report = _judged(report, log, rulesets, progress or _silent, lang)
        if not (report.finished or allow_unfinished):
            raise _Stop(0, 0, "unfinished", {"n": report.events})
    except _Stop as stop:
        return replace(report, exit=FAULT, fault=stop.fault(lang))
    return replace(report, exit=OTHER_RULES if report.install else OK)


# --- bytes, signatures, earlier heads


def _bytes(content: bytes, key: str | None) -> Log:
    try:
        return chain.open_file(content, allow_unfinished=True, trusted_key=key)
    except FileFault as fault:
        raise _at_line(fault, content) from None


def _at_line(fault: FileFault, content: bytes) -> _Stop:
    last = content.count(b"\n")
    n = fault.line - 1 if 1 < fault.line < last else 0
    return _Stop(fault.line, n, fault.what, fault.details)


def _described(log: Log, key: str | None) -> Report:
    header = log.header
    return Report(
        exit=OK,
        battle=header.battle,
        host=header.host,
        ruleset=f"{header.ruleset} {header.rules}",
        events=len(log.lines),
        head=log.hashes[-1].hex(),
        finished=log.checkpoint is not None,
        key=header.key,
        fingerprint=Verifier(header.key).fingerprint(),
        trusted=key is not None,
    )


def _heads(log: Log, evidence: Sequence[Evidence]) -> Iterator[Proven]:
    for item in evidence:
        try:
            for head in prove(log, item):
                yield Proven(head.n, item.source)
        except NoHead:
            raise _Stop(0, 0, "no-head", {}, item.source) from None
        except BadNote as fault:
            raise _Stop(0, 0, fault.what, {}, item.source) from None
        except FileFault as fault:
            raise _Stop(fault.line, max(fault.line - 1, 0), fault.what, fault.details, item.source) from None


# --- what the events say


def _judged(report: Report, log: Log, rulesets: Mapping[str, Ruleset], progress: Progress, lang: str) -> Report:
    ruleset = rulesets.get(log.header.ruleset)
    if ruleset is None:
        return replace(
            report, other_rules=(log.header.rules,), install=(unknown_ruleset(log.header.ruleset, rulesets, lang),)
        )
    try:
        events = decode_events(log, ruleset)
    except FileFault as fault:
        raise _Stop(fault.line, fault.line - 1, fault.what, fault.details) from None
    found = _Found()
    others = tuple(version for version in _versions(log, events) if version != ruleset.version)
    for wrong in wrong_claims(log.header.ruleset, ruleset, events):
        found.add(*wrong)
    chance = _chance(log.header.battle, ruleset, events, found, others, progress)
    # a mismatched commitment makes the content untrustworthy
    is_open = found.first is None or found.first.what != "commitment-differs"
    rules = _rules(ruleset, events, found, progress) if is_open and log.header.rules == ruleset.version else None
    if found.first is not None:
        raise found.first
    install = tuple(release_for(ruleset, version, lang) for version in others)
    return replace(report, chance=chance, rules=rules, other_rules=others, install=install)


class _Found:
    """The fault of the earliest event, from two passes."""

    def __init__(self) -> None:
        self.first: _Stop | None = None

    def add(self, n: int, what: str, details: Mapping[str, Any]) -> None:
        if self.first is None or n < self.first.n:
            self.first = _Stop(n + 1, n, what, details)


def _chance(
    battle: str,
    ruleset: Ruleset,
    events: Sequence[Recorded],
    found: _Found,
    others: Sequence[str],
    progress: Progress,
) -> draws.Report | None:
    """Check seats, contributions and draws, next to a fold that knows which cards are in a pile."""
    n = 0
    try:
        fold = _Fold(ruleset, events)
        check = draws.Draws(battle, events, fold.deck_cards, fold.pile)
        for recorded in events:
            n = recorded.n
            fold.feed(recorded)
            check.feed(recorded)
            if isinstance(recorded.event, OrderAccepted) and not others and recorded.event.t != fold.before.game.t:
                raise seats.SeatFault(n, "other-turn", expected=fold.before.game.t, found=recorded.event.t)
            progress(n)
        return check.finish()
    except seats.SeatFault as fault:
        found.add(fault.n, fault.what, fault.details)
    except Exception as reason:  # a signed log may claim anything, and folding trusts what it claims
        if not others:
            found.add(n, "not-foldable", {"type": events[n - 1].type if n else "the log", "reason": _named(reason)})
    return None


class _Fold:
    """The battle before and after the event that is being checked, for queries about its decks."""

    def __init__(self, ruleset: Ruleset, events: Sequence[Recorded]) -> None:
        self.ruleset = ruleset
        self.timeline = Timeline(ruleset, vault_of(list(events)))
        self.before = self.after = self.timeline.now
        self.is_draw = False

    def feed(self, recorded: Recorded) -> None:
        self.before = self.after
        self.after = self.timeline.feed(recorded)
        self.is_draw = isinstance(recorded.event, CardDrawn)
        self.size = getattr(recorded.event, "size", 0)

    def deck_cards(self, deck: str) -> tuple[str, ...] | None:
        """A whole deck: requested once, when it is first shuffled or drawn from."""
        battle = self.before if self.is_draw else self.after
        return self.ruleset.draws.pile(battle.game, deck) or None

    def pile(self, deck: str) -> tuple[str, ...] | None:
        """A pile that has just been shuffled; None if some of its cards may be out and still sealed."""
        cards = self.ruleset.draws.pile(self.after.game, deck)
        hidden = any(n not in self.timeline.vault for n in self.after.sealed)
        return None if hidden and len(cards) > self.size else cards or None


def _rules(ruleset: Ruleset, events: Sequence[Recorded], found: _Found, progress: Progress) -> AuditReport | None:
    done = 0

    def follow(at: int) -> None:
        nonlocal done
        done = at
        progress(len(events) + at)

    try:
        return audit(ruleset, events, follow)
    except AuditFault as fault:
        found.add(fault.n, fault.what, fault.details)
    except Exception as reason:  # a signed log may claim anything, and the rules trust what it claims
        found.add(min(done + 1, len(events)), "not-judgeable", {"reason": _named(reason)})
    return None


def _versions(log: Log, events: Sequence[Recorded]) -> tuple[str, ...]:
    changed = [recorded.event.to for recorded in events if isinstance(recorded.event, RulesChanged)]
    return tuple(dict.fromkeys((log.header.rules, *changed)))


def release_for(ruleset: Ruleset, version: str, lang: str = ENGLISH) -> str:
    """A sentence saying which release to install to judge by a version of a ruleset."""
    release = RELEASES.get((ruleset.code, version), "")
    told = {"ruleset": ruleset.code, "ours": ruleset.version, "version": version, "release": release}
    return phrase("verdict.install", told, lang)


def _named(reason: Exception) -> str:
    return f"{type(reason).__name__}: {reason}"


def _silent(done: int) -> None:
    """No progress reporting."""
