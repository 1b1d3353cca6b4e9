"""A battle in short, for the report of a campaign: a paragraph, its honours, and what it came to."""

from collections.abc import Iterator, Sequence

import msgspec
from msgspec import Struct

from domain.contract.deeds import Deed, awarded, deeds_of
from replay.battle_file import BattleFile, parse
from replay.reports.account.chapters import Storyteller
from replay.reports.account.contents import MOST_HONOURS, honour_in_words
from replay.reports.account.reading import ReportReading, read
from replay.reports.account.rosters import losses, strength
from replay.reports.account.swings import swings
from replay.reports.account.voice import Voice, heading, sentence
from replay.telling.words.names import name_in

MOST_POINTS = 2
"""Turning points that are told beside the one that weighed most."""


class ShortHonour(Struct, frozen=True):
    """What a unit is honoured for, told in a sentence; completed by event `n` of the battle."""

    title: str
    text: str
    n: int


class ShortSide(Struct, frozen=True):
    """A side of a battle: the name of its army, how many units it had and lost, and its honours."""

    army: str
    units: int
    lost: int
    honours: tuple[ShortHonour, ...]


class BattleInShort(Struct, frozen=True):
    """A battle told in a paragraph. `sides` are south and north, `turns` the player-turns that it lasted."""

    battle: str
    title: str
    story: str
    turns: int
    sides: tuple[ShortSide, ...]


def in_short(battle: BattleFile, lang: str) -> BattleInShort:
    """The paragraph of a battle, in a language; without one for a game of more than two."""
    name, seats = battle.log.header.battle, battle.ruleset.seats.names
    if len(seats) > 2:
        return BattleInShort(name, "", "", 0, ())
    reading = read(battle)
    teller = Storyteller(reading, lang)
    chapters, deeds = list(teller.chapters()), deeds_of(battle.ruleset, reading.facts())
    return BattleInShort(
        battle=name,
        title=name_in(reading.opening.title, lang),
        story=" ".join([*_points(reading, teller, lang), *chapters[-1].paragraphs]),
        turns=max((part.turn for part in reading.parts), default=0),
        sides=tuple(_side(reading, teller.voice, deeds, side) for side in seats),
    )


def _points(reading: ReportReading, teller: Storyteller, lang: str) -> Iterator[str]:
    """Where it turned, in the order of play; the end of the story tells what weighed most."""
    told = [swing for swing in swings(reading) if swing.exchange.n in teller.told][1 : 1 + MOST_POINTS]
    turn = 0
    for swing in sorted(told, key=lambda swing: swing.exchange.n):
        clause = teller.retold(swing.exchange)
        if clause:
            same = "s" if swing.turn == turn else ""
            yield sentence(heading("in-turn", {"turn": swing.turn, "same": same, "clause": clause}, lang))
        turn = swing.turn


def _side(reading: ReportReading, voice: Voice, deeds: Sequence[Deed], side: str) -> ShortSide:
    code = reading.battle.ruleset.code
    given = [(deed.n, honour_in_words(code, deed, voice)) for deed in awarded(deeds, side, MOST_HONOURS)]
    return ShortSide(
        voice.army(side),
        strength(reading)[side],
        len(losses(reading, side)),
        tuple(ShortHonour(honour.title, honour.text, n) for n, honour in given),
    )


def short_written(content: bytes, lang: str) -> bytes:
    """The same from the bytes of a battle's file, as JSON.

    Raises: UnreadableFile
    """
    return msgspec.json.encode(in_short(parse(content, lang=lang), lang))
