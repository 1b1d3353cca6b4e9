"""The commands that every game has.

A command is an order, parsed: imperative, frozen, plain values. Rulesets add their own; their
notation turns text into commands and commands into canonical text.
"""

from typing import ClassVar

from msgspec import Struct


class Command(Struct, frozen=True, gc=False, tag_field="order"):
    """Base of all commands.

    `PHASES` are the phases it belongs to (none named: all), `ANSWERS` the kind of decision it
    answers, `FREE` that it may be given at any time, also out of turn, `PRIVATE` that only its
    side may know it until it is unsealed.
    """

    PHASES: ClassVar[frozenset[str]] = frozenset()
    ANSWERS: ClassVar[str] = ""
    FREE: ClassVar[bool] = False
    PRIVATE: ClassVar[bool] = False


class Resign(Command, frozen=True, gc=False, tag="resign"):
    """Give up the battle."""

    FREE: ClassVar[bool] = True


class OfferDraw(Command, frozen=True, gc=False, tag="offer-draw"):
    """Offer a draw; it stands until answered or until the offerer's next order."""

    FREE: ClassVar[bool] = True


class AcceptDraw(Command, frozen=True, gc=False, tag="accept-draw"):
    """Accept the draw that the other side offers."""

    FREE: ClassVar[bool] = True


class DeclineDraw(Command, frozen=True, gc=False, tag="decline-draw"):
    """Refuse the draw that the other side offers."""

    FREE: ClassVar[bool] = True


class Standing(Command, frozen=True, gc=False, tag="standing"):
    """Answer a kind of decision in advance; `unit` is "" where the topic needs none."""

    FREE: ClassVar[bool] = True
    PRIVATE: ClassVar[bool] = True

    topic: str
    unit: str
    value: str


SHARED_COMMANDS: tuple[type[Command], ...] = (Resign, OfferDraw, AcceptDraw, DeclineDraw)
"""Decided by the engine itself, whatever the game."""
