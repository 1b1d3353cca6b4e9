"""All that the report of a battle says, in a language, before it is laid out as Markdown, HTML or PDF."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import accumulate
from typing import Any

from msgspec import Struct

from domain.basics.errors import Refusal
from domain.contract.deeds import Deed, awarded, deeds_of
from domain.contract.ruleset import NOBODY
from domain.contract.scene import Scene
from domain.engine.state import SIDES
from domain.events.battle import Corrected, Rewound, RulingGiven
from replay.battle_file import BattleFile
from replay.proof import verdict
from replay.proof.verify import Report as Proof
from replay.reports import plain
from replay.reports.account.chapters import Chapter, Storyteller, tally_params
from replay.reports.account.reading import ReportReading, Tally, read
from replay.reports.account.rosters import losses, roster
from replay.reports.account.swings import swings
from replay.reports.account.voice import Voice, heading, sentence
from replay.reports.rollouts import WinningChance
from replay.telling.luck import amount
from replay.telling.words import worded
from replay.telling.words.catalogue import find


class FieldedGroup(Struct, frozen=True):
    """Units of an army that act together: what they are called ("" where all act for themselves), and a line for
    each kind."""

    title: str
    lines: tuple[str, ...]


class FieldedForce(Struct, frozen=True):
    """An army as it took the field."""

    side: str
    name: str
    player: str
    groups: tuple[FieldedGroup, ...]


class TurningPoint(Struct, frozen=True):
    """An order after which the lead had changed much: what happened, and what decides the game before and after."""

    n: int
    title: str
    text: str
    stood: str


class Honour(Struct, frozen=True):
    """A deed for which a unit is honoured, told in a sentence, with the events that earned it."""

    title: str
    text: str
    events: str


class Honours(Struct, frozen=True):
    """The honours of an army."""

    side: str
    name: str
    given: tuple[Honour, ...]


class Series(Struct, frozen=True):
    """A curve: the numbers of a side, as many as the chart has labels."""

    side: str
    name: str
    values: tuple[float, ...]


class Chart(Struct, frozen=True):
    """Curves over the turns, and the same in words."""

    title: str
    words: str
    labels: tuple[str, ...]
    series: tuple[Series, ...]


class Losses(Struct, frozen=True):
    """Whom an army has lost, and how many it still has."""

    side: str
    name: str
    lines: tuple[str, ...]
    left: str


class Contents(Struct, frozen=True, kw_only=True):
    """A report. The scenes are worded; `proof` are the lines of the proof box."""

    lang: str
    title: str
    subtitle: str
    result: str
    forces: tuple[FieldedForce, ...]
    opening: Scene
    chapters: tuple[Chapter, ...]
    turning_points: tuple[TurningPoint, ...]
    charts: tuple[Chart, ...]
    honours: tuple[Honours, ...]
    losses: tuple[Losses, ...]
    final: Scene
    proof: tuple[str, ...]
    headings: Mapping[str, str]


TURNING_POINTS = 3
DECIMAL = {"en": ".", "fr": ","}
MOST_HONOURS = 3
"""A side."""


class PlayedOn(Struct, frozen=True):
    """The winning chances at the start of each player-turn, as `count` games each of bots had them, from a seed."""

    chances: tuple[WinningChance, ...]
    count: int
    seed: int


HEADINGS = ("forces", "opening", "story", "turning", "charts", "honours", "losses", "final", "proof")


def contents(battle: BattleFile, proof: Proof, lang: str, played: PlayedOn | None = None) -> Contents:
    """The report of a battle. `proof` is what `verify` has found in its file, in the same language; `played` are the
    winning chances, where they are wanted.

    Raises: Refusal core.report-of-two: sentences, charts and luck set one side against the other
    """
    seats = battle.ruleset.seats
    if len(seats) > 2:
        raise Refusal("core.report-of-two", "CORE-SIDE", game=battle.ruleset.title, count=len(seats))
    reading = read(battle)
    teller = Storyteller(reading, lang)
    voice = teller.voice
    chapters = tuple(teller.chapters())
    voice.paragraph()
    opening, final = worded(reading.opening, lang), worded(reading.final, lang)
    return Contents(
        lang=lang,
        title=opening.title or battle.log.header.battle,
        subtitle=heading("subtitle", {"game": battle.ruleset.title, "battle": battle.log.header.battle}, lang),
        result=teller.result or heading("goes-on", {"n": battle.last}, lang),
        forces=tuple(_force(reading, voice, opening, side) for side in SIDES),
        opening=opening,
        chapters=chapters,
        turning_points=tuple(_turning_points(reading, teller)),
        charts=(*_charts(reading, voice), *([_chances_chart(played, voice)] if played and played.chances else [])),
        honours=honours_of(reading, voice),
        losses=tuple(losses_of(reading, voice, side) for side in SIDES),
        final=final,
        proof=tuple(_proof(battle, proof, lang)),
        headings={name: heading(name, {}, lang) for name in HEADINGS},
    )


def _force(reading: ReportReading, voice: Voice, scene: Scene, side: str) -> FieldedForce:
    seats = reading.battle.timeline.now.seats
    units = roster(scene, side)
    groups: dict[str, dict[str, list[str]]] = {}
    for unit in units:
        groups.setdefault(voice.formation(unit, in_full=True), {}).setdefault(voice.kind(unit), []).append(unit)
    return FieldedForce(
        side,
        voice.army(side),
        seats[side].name if side in seats else "",
        tuple(
            FieldedGroup(
                title,
                tuple(heading("kind", {"kind": kind, "units": names}, voice.lang) for kind, names in kinds.items()),
            )
            for title, kinds in groups.items()
        ),
    )


def _stood(voice: Voice, tally: Tally) -> str:
    """What decides the game at a moment, in a line."""
    return _in_words(voice, "stood", tally_params(tally))


def _in_words(voice: Voice, what: str, params: Mapping[str, Any]) -> str:
    """A line about what decides the game, in the words of the game if it has any."""
    tallied = voice.reading.battle.ruleset.shown.tallied
    ids = (f"report.{what}.{tallied}", f"report.{what}")
    return voice.fill(next(one for one in ids if find(one, voice.lang)), params)


def _turning_points(reading: ReportReading, teller: Storyteller) -> Iterator[TurningPoint]:
    voice = teller.voice
    told = [swing for swing in swings(reading) if swing.exchange.n in teller.told]
    for swing in sorted(told[:TURNING_POINTS], key=lambda swing: swing.exchange.n):
        exchange = swing.exchange
        text = sentence(teller.retold(exchange))
        yield TurningPoint(
            exchange.n,
            heading("point", {"turn": swing.turn, "n": exchange.n}, voice.lang),
            text,
            voice.fill(
                "report.from-to",
                {
                    "before": _stood(voice, exchange.before),
                    "after": _stood(voice, exchange.after),
                    **_luck_of(voice, swing.luck),
                },
            ),
        )


def _luck_of(voice: Voice, luck: Fraction) -> dict[str, Any]:
    """Whom luck has favoured and by how much, for a text; nothing for none."""
    said = amount(abs(luck) / _divisor(voice), DECIMAL[voice.lang]).removeprefix("+")
    return {"luck": said, "lucky": SIDES[luck < 0]} if said.strip("0.,") else {}


def _luck_chart(reading: ReportReading, voice: Voice) -> Chart:
    """What luck has brought the southern side, until the end of each player-turn."""
    parts = [part for part in reading.parts if part.turn]
    brought = accumulate(
        (sum((reading.luck_southwards(one) for one in part.exchanges), Fraction(0)) for part in parts),
        initial=Fraction(0),
    )
    values = [luck / _divisor(voice) for luck in brought]
    title = _in_words(voice, "luck-chart", {"side": SIDES[0]})
    last = {"luck": amount(values[-1], DECIMAL[voice.lang]), "side": SIDES[0], "other": SIDES[1]}
    words = voice.fill("report.luck-words", {"title": title, **last})
    series = Series(SIDES[0], voice.army(SIDES[0]), tuple(round(float(value), 2) for value in values))
    return Chart(title, words, ("0", *(str(part.turn) for part in parts)), (series,))


def _chances_chart(played: PlayedOn, voice: Voice) -> Chart:
    """The winning chances of both sides at the start of each player-turn."""
    south, north = SIDES
    title = voice.fill("report.chances", {"count": played.count, "seed": played.seed})
    first, last = played.chances[0], played.chances[-1]
    words = voice.fill(
        "report.chances-words",
        {
            "title": title,
            "south": south,
            "north": north,
            "first": first.percent(south),
            "first_other": first.percent(north),
            "last": last.percent(south),
            "last_other": last.percent(north),
        },
    )
    series = tuple(
        Series(side, voice.army(side), tuple(float(one.percent(side)) for one in played.chances)) for side in SIDES
    )
    return Chart(title, words, tuple(str(one.turn) for one in played.chances), series)


def _charts(reading: ReportReading, voice: Voice) -> Iterator[Chart]:
    """What decides the game over the turns."""
    parts = [part for part in reading.parts if part.turn]
    if not parts:
        return
    tallies = [reading.start, *(part.after for part in parts)]
    labels = ("0", *(str(part.turn) for part in parts))
    divided = _divisor(voice)
    series = tuple(
        Series(side, voice.army(side), tuple(tally.get(side, 0) / divided for tally in tallies)) for side in SIDES
    )
    title = _in_words(voice, "chart", {})
    words = voice.fill(
        "report.chart-words", {"title": title, "first": _stood(voice, tallies[0]), "last": _stood(voice, tallies[-1])}
    )
    yield Chart(title, words, labels, series)
    if reading.luck:
        yield _luck_chart(reading, voice)


def _divisor(voice: Voice) -> int:
    """What a tally is divided by where the game counts parts of what it shows."""
    found = find(f"report.divisor.{voice.reading.battle.ruleset.shown.tallied}", voice.lang)
    return int(found) if found else 1


def honours_of(reading: ReportReading, voice: Voice) -> tuple[Honours, ...]:
    ruleset = reading.battle.ruleset
    deeds = deeds_of(ruleset, reading.facts())
    return tuple(
        Honours(
            side,
            voice.army(side),
            tuple(honour_in_words(ruleset.code, deed, voice) for deed in awarded(deeds, side, MOST_HONOURS)),
        )
        for side in ruleset.seats.names
    )


def honour_in_words(code: str, deed: Deed, voice: Voice) -> Honour:
    """A deed that is honoured, in words."""
    voice.paragraph()
    events = {"events": voice.join(map(str, deed.events)), "several": len(deed.events) > 1}
    return Honour(
        voice.fill(f"deed.{code}.{deed.id}", {}),
        sentence(voice.fill(f"deed.{code}.{deed.id}.for", {"unit": deed.unit, "of": deed.of})),
        voice.fill("report.events", events),
    )


def losses_of(reading: ReportReading, voice: Voice, side: str) -> Losses:
    lost = losses(reading, side)
    lines = []
    for unit in lost:
        told = [
            (part.turn, one)
            for part in reading.parts
            for exchange in part.exchanges
            for one in exchange.happened
            if unit in one.units and voice.has(one.message.id)
        ]
        turn = told[-1][0] if told else 0
        lines.append(heading("lost", {"units": [unit], "kind": voice.kind(unit), "turn": turn}, voice.lang))
    strength = len(roster(reading.opening, side))
    return Losses(
        side,
        voice.army(side),
        tuple(lines),
        heading("left", {"left": strength - len(lost), "of": strength}, voice.lang),
    )


def _proof(battle: BattleFile, proof: Proof, lang: str) -> Iterator[str]:
    yield heading("head", {"n": proof.events, "head": proof.head, "host": proof.host}, lang)
    yield from verdict.lines(proof, lang)
    spans = battle.timeline.voided()
    for first, last in spans:
        yield heading("voided", {"first": first, "last": last if last != first else ""}, lang)
    for recorded in battle.events:
        if isinstance(recorded.event, (RulingGiven, Rewound, Corrected)):
            known = battle.ruleset.secrets.known(battle.timeline.at(recorded.n - 1).game, NOBODY)
            yield plain.say(battle.ruleset, known, recorded, lang=lang)
