"""The play aids of each period say what the engine knows, in both languages, on one page in type that can be read."""

import re
from collections import defaultdict
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any, Literal

import pytest
from msgspec.structs import replace

from domain.games.shot_to_pieces.chapters.factors import Special, WeighedShot, fire_factors, resilience_factors
from domain.games.shot_to_pieces.chapters.melee_factors import Stance, melee_factors
from domain.games.shot_to_pieces.plane.base import Base
from domain.games.shot_to_pieces.plane.zones import firing_range, in_fire_zone, touches_control_zone
from domain.games.shot_to_pieces.state.factor_keys import SUPPORTS
from domain.games.shot_to_pieces.state.footprints import base_size
from domain.games.shot_to_pieces.state.profiles import period
from domain.games.shot_to_pieces.state.state import Corps, EventInForce, Ground, Options, Shaken, State, Unit
from domain.games.shot_to_pieces.state.vocabulary import PERIODS, TRAITS
from replay.aids import html, printing
from replay.aids.layout import A4, pages_of
from replay.aids.measure import typeset
from replay.aids.pieces import LEAST, SLACK, Box, Outline, SheetWords
from replay.drawing.pen import escaped
from replay.games.shot_to_pieces.aids import KINDS, LANGUAGES, SHEETS, diagrams
from replay.games.shot_to_pieces.aids.fire import POINTING, RELATED
from replay.games.shot_to_pieces.aids.modifiers import (
    FIRST_ROUND,
    RESISTING,
    adds_in_melee,
    adds_to_fire,
    condition,
    shown,
    whys_of,
)
from replay.games.shot_to_pieces.aids.wording import (
    MARGIN,
    centimetres,
    signed,
    type_name,
    weapon_name,
    words,
)
from replay.telling.rulebook import rules_of
from tests.support.lanes import thinned
from tests.support.looping import some

in_each_period = pytest.mark.parametrize("code", PERIODS)
in_each_language = pytest.mark.parametrize("lang", LANGUAGES)
PICTURE = Path(__file__).parents[4] / "docs" / "aid-emp-fire.svg"
K = 5


@cache
def sheet(code, kind, lang):
    return SHEETS[f"{code}-{kind}"](lang)


@cache
def pages(code, kind, lang):
    return pages_of(sheet(code, kind, lang))


def table(code, kind, key, lang="en"):
    return next(one for one in sheet(code, kind, lang).tables if one.key == key)


def rows(code, kind, key, lang="en"):
    return list(table(code, kind, key, lang).bodies())


def plain(text):
    return text.replace("\xa0", " ")


# --- tables


