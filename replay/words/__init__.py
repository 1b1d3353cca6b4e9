"""What does the program say? Messages and refusals as sentences, in the reader's language."""

from replay.words.catalogue import ENGLISH, LANGUAGES, MissingSentence
from replay.words.scenes import worded
from replay.words.sentences import factors, phrase, refusal, refusal_sentence, sentence
from replay.words.telling import order_in, tell

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
