"""The server's own sentences: letters, answers to commands, clocks.

Its catalogues stand in `server/locale`, one domain for each concern; the sentences are made by `replay.telling.words`
like those of the rules.
"""

from typing import Any

from domain.basics.errors import Refusal
from replay.telling.words import ENGLISH, catalogue, phrase, refusal

DOMAINS = ("letters", "desk", "time", "pages", "campaigns", "clubs", "reasons")

for _domain in DOMAINS:
    catalogue.add("server", _domain)


def say(lang: str, msgid: str, **params: Any) -> str:
    """The sentence of an id in a language, its gaps filled."""
    return phrase(msgid, params, lang or ENGLISH)


def sentence_of(refused: Refusal, lang: str = ENGLISH) -> str:
    """What a refusal says, ending with its rule."""
    return refusal(refused.code, refused.rule, refused.params, lang)
