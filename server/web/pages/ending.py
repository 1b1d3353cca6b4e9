"""The result of a battle that is over: the verdict for its reader, how it ended, losses and honours."""

from aiohttp import web
from msgspec import Struct

from domain.basics.decoding import decode
from domain.contract.ruleset import NOBODY
from domain.events.battle import BattleEnded
from replay.battle_file import UnreadableFile
from replay.reports import plain
from replay.reports.account.aftermath import Aftermath, aftermath
from replay.reports.account.contents import Honours, Losses
from server.play.live_battle import LiveBattle
from server.play.seating import shown_name
from server.web.api.log import battle_file
from server.web.keys import pictures_of, server_of
from server.web.pictures import BoardKey
from server.words import say
from server.workers import Busy


class EndShown(Struct, frozen=True):
    """`mark` is what it was for the reader: won, lost, drawn, or over for whoever has no side, or both. `how` says by
    which rule it ended; `armies` are the losses and the honours of each side, () if they could not be told."""

    mark: str
    verdict: str
    how: str
    armies: tuple[tuple[Losses, Honours], ...]


async def end_shown(request: web.Request, live: LiveBattle, held: tuple[str, ...], lang: str) -> EndShown:
    """The result for a reader who holds some sides; without armies while the server has too much to do."""
    winner, seats = live.recording.battle.winner or "", live.recording.battle.seats
    mark = _mark(winner, held)
    name = shown_name(seats[winner].player, seats[winner].name, lang) if winner in seats else ""

    async def content() -> tuple[bytes, str]:
        return await battle_file(server_of(request), live), lang

    key = BoardKey(live.id, live.n, "", lang, "aftermath")
    try:
        told = decode(await pictures_of(request).of_file(key, aftermath, content), Aftermath)
    except (Busy, UnreadableFile):
        told = Aftermath((), ())
    verdict = say(lang, f"pages.end.{mark}", side=winner, name=name)
    return EndShown(mark, verdict, _how(live, lang), tuple(zip(told.losses, told.honours, strict=True)))


def _mark(winner: str, held: tuple[str, ...]) -> str:
    if not winner:
        return "drawn"
    if len(held) != 1:
        return "over"
    return "won" if winner in held else "lost"


def _how(live: LiveBattle, lang: str) -> str:
    """The sentence of the event that ended it, "" if there is none."""
    timeline, ruleset = live.recording.timeline, live.ruleset
    for recorded in reversed(timeline.events):
        if isinstance(recorded.event, BattleEnded) and timeline.counts(recorded.n):
            known = ruleset.secrets.known(timeline.at(recorded.n - 1).game, NOBODY)
            return plain.say(ruleset, known, recorded, lang=lang)
    return ""
