"""The sheet of a turn and its orders: steps, points, troops as they move, zones, charges, evading."""

from collections.abc import Iterator
from itertools import groupby, zip_longest

from msgspec.structs import replace

from domain.games.shot_to_pieces.chapters.activation import BONUSES, sides_for
from domain.games.shot_to_pieces.chapters.command import VALUES, WAYS, ways_to_receive
from domain.games.shot_to_pieces.chapters.formations import SPENT
from domain.games.shot_to_pieces.chapters.paces import CAPS, MARCH, allowance
from domain.games.shot_to_pieces.chapters.points import ELSE, NEAR, RADIUS_HCM, quota_of
from domain.games.shot_to_pieces.plane.base import Base
from domain.games.shot_to_pieces.state.footprints import base_size
from domain.games.shot_to_pieces.state.profiles import Period, period
from domain.games.shot_to_pieces.state.state import Corps
from domain.games.shot_to_pieces.state.vocabulary import ADVANCE, ALL_STEPS, HOLD, QUALITIES
from replay.aids.sheet import Column, Sheet, Table, table_rows
from replay.aids.wording import LED, led
from replay.games.shot_to_pieces.aids.asking import battle, evader_lost_on, prices, sent, taken_on, ways_back
from replay.games.shot_to_pieces.aids.diagrams import control_picture, flank_picture
from replay.games.shot_to_pieces.aids.wording import (
    NONE,
    called,
    capital,
    centimetres,
    rule_in_words,
    sentences,
    sheet,
    signed,
    type_name,
    word,
)

STEPS = dict(
    zip(
        ALL_STEPS,
        (
            "STP-CMD-01",
            "STP-ACT-02",
            "STP-SEQ-10",
            "STP-FRM-01",
            "STP-MOV-02",
            "STP-ACT-04",
            "STP-SEQ-04",
            "STP-MEL-01",
        ),
        strict=True,
    )
)
"""The rule that says most of each step."""
LARGEST_CORPS, MOST_POINTS = 11, 9
CHANGES = ("forming", "cap-foot", "cap-cavalry", "evading-loss")
RULES = {
    "moving": (
        *("STP-ACT-05", "STP-MOV-03", "STP-MOV-07", "STP-MOV-08", "STP-MOV-09", "STP-MOV-12"),
        *("STP-MOV-15", "STP-FRM-03", "STP-FRM-04"),
    ),
    "in-zones": ("STP-ZOC-02", "STP-ZOC-03", "STP-ZOC-04", "STP-ZOC-05", "STP-ZOC-07"),
    "charging": ("STP-CHG-01", "STP-CHG-02", "STP-MEL-09", "STP-CHG-05", "STP-CHG-07", "STP-CHG-09"),
    "evading": ("STP-EVD-01", "STP-EVD-02", "STP-EVD-04", "STP-EVD-05", "STP-EVD-07", "STP-EVD-08"),
    "ending": ("STP-MOR-01", "STP-MOR-02", "STP-MOR-04", "STP-WIN-01", "STP-WIN-02"),
}
"""The rules that are quoted, by the key of their table."""


def turn_sheet(code: str, lang: str) -> Sheet:
    """The sheet of a period."""
    held = period(code)
    rules = {key: sentences(key, ids, lang) for key, ids in RULES.items()}
    if not held.switches.cavalry_interdicts_foot:
        rules["in-zones"] = sentences("in-zones", (*RULES["in-zones"], "STP-ZOC-13"), lang)
    return sheet(
        held,
        "turn",
        lang,
        _troops(held, lang),
        _steps(lang),
        *(replace(one, under=True) for one in (_prices(held, lang), _quotas(lang), rules["moving"], rules["evading"])),
        replace(_generals(held, lang), beside=True),
        *(replace(one, under=True) for one in (_statuses(held, lang), _zones(held, lang))),
        *(replace(rules[key], under=True) for key in ("in-zones", "charging", "ending")),
    )


