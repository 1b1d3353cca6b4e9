"""Commands by mail: invite somebody, to a battle that waits or to a new one; ask for a rematch."""

from domain.basics.errors import Refusal
from domain.basics.message import Message
from domain.run.inputs import Phrase
from server.acts.invite import InvitationLetter, invite_somebody, made_under
from server.acts.open import Wish, packaged
from server.acts.phrases import own_phrase
from server.acts.rematch import rematch
from server.mail.desk.caller import Caller, Declined
from server.mail.desk.desk import Desk
from server.mail.desk.vocabulary import AS, FOR, SAME, SIDE_WORDS
from server.mail.verdict import MailRequest
from server.play.live_battle import LiveBattle
from server.play.request import MAIL_CHANNEL
from server.play.seating import shown_name
from server.shown.listing import title_of
from server.spelling.words import folded


async def invite_by_mail(desk: Desk, request: MailRequest, caller: Caller, key: str) -> MailRequest:
    """`invite ADDRESS`, then a battle or a scenario, then `as SIDE`; the words below go with the letter.

    Raises: Declined desk.invite-what, desk.invite-which; Refusal, as `recipient_of` and `invite`
    """
    written, target, words = request.args
    if not written:
        raise Declined("desk.invite-what")
    named, side = _target(target)
    known = made_under(desk, caller.player, key)  # before a crash: what was named may not wait any more
    where = await desk.battles.get(known.battle) if known else await _where(desk, caller, key, named, side)
    made = await invite_somebody(desk, caller.player, where, InvitationLetter(written, side, words), key)
    params = {"address": made.address, "battle": made.live.id, "title": title_of(made.live)}
    told = {"side": made.invitation.side, "until": made.invitation.expires[:10]}
    return MailRequest("invite", (made.address, made.live.id), Message("desk.did.invite", params | told))


def _target(text: str) -> tuple[str, str]:
    """The battle or the scenario that an invitation names, and the side it offers; "" each if it names none."""
    named, side, before = "", "", ""
    for plain in map(folded, text.split()):
        if plain in SIDE_WORDS or before in AS:
            side = SIDE_WORDS.get(plain, plain)
        elif plain not in (*AS, *FOR):
            named = named or plain
        before = plain
    return named, side


async def _where(desk: Desk, caller: Caller, key: str, named: str, side: str) -> LiveBattle | Wish:
    """The battle of an invitation: a new one of the scenario that is named, with the inviter at the other side; or
    one that waits for a player."""
    if not named:
        return await _waiting(desk, caller)
    try:
        code, scenario = packaged(desk, named)
    except Refusal as refused:
        if refused.code != "core.unknown-scenario":
            raise
        try:
            return await desk.battles.get(named.strip("[]#"))
        except Refusal:
            raise refused from None
    seats = desk.battles.ruleset(code).seats
    own = seats.others(side)[0] if side else seats.names[0]
    return Wish(code, scenario, side=own, phrase=Phrase(own_phrase(key), MAIL_CHANNEL))


async def _waiting(desk: Desk, caller: Caller) -> LiveBattle:
    """The battle whose letter is answered, or the caller's only one that waits for a player.

    Raises: Declined
    """
    if caller.battle:
        return await desk.battles.get(caller.battle)
    mine = await desk.battles_of(caller.account.player)
    waiting = [entry.battle for entry in mine if entry.status == "waiting"]
    if len(waiting) != 1:
        raise Declined("desk.invite-which", count=len(waiting))
    return await desk.battles.get(waiting[0])


async def rematch_by_mail(desk: Desk, request: MailRequest, caller: Caller, key: str) -> MailRequest:
    """`rematch`, `rematch same sides`, with the id of a battle before it or not.

    Raises: Refusal, as `rematch`; Declined desk.which-battle …
    """
    battle, *words = request.args or ("",)
    live, side = await desk.own(caller, battle)
    same = any(folded(word) in SAME for word in words)
    came = await rematch(desk, caller.player, live, side, MAIL_CHANNEL, key, same)
    title, opponent = title_of(came.live), shown_name(*_opponent(live, side), caller.lang)
    params = {"battle": came.live.id, "title": title, "side": came.side, "name": opponent}
    return MailRequest("rematch", (came.live.id,), Message(f"desk.did.rematch.{came.what}", params))


def _opponent(live: LiveBattle, side: str) -> tuple[str, str]:
    seat = live.recording.battle.seats[live.seats.opponent(side)]
    return seat.player, seat.name
