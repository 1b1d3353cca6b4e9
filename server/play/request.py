"""A request of orders: how it is stored, and what became of it."""

from typing import Any

import msgspec
from msgspec import Struct

from domain.basics.decoding import decoder
from domain.basics.errors import Refusal
from domain.events.battle import Seen
from domain.run.own_word import Signed
from domain.scripts.report import PARKED, LineOutcome

__all__ = [
    "ACCEPTED",
    "ENDED",
    "MAIL_CHANNEL",
    "ORDER_REQUEST",
    "PAGE_CHANNEL",
    "LineOutcome",
    "OrderRequest",
    "RequestAnswer",
    "answer_of",
    "body_of",
    "key_reused",
    "refusal_in",
    "require_seen",
]


PAGE_CHANNEL = "page"
"""The channel of orders that came from a page of this server."""
MAIL_CHANNEL = "mail"
"""The channel of orders that came by mail."""


class OrderRequest(Struct, frozen=True, omit_defaults=True):
    """A request as stored: the player, their orders, and the channel (api, page, mail, cli, bot).

    `phrase_required`: a contribution of a person needs one; only a mail may come without. `seen` is the head that the
    player answers; only a mail may name none. `signatures` has one for each line, in order, if the seat has a key.
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
    seen: Seen | None = None
    signatures: tuple[Signed, ...] = ()


class RequestAnswer(Struct, frozen=True):
    """The result of a request; `again`: part of it had been played before."""

    key: str
    outcomes: tuple[LineOutcome, ...]
    again: bool = False

    @property
    def refused(self) -> Refusal | None:
        """The refusal, if nothing was played because of one."""
        if any(outcome.spans or outcome.status == PARKED for outcome in self.outcomes):
            return None
        return next((outcome.refusal for outcome in self.outcomes if outcome.refusal), None)


_ENCODER = msgspec.json.Encoder()
ORDER_REQUEST = decoder(OrderRequest)


def body_of(orders: OrderRequest) -> bytes:
    """The bytes as which a request is stored; equal requests have equal bytes."""
    return _ENCODER.encode(orders)


def require_seen(seen: Seen | None) -> Seen:
    """The head that a program or a page names with what it sends; only a mail may name none (fairness.md 2).

    Raises: Refusal core.seen-missing
    """
    if seen is None:
        raise Refusal("core.seen-missing", "CORE-FAIR")
    return seen


def key_reused() -> Refusal:
    """The refusal of a key that was used with another request."""
    return Refusal("core.key-reused", "CORE-REPEAT")


# --- the answer to one order, as it is kept


class _KeptAnswer(Struct, omit_defaults=True):
    status: str
    code: str = ""
    rule: str = ""
    params: dict[str, Any] = {}


ACCEPTED = b'{"status":"accepted"}'
ENDED = b'{"status":"ended"}'
"""Kept in place of an answer where a script ended without an order, so that it does so again."""
_ANSWER = decoder(_KeptAnswer)


def answer_of(refusal: Refusal) -> bytes:
    """The stored form of a refusal."""
    return _ENCODER.encode(_KeptAnswer("refused", refusal.code, refusal.rule, refusal.params))


def refusal_in(answer: bytes) -> Refusal | None:
    """The refusal in a stored answer; None if the answer is not a refusal."""
    read = _ANSWER.decode(answer)
    return Refusal(read.code, read.rule, **read.params) if read.status == "refused" else None
