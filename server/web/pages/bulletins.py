"""The pages of bulletins and of the press, of clubs and of campaigns alike, and the feed of bulletins (CAM-CLB-06)."""

from typing import Any
from xml.etree import ElementTree as ET

from aiohttp import web

from domain.basics.errors import Refusal
from server.acts.clubs.chores import CLUB
from server.acts.clubs.editing import LONGEST, amend
from server.acts.clubs.posting import LONGEST as LONGEST_POST
from server.acts.clubs.posting import post_words, remove_post
from server.entropy import new_secret
from server.store.tables import bulletins
from server.web import auth
from server.web.api.bulletins import (
    BulletinOwner,
    bulletin_in,
    owner_in,
    press_told,
    require_editor,
    told_in,
)
from server.web.kept import KeptAnswer, served, tag_of
from server.web.keys import server_of
from server.web.limits import spend
from server.web.pages.feed_forms import ATOM, ATOM_TYPE, add_words
from server.web.pages.forms import form_of, text
from server.web.pages.language import page_reader
from server.web.pages.rendering import HEADERS, page, see
from server.web.problems import status_of
from server.words import say, sentence_of

MOST_IN_FEED = 20


def address_of(owner: BulletinOwner) -> str:
    """The address of the page of a club or campaign."""
    return f"/{'clubs' if owner.kind == CLUB else 'campaigns'}/{owner.id}"


async def show_list(request: web.Request) -> web.Response:
    """GET /clubs/{club}/bulletins?key=, GET /campaigns/{id}/bulletins: the bulletins, and the press."""
    return await _list_page(request)


async def post_list(request: web.Request) -> web.Response:
    """POST to the same: something for the press, or a post taken away."""
    auth.require_own_page(request)
    player, server = auth.require_caller(request), server_of(request)
    owner, form = await owner_in(request), await form_of(request)
    of = (server.acts, player, owner.kind, owner.id, owner.rights)
    try:
        if text(form, "do") == "remove":
            spend(request, "deed", player)
            await remove_post(*of, text(form, "item"))
        else:
            spend(request, "words", player)
            await post_words(*of, text(form, "text"), text(form, "key"))
    except Refusal as refused:
        return await _list_page(request, refused, text(form, "text"))
    return see(f"{address_of(owner)}/bulletins#press")


async def _list_page(request: web.Request, refused: Refusal | None = None, typed: str = "") -> web.Response:
    server, player, owner, reader = (
        server_of(request),
        auth.caller(request),
        await owner_in(request),
        page_reader(request),
    )
    rows = bulletins.of_owner(server.store, owner.kind, owner.id, owner.edits)
    return page(
        request,
        "bulletins.html",
        status_of(refused.code) if refused else 200,
        owner=owner,
        at=address_of(owner),
        key=request.query.get("key", ""),
        rows=[(one, say(reader.lang, f"bulletin.named.{owner.kind}", **_named(one))) for one in rows],
        posts=[(one, reader.moment(one.at)) for one in press_told(server, player, owner).posts],
        own=player.id if player else "",
        typed=typed,
        longest=LONGEST_POST,
        new_key=lambda: new_secret(server.entropy),
        note=sentence_of(refused, reader.lang) if refused else "",
    )


def _named(row: bulletins.Bulletin) -> dict[str, Any]:
    return {"place": row.place, "day": row.until[:10]}


async def show_bulletin(request: web.Request) -> web.Response:
    """GET …/bulletins/{place}"""
    return await _bulletin_page(request)


async def post_bulletin(request: web.Request) -> web.Response:
    """POST …/bulletins/{place}: the organiser's own words are kept; it is held, let go, or sent."""
    auth.require_own_page(request)
    player, server = auth.require_caller(request), server_of(request)
    owner, form = await owner_in(request), await form_of(request)
    row = bulletin_in(request, owner)
    spend(request, "deed", player)
    try:
        require_editor(owner, player)
        await amend(server.acts, row, text(form, "do"), text(form, "words"), server.steward)
    except Refusal as refused:
        return await _bulletin_page(request, refused, text(form, "words"))
    return see(f"{address_of(owner)}/bulletins/{row.place}")


async def _bulletin_page(request: web.Request, refused: Refusal | None = None, typed: str = "") -> web.Response:
    owner, reader = await owner_in(request), page_reader(request)
    row = bulletin_in(request, owner)
    return page(
        request,
        "bulletin.html",
        status_of(refused.code) if refused else 200,
        owner=owner,
        at=address_of(owner),
        key=request.query.get("key", ""),
        row=row,
        due=reader.moment(row.due),
        told=await told_in(request, row, reader.lang),
        words=typed or row.words,
        longest=LONGEST,
        note=sentence_of(refused, reader.lang) if refused else "",
    )


async def show_feed(request: web.Request) -> web.Response:
    """GET …/bulletins.atom: the bulletins that were sent."""
    server, owner, reader = server_of(request), await owner_in(request), page_reader(request)
    rows = bulletins.of_owner(server.store, owner.kind, owner.id, False, MOST_IN_FEED)
    feed = ET.Element("feed", {"xmlns": ATOM, "xml:lang": reader.lang})
    address = f"{server.settings.address}{address_of(owner)}/bulletins"
    key = f"?key={request.query['key']}" if request.query.get("key") else ""
    add_words(feed, "id", address)
    add_words(feed, "title", owner.title)
    add_words(feed, "updated", max((one.due for one in rows), default="1970-01-01T00:00:00Z"))
    ET.SubElement(feed, "link", {"rel": "self", "href": f"{address}.atom{key}"})
    ET.SubElement(add_words(feed, "author", ""), "name").text = "Phalera"
    for row in rows:
        told = await told_in(request, row, reader.lang)
        one = ET.SubElement(feed, "entry")
        add_words(one, "id", f"{address}/{row.place}")
        add_words(one, "title", told.title)
        add_words(one, "updated", row.due)
        ET.SubElement(one, "link", {"href": f"{address}/{row.place}{key}"})
        add_words(one, "content", told.plain())
    body: bytes = b'<?xml version="1.0" encoding="utf-8"?>\n' + ET.tostring(feed, encoding="utf-8")
    return served(request, KeptAnswer(body, tag_of(body)), ATOM_TYPE, HEADERS)
