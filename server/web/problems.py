"""Problem documents (RFC 9457): what a program sees when something is refused.

The only place that knows status codes. Every answer other than a success is a problem document (RFC 9457): `code` is
stable, `detail` a sentence, `rule` and `params` the content of the refusal.
"""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

import msgspec
from msgspec import Struct

from domain.basics.errors import Refusal
from server.store import Closed, Overloaded
from server.words import sentence_of

MEDIA_TYPE = "application/problem+json"
TYPE = "urn:phalera:problem:"

STATUS: Mapping[str, int] = {
    "core.not-signed-in": 401,
    "core.bad-token": 401,
    "core.not-your-side": 403,
    "core.not-seated": 403,
    "core.cross-site": 403,
    "core.host-only": 403,
    "core.proof-needed": 403,
    "core.unknown-battle": 404,
    "core.no-such-page": 404,
    "core.no-free-ends": 404,
    "core.no-such-event": 404,
    "core.not-logged": 404,
    "core.docket-unknown": 404,
    "core.no-such-side": 404,
    "core.method-not-allowed": 405,
    "core.not-acceptable": 406,
    "core.battle-ended": 409,
    "core.decision-pending": 409,
    "core.no-decision": 409,
    "core.not-begun": 409,
    "core.not-your-turn": 409,
    "core.side-taken": 409,
    "core.seat-present": 409,
    "core.side-free": 409,
    "core.side-reserved": 409,
    "core.guest-writes": 403,
    "core.guest-bots": 403,
    "core.bot-account": 403,
    "core.no-such-bot-account": 404,
    "core.guest-webhooks": 403,
    "core.no-webhooks": 409,
    "core.no-such-webhook": 404,
    "core.too-many-webhooks": 409,
    "core.webhook-waits": 409,
    "core.webhook-url": 422,
    "core.webhook-what": 422,
    "core.webhook-form": 422,
    "core.webhook-lang": 422,
    "core.no-such-locker": 404,
    "core.locker-newer": 409,
    "core.locker-other-key": 409,
    "core.too-many-lockers": 409,
    "core.unwanted": 409,
    "core.too-many-invitations": 429,
    "core.too-many-words": 429,
    "core.too-many-addresses": 429,
    "core.nobody-there": 409,
    "core.no-reader": 409,
    "core.remarks-over": 409,
    "core.umpire-silent": 403,
    "core.invitation-over": 410,
    "core.no-mail": 409,
    "core.not-ended": 409,
    "core.report-later": 409,
    "core.no-opponent": 409,
    "core.armies-fixed": 409,
    "core.army-waits": 409,
    "core.army-of-opener": 409,
    "core.begun": 409,
    "core.not-opener": 403,
    "core.branch-inside": 409,
    "core.branch-over": 409,
    "core.branch-of-others": 403,
    "core.branch-wider": 403,
    "core.branch-private": 403,
    "core.battle-closed": 409,
    "core.too-many-battles": 409,
    "core.too-many-seats": 409,
    "core.too-many-bots": 409,
    "core.too-many-bot-accounts": 409,
    "core.too-many-guests": 503,
    "core.no-clock": 409,
    "core.no-flag": 409,
    "core.clock-doubted": 409,
    "core.own-flag": 409,
    "core.time-left": 409,
    "core.paused": 409,
    "core.not-paused": 409,
    "core.pause-asked": 409,
    "core.no-pause-asked": 409,
    "core.already-away": 409,
    "core.not-away": 409,
    "core.no-vacation": 404,
    "core.no-token": 404,
    "core.administers": 409,
    "core.as-it-is": 409,
    "core.banned": 403,
    "core.complaint-settled": 409,
    "core.no-such-player": 404,
    "core.no-such-words": 404,
    "core.not-with-you": 403,
    "core.own-block": 409,
    "core.own-complaint": 409,
    "core.too-many-blocks": 409,
    "core.ban-of-own": 409,
    "core.no-ban": 404,
    "core.last-administrator": 409,
    "core.no-guest": 409,
    "core.wrong-code": 403,
    "core.no-passkey": 404,
    "core.no-passkeys-here": 409,
    "core.too-many-passkeys": 409,
    "core.passkey-known": 409,
    "core.passkey-late": 410,
    "core.passkey-refused": 403,
    "core.stale": 409,
    "core.other-history": 409,
    "core.rules-changed": 409,
    "core.no-book": 409,
    "core.other-book-waits": 409,
    "core.serial-used": 409,
    "core.stale-serial": 409,
    "core.waiting-for-contribution": 409,
    "core.login-used": 410,
    "core.too-large": 413,
    "core.not-json": 415,
    "core.bad-encoding": 415,
    "core.too-slow": 408,
    "core.bad-json": 400,
    "core.bad-query": 400,
    "core.bad-request": 422,
    "core.key-reused": 422,
    "core.too-many": 429,
    "core.puzzle": 428,
    "campaign.unknown-campaign": 404,
    "campaign.no-such-example": 404,
    "campaign.no-map": 404,
    "campaign.no-such-turn": 404,
    "campaign.not-organiser": 403,
    "campaign.no-such-role": 422,
    "campaign.organiser-present": 409,
    "campaign.not-umpire": 403,
    "campaign.not-entered": 403,
    "campaign.own-cause": 403,
    "campaign.ended": 409,
    "campaign.begun": 409,
    "campaign.not-begun": 409,
    "campaign.full": 409,
    "campaign.entry-closed": 409,
    "campaign.already-entered": 409,
    "campaign.already-counted": 409,
    "campaign.battle-begun": 409,
    "campaign.battle-running": 409,
    "campaign.season-running": 409,
    "campaign.season-open": 409,
    "campaign.no-challenge": 409,
    "campaign.already-challenged": 409,
    "campaign.already-fighting": 409,
    "campaign.too-many-challenges": 409,
    "club.unknown": 404,
    "club.not-organiser": 403,
    "club.not-member": 403,
    "club.own-day": 403,
    "club.taken": 409,
    "club.bulletin-sent": 409,
    "club.no-such-bulletin": 404,
    "club.no-such-post": 404,
    "club.press-closed": 403,
    "club.too-many-posts": 429,
    "club.reminded": 409,
    "club.no-such-act": 404,
    "club.too-many": 409,
    "club.full": 409,
    "club.last-organiser": 409,
    "club.not-accepting": 409,
    "club.running-limit": 409,
    "club.bad-link": 410,
    "core.fault": 500,
    "core.busy": 503,
    "core.rules-not-installed": 503,
    "core.store-failed": 503,
    "core.disk-full": 507,
}
"""Codes of the server and of the engine; all refusals of a ruleset are 422."""
REFUSED = 422
TITLES: Mapping[int, str] = {413: "Content Too Large", 422: "Unprocessable Content"}
"""Phrases of RFC 9110 that Python spells so from 3.13 on: a title is the same whichever runs."""
RETRY_AFTER_S: Mapping[str, int] = {"core.busy": 2, "core.store-failed": 10, "core.disk-full": 60}
"""When to try again what failed through no fault of the caller."""
DISK_FULL = "is full"
"""What SQLite and systems say of a full disk."""


