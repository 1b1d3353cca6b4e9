"""What is to be done with a mail that comes in?

It is kept before anything reads it. The token in the address it was sent to says which question it
answers; the sender must be the player it was given to. Either all lines above the cut line are
orders, or nothing is played; the answer says what became of each line. Machines get no answer.
"""

import asyncio
import re
from email import message_from_bytes, policy
from email.message import EmailMessage
from email.utils import parseaddr
from hashlib import sha256

from msgspec import Struct

from domain.errors import Refusal
from replay.words import refusal
from server.mail.letter import CUT, answer
from server.mail.postman import Postman, question_of
from server.play import Orders, Outcome, Play
from server.scripts import Unreadable
from server.store import Violated, accounts, raw_mail, tokens
from server.store.tokens import Token

MOST_BYTES = 1024 * 1024
MOST_TEXT = 64 * 1024
_TOKEN = re.compile(r"\bplay\+([a-z2-7]{24})@", re.I)
_ADDRESSED = ("To", "Delivered-To", "X-Delivered-To", "X-Original-To", "Envelope-To", "Cc")
_BULK = frozenset({"bulk", "junk", "list"})


class Verdict(Struct, frozen=True):
    """What became of a mail: `played`, `refused`, `unreadable`, `closed`, `duplicate`, `automatic`, `no-token`,
    `wrong-sender`, `too-large`, `broken`; `answered`: an answer is in the Maildir."""

    what: str
    battle: str = ""
    answered: bool = False


class Intake:
    """Takes one raw mail after another."""

    def __init__(self, play: Play, postman: Postman) -> None:
        self.play = play
        self.postman = postman
        self.hall = play.hall
        self.store = play.hall.store

    async def accept(self, raw: bytes) -> Verdict:
        """Keep a mail, read it, play its orders, answer it. Never raises for what is in it."""
        if len(raw) > MOST_BYTES:
            return Verdict("too-large")
        try:
            message = message_from_bytes(raw, policy=policy.default)
            id_ = _id_of(message, raw)
        except Exception:  # whatever a hostile mail makes the parser do, it is only a broken mail
            return Verdict("broken")
        try:
            await self.store.write(raw_mail.keep(id_, self.hall.clock.now(), raw))
        except Violated:
            return Verdict("duplicate")
        verdict = await self._judged(message, id_)
        await self.store.write(raw_mail.judge(id_, verdict.what))
        return verdict

    async def _judged(self, message: EmailMessage, id_: bytes) -> Verdict:
        try:
            if _is_automatic(message):
                return Verdict("automatic")
            found = _TOKEN.search(" ".join(str(value) for name in _ADDRESSED for value in message.get_all(name, [])))
            sender, text = parseaddr(str(message.get("From", "")))[1], orders_in(message)
        except Exception:
            return Verdict("broken")
        token = tokens.find(self.store, found[1].lower()) if found else None
        if token is None or token.kind != "mail" or token.battle is None or token.side is None:
            return Verdict("no-token")
        account = accounts.by_player(self.store, token.player)
        if account is None or account.email.casefold() != sender.casefold():
            return Verdict("wrong-sender", token.battle)
        return await self._play(token, account.email, text, id_)

    async def _play(self, token: Token, address: str, text: str, id_: bytes) -> Verdict:
        battle, side = token.battle or "", token.side or ""
        table = await self.hall.table(battle)
        outcomes: tuple[Outcome, ...] = ()
        faults: list[str] = []
        what = "played"
        if question_of(table) != token.question:
            what, faults = "closed", ["The question that this mail answers is not open any more."]
        else:
            orders = Orders(battle, side, token.player, "mail", text, phrase_required=False)
            try:
                played = await self.play.orders(orders, id_.hex())
                outcomes, what = played.outcomes, "refused" if played.refused else "played"
            except Unreadable as unreadable:
                what = "unreadable"
                faults = [f"> {fault.line.text}\n    {_said(fault.refusal)}" for fault in unreadable.faults]
            except Refusal as refused:
                what, faults = "refused", [_said(refused)]
        await self._answer(token, address, outcomes, faults, id_)
        return Verdict(what, battle, True)

    async def _answer(
        self, token: Token, address: str, outcomes: tuple[Outcome, ...], faults: list[str], id_: bytes
    ) -> None:
        table, side = await self.hall.table(token.battle or ""), token.side or ""
        fresh = ""
        if side in table.to_act():
            fresh, also = self.postman.question(table, side, token.player)
            await self.store.write(*also)
        signer, at = self.hall.signer, self.hall.clock.now()
        mail = answer(table, side, address, outcomes, faults, fresh, signer, at, id_.hex()[:16])
        await asyncio.to_thread(self.postman.drop, mail)


def orders_in(message: EmailMessage) -> str:
    """The lines of a reply that are meant as orders: plain text above the cut line, without quotes and signature."""
    body = message.get_body(preferencelist=("plain",))
    text = str(body.get_content())[:MOST_TEXT] if body is not None else ""
    lines: list[str] = []
    for line in text.replace("\r\n", "\n").split("\n"):
        if CUT in line or line.rstrip("\r") == "-- ":
            break
        if not line.lstrip().startswith(">") and not _introduces_quote(line):
            lines.append(line.replace("\u00a0", " ").strip())
    return "\n".join(lines)


def _introduces_quote(line: str) -> bool:
    """`On … wrote:`, as mail programs put it above what they quote."""
    return line.rstrip().endswith((" wrote:", " a écrit :")) or line.startswith("-----Original Message")


def _said(refused: Refusal) -> str:
    return refusal(refused.code, refused.rule, refused.params)


def _id_of(message: EmailMessage, raw: bytes) -> bytes:
    """The same mail delivered twice has the same id: its Message-ID and where it went, else its bytes."""
    name = str(message.get("Message-ID", "")).strip()
    return sha256(f"{name}\n{message.get('To', '')}".encode() if name else raw).digest()


def _is_automatic(message: EmailMessage) -> bool:
    """A vacation note, a bounce, a list: never answered."""
    if str(message.get("Auto-Submitted", "no")).strip().casefold() != "no":
        return True
    if str(message.get("Precedence", "")).strip().casefold() in _BULK or "List-Id" in message:
        return True
    return message.get_content_type() == "multipart/report"
