"""The luck in a battle in lines and as data: by side, turn and unit, and the luckiest and the unluckiest draw."""

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict

from domain.basics.seats import SOUTH_AND_NORTH, Seats
from domain.contract.ruleset import NOBODY
from domain.run.timeline import Timeline
from replay.battle_file import BattleFile
from replay.reports import plain, spreadsheet
from replay.telling.luck import LuckRow, amount, by_side, counted, largest, luck_of, sums
from replay.telling.words import ENGLISH, phrase
from replay.telling.words.sentences import fragment

SCALE = 1000
"""Amounts as data are whole thousandths of the tally."""
WIDTH = 16
"""Columns of a number, with what stands above it."""


class SideLuckData(Struct, frozen=True):
    """The luck of a side, in thousandths: in its own draws, in those of the others (as its own gain), in all."""

    side: str
    own: int
    theirs: int
    total: int


class PartLuckData(Struct, frozen=True):
    """The luck of a side in the draws of a unit, or of a turn (then `unit` is ""), in thousandths."""

    side: str
    unit: str
    turn: int
    draws: int
    luck: int


class DrawLuckData(Struct, frozen=True):
    """A draw that put something at stake. `swing` and `luck` are exact, as fractions: `-39/158`."""

    n: int
    settled: int
    side: str
    unit: str
    turn: int
    t: int
    purpose: str
    happened: bool
    does: int
    of: int
    swing: str
    luck: str
    voided: bool


class LuckData(Struct, frozen=True):
    """The luck of a battle. `tallied` is what it is counted in; sums leave out what a rewind took back."""

    tallied: str
    sides: tuple[SideLuckData, ...]
    units: tuple[PartLuckData, ...]
    turns: tuple[PartLuckData, ...]
    draws: tuple[DrawLuckData, ...]


# --- as data


def as_data(tallied: str, rows: Sequence[LuckRow], seats: Seats = SOUTH_AND_NORTH) -> LuckData:
    """The luck as plain data; `tallied` is the msgid of the tally."""
    return LuckData(
        tallied=fragment(tallied, {}, ENGLISH),
        sides=tuple(
            SideLuckData(one.side, _thousandths(one.own), _thousandths(-one.theirs), _thousandths(one.total))
            for one in by_side(rows, seats)
        ),
        units=tuple(_parts(rows, seats, by_unit=True)),
        turns=tuple(_parts(rows, seats, by_unit=False)),
        draws=tuple(map(_draw, rows)),
    )


def _parts(rows: Sequence[LuckRow], seats: Seats, by_unit: bool) -> Iterator[PartLuckData]:
    def part(row: LuckRow) -> tuple[str, str, int]:
        return (row.side, row.unit, 0) if by_unit else (row.side, "", row.turn)

    def place(item: tuple[tuple[str, str, int], Fraction]) -> tuple[int, str, int]:
        (side, unit, turn), _ = item
        return seats.names.index(side), unit, turn

    for (side, unit, turn), luck in sorted(sums(rows, part).items(), key=place):
        draws = sum(part(row) == (side, unit, turn) for row in counted(rows))
        yield PartLuckData(side, unit, turn, draws, _thousandths(luck))


def _draw(row: LuckRow) -> DrawLuckData:
    return DrawLuckData(
        n=row.n,
        settled=row.settled,
        side=row.side,
        unit=row.unit,
        turn=row.turn,
        t=row.t,
        purpose=row.purpose,
        happened=row.happened,
        does=row.does,
        of=row.out_of,
        swing=str(row.swing),
        luck=str(row.luck),
        voided=row.voided,
    )


def _thousandths(luck: Fraction) -> int:
    return round(luck * SCALE)


COLUMNS = ("battle", *DrawLuckData.__struct_fields__)
"""What stands above the columns of CSV; swing and luck are in thousandths there."""


