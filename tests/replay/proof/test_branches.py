"""A branch begins where its source stood, at every kind of moment, and its file is proven like any other."""

from functools import cache
from pathlib import Path
from typing import Any

import pytest
from msgspec import UNSET

from benchmarks.branches import play_on, source_of, tried
from benchmarks.random_play import GAMES
from domain.basics.errors import Refusal
from domain.catalogue import RULESETS
from domain.contract.ruleset import NOBODY
from domain.engine.state import OTHER, SIDES
from domain.events.battle import Branch, DecisionAsked, Fact, Rewound
from domain.run.block_writer import Entered
from domain.run.branching import ALL, STRANGER, place_after, place_before
from domain.run.branching import branched as branch_of
from domain.run.inputs import facts_of_rematch
from domain.run.rewind_points import ends_block
from replay import battle_file
from replay.battle_file import BattleFile
from replay.proof import verdict
from replay.proof.heads import Evidence
from replay.proof.verify import NOT_ALL_JUDGED, OK, Report, verify
from replay.writing.entropy import SeededEntropy
from replay.writing.in_memory import HOST, OfflineBattle, SeededClock
from server.offline.branching import Beginning, beginning, branched
from server.offline.terminal import take_seats
from tests.support.cases import case_path
from tests.support.lanes import thinned
from tests.support.looping import some
from tests.support.rechained import put_together, taken_apart
from tests.support.tiny import tiny_scenario

GOLDEN = Path(__file__).parents[2] / "golden"
ENDED = {
    "tts": "medals",
    "singidunum": "singidunum-goal",
    "warmaster-shooting": "warmaster-volleys",
    "stp": "shot-broken",
}
CODES = pytest.mark.parametrize("code", list(RULESETS))
SEED, ORDERS = 7, 8


@cache
def kept(name: str) -> tuple[bytes, BattleFile]:
    """A kept battle, as bytes and read."""
    content = (GOLDEN / f"{name}.battle").read_bytes()
    return content, battle_file.parse(content)


