"""Sentences for events, refusals and numbers."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from msgspec.structs import asdict

from domain.basics.errors import Refusal
from domain.basics.message import Message
from domain.mechanics.modifiers import Factor
from replay.telling.words.catalogue import ENGLISH, find, on_change, report
from replay.telling.words.forms import Speaker
from replay.telling.words.template import fill

KEPT, LONG = 8_192, 200
"""Texts that are kept, a few megabytes, and the longest value of a gap of one that is."""
_PLAIN = frozenset({str, int, bool, type(None)})
"""Types whose values are equal only where they read alike, together with their type."""


def sentence(message: Message, lang: str = ENGLISH) -> str:
    """The sentence of a message.

    A message whose own id has none is told by the sentence of its event: `tts.UnitMoved` for an
    unheard-of `tts.UnitMoved.swim`. Failing that the reader gets id and parameters.
    """
    return phrase(message.id, message.params, lang)


def refusal(code: str, rule: str, params: Mapping[str, Any], lang: str = ENGLISH) -> str:
    """The sentence of a refusal, ending with the ID of the rule that refuses.

    Where one code stands for many faults, the member `fault` chooses among its sentences.
    """
    msgid = f"{code}.{params['fault']}" if "fault" in params else code
    return f"{phrase(msgid, {**params, 'rule': rule}, lang)} [{rule}]"


def refusal_sentence(refused: Refusal, lang: str = ENGLISH) -> str:
    """The sentence of a refusal just raised."""
    return refusal(refused.code, refused.rule, refused.params, lang)


def factors(
    base: int,
    lines: Sequence[Factor | Mapping[str, Any]],
    needed: int,
    lang: str = ENGLISH,
    *,
    sign: int = 1,
    last: int = 0,
) -> str:
    """A reckoning with its rules: "2, +1 diagonal [TTS-ACT-11], +1 rough [TTS-ACT-15] = 4".

    Shape: needed = base + sign × Σ plus; `last` is the card that had to be beaten (forms.Speaker.reckoned)
    """
    plain = [asdict(line) if isinstance(line, Factor) else line for line in lines]
    parts = Speaker({}, lang).reckoned(base, plain, needed, sign, last, cite=True)
    return f"{', '.join(parts)} = {needed}" if lines or last else str(needed)


def phrase(msgid: str, params: Mapping[str, Any], lang: str = ENGLISH) -> str:
    """The text of an id with its gaps filled; the first letter is a capital."""
    text = fragment(msgid, params, lang)
    return text if text.startswith(msgid) else text[:1].upper() + text[1:]


def fragment(msgid: str, params: Mapping[str, Any], lang: str = ENGLISH) -> str:
    """The same as it stands in the catalogue: part of a longer text. The same few are wanted over and over: those that
    tell only names and numbers are kept."""
    gaps = []
    for name, value in params.items():
        kind = type(value)
        if kind not in _PLAIN or (kind is str and len(value) > LONG):
            return _made(msgid, params, lang)
        gaps.append((name, kind, value))
    return _kept(msgid, tuple(gaps), lang)


@lru_cache(KEPT)
def _kept(msgid: str, gaps: tuple[tuple[str, type, Any], ...], lang: str) -> str:
    return _made(msgid, {name: value for name, _, value in gaps}, lang)


on_change(_kept.cache_clear)


def _made(msgid: str, params: Mapping[str, Any], lang: str) -> str:
    template = find(msgid, lang) or find(_parent(msgid), lang)
    if template is None:
        report(msgid)
        return _bare(msgid, params)
    try:
        return fill(template, params, Speaker(params, lang).say)
    except (LookupError, TypeError, ValueError, AttributeError) as reason:  # a member missing, or of another kind
        report(f"{msgid}: {reason!r}")
        return _bare(msgid, params)


def inline(text: str, params: Mapping[str, Any], lang: str = ENGLISH) -> str:
    """A text that does not come from the catalogue, with its gaps filled in the same way."""
    return fill(text, params, Speaker(params, lang).say)


def _parent(msgid: str) -> str:
    """The id of the event, without what chose between its sentences."""
    return ".".join(msgid.split(".")[:2])


def _bare(msgid: str, params: Mapping[str, Any]) -> str:
    named = ", ".join(f"{name}: {value}" for name, value in sorted(params.items()))
    return f"{msgid} ({named})" if named else msgid
