"""Put the result of a verification into words.

The file's own claims come last: first whether its key can be trusted, then what was checked, then
what that does not prove.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from domain.engine.state import SIDES
from replay.proof.verify import FAULT, OTHER_RULES, Report
from replay.telling.words import ENGLISH
from replay.telling.words.sentences import fragment

INDENT = "  "


def lines(report: Report, lang: str = ENGLISH) -> Iterator[str]:
    """A report as lines to read, the verdict last.

    Shape: `report` must be in the same language (`verify`), because it quotes the fault
    """
    if report.key:
        yield from _key(report, lang)
        about = {name: getattr(report, name) for name in ("battle", "host", "ruleset", "events", "head")}
        yield _said("battle", lang, **about)
    for head in report.heads:
        yield _said("head", lang, source=head.source, n=head.n)
    if report.chance is not None:
        yield from _chance(report, lang)
    if report.rules is not None and not report.fault:
        yield _said("rules", lang, judged=report.rules.judged, sealed=report.rules.sealed or "")
    yield from report.install
    yield _verdict(report, lang)


def _key(report: Report, lang: str) -> Iterator[str]:
    if report.trusted:
        yield _said("signed", lang, fingerprint=report.fingerprint)
        return
    yield _said("own-key", lang)
    yield _said("compare-key", lang)
    yield INDENT + _said("fingerprint", lang, fingerprint=report.fingerprint)
    yield INDENT + _said("key", lang, key=report.key)


def _chance(report: Report, lang: str) -> Iterator[str]:
    chance = report.chance
    assert chance is not None
    yield _said("draws", lang, proven_draws=chance.proven_draws, draws=chance.draws)
    if chance.proven:
        yield INDENT + _said("proven", lang, turns=ranges(chance.proven))
    if chance.unproven:
        yield INDENT + _said("unproven", lang, turns=ranges(chance.unproven))
    for side in SIDES:
        turns = [t for t, seat in chance.without_entropy if seat == side]
        if turns:
            yield INDENT + _said("without-entropy", lang, side=side, turns=ranges(turns))
    if chance.unopened:
        yield INDENT + _said("unopened", lang, events=ranges(chance.unopened))


def _verdict(report: Report, lang: str) -> str:
    fault = report.fault
    if fault is None and report.exit == OTHER_RULES:
        return _said("other-rules", lang)
    if fault is None:
        return _said("ok", lang, unfinished="" if report.finished else report.events)
    assert report.exit == FAULT
    said = f"{fault.sentence} [{fault.what}]"
    return _said("fault", lang, line=fault.line or "", n=fault.n or "", said=said)


def _said(what: str, lang: str, **params: Any) -> str:
    return fragment(f"verdict.{what}", params, lang)


def ranges(numbers: Sequence[int]) -> str:
    """Numbers as ranges: "1-3, 5"."""
    spans: list[list[int]] = []
    for number in sorted(set(numbers)):
        if spans and number == spans[-1][1] + 1:
            spans[-1][1] = number
        else:
            spans.append([number, number])
    return ", ".join(str(first) if first == last else f"{first}-{last}" for first, last in spans)
