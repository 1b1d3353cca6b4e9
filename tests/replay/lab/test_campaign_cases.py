"""Every acceptance case of campaigns, as `phalera lab` answers it (tests/cases/README.md)."""

import tomllib

import pytest

from replay.bench.bench import UnreadableCase
from replay.lab.campaign.case import campaign_case_lines, run_campaign_case
from tests.support.cases import GAMES, case_files, case_path

CASES = case_files(GAMES / "campaign")

DRAWS = {"campaign": "G42", "index": 1, "key": "00", "scope": "lots", "contributions": [], "sizes": [6]}


def case(number):
    return tomllib.loads(case_path(number, "campaign").read_text())


@pytest.mark.rule("CAM-CASE-01")
@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_a_case_comes_out(path):
    assert run_campaign_case(tomllib.loads(path.read_text()), path.parent).failures == []


def test_the_shared_cases_are_all_here():
    assert len(CASES) >= 18


@pytest.mark.parametrize(
    ("number", "changes", "word"),
    [
        (1, {"final": {"pairs": [], "bye": "", "level": 0}}, "final.pairs"),
        (1, {"final": {}}, "final.bye"),
        (8, {"final": {"rounds": []}}, "final.free"),
        (
            14,
            {"check": [{"how": "time", "winner": "south", "start": [9, 9], "now": [9, 9], "kept": [1, 0]}]},
            "check 1",
        ),
        (14, {"check": [{"how": "time", "winner": "south", "start": [9, 9], "now": [9, 9]}]}, "wants nothing"),
        (26, {"final": {"ratings": {"p": [1464.06, 151.52, 0.06]}, "tolerance": [0.005, 0.005, 5e-6]}}, "ratings.p"),
        (27, {"final": {"ratings": {}, "standing": {"ann": 909}, "tolerance": [1, 1, 1]}}, "standing.ann"),
        (9, {"expect": [{"type": "RoundBegan"}]}, "0 events, not 1"),
        (9, {"reject": [{"step": 1, "code": "campaign.full"}]}, "step 1 is refused with None"),
    ],
)
def test_what_is_wanted_and_not_so_is_a_failure(number, changes, word):
    assert any(word in failure for failure in run_campaign_case({**case(number), **changes}).failures)


@pytest.mark.parametrize(
    ("number", "changes", "word"),
    [
        (1, {"ask": "tea"}, "nothing answers ask = 'tea'; there are adjudicate, bracket"),
        (1, {"colour": "red"}, "colour"),
        (1, {"round": "one"}, "round"),
        (10, {"result": []}, "no result of board 1.1"),
        (10, {"lots": []}, "no lot for board 1.2"),
        (11, {"lots": ["a"]}, "not among the lots: b, c, d, e"),
        (11, {"result": [{"round": 1, "south": "a"}]}, "a battle of two, a bye, or an absence"),
        (16, {"lots": [2, 0, 2, 1, 9]}, "draws a lot that there is not"),
        (27, {"periods": 10**12}, "periods"),
        (9, {"final": 5}, "final"),
        (9, {"expect": [3]}, "expect"),
        (9, {"reject": [{"step": 1}]}, "code"),
        (14, {"check": {}}, "check"),
        (16, {"expect": [{"type": "EntrantJoined", "data": 3}]}, "object"),
        (27, {"final": {"ratings": {"ann": [1]}}}, "ratings"),
        (16, {"lots": []}, "step 6 draws more lots than the case has"),
        (16, {"cup": {"system": "swiss"}}, "campaign.bad-file: cup.rounds"),
        (106, {"check": [{**DRAWS, "sizes": [0]}]}, "sizes"),
        (106, {"check": [{**DRAWS, "key": "zz"}]}, "key and contributions are hex digits"),
    ],
)
def test_what_is_no_case_is_refused_with_what_is_wrong(number, changes, word):
    with pytest.raises(UnreadableCase, match=word):
        run_campaign_case({**case(number), **changes})


def test_a_case_is_told_in_lines():
    result = run_campaign_case(case(10))
    lines = list(campaign_case_lines(case(10), result))
    assert 'champion: "p1"' in lines and lines[-1] == "OK: everything as expected."
    failed = run_campaign_case({**case(10), "final": {"champion": "p2", "rounds": result.final["rounds"]}})
    assert list(campaign_case_lines(case(10), failed, "fr"))[-2:] == [
        "RATÉ\u00a0: final.champion is 'p1', not 'p2'",
        "1 attente sans réponse.",
    ]
