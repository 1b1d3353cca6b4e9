"""Tell a player what became of their orders.

Line by line: what passed, failed, was refused (in words, with the rule), parked, or not played; or, for a preview, what
the orders would probably do.
"""

from collections import Counter
from collections.abc import Callable, Sequence

from msgspec import Struct

from domain.basics.errors import Refusal
from domain.mechanics.trial import How
from replay.telling import words
from replay.telling.words.sentences import fragment
from server.play.outlook import FirstDraw, Preview, PreviewLine
from server.play.scripts import Unreadable
from server.play.service import LineOutcome, RequestAnswer
from server.words import say, sentence_of

MOST_LIKELY = 5
"""Kinds of event reported for a line in a preview."""


class LineTold(Struct, frozen=True):
    """A line and its result; `kind` chooses its look, `said` is a sentence or ""."""

    order: str
    kind: str
    status: str
    said: str


class ShownAnswer(Struct, frozen=True):
    """What to show above the order box. `left` are the lines to keep in it; `code` that of a refusal, `is_refused` if
    the whole request was refused."""

    title: str
    lines: tuple[LineTold, ...] = ()
    notes: tuple[str, ...] = ()
    left: str = ""
    code: str = ""
    is_refused: bool = False
    all_well: bool = False


Went = Callable[[int, int], str]
"""What became of the order with these events: `passed`, `missed`, `failed`, `done` (`server.shown.story.result_of`)."""


def answer_of(played: RequestAnswer, went: Went, lang: str = words.ENGLISH) -> ShownAnswer:
    """A request that was played, wholly or in part. That an order was understood is no result: the line says whether
    it passed."""
    refusal = next((outcome.refusal for outcome in played.outcomes if outcome.refusal), None)
    if refusal is None and all(outcome.status in ("accepted", "parked") for outcome in played.outcomes):
        return ShownAnswer(say(lang, "pages.answer.played"), all_well=True)
    accepted = sum(bool(outcome.spans) for outcome in played.outcomes)
    return ShownAnswer(
        title=_title(played, accepted, lang),
        lines=tuple(_line(outcome, went, lang) for outcome in played.outcomes),
        left=_left(played),
        code=refusal.code if refusal else "",
        is_refused=refusal is not None and not accepted,
    )


def _title(played: RequestAnswer, accepted: int, lang: str) -> str:
    if not accepted:
        return say(lang, "pages.answer.nothing")
    if any(outcome.refusal for outcome in played.outcomes):
        return say(lang, "pages.answer.part", played=accepted, lines=len(played.outcomes))
    return say(lang, "pages.answer.script")


def _left(played: RequestAnswer) -> str:
    """The lines to put back into the box: for plain orders those that were not played. The rest of a script would
    not mean the same, so its lines come back as comments; "" leaves what was written."""
    told = played.outcomes
    if any(
        outcome.why or len(outcome.spans) > 1 or (outcome.status == "accepted") > bool(outcome.spans)
        for outcome in told
    ):
        return "".join(f"# {outcome.line.text}\n" for outcome in told) if any(outcome.spans for outcome in told) else ""
    return "".join(f"{outcome.line.text}\n" for outcome in told if outcome.status != "accepted")


def _line(outcome: LineOutcome, went: Went, lang: str) -> LineTold:
    reason = outcome.refusal or outcome.why
    said = sentence_of(reason, lang) if reason else ""
    if outcome.status == "parked":
        said = say(lang, "pages.answer.parked")
    if outcome.status != "accepted":
        return LineTold(outcome.line.text, outcome.status, _status(outcome.status, lang), said)
    results = Counter(went(first, last) for first, last in outcome.spans) or Counter({"done": 1})
    told = [
        fragment("pages.answer.times", {"status": _status(result, lang), "times": times if times > 1 else 0}, lang)
        for result, times in results.items()
    ]
    return LineTold(outcome.line.text, "failed" if results["failed"] else "passed", ", ".join(told), said)


def _status(status: str, lang: str) -> str:
    return fragment(f"pages.status.{status}", {}, lang)


def unreadable_answer(unreadable: Unreadable, lang: str = words.ENGLISH) -> ShownAnswer:
    """Lines that cannot be read, each with what was expected."""
    faults = {fault.line.number: fault.refusal for fault in unreadable.faults}
    lines = []
    for line in unreadable.script.orders:
        refusal = faults.get(line.number)
        kind = "refused" if refusal else "not-played"
        lines.append(LineTold(line.text, kind, _status(kind, lang), sentence_of(refusal, lang) if refusal else ""))
    return ShownAnswer(say(lang, "pages.answer.nothing"), tuple(lines), code="core.unreadable", is_refused=True)


def refusal_answer(refusal: Refusal, lang: str = words.ENGLISH) -> ShownAnswer:
    """A request refused as a whole."""
    notes = [sentence_of(refusal, lang)]
    if refusal.code == "core.stale":
        notes.append(say(lang, "pages.answer.stale"))
    return ShownAnswer(say(lang, "pages.answer.nothing"), notes=tuple(notes), code=refusal.code, is_refused=True)


# --- previews


