"""Commands by mail: invite somebody, to a battle that waits or to a new one; ask for a rematch."""

from domain.data import find_scenario, parse_toml, scenario_text
from domain.engine.errors import Refusal
from domain.engine.inputs import Phrase
from domain.engine.message import Message
from domain.engine.state import OTHER, SIDES
from server.mail.desk import battles
from server.mail.desk.caller import Caller, Declined
from server.mail.desk.desk import Desk
from server.mail.desk.invitations import invite, made_under, recipient_of, usable_words
from server.mail.desk.moving import address_in
from server.mail.desk.rematches import rematch
from server.mail.desk.vocabulary import AS, SAME, SIDE_WORDS, folded
from server.mail.verdict import MailRequest
from server.play.live_battle import LiveBattle
from server.play.request import MAIL_CHANNEL
from server.play.seating import require_mode, shown_name, take_side


async def invite_by_mail(desk: Desk, request: MailRequest, caller: Caller, key: str) -> MailRequest:
    """`invite ADDRESS`, then a battle or a scenario, then `as SIDE`; the words below go with the letter.

    Raises: Declined desk.invite-what, desk.invite-which; Refusal, as `recipient_of` and `invite`
    """
    written, target, words = request.args
    if not written:
        raise Declined("desk.invite-what")
    invitation = made_under(desk, caller.player, key)  # before a crash: it counts, but not against itself
    if invitation is None:
        to = recipient_of(desk, caller.player, written)
        usable_words(words)  # before a battle is opened for them
        named, side = _target(target)
        live = await _battle(desk, caller, key, named, side)
        invitation = await invite(desk, caller.player, live, to, side, words, key)
    live = await desk.battles.get(invitation.battle)
    address = invitation.email or address_in(desk, written)
    params = {"address": address, "battle": live.id, "title": battles.title_of(live), "side": invitation.side}
    done = Message("desk.did.invite", {**params, "until": invitation.expires[:10]})
    return MailRequest("invite", (address, live.id), done)


def _target(text: str) -> tuple[str, str]:
    """The battle or the scenario that an invitation names, and the side it offers; "" each if it names none."""
    named, side = "", ""
    for word in text.split():
        plain = folded(word)
        if plain in SIDE_WORDS:
            side = SIDE_WORDS[plain]
        elif plain not in AS:
            named = named or plain
    return named, side


async def _battle(desk: Desk, caller: Caller, key: str, named: str, side: str) -> LiveBattle:
    """The battle of an invitation: a new one of the scenario that is named, with the inviter at the other side; or
    one that waits for a player."""
    if not named:
        return await _waiting(desk, caller)
    try:
        code, name = find_scenario(named, desk.battles.rulesets)
    except Refusal as refused:
        if refused.code != "core.unknown-scenario":
            raise
        try:
            return await desk.battles.get(named.strip("[]#"))
        except Refusal:
            raise refused from None
    require_mode(caller.player, "", desk.battles.settings.operators)
    scenario = parse_toml(scenario_text(code, name), name)
    live = await battles.opened(desk, caller.player, key, (code, scenario, "public", ""))
    own = OTHER[side] if side else SIDES[0]
    await take_side(live, own, caller.player, phrase=Phrase(battles.own_phrase(key), MAIL_CHANNEL))
    return live


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
    title, opponent = battles.title_of(came.live), shown_name(*_opponent(live, side), caller.lang)
    params = {"battle": came.live.id, "title": title, "side": came.side, "name": opponent}
    return MailRequest("rematch", (came.live.id,), Message(f"desk.did.rematch.{came.what}", params))


def _opponent(live: LiveBattle, side: str) -> tuple[str, str]:
    seat = live.recording.battle.seats[OTHER[side]]
    return seat.player, seat.name