def _steps(lang: str) -> Table:
    """What comes after what (STP-SEQ-01, -03)."""
    columns = (Column("", align="centre", weight="bold"), LED)
    rows = [
        (str(number), led(capital(called(f"stp.step.{step}", lang)), rule_in_words(STEPS[step], lang).text))
        for number, step in enumerate(ALL_STEPS, start=1)
    ]
    intro = (rule_in_words("STP-SEQ-01", lang).text,)
    return Table("steps", word("steps", lang), columns, table_rows(*rows), intro, tight=True)


# --- points and general orders


def _generals(held: Period, lang: str) -> Table:
    """The die of a corps by its size; what a general adds to its points and to the sending of orders, and how likely an
    order arrives (STP-ACT-01, -02, STP-CMD-02)."""
    columns = (
        Column(word("units-left", lang), weight="bold"),
        Column(word("die", lang), align="centre"),
        Column(word("general", lang), share=1, weight="bold"),
        Column(word("to-points", lang), align="centre"),
        Column(word("to-orders", lang), align="centre"),
    )
    generals = [
        (capital(called(f"stp.quality.{name}", lang)), signed(BONUSES[name]), str(VALUES[name])) for name in QUALITIES
    ]
    rows = [(*size, *general) for size, general in zip_longest(_dice(), generals, fillvalue=("", ""))]
    least = 2 * min(VALUES.values()) + _sending(held, nation="other")
    most = 2 * max(VALUES.values()) + _sending(held, tries=2)
    chances = ", ".join(
        word("chance", lang, needed=needed, percent=f"{100 * ways_to_receive(needed) // WAYS}\N{NO-BREAK SPACE}%")
        for needed in range(least, most + 1)
    )
    note = word(
        "sending",
        lang,
        nation=signed(_sending(held, nation="other")),
        second=signed(_sending(held, tries=1)),
        later=signed(_sending(held, tries=2)),
        chances=chances,
    )
    return Table("generals", word("generals", lang), columns, table_rows(*rows), notes=(note,), tight=True)


def _dice() -> list[tuple[str, str]]:
    """Sizes of a corps and their die, the largest first."""
    rows = []
    for sides, found in groupby(range(LARGEST_CORPS, 0, -1), sides_for):
        sizes = tuple(found)
        span = f"{sizes[-1]}+" if LARGEST_CORPS in sizes else f"{sizes[-1]}{NONE}{sizes[0]}"
        rows.append((span, f"D{sides}"))
    return rows


def _sending(held: Period, *, nation: str = "", tries: int = 0) -> int:
    return sum(factor.plus for factor in sent(held, nation=nation, tries=tries).factors)


def _prices(held: Period, lang: str) -> Table:
    """What orders cost (STP-ACT-03, -04, -06, -07, -10)."""
    columns = (Column(word("an-order", lang), share=1), Column(word("price", lang), align="centre"))
    radius = centimetres(RADIUS_HCM, lang)
    rows = [(word(f"price-{what}", lang, radius=radius), str(cost)) for what, cost in prices(held, RADIUS_HCM)]
    rows.append((word("price-friend", lang), "+1"))
    rows.append((word("price-move-general", lang, cm=centimetres(held.switches.general_move, lang)), "1"))
    rows.append((word("price-free", lang), "0"))
    return Table("prices", word("prices", lang), columns, table_rows(*rows), tight=True)


def _quotas(lang: str) -> Table:
    """The most points for what a general order does not want (STP-CMD-03, -04)."""
    columns = (
        Column(word("rolled", lang), share=1, weight="bold"),
        *(Column(str(points), align="centre") for points in range(1, MOST_POINTS + 1)),
    )
    rows = [
        (word(f"quota-{order}", lang), *(str(_quota(order, kind, points)) for points in range(1, MOST_POINTS + 1)))
        for order, kind in ((ADVANCE, ELSE), (HOLD, NEAR))
    ]
    return Table("quotas", word("quotas", lang), columns, table_rows(*rows), tight=True)


