"""What several units may do, for the script of a battle's page: a part of the page, asked for when somebody has chosen
them.
"""

import re

from aiohttp import web
from msgspec import Struct

from domain.basics.errors import Refusal
from replay.telling.words import worded
from server.play import access
from server.play.live_battle import LiveBattle
from server.play.together import as_one, each_alone, reason_together
from server.shown.formations import standing
from server.shown.picks import ANSWERS, Pick, in_language, picked
from server.shown.targets import TargetShown, targets_alone
from server.web.api.battles import live_for
from server.web.limits import spend
from server.web.pages.language import page_language
from server.web.pages.rendering import page
from server.words import say, sentence_of

MOST_UNITS = 100
LONGEST = 2000
"""Of a request: units, and characters of their names."""
MOST_ALIKE = 60
"""Choices of what each of the units does alone that are offered."""


class EachAlone(Struct, frozen=True):
    """Something that each of the units can do alone: its words, and the lines, one for each."""

    words: str
    lines: tuple[str, ...]


class TogetherShown(Struct, frozen=True):
    """Units that were chosen together: their orders as one with their targets, or the reason why there is none, and
    what each may do alone."""

    units: tuple[str, ...]
    orders: tuple[Pick, ...]
    reason: str
    alone: tuple[EachAlone, ...]
    targets: tuple[TargetShown, ...]


async def show_together(request: web.Request) -> web.Response:
    """GET /battles/{id}/together?side=&units=R1 R2: a part of a page."""
    live, player = await live_for(request)
    if player is None:
        raise Refusal("core.not-signed-in", "CORE-ACCESS")
    side = access.require_side(live, player, request.query.get("side", ""))
    spend(request, "preview", player)
    lang = page_language(request)
    scene = worded(live.ruleset.shown.view(live.known(side), side), lang)
    named = re.findall(r"\S+", request.query.get("units", "")[:LONGEST])[:MOST_UNITS]
    there = standing(scene, side)
    units = tuple(dict.fromkeys(name for name in named if name in there))
    orders = in_language(as_one(live, side, units) if len(units) > 1 else (), live.ruleset, lang)
    reason = "" if orders or len(units) < 2 else _reason(live, side, units, lang)
    acting = [option for option in live.options(side) if option.kind not in ANSWERS] if side in live.to_act() else []
    alike = each_alone(in_language(acting, live.ruleset, lang), scene, units) if len(units) > 1 else ()
    alone = tuple(
        EachAlone(one.words or say(lang, "pages.battle.to", box=", ".join(one.boxes)), one.lines)
        for one in alike[:MOST_ALIKE]
    )
    picks = tuple(picked(option, lang) for option in orders)
    shown = TogetherShown(units, picks, reason, alone, targets_alone(picks))
    return page(request, "together.html", shown=shown)


def _reason(live: LiveBattle, side: str, units: tuple[str, ...], lang: str) -> str:
    refusal = reason_together(live, side, units)
    return sentence_of(refusal, lang) if refusal else say(lang, "pages.together.none")
