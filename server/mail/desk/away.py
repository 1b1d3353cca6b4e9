"""Commands by mail: vacations, pauses, claims."""

import re
from datetime import date, timedelta
from hashlib import sha256

from domain.basics.errors import Refusal
from domain.basics.message import Message
from domain.events.battle import ClockFired
from domain.time.clock import CLAIM, PAUSE_ASKED, PAUSE_OVER
from replay.telling.words.sentences import fragment
from server.mail.blocks import Block, HeadingLine, Listing, Paragraph
from server.mail.desk.caller import Caller, Declined
from server.mail.desk.days import begin_of, day_in, day_of, end_of
from server.mail.desk.desk import Desk
from server.mail.desk.vocabulary import OVER
from server.mail.verdict import MailRequest
from server.play.live_battle import LiveBattle
from server.play.signing import require_unsigned
from server.shown.moments import moment
from server.spelling.words import folded
from server.store.tables import requests
from server.time import timekeeper
from server.words import say

NOW = "now"
DAYS = ("day", "days", "jour", "jours", "d", "j")
UNTIL = ("until", "till", "jusqu'au", "jusquau", "jusqu'a", "jusque", "to", "au")
USUAL_DAYS = 14
"""The length of a vacation without a named end."""
_COUNT = re.compile(r"\d{1,2}")


async def plan(desk: Desk, request: MailRequest, caller: Caller, key: str) -> Message | None:
    """`vacation FROM TO`, `vacation until DATE`, `vacation 10 days`, `vacation over`; alone it lists them.

    Raises: Declined desk.bad-vacation, desk.vacation-past, desk.vacation-backwards; Refusal core.bad-dates,
            core.vacation-…, core.no-vacation
    """
    if not request.args:
        return None
    words = [folded(word) for word in request.args]
    player, zone = caller.account.player, desk.wishes(caller.account.player).zone
    if words[0] in OVER:
        return await _end(desk, player, key)
    first, last = _days(desk, words, zone)
    if first is None and last is None:
        raise Declined("desk.bad-vacation", words=" ".join(request.args)[:80])
    return await plan_until(desk, caller, first, last or day_of(desk.now(), zone))


async def _end(desk: Desk, player: str, key: str) -> Message:
    """End the vacation that has begun, or cancel the next one; a mail that is processed again ends no second one.

    Raises: Refusal core.no-vacation
    """
    kept = f"vacation-over:{key}"
    known = requests.find(desk.store, player, kept)
    if known is None:
        first = next(iter(timekeeper.vacations_of(desk.battles, player)), None)
        if first is None:
            raise Refusal("core.no-vacation", "CORE-CLOCK")
        body = str(first.id).encode()
        row = requests.accept(player, kept, sha256(body).digest(), body)
        await desk.store.write(row, requests.finish(player, kept))
        known = requests.find(desk.store, player, kept)
    open_ = {each.id for each in timekeeper.vacations_of(desk.battles, player)}
    if known is not None and int(known.body) in open_:
        await timekeeper.end_vacation(desk.battles, player, int(known.body))
    return Message("desk.did.vacation-over", {})


async def plan_until(desk: Desk, caller: Caller, first: date | None, last: date | None) -> Message:
    """A vacation from a day on (None: from now) to a last day (None: for the usual time); repeating it changes nothing.

    Raises: Declined desk.vacation-past, desk.vacation-backwards; Refusal core.bad-dates, core.vacation-…
    """
    player, zone, now = caller.account.player, desk.wishes(caller.account.player).zone, desk.now()
    today = day_of(now, zone)
    last = last or (first or today) + timedelta(days=USUAL_DAYS - 1)
    begins = begin_of(first, zone) if first and first > today else NOW
    ends = end_of(last, zone)
    if last < today:
        raise Declined("desk.vacation-past", **_calendar(last))
    if first is not None and last < first:
        raise Declined("desk.vacation-backwards", **_calendar(last))
    for known in timekeeper.vacations_of(desk.battles, player):
        if known.ends == ends and (known.begins == begins or (begins == NOW and known.begins <= now)):
            break
    else:
        known = await timekeeper.plan_vacation(desk.battles, player, begins, ends)
    told = {"begins": known.begins, "ends": known.ends}
    return Message("desk.did.vacation", {name: moment(at, zone, caller.lang) for name, at in told.items()})


def _calendar(day: date) -> dict[str, int]:
    """A day as sentences name it."""
    return {"weekday": day.weekday(), "day": day.day, "month": day.month, "year": day.year}


def _days(desk: Desk, words: list[str], zone: str) -> tuple[date | None, date | None]:
    """The first and the last day meant; the first is None if it begins now."""
    days = [day for word in words if (day := day_in(word))]
    if len(days) >= 2:
        return days[0], days[1]
    if days:
        return None, days[0]
    if len(words) == 2 and _COUNT.fullmatch(words[0]) and words[1] in DAYS:
        return None, day_of(desk.now(), zone) + timedelta(days=max(int(words[0]) - 1, 0))
    return None, None


async def show_absences(desk: Desk, request: MailRequest, caller: Caller) -> list[Block]:
    """The caller's vacations that are planned or have begun."""
    zone, lang = desk.wishes(caller.account.player).zone, caller.lang
    known = timekeeper.vacations_of(desk.battles, caller.account.player)
    if not known:
        return [Paragraph(say(lang, "desk.vacation.none"))]
    spans = [{"begins": moment(each.begins, zone, lang), "ends": moment(each.ends, zone, lang)} for each in known]
    lines = tuple(fragment("desk.vacation.row", span, lang) for span in spans)
    return [HeadingLine(say(lang, "desk.vacation.title")), Listing(lines)]


# --- one battle


async def pause(desk: Desk, request: MailRequest, caller: Caller, key: str) -> Message:
    """Ask for a pause, or agree to the one that the other side has asked for.

    Raises: Refusal core.no-clock, core.paused, core.pause-asked …
    """
    live, side = await desk.own(caller, request.args[0])
    require_unsigned(live.recording.battle, side)
    what = PAUSE_ASKED if _last(live) == (PAUSE_ASKED, side) else ""
    what = what or await timekeeper.pause(live, caller.account.player, side)
    return Message(f"desk.did.{what}", {"battle": live.id})


async def resume(desk: Desk, request: MailRequest, caller: Caller, key: str) -> Message:
    """End a pause.

    Raises: Refusal core.no-clock, core.not-paused …
    """
    live, side = await desk.own(caller, request.args[0])
    if _last(live) != (PAUSE_OVER, side):
        await timekeeper.resume(live, caller.account.player, side)
    return Message("desk.did.resume", {"battle": live.id})


async def claim(desk: Desk, request: MailRequest, caller: Caller, key: str) -> Message:
    """Claim a battle whose other side has run out of time.

    Raises: Refusal core.no-clock, core.no-flag, core.own-flag …
    """
    live, side = await desk.own(caller, request.args[0])
    require_unsigned(live.recording.battle, side)
    if _last(live) != (CLAIM, side):
        await timekeeper.claim(live, caller.account.player, side)
    return Message("desk.did.claim", {"battle": live.id})


def _last(live: LiveBattle) -> tuple[str, str]:
    """The last clock event and its side: what a command has brought about is not requested again."""
    events = reversed(live.recording.timeline.events)
    return next(((r.event.what, r.event.side) for r in events if isinstance(r.event, ClockFired)), ("", ""))
