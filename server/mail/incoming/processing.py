"""Decide what a mail asks for, whether it may have it, and do it.

Guarantees:
- The mail is already stored (`intake`). Processing may run again after a crash: every effect has an id made from the
  key of the mail, so nothing happens twice.
- Orders are played only if they answer a question that is still open and their sender is trusted. A token in the
  reply address proves whose mail it is only while its question is open, or for some days where it asks nothing: old
  letters are seen by others.
- Doubtful mail, and what must always be confirmed (resigning, draws, another address), is held: the account's own
  address gets one link. A confirmation repeats the mail; it never carries orders of its own.
- Commands that only show something are answered to the account's own address, whoever sent them.
- Machines get no answer, strangers only the help page, and everybody a bounded number of answers a day.

Rejected: refusing unknown tokens at SMTP time (it tells a stranger which tokens exist); trusting `From` once an
address has been seen (anybody can write it); confirming by any reply (a quoted letter would confirm itself).
"""

import asyncio
from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from domain.basics.errors import Refusal
from domain.basics.message import Message
from replay.writing.clock import later
from server.acts import invite as invitations
from server.acts.address import claim_of
from server.mail import bounces, desk
from server.mail.desk import Desk
from server.mail.desk.vocabulary import ORDER
from server.mail.digests import QUESTION, entries_of
from server.mail.incoming import limits
from server.mail.incoming.claimed import claimed
from server.mail.incoming.holding import holding
from server.mail.incoming.identity import FORGED, NO_TOKEN, SENDER, Sender, caller_of, identify, remembered
from server.mail.incoming.invited import answered
from server.mail.incoming.judgement import Confirm, Judgement, silent, verdict_of
from server.mail.incoming.limits import RecentMail, counted
from server.mail.incoming.saying import (
    ASKED,
    begins_dispute,
    decides,
    ends_battle,
    is_of_disputes,
    message_of,
    says_yes,
    speaks_for,
    unclear,
    verdicts,
    waiting_lines,
)
from server.mail.incoming.several import NO_BATTLE, SeveralBattles
from server.mail.incoming.sorting import SortedReply, sorted_reply, with_below
from server.mail.incoming.strangers import of_stranger
from server.mail.numbering import listed
from server.mail.places import named_besides
from server.mail.verdict import PROBE, LineVerdict, MailReading, MailRequest, Verdict
from server.people.addresses import Addresses
from server.play.live_battle import LiveBattle, newest_echo
from server.play.live_battles import LiveBattles
from server.play.questions import question_of
from server.play.request import MAIL_CHANNEL
from server.play.scripts import Unreadable, command_id, echo
from server.play.service import OrderRequest, OrderService, QuestionClosed
from server.store import Statement
from server.store.tables import requests

HELD_MAIL = "desk.did.confirm"
"""Prefix of the ids of messages saying that a held mail was carried out."""
PLAYED = "played"
LEAST_WORDS = 4
"""Words of prose above the orders from which it is offered to the opponent as a message; a greeting is shorter."""
TOKEN_S = 7 * 24 * 3600
"""How long a token that asks no question proves the sender."""


