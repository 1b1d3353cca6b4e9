"""The pages of clubs: their list, a club with its members, battles and table, and the forms of its organisers."""

from typing import Any

from aiohttp import web

from domain.basics.errors import Refusal
from domain.run.terms import is_tag
from projections.lobby import Sought
from server.acts.clubs import entering, founding, roster, seating
from server.acts.clubs.founding import USUAL_RUNNING, ClubWish
from server.acts.clubs.pairing import MOST_PAIRINGS, Pairing, PairingList
from server.acts.clubs.reading import club_for
from server.acts.clubs.roster import MOST_ROWS, RosterLine
from server.acts.clubs.written import pairing_of, pairings_of
from server.people.players import Player
from server.store.tables.clubs import READERS
from server.web import auth
from server.web.api.clubs import club_rows, club_view, clubs_for
from server.web.api.sought import of_club
from server.web.keys import server_of
from server.web.limits import spend
from server.web.pages import clocks
from server.web.pages.forms import PostedForm, form_key, form_of, text
from server.web.pages.language import page_language, page_reader
from server.web.pages.lobby import listed_battles, rows_of
from server.web.pages.mailbox import private
from server.web.pages.new_battle import games_shown
from server.web.pages.rendering import page, see
from server.web.pages.visitors import visitor, with_session
from server.web.problems import status_of
from server.words import say, sentence_of

NO_FORM: PostedForm = {}
STATUSES = ("running", "waiting", "ended")


async def show_clubs(request: web.Request) -> web.Response:
    """GET /clubs: the reader's clubs, those that everybody may read, and how to make one."""
    return _list_page(request)


async def post_clubs(request: web.Request) -> web.Response:
    """POST /clubs: a new club; leads to its page. A stranger becomes a guest by it."""
    auth.require_own_page(request)
    form = await form_of(request)
    try:
        player, session = await visitor(request, text(form, "owner"))
        spend(request, "deed", player)
        number = text(form, "running")
        running = int(number) if number.isascii() and number.isdigit() and len(number) < 4 else USUAL_RUNNING
        wish = ClubWish(text(form, "club").strip(), text(form, "name"), text(form, "readers") or "public", running)
        club = await founding.found(server_of(request).acts, player, wish)
    except Refusal as refused:
        if not refused.code.startswith("club."):
            raise
        return _list_page(request, sentence_of(refused, page_language(request)), status_of(refused.code), form)
    return with_session(request, see(f"/clubs/{club.club}"), session)


def _list_page(request: web.Request, said: str = "", status: int = 200, form: PostedForm = NO_FORM) -> web.Response:
    told = clubs_for(server_of(request).acts, auth.caller(request))
    given = {name: text(form, name) for name in ("club", "name", "owner", "readers")}
    return page(request, "clubs.html", status, told=told, note=said, given=given, readers=READERS)


async def show_club(request: web.Request) -> web.Response:
    """GET /clubs/{club}?tag=&key="""
    return await _club_page(request)


async def post_club(request: web.Request) -> web.Response:
    """POST /clubs/{club}: one of the forms of its page. What a file of members has come to is shown at once."""
    auth.require_own_page(request)
    player = auth.require_caller(request)
    form = await form_of(request)
    spend(request, "battle" if text(form, "do") in ("seat", "pairings") else "deed", player)
    try:
        lines = await _done(request, player, form)
    except Refusal as refused:
        if not refused.rule.startswith("CAM-CLB") and not refused.code.startswith(
            ("core.bad-tags", "core.unknown-scenario")
        ):
            raise
        club_for(server_of(request).acts, request.match_info["club"], player)  # else there is no page to say it on
        return await _club_page(request, _sentence(refused, page_language(request)), status_of(refused.code), form)
    if lines is not None:
        return private(await _club_page(request, lines=lines))
    left = text(form, "do") == "leave"
    return see("/clubs" if left else f"/clubs/{request.match_info['club']}")


