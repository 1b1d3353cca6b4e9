"""The report of a campaign: a cup told in chapters, in three forms, from its log and the files of its battles alone."""

import re
from collections.abc import Mapping
from functools import cache
from html.parser import HTMLParser
from pathlib import Path

import msgspec
import pytest

from domain.campaign.career import career_of
from domain.campaign.theatre.events import UnitRaised
from domain.catalogue import RULESETS
from replay.battle_file import UnreadableFile, parse
from replay.campaign_file import CampaignFile, read_campaign
from replay.drawing import pdf as pdf_drawing
from replay.proof.campaign.verify import verify_campaign
from replay.reports.account.short import BattleInShort, in_short, short_written
from replay.reports.campaign.contents import CampaignContents, campaign_contents
from replay.reports.campaign.course import told_event
from replay.reports.campaign.parts import ReportTeller
from replay.reports.campaign.printed import CAMPAIGN_FORMS, campaign_told, campaign_written
from replay.reports.campaign.stages import stages
from replay.telling.service import ServiceTeller
from server.offline.cup import OfflineCup
from tests.support.campaign_files import ServedCup, ruled_cup, served_ladder
from tests.support.french import english_in
from tests.support.ledgers import war_file
from tests.support.looping import some

LANGUAGES = ("en", "fr")
BASE = "https://phalera.example"


@cache
def cup() -> tuple[bytes, Mapping[str, bytes]]:
    """A cup of bots over three rounds: its log, and its battles by id."""
    played = OfflineCup(RULESETS["singidunum"], {"scenario": "quick"}, 1)
    played.begin()
    while waiting := played.running():
        played.fight(waiting[0])
    return played.file(), dict(played.files())


@cache
def shorts(lang: str) -> dict[str, BattleInShort]:
    return {name: in_short(parse(content, lang=lang), lang) for name, content in cup()[1].items()}


@cache
def made(lang: str) -> CampaignContents:
    content, battles = cup()
    proof = verify_campaign(content, find=battles.get, lang=lang)
    return campaign_contents(read_campaign(content), shorts(lang), proof, lang, BASE)


def file() -> CampaignFile:
    return read_campaign(cup()[0])


def test_a_cup_has_a_chapter_for_what_came_before_and_for_each_round():
    assert [chapter.title for chapter in made("en").chapters] == [
        "Before the first round",
        "Round 1",
        "Round 2",
        "Round 3",
    ]
    assert sum(len(chapter.boards) for chapter in made("en").chapters) == len(file().state.boards)


def test_each_battle_is_told_by_its_own_report_and_linked():
    state = file().state
    boards = {board.place: board for chapter in made("en").chapters for board in chapter.boards}
    for name, board in some(state.boards.items()):
        told, short = boards[name], shorts("en")[board.battle]
        assert told.story == short.story
        assert told.link == f"{BASE}/battles/{board.battle}"
        winner = state.entrants[board.victor].name if board.victor else "drawn"
        assert winner in told.result


def test_a_round_ends_with_who_leads_then():
    """CAM-STD-01: the report says what the table of that moment says."""
    ends = [chapter.ends for chapter in made("en").chapters[1:]]
    leaders = []
    for stage in list(stages(file().events))[1:]:
        points: dict[str, int] = {}
        for name in stage.after.order:
            rows = [row.points for row in career_of(stage.after, name)]
            points[stage.after.entrants[name].name] = rows[-1] if rows else 0
        leaders.append({name for name, having in points.items() if having == max(points.values())})
    assert [
        {name for name in names if name in end[0].split(" and led")[0] and name in end[0].split(", before")[0]}
        for names, end in zip(leaders, ends, strict=True)
    ] == leaders
    assert "had overtaken" in ends[2][0], "the lead has changed hands in the third round"
    assert "had overtaken" not in ends[1][0], "two had led before it"


def test_the_table_that_shows_who_beat_whom_is_its_own_mirror():
    (course,) = [table for table in made("en").tables if table.title == "Round by round"]
    mirror = {"+": "−", "−": "+", "=": "="}
    cells = {(row[0], at): cell for row in course.rows for at, cell in enumerate(row[2:-1])}
    for (place, at), cell in some(cells.items()):
        if cell != "bye":
            assert cells[cell[1:], at] == f"{mirror[cell[0]]}{place}"


def test_an_honour_leads_to_the_event_that_won_it():
    """CAM-CAR-06"""
    events = {name: parse(content).events for name, content in cup()[1].items()}
    (roll,) = made("en").rolls
    for _, lines in some(roll.groups):
        for line in some(lines):
            found = re.fullmatch(rf"{BASE}/battles/(\w+)/why/(\d+)", line.link)
            assert found is not None
            assert int(found[2]) <= len(events[found[1]])


def test_without_files_of_battles_there_are_results_but_no_stories():
    told = campaign_written(cup()[0], None, "md", "en").decode()
    assert "Aelia won" in told
    assert "The battle had lasted" not in told
    assert "on trust" in told, "what was not looked at is not said to hold"
    assert "](" not in told, "nothing is linked without an address"


