"""Time on a page: clocks shown, and buttons pressed.

Both clocks, the deadline of the side on move, and what the reader may do about it: claim, ask for a pause,
agree, decline, end it. The lobby has the vacations of the player.
"""

from collections.abc import Iterator, Mapping

from aiohttp import web
from msgspec import Struct

from domain.basics.pace import PRESETS, moment_of
from domain.run.signed_lines import AGREED, CLAIM, MOST_PAUSE_DAYS, pause_line, vacation_line
from domain.time.clock import ClockFace, Clocks
from server.play import access
from server.play.live_battle import LiveBattle
from server.store.tables import absences
from server.time.deadlines import ClockLine
from server.time.vacations import end_vacation, plan_vacation, vacations_of
from server.web import auth
from server.web.api.battles import live_for
from server.web.api.clock import DEEDS
from server.web.keys import server_of
from server.web.limits import spend
from server.web.pages.forms import form_of, text, word_in
from server.web.pages.rendering import see
from server.words import say

USUAL_PAUSE_DAYS = 7
"""For which a seat that signs all asks on its page, unless another number is written."""
MINUTE_S, HOUR_S, DAY_S = 60, 3600, 86400


class ClockShown(Struct, frozen=True):
    """A side's clock in words; `deadline` is a time of the log, "" unless the clock runs."""

    words: str
    deadline: str
    flagged: bool
    note: str


class PlannedVacation(Struct, frozen=True):
    """A vacation for which the clock of a seat that signs all may stand: when, the line to sign, and the button."""

    begins: str
    ends: str
    line: str
    words: str


class TimeShown(Struct, frozen=True):
    """The time shown: the pace, both clocks by side, a request for a pause, and the buttons (deed, label). A seat that
    signs all signs the line of each (`lines`, by deed), and a line for each of its planned `vacations`."""

    pace: str
    clocks: dict[str, ClockShown]
    note: str
    buttons: tuple[tuple[str, str], ...]
    lines: dict[str, str]
    vacations: tuple[PlannedVacation, ...]


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
    note, buttons = _deeds(faces, side, clocks, lang)
    runs = live.recording.battle.begun and bool(faces)
    pace, signs = say(lang, "time.played-at", pace=clocks.pace.text()), live.recording.battle.signs_all(side)
    if not runs:
        return TimeShown(pace, shown, "", (), {}, ())
    pausing = AGREED if clocks.asked not in ("", side) else pause_line(USUAL_PAUSE_DAYS)
    lines = {"claim": CLAIM, "pause": pausing} if signs else {}
    return TimeShown(pace, shown, note, buttons, lines, tuple(_planned(live, side, at, lang)) if signs else ())


def _planned(live: LiveBattle, side: str, at: str, lang: str) -> Iterator[PlannedVacation]:
    """The vacations of a side's player that this battle does not know yet."""
    clocks = live.recording.clocks
    for each in absences.open_of(live.store, live.recording.battle.seats[side].player):
        if each.ends > at and clocks is not None and clocks.watches[side].gone[1] <= moment_of(at):
            words = say(lang, "time.be-away", begins=each.begins[:10], ends=each.ends[:10])
            yield PlannedVacation(each.begins, each.ends, vacation_line(each.begins, each.ends), words)


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
    faces: Mapping[str, ClockFace], side: str, clocks: Clocks, lang: str
) -> tuple[str, tuple[tuple[str, str], ...]]:
    """The clock actions open to a side now, and what it should know."""
    mine, asked = faces.get(side), clocks.asked
    if mine is None:
        return "", ()
    if mine.paused:
        return "", (("resume", say(lang, "time.resume")),)
    is_won = all(face.flagged for of, face in faces.items() if of != side)
    claim = (("claim", say(lang, "time.claim")),) if is_won and not mine.flagged else ()
    if asked == side:
        return say(lang, "time.you-asked"), (*claim, ("resume", say(lang, "time.take-back")))
    if asked and side not in clocks.agreed:
        agree, decline = ("pause", say(lang, "time.agree")), ("resume", say(lang, "time.decline"))
        return say(lang, "time.asked-you"), (*claim, agree, decline)
    return "", claim if asked else (*claim, ("pause", say(lang, "time.pause")))


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
        days, begins, ends = (text(form, name) for name in ("days", "begins", "ends"))
        asked = min(int(days), MOST_PAUSE_DAYS) if days.isdecimal() and len(days) < 3 else 0
        await deed(live, player.id, side, ClockLine(word_in(form), asked, begins, ends))
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
