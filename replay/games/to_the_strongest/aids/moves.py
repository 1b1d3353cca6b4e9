"""The sheet of moves: every order to a unit, room in a box, zones of control, groups and marches, off the field."""

from msgspec.structs import replace

from domain.games.to_the_strongest import RULESET
from domain.games.to_the_strongest.chapters.activation import DIFFICULTIES
from domain.mechanics.modifiers import Factors
from replay.aids.sheet import Column, Sheet, Table, table_rows
from replay.games.to_the_strongest.aids.acting import (
    ORDERS,
    UNIT,
    Order,
    answer,
    is_allowed,
    may_reverse,
    while_held,
)
from replay.games.to_the_strongest.aids.diagrams import pictures
from replay.games.to_the_strongest.aids.wording import reasons, rules_table, sheet, signed, word

ROOM_RULES = ("TTS-MOV-03", "TTS-MOV-04", "TTS-MOV-06", "TTS-MOV-08", "TTS-STK-02", "TTS-STK-03", "TTS-STK-04")
ZONE_RULES = ("TTS-ZOC-01", "TTS-ZOC-03", "TTS-ZOC-04", "TTS-ZOC-05", "TTS-ZOC-06", "TTS-ZOC-07")
GROUP_RULES = ("TTS-GRP-01", "TTS-GRP-02", "TTS-GRP-03", "TTS-GRP-04", "TTS-GRP-10")
OTHER_RULES = ("TTS-MOV-10", "TTS-MOV-11", "TTS-MOV-12", "TTS-SHT-12", "TTS-SHT-13")
TURNING = frozenset({"turn", "turn-2"})
BOXES = frozenset({"D4", "D5", "D6", "E5", "E6"})


def moves(lang: str) -> Sheet:
    """The sheet of moves."""
    return sheet(
        "moves",
        lang,
        _orders(lang),
        replace(_pictures(lang), new_page=True),
        rules_table("room", word("moves.room", lang), ROOM_RULES, lang),
        rules_table("zones", word("moves.zones", lang), ZONE_RULES, lang),
        rules_table("groups", word("moves.groups", lang), GROUP_RULES, lang),
        rules_table("other", word("moves.other", lang), OTHER_RULES, lang),
    )


def _pictures(lang: str) -> Table:
    """Control, charges, and front, flank and rear, drawn."""
    return Table("pictures", word("moves.pictures", lang), (), (), diagrams=pictures(lang))


def _orders(lang: str) -> Table:
    """Each order: who may give it, what it costs, the facing after it, and whether a held unit may."""
    columns = (
        Column(word("moves.order", lang), weight="bold", share=6),
        Column(word("moves.what", lang), share=7),
        Column(word("moves.foot", lang), align="centre"),
        Column(word("moves.mounted", lang), align="centre"),
        Column(word("moves.difficulty", lang), share=4),
        Column(word("moves.facing", lang), share=4),
        Column(word("moves.held", lang), align="centre"),
    )
    rows = [_row(asked, lang) for asked in ORDERS]
    back = (DIFFICULTIES["return"],)
    rows.append(
        (
            _notation("return D4", lang),
            word("order.return", lang),
            *(word("moves.yes", lang),) * 2,
            _cost(back, lang),
            word("facing.inwards", lang),
            "–",
        )
    )
    return Table("orders", word("moves.orders", lang), columns, table_rows(*rows), notes=(word("moves.note", lang),))


def _row(asked: Order, lang: str) -> tuple[str, ...]:
    factors = answer(asked, asked.mounted or asked.foot, asked.orders[0])
    assert isinstance(factors, tuple)
    facing = "new" if asked.key in TURNING else "kept-or-reversed" if may_reverse(asked) else "kept"
    return (
        ", ".join(_notation(order, lang) for order in asked.orders),
        word(f"order.{asked.key}", lang),
        *(word("moves.yes", lang) if is_allowed(asked, kind) else "–" for kind in (asked.foot, asked.mounted)),
        _cost(factors, lang),
        word(f"facing.{facing}", lang),
        word(f"held.{while_held(asked)}", lang),
    )


def _notation(order: str, lang: str) -> str:
    """An order in the notation of a language, without its unit: `charge BOX`."""
    if order == "group":
        return word("order.group.written", lang)
    said = RULESET.orders.write(RULESET.orders.parse(f"{UNIT} {order}"), lang).removeprefix(f"{UNIT} ")
    return " ".join(word("argument.box", lang) if part in BOXES else part for part in said.split(" "))


def _cost(factors: Factors, lang: str) -> str:
    return ", ".join(f"{signed(factor.plus)} {reasons((factor.why,), lang)}" for factor in factors) or "–"
