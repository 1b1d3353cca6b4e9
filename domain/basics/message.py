"""A message id with parameters: a sentence before it is put into words.

Rules name what they have to say by an id and bring what goes into it. The sentences are made outside
the rules, in the reader's language (design.md 4, "Words").
"""

from typing import Any

from msgspec import Struct


class Message(Struct, frozen=True, gc=False):
    """What is to be said: the id of a sentence and what goes into it (plain values)."""

    id: str
    params: dict[str, Any]
