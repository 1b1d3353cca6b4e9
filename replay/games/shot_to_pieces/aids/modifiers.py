"""The modifiers of a period as a table: each with what it adds to fire, to resilience and in melee.

Rules: STP-FIR-07, STP-FIR-08, STP-MEL-03
"""

from collections.abc import Iterator

from domain.games.shot_to_pieces.chapters.dice import ROCKET, UNSURE
from domain.games.shot_to_pieces.chapters.factors import CLOSE_GUN, MOST_BRITTLE, MOST_SALVO
from domain.games.shot_to_pieces.chapters.melee_factors import MOST_SUPPORT
from domain.games.shot_to_pieces.state.factor_keys import RULES, SUPPORTS
from domain.games.shot_to_pieces.state.profiles import Period
from domain.log.chance import Die
from replay.aids.sheet import Column, Row, Table, table_rows
from replay.games.shot_to_pieces.aids.wording import centimetres, signed, word

STATUSES = ("elite", "veteran", "reserve", "militia")
SKILLS = ("experienced", "inexperienced")
CONDITIONS = ("shaken", "brittle", "march-column", "fat-v-skeleton")
RESISTING = (*STATUSES, *CONDITIONS, "fired-before", "line-v-artillery", "square", "large-battalion")
"""Those that count for a unit that cannot reply (STP-FIR-08)."""
ONLY_RESISTING = ("line-v-artillery", "large-battalion")
FIRST_MELEE, FIRST_FIRE = RULES["lateral"], RULES["salvo"]
"""The rules with which those of melee and of fire alone begin."""
DICE: dict[str, Die] = {"indirect": UNSURE, "rocket": ROCKET, "irregular": UNSURE}
"""Modifiers that are thrown."""


def fire_modifiers(held: Period, lang: str) -> Table:
    """Those of fire and resilience."""
    columns = (
        Column("", share=1),
        Column(word("to-fire", lang), align="centre"),
        Column(word("to-resilience", lang), align="centre"),
    )
    rows = [
        (
            condition(held, why, lang),
            shown(held, why, lang) if adds_to_fire(why) else "",
            shown(held, why, lang) if why in RESISTING else "",
        )
        for why in whys_of(held)
        if adds_to_fire(why) or why in RESISTING
    ]
    notes = [word("cap-note", lang, caps=_caps(held, lang))] if held.switches.cap else []
    return Table(
        "fire-modifiers", word("fire-modifiers", lang), columns, table_rows(*rows), (), tuple(notes), tight=True
    )


def melee_modifiers(held: Period, lang: str) -> Table:
    """Those of melee: in all rounds, then in the first alone."""
    columns = (Column("", share=1), Column(word("to-melee", lang), align="centre"))
    always = [why for why in whys_of(held) if adds_in_melee(held, why)]
    first = [why for why in always if why in FIRST_ROUND]
    rows: list[Row] = []
    for key, whys in (("each-round", [why for why in always if why not in first]), ("first-round", first)):
        if whys:
            rows.append(Row((word(key, lang),), heading=True))
            rows += table_rows(*((condition(held, why, lang), shown(held, why, lang)) for why in whys))
    note = word("support-note", lang, most=MOST_SUPPORT)
    return Table("melee-modifiers", word("melee-modifiers", lang), columns, tuple(rows), notes=(note,), tight=True)


FIRST_ROUND = (
    *SKILLS,
    *("impetus", "foot-v-cavalry", "cavalry-v-foot", "pikes", "heavy-gun", "line-v-column", "high-rate-melee"),
    *("no-quarter", "superior-fire", "inferior-fire"),
)
"""Those that count in the first round of a melee alone."""


def whys_of(held: Period) -> Iterator[str]:
    """The modifiers of a period in the order of their rules, other kinds of support behind the usual one."""
    for why in RULES:
        if why in held.factors or why in thrown(held):
            yield why
        if why == "rear-support":
            yield from sorted(SUPPORTS & held.factors.keys())


def thrown(held: Period) -> tuple[str, ...]:
    """The modifiers of a period that are dice."""
    flags = {flag for kind in held.types.values() for flag in kind.flags}
    found = {
        "indirect": held.switches.indirect != "none",
        "rocket": "rocket" in flags,
        "irregular": held.switches.irregular_dice,
    }
    return tuple(why for why, is_so in found.items() if is_so)


def adds_to_fire(why: str) -> bool:
    """Whether a modifier counts for who fires or replies."""
    if why in SUPPORTS or why in (*ONLY_RESISTING, "shaken"):
        return False
    return RULES[why] < FIRST_MELEE


def adds_in_melee(held: Period, why: str) -> bool:
    """Whether a modifier counts in melee; skill does where the period says so (STP-FAC-05)."""
    if why in SKILLS:
        return held.switches.experience_in_melee
    return why in SUPPORTS or RULES[why] < FIRST_FIRE or RULES[why] >= FIRST_MELEE


def condition(held: Period, why: str, lang: str) -> str:
    """When a modifier counts."""
    is_smooth = held.switches.smoothbore_alone
    return word(
        "why-heavy-smoothbore" if why == "heavy-gun" and is_smooth else f"why-{why}",
        lang,
        near=centimetres(CLOSE_GUN, lang),
        salvo=MOST_SALVO,
        brittle=MOST_BRITTLE,
        foot=word(f"fired-{held.switches.infantry_fired}", lang),
        smooth=word("smooth" if is_smooth else "all-guns", lang),
    )


def shown(held: Period, why: str, lang: str) -> str:
    """What a modifier adds; of a die the least and the most."""
    if why in DICE:
        values = DICE[why].values
        return word("from-to", lang, least=signed(min(values)), most=signed(max(values)))
    return signed(held.factors[why])


def _caps(held: Period, lang: str) -> str:
    return ", ".join(f"{word(f'arm-{arm}', lang)} {most}" for arm, most in held.switches.cap.items())
