"""The report of a battle: a story in which everything is true, in three forms."""

import re
from collections.abc import Iterator
from functools import cache, reduce
from html.parser import HTMLParser
from itertools import pairwise
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from domain.basics.message import Message
from domain.catalogue import RULESETS
from domain.contract.weight import Weight
from domain.events.battle import Rewound
from domain.log.record import Recorded
from domain.run.timeline import Timeline
from replay import battle_file
from replay.battle_file import BattleFile
from replay.proof.verify import verify
from replay.reports.account import markdown, page, pdf
from replay.reports.account.chapters import Storyteller
from replay.reports.account.contents import Contents, PlayedOn, contents
from replay.reports.account.printed import written
from replay.reports.account.reading import Exchange, Happening, TurnPart, _worth_telling, read
from replay.reports.account.voice import Voice
from replay.reports.rollouts import chances, rollouts
from replay.telling.luck import amount, by_side, luck_of
from tests.report_pages import BATTLES, GOLDEN, LANGUAGES, PAGES, reading, story
from tests.support.catalogues import texts
from tests.support.disputing import Disputed
from tests.support.french import english_in, names_in
from tests.support.lanes import thinned
from tests.support.looping import some

ALL = sorted(GOLDEN.glob("*.battle"))
UNIT = re.compile(r"\b[A-Z]+\d+[A-Z]?\b")
LETTER = re.compile(r"\b[B-Z]\b(?!’)")
"""How units, generals and places are named in the golden battles; with a letter alone only in one of the games."""
MOST_BYTES = 400_000


@cache
def made(name: str, lang: str) -> Contents:
    content = (GOLDEN / f"{name}.battle").read_bytes()
    return contents(battle_file.parse(content, lang=lang), verify(content, lang=lang), lang)