class Problem(Struct, frozen=True, omit_defaults=True):
    """A problem document. `lines` has the outcome of each order line, if orders were refused."""

    type: str
    title: str
    status: int
    detail: str
    code: str
    rule: str = ""
    params: dict[str, Any] = {}
    lines: tuple[Any, ...] = ()
    receipt: str = ""


class Trouble(Exception):
    """A problem to answer with, its document already made."""

    def __init__(self, problem: Problem, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(problem.code)
        self.problem = problem
        self.headers = dict(headers or {})


def problem_of(refusal: Refusal, lang: str = "en", **more: Any) -> Problem:
    """The document of a refusal."""
    status = status_of(refusal.code)
    return Problem(
        type=TYPE + refusal.code,
        title=TITLES.get(status, HTTPStatus(status).phrase),
        status=status,
        detail=sentence_of(refusal, lang),
        code=refusal.code,
        rule=refusal.rule,
        params=refusal.params,
        **more,
    )


def headers_of(refusal: Refusal) -> dict[str, str]:
    """The headers that go with a refusal: when to try again."""
    wait_s = (
        refusal.params.get("wait")
        if refusal.code in ("core.too-many", "core.puzzle")
        else RETRY_AFTER_S.get(refusal.code)
    )
    return {"Retry-After": str(wait_s)} if wait_s else {}


def status_of(code: str) -> int:
    """The status of a refusal's code."""
    return STATUS.get(code, REFUSED)


def refusal_of_store(failure: Exception) -> Refusal:
    """The refusal for a failure of the store. Nothing was stored; each of them may be tried again."""
    if isinstance(failure, (Overloaded, Closed)):
        return Refusal("core.busy", "CORE-ACCESS")
    if DISK_FULL in str(failure):
        return Refusal("core.disk-full", "CORE-ACCESS")
    return Refusal("core.store-failed", "CORE-ACCESS")


def encode(problem: Problem) -> bytes:
    """The bytes of a document."""
    return _ENCODER.encode(problem)


_ENCODER = msgspec.json.Encoder()
