"""Commands that wait for a player's yes, and what happens when it comes.

A confirm token holds one of four things: a mail (`{"raw": id}`), which is then processed as if it were trusted; an
address (`{"address": …}`), which becomes the player's; an absence (`{"absence": day}`), which a vacation note has
announced; an order (`{"battle": …, "order": …}`): resigning or a draw in the battle that was meant then. The link's
page and a reply to the token's address do the same. A token works once, and for a week; the question that a held mail
answered may be closed by then, and then nothing is played.
"""

from collections.abc import Awaitable, Callable
from datetime import date
from typing import Any

import msgspec

from domain.basics.decoding import decode
from domain.basics.errors import Refusal
from domain.basics.message import Message
from server.acts.address import move
from server.acts.confirmations import Waiting
from server.mail.desk import battles
from server.mail.desk.away import plan_until
from server.mail.desk.caller import Caller, Declined, message_of
from server.mail.desk.days import day_in
from server.mail.desk.desk import Desk
from server.mail.verdict import MailReading, MailRequest, Verdict
from server.store import Unmatched
from server.store.tables import mail_tokens, raw_mail
from server.store.tables.mail_tokens import MailToken

KIND = "confirm"
GONE = Message("desk.confirm-gone", {})
NOT_NOW = frozenset({"left", "unknown"})
"""Verdicts after which the mail still waits."""
TELLING = {what: f"desk.did.confirm.{what}" for what in ("played", "refused", "closed", "command")}
"""Verdicts that have a sentence of their own here; the letter about the mail reports the others."""


JudgeHeld = Callable[[bytes], Awaitable[Verdict]]
"""Processes a mail kept under an id, as if it were trusted."""


def waiting(desk: Desk, token: str, read_mail: Callable[[bytes], MailReading]) -> Waiting | None:
    """What a token would release now; None if it is spent, expired or not a confirm token."""
    known = mail_tokens.good(desk.store, token, KIND, desk.now())
    held = _content(known)
    if known is None or not held:
        return None
    if address := held.get("address"):
        return Waiting(Message("desk.waits.address", {"address": address}), known.player)
    if "absence" in held:
        return Waiting(Message("desk.waits.absence", {"day": held["absence"]}), known.player)
    if order := held.get("order"):
        return Waiting(Message("desk.waits.mail", {"battle": held["battle"]}), known.player, (order,))
    return Waiting(
        Message("desk.waits.mail", {"battle": known.battle}), known.player, _lines(desk, held["raw"], read_mail)
    )


async def confirm(desk: Desk, token: str, judge_held: JudgeHeld) -> Message:
    """Release it; returns the result.

    Raises: StoreError
    """
    known = mail_tokens.good(desk.store, token, KIND, desk.now())
    held, account = _content(known), desk.account(known.player) if known else None
    if known is None or account is None or not held:
        return GONE
    try:
        if address := held.get("address"):
            return await moved(desk, known, token, address)
        caller = Caller(account, desk.wishes(known.player).lang, known.battle, known.side)
        if "absence" in held:
            came = await _plan(desk, caller, held["absence"])
        elif text := held.get("order"):
            given = await battles.order(desk, MailRequest("order", (held["battle"], text)), caller, known.digest.hex())
            came = given.message or GONE
        else:  # done first and spent afterwards: a mail is processed once however often it is requested
            verdict = await judge_held(bytes.fromhex(held["raw"]))
            if verdict.what in NOT_NOW:
                return Message("desk.confirm-later", {})
            came = Message(TELLING.get(verdict.what, "desk.did.confirm"), {"battle": verdict.battle})
        await desk.store.write(mail_tokens.use(token, KIND, desk.now()))
    except Unmatched:
        return GONE
    except Refusal as refused:
        return message_of(refused)
    except Declined as declined:
        return declined.message
    return came


async def moved(desk: Desk, known: MailToken, token: str, address: str) -> Message:
    """Make the address the player's; returns what has happened.

    Raises: Unmatched
    """
    await move(desk, known, token, address)
    return Message("desk.did.moved", {"address": address})


async def _plan(desk: Desk, caller: Caller, written: str) -> Message:
    day: date | None = day_in(written)
    return await plan_until(desk, caller, None, day)


def _content(known: MailToken | None) -> dict[str, Any]:
    """The content of a token; {} for one that only counts."""
    if known is None or not known.content:
        return {}
    try:
        held = decode(known.content, dict[str, str])
    except msgspec.DecodeError:
        return {}
    return held if held.keys() & {"raw", "address", "absence", "order"} else {}


def _lines(desk: Desk, raw: str, read_mail: Callable[[bytes], MailReading]) -> tuple[str, ...]:
    """What the player wrote in a held mail."""
    kept = raw_mail.find(desk.store, bytes.fromhex(raw))
    return () if kept is None else read_mail(kept.raw).written
