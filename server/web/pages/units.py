"""The units of a battle one by one, and the legend of its board.

The page needs no script; the script of the battle's page takes its parts from here, a unit at a time. All of it is made
from what the reader's side knows.
"""

import asyncio
from collections.abc import Iterator, Mapping
from typing import Any

from aiohttp import web
from markupsafe import Markup
from msgspec import Struct
from msgspec.structs import replace

from domain.basics.errors import Refusal
from domain.contract.dossier import Dossier
from domain.contract.scene import Mark, Scene, Token, shield_of, turned
from replay.drawing.canvas import canvas_of
from replay.drawing.legend import legend, mark_picture
from replay.drawing.shapes import outline_of_arc
from replay.telling.words import worded
from replay.telling.words.scenes import sign
from replay.telling.words.sentences import phrase
from server.play import access
from server.play.live_battle import LiveBattle
from server.play.reasons import reason
from server.shown.formations import whole
from server.shown.happened import span_of, with_happened
from server.web.api.battles import live_for, shown_state
from server.web.api.exchange import number_in_query
from server.web.kept import KeptAnswer, tag_of
from server.web.keys import kept_of
from server.web.pages.battle.sides import formation_in_words
from server.web.pages.language import page_language
from server.web.pages.rendering import drawing, packed, rendered, sent
from server.web.waiting import goes_on, kept_or_turn
from server.words import say, sentence_of


class FieldShown(Struct, frozen=True):
    """A field of a unit: its cells, or outlines on the board as it lies and as it lies turned."""

    kind: str
    cells: tuple[str, ...]
    paths: str
    turned: str


class UnitShown(Struct, frozen=True):
    """A unit: what it is, its values and marks, its fields; `whole` are the units of its formation, ()
    for a unit of the other side. `may` says whether it has an order now, and if not why; "" where nobody asks."""

    id: str
    side: str
    title: str
    formation: str
    values: tuple[str, ...]
    marks: tuple[tuple[Markup, str], ...]
    fields: tuple[FieldShown, ...]
    may: str
    whole: tuple[str, ...]


async def show_units(request: web.Request) -> web.Response:
    """GET /battles/{id}/units?n=&side=&lang="""
    live, player = await live_for(request)
    side = access.side_for(live, player, request.query.get("side", ""))
    n = number_in_query(request, "n", live.n, 1)
    if n > live.n:
        raise Refusal("core.no-such-event", "CORE-ACCESS", n=n, last=live.n)
    await live.remember()
    lang = page_language(request)
    who = player.id if player else ""

    def key_of() -> tuple[object, ...]:
        return "units", *shown_state(live, side, lang), n, who

    async with kept_or_turn(request, player, key_of, "picture") as (key, kept):
        made = kept
        if made is None:
            known = live.ruleset.secrets.known(live.recording.timeline.at(n).game, side)
            scene = worded(live.ruleset.shown.view(known, side), lang)
            shown = with_happened(live.recording, side, span_of(live.recording.timeline.events, n), scene)
            units = tuple(units_of(live, known, scene, side if n == live.n else "", lang))
            entries = tuple((drawing(entry.picture), entry.said) for entry in legend(shown, lang))
            await goes_on(request)
            sides = [(of, shield_of(scene, of)) for of in scene.sides]
            told = {"id": live.id, "title": scene.title, "n": n, "last": live.n, "side": side}
            body = rendered(request, "units.html", **told, sides=sides, units=units, legend=entries).encode()
            made = KeptAnswer(body, tag_of(body), await asyncio.to_thread(packed, body))
            kept_of(request).keep(key, made)
    return await sent(request, made)


def units_of(live: LiveBattle, known: Any, scene: Scene, side: str, lang: str) -> Iterator[UnitShown]:
    """Every unit and leader on the table; `side` is the one whose orders are asked for, "" for none."""
    groups = {token: group for group in scene.groups for token in group.tokens}
    formations = {(one.side, one.id): one for one in scene.formations}
    may = _may(live, side)
    seen: set[str] = set()
    for token in scene.tokens:
        group = groups.get(token.id)
        name = group.label if group else token.id
        if token.form == "site" or name in seen:
            continue
        seen.add(name)
        formation = formations.get((token.side, token.formation))
        dossier: Dossier = live.ruleset.shown.table.dossier(known, name)
        yield UnitShown(
            id=name,
            side=token.side,
            title=(f"{name}, {group.title}" if group else "") or token.called or token.label,
            formation=formation_in_words(formation, lang) if formation else "",
            values=tuple(phrase(value.id, value.params, lang) for value in dossier.values),
            marks=tuple(_marks(token, lang)),
            fields=tuple(_fields(dossier, scene)),
            may=_availability(live, side, name, may, lang) if side and token.side == side else "",
            whole=whole(scene, side, token.formation) if token.side == side else (),
        )


def _marks(token: Token, lang: str) -> Iterator[tuple[Markup, str]]:
    for mark in token.marks:
        yield drawing(mark_picture(mark)), f"{sign(mark.kind, lang)}{_amount(mark)}"


def _amount(mark: Mark) -> str:
    return f" {mark.count}/{mark.full}" if mark.full > 1 else f" {mark.count}" if mark.count > 1 else ""


def _fields(dossier: Dossier, scene: Scene) -> Iterator[FieldShown]:
    for field in dossier.fields:
        table = replace(scene, arcs=field.arcs)
        yield FieldShown(field.kind, field.cells, _outlines(table), _outlines(turned(table)))


def _outlines(table: Scene) -> str:
    canvas = canvas_of(table)
    return " ".join(outline_of_arc(arc, canvas) for arc in table.arcs)


def _may(live: LiveBattle, side: str) -> Mapping[str, int]:
    """How many orders each unit of a side has now."""
    counts: dict[str, int] = {}
    for option in live.options(side) if side and side in live.to_act() else ():
        named = dict(option.target.group) if option.target else {}
        for unit in {option.unit, *named} - {""}:
            counts[unit] = counts.get(unit, 0) + 1
    return counts


def _availability(live: LiveBattle, side: str, unit: str, may: Mapping[str, int], lang: str) -> str:
    if unit in may:
        return say(lang, "pages.units.may", count=may[unit])
    if side not in live.to_act():
        return ""
    refusal = reason(live, side, unit)
    return sentence_of(refusal, lang) if refusal else say(lang, "pages.script.no-order", unit=unit)