class MailProcessor:
    """Processes mails about live battles. `limits` counts recent mail."""

    def __init__(self, play: OrderService, addresses: Addresses, desk: Desk, limits: RecentMail) -> None:
        self.play = play
        self.battles: LiveBattles = play.battles
        self.store = play.battles.store
        self.addresses = addresses
        self.desk = desk
        self.limits = limits
        self.several = SeveralBattles(self.battles, self._by_token, self._held, self._holding, self._is_begun)

    async def judge(self, key: str, reading: MailReading, confirm: Confirm, is_confirmed: bool = False) -> Judgement:
        """Process a mail; its orders are played on the way. `key` is the id of the mail in hex; `confirm` handles
        the yes to another mail, or to anything else that waits for one."""
        if bounces.is_probe(self.store, reading, self.battles.clock.now()):
            return Judgement(Verdict(what=PROBE, why=reading.what))
        if reading.bounce is not None:
            _, statements = bounces.taken(self.store, reading.bounce, self.battles.clock.now())
            return Judgement(silent(reading), statements)
        if reading.what == "vacation":
            return self._away(key, reading)
        now = self.battles.clock.now()
        who = await self._believed(identify(self.store, reading), reading, now)
        if reading.what in ("broken", "too-large"):
            is_told = who.token is not None and not who.doubt and self._may_answer(who)
            return Judgement(self._verdict(who, reading, reading.what, reading.why), is_answered=is_told)
        if reading.what != "mail":
            return Judgement(silent(reading))
        if is_confirmed and who.account is not None:
            who = replace(who, doubt="")
        if not is_confirmed and not self.limits.allow_all(counted(reading, who), now):
            return Judgement(Verdict(what="flooded"))
        judgement = await self._by_token(key, reading, who, confirm, is_confirmed)
        is_told = is_confirmed or judgement.verdict.what == "played"
        if judgement.is_answered and not is_told and not self._may_answer(who, judgement.verdict.player):
            judgement = replace(judgement, is_answered=False)
        if not who.doubt and not is_confirmed:
            judgement = replace(judgement, also=[*judgement.also, *remembered(who, reading, now)])
        return judgement

    async def _believed(self, who: Sender, reading: MailReading, now: str) -> Sender:
        """A token proves the sender only for a while: as long as its question is open, or for some days if it asks
        none. An old letter that others have seen lets nobody speak for its reader."""
        token, is_proven = who.token, reading.trust == "pass" and reading.is_ours
        if token is None or who.doubt or is_proven or token.kind not in (QUESTION, "say"):
            return who
        is_good = later(token.created, TOKEN_S) > now or bool(await self.several.wanted(token))
        if token.question and token.battle:
            is_good = question_of(await self.battles.get(token.battle), token.side) == token.question
        return who if is_good else replace(who, doubt=NO_TOKEN)

    async def _by_token(
        self, key: str, reading: MailReading, who: Sender, confirm: Confirm, is_confirmed: bool
    ) -> Judgement:
        kind = who.token.kind if who.token else ""
        if kind == "bounce":  # nobody writes to an envelope sender; a report that could not be read does
            return Judgement(Verdict(what="loop", why="bounce-address"))
        if kind == invitations.KIND:
            return await answered(self.desk, self.limits, key, reading, who)
        if who.account is None:
            return of_stranger(reading, self.limits, self.battles.clock.now())
        if kind == "confirm" and (address := claim_of(who.token)):
            return await claimed(self.desk, self.limits, reading, who, address)
        if kind == "confirm":
            return await self._confirmed(reading, who, confirm)
        if kind == "unsubscribe":
            return await self._requested(key, reading, who, (MailRequest("stop"),), True)
        if kind == "say":
            return await self._requested(key, reading, who, (MailRequest("say", (reading.text,)),), is_confirmed)
        return await self._by_text(key, reading, who, confirm, is_confirmed)

    async def _confirmed(self, reading: MailReading, who: Sender, confirm: Confirm) -> Judgement:
        """The answer to whether a held mail counts."""
        if not says_yes(reading.text):
            asked = MailRequest("confirm", message=Message("desk.confirm-say-yes", {}))
            return Judgement(self._verdict(who, reading, "command", requests=(asked,)), is_answered=True)
        message = await confirm(who.written)
        verdict = self._verdict(who, reading, "command", requests=(MailRequest("confirm", (who.written,), message),))
        has_answer = message.id.startswith(HELD_MAIL)  # that mail has an answer of its own
        return Judgement(verdict, is_answered=not has_answer)

    async def _by_text(
        self, key: str, reading: MailReading, who: Sender, confirm: Confirm, is_confirmed: bool
    ) -> Judgement:
        """Orders, commands or prose."""
        is_several = bool(entries_of(who.token))
        if is_several and (judged := await self.several.judge(key, reading, who, confirm, is_confirmed)):
            return judged
        reading = await self._with_below(reading, who)
        is_decision = await self._is_decision(reading, who)
        requests_ = () if is_decision else desk.read(reading.text, reading.subject, who.lines_of)
        reply = await self._sorted(reading, who) if not requests_ or requests_[0].name == "say" else None
        if reply is not None and reply.has_orders:
            return await self._ordered(key, reading, who, is_confirmed, reply)
        if requests_ := requests_ or (reply.requests if reply is not None else ()):
            return await self._requested(key, reading, who, requests_, is_confirmed)
        if not reading.text.strip():
            return Judgement(self._verdict(who, reading, "empty"), is_answered=True)
        if reply is not None and (reply.unknown or reply.asked):
            return await self._ordered(key, reading, who, is_confirmed, reply)
        if reply is None and (below := desk.read_below(reading.text, who.lines_of)):  # people greet first
            return await self._requested(key, replace(reading, text=""), who, below, is_confirmed)
        if reply is None and is_several:  # nothing in it is an order
            reply = SortedReply("", tuple(line for line in reading.text.split("\n") if line.strip()))
        if reply is None or reply.orders.strip():
            return await self._ordered(key, reading, who, is_confirmed, reply or SortedReply(reading.text))
        return await self._prose(key, reading, who, reply, is_confirmed)

    async def _with_below(self, reading: MailReading, who: Sender) -> MailReading:
        """A reply with what stands within or below its quote, if only a greeting stands above."""
        if not reading.below or desk.read(reading.text, reading.subject, who.lines_of):
            return reading
        above = await self._sorted(reading, who)
        return reading if above is None else with_below(reading, above)

    async def _sorted(self, reading: MailReading, who: Sender) -> SortedReply | None:
        """The lines of a reply to a letter about a battle; None for any other mail."""
        if who.token is None or not who.token.battle or not reading.text.strip():
            return None
        ruleset = (await self.battles.get(who.token.battle)).ruleset
        letter = listed(who.token.content if who.token.kind == QUESTION else b"")
        return await asyncio.to_thread(sorted_reply, reading.text, ruleset, letter)  # a hostile text takes long

    async def _prose(
        self, key: str, reading: MailReading, who: Sender, reply: SortedReply, is_confirmed: bool
    ) -> Judgement:
        """A mail without orders: commands below a greeting, a question, or words that are offered to the opponent."""
        told = replace(reading, text="", dropped=(*reading.dropped, *reply.left_out))
        if asked := desk.read_below(reading.text):
            return await self._requested(key, replace(reading, text=""), who, asked, is_confirmed)
        if topic := desk.topic_of(reading.text):
            return await self._requested(key, told, who, (MailRequest("help", (topic,)),), is_confirmed)
        params = {"offer": await self._offered(who, reply)}
        return Judgement(self._verdict(who, told, "words", params=params), is_answered=True)

    async def _offered(self, who: Sender, reply: SortedReply) -> str:
        """The opponents to whom prose above the orders could be passed on; "" for bots, or for a mere greeting."""
        if not who.battle:
            return ""
        live = await self.battles.get(who.battle)
        held = live.recording.battle.seats
        people = [held[side].name for side in live.seats.others(who.side) if side in held and held[side].kind != "bot"]
        return ", ".join(people) if len(reply.above.split()) >= LEAST_WORDS else ""

    async def _is_decision(self, reading: MailReading, who: Sender) -> bool:
        """Whether a reply begins with an answer to the decision that its letter asks for, or with a line of a dispute:
        their words may be those of commands, like `accept`."""
        token = who.token
        if token is None or not token.battle:
            return False
        if begins_dispute(reading.text):
            return True
        return bool(token.question) and decides(await self.battles.get(token.battle), token.side, reading.text)

    def _may_answer(self, who: Sender, accepted: str = "") -> bool:
        """Whether a player is still under today's limit of answers; played orders are always reported. Mails that
        others may have written count separately: they must not use up the answers to the player's own. `accepted`: the
        player who has accepted an invitation, as which nobody was known before."""
        player = who.player or accepted
        kind = limits.DOUBTED if who.doubt else limits.ANSWER
        return not player or self.limits.allow(f"{kind}:{player}", self.battles.clock.now())

    # --- commands

    async def _requested(
        self, key: str, reading: MailReading, who: Sender, asked: Sequence[MailRequest], is_confirmed: bool
    ) -> Judgement:
        """Carry out commands; those that change something need a trusted sender."""
        if not who.battle and any(request.name == ORDER for request in asked):
            return await self._order_alone(key, reading, who, asked)
        if not is_confirmed:
            if any(desk.must_confirm(request) for request in asked):
                return self._held(key, reading, who, "confirm")
            if who.doubt and any(desk.changes(request) for request in asked):
                return self._held(key, reading, who, who.doubt)
        done = [
            await desk.do(self.desk, request, caller_of(who, reading.heads), f"{key}.{place}")
            for place, request in enumerate(asked)
        ]
        return Judgement(self._verdict(who, reading, "command", requests=tuple(done)), is_answered=True)

    async def _order_alone(
        self, key: str, reading: MailReading, who: Sender, asked: Sequence[MailRequest]
    ) -> Judgement:
        """Resigning or a draw, without a letter that names the battle: the battle meant now is held with it, so
        that a later yes cannot mean another."""
        if len(asked) > 1:
            return Judgement(self._verdict(who, reading, "no-question"), is_answered=True)
        order = await desk.named(self.desk, asked[0], caller_of(who, reading.heads))
        if order.message is not None:
            return Judgement(self._verdict(who, reading, "command", requests=(order,)), is_answered=True)
        battle, text = order.args
        held, statement = self._holding(key, who, {"battle": battle, "order": text})
        verdict = self._verdict(
            who, reading, "held", "confirm", held=held, lines=(LineVerdict(f"{battle}: {text}", "held"),)
        )
        return Judgement(verdict, (statement,), True)

    def _away(self, key: str, reading: MailReading) -> Judgement:
        """Answer a vacation note, which is not an order, with the offer to stop the player's clocks meanwhile."""
        who, now = identify(self.store, reading), self.battles.clock.now()
        player = who.player if who.doubt != FORGED else ""
        if not player or who.doubt == SENDER or not self.limits.allow(f"{limits.AWAY}:{player}", now):
            return Judgement(silent(reading))
        held, statement = self._holding(key, who, {"absence": reading.back})
        verdict = self._verdict(who, reading, "vacation", held=held, params={"back": reading.back})
        return Judgement(verdict, (statement,), True)

    # --- orders

    async def _ordered(
        self, key: str, reading: MailReading, who: Sender, is_confirmed: bool, reply: SortedReply
    ) -> Judgement:
        """Play orders: they answer the question that the letter asked, while it is open."""
        token = who.token
        if token is None or not token.battle or who.account is None:
            alone = desk.order_alone(reading.text)
            if alone is not None:
                return await self._requested(key, reading, who, (alone,), is_confirmed)
            what = "no-line" if who.campaign else "no-question"
            return Judgement(self._verdict(who, reading, what), is_answered=True)
        if other := named_besides(reading.text, token.battle, self._exists):
            lines = tuple(LineVerdict(line, "not-played") for line in reading.written)
            verdict = self._verdict(who, reading, NO_BATTLE, lines=lines, params={"ref": other})
            return Judgement(verdict, is_answered=True)
        live = await self.battles.get(token.battle)
        if not speaks_for(live, token.side, token.player):
            return Judgement(self._verdict(who, reading, "closed", "seat"), is_answered=True)
        is_begun = self._is_begun(token.player, key) or is_of_disputes(reply.orders)
        if not is_begun and (live.recording.battle.ended or question_of(live, token.side) != token.question):
            return self._closed(reading, who)
        if not is_confirmed and not is_begun:
            if who.doubt:
                return self._held(key, reading, who, who.doubt)
            if ends_battle(live, f"{reply.orders}\n{reply.waiting}"):
                return self._held(key, reading, who, "confirm")
        meant = replace(reading, text=reply.orders, dropped=(*reading.dropped, *reply.left_out))
        if lines := unclear(reply):
            why = ASKED if reply.asked else ""
            return Judgement(self._verdict(who, meant, "unreadable", why, lines=lines), is_answered=True)
        try:
            verdict = await self._up_to_doubt(key, meant, who, live, reply)
        except QuestionClosed:  # closed since we looked
            return self._closed(reading, who)
        verdict = await self._with_words(key, replace(verdict, mended=reply.mended), who, reading, reply)
        return Judgement(verdict, is_answered=True)

    async def _with_words(
        self, key: str, verdict: Verdict, who: Sender, reading: MailReading, reply: SortedReply
    ) -> Verdict:
        """Pass on what a mail says beside its orders (`say …`), once they are played; prose is only offered."""
        if verdict.what != PLAYED:
            return verdict
        caller = caller_of(who, reading.heads)
        done = [await desk.do(self.desk, one, caller, f"{key}.{one.name}") for one in reply.requests]
        verdict = replace(verdict, requests=tuple(done))
        offer = await self._offered(who, reply)
        return replace(verdict, params={**verdict.params, "offer": offer}) if offer else verdict

    def _closed(self, reading: MailReading, who: Sender) -> Judgement:
        """Report that the question of the letter is over, and what was not played; a few times an hour."""
        digest = who.token.digest.hex() if who.token else ""
        is_answered = self.limits.allow(f"{limits.OVER}:{digest}", self.battles.clock.now())
        lines = tuple(LineVerdict(line, "not-played") for line in reading.written)
        return Judgement(self._verdict(who, reading, "closed", lines=lines), is_answered=is_answered)

    def _exists(self, battle: str) -> bool:
        return self.store.battle(battle) is not None

    def _is_begun(self, player: str, key: str) -> bool:
        """Whether orders of this mail have been played before: then a crash has cut it, and it continues."""
        found = requests.find(self.store, player, key) or requests.command(self.store, command_id(player, key, 1))
        return found is not None

    async def _up_to_doubt(
        self, key: str, reading: MailReading, who: Sender, live: LiveBattle, reply: SortedReply
    ) -> Verdict:
        """Play the orders before those that wait for a word more.

        Raises: QuestionClosed, StoreError
        """
        waiting = waiting_lines(reply)
        if waiting and not reading.text.strip():
            return self._verdict(who, reading, PLAYED, lines=waiting)
        verdict = await self._played(key, reading, who, live)
        if waiting and verdict.what != PLAYED:
            waiting = tuple(replace(line, status="not-played") for line in waiting)
        return replace(verdict, lines=(*verdict.lines, *waiting))

    async def _played(self, key: str, reading: MailReading, who: Sender, live: LiveBattle) -> Verdict:
        """Play the orders.

        Raises: QuestionClosed, StoreError
        """
        text = reading.text
        question = who.token.question if who.token else ""
        seen = newest_echo(live, reading.heads)
        orders = OrderRequest(live.id, who.side, who.player, MAIL_CHANNEL, text, phrase_required=False, seen=seen)
        try:
            played = await self.play.orders(orders, key, question)
        except Unreadable as unreadable:
            return self._verdict(who, reading, "unreadable", lines=verdicts(echo(text, faults=unreadable.faults)))
        except Refusal as refused:
            whole = LineVerdict(text.strip(), "refused", message_of(refused), refused.rule)
            return self._verdict(who, reading, "refused", lines=(whole,))
        what = "refused" if played.refused else "played"
        return self._verdict(who, reading, what, lines=verdicts(echo(text, played.outcomes), what == "played"))

    # --- holding

    def _held(self, key: str, reading: MailReading, who: Sender, why: str) -> Judgement:
        """Hold the mail until the player confirms it; `key` may be that of a part of it."""
        held, statement = self._holding(key, who, {"raw": key.partition(".")[0]})
        lines = tuple(LineVerdict(line, "held") for line in reading.written)
        return Judgement(self._verdict(who, reading, "held", why, held=held, lines=lines), (statement,), True)

    def _holding(self, key: str, who: Sender, content: Mapping[str, str]) -> tuple[str, Statement]:
        return holding(self.addresses, key, who, content, self.battles.clock.now())

    def _verdict(self, who: Sender, reading: MailReading, what: str, why: str = "", **more: object) -> Verdict:
        return verdict_of(who, what, why=why, dropped=reading.dropped, **more)
