"""The page of an invitation, and the forms that send one or ask for a rematch.

The link in the letter opens a page with buttons; only they act, because mail scanners open links too. Whoever has the
link has the mailbox to which it went alone: a new player is logged in by accepting, one who had an account is not.
"""

from aiohttp import web

from domain.engine.errors import Refusal
from domain.engine.inputs import Phrase
from domain.engine.message import Message
from server.entropy import new_secret
from server.mail.desk import Desk
from server.mail.desk.battles import own_phrase, title_of
from server.mail.desk.bringing import bring_invited
from server.mail.desk.invitations import accept, decline, invite, opened, recipient_of, unlinked
from server.mail.desk.rematches import rematch
from server.people import players
from server.play.access import require_side
from server.play.request import PAGE_CHANNEL
from server.store.tables import accounts, invitations, mail_tokens
from server.web import auth
from server.web.api.battles import own_of
from server.web.api.invitations import require_mail
from server.web.keys import mail_of, server_of
from server.web.limits import spend
from server.web.pages.bringing import armies_before, bring_form, own_in
from server.web.pages.forms import PostedForm, form_of, text
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
    return await _shown(request, request.path.endswith("/never"))


async def post_invitation(request: web.Request) -> web.Response:
    """POST /invitations/{token}: one of the buttons."""
    auth.require_own_page(request)
    spend(request, "login")
    form, token, desk = await form_of(request), request.match_info["token"], mail_of(request).desk
    what = text(form, "do")
    try:
        if what == "accept":
            return await _accepted(request, desk, token, text(form, "name"))
        if what == "bring":
            return await _brought(request, desk, token, form)
        await decline(desk, token, for_good=what == "never")
    except Refusal as refused:
        if opened(desk, token) is None:
            return note_page(request, "desk.page.gone", Message(refused.code, refused.params), 410)
        said = sentence_of(refused, page_language(request))
        return await _shown(request, False, said, status_of(refused.code), form)
    return note_page(request, TITLE, Message(f"{TITLE}.{'unwanted' if what == 'never' else 'declined'}", {}))


async def post_never(request: web.Request) -> web.Response:
    """POST /invitations/{token}/never: our button, or a mail program's (RFC 8058), which has neither cookie nor
    origin."""
    spend(request, "login")
    try:
        await decline(mail_of(request).desk, request.match_info["token"], for_good=True)
    except Refusal as refused:
        return note_page(request, "desk.page.gone", Message(refused.code, refused.params), 410)
    return note_page(request, TITLE, Message(f"{TITLE}.unwanted", {}))


async def post_invite(request: web.Request) -> web.Response:
    """POST /battles/{id}/invitations: invite somebody to a free side."""
    auth.require_own_page(request)
    player, live, server = await own_of(request)
    form, desk = await form_of(request), mail_of(request).desk
    require_mail(request)
    to = recipient_of(desk, player, text(form, "address"))
    await invite(desk, player, live, to, text(form, "side"), text(form, "words"), new_secret(server.entropy))
    return see(f"/battles/{live.id}")


async def post_rematch(request: web.Request) -> web.Response:
    """POST /battles/{id}/rematch: the same battle again; leads to it."""
    auth.require_own_page(request)
    player, live, server = await own_of(request)
    form = await form_of(request)
    side = require_side(live, player, text(form, "side"))
    spend(request, "battle", player)
    key = new_secret(server.entropy)
    came = await rematch(mail_of(request).desk, player, live, side, PAGE_CHANNEL, key, bool(text(form, "same")))
    return see(f"/battles/{came.live.id}")


async def _accepted(request: web.Request, desk: Desk, token: str, name: str) -> web.Response:
    """Seat them; a new player goes to the battle, logged in.

    Raises: Refusal
    """
    server = server_of(request)
    phrase = Phrase(own_phrase(new_secret(server.entropy)), PAGE_CHANNEL)
    accepted = await accept(desk, token, phrase, name)
    if not accepted.is_new:
        return note_page(request, TITLE, Message(f"{TITLE}.accepted", {}))
    session, issue = players.new_token(server.clock, server.entropy, accepted.account.player, "session")
    await server.store.write(issue)
    return with_session(request, see(f"/battles/{accepted.live.id}"), session)


async def _brought(request: web.Request, desk: Desk, token: str, form: PostedForm) -> web.Response:
    """Seat them in the battle with the army that they bring; as when they accept, a new player goes to it, logged in.

    Raises: Refusal
    """
    server = server_of(request)
    spend(request, "army")
    key = new_secret(server.entropy)
    came = await bring_invited(desk, token, await own_in(request, form), PAGE_CHANNEL, key, text(form, "name"))
    if not came.is_new:
        return note_page(request, TITLE, Message(f"{TITLE}.brought", {"name": came.brought.opponent}))
    session, issue = players.new_token(server.clock, server.entropy, came.account.player, "session")
    await server.store.write(issue)
    return with_session(request, see(f"/battles/{came.brought.live.id}"), session)


async def _shown(
    request: web.Request, only_never: bool, said: str = "", status: int = 200, form: PostedForm = NO_FORM
) -> web.Response:
    desk, token = mail_of(request).desk, request.match_info["token"]
    known = invitations.find(desk.store, mail_tokens.digest(token))
    invitation = known if only_never else opened(desk, token)  # “never” can be said later, too
    live = await desk.battles.get(invitation.battle) if invitation is not None else None
    if invitation is None or live is None or (live.closed and not only_never):
        return note_page(request, "desk.page.gone", Message("core.invitation-over", {}), 410)
    inviter = desk.account(invitation.inviter)
    shown = {
        "name": unlinked(inviter.name if inviter else ""),
        "title": title_of(live),
        "side": invitation.side,
        "message": invitation.message,
        "is_new": not accounts.by_email(desk.store, invitation.email),
        "only_never": only_never,
        "action": f"/invitations/{token}{'/never' if only_never else ''}",
        "note": said,
        "given": {name: text(form, name) for name in ("list", "size", "seed", "own", "name")},
    }
    lang = page_language(request) if request.query.get("lang") else invitation.lang
    shown |= {"before": armies_before(live, lang), "bring": bring_form(live, lang)}
    return private(page(request, "invitation.html", status, **shown, spoken=lang))