def outlook_of(outlook: Preview, lang: str = words.ENGLISH) -> ShownAnswer:
    """What orders would probably do."""
    notes = [] if outlook.first_draw is None else [first_draw(outlook.first_draw, lang)]
    notes.append(say(lang, "desk.preview.method", playouts=outlook.playouts))
    lines = tuple(_outlook(line, outlook.playouts, lang) for line in outlook.lines)
    return ShownAnswer(say(lang, "pages.battle.preview"), lines, tuple(notes))


def _outlook(line: PreviewLine, playouts: int, lang: str) -> LineTold:
    works = line.accepted - line.failed
    counts = (works, line.failed, line.refused, line.skipped, line.unreached)
    told, fails, refused, skipped, unreached = shares(counts, lang)
    parts = [_if_fails(line, fails, lang)] if line.failed else []
    why = reason_of(line, lang)
    if line.refused:
        parts.append(say(lang, "pages.preview.refused", share=refused, why=why))
    if line.skipped:
        parts.append(say(lang, "pages.preview.skipped", share=skipped, why="" if line.refused else why))
    if line.unreached:
        parts.append(say(lang, "pages.preview.unreached", share=unreached))
    if line.asked:
        parts.append(say(lang, "pages.preview.asked", share=percent(line.asked, playouts, lang)))
    if line.orders:
        tenths = (20 * line.orders + playouts) // (2 * playouts)
        mark = "," if lang == "fr" else "."
        parts.append(say(lang, "pages.preview.orders", orders=f"{tenths // 10}{mark}{tenths % 10}"))
    likely = _likely(line, playouts, lang)
    if likely:
        parts.append(say(lang, "pages.preview.likely", likely=", ".join(likely)))
    status = fragment("pages.preview.works", {"share": told}, lang) if works or line.failed else ""
    ended = " ".join(part if part[-1] in ".]" else f"{part}." for part in parts)
    return LineTold(line.order, "preview", status or fragment("pages.preview.never", {}, lang), ended)


def _if_fails(line: PreviewLine, share: str, lang: str) -> str:
    """How often a line fails, and what that brings with it each time."""
    follows = " ".join(words.phrase(message.id, message.params, lang) for message in line.if_fails)
    return say(lang, "pages.preview.fails", share=share, follows=follows)


def _likely(line: PreviewLine, playouts: int, lang: str) -> list[str]:
    likely = sorted(line.events.items(), key=lambda found: (-found[1], found[0]))[:MOST_LIKELY]
    return [f"{_event(name, lang)} {percent(count, playouts, lang)}" for name, count in likely]


def _event(name: str, lang: str) -> str:
    """An event in few words; how it went (`UnitMoved.charge`) where the log says it in the reader's language."""
    kind, _, how = name.partition(".")
    told = fragment(f"event.{kind}", {}, lang)
    return f"{told} ({how.replace('-', ' ').replace('_', ' ')})" if how and lang == words.ENGLISH else told


def reason_of(line: PreviewLine, lang: str) -> str:
    """The most frequent reason for a line's refusal; "" if that is not known."""
    why = line.commonest
    return words.refusal(why.code, why.rule, why.params, lang) if why else ""


def shares(parts: Sequence[int], lang: str = words.ENGLISH) -> list[str]:
    """The share of each of several cases in percent. Together they are 100: rounded down first, the remainder goes to
    those that lost most by it. No case that happens has 0.
    """
    whole = sum(parts)
    if not whole:
        return [in_percent(0, lang) for _ in parts]
    told = [max(100 * part // whole, 1) if part else 0 for part in parts]
    while (over := sum(told) - 100) != 0:
        step = -1 if over > 0 else 1
        may = [at for at in range(len(parts)) if step > 0 or told[at] > 1]
        most_wrong = max(may, key=lambda at: (step * (100 * parts[at] - told[at] * whole), -at))
        told[most_wrong] += step
    return [in_percent(share, lang) for share in told]


def percent(part: int, whole: int, lang: str = words.ENGLISH) -> str:
    """A share in percent; only certainty is 0 or 100."""
    share = (200 * part + whole) // (2 * whole) if whole else 0
    return in_percent(min(max(share, 1 if part else 0), 99 if part < whole else 100), lang)


def in_percent(number: int, lang: str) -> str:
    """A number with its percent sign, which French sets apart by a space."""
    return f"{number} %" if lang == "fr" else f"{number}%"


def first_draw(draw: FirstDraw, lang: str) -> str:
    """The first card or die, from what is really left."""
    if draw.good is None or not draw.needed:
        return say(lang, "desk.preview.pile", pile=draw.pile)
    told = {"good": draw.good, "pile": draw.pile, "needed": draw.needed, "share": percent(draw.good, draw.pile, lang)}
    told |= {"how": draw.how, "dice": draw.dice}
    if draw.factors:
        plus = [line["plus"] if isinstance(line, dict) else line.plus for line in draw.factors]
        told["sum"] = words.factors(draw.needed - sum(plus), draw.factors, draw.needed, lang)
    return say(lang, "desk.preview.first", **told)


def told_number(needed: int, how: How) -> str:
    """What is needed, in few words: "5", "2 or less"; "5 or more" goes without saying."""
    return str(needed) if how == "at-least" else told_pass(needed, how)


def told_pass(needed: int, how: How) -> str:
    """The values that pass: "5 or more", "2 or less", "more than 5"."""
    return {"at-least": f"{needed} or more", "at-most": f"{needed} or less", "opposed": f"more than {needed}"}[how]