def values(value: Any) -> Iterator[str]:
    """All plain values of an event, as words."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield str(key)
            yield from values(inner)
    elif isinstance(value, (list, tuple)):
        for inner in value:
            yield from values(inner)
    else:
        yield str(value)


def said_by(events: list[Recorded]) -> set[str]:
    return {word for recorded in events for word in values(msgspec.to_builtins(recorded.event))}


# --- the story


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_what_is_kept_is_what_is_told_now(path):
    assert path.read_text(encoding="utf-8") == PAGES[path](), "python -m tests.report_pages"


@pytest.mark.parametrize("path", thinned(ALL, 4), ids=lambda path: path.stem)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_each_unit_and_place_in_a_chapter_is_named_by_an_event_of_its_turns(path, lang):
    told = reading(path.stem)
    events = told.battle.events
    chapters = list(Storyteller(told, lang).chapters())
    title, armies = told.opening.title, names_in(events[0].event)
    for chapter, following in some(pairwise(chapters[1:])):
        last = following.n - 1 if following is not chapters[-1] else told.battle.last
        named = said_by([one for one in events[chapter.n - 1 : last] if told.battle.timeline.counts(one.n)])
        before = said_by(list(events[: chapter.n]))
        for paragraph in chapter.paragraphs:
            bare = reduce(lambda text, name: text.replace(name, ""), [title, *armies], paragraph)
            for sentence in bare.split(". "):
                known = named | before if is_of_before(sentence, lang) else named
                named_here = UNIT.findall(sentence) + (LETTER.findall(sentence) if "warmaster" in path.stem else [])
                assert not set(named_here) - words_of(known), sentence


@pytest.mark.parametrize("path", thinned(ALL, 4), ids=lambda path: path.stem)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_each_number_in_a_chapter_comes_from_its_turns(path, lang):
    """From an event, from what decides the game, from the odds of a draw, or it counts units."""
    told = reading(path.stem)
    events = told.battle.events
    counts = set(map(str, range(max(len(told.sides), 10) + 1)))
    divisor = 2 if "singidunum" in path.stem else 1
    chapters = list(Storyteller(told, lang).chapters())
    for chapter, following in some(pairwise(chapters[1:])):
        last = following.n - 1 if following is not chapters[-1] else told.battle.last
        named = {word for one in said_by(list(events[chapter.n - 1 : last])) for word in re.findall(r"\d+", one)}
        if "shot" in path.stem:  # lengths in 1/100 cm are told in centimetres
            named |= {part for word in list(named) for part in f"{int(word) / 100:.2f}".rstrip("0").split(".")}
        parts = [part for part in told.parts if chapter.n <= part.n <= last]
        named |= {str(number // divisor) for part in parts for number in part.after.values()}
        rows = [row for rows in told.luck.values() for row in rows if chapter.n <= row.settled <= last]
        named |= {str(number) for row in rows for number in (row.does, row.out_of)}
        for paragraph in chapter.paragraphs:
            bare = reduce(lambda text, name: text.replace(name, ""), names_in(events[0].event), paragraph)
            assert set(re.findall(r"\b\d+\b", bare)) <= named | counts, paragraph


def is_of_before(sentence: str, lang: str) -> bool:
    """Whether a sentence tells whom somebody had beaten in an earlier turn."""
    marks = {"en": ("had finished off", "so ended", "So ended"), "fr": ("auparavant", "ainsi finit", "Ainsi finit")}
    return any(mark in sentence for mark in marks[lang])


def words_of(values: set[str]) -> set[str]:
    return {word for value in values for word in (*UNIT.findall(value), *LETTER.findall(value))}


@pytest.mark.parametrize("path", ALL, ids=lambda path: path.stem)
def test_each_number_of_what_decides_is_that_of_the_game_at_the_end_of_the_player_turn(path):
    told = reading(path.stem)
    turns = [part for part in told.parts if part.turn]
    assert turns
    assert [dict(part.after) for part in turns] == [dict(next_tally(told, part)) for part in turns]


def next_tally(told: Any, part: Any) -> Any:
    later = [other for other in told.parts if other.n > part.n]
    n = later[0].n - 1 if later else told.battle.last
    return told.battle.ruleset.shown.tally(told.battle.timeline.at(n).game)


def rewound(name: str, n: int, to: int) -> BattleFile:
    """A golden battle up to event `n`, where it is taken back to event `to`."""
    battle = battle_file.load(str(GOLDEN / f"{name}.battle"))
    events = [*battle.events[:n], Recorded(n + 1, battle.events[n].at, "umpire", Rewound.RULE, "Rewound", Rewound(to))]
    timeline = Timeline(battle.ruleset)
    for recorded in events:
        timeline.feed(recorded)
    return BattleFile(battle.log, battle.ruleset, tuple(events), timeline)


def test_what_was_taken_back_is_not_told():
    n = next(one.n for one in reading("medals").battle.events if one.type == "UnitDestroyed")
    battle = rewound("medals", n + 5, n - 12)
    whole = "\n".join(line for one in Storyteller(reading("medals"), "en").chapters() for line in one.paragraphs)
    told = "\n".join(line for one in Storyteller(read(battle), "en").chapters() for line in one.paragraphs)
    assert "R3 melted away" in whole
    assert "melted away" not in told
    assert "The shots of the bowmen of R4" in told
    assert read(battle).parts[-1].after == {"south": 6, "north": 6}


@pytest.mark.parametrize(
    ("lang", "said"),
    [
        (
            "en",
            "Here the umpire, Judge, set facts by a ruling on docket d1 (“they were miscounted”): South has 2 medals, "
            "not 6. North has 3 medals, not 6.",
        ),
        (
            "fr",
            "Ici l’arbitre, Judge, fixa des faits en tranchant le litige d1 (« they were miscounted ») : Le Sud a 2 "
            "médailles, et non 6. Le Nord a 3 médailles, et non 6.",
        ),
    ],
)
def test_the_story_tells_what_an_umpire_has_set_and_why(lang, said):
    battle = Disputed(umpire=True, name="medals")
    battle.play(4)
    battle.say("north: dispute 1 facts x")
    battle.say("umpire: rule d1 correct because they were miscounted; set medals south 2; set medals north 3")
    battle.play(2)
    story = " ".join(lines_of_story(battle, lang)).replace("\N{NO-BREAK SPACE}", " ")
    assert story.count(said) == story.count("Judge") == 1, story


def test_the_story_tells_that_an_umpire_has_ended_the_turn():
    battle = Disputed(umpire=True, name="medals")
    battle.play(4)
    battle.say("north: dispute 1 facts x", "umpire: rule d1 correct set turn ended")
    story = " ".join(lines_of_story(battle))
    assert story.count("Here the umpire, Judge, ended the turn by a ruling on docket d1.") == 1


def test_the_story_leaves_out_what_an_umpire_set_and_a_rewind_took_back():
    battle = Disputed(umpire=True, name="medals")
    battle.play(3)
    to = battle.n
    battle.play()
    battle.say("north: dispute 1 facts x", "umpire: rule d1 correct set medals south 2")
    battle.say("south: dispute 1 facts x", f"umpire: rule d2 rewind {to}")
    assert not [line for line in lines_of_story(battle) if "Judge" in line]


def lines_of_story(battle: Disputed, lang: str = "en") -> list[str]:
    reading = read(battle_file.parse(battle.battle.file()))
    return [line for one in Storyteller(reading, lang).chapters() for line in one.paragraphs]


def test_winning_chances_are_one_more_curve():
    content = (GOLDEN / "warmaster-destroyed.battle").read_bytes()
    battle = battle_file.parse(content)
    found = chances(rollouts(battle.timeline, battle.log.header.battle, 1, 7))
    report = contents(battle, verify(content), "en", PlayedOn(tuple(found), 1, 7))
    chart = report.charts[-1]
    assert "1 game of bots" in chart.title
    assert "(seed 7)" in chart.title
    assert len(chart.labels) == len(found) == len(chart.series[0].values)
    assert all(0 <= value <= 100 for series in chart.series for value in series.values)


def test_a_battle_that_goes_on_gives_nothing_away():
    """Where a secret deployment has put whom is not in the report of a file that ends before it is shown."""
    cut = 120
    whole = (GOLDEN / "blind.battle").read_bytes()
    content = b"".join(whole.splitlines(keepends=True)[: cut + 1])
    afterwards = battle_file.parse(whole).timeline.at(cut).game
    hidden = {unit.id for unit in afterwards.units.values() if unit.box}
    told = read(battle_file.parse(content))
    seen = {token.id for token in (*told.opening.tokens, *told.final.tokens) if token.cell}
    assert len(hidden) == 7
    assert len(hidden - seen) == 5
    boxes = {name: afterwards.units[name].box for name in hidden - seen}
    report = written(content, "md", "en").decode()
    assert not any(re.search(rf"\b{name}\b[^.]* {box}\b", report) for name, box in boxes.items())
    assert "The battle is not over" in report


@pytest.mark.parametrize("name", BATTLES)
def test_a_french_story_has_no_english(name):
    names = names_in(reading(name).battle.events[0].event)
    assert english_in(story(name, "fr"), names) == []


def test_no_sentence_is_told_twice_in_a_row():
    for name in BATTLES:
        for lang in LANGUAGES:
            lines = [line for line in re.split(r"(?<=\.) ", story(name, lang)) if line]
            assert all(one != other for one, other in pairwise(lines))


@pytest.mark.parametrize("game", RULESETS)
def test_every_event_of_a_story_is_one_of_the_game(game):
    ruleset = RULESETS[game]
    assert set(ruleset.shown.story) <= set(ruleset.events)


def test_every_text_of_a_story_about_an_event_names_an_event():
    kinds = ("alone", "aside", "asides", "vain", "lull")
    prefixes = {"core", "tts", "singidunum", "wms"}
    events = {name for ruleset in RULESETS.values() for name in ruleset.events}
    named = set()
    for msgid in texts("en"):
        parts = [part for part in msgid.split(".") if part not in kinds]
        if parts[0] == "story" and parts[1] in prefixes and len(parts) > 2 and parts[2].partition("~")[0] != "tally":
            named.add(parts[2].partition("~")[0])
    assert named
    assert named - events == set()


# --- the other parts


@pytest.mark.slow
def test_the_turning_points_are_the_orders_that_changed_most():
    points = made("medals", "en").turning_points
    assert len(points) == 3
    assert [point.n for point in points] == sorted(point.n for point in points)
    assert all("Before: Rome" in point.stood for point in points)


@pytest.mark.parametrize("name", thinned([path.stem for path in ALL], 8))
def test_losses_and_survivors_are_all_that_were_there(name):
    report = made(name, "en")
    for force, lost in some(zip(report.forces, report.losses, strict=True)):
        assert force.side == lost.side
        left, of = map(int, re.findall(r"\d+", lost.left))
        assert of - left == len(lost.lines)


def test_the_chart_ends_with_the_last_tally():
    (chart,) = made("singidunum-goal", "en").charts[:1]
    assert [series.values[-1] for series in chart.series] == [5, 0]


@pytest.mark.parametrize("name", BATTLES)
def test_the_curve_of_luck_ends_with_all_luck_of_the_side(name):
    divisor = 2 if "singidunum" in name else 1
    south = by_side(luck_of(reading(name).battle.timeline))[0].total / divisor
    assert made(name, "en").charts[-1].series[0].values[-1] == round(float(south), 2)
    assert made(name, "en").charts[-1].words.find(amount(south)) > 0


def test_long_odds_are_told_as_they_were():
    rows = {(row.does, row.out_of) for row in luck_of(reading("medals").battle.timeline)}
    told = re.findall(r"(\d+) (?:chances )?in (\d+)", story("medals", "en"))
    assert told
    assert {(int(does), int(of)) for does, of in told} <= rows


def test_the_proof_box_says_what_is_proven():
    content = (GOLDEN / "medals.battle").read_bytes()
    proof = verify(content)
    lines = "\n".join(made("medals", "en").proof)
    assert proof.head in lines
    assert proof.fingerprint in lines


@pytest.mark.parametrize(
    ("to", "said"),
    [
        (150, "Events 151 to 200 do not count, and are not told here."),
        (199, "Event 200 does not count, and is not told here."),
    ],
)
def test_voided_events_stand_in_the_proof_box(to, said):
    battle = rewound("medals", 200, to)
    assert said in contents(battle, verify((GOLDEN / "medals.battle").read_bytes()), "en").proof


def test_chapters_name_the_turns_that_they_tell():
    titles = [title for name in BATTLES for title in re.findall("^# (.*)", story(name, "en"), re.MULTILINE)]
    assert "Turns 7 to 9" in titles
    assert not [title for title in titles if " 0" in title]


# --- the forms


class Page(HTMLParser):
    """What a page holds."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str, str]] = []
        self.open: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += [(tag, name, value or "") for name, value in attrs]
        if tag not in ("meta", "br"):
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += [(tag, name, value or "") for name, value in attrs]

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


