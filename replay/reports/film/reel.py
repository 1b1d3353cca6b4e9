"""What a film of a battle shows, event by event, to a stranger who has the file: nothing sealed is in it."""

from collections import deque
from collections.abc import Iterator, Sequence
from fractions import Fraction

from msgspec import Struct

from domain.contract.ruleset import NOBODY
from domain.contract.scene import Scene
from domain.events.battle import INPUTS
from domain.run.timeline import is_within
from replay.battle_file import BattleFile
from replay.drawing.moves import with_moves
from replay.drawing.svg import draw_svg
from replay.reports import plain
from replay.reports.film.splices import Splice, joined, spliced
from replay.telling.luck import LuckRow, amount, brought, counted, luck_of
from replay.telling.why import explain, to_text
from replay.telling.words import worded
from replay.telling.words.catalogue import find

MARKS = {"en": ".", "fr": ","}


class FilmSeat(Struct, frozen=True):
    """A side, what it is called, and who fought it."""

    side: str
    called: str
    player: str


class ReelMoment(Struct, frozen=True, array_like=True):
    """Event `n`, told: its sentence, what explains it line by line, what decides the game and what luck has brought, by
    seat. `begins` says that a turn begins with it, `is_order` that a player gave it, `voided` that a ruling took it
    back.
    """

    n: int
    said: str
    why: str
    tally: tuple[int, ...]
    luck: tuple[str, ...]
    begins: bool
    is_order: bool
    voided: bool


class Reel(Struct, frozen=True, kw_only=True):
    """A film: the moments in order, with the board of each as pieces and splices (`splices.spliced`); `final` is the
    last of them.
    """

    lang: str
    battle: str
    game: str
    title: str
    last: int
    seats: tuple[FilmSeat, ...]
    moments: tuple[ReelMoment, ...]
    pieces: tuple[str, ...]
    splices: tuple[Splice, ...]
    final: str


def reel_of(battle: BattleFile, lang: str) -> Reel:
    """The film of a battle, finished or not, in a language. About two milliseconds of work an event."""
    shown = [recorded.n for recorded in plain.plain_events(battle.events)] or [battle.last]
    pieces, splices = spliced(_boards(battle, shown, lang))
    seated = battle.timeline.now.seats
    return Reel(
        lang=lang,
        battle=battle.log.header.battle,
        game=battle.ruleset.title,
        title=_scene(battle, battle.last, lang).title or battle.log.header.battle,
        last=battle.last,
        seats=tuple(
            FilmSeat(side, find(f"side.{side}", lang) or side, seated[side].name if side in seated else "")
            for side in battle.ruleset.seats.names
        ),
        moments=tuple(_moments(battle, shown, lang)),
        pieces=tuple(pieces),
        splices=tuple(splices),
        final=deque(joined(pieces, splices), maxlen=1)[0],
    )


def _scene(battle: BattleFile, n: int, lang: str) -> Scene:
    return worded(battle.ruleset.shown.view(plain.known_at(battle, n), NOBODY), lang)


def _boards(battle: BattleFile, shown: Sequence[int], lang: str) -> Iterator[str]:
    """The board after each event that is shown, with what moved since the one before."""
    before = None
    for n in shown:
        after = _scene(battle, n, lang)
        yield draw_svg(with_moves(before, after) if before else after, prefix="film", lang=lang)
        before = after


def _moments(battle: BattleFile, shown: Sequence[int], lang: str) -> Iterator[ReelMoment]:
    ruleset, events, wanted = battle.ruleset, battle.events, {*shown}
    spans, names = battle.timeline.voided(), ruleset.seats.names
    luck, settled = dict.fromkeys(names, Fraction(0)), dict[int, list[LuckRow]]()
    for row in counted(luck_of(battle.timeline)):
        settled.setdefault(row.settled, []).append(row)
    for before, recorded in battle.timeline.along():
        n = recorded.n
        for row in settled.get(n, ()):
            luck = {side: luck[side] + brought(row, side, ruleset.seats) for side in names}
        if n not in wanted:
            continue
        known = ruleset.secrets.known(before.game, NOBODY)
        tally = ruleset.shown.tally(battle.timeline.at(n).game)
        yield ReelMoment(
            n,
            plain.said_to(battle, n, NOBODY, lang, known),
            to_text(explain(ruleset, known, events[:n], events[n:], lang), lang).partition("\n")[2],
            tuple(tally.get(side, 0) for side in names),
            tuple(amount(luck[side], MARKS[lang]) for side in names),
            plain.is_turn(recorded),
            type(recorded.event) in INPUTS,
            is_within(spans, n),
        )