@pytest.mark.parametrize("to", CAMPAIGN_FORMS)
@pytest.mark.slow
def test_battles_that_were_told_before_give_the_same_story(to):
    content, battles = cup()
    if to == "pdf" and not pdf_drawing.can_write():
        pytest.skip("the extra pdf is not installed")
    short = {name: short_written(one, "en") for name, one in battles.items()}
    told = campaign_told(content, short, to, "en", BASE)
    assert told == campaign_told(content, short, to, "en", BASE)
    if to == "md":
        whole = campaign_written(content, battles.get, "md", "en", BASE)
        mark = b"## What can be proven"
        assert told.partition(mark)[0] == whole.partition(mark)[0]


class _Page(HTMLParser):
    """The ids and the links of a page, and its elements that are open at the end."""

    def __init__(self, content: str) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.open: list[str] = []
        self.feed(content)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.ids += [given["id"] or ""] if "id" in given else []
        self.links += [given["href"] or ""] if "href" in given else []
        assert tag not in ("script", "link", "img", "iframe"), "it fetches nothing and runs nothing"
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_page_is_whole_and_its_contents_lead_to_its_parts(lang):
    page = _Page(CAMPAIGN_FORMS["html"](made(lang)).decode())
    assert not page.open
    inner = [link.removeprefix("#") for link in page.links if link.startswith("#")]
    assert set(some(inner)) <= set(page.ids)
    assert all(link.startswith(("#", f"{BASE}/battles/")) for link in page.links)
    assert len(page.ids) == len(set(page.ids))


def test_a_name_is_never_markup():
    content = made("en")
    wrong = msgspec.structs.replace(content, title="<b>*x*</b>", entrants=("<i>_y_",))
    told = CAMPAIGN_FORMS["html"](wrong).decode()
    assert "<b>" not in told
    assert "<i>" not in told
    assert r"\<b\>\*x\*" in CAMPAIGN_FORMS["md"](wrong).decode()


def test_a_french_report_has_no_english():
    told = CAMPAIGN_FORMS["md"](made("fr")).decode()
    assert not english_in(told.replace("To the Strongest", "").replace("Demo Cup", ""))


def test_what_is_no_campaign_is_refused():
    with pytest.raises(UnreadableFile):
        campaign_written(next(iter(cup()[1].values())), None, "md", "en")


# --- other campaigns


@pytest.fixture(scope="module")
def ruled(tmp_path_factory: pytest.TempPathFactory) -> ServedCup:
    return ruled_cup(tmp_path_factory.mktemp("ruled"))


def test_the_report_tells_what_the_umpire_has_ruled(ruled):
    """CAM-RUL-01"""
    told = campaign_written(ruled.ended, ruled.battles.get, "md", "en").decode()
    for line in ("penalty p1 1", "lost 1 point by that ruling", "was expelled by the umpire", "did not come in time"):
        assert line in told, line
    assert "came in as p4" in told


def test_a_campaign_that_goes_on_says_so(ruled):
    told = campaign_written(ruled.begun, None, "md", "en").decode()
    assert "The campaign goes on" in told
    assert "It is still being fought." in told


def test_a_ladder_is_told_by_month(tmp_path: Path):
    ladder, told = served_ladder(tmp_path), ""
    for lang in LANGUAGES:
        told = campaign_written(ladder.ended, ladder.battles.get, "md", lang).decode()
        assert told.count("\n#### ") == len(ladder.battles), "each battle is told once"
    assert ("±" in told) and ("Nombre" in told)


# --- wars


def test_a_war_is_told_by_its_nodes_with_what_each_battle_left():
    """CAM-CAR-01, CAM-LNK-03"""
    for lang in LANGUAGES:
        told = campaign_written(war_file(), None, "md", lang, BASE).decode()
        assert "\n### Trasimene" in told
        assert "{" not in told
        assert "campaign-report." not in told
    told = campaign_written(war_file(), None, "md", "en", BASE).decode()
    story = told.partition("### Trasimene")[2].partition("### Cannae")[0]
    assert "Rome. Lost for good: bowmen R4 (2, needed 5). Taken by the enemy: general G1 (1, needed 2)." in story
    assert f"[Spolia opima for deep warriors N1.]({BASE}/battles/b2/why/88)" in story
    assert "Rome bought general G1 back for 8 points. Rome raised bowmen R7" in told


def test_a_war_ends_with_who_rose_and_who_fell():
    """CAM-CAR-06, CAM-CAR-07"""
    told = campaign_written(war_file(), None, "md", "en", BASE).decode()
    risen, fallen = told.partition("## Who rose")[2].split("## Who fell")
    assert "legionaries R1, with a hero, standard at first: Vallaris (The Trebia), Phalera (The Trebia)" in risen
    assert "Bowmen R4. Lake Trasimene against Carthage, lost: was destroyed for good" in fallen
    assert "General G3" in fallen


def test_what_is_sealed_is_in_no_report():
    """CAM-LOG-04: orders that were given in secret and are not opened."""
    sealed = msgspec.structs.replace(UnitRaised("F1", "I", "R9", "legionaries", "raw", 8, 20), force=msgspec.UNSET)
    teller = ReportTeller(file().state, {}, "en")
    assert told_event(teller, ServiceTeller("tts", "en"), sealed) == ""
