"""The page of an invitation, and the forms that send one or ask for a rematch.

The link in the letter opens a page with buttons; only they act, because mail scanners open links too. Whoever has the
link has the mailbox to which it went alone: a new player is logged in by accepting, one who had an account is not.
"""

from aiohttp import web

from domain.basics.errors import Refusal
from domain.basics.message import Message
from domain.run.inputs import Phrase
from server.acts.accept import accept, decline, open_invitation
from server.acts.bring import bring_invited
from server.acts.invite import InvitationLetter, invite_somebody
from server.acts.phrases import own_phrase
from server.acts.plain_text import unlinked
from server.acts.rematch import rematch
from server.acts.services import Services
from server.entropy import new_secret
from server.people import players
from server.play.access import require_side
from server.play.request import PAGE_CHANNEL
from server.shown.listing import title_of
from server.store.tables import accounts, invitations, mail_tokens
from server.web import auth
from server.web.api.battles import own_of
from server.web.api.invitations import require_mail
from server.web.keys import server_of
from server.web.limits import spend
from server.web.pages.bringing import armies_before, bring_form, own_in
from server.web.pages.forms import PostedForm, form_key, form_of, text
from server.web.pages.language import page_language
from server.web.pages.mailbox import note_page, private
from server.web.pages.rendering import page, see
from server.web.pages.visitors import with_session
from server.web.problems import status_of
from server.words import sentence_of

TITLE = "desk.page.invitation"
NO_FORM: PostedForm = {}


async def show_invitation(request: web.Request) -> web.Response:
    """GET /invitations/{token}, /invitations/{token}/never: what it is, and buttons."""
    return await _page(request, request.path.endswith("/never"))


async def post_invitation(request: web.Request) -> web.Response:
    """POST /invitations/{token}: one of the buttons."""
    auth.require_own_page(request)
    spend(request, "login")
    form, token, services = await form_of(request), request.match_info["token"], server_of(request).acts
    what = text(form, "do")
    try:
        if what == "accept":
            return await _accepted(request, services, token, text(form, "name"))
        if what == "bring":
            return await _brought(request, services, token, form)
        await decline(services, token, for_good=what == "never")
    except Refusal as refused:
        if open_invitation(services, token) is None:
            return note_page(request, "desk.page.gone", Message(refused.code, refused.params), 410)
        said = sentence_of(refused, page_language(request))
        return await _page(request, False, said, status_of(refused.code), form)
    return note_page(request, TITLE, Message(f"{TITLE}.{'unwanted' if what == 'never' else 'declined'}", {}))


async def post_never(request: web.Request) -> web.Response:
    """POST /invitations/{token}/never: our button, or a mail program's (RFC 8058), which has neither cookie nor
    origin."""
    spend(request, "login")
    try:
        await decline(server_of(request).acts, request.match_info["token"], for_good=True)
    except Refusal as refused:
        return note_page(request, "desk.page.gone", Message(refused.code, refused.params), 410)
    return note_page(request, TITLE, Message(f"{TITLE}.unwanted", {}))


async def post_invite(request: web.Request) -> web.Response:
    """POST /battles/{id}/invitations: invite somebody to a free side."""
    auth.require_own_page(request)
    player, live, server = await own_of(request)
    form = await form_of(request)
    require_mail(request)
    letter = InvitationLetter(text(form, "address"), text(form, "side"), text(form, "words"))
    await invite_somebody(server.acts, player, live, letter, form_key(form, server.entropy))
    return see(f"/battles/{live.id}")


async def post_rematch(request: web.Request) -> web.Response:
    """POST /battles/{id}/rematch: the same battle again; leads to it."""
    auth.require_own_page(request)
    player, live, server = await own_of(request)
    form = await form_of(request)
    side = require_side(live, player, text(form, "side"))
    spend(request, "battle", player)
    key, is_same = form_key(form, server.entropy), bool(text(form, "same"))
    came = await rematch(server.acts, player, live, side, PAGE_CHANNEL, key, is_same)
    return see(f"/battles/{came.live.id}")


async def _accepted(request: web.Request, services: Services, token: str, name: str) -> web.Response:
    """Seat them; a new player goes to the battle, logged in.

    Raises: Refusal
    """
    server = server_of(request)
    phrase = Phrase(own_phrase(new_secret(server.entropy)), PAGE_CHANNEL)
    accepted = await accept(services, token, phrase, name)
    if not accepted.is_new:
        return note_page(request, TITLE, Message(f"{TITLE}.accepted", {}))
    session, issue = players.new_token(server.clock, server.entropy, accepted.account.player, "session")
    await server.store.write(issue)
    return with_session(request, see(f"/battles/{accepted.live.id}"), session)


async def _brought(request: web.Request, services: Services, token: str, form: PostedForm) -> web.Response:
    """Seat them in the battle with the army that they bring; as when they accept, a new player goes to it, logged in.

    Raises: Refusal
    """
    server = server_of(request)
    spend(request, "army")
    key = form_key(form, server.entropy)
    came = await bring_invited(services, token, await own_in(request, form), PAGE_CHANNEL, key, text(form, "name"))
    if not came.is_new:
        return note_page(request, TITLE, Message(f"{TITLE}.brought", {"name": came.brought.opponent}))
    session, issue = players.new_token(server.clock, server.entropy, came.account.player, "session")
    await server.store.write(issue)
    return with_session(request, see(f"/battles/{came.brought.live.id}"), session)


async def _page(
    request: web.Request, only_never: bool, said: str = "", status: int = 200, form: PostedForm = NO_FORM
) -> web.Response:
    services, token = server_of(request).acts, request.match_info["token"]
    known = invitations.find(services.store, mail_tokens.digest(token))
    invitation = known if only_never else open_invitation(services, token)  # “never” can be said later, too
    live = await services.battles.get(invitation.battle) if invitation is not None else None
    if invitation is None or live is None or (live.closed and not only_never):
        return note_page(request, "desk.page.gone", Message("core.invitation-over", {}), 410)
    inviter = services.account(invitation.inviter)
    shown = {
        "name": unlinked(inviter.name if inviter else ""),
        "title": title_of(live),
        "side": invitation.side,
        "message": invitation.message,
        "is_new": not accounts.by_email(services.store, invitation.email),
        "unsigned_umpire": live.recording.battle.disputes.unsigned_umpire,
        "only_never": only_never,
        "action": f"/invitations/{token}{'/never' if only_never else ''}",
        "note": said,
        "key": new_secret(server_of(request).entropy),
        "given": {name: text(form, name) for name in ("list", "size", "seed", "own", "name")},
    }
    lang = page_language(request) if request.query.get("lang") else invitation.lang
    shown |= {"before": armies_before(live, lang), "bring": bring_form(live, lang)}
    return private(page(request, "invitation.html", status, **shown, spoken=lang))
