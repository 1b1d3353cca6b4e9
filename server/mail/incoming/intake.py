"""Take in each mail: keep it first, then process it.

A mail is kept before anything reads it: from then on it cannot be lost, and the sender's mail system may be told so.
Its verdict is stored in one transaction with the answer. A mail left without a verdict by a crash is processed at the
next start, one left by a disk failure a little later; its orders have its id for a key, so none is played twice.
"""

import asyncio
import logging
import re
from collections.abc import Callable
from hashlib import sha256

import msgspec

from domain.basics.message import Message
from replay.writing.clock import later
from server.acts.confirmations import Waiting
from server.mail.desk import confirming
from server.mail.incoming import limits
from server.mail.incoming.processing import MailProcessor
from server.mail.incoming.reading.caps import MOST_BYTES
from server.mail.verdict import MailReading, Verdict
from server.store import Overloaded, Violated
from server.store.tables import mail_tokens, outbox, raw_mail
from server.store.tables.outbox import LetterKind

log = logging.getLogger(__name__)

HEADERS = 32 * 1024
KEPT_S = 365 * 24 * 3600
"""How long mails are kept whole: longer than it takes for a dispute about a mail to begin."""
WORTHLESS = frozenset({"stranger", "flooded", "automatic", "loop"})
"""Verdicts after which nobody asks for the mail again, if it was not answered: anybody can send any amount of such
mail."""
MOST_TOKENS = 8
_MESSAGE_ID = re.compile(rb"^message-id:[ \t]*(?:\r?\n[ \t]+)?(<[^<>\s]+>)", re.I | re.M)
_DESTINATION = re.compile(rb"^(?:delivered-to|to):[ \t]*([^\r\n]*)", re.I | re.M)


class Intake:
    """Takes in raw mails one by one. `read` is `incoming.reading.read_mail` with this host's addresses."""

    def __init__(self, processor: MailProcessor, read: Callable[[bytes], MailReading]) -> None:
        self.processor = processor
        self.battles = processor.battles
        self.store = processor.battles.store
        self._read = read
        self._busy: set[bytes] = set()

    async def accept(self, raw: bytes) -> Verdict:
        """Keep a mail, read it, carry it out, answer it. Never raises because of its content.

        Raises: StoreError if it could not be kept: Overloaded where too much comes at once; the sender repeats a mail
        that
                is not acknowledged
        """
        if len(raw) > MOST_BYTES:
            return Verdict(what="too-large")
        if not self.processor.limits.allow(self._limit_key(raw), self.battles.clock.now()):
            raise Overloaded("too many mails at once")
        id_ = id_of(raw)
        try:
            await self.store.write(raw_mail.keep(id_, self.battles.clock.now(), raw))
        except Violated:  # already stored: was it processed?
            kept = raw_mail.find(self.store, id_)
            if kept is None or kept.verdict is not None or id_ in self._busy:
                return Verdict(what="duplicate")
            raw = kept.raw
        return await self._judge(id_, raw)

    def _limit_key(self, raw: bytes) -> str:
        """The limit that a mail counts under: one to a token of ours under its own, so that no flood keeps it out."""
        head = raw[:HEADERS].decode("latin-1")
        for token in self.processor.addresses.tokens_in(head)[:MOST_TOKENS]:
            if (known := mail_tokens.find(self.store, token)) is not None:
                return f"{limits.EXPECTED}:{known.digest.hex()}"
        return limits.WHOLE

    async def resume(self, least_age_s: int = 0) -> int:
        """Process the mails left over by a crash or a failing disk; returns their number.

        While mail comes in (`least_age_s`), new mails are left to whoever is about to process them. Otherwise,
        at the start, the content of old mails is deleted.
        """
        before = later(self.battles.clock.now(), -least_age_s)
        judged, tried = 0, set[bytes]()
        while left := [
            mail
            for mail in raw_mail.unjudged(self.store, 100 + len(tried))
            if mail.id not in self._busy | tried and mail.received <= before
        ]:
            for mail in left:
                tried.add(mail.id)  # the others do not wait for one that cannot be processed
                judged += (await self._judge(mail.id, mail.raw)).what != "left"
        if not least_age_s:
            await self.store.write(raw_mail.empty_before(later(self.battles.clock.now(), -KEPT_S)))
        return judged

    def waiting(self, token: str) -> Waiting | None:
        """What a confirm token would release now; None if it is spent, expired or not one."""
        return confirming.waiting(self.processor.desk, token, self._read)

    async def confirm(self, token: str) -> Message:
        """Release what waits under a confirm token. A token works once, and for a week.

        Raises: StoreError
        """
        return await confirming.confirm(self.processor.desk, token, self._judge_held)

    async def _judge_held(self, id_: bytes) -> Verdict:
        """Process a held mail that is confirmed, as if it were not doubtful."""
        kept = raw_mail.find(self.store, id_)
        if kept is None:
            return Verdict(what="unknown")
        if id_ in self._busy:  # it is being confirmed at this moment
            return Verdict(what="left")
        return await self._judge(id_, kept.raw, is_confirmed=True)

    async def _judge(self, id_: bytes, raw: bytes, is_confirmed: bool = False) -> Verdict:
        """Process a kept mail; returns its verdict, stored with its answer."""
        self._busy.add(id_)
        try:
            reading = await asyncio.to_thread(self._read, raw)
            judgement = await self.processor.judge(id_.hex(), reading, self.confirm, is_confirmed)
            verdict, now = judgement.verdict, self.battles.clock.now()
            answer = []
            if judgement.is_answered:
                n = (await self.battles.get(verdict.battle)).n if verdict.battle else 0
                answer = [outbox.post(verdict.battle, n, verdict.player, f"{LetterKind.ANSWER}:{id_.hex()}", now)]
            said = msgspec.json.encode(verdict).decode()
            gone = [raw_mail.empty(id_)] if verdict.what in WORTHLESS and not judgement.is_answered else []
            await self.store.write(*judgement.also, *answer, raw_mail.judge(id_, said), *gone)
        except Exception:  # it is kept: nothing is lost, and nobody need send it again
            log.exception("a mail could not be judged; it is a little later")
            return Verdict(what="left")
        finally:
            self._busy.discard(id_)
        log.info("mail judged", extra={"what": verdict.what, "why": verdict.why, "battle": verdict.battle})
        return verdict


def id_of(raw: bytes) -> bytes:
    """The id of a mail: a digest of its Message-ID and destination, or of its bytes. The same mail delivered twice to
    the same address has the same id. It is found without parsing, because nothing may be parsed before the mail is
    kept."""
    headers = re.split(rb"\r?\n\r?\n", raw[:HEADERS], maxsplit=1)[0]
    name, destination = _MESSAGE_ID.search(headers), _DESTINATION.search(headers)
    if name is None:
        return sha256(raw).digest()
    where = destination[1].strip().lower() if destination else b""
    return sha256(name[1] + b"\n" + where).digest()