def csv_lines(battles: Iterable[tuple[str, Sequence[LuckRow]]]) -> Iterator[str]:
    """The draws of some battles as CSV, a line of names first; each battle is told as it comes, and once."""
    yield spreadsheet.line(COLUMNS)
    told: set[str] = set()
    for battle, rows in battles:
        if battle in told:
            continue
        told.add(battle)
        for row in rows:
            rounded = {"swing": _thousandths(row.swing), "luck": _thousandths(row.luck)}
            yield spreadsheet.line((battle, *(asdict(_draw(row)) | rounded).values()))


# --- as lines


def luck_lines(battle: BattleFile, lang: str = ENGLISH) -> Iterator[str]:
    """The luck of a battle in columns, and two sentences."""
    rows = counted(luck_of(battle.timeline))
    tally = battle.ruleset.shown.tallied
    if not rows:
        yield "  " + phrase("luck.none", {"tally": fragment(tally, {}, lang)}, lang)
        return
    mark, seats = fragment("luck.mark", {}, lang), battle.ruleset.seats
    names = {side: phrase(f"side.{side}", {}, lang) for side in seats.names}
    yield "  " + title(tally, lang)
    yield from (_row(*cells) for cells in of_sides(rows, lang, seats))
    yield ""
    yield _row(fragment("luck.turn", {}, lang), *names.values())
    by_turn = sums(rows, lambda row: (row.turn, row.side))
    for turn in sorted({turn for turn, _ in by_turn}):
        yield _row(str(turn), *(amount(by_turn.get((turn, side), Fraction(0)), mark) for side in names))
    yield ""
    yield _row(*(fragment(f"luck.{column}", {}, lang) for column in ("unit", "luck", "draws")))
    for part in _parts(rows, seats, by_unit=True):
        luck = amount(Fraction(part.luck, SCALE), mark)
        yield _row(f"{part.unit} ({names[part.side]})", luck, str(part.draws))
    yield ""
    yield from (f"  {line}" for line in extremes(battle.timeline, rows, lang))


def title(tallied: str, lang: str = ENGLISH) -> str:
    """What the numbers are; `tallied` is the msgid of the tally."""
    return phrase("luck.title", {"tally": fragment(tallied, {}, lang)}, lang)


def of_sides(rows: Sequence[LuckRow], lang: str = ENGLISH, seats: Seats = SOUTH_AND_NORTH) -> Iterator[tuple[str, ...]]:
    """What stands above the columns, then a row for each side: its own draws, those of the others, all."""
    mark = fragment("luck.mark", {}, lang)
    yield "", *(fragment(f"luck.{column}", {}, lang) for column in ("own", "theirs", "total"))
    for one in by_side(rows, seats):
        amounts = (amount(luck, mark) for luck in (one.own, -one.theirs, one.total))
        yield phrase(f"side.{one.side}", {}, lang), *amounts


def extremes(timeline: Timeline, rows: Sequence[LuckRow], lang: str = ENGLISH) -> Iterator[str]:
    """The luckiest draw and the unluckiest, each with what it led to."""
    ordered = largest(rows, len(rows))
    for which, found in (
        ("luckiest", (row for row in ordered if row.luck > 0)),
        ("unluckiest", (row for row in ordered if row.luck < 0)),
    ):
        row = next(found, None)
        if row is not None:
            yield draw_in_words(timeline, row, which, lang)


def draw_in_words(timeline: Timeline, row: LuckRow, which: str, lang: str = ENGLISH) -> str:
    """A draw with its odds, its stake and its luck, and the sentence of what it led to, as a stranger hears it."""
    ruleset = timeline.ruleset
    before = ruleset.secrets.known(timeline.at(row.settled - 1).game, NOBODY)
    mark = fragment("luck.mark", {}, lang)
    params: dict[str, Any] = {
        "n": row.settled,
        "side": row.side,
        "does": row.does,
        "of": row.out_of,
        "swing": amount(abs(row.swing), mark).lstrip("+"),
        "luck": amount(row.luck, mark),
        "said": plain.say(ruleset, before, timeline.events[row.settled - 1], lang=lang),
    }
    return phrase(f"luck.{which}", params, lang)


def _row(*cells: str) -> str:
    first, *others = cells
    return f"    {first:<{WIDTH}}" + "".join(f"{cell:>{WIDTH}}" for cell in others)
