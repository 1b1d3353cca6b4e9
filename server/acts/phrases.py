"""The phrase of a player who gives none with what they do."""

from hashlib import sha256


def own_phrase(key: str) -> str:
    """A phrase made from the key of an act; the same for a repetition. The key of a mail begins with the hex of its id,
    which the player's own program has drawn, so that the server does not make the phrase up (fairness.md 2)."""
    return f"mail {sha256(f'phalera phrase {key}'.encode()).hexdigest()[:32]}"
