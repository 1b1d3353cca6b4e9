"""Messages and refusals as sentences, in the reader's language."""

from replay.telling.words.catalogue import ENGLISH, LANGUAGES, MissingSentence
from replay.telling.words.scenes import worded
from replay.telling.words.sentences import factors, phrase, refusal, refusal_sentence, sentence
from replay.telling.words.telling import order_in, tell

__all__ = [
    "ENGLISH",
    "LANGUAGES",
    "MissingSentence",
    "factors",
    "order_in",
    "phrase",
    "refusal",
    "refusal_sentence",
    "sentence",
    "tell",
    "worded",
]
