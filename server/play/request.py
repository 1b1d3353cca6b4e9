"""A request of orders: how it is stored, and what became of it."""

from typing import Any

import msgspec
from msgspec import Struct

from domain.engine.errors import Refusal
from domain.scripts.report import PARKED, Outcome

__all__ = [
    "ACCEPTED",
    "ENDED",
    "MAIL_CHANNEL",
    "ORDER_REQUEST",
    "OrderRequest",
    "Outcome",
    "RequestAnswer",
    "answer_of",
    "body_of",
    "key_reused",
    "refusal_in",
]


MAIL_CHANNEL = "mail"
"""The channel of orders that came by mail."""


class OrderRequest(Struct, frozen=True, omit_defaults=True):
    """A request as it is kept: who orders what, through which channel (api, page, mail, cli, bot).

    `phrase_required`: a contribution of a person needs one; only a mail may come without.
    """

    battle: str
    side: str
    player: str
    channel: str
    orders: str = ""
    phrase: str = ""
    seal: str = ""
    expect: int | None = None
    phrase_required: bool = True


class RequestAnswer(Struct, frozen=True):
    """What became of a request; `again`: part of it had been played before."""

    key: str
    outcomes: tuple[Outcome, ...]
    again: bool = False

    @property
    def refused(self) -> Refusal | None:
        """Why nothing of it was played, if nothing was because something was refused."""
        if any(outcome.spans or outcome.status == PARKED for outcome in self.outcomes):
            return None
        return next((outcome.refusal for outcome in self.outcomes if outcome.refusal), None)


_ENCODER = msgspec.json.Encoder()
ORDER_REQUEST = msgspec.json.Decoder(OrderRequest)


def body_of(orders: OrderRequest) -> bytes:
    """The bytes under which a request is kept; the same request has the same."""
    return _ENCODER.encode(orders)


def key_reused() -> Refusal:
    """The same key with another request."""
    return Refusal("core.key-reused", "CORE-REPEAT")


# --- the answer to one order, as it is kept


class _Answer(Struct, omit_defaults=True):
    status: str
    code: str = ""
    rule: str = ""
    params: dict[str, Any] = {}


ACCEPTED = b'{"status":"accepted"}'
ENDED = b'{"status":"ended"}'
"""Kept in place of an answer where a script came to its end without an order, so that it does so again."""
_ANSWER = msgspec.json.Decoder(_Answer)


def answer_of(refusal: Refusal) -> bytes:
    """What is kept of a refusal."""
    return _ENCODER.encode(_Answer("refused", refusal.code, refusal.rule, refusal.params))


def refusal_in(answer: bytes) -> Refusal | None:
    """The refusal in an answer that was kept; None if it is none."""
    read = _ANSWER.decode(answer)
    return Refusal(read.code, read.rule, **read.params) if read.status == "refused" else None
