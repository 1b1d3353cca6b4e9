"""Time on a page: clocks shown, and buttons pressed.

Both clocks, the deadline of the side on move, and what the reader may do about it: claim, ask for a pause,
agree, decline, end it. The lobby has the vacations of the player.
"""

from aiohttp import web
from msgspec import Struct

from domain.engine.state import OTHER
from domain.time.clock import ClockFace
from domain.time.pace import PRESETS
from server.play import access
from server.play.live_battle import LiveBattle
from server.time.vacations import end_vacation, plan_vacation, vacations_of
from server.web import auth
from server.web.api.battles import live_for
from server.web.api.clock import DEEDS
from server.web.keys import server_of
from server.web.limits import spend
from server.web.pages.forms import form_of, text
from server.web.pages.rendering import see
from server.words import say

MINUTE_S, HOUR_S, DAY_S = 60, 3600, 86400


class ClockShown(Struct, frozen=True):
    """A side's clock in words; `deadline` is a time of the log, "" unless the clock runs."""

    words: str
    deadline: str
    flagged: bool
    note: str


class TimeShown(Struct, frozen=True):
    """The time shown: the pace, both clocks by side, a request for a pause, and the buttons (deed, label)."""

    pace: str
    clocks: dict[str, ClockShown]
    note: str
    buttons: tuple[tuple[str, str], ...]


class VacationShown(Struct, frozen=True):
    """A vacation of the player."""

    id: int
    words: str


def time_shown(live: LiveBattle, side: str, at: str, lang: str) -> TimeShown | None:
    """The clocks as shown to `side` ("" for a stranger); None for a battle without."""
    clocks, faces = live.recording.clocks, live.clock(at)
    if clocks is None:
        return None
    shown = {name: _clock(face, lang) for name, face in faces.items()}
    note, buttons = _deeds(faces.get(side), faces.get(OTHER.get(side, "")), side, clocks.asked, lang)
    runs = live.recording.battle.begun and bool(faces)
    return TimeShown(
        say(lang, "time.played-at", pace=clocks.pace.text()), shown, note if runs else "", buttons if runs else ()
    )


def _clock(face: ClockFace, lang: str) -> ClockShown:
    days, rest = divmod(face.left_s, DAY_S)
    hours, rest = divmod(rest, HOUR_S)
    told = {"days": days, "hours": hours or (days and "0"), "minutes": str(rest // MINUTE_S)}
    runs = face.running and not face.flagged
    note = "flagged" if face.flagged else "paused" if face.paused else "away" if face.away else ""
    return ClockShown(
        say(lang, "time.runs" if runs else "time.stands", **told),
        face.deadline if runs else "",
        face.flagged,
        say(lang, f"time.{note}") if note else "",
    )


def _deeds(
    mine: ClockFace | None, other: ClockFace | None, side: str, asked: str, lang: str
) -> tuple[str, tuple[tuple[str, str], ...]]:
    """The clock actions open to a side now, and what it should know."""
    if mine is None or other is None:
        return "", ()
    if mine.paused:
        return "", (("resume", say(lang, "time.resume")),)
    claim = (("claim", say(lang, "time.claim")),) if other.flagged and not mine.flagged else ()
    if asked == side:
        return say(lang, "time.you-asked"), (*claim, ("resume", say(lang, "time.take-back")))
    if asked:
        agree, decline = ("pause", say(lang, "time.agree")), ("resume", say(lang, "time.decline"))
        return say(lang, "time.asked-you"), (*claim, agree, decline)
    return "", (*claim, ("pause", say(lang, "time.pause")))


def paces(lang: str) -> list[tuple[str, str]]:
    """The paces to choose from: their notation, and in words."""
    return [("", say(lang, "time.pace-none"))] + [(name, say(lang, f"time.pace-{name}")) for name in PRESETS]


def vacations(request: web.Request, player: str, lang: str) -> list[VacationShown]:
    """The vacations of a player that are not over."""
    return [
        VacationShown(
            each.id, say(lang, "time.vacation", begins=each.begins[:16], ends=each.ends[:16], state=each.state)
        )
        for each in vacations_of(server_of(request).battles, player)
    ]


async def post_clock(request: web.Request) -> web.Response:
    """POST /battles/{id}/clock: claim, pause or resume."""
    auth.require_own_page(request)
    live, _ = await live_for(request)
    player = auth.require_caller(request)
    spend(request, "deed", player)
    form = await form_of(request)
    side = access.require_side(live, player, text(form, "side"))
    deed = DEEDS.get(text(form, "do"))
    if deed is not None:
        await deed(live, player.id, side)
    return see(f"/battles/{live.id}")


async def post_vacation(request: web.Request) -> web.Response:
    """POST /vacations: plan one, or end the one named."""
    auth.require_own_page(request)
    player, live_battles = auth.require_caller(request), server_of(request).battles
    spend(request, "deed", player)
    form = await form_of(request)
    ended = text(form, "end")
    if ended:
        await end_vacation(live_battles, player.id, int(ended) if ended.isdecimal() and len(ended) < 16 else -1)
    else:
        await plan_vacation(live_battles, player.id, text(form, "begins"), text(form, "ends"))
    return see("/#vacations")
