"""The words for a choice, in English and French; case, accents and punctuation do not matter."""

from domain.basics.spelling import plain_word

ON = ("on", "yes", "oui", "avec")
OFF = ("off", "no", "non", "sans", "none", "aucune")
DELIVERY_WORDS = {
    "instant": "instant",
    "aussitot": "instant",
    "digest": "digest",
    "resume": "digest",
    "urgent": "urgent",
    "urgentes": "urgent",
    "none": "none",
    "aucune": "none",
}
LENGTH_WORDS = {
    "long": "long",
    "longues": "long",
    "longue": "long",
    "short": "short",
    "courtes": "short",
    "courte": "short",
}
LANGUAGE_WORDS = {
    "en": "en",
    "english": "en",
    "anglais": "en",
    "fr": "fr",
    "french": "fr",
    "francais": "fr",
    "francaise": "fr",
}


def folded(word: str) -> str:
    """A word in lower case, without accents and surrounding punctuation."""
    return plain_word(word.strip(".,;:!\"'«»()")) or word
