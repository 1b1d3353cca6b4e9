"""Plan a vacation, within a player's allowance.

A vacation applies to all the player's battles, including those that begin meanwhile: while it lasts their clocks stand
still. At most fourteen days at once and thirty in a calendar year (UTC), and at least a day between two, so that nobody
can stop a battle for good. Its effect on each battle is in that battle's log; the timekeeper puts it there.

Shape: a time is one of the log (`2026-12-24T00:00:00.000Z`), or a date: a first day begins, a last day ends with it
"""

import re

from domain.basics.errors import Refusal
from domain.basics.pace import DAY_MS, moment_of, text_of
from domain.log.record import is_time
from server.play.live_battles import LiveBattles
from server.store.tables import absences
from server.store.tables.absences import Absence

MOST_AT_ONCE_DAYS, MOST_IN_A_YEAR_DAYS = 14, 30
LEAST_BETWEEN_MS = DAY_MS
FARTHEST_MS = 366 * DAY_MS
RULE = "CORE-CLOCK"
NOW = "now"
_DATE = re.compile(r"\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])", re.A)


async def plan_vacation(battles: LiveBattles, player: str, begins: str, ends: str) -> Absence:
    """Plan a vacation; `begins` may be "now". One that began earlier today begins now.

    Raises: Refusal core.bad-dates, core.vacation-too-long, core.vacation-overlaps, core.vacation-used-up
    """
    async with battles.vacations:  # the remaining allowance is checked and used in one step
        return await _planned(battles, player, begins, ends)


async def _planned(battles: LiveBattles, player: str, begins: str, ends: str) -> Absence:
    now = moment_of(battles.clock.now())
    first = now if begins.strip() in ("", NOW) else max(_moment(begins), now)
    last = _moment(ends, is_last=True)
    if not first < last or first > now + FARTHEST_MS:
        raise Refusal("core.bad-dates", RULE, begins=begins[:40], ends=ends[:40])
    if last - first > MOST_AT_ONCE_DAYS * DAY_MS:
        raise Refusal("core.vacation-too-long", RULE, most=MOST_AT_ONCE_DAYS)
    had = absences.all_of(battles.store, player)
    for other in had:
        begun, over = moment_of(other.begins), moment_of(other.ends)
        if begun < over and first < over + LEAST_BETWEEN_MS and begun < last + LEAST_BETWEEN_MS:  # else cancelled
            raise Refusal("core.vacation-overlaps", RULE, begins=other.begins[:10], ends=other.ends[:10])
    _require_left(had, first, last)
    planned = text_of(first), text_of(last)
    await battles.store.write(absences.plan(player, *planned))
    return next(each for each in absences.open_of(battles.store, player) if (each.begins, each.ends) == planned)


async def end_vacation(battles: LiveBattles, player: str, id_: int = 0) -> Absence:
    """End a vacation that has begun, or cancel a planned one: the one with an id, otherwise the first.

    Raises: Refusal core.no-vacation
    """
    found = next((each for each in absences.open_of(battles.store, player) if id_ in (0, each.id)), None)
    if found is None:
        raise Refusal("core.no-vacation", RULE)
    now = battles.clock.now()
    ends = now if found.begins < now else found.begins
    statements = [absences.cut_short(found.id, ends)]
    if found.state == "planned" and ends == found.begins:
        statements.append(absences.set_state(found.id, "over"))
    await battles.store.write(*statements)
    return found._replace(ends=ends)


def vacations_of(battles: LiveBattles, player: str) -> list[Absence]:
    """The vacations of a player that are planned or begun, earliest first."""
    return absences.open_of(battles.store, player)


def _require_left(had: list[Absence], first: int, last: int) -> None:
    """Refuse more days than the year has left; a vacation over New Year counts in both years, by its days."""
    for year in range(int(text_of(first)[:4]), int(text_of(last - 1)[:4]) + 1):
        begins, ends = (moment_of(f"{of:04}-01-01T00:00:00.000Z") for of in (year, year + 1))
        spans = [(moment_of(each.begins), moment_of(each.ends)) for each in had]
        used = sum(max(0, min(end, ends) - max(begin, begins)) for begin, end in spans)
        wanted = min(last, ends) - max(first, begins)
        if used + wanted > MOST_IN_A_YEAR_DAYS * DAY_MS:
            left = max(0, MOST_IN_A_YEAR_DAYS * DAY_MS - used) // DAY_MS
            raise Refusal("core.vacation-used-up", RULE, year=str(year), most=MOST_IN_A_YEAR_DAYS, left=left)


def _moment(written: str, is_last: bool = False) -> int:
    wanted = written.strip()
    if is_time(wanted) and text_of(moment_of(wanted)) == wanted:
        return moment_of(wanted)
    midnight = f"{wanted}T00:00:00.000Z"
    if _DATE.fullmatch(wanted) and text_of(moment_of(midnight)) == midnight:  # the 30th of February does not exist
        return moment_of(midnight) + (DAY_MS if is_last else 0)
    raise Refusal("core.bad-dates", RULE, begins=written[:40], ends=written[:40])
