"""What does the program say? Messages and refusals as sentences, in the reader's language."""

from replay.words.catalogue import LANGUAGES, MissingSentence
from replay.words.sentences import factors, phrase, refusal, refusal_sentence, sentence

__all__ = ["LANGUAGES", "MissingSentence", "factors", "phrase", "refusal", "refusal_sentence", "sentence"]
