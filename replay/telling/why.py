"""Explain why an event happened.

Answered from the log and the state before the event: what happened, by which rule, what number was
needed and for which reasons, which card came, how many cards would have passed, and which order set it
going; for an order, by which rules it was carried out. Nothing is adjudicated again here; that is the audit's.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, takewhile
from typing import Any

import msgspec
from msgspec import UNSET, Struct, to_builtins

from domain.basics.message import Message
from domain.contract.narration import message_of
from domain.contract.ruleset import Ruleset
from domain.events.battle import (
    INPUTS,
    CardDrawn,
    DecisionAsked,
    DecisionMade,
    DieRolled,
    DrawLapsed,
    Event,
    Fact,
    OrderAccepted,
    Unsealed,
)
from domain.log.record import Recorded, opened
from domain.mechanics.trial import Trial
from replay.telling.odds import Chances, DeckDraw, draws_of, odds_now, trial_after, trial_of
from replay.telling.recompute import Recomputed, recomputed
from replay.telling.rulebook import CORE_PREFIX, Rule, decides, disputes, rule
from replay.telling.words import factors, phrase, sentence
from replay.telling.words.catalogue import find
from replay.telling.words.sentences import inline
from replay.telling.words.telling import message_in, quoted


class Reckoning(Struct, frozen=True):
    """The number needed: `base` and each factor {rule, why, plus}; needed = base + sign × Σ plus, kept
    within what the rule allows. `counts` says what it is: `needed`, `save` (a plus helps), `cards`, or what a roll is
    measured against: `roll`, `at-most`, `opposed`;
    `last` is the card that had to be beaten, 0 for none."""

    needed: int
    base: int
    sign: int
    factors: tuple[dict[str, Any], ...]
    counts: str
    last: int = 0


class Cause(Struct, frozen=True):
    """An input of the log: the order, or what else, that an event follows from."""

    n: int
    type: str
    side: str
    said: str


class ToldRuling(Struct, frozen=True):
    """What is answered to a disputed question, with the options of this battle."""

    number: int
    question: str
    text: str
    rules: tuple[str, ...]


class Explanation(Struct, frozen=True):
    """All that can be said of event `n`. `inputs` are the values that its sentence is made of; `odds`
    those of the card that a question is about; `causes` the newest input first; `counted` says how a
    number came about that no card is measured against, "" if there is none; `recomputed` how a draw fell."""

    n: int
    type: str
    by: str
    said: str
    rule: Rule
    inputs: dict[str, Any]
    reckoning: Reckoning | None
    draws: tuple[DeckDraw, ...]
    odds: Chances | None
    causes: tuple[Cause, ...]
    see: tuple[Rule, ...]
    rulings: tuple[ToldRuling, ...]
    counted: str = ""
    recomputed: Recomputed | None = None


def explain(
    ruleset: Ruleset,
    before: Any,
    log: Sequence[Recorded],
    after: Sequence[Recorded] = (),
    lang: str = "en",
    battle: str = "",
) -> Explanation:
    """Explain the last event of `log`.

    Shape: `before` is the state before that event, as far as the reader knows it; `log` are the
           events from the first to it; `after` those that follow, in which a card's own explanation
           looks up what the card was measured against, and the key of a draw; `battle` is the id, "" where
           draws need not be recomputed
    """
    recorded = log[-1]
    code = ruleset.code
    message = message_in(ruleset, before, _fact(recorded), lang)
    trial = trial_of(ruleset, before, recorded)
    measured = trial if trial and not trial.again else trial_after(ruleset, before, recorded, after)
    reckoning = _reckoning(message.params) or _reckoning_of(trial)
    main = rule(code, recorded.rule, lang)
    reasons = [factor["rule"] for factor in reckoning.factors] if reckoning else []
    beside = [other for other in main.see if decides(code, other, message.params)]
    involved = [other for other in dict.fromkeys((*reasons, *beside)) if other != main.id]
    return Explanation(
        n=recorded.n,
        type=recorded.type,
        by=recorded.by,
        said=sentence(message, lang),
        rule=main,
        inputs=message.params,
        reckoning=reckoning,
        draws=draws_of(ruleset, before, log, measured),
        odds=odds_now(ruleset, before, trial),
        causes=(*_in_advance(ruleset, log, after, lang), *_causes(ruleset, log, lang)),
        see=tuple(rule(code, other, lang) for other in (*involved, *_followed(log, after))),
        rulings=tuple(_rulings(code, before, recorded.type, message.params, (main.id, *involved), lang)),
        counted=_origin(message, lang),
        recomputed=recomputed(battle, [*log, *after], recorded.n) if battle else None,
    )


def to_text(explanation: Explanation, lang: str = "en") -> str:
    """An explanation as lines to read."""
    return "\n".join(_lines(explanation, lang))


def _lines(explanation: Explanation, lang: str) -> Iterator[str]:
    yield phrase("why-text.event", {"n": explanation.n, "type": explanation.type, "said": explanation.said}, lang)
    yield _rule_line("rule" if explanation.rule.text else "rule-unknown", explanation.rule, lang)
    if explanation.reckoning:
        yield reckoned_line(explanation.reckoning, lang)
    yield from drawn_lines(explanation, lang)
    if explanation.recomputed:
        yield _recomputed_line(explanation.recomputed, lang)
    for cause in explanation.causes:
        yield phrase("why-text.cause", _members(cause), lang)
    for other in explanation.see:
        if other.text:
            yield _rule_line("see", other, lang)
    for ruling in explanation.rulings:
        yield phrase("why-text.ruling", _members(ruling), lang)


def reckoned_line(reckoning: Reckoning, lang: str) -> str:
    """How a number came about, in one line."""
    total = factors(reckoning.base, reckoning.factors, reckoning.needed, lang, sign=reckoning.sign, last=reckoning.last)
    return phrase(f"why-text.{reckoning.counts}", {"sum": total}, lang)


def drawn_lines(explanation: Explanation, lang: str) -> Iterator[str]:
    """What was drawn for an event, against which odds."""
    if explanation.counted:
        yield explanation.counted
    for draw in explanation.draws:
        what, members = "die" if draw.sides else "draw", _members(draw)
        if str(draw.face) in ("0", draw.card):  # a plain die has none but its number
            del members["face"]
        yield phrase(f"why-text.{what}" if draw.stands else f"why-text.{what}-replaced", members, lang)
        if draw.odds:
            yield phrase("why-text.odds", _members(draw.odds), lang)
    if explanation.odds:
        yield phrase("why-text.odds-now", _members(explanation.odds), lang)


def _recomputed_line(draw: Recomputed, lang: str) -> str:
    members = {**_members(draw), "contributions": ", ".join(map(str, draw.contributions))}
    return phrase("why-text.recompute" if draw.key else "why-text.recompute-later", members, lang)


def _rule_line(part: str, rule: Rule, lang: str) -> str:
    return phrase(f"why-text.{part}", _members(rule), lang)


def _members(struct: Struct) -> dict[str, Any]:
    return {name: getattr(struct, name) for name in struct.__struct_fields__}


# --- the number


def _reckoning(params: dict[str, Any]) -> Reckoning | None:
    """The number that an event was measured against, from what its message tells."""
    needed = params.get("needed", params.get("cards"))
    if "base" not in params or not isinstance(needed, int):
        return None
    sign, lines = params.get("sign", 1), tuple(params.get("factors", ()))
    counts = "cards" if "needed" not in params else "save" if sign < 0 and lines else "needed"
    return Reckoning(needed, params["base"], sign, lines, counts, params.get("last", 0))


def _reckoning_of(trial: Trial | None) -> Reckoning | None:
    """The number of a trial of which the message tells none."""
    if trial is None or trial.needed is None or trial.base is None:
        return None
    counts = trial.how if trial.how != "at-least" else "roll" if trial.passes else "needed"
    return Reckoning(trial.needed, trial.base, 1, to_builtins(trial.factors), counts)


def _origin(message: Message, lang: str) -> str:
    """The origin of a number without a reckoning, in the words of the catalogue; "" if it has none."""
    kind = message.id.removesuffix(f".{message.id.split('.')[-1]}")
    ids = (f"why-text.{message.id}", f"why-text.{kind}")
    found = next((msgid for msgid in ids if find(msgid, lang)), "")
    return phrase(found, message.params, lang) if found else ""


# --- the order, and the rulings


def _causes(ruleset: Ruleset, log: Sequence[Recorded], lang: str) -> Iterator[Cause]:
    """The input that the last event follows from; for an answer also what the question came from."""
    at = len(log) - 1
    if isinstance(log[at].event, _INPUTS):
        return
    while at >= 0:
        at = _newest(log, at, _INPUTS)
        if at < 0:
            return
        event = log[at].event
        fact = _fact(log[at])
        said = sentence(quoted(ruleset, message_of(fact, ruleset.code), fact, lang), lang)
        yield Cause(log[at].n, log[at].type, getattr(event, "side", ""), said)
        if not _is_answer(log, at):
            return
        at = _newest(log, at, DecisionAsked)


def _followed(log: Sequence[Recorded], after: Iterable[Recorded]) -> tuple[str, ...]:
    """The rules of the game by which an order was carried out, in the order of its events, draws apart; () for what is
    no order."""
    if not isinstance(log[-1].event, OrderAccepted):
        return ()
    caused = takewhile(lambda recorded: not isinstance(recorded.event, _INPUTS), after)
    rules = (recorded.rule for recorded in caused if not isinstance(recorded.event, CardDrawn | DieRolled))
    return tuple(dict.fromkeys(name for name in rules if not name.startswith(CORE_PREFIX)))


def _in_advance(ruleset: Ruleset, log: Sequence[Recorded], after: Sequence[Recorded], lang: str) -> Iterator[Cause]:
    """The standing order that gave an answer; what it says, once it is opened."""
    made = log[-1].event
    if not isinstance(made, DecisionMade) or made.set_by is UNSET:
        return
    given = log[made.set_by - 1]
    openings = (one.event for one in (*after, *log) if isinstance(one.event, Unsealed) and one.event.n == given.n)
    opening = next(openings, None)
    event = opened(given.event, opening.content) if opening else given.event
    fact = Fact(given.by, given.rule, event)
    said = sentence(quoted(ruleset, message_of(fact, ruleset.code), fact, lang), lang)
    yield Cause(given.n, given.type, made.side, said)


def _newest(log: Sequence[Recorded], before: int, kind: type[Event] | tuple[type[Event], ...]) -> int:
    """The place of the newest event of a kind before a place; −1 if there is none."""
    return next((at for at in range(before - 1, -1, -1) if isinstance(log[at].event, kind)), -1)


def _is_answer(log: Sequence[Recorded], at: int) -> bool:
    """Whether an input answers a decision: that is then the first thing it causes."""
    made = next((later.event for later in islice(log, at + 1, at + 3) if not isinstance(later.event, DrawLapsed)), None)
    return isinstance(log[at].event, OrderAccepted) and isinstance(made, DecisionMade) and not made.standing


def _rulings(
    code: str, before: Any, event_type: str, params: dict[str, Any], rules: Iterable[str], lang: str
) -> Iterator[ToldRuling]:
    """What is answered to the disputed questions that these rules decide, in this battle."""
    options = {name: _option_text(value) for name, value in _options(before).items()}
    for dispute in disputes(code, rules, event_type, lang, params):
        text = inline(dispute.text, {**options, **params}, lang)
        yield ToldRuling(dispute.number, dispute.question, text, dispute.rules)


def _options(before: Any) -> dict[str, Any]:
    options: dict[str, Any] = msgspec.to_builtins(getattr(before, "options", None)) or {}
    return options


def _option_text(value: Any) -> Any:
    """The value of an option as a scenario has it: what is switched off is named, too."""
    return str(value).lower() if isinstance(value, bool) else value


def _fact(recorded: Recorded) -> Fact:
    return Fact(recorded.by, recorded.rule, recorded.event)


_INPUTS = tuple(INPUTS)