@pytest.mark.parametrize("name", thinned(BATTLES, 6))
@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_page_is_whole_and_fetches_nothing(name, lang):
    text = page.document(made(name, lang))
    found = Page(text)
    assert found.open == []
    assert not {"script", "link", "img", "iframe", "object", "embed"} & set(found.tags)
    own = [one for one in found.attributes if one[:2] == ("use", "href") and one[2].startswith("#")]  # its own drawings
    others = [one for one in found.attributes if one not in own]
    assert not [one for one in others if one[1] in ("src", "href", "action") or one[1].startswith("on")]
    assert "url(" not in text
    assert "@import" not in text
    addresses = set(re.findall(r"https?://[^\"' ]+", text))
    assert addresses <= {"http://www.w3.org/2000/svg"}
    assert len(text.encode()) <= MOST_BYTES
    ids = [value for _, attribute, value in found.attributes if attribute == "id"]
    assert len(ids) == len(set(ids))


def test_each_picture_of_the_page_has_words():
    text = page.document(made("medals", "en"))
    pictures = re.findall(r"<svg.*?</svg>", text, re.DOTALL)
    assert len(pictures) >= 3
    assert all('role="img"' in one and "<title" in one and "<desc" in one for one in pictures)


def test_a_name_is_never_markup():
    report = made("medals", "en")
    evil = msgspec.structs.replace(report, title="<script>alert(1)</script> *`|[x](y)`*")
    assert "<script>" not in page.document(evil)
    assert "[x](y)" not in markdown.document(evil)


