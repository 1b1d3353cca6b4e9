"""Put the result of a verification into words (fairness.md 8).

A fault comes first, then the state of the file, then what was checked and what was not, then what holds only under a
condition. The order of the lines and their wording are part of the protocol.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from domain.log.record import FIRST_VERSION
from replay.proof.authority import SettledAct
from replay.proof.faults import quoted
from replay.proof.protocol import SeatReport
from replay.proof.report import BotOrders
from replay.proof.scenario import ScenarioTold
from replay.proof.seen import WitnessReport
from replay.proof.verify import NOT_A_FILE, Report
from replay.telling.words import ENGLISH
from replay.telling.words.sentences import fragment, phrase


def lines(report: Report, lang: str = ENGLISH) -> Iterator[str]:
    """A report as lines to read, the verdict last.

    Shape: `report` must be in the same language (`verify`), because it quotes the fault
    """
    fault = report.fault
    if report.later:
        yield report.later
        return
    if fault is not None:
        what = fault.sentence.rstrip(".")
        if report.exit == NOT_A_FILE:
            yield _phrase("not-a-file", lang, what=what)
            return
        yield _phrase("fault", lang, n=fault.n, kind=fault.what, what=what)
    if report.key and (report.seats or fault is None):
        yield _phrase("ended" if report.ended else "running", lang, n=report.events, signed=_flag(report.signed))
    if report.key:
        own = "own-key" if not report.trusted else "trusted-key"
        yield _phrase(own, lang, fingerprint=report.fingerprint)
        yield _phrase("host-kid", lang, kid=report.kid)
    for head in report.heads:
        yield _phrase("head", lang, source=head.source, n=head.n)
    if fault is None:
        yield from _branched(report, lang)
        yield from _scenario(report.scenario, lang)
        yield from _checked(report, lang)
        for seat in report.seats:
            is_one_of_many = any(seat.side == other.side and seat is not other for other in report.seats)
            yield from _seat(seat, report.events, bool(seat.until) or is_one_of_many, lang)
        yield from listed(report.listed, lang)
        yield from _bots(report.bots, lang)
    if report.witnessed is not None:
        yield from what_witnesses_say(report.witnessed, lang)
    if report.two_histories is not None:
        yield _phrase("two-histories" if report.two_histories.is_proven else "fork", lang, n=report.two_histories.n)
    elif fault is None and report.is_unwitnessed:
        yield _phrase("unwitnessed", lang)
    elif fault is None:
        yield _phrase("open" if report.is_open or report.other_rules else "holds", lang)


def _branched(report: Report, lang: str) -> Iterator[str]:
    """Where a branch begins, and how far that is known."""
    branch = report.branch
    if branch is None:
        return
    told = quoted({"battle": branch.battle, "host": branch.host, "n": branch.n, "known": branch.known})
    yield _phrase("branch" if branch.battle else "branch-of-case", lang, **told)
    yield _phrase("of-source" if report.is_of_source else "on-trust", lang, n=branch.n)


def _scenario(told: ScenarioTold, lang: str) -> Iterator[str]:
    """What the scenario gave instead of chance, and whether it is a packaged one."""
    if told.is_known:
        yield _phrase("scenario-packaged" if told.name else "scenario-own", lang, **quoted({"name": told.name}))
    for side, n in told.given:
        yield _phrase("given", lang, side=side, n=n)


def what_witnesses_say(found: WitnessReport, lang: str) -> Iterator[str]:
    """What the log of the host and its witnesses say."""
    if not found.n:
        yield _phrase("no-proof", lang)
    elif not found.has_policy:
        yield _phrase("nobody-vouches", lang, n=found.n, size=found.size, signatures=found.signatures)
    elif found.before:
        yield _phrase("witnessed", lang, n=found.n, seen=found.seen, all=found.all, before=found.before)
    else:
        yield _phrase("too-few-witnesses", lang, n=found.n, seen=found.seen, all=found.all)
    if found.further:
        yield _phrase("log-goes-further", lang, n=found.further)
    for late in found.late:
        yield _phrase("late-in-log", lang, n=late.n, at=late.at[:16].replace("T", " "), absent=late.absent)


def _checked(report: Report, lang: str) -> Iterator[str]:
    """What the draws and the rules have shown."""
    if report.version == FIRST_VERSION:
        yield _phrase("first-version", lang)
        yield _phrase("first-draws", lang, n=report.draws, checked=report.checked)
    elif report.checked == report.draws:
        yield _phrase("draws", lang, n=report.draws)
    else:
        yield _phrase(
            "draws-in-part", lang, n=report.draws, checked=report.checked, bound=report.bound, secret=report.secret
        )
    if report.keys_to_come:
        yield _phrase("keys-to-come", lang)
    if report.continued_from:
        yield _phrase("continued", lang, n=report.continued_from)
    if report.not_judged:
        yield _phrase("not-judged", lang, events=ranges(report.not_judged))
    if report.corrected:
        yield _phrase("corrected", lang, n=report.corrected)
    for n, by in report.excused:
        yield _phrase("excused", lang, n=n, by=by)
    yield from report.install


def _seat(seat: SeatReport, last: int, for_a_span: bool, lang: str) -> Iterator[str]:
    """What holds for a seat while one player held it, and under which condition; `for_a_span`: the span is told."""
    held = {"side": seat.side, "player": seat.player, "since": seat.since, "until": seat.until or last}
    who = fragment("verdict.holder" if for_a_span else "verdict.seat", held, lang)
    if seat.kind != "bot":
        yield _phrase(f"seat-{seat.mode}", lang, who=who)
    else:
        yield _phrase("seat-bot", lang, who=who)
    if seat.is_operator:
        yield _phrase("seat-operator", lang, who=who)
    if seat.is_program:
        yield _phrase("seat-program", lang, who=who)
    if seat.without_phrase:
        yield _phrase("seat-without-phrase", lang, who=who)
    if seat.kid:
        yield _phrase("seat-kid", lang, who=who, kid=seat.kid)
    vouched = seat.vouched
    if vouched.messages or vouched.without:
        yield _phrase(
            "seat-signed" if seat.is_signed else "seat-unsigned",
            lang,
            who=who,
            messages=vouched.messages,
            n=vouched.n,
            without=vouched.without,
        )


def _bots(bots: Sequence[BotOrders] | None, lang: str) -> Iterator[str]:
    """What became of the orders of bots, if they were asked for."""
    if bots is not None and not bots:
        yield _phrase("bots-none", lang)
    for one in bots or ():
        told = quoted({"side": one.side, "bot": one.bot, "n": one.orders})
        yield _phrase(f"bots-{one.left_out or 'recomputed'}", lang, **told)


def listed(acts: Sequence[SettledAct], lang: str) -> Iterator[str]:
    """What was done that the host may not do alone, one line each."""
    if acts:
        yield _phrase("listed", lang)
    for act in acts:
        told = quoted({"n": act.n, "who": act.who, "about": act.about})
        authority = fragment(f"verdict.authority-{act.authority}", {}, lang)
        authority += fragment("verdict.umpire-unsigned", {}, lang) if act.is_unsigned else ""
        authority += fragment("verdict.umpire-key", {"kid": act.kid}, lang) if act.kid else ""
        yield "  " + fragment(f"verdict.act-{act.what}", {**told, "authority": authority}, lang)


def _flag(value: bool) -> str:
    return "yes" if value else ""


def _phrase(what: str, lang: str, /, **params: Any) -> str:
    return phrase(f"verdict.{what}", params, lang)


def ranges(numbers: Sequence[int]) -> str:
    """Numbers as ranges: "1-3, 5"."""
    spans: list[list[int]] = []
    for number in sorted(set(numbers)):
        if spans and number == spans[-1][1] + 1:
            spans[-1][1] = number
        else:
            spans.append([number, number])
    return ", ".join(str(first) if first == last else f"{first}-{last}" for first, last in spans)