def _quota(order: str, kind: str, points: int) -> int:
    return quota_of(Corps("I", "south", order=order, rolled=points), kind)[1]


# --- troops


def _troops(held: Period, lang: str) -> Table:
    """Every type: base, moves, what it may become; those in LINE where the period has them."""
    measures = ["base", "move", *(["line"] if has_lines(held) else []), "fast"]
    columns = (
        Column(word("troops", lang), weight="bold", share=5),
        *(Column(word(key, lang), align="centre") for key in measures),
        Column(word("back", lang), share=4),
        Column(word("formations", lang), share=9),
    )
    rows = [(type_name(key, lang), *_moving(held, key, lang)) for key in held.types]
    return Table(
        "movers", word("movers", lang), columns, table_rows(*rows), notes=(word("movers-note", lang),), tight=True
    )


def has_lines(held: Period) -> bool:
    """Whether troops of a period form LINE."""
    return any(kind.line for kind in held.types.values())


def _moving(held: Period, key: str, lang: str) -> Iterator[str]:
    kind = held.types[key]
    width, depth = base_size(kind.arm, kind.usual_formation, {})
    yield f"{centimetres(width, lang)}\N{MULTIPLICATION SIGN}{centimetres(depth, lang)}"
    yield centimetres(allowance(*battle(held, key)), lang)
    if has_lines(held):
        yield centimetres(allowance(*battle(held, key, formation="line")), lang) if kind.line else NONE
    yield centimetres(allowance(*battle(held, key, formation=MARCH)), lang)
    yield _back(held, key, lang)
    yield ", ".join(word(f"formation-{name}", lang) for name in taken_on(held, key))


def _back(held: Period, key: str, lang: str) -> str:
    """How far a type backs away; by formation where that matters."""
    found = ways_back(held, key)
    if len(set(found.values())) == 1:
        most = next(iter(found.values()))
        return centimetres(most, lang) if most else NONE
    return ", ".join(
        f"{word(f'formation-{name}', lang)} {centimetres(most, lang)}" for name, most in found.items() if most
    )


def _statuses(held: Period, lang: str) -> Table:
    """What the status of a unit changes in how it moves (STP-FRM-01, STP-MOV-10, STP-EVD-06)."""
    columns = (
        Column(word("status", lang), weight="bold"),
        *(
            Column(word(key, lang), share=3, align="centre")
            for key in ("forming", "cap-foot", "cap-cavalry", "evading-loss")
        ),
    )
    rows = [
        (
            capital(called(f"stp.status.{status}", lang)),
            "{}/{}".format(*SPENT[status]) if SPENT[status][1] > 1 else word("all", lang),
            _cap("inf", status, held, lang),
            _cap("cav", status, held, lang),
            f"1{NONE}{evader_lost_on(held, status)}",
        )
        for status in held.statuses
    ]
    return Table("statuses", word("statuses", lang), columns, table_rows(*rows), tight=True)


def _cap(arm: str, status: str, held: Period, lang: str) -> str:
    if (arm, status) not in CAPS:
        return NONE
    column, line = CAPS[(arm, status)]
    has_line = any(kind.line for kind in held.types.values() if kind.arm == arm)
    both = word("cap", lang, column=centimetres(column, lang), line=centimetres(line, lang))
    return both if has_line else centimetres(column, lang)


# --- zones, charges


def _zones(held: Period, lang: str) -> Table:
    """Control zone and flank, drawn."""
    kind = held.types["infantry"]
    base = Base((0, 0), 0, *base_size(kind.arm, kind.usual_formation, {}))
    pictures = [
        control_picture(base, word("picture-control", lang), lang),
        flank_picture(base, word("picture-flank", lang), lang),
    ]
    if held.switches.square_zone:
        square = Base((0, 0), 0, *base_size(kind.arm, "square", {}))
        reach = held.switches.square_zone
        pictures.insert(1, control_picture(square, word("picture-square", lang), lang, all_round=reach))
    return Table("zones", word("zones", lang), (), (), diagrams=tuple(pictures), tight=True)