@in_each_language
@in_each_period
def test_every_type_moves_and_fights_as_in_its_table(code, lang):
    held = period(code)
    names = [type_name(key, lang) for key in held.types]
    assert len(set(names)) == len(names)
    movers = {cells[0]: cells[1:] for cells in rows(code, "turn", "movers", lang)}
    fighters = {cells[0]: cells[1:] for cells in rows(code, "fire", "fighters", lang)}
    assert list(movers) == names and list(fighters)[: len(names)] == names
    for key, kind in held.types.items():
        base, move, *line, fast, _, _ = movers[type_name(key, lang)]
        assert base == "×".join(centimetres(side, lang) for side in base_size(kind.arm, kind.usual_formation, {}))
        assert move == centimetres(kind.move, lang)
        lines = [centimetres(kind.line, lang) if kind.line else "–"] if code in ("emp", "f70") else []
        assert line == lines
        assert fast == centimetres(kind.move * 3 // 2, lang)
        fire, resilience, first, later, weapon, _ = fighters[type_name(key, lang)]
        assert (fire, resilience) == (str(kind.fire or "–"), str(kind.resilience))
        assert (int(first), int(later)) == kind.melee
        assert weapon.lower() == (weapon_name(held, kind.weapon, lang).lower() if kind.fire else "–")


@in_each_language
@in_each_period
def test_every_weapon_reaches_as_far_as_in_its_table(code, lang):
    held = period(code)
    told = [cells[1:] for cells in rows(code, "fire", "weapons", lang)]
    assert told == [
        tuple(centimetres(reach, lang) if reach else "–" for reach in weapon.bands) for weapon in held.weapons.values()
    ]


@pytest.mark.rule("STP-MOV-05", "STP-MOV-06", "STP-EMP-05", "STP-WW1-02")
@pytest.mark.parametrize(
    ("code", "name", "back"),
    [
        ("ww1", "Infantry", "5"),
        ("ww1", "Skirmishers", "20"),
        ("acw", "Infantry", "5"),
        ("emp", "Infantry", "line 3.33, square 10"),
        ("emp", "Heavy cavalry", "–"),
        ("gsc", "Warband", "–"),
    ],
)
def test_how_far_troops_back_away(code, name, back):
    assert {cells[0]: cells[-2] for cells in rows(code, "turn", "movers")}[name] == back


@pytest.mark.rule("STP-ACT-01", "STP-ACT-02", "STP-CMD-02")
def test_points_and_the_sending_of_orders():
    told = rows("acw", "turn", "generals")
    assert [cells[:2] for cells in told] == [("11+", "D6"), ("9–10", "D5"), ("7–8", "D4"), ("5–6", "D3"), ("1–4", "D2")]
    assert [cells[3:] for cells in told] == [("−1", "2"), ("0", "2"), ("+1", "3"), ("+2", "4"), ("+3", "4")]
    (note,) = table("acw", "turn", "generals").notes
    assert "two nations −1, second try +1, later ones +2" in note
    assert "3:\xa08\xa0%" in note and "7:\xa058\xa0%" in note and "10:\xa091\xa0%" in note


@pytest.mark.rule("STP-CMD-03", "STP-CMD-04", "STP-ACT-03")
def test_prices_and_quotas():
    assert [cells[1] for cells in rows("emp", "turn", "prices")] == ["1", "2", "2", "+1", "1", "0"]
    assert [cells[1:] for cells in rows("emp", "turn", "quotas")] == [tuple("001122334"), tuple("111222333")]


@pytest.mark.rule("STP-FRM-01", "STP-MOV-10", "STP-EVD-06")
def test_what_status_changes():
    told = {cells[0]: cells[1:] for cells in rows("emp", "turn", "statuses")}
    assert told["Elite"] == ("1/4", "–", "–", "1–2")
    assert told["Reserve"] == ("3/4", "12, line 8", "20, line 14", "1–3")
    assert told["Militia"] == ("all", "10, line 7", "20, line 14", "1–3")
    assert {cells[0]: cells[2] for cells in rows("ww1", "turn", "statuses")}["Reserve"] == "12"


@in_each_period
@pytest.mark.rule("STP-RES-01", "STP-RES-02", "STP-RES-06", "STP-RES-10")
def test_what_a_difference_does(code):
    assert [cells[1:] for cells in rows(code, "fire", "results")] == [
        ("shaken", "destroyed", "destroyed", "destroyed"),
        ("shaken", "shaken", "shaken", "shaken"),
        ("brittle", "brittle", "brittle", "brittle"),
        ("shaken", "shaken", "destroyed", "destroyed"),
        ("brittle", "shaken", "brittle", "destroyed"),
    ]
    assert table(code, "fire", "results").notes == (
        "Equal in melee or an exchange: both brittle.",
        "More than 2 markers destroy.",
    )


@in_each_language
@in_each_period
def test_the_rules_of_a_period_and_all_events_are_there(code, lang):
    special = [cells[0] for cells in rows(code, "fire", "special", lang)]
    own = f"STP-{code.upper()}-"
    known = [one for one in rules_of("stp", lang) if one.id.startswith(own) and one.id not in POINTING]
    known += [one for one in rules_of("stp", lang) if one.id in RELATED.get(code, ())]
    assert [plain(cell) for cell in special] == [plain(f"{one.title}.\n{one.text}") for one in known]
    events = [cells[0] for cells in rows(code, "fire", "events", lang)]
    assert events == [str(number) for number in range(1, 21)]


@pytest.mark.rule("STP-ZOC-13")
def test_who_keeps_away_from_cavalry_is_said_where_infantry_does_not():
    keeping = {code: [cells[0] for cells in rows(code, "turn", "in-zones")] for code in PERIODS}
    exempt = [code for code in PERIODS if any("in all but 1914" in text for text in keeping[code])]
    assert exempt == [code for code in PERIODS if not period(code).switches.cavalry_interdicts_foot] == ["ww1"]


# --- modifiers


def unit(name, side, key, formation="battle", *, at=(0, 0), facing=0, status="line", **members):
    base = Base(at, facing, 400, 300)
    return Unit(name, side, side[0].upper(), key, status, base, formation, key, **members)


CHANGES: tuple[dict[str, Any], ...] = (
    {},
    *({"status": status} for status in ("elite", "veteran", "reserve", "militia")),
    *({"traits": frozenset({trait})} for trait in sorted(TRAITS)),
    {"shaken": (Shaken(K, "fire"),)},
    {"brittle": 1},
    {"moved_k": K, "moved_hcm": 300},
    {"fired_k": K - 1},
    {"fired_k": K - 1, "shaken": (Shaken(K, "fire"),)},
    {"fought_k": K - 1},
)
FOES: tuple[dict[str, Any], ...] = (
    {},
    {"cover": "light"},
    {"cover": "hard"},
    {"traits": frozenset({"skeleton"})},
    {"formation": "column"},
)
ASPECTS: tuple[Literal["front", "flank", "rear"], ...] = ("front", "flank", "rear")
EVENTS = (6, 7, 17)


def situations(code):
    """Units of every type with one thing about them, and a foe; a state that has both."""
    held = period(code)
    corps = {name: Corps(name, side) for name, side in (("S", "south"), ("N", "north"))}
    foes = [next(key for key, kind in held.types.items() if kind.arm == arm) for arm in ("inf", "cav", "art")]
    hill = Ground("H", "hill", ((-900, 700), (-900, 1600), (900, 1600), (900, 700)), level=1)
    for key, kind in held.types.items():
        for formation, change, about in product(kind.formations, CHANGES, FOES):
            is_fat = "fat" in change.get("traits", ())
            if formation == "skirmish" or (change and about and not is_fat):
                continue
            own = unit("A", "south", key, formation, **{"fought_k": -9, **change})
            for foe_key in foes if "traits" in change or not change else foes[:1]:
                other = held.types[foe_key].usual_formation
                foe = unit("B", "north", foe_key, at=(0, 900), facing=18000, **{"formation": other, **about})
                behind = unit("C", "north", foe_key, at=(0, 1200), facing=18000)
                yield State(
                    period=code,
                    k=K,
                    side="south",
                    units={"A": own, "B": foe, "C": behind},
                    corps=corps,
                    terrain=(hill,) if about else (),
                    options=Options(infantry_fired=True, militia_fire="none"),
                )


def rows_of_the_engine(code):
    """Every modifier that the engine gives, by roll; what is counted several times as once."""
    found: dict[str, dict[str, set[int]]] = {use: defaultdict(set) for use in ("fire", "resilience", "first", "later")}

    def note(use, factors):
        for factor in factors:
            if factor.why not in ("cap", "support-cap"):
                found[use][factor.why].add(factor.plus)

    for state in situations(code):
        own, foe = state.units["A"], state.units["B"]
        kind = period(code).types[own.key]
        note("resilience", resilience_factors(state, own, foe))
        if kind.fire:
            for band in ("short", "medium", "long"):
                note("fire", fire_factors(state, WeighedShot(own, foe, 900, band)))
            note("fire", fire_factors(state, WeighedShot(own, foe, 1200, "short", others=1, is_dispersed=True)))
            for number in EVENTS:
                drawn = replace(state, events=(EventInForce(number, K, "south", units=("A",)),))
                note("fire", fire_factors(drawn, WeighedShot(own, foe, 1200, "short")))
        for is_first, taken in product((True, False), ASPECTS):
            plain = Stance(own, foe, is_first, taken, has_impetus=True, gives_no_quarter=True)
            use = "first" if is_first else "later"
            note(use, melee_factors(state, plain))
            note(use, melee_factors(state, replace(plain, laterals=1)))
            for is_wave in (True, False):
                supported = replace(plain, is_supported=True, is_wave=is_wave)
                note(use, melee_factors(state, supported))
    return found


@in_each_period
@pytest.mark.rule("STP-FIR-07", "STP-FIR-08", "STP-MEL-03")
@pytest.mark.slow
def test_the_modifiers_are_those_that_the_engine_adds(code):
    """Every unit with one thing about it, against foot, cavalry and guns: each row that the engine gives is printed for
    that roll with that number, and each printed one is given."""
    held, engine = period(code), rows_of_the_engine(code)
    printed = [why for why in whys_of(held) if why in held.factors]
    fire = {why for why in printed if adds_to_fire(why)}
    resilience = {why for why in printed if why in RESISTING}
    melee = {why for why in printed if adds_in_melee(held, why)} - SUPPORTS
    assert set(engine["fire"]) == fire
    assert set(engine["resilience"]) == resilience
    assert set(engine["first"]) == melee
    assert set(engine["later"]) == melee - set(FIRST_ROUND)
    for use, given in engine.items():
        for why, pluses in given.items():
            known = {held.factors[why]}
            if why == "rear-support":
                known |= {held.factors[other] for other in SUPPORTS & held.factors.keys()}
            assert pluses <= known, (use, why)


@in_each_language
@in_each_period
def test_every_modifier_stands_in_the_tables_with_its_number(code, lang):
    held = period(code)
    told = rows(code, "fire", "fire-modifiers", lang)
    for cells in told:
        assert any(cells[1:]), cells
    expected = [
        (
            condition(held, why, lang),
            shown(held, why, lang) if adds_to_fire(why) else "",
            signed(held.factors[why]) if why in RESISTING else "",
        )
        for why in whys_of(held)
        if adds_to_fire(why) or why in RESISTING
    ]
    assert told == expected
    melee = {condition(held, why, lang): signed(held.factors[why]) for why in whys_of(held) if adds_in_melee(held, why)}
    assert dict(rows(code, "fire", "melee-modifiers", lang)) == melee


@pytest.mark.rule("STP-FAC-37", "STP-FAC-38", "STP-FAC-39")
def test_dice_that_are_added_are_printed_where_a_period_has_them():
    told = {code: {cells[0]: cells[1] for cells in rows(code, "fire", "fire-modifiers")} for code in PERIODS}
    over, rocket, irregular = "D6 of fire over friends", "D6 of rockets", "D6 of imperial gunners"
    assert {code for code in PERIODS if over in told[code]} == {"ww1", "acw", "alg", "f70"}
    assert {code for code in PERIODS if rocket in told[code]} == {"alg"}
    assert {code for code in PERIODS if irregular in told[code]} == {"f70"}
    assert told["alg"][over] == "−2 to 0" and told["alg"][rocket] == "−2 to +1"
    own = unit("A", "south", "rockets")
    state = State(period="alg", k=K, units={"A": own, "B": unit("B", "north", "infantry", at=(0, 900), facing=18000)})
    shot = WeighedShot(own, state.units["B"], 900, "short", special=Special("rocket", -2))
    assert ("rocket", -2) in {(factor.why, factor.plus) for factor in fire_factors(state, shot)}


# --- diagrams


@pytest.mark.rule("STP-GEO-06", "STP-ZOC-01")
def test_a_drawn_zone_ends_where_that_of_the_engine_does():
    """Straight ahead at the range, aside at one and a half frontages; beyond the border a base is outside."""
    base = Base((0, 0), 0, 400, 300)
    fire, control = diagrams.fire_zone(base, 1500), diagrams.control_zone(base)
    assert max(y for _, y in fire) == pytest.approx(150 + 1500, abs=2)
    assert max(y for _, y in control) == pytest.approx(150 + 1000, abs=2)
    assert max(x for x, _ in fire) == -min(x for x, _ in fire) == pytest.approx(600, abs=2)
    for border, is_in in ((fire, in_fire_zone), (control, touches_control_zone)):
        for x, y in border[1:-1]:
            outside = Base((x * 102 // 100, 150 + (y - 150) * 102 // 100), 0, 2, 2)
            assert is_in(base, Base((x, y), 0, 2, 2))
            assert not is_in(base, outside) or firing_range(base, outside) > 1500
    assert max(x for x, _ in diagrams.fire_zone(base, 6000)) == pytest.approx(6000 * 0.3827, abs=20)


@pytest.mark.rule("STP-ZOC-09", "STP-ZOC-02", "STP-EMP-06")
def test_flank_graze_and_square_are_drawn_as_they_are():
    base = Base((0, 0), 0, 400, 400)
    assert diagrams.widest_front() == 4500
    assert max(y for _, y in diagrams.graze(base)) == pytest.approx(200 + 500, abs=2)
    assert max(y for _, y in diagrams.control_zone(base, all_round=500)) == pytest.approx(200 + 500, abs=2)


@in_each_language
@in_each_period
def test_each_sheet_has_its_diagrams_and_says_what_they_show(code, lang):
    turn = table(code, "turn", "zones", lang).diagrams
    assert [one.key for one in turn] == ["control-zone", *(["control-zone"] if code in ("emp", "f70") else []), "flank"]
    assert [one.key for one in table(code, "fire", "zones", lang).diagrams] == ["fire-zone", "fire-zone", "edges"]
    for kind in KINDS:
        document = html.document([sheet(code, kind, lang)], "-")
        drawn = table(code, kind, "zones", lang).diagrams
        assert document.count(' role="img"') == len(drawn)
        assert all(f'aria-label="{escaped(typeset(one.told, lang))}"' in document for one in drawn)


# --- words


def test_every_word_is_there_in_both_languages_with_the_same_gaps():
    for key, told in some(words().items()):
        assert set(told) == set(LANGUAGES), key
        assert len({frozenset(re.findall(r"\{(\w+)\}", text)) for text in told.values()}) == 1, key


@in_each_language
@in_each_period
@pytest.mark.parametrize("kind", KINDS)
def test_nothing_is_printed_by_its_id(code, kind, lang):
    made = sheet(code, kind, lang)
    held = period(code)
    assert made.title.startswith(held.title_fr if lang == "fr" else held.title)
    for one in made.tables:
        assert one.title and (one.rows or one.diagrams), one.key
        for text in (one.title, *one.intro, *one.notes, *(cell for row in one.rows for cell in row.cells)):
            assert not re.search(r"[_{}]|\bSTP-|\bstp\.|\b\w+-\w+-cav\b", text), text


def test_both_languages_have_the_same_tables():
    for code, kind in some(product(PERIODS, KINDS)):
        english, french = sheet(code, kind, "en"), sheet(code, kind, "fr")
        assert [(one.key, len(one.rows)) for one in english.tables] == [
            (one.key, len(one.rows)) for one in french.tables
        ]
        assert english.title != french.title


# --- on paper


@in_each_language
@in_each_period
@pytest.mark.parametrize("kind", KINDS)
def test_a_sheet_is_one_page_in_type_that_can_be_read(code, kind, lang):
    (page,) = pages(code, kind, lang)
    assert (page.width, page.height) == A4
    right, low = A4[0] - MARGIN + SLACK, A4[1] - MARGIN + SLACK
    for mark in page.marks:
        if isinstance(mark, SheetWords):
            assert mark.size >= LEAST, mark.text
            assert mark.width <= mark.room + SLACK, mark.text
            assert mark.x >= MARGIN and mark.x + mark.width <= right and mark.y <= low, mark.text
        elif isinstance(mark, Outline):
            for across, down in mark.points:
                assert MARGIN <= mark.x + across <= right and MARGIN <= mark.y + down <= low
        else:
            assert isinstance(mark, Box) and mark.x + mark.width <= right


@in_each_language
@in_each_period
@pytest.mark.parametrize("kind", KINDS)
def test_words_do_not_run_into_each_other(code, kind, lang):
    (page,) = pages(code, kind, lang)
    marks = sorted((mark for mark in page.marks if isinstance(mark, SheetWords)), key=lambda mark: mark.y)
    for at, upper in enumerate(some(marks)):
        for lower in marks[at + 1 :]:
            if lower.y - upper.y >= lower.size * 0.7:
                break
            beside = upper.x + upper.width <= lower.x + 0.1 or lower.x + lower.width <= upper.x + 0.1
            assert beside, (upper.text, lower.text)


@pytest.mark.parametrize("name", thinned(tuple(SHEETS), 3))
def test_the_same_sheet_is_the_same_picture(name):
    code, kind = name.split("-")
    assert pages_of(SHEETS[name]("en")) == pages(code, kind, "en")


def test_the_picture_of_the_documentation_is_fresh():
    (content,) = printing.printed([SHEETS["emp-fire"]("en")], "svg").values()
    assert PICTURE.read_bytes() == content, (
        f"run: phalera aids --ruleset stp --sheet emp-fire --to svg --out {PICTURE} --force"
    )