@pytest.mark.slow
def test_the_same_battle_gives_the_same_bytes():
    content = (GOLDEN / "warmaster-destroyed.battle").read_bytes()
    for form in ("md", "html", "pdf"):
        assert written(content, form, "fr") == written(content, form, "fr")


@pytest.mark.slow
def test_a_pdf_is_one():
    assert pdf.document(made("warmaster-destroyed", "fr")).startswith(b"%PDF-")


@pytest.mark.parametrize("path", thinned(ALL, 4), ids=lambda path: path.stem)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_golden_battle_has_a_report(path, lang):
    text = markdown.document(made(path.stem, lang))
    assert "{" not in re.sub(r"```.*?```", "", text, flags=re.DOTALL)
    assert made(path.stem, lang).headings["proof"] in text


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_corps_that_was_wiped_out_keeps_its_name(lang):
    whole = reading("medals")
    wiped_out = msgspec.structs.replace(whole, final=msgspec.structs.replace(whole.final, formations=()))
    named = {unit: Voice(whole, lang).formation(unit) for unit in whole.sides}
    assert any(named.values())
    assert {unit: Voice(wiped_out, lang).formation(unit) for unit in named} == named


def test_who_was_named_already_stands_before_those_who_are_introduced():
    voice = Voice(reading("warmaster-volleys"), "en")
    assert voice.who("P") == "the cannon of P"
    assert voice.who(["K", "P", "L"]) == "P, the heavy foot of K and the bowmen of L"
    assert voice.who(["P", "K"]) == "P and K"