def place_of(name: str, share: int = 2) -> int:
    """A place of a kept battle; the middle one, or another share of it."""
    events = kept(name)[1].events
    return place_before(events, len(events) // share)


def played(found: Beginning, orders: int = ORDERS) -> OfflineBattle:
    """A branch that random bots play on."""
    battle = branched(found, SEED)
    for side in SIDES:
        battle.seat_bot(side, "random")
    play_on(battle, orders)
    return battle


def report_of(battle: OfflineBattle | bytes, source: bytes | None = None) -> Report:
    content = battle if isinstance(battle, bytes) else battle.file()
    return verify(content, source=None if source is None else Evidence("the source", source))


# --- the protocol and the rules hold


@pytest.mark.parametrize("code", thinned(RULESETS, len(RULESETS)))
def test_a_branch_of_an_ended_battle_is_proven(code: str) -> None:
    name = ENDED[code]
    content, source = kept(name)
    n = place_of(name)
    battle = played(beginning(content, name, n, "en"))
    report = report_of(battle, content)
    assert (report.exit, report.fault) in ((OK, None), (NOT_ALL_JUDGED, None))
    assert report.is_of_source
    assert report.branch == Branch(source.log.header.battle, source.log.header.host, n, source.log.hashes[n].hex(), ALL)
    assert report.judged > ORDERS


@pytest.mark.slow
@pytest.mark.parametrize("code", thinned(RULESETS, len(RULESETS)))
def test_random_positions_go_on_and_are_proven(code: str) -> None:
    """A sample of `python -m benchmarks.branches`: all games, all who may know."""
    assert len(list(tried(GAMES[code], SEED, 2))) > 0


def test_a_branch_is_a_battle_of_its_own() -> None:
    content, source = kept("medals")
    one, other = (branched(beginning(content, "a", place_of("medals"), "en"), seed) for seed in (1, 2))
    gids = {source.log.header.battle, one.recording.gid, other.recording.gid}
    assert len(gids) == 3
    assert len({battle.recording.battle.commitment for battle in (one, other)} | {source.timeline.now.commitment}) == 3


def phase_of(battle: OfflineBattle) -> str:
    return str(battle.recording.battle.game.phase)


# --- at every kind of moment


def test_a_branch_of_the_set_up_begins_like_any_battle() -> None:
    content, source = kept("phases")
    n = next(n for n in range(1, 30) if ends_block(source.events, n))
    battle = played(beginning(content, "phases", n, "en"))
    types = [recorded.type for recorded in battle.events()]
    assert types.index("PhaseBegan") == types.index("BattleBegan") + 1
    assert report_of(battle, content).is_of_source


def test_a_branch_of_the_turns_goes_on_in_its_phase_and_sets_nothing_up_again() -> None:
    content, _ = kept("medals")
    battle = branched(beginning(content, "medals", place_of("medals"), "en"), SEED)
    assert (phase_of(battle), battle.to_act) == ("", ())
    take_seats(battle, "both", "random")
    assert phase_of(battle) == "turns"
    assert len(battle.to_act) == 1
    assert [recorded.type for recorded in battle.events()].count("PhaseBegan") == 0


@CODES
def test_a_question_that_waits_is_put_again_and_its_agenda_goes_on(code: str) -> None:
    for name in sorted(path.stem for path in GOLDEN.glob("*.battle")):
        content, source = kept(name)
        asked = [recorded.n for recorded in source.events if isinstance(recorded.event, DecisionAsked)]
        places = [n for n in asked if source.ruleset.code == code and ends_block(source.events, n)]
        if places and not (name == "unfinished" or source.timeline.at(places[0]).ended):
            break
    else:
        pytest.fail(f"no question waits in a kept battle of {code}")
    waiting = source.timeline.at(places[0]).game.waiting
    battle = played(beginning(content, name, places[0], "en"), orders=0)
    assert battle.recording.battle.game.waiting == waiting
    assert battle.to_act == (waiting.side,)
    play_on(battle, ORDERS)
    assert report_of(battle, content).is_of_source


def test_nothing_begins_where_the_battle_is_over() -> None:
    content, source = kept("medals")
    ended = next(recorded.n for recorded in source.events if recorded.type == "BattleEnded")
    with pytest.raises(Refusal) as refusal:
        branched(beginning(content, "medals", place_after(source.events, ended), "en"), SEED)
    assert refusal.value.code == "core.branch-over"


def test_nothing_begins_in_the_middle_of_an_order() -> None:
    content, source = kept("medals")
    n = next(n for n in range(40, 400) if not ends_block(source.events, n))
    with pytest.raises(Refusal) as refusal:
        beginning(content, "medals", n, "en")
    assert refusal.value.code == "core.branch-inside"
    before, after = refusal.value.params["before"], refusal.value.params["after"]
    assert before < n < after
    for place in (before, after):
        assert beginning(content, "medals", place, "en").branch.n == place


def test_nothing_begins_behind_a_contribution_whose_order_is_to_come() -> None:
    _, source = kept("medals")
    given = [recorded for recorded in source.events if recorded.type == "ContributionGiven"]
    alone = {recorded.n: recorded.event.channel is not UNSET for recorded in given}  # type: ignore[attr-defined]
    assert {ends_block(source.events, n) for n, is_alone in alone.items() if not is_alone} == {False}


@pytest.mark.slow
def test_a_branch_begins_after_what_a_rewind_took_back_and_after_the_rewind() -> None:
    source = source_of(GAMES["tts"], SEED, 1)
    recording = source.recording
    places = [n for n in range(1, recording.battle.n + 1) if ends_block(list(source.events()), n)]
    to, voided = places[len(places) // 2], places[-2]
    fact = Fact("server", Rewound.RULE, Rewound(to))
    source._adopt(recording.prepare([Entered(fact, fact)], source.clock.now()))
    assert not recording.timeline.counts(voided)
    for n in (voided, recording.battle.n):
        state = recording.timeline.at(n).game
        branch = Branch(recording.gid, HOST, n, recording.head_at(n).hash, STRANGER)
        battle = played(Beginning(source.ruleset, next(source.events()).event, state, branch))
        assert battle.recording.battle.game.rewinds == 0
        assert report_of(battle).fault is None


def test_a_branch_that_nobody_has_begun_is_a_puzzle_for_others() -> None:
    content, _ = kept("medals")
    puzzle = branched(beginning(content, "medals", place_of("medals"), "en"), SEED)
    battle = played(beginning(puzzle.file(), "the puzzle", 0, "en"))
    assert phase_of(battle) == "turns"
    report = report_of(battle, puzzle.file())
    assert report.branch is not None
    assert (report.is_of_source, report.branch.known) == (True, ALL)


def test_a_branch_has_branches() -> None:
    content, _ = kept("medals")
    first = played(beginning(content, "medals", place_of("medals"), "en"))
    middle = first.file()
    second = played(beginning(middle, "the branch", 0, "en"))
    report = report_of(second, middle)
    assert report.is_of_source
    assert report.branch is not None
    assert report.branch.battle == first.recording.gid
    assert report_of(second, content).fault is not None


# --- what somebody knows


@pytest.mark.parametrize("number", [2, 4, 6, 8])
def test_a_strangers_branch_of_a_running_battle_holds_no_secret(number: int) -> None:
    """Whatever the sides hide there, the position is the same."""
    source = source_of(GAMES["tts"], SEED, number)
    ruleset, recording = source.ruleset, source.recording
    events = list(source.events())
    public = battle_file.parse(source.file())
    for n in some([n for n in range(1, len(events) + 1) if ends_block(events, n)][:: max(1, len(events) // 12)]):
        state = recording.timeline.at(n).game
        if state.winner is not None:
            continue
        branch = Branch(recording.gid, HOST, n, recording.head_at(n).hash, STRANGER)
        opened = next(source.events()).event
        whole, known = (
            Beginning(ruleset, opened, one, branch).facts[0].event
            for one in (state, ruleset.secrets.known(public.timeline.at(n).game, NOBODY))
        )
        assert whole == known


def hands(battle: OfflineBattle) -> list[list[str]]:
    """The stratagems in the hands of a branch, southern first."""
    armies = battle.recording.battle.game.armies
    return [[held.card for held in armies[side].hand] for side in SIDES]


@pytest.mark.slow
def test_what_is_hidden_is_dealt_anew_from_what_it_may_be() -> None:
    content, source = kept("unfinished")
    places = [n for n in range(1, source.last + 1) if ends_block(source.events, n)]
    hiding = [n for n in places if any(army.hand for army in source.timeline.at(n).game.armies.values())]
    found = set()
    for n in hiding[:: max(1, len(hiding) // 8)]:
        begun = beginning(content, "unfinished", n, "en")
        assert begun.branch.known == STRANGER
        dealt = hands(branched(begun, 1))
        known = source.timeline.at(n).game.armies
        assert [len(hand) for hand in dealt] == [len(known[side].hand) for side in SIDES]
        assert "" not in dealt[0] + dealt[1]
        assert hands(branched(begun, 2)) == dealt  # whoever branches here begins with the same
        found.add(str(dealt))
    assert len(found) > 1


def test_a_branch_that_is_played_once_more_begins_with_the_same_position() -> None:
    content, source = kept("unfinished")
    n = place_before(source.events, source.last)
    branch = branched(beginning(content, "unfinished", n, "en"), 1)
    opened: Any = next(branch.events()).event
    facts = facts_of_rematch(branch.ruleset, opened)
    again = OfflineBattle(branch.ruleset, facts, branch.clock, branch.entropy)
    report = report_of(again, content)
    assert (report.fault, report.is_of_source) == (None, True)


def test_a_side_takes_along_what_it_knows_and_no_more() -> None:
    source = source_of(GAMES["tts"], SEED, 2)
    ruleset, recording = source.ruleset, source.recording
    n = place_before(list(source.events()), recording.battle.n)
    state = recording.timeline.at(n).game
    for side in SIDES:
        branch = Branch(recording.gid, HOST, n, recording.head_at(n).hash, side)
        other = OTHER[side]
        changed = ruleset.secrets.known(state, side)
        opened = next(source.events()).event
        whole, known = (Beginning(ruleset, opened, one, branch).facts[0].event for one in (state, changed))
        assert whole == known
        thawed: Any = ruleset.thaw(whole.position.state)  # type: ignore[attr-defined]
        assert [held.card for held in thawed.armies[side].hand] == [held.card for held in state.armies[side].hand]
        assert not any(order.side == other for order in thawed.standing)


# --- what a file says of itself


def changed(battle: OfflineBattle, change: Any) -> bytes:
    """The file of a branch whose first event tells something else; its host signs it."""
    header, events = taken_apart(battle.file())
    change(events[0]["data"])
    return put_together(header, events, battle.signer)


LIES: list[tuple[str, Any, str]] = [
    ("no position", lambda data: data.pop("position"), "bad-branch"),
    ("no branch", lambda data: data.pop("branch"), "bad-branch"),
    ("another turn", lambda data: data["position"].update(t=data["position"]["t"] + 1), "bad-branch"),
    ("another mover", lambda data: data["position"].update(mover="east"), "bad-branch"),
    ("before the first event", lambda data: data["branch"].update(n=0), "bad-branch"),
    ("nobody's knowledge", lambda data: data["branch"].update(known="the umpire"), "bad-branch"),
    ("half a head", lambda data: data["branch"].update(head="00"), "bad-hex"),
    ("a card twice", lambda data: data["position"]["decks"]["south"]["kept"].append("1c1"), "bad-branch"),
    ("a card of no deck", lambda data: data["position"]["decks"]["south"]["cards"].append("11c1"), "bad-branch"),
    (
        "another deck",
        lambda data: data["position"]["decks"].update(east=data["position"]["decks"]["south"]),
        "bad-branch",
    ),
    ("a unit of no type", lambda data: data["position"]["state"]["units"][0][1].update(type="dragons"), "bad-position"),
    ("a member of no state", lambda data: data["position"]["state"].update(luck=1), "bad-position"),
    ("a stranger member", lambda data: data["branch"].update(rated=True), "wrong-data"),
]


@pytest.mark.parametrize(("change", "what"), thinned([lie[1:] for lie in LIES], 4), ids=[lie[0] for lie in LIES])
def test_a_branch_that_does_not_hang_together_is_at_fault(change: Any, what: str) -> None:
    content, _ = kept("medals")
    battle = branched(beginning(content, "medals", place_of("medals"), "en"), SEED)
    assert report_of(battle).fault is None
    report = report_of(changed(battle, change))
    assert report.fault is not None
    assert report.fault.n == 1
    assert report.fault.what == what


@pytest.mark.slow
def test_a_position_that_is_too_deep_or_too_large_is_a_fault_and_nothing_is_made_of_it() -> None:
    content, _ = kept("medals")
    battle = branched(beginning(content, "medals", place_of("medals"), "en"), SEED)

    def deeper(data: Any) -> None:
        for _ in range(22):
            data["position"]["state"]["done"] = [data["position"]["state"].get("done", [])]

    def larger(data: Any) -> None:
        data["position"]["state"]["done"] = [""] * 200_000

    for change in (deeper, larger):
        report = report_of(changed(battle, change))
        assert report.fault is not None
        assert report.fault.what == "bad-position"
        with pytest.raises(battle_file.UnreadableFile):
            battle_file.parse(changed(battle, change))


def test_another_position_is_noticed_with_the_source_alone() -> None:
    content, _ = kept("medals")
    battle = branched(beginning(content, "medals", place_of("medals"), "en"), SEED)

    def luckier(data: Any) -> None:
        army = data["position"]["state"]["armies"][0][1]
        army["medals"] = army["medals_full"]

    content_changed = changed(battle, luckier)
    trusted, compared = report_of(content_changed), report_of(content_changed, content)
    assert trusted.fault is None
    assert not trusted.is_of_source
    assert compared.fault is not None
    assert compared.fault.what == "other-position"


@pytest.mark.slow
def test_a_wrong_source_fails() -> None:
    content, source = kept("medals")
    battle = branched(beginning(content, "medals", place_of("medals"), "en"), SEED)
    for name, member in (("resignation", "battle"), ("singidunum-goal", "battle")):
        report = report_of(battle, kept(name)[0])
        assert report.fault is not None
        assert report.fault.what == "other-source"
        assert member in report.fault.sentence

    def later(data: Any) -> None:
        data["branch"]["n"] = place_after(source.events, data["branch"]["n"] + 1)

    def elsewhere(data: Any) -> None:
        later(data)
        data["branch"]["head"] = source.log.hashes[data["branch"]["n"]].hex()

    for change, what in ((later, "other-source"), (elsewhere, "other-position")):
        report = report_of(changed(battle, change), content)
        assert report.fault is not None
        assert report.fault.what == what


def test_a_battle_that_is_no_branch_has_no_source() -> None:
    content, _ = kept("medals")
    report = report_of(content, content)
    assert report.fault is not None
    assert report.fault.what == "not-a-branch"


def test_what_is_neither_a_battle_nor_a_case_is_no_source() -> None:
    content, _ = kept("medals")
    battle = branched(beginning(content, "medals", place_of("medals"), "en"), SEED)
    for given in (b"", b"a note", b"{}\n", b'ruleset = "none"'):
        report = report_of(battle, given)
        assert report.fault is not None
        assert report.fault.sentence.startswith("the source: ")


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_the_verdict_says_what_is_taken_on_trust(lang: str) -> None:
    content, source = kept("medals")
    battle = branched(beginning(content, "medals", place_of("medals"), "en"), SEED)
    trusted, compared = (
        "\n".join(verdict.lines(report, lang)) for report in (report_of(battle), report_of(battle, content))
    )
    assert source.log.header.battle in trusted
    assert "--source" in trusted
    assert "--source" not in compared


# --- cases of the lab


def test_a_case_branches_after_each_of_its_orders() -> None:
    content = case_path(201, "singidunum").read_bytes()
    battle = played(beginning(content, "a case", 0, "en"), orders=3)
    report = report_of(battle, content)
    assert report.is_of_source
    assert report.branch is not None
    assert (report.branch.battle, report.branch.known) == ("", ALL)
    changed_case = content + b"\n# another hand\n"
    assert report_of(battle, changed_case).fault is not None


def test_a_case_does_not_branch_in_the_middle_of_an_order() -> None:
    content = case_path(201, "singidunum").read_bytes()
    last = beginning(content, "a case", 0, "en").branch.n
    with pytest.raises(Refusal) as refusal:
        beginning(content, "a case", last - 1, "en")
    assert refusal.value.code == "core.branch-inside"


def test_a_file_without_rules_here_is_checked_as_far_as_it_goes() -> None:
    """What a stranger's verifier can do with the page of the format alone."""
    content, _ = kept("medals")
    battle = played(beginning(content, "medals", place_of("medals"), "en"))
    header, events = taken_apart(battle.file())
    header["rules"] = events[0]["data"]["position"]["rules"] = "9.9"
    report = verify(put_together(header, events, battle.signer))
    assert report.fault is None
    assert report.draws > 0
    assert report.draws == report.checked + report.bound + report.secret


def test_a_standing_order_of_the_source_is_numbered_as_one_of_another_log() -> None:
    """Its number counts back from the start of the branch, so that it names no event there."""
    battle = OfflineBattle(RULESETS["tts"], tiny_scenario(), SeededClock("standing"), SeededEntropy("standing"))
    for side in SIDES:
        battle.seat_person(side, side)
    (accepted, *_, standing) = battle.order("south", "standing evade R1 always")
    assert (accepted.type, standing.type) == ("OrderAccepted", "StandingOrderSet")
    source = battle_file.parse(battle.file())
    place = source.last
    state = battle.recording.timeline.at(place).game
    branch = Branch("source", "h.example", place, "0" * 64, ALL)
    (order,) = branch_of(RULESETS["tts"], state, branch).standing
    assert (state.standing[0].n, order.n) == (standing.n, standing.n - place - 1)
    assert order.n < 0
