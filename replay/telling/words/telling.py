"""Tell a fact of a battle, in the reader's language.

The log keeps orders, and answers given in advance, in canonical English; a reader of another language reads them in
their own notation. What can no longer be read is quoted as it stands.
"""

import re
from typing import Any

from msgspec.structs import replace

from domain.basics.commands import Standing
from domain.basics.errors import Refusal
from domain.basics.message import Message
from domain.contract.ruleset import Ruleset
from domain.contract.settable import fact_of
from domain.disputes.corrections import in_language
from domain.events.battle import ContributionGiven, Corrected, Fact, OrderAccepted, RulingGiven, StandingOrderSet
from replay.telling.words.catalogue import ENGLISH
from replay.telling.words.sentences import sentence

MADE = re.compile(r"[0-9a-f]{32,}")


def tell(ruleset: Ruleset, before: Any, fact: Fact, lang: str = ENGLISH) -> str:
    """The sentence of a fact; `before` is the game before it as the reader knows it."""
    return sentence(message_in(ruleset, before, fact, lang), lang)


def message_in(ruleset: Ruleset, before: Any, fact: Fact, lang: str) -> Message:
    """The message of a fact with what it quotes in a language; that of a correction has the sentences of its facts."""
    message = ruleset.shown.narrate(before, fact)
    if isinstance(fact.event, Corrected):
        told = told_facts(ruleset, before, fact, fact.event, lang)
        message = replace(message, params={**message.params, "told": told})
    return quoted(ruleset, message, fact, lang)


def told_facts(ruleset: Ruleset, before: Any, fact: Fact, corrected: Corrected, lang: str) -> str:
    """What a correction has set, a sentence for each of its facts."""
    told = []
    for name, members in corrected.facts:
        event = fact_of(ruleset.corrections, name, members)
        told.append(tell(ruleset, before, Fact(fact.by, fact.rule, event), lang))
        before = ruleset.evolutions[type(event)](before, event)
    return " ".join(told)


def quoted(ruleset: Ruleset, message: Message, fact: Fact, lang: str) -> Message:
    """The message of a fact, with the order it quotes in the reader's notation; `order` is a standing order.
    A phrase of hex digits, which a program made, is not quoted: nobody reads it."""
    event = fact.event
    if isinstance(event, ContributionGiven) and MADE.fullmatch(event.phrase):
        return replace(message, params={name: value for name, value in message.params.items() if name != "phrase"})
    if isinstance(event, StandingOrderSet) and isinstance(event.unit, str) and isinstance(event.value, str):
        order = ruleset.orders.write(Standing(event.topic, event.unit, event.value), lang)
        return replace(message, params={**message.params, "order": order})
    if lang == ENGLISH:
        return message
    if isinstance(event, RulingGiven) and event.effect == "correct":
        return replace(message, params={**message.params, "ruling": _ruling_in(ruleset, event.ruling, lang)})
    if not isinstance(event, OrderAccepted) or not isinstance(event.text, str):
        return message
    return replace(message, params={**message.params, "text": order_in(ruleset, event.text, lang)})


def order_in(ruleset: Ruleset, order: str, lang: str) -> str:
    """A canonical order in the notation of a language."""
    if lang == ENGLISH:
        return order
    try:
        return ruleset.write(ruleset.read(order), lang)
    except Refusal:  # an order of rules that this release does not have
        return order


def _ruling_in(ruleset: Ruleset, ruling: str, lang: str) -> str:
    try:
        return in_language(ruleset, ruling, lang)
    except Refusal:
        return ruling