def test_no_kind_of_troops_is_introduced_with_its_weapons_behind_it():
    kinds = {msgid.removeprefix("type."): said for msgid, said in texts("en").items() if msgid.startswith("type.")}
    armed = {kind for kind, said in some(kinds.items()) if re.search(r" with \w+$", said[0])}
    assert armed and all(f"story.unit.{kind}" in texts("en") for kind in armed)
    voice = Voice(reading("medals"), "en")
    assert voice.who(["N6", "N5"]) == "the light horse of N6 and the javelin cavalry of N5"


# --- attacks that one order settles


def test_an_event_may_begin_an_attack_of_its_own():
    battle = battle_file.parse((GOLDEN / "medals.battle").read_bytes())
    shots = {one.n for one in battle.events if one.type == "ShotDeclared" and battle.timeline.counts(one.n)}
    shown = replace(battle.ruleset.shown, apart=frozenset({"ShotDeclared"}))
    apart = read(replace(battle, ruleset=replace(battle.ruleset, shown=shown))).exchanges
    plain = read(battle).exchanges
    assert shots
    assert {exchange.n for exchange in apart} == {exchange.n for exchange in plain} | shots
    assert all(exchange.happened[0].n == exchange.n for exchange in apart if exchange.n in shots)
    assert all(dict(one.after) == dict(other.before) for one, other in pairwise(apart))


def test_of_two_parts_of_a_side_in_a_turn_one_in_which_nothing_happened_is_left_out():
    parts = [TurnPart(n, turn, side, [_exchange(n, *weights)]) for n, turn, side, weights in PARTS]
    assert [part.n for part in _worth_telling(parts)] == [1, 3, 5, 6, 7]


PARTS: tuple[tuple[int, int, str, tuple[Weight, ...]], ...] = (
    (1, 0, "", ()),
    (2, 1, "south", (Weight.FAILED,)),
    (3, 1, "north", (Weight.HURT,)),
    (4, 2, "south", ()),
    (5, 1, "south", (Weight.MOVED,)),
    (6, 1, "north", ()),
    (7, 2, "south", ()),
)


def _exchange(n: int, *weights: Weight) -> Exchange:
    return Exchange(n, "", {}, {}, [Happening(n, weight, Message("x", {}), (), "") for weight in weights])