async def _done(request: web.Request, player: Player, form: PostedForm) -> list[RosterLine] | None:
    """Do what a form asks for; gives the lines of a file of members.

    Raises: Refusal
    """
    acts, id_, do = server_of(request).acts, request.match_info["club"], text(form, "do")
    match do:
        case "change":
            number = text(form, "running")
            running = int(number) if number.isascii() and number.isdigit() and len(number) < 4 else 0
            await founding.change(acts, player, id_, text(form, "name"), text(form, "readers"), running)
        case "renew":
            await founding.renew_link(acts, player, id_)
        case "leave":
            await entering.leave(acts, player, id_)
        case "day":
            await entering.set_not_before(acts, player, id_, text(form, "day"))
        case "organiser" | "member" | "banned" | "remove":
            await entering.set_role(acts, player, id_, text(form, "player"), "" if do == "remove" else do)
        case "roster":
            return await roster.add_members(acts, player, id_, text(form, "csv"))
        case "seat" | "pairings":
            await _seat(request, player, form)
        case _:
            raise Refusal("core.bad-request", "CORE-PARSE", reason="the form does not say what to do")
    return None


async def _seat(request: web.Request, player: Player, form: PostedForm) -> None:
    """Raises: Refusal, as `open_list`"""
    server, id_ = server_of(request), request.match_info["club"]
    if text(form, "do") == "seat":
        scenario = text(form, "scenario").rpartition("/")[2]
        pairings: tuple[Pairing, ...] = (pairing_of(server.acts, [text(form, "south"), text(form, "north"), scenario]),)
    else:
        pairings = pairings_of(server.acts, text(form, "csv"))
    wanted = PairingList(id_, pairings, text(form, "tag"), text(form, "pace"))
    await seating.open_list(server.acts, player, wanted, form_key(form, server.entropy))


def _sentence(refused: Refusal, lang: str) -> str:
    """A refusal in a sentence; which pairing it is about stands before one that does not say it."""
    told, place = sentence_of(refused, lang), refused.params.get("pairing")
    is_own = refused.code.startswith("club.")
    return told if place is None or is_own else f"{say(lang, 'pages.club.pairing', pairing=place)} {told}"


async def _club_page(
    request: web.Request, said: str = "", status: int = 200, form: PostedForm = NO_FORM, lines: Any = None
) -> web.Response:
    server, player, reader = server_of(request), auth.caller(request), page_reader(request)
    club = club_for(server.acts, request.match_info["club"], player, request.query.get("key", ""))
    tag = request.query.get("tag", "").strip().casefold()
    tag = tag if is_tag(tag) else ""
    own = player.id if player else ""
    listed = {}
    for which in STATUSES:
        found = await listed_battles(server, sought=of_club(request, club.club, Sought(which, tag=tag)))
        listed[which] = rows_of(found, own, reader)
    tags = sorted({one for rows in listed.values() for row in rows for one in row.tags})
    return page(
        request,
        "club.html",
        status,
        club=club_view(server, club, player),
        own=own,
        battles_of=listed,
        table=await club_rows(request, club.club, tag),
        tag=tag,
        tags=tags,
        note=said,
        lines=_lines(lines, reader.lang),
        key=form_key(NO_FORM, server.entropy),
        reads=request.query.get("key", ""),
        given={name: text(form, name) for name in ("csv", "south", "north", "scenario", "tag", "pace")},
        did=text(form, "do"),
        **_choices(request),
    )


def _choices(request: web.Request) -> dict[str, Any]:
    """What the forms of a club offer."""
    server, lang = server_of(request), page_language(request)
    return {
        "games": [game for game in games_shown(server, lang) if game.scenarios],
        "paces": clocks.paces(lang),
        "readers": READERS,
        "most": {"rows": MOST_ROWS, "pairings": MOST_PAIRINGS},
        "mails": bool(server.settings.mail),
    }


def _lines(lines: list[RosterLine] | None, lang: str) -> list[dict[str, str]] | None:
    """The lines of a file of members, in words."""
    if lines is None:
        return None
    return [
        {
            "line": str(one.line),
            "name": one.name,
            "said": sentence_of(one.refusal, lang) if one.refusal else say(lang, f"pages.club.line.{one.what}"),
            "link": one.link,
        }
        for one in lines
    ]
