"""What does a verification say to a person?

The file's own claims come last: first whether its key can be trusted, then what was checked, then
what that does not prove.
"""

from collections.abc import Iterator, Sequence

from replay.verify import FAULT, OTHER_RULES, Report

OWN_KEY = (
    "The key comes from this file: whoever made the file may have made the key.",
    "Compare its fingerprint with one that you got elsewhere, or give the key with --key.",
)


def lines(report: Report) -> Iterator[str]:
    """A report as lines to read, the verdict last."""
    if report.key:
        yield from _key(report)
        yield f"Battle {report.battle} of {report.host}, {report.ruleset}: {report.events} events, head {report.head}."
    for head in report.heads:
        yield f"{head.source}: the head of event {head.n} is an earlier state of this very log."
    if report.chance is not None:
        yield from _chance(report)
    if report.rules is not None and not report.fault:
        yield _rules(report)
    yield from report.install
    yield _verdict(report)


def _key(report: Report) -> Iterator[str]:
    if report.trusted:
        yield f"Signed by the key that you gave, fingerprint {report.fingerprint}."
        return
    yield from OWN_KEY
    yield f"  fingerprint  {report.fingerprint}"
    yield f"  key          {report.key}"


def _chance(report: Report) -> Iterator[str]:
    chance = report.chance
    assert chance is not None
    yield f"Draws: {chance.proven_draws} of {chance.draws} are proven to be those that had to fall."
    if chance.proven:
        yield f"  proven player-turns: {ranges(chance.proven)}"
    if chance.unproven:
        yield f"  not yet provable (their nonces are not out): {ranges(chance.unproven)}"
    for side in ("south", "north"):
        turns = [t for t, seat in chance.without_entropy if seat == side]
        if turns:
            yield f"  no entropy from {side} (a bot, or no phrase) in player-turns {ranges(turns)}"
    if chance.unopened:
        yield f"  still sealed: events {ranges(chance.unopened)}"


def _rules(report: Report) -> str:
    judged = report.rules
    assert judged is not None
    sealed = f"; {judged.sealed} sealed orders cannot be judged yet" if judged.sealed else ""
    return f"Rules: {judged.judged} inputs judged again, with the same consequences{sealed}."


def _verdict(report: Report) -> str:
    fault = report.fault
    if fault is None and report.exit == OTHER_RULES:
        return "No fault found, but other rules have judged here, which this release does not have."
    if fault is None:
        state = "" if report.finished else f" The file is unfinished at event {report.events}."
        return f"OK: everything holds.{state}"
    assert report.exit == FAULT
    place = f"line {fault.line}" if fault.line else "the file"
    event = f" (event {fault.n})" if fault.n else ""
    return f"FAULT in {place}{event}: {fault.sentence} [{fault.what}]"


def ranges(numbers: Sequence[int]) -> str:
    """Numbers as ranges: "1-3, 5"."""
    spans: list[list[int]] = []
    for number in sorted(set(numbers)):
        if spans and number == spans[-1][1] + 1:
            spans[-1][1] = number
        else:
            spans.append([number, number])
    return ", ".join(str(first) if first == last else f"{first}-{last}" for first, last in spans)
