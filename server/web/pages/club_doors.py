"""The two pages that lead into a club: that of its entry link, and that of a personal invitation.

Both show buttons, and only they act, because mail scanners open links too.
"""

from aiohttp import web

from domain.basics.errors import Refusal
from domain.basics.message import Message
from server.acts.clubs.entering import by_entry_link, enter
from server.acts.clubs.inviting import accept_club, decline_club, open_club_invitation
from server.acts.invite import account_at
from server.acts.plain_text import unlinked
from server.people import players
from server.store.tables import accounts, club_invitations, clubs, mail_tokens
from server.web import auth
from server.web.keys import server_of
from server.web.limits import spend
from server.web.pages.forms import PostedForm, form_of, text
from server.web.pages.language import page_language
from server.web.pages.mailbox import note_page, private
from server.web.pages.rendering import page, see
from server.web.pages.visitors import visitor, with_session
from server.web.problems import status_of
from server.words import sentence_of

TITLE = "pages.club.invited"
NO_FORM: PostedForm = {}


async def show_entry(request: web.Request) -> web.Response:
    """GET /clubs/{club}/enter/{token}: the club, and a button."""
    return _entry_page(request)


async def post_entry(request: web.Request) -> web.Response:
    """POST /clubs/{club}/enter/{token}: a player becomes a member; a stranger gets an account by it."""
    auth.require_own_page(request)
    server, id_, token = server_of(request), request.match_info["club"], request.match_info["token"]
    form = await form_of(request)
    try:
        by_entry_link(server.acts, id_, token)  # before there is an account for it
        player, session = await visitor(request, text(form, "name"))
        spend(request, "deed", player)
        await enter(server.acts, player, id_, token)
    except Refusal as refused:
        if refused.code not in ("club.full", "core.bad-name", "core.name-reserved", "core.name-taken"):
            raise
        return _entry_page(request, sentence_of(refused, page_language(request)), status_of(refused.code), form)
    return with_session(request, see(f"/clubs/{id_}"), session)


def _entry_page(request: web.Request, said: str = "", status: int = 200, form: PostedForm = NO_FORM) -> web.Response:
    server = server_of(request)
    club = by_entry_link(server.acts, request.match_info["club"], request.match_info["token"])
    told = {"club": club, "members": clubs.count(server.store, club.club), "note": said}
    return private(page(request, "club_enter.html", status, **told, given=text(form, "name"), invited=False))


async def show_invited(request: web.Request) -> web.Response:
    """GET /clubs/{club}/invited/{token}"""
    return _invited_page(request)


async def post_invited(request: web.Request) -> web.Response:
    """POST /clubs/{club}/invited/{token}: one of the buttons. A new player is logged in; one who had an account is not,
    for the link proves a mailbox and no device."""
    auth.require_own_page(request)
    spend(request, "login")
    server, token, form = server_of(request), request.match_info["token"], await form_of(request)
    what = text(form, "do")
    try:
        if what != "accept":
            await decline_club(server.acts, token, for_good=what == "never")
            return note_page(request, TITLE, Message(f"{TITLE}.{'unwanted' if what == 'never' else 'declined'}", {}))
        accepted = await accept_club(server.acts, token, text(form, "name"))
    except Refusal as refused:
        if open_club_invitation(server.acts, token) is None:
            return note_page(request, "desk.page.gone", Message(refused.code, refused.params), 410)
        return _invited_page(request, sentence_of(refused, page_language(request)), status_of(refused.code), form)
    if not accepted.is_new:
        return note_page(request, TITLE, Message(f"{TITLE}.accepted", {"club": accepted.club.name}))
    session, issue = players.new_token(server.clock, server.entropy, accepted.account.player, "session")
    await server.store.write(issue)
    return with_session(request, see(f"/clubs/{accepted.club.club}"), session)


def _invited_page(request: web.Request, said: str = "", status: int = 200, form: PostedForm = NO_FORM) -> web.Response:
    server, token = server_of(request), request.match_info["token"]
    found = club_invitations.find(server.store, mail_tokens.digest(token))
    club = clubs.find(server.store, found.club) if found else None
    if found is None or club is None or not found.is_open(server.clock.now()):
        return note_page(request, "desk.page.gone", Message("core.invitation-over", {}), 410)
    inviter = accounts.by_player(server.store, found.inviter)
    lang = page_language(request) if request.query.get("lang") else found.lang
    told = {
        "club": club,
        "members": clubs.count(server.store, club.club),
        "note": said,
        "given": text(form, "name") or found.name,
        "invited": True,
        "inviter": unlinked(inviter.name if inviter else ""),
        "is_new": account_at(server.acts, found.email) is None,
    }
    return private(page(request, "club_enter.html", status, **told, spoken=lang))
