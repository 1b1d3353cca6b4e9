"""The phrase of a player who gives none: made from the key of what they do."""

from hashlib import sha256

from server.acts.phrases import own_phrase


def test_a_phrase_is_half_of_the_digest_of_its_key() -> None:
    """A repetition has the same one, also after an upgrade: the log has it (fairness.md 2)."""
    digest = sha256(b"phalera phrase a key").hexdigest()
    assert own_phrase("a key") == f"mail {digest[:32]}"
    assert own_phrase("another key") != own_phrase("a key")
