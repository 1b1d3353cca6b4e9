"""A correction, a rewind, a ruling on a flag, a branch in one battle: all that is made of it agrees on what stands."""

from functools import cache
from itertools import pairwise
from typing import Any

import pytest

from domain.contract.deeds import deeds_of
from domain.events.battle import Corrected, FlagRuled
from domain.run.branching import place_after, place_before
from domain.run.timeline import is_within
from projections.statistics import battle_statistics
from replay import battle_file
from replay.battle_file import BattleFile
from replay.proof.heads import Evidence
from replay.proof.verify import verify
from replay.reports.account.chapters import Storyteller
from replay.reports.account.printed import written
from replay.reports.account.reading import read
from replay.reports.disputed import docket_lines
from replay.reports.evidence import as_text, evidence_of
from replay.reports.honours import honours_in
from replay.telling.luck import counted, luck_of
from server.offline.branching import beginning, branched
from tests.support.lanes import thinned
from tests.support.quarrelling import GAMES, quarrel

NAMES = pytest.mark.parametrize("name", thinned(GAMES, len(GAMES)))


@cache
def quarrelled(name: str) -> tuple[bytes, BattleFile]:
    content = quarrel(name).battle.file()
    return content, battle_file.parse(content)


# --- what stands


@NAMES
def test_it_verifies_and_lists_who_ruled(name: str):
    report = verify(quarrelled(name)[0])
    assert report.fault is None, report.fault
    acts = [act.what for act in report.listed]
    assert acts[:4] == ["umpire", "ruling", "settled", "corrected"]
    assert acts.count("corrected") == 2
    assert acts.count("rewound") == acts.count("flag") == 1


@NAMES
def test_luck_deeds_and_statistics_count_what_stands_alone(name: str):
    _, battle = quarrelled(name)
    spans = battle.timeline.voided()
    (span,) = spans
    assert any(is_within(spans, one.n) for one in battle.events if isinstance(one.event, Corrected))
    rows = luck_of(battle.timeline)
    assert not [row for row in counted(rows) if is_within(spans, row.n) or is_within(spans, row.settled)]
    for one in honours_in(battle):
        assert all(battle.timeline.counts(n) for given in one.honours for n in given.events)
    reading = read(battle)
    assert all(battle.timeline.counts(deed.n) for deed in deeds_of(battle.ruleset, reading.facts()))
    drawn = [n for n in range(span[0], span[1] + 1) if battle.events[n - 1].type in ("CardDrawn", "DieRolled")]
    statistics = battle_statistics(battle.ruleset, battle.events)
    assert sum(draw.count for side in statistics.voided for draw in side.draws) == len(drawn)


@NAMES
def test_the_tally_of_the_report_is_that_of_the_state(name: str):
    _, battle = quarrelled(name)
    reading = read(battle)
    state = battle.timeline.now.game
    known = battle.ruleset.secrets.known(state, "")
    assert dict(reading.parts[-1].after) == dict(battle.ruleset.shown.tally(known))
    for before, after in pairwise(reading.parts):
        assert before.n <= after.n


@NAMES
@pytest.mark.parametrize("lang", ["en", "fr"])
def test_the_story_tells_the_correction_that_stands_once(name: str, lang: str):
    content, _ = quarrelled(name)
    reading = read(battle_file.parse(content, lang=lang))
    story = " ".join(line for one in Storyteller(reading, lang).chapters() for line in one.paragraphs)
    assert story.count("the first") == 1, story
    assert "the second" not in story
    for form in ("md", "html"):
        assert written(content, form, lang)


@NAMES
def test_each_docket_and_its_evidence_can_be_told(name: str):
    content, battle = quarrelled(name)
    for docket in battle.timeline.now.disputes.dockets:
        for lang in ("en", "fr"):
            assert list(docket_lines(battle, docket, lang))
            assert as_text(evidence_of(content, docket.about, lang=lang))
    flag = next(one.n for one in battle.events if isinstance(one.event, FlagRuled))
    assert as_text(evidence_of(content, flag))


# --- branches


@NAMES
@pytest.mark.parametrize(
    "where", ["behind the correction", "behind the rewind", "behind the flag", "in what was taken back", "at the end"]
)
def test_a_branch_begins_with_what_stands(name: str, where: str):
    content, battle = quarrelled(name)
    kinds: dict[str, Any] = {
        "behind the correction": "Corrected",
        "behind the rewind": "Rewound",
        "behind the flag": "FlagRuled",
    }
    last = len(battle.events)
    n = next((one.n for one in battle.events if one.type == kinds.get(where)), last)
    ((first, _),) = battle.timeline.voided()
    is_void = where == "in what was taken back"
    place = place_after(battle.events, first) if is_void else place_before(battle.events, min(n + 3, last))
    assert battle.timeline.counts(place) is not is_void
    found = branched(beginning(content, name, place, "en"), 3)
    for side in ("south", "north"):
        found.seat_bot(side, "random")
    for _ in range(4):
        if found.to_act:
            for owing in found.recording.battle.owing:
                found.contribute(owing)
            found.bot_order()
    report = verify(found.file(), source=Evidence("the source", content))
    assert report.fault is None, report.fault
    tally = battle.ruleset.shown.tally
    assert dict(tally(found.recording.timeline.at(1).game)) == dict(tally(battle.timeline.at(place).game))
