"""A script takes the path that its cards and the battle send it."""

from msgspec.structs import replace

from domain.basics.errors import Refusal
from domain.events.battle import DecisionAsked
from domain.games.to_the_strongest.state.state import State, with_unit
from domain.scripts.course import ScriptCourse
from domain.scripts.cursor import ENDS, MOST_ORDERS, ScriptCursor, accepted, advance, refused
from domain.scripts.reading import read
from domain.scripts.report import outcomes
from tests.support.drilling import FIRST, TTS, Field, begun, drill, why
from tests.toys.duel import TOY


def doomed(state: State) -> State:
    """North has one medal left, and N2 can take one more hit."""
    state = with_unit(state, replace(state.units["N2"], losses=1))
    return replace(state, armies=state.armies | {"north": replace(state.armies["north"], medals=1)})


# --- plain requests


def test_the_first_refusal_stops() -> None:
    drilled = drill("R1 ahead\nX9 ahead\nend turn", 5)
    assert drilled.statuses == ["accepted", "refused", "not-played"]
    assert drilled.given == ("R1 ahead", "X9 ahead")


def test_what_a_card_has_made_impossible_is_skipped() -> None:
    """R2 fails, and with it corps I: its shot would have become possible, and the move of R1 was."""
    drilled = drill("R2 ahead\nR2 shoot N2\nR1 ahead\nR3 ahead\nend turn", 1, 4)
    assert drilled.statuses == ["accepted", "skipped", "skipped", "accepted", "accepted"]
    assert why(drilled, 1) == why(drilled, 2) == "tts.corps-ended"


def test_what_no_card_could_have_made_possible_stops_behind_a_failure() -> None:
    """R3 could not reach E5 from where it began, nor had R2 passed."""
    drilled = drill("R2 ahead\nR3 charge E5\nend turn", 1)
    assert drilled.statuses == ["accepted", "refused", "not-played"]


def test_an_order_that_ends_what_a_failure_has_ended_is_not_needed() -> None:
    """`done` would be refused at the start, too: but had R2 passed, it would not."""
    drilled = drill("R2 ahead\ndone\nR3 ahead", 1, 4)
    assert drilled.statuses == ["accepted", "skipped", "accepted"]
    assert why(drilled, 1) == "tts.no-corps-open"


def test_done_where_nothing_is_open_any_more_is_skipped() -> None:
    """It would be refused at the start, and had everything passed: but what it wants has come true."""
    assert drill("R2 ahead\ndone\ndone\nend turn", 5).statuses == ["accepted", "accepted", "skipped", "accepted"]


def test_done_without_anything_to_end_stops() -> None:
    assert drill("done\nR3 ahead").statuses == ["refused", "not-played"]


def test_a_rally_of_a_unit_that_has_no_disorder_left_is_not_needed() -> None:
    drilled = drill("R1 ahead\nR2 rally\nR3 ahead", 5, 4)
    assert drilled.statuses == ["accepted", "skipped", "accepted"]
    assert why(drilled, 1) == "tts.not-disordered"
    assert drill("R2 rally\nR1 ahead").statuses == ["refused", "not-played"]


def test_a_unit_that_must_beat_its_own_card_could_have_passed_twice() -> None:
    """Had R1 drawn its highest card at first, no second try could have passed, and corps I would have ended in any
    case: so it is imagined to pass with no more than it needs."""
    deck = FIRST.armies["south"].deck
    few = replace(FIRST.armies["south"], deck=replace(deck, pile=("2c1", "3c1", "5c1", "6c1", "9c1")))
    state = replace(FIRST, armies=FIRST.armies | {"south": few})
    drilled = drill("R1 ahead\nR1 ahead\nreplay no\nR2 charge E5", 5, 2, state=state)
    assert (drilled.statuses[3], why(drilled, 3)) == ("skipped", "tts.corps-ended")


def test_a_hope_that_wins_the_battle_says_nothing_of_the_rest() -> None:
    """R2 could have destroyed N2 and won: what its writer meant for any other case is not judged by that."""
    state = doomed(FIRST)
    missed = drill("R2 shoot F4\nR1 charge E5\nend turn", 5, 1, state=state)
    assert missed.statuses == ["accepted", "skipped", "accepted"]
    assert drill("R2 shoot F4\nX9 ahead", 5, 1, state=state).statuses == ["accepted", "refused"]


def test_what_is_refused_for_the_sake_of_a_unit_that_had_an_order_depends_on_it() -> None:
    course = ScriptCourse(Field(TTS, FIRST, "south"))
    course.tried("R2 ahead")
    for other, is_wrong in (("R2", False), ("R3", True)):
        refusal = Refusal("tts.not-in-front-zone", "TTS-GEO-14", unit="R4", other=other)
        assert course.is_wrong("R4 charge E5", refusal, FIRST) is is_wrong


def test_an_answer_to_what_was_not_asked_is_not_needed() -> None:
    assert drill("R1 ahead\nreplay no\nR2 ahead", 5, 4).statuses == ["accepted", "skipped", "accepted"]
    assert drill("replay no\nR1 ahead").statuses == ["refused", "not-played"]


def test_what_comes_after_the_turn_is_not_played_and_what_is_free_is() -> None:
    drilled = drill("end turn\nR1 ahead\nstanding evade R4 never")
    assert drilled.statuses == ["accepted", "not-played", "accepted"]
    assert why(drilled, 1) == "core.not-your-turn"


def test_an_order_to_another_corps_opens_it() -> None:
    drilled = drill("R1 ahead\nR3 ahead\nR2 ahead\nend turn", 5, 4)
    assert drilled.given == ("R1 ahead", "R3 ahead", "corps II", "R3 ahead", "R2 ahead", "end turn")
    assert drilled.statuses == ["accepted", "accepted", "skipped", "accepted"]
    assert (why(drilled, 1), len(drilled.outcomes[1].spans)) == ("core.given-first", 2)
    assert why(drilled, 2) == "tts.corps-ended"


def test_no_corps_is_opened_for_an_order_that_would_be_refused_all_the_same() -> None:
    drilled = drill("R1 ahead\nR3 charge E5\nR2 ahead", 5)
    assert drilled.statuses == ["accepted", "refused", "not-played"]
    assert drilled.state.armies["south"].opened == "I"


def test_a_repeat_of_another_corps_opens_it_once() -> None:
    drilled = drill("R1 ahead\nrepeat 2 R3 ahead\nend turn", 5, 3, 5)
    assert drilled.given == ("R1 ahead", "R3 ahead", "corps II", "R3 ahead", "R3 ahead", "end turn")


def test_a_failure_is_no_refusal() -> None:
    drilled = drill("R2 ahead\nR3 ahead", 1, 4)
    assert drilled.statuses == ["accepted", "accepted"]


def test_of_an_if_that_has_not_come_neither_branch_is_the_other() -> None:
    drilled = drill("X9 ahead\nif it fails: R1 ahead\nelse: R2 ahead\nend turn")
    assert drilled.statuses == ["refused", *["not-played"] * 3]


# --- try


def test_what_is_only_tried_does_not_stop() -> None:
    drilled = drill("try R1 charge E5\nR1 ahead", 5)
    assert drilled.statuses == ["skipped", "accepted"]
    assert why(drilled, 0).startswith("tts.")


def test_a_refused_try_has_failed() -> None:
    drilled = drill("try R1 charge E5\nif it is refused and it fails: R1 ahead\nelse: stop", 5)
    assert drilled.given == ("R1 charge E5", "R1 ahead")


def test_a_refusal_that_meets_every_order_stops_a_try() -> None:
    script = read("try R1 ahead\ntry R2 ahead", TTS.orders.parse)
    for code in ENDS:
        cursor, _ = advance(script, ScriptCursor(), Field(TTS, FIRST, "south"))
        field = Field(TTS, FIRST, "south")
        cursor, marks = refused(script, cursor, Refusal(code, "CORE"), ScriptCourse(field), field.known)
        assert cursor.is_over
        assert [outcome.status for outcome in outcomes(script, cursor, marks)] == ["refused", "not-played"]


# --- repeat


def test_a_repeat_ends_before_too_much_is_needed() -> None:
    drilled = drill("repeat R1 ahead until it fails or needs more than 7\nR2 ahead", 3, 5, 8, 4)
    assert drilled.given == ("R1 ahead",) * 3 + ("R2 ahead",)
    assert len(drilled.outcomes[0].spans) == 3
    assert drilled.outcomes[0].spans[0][0] == drilled.outcomes[0].first
    assert drilled.outcomes[0].spans[-1][1] == drilled.outcomes[0].last
    assert why(drilled, 0) == "core.repeat-until"


def test_a_repeat_ends_when_it_fails_without_saying_so() -> None:
    drilled = drill("repeat 3 R2 turn right\nR3 ahead", 4, 1, 5)
    assert drilled.given == ("R2 turn right", "R2 turn right", "R3 ahead")
    assert why(drilled, 0) == "core.repeat-failed"


def test_a_repeat_has_its_number_of_rounds() -> None:
    drilled = drill("repeat 2 R1 ahead\nR2 turn left", 3, 5, 9)
    assert drilled.given == ("R1 ahead", "R1 ahead", "R2 turn left")
    assert why(drilled, 0) == "core.repeat-rounds"


def test_a_repeat_ends_where_its_side_is_asked_something() -> None:
    script = read("repeat 3 R1 ahead\nend turn", TTS.orders.parse)
    asked = replace(FIRST, waiting=DecisionAsked("south", "evade", "R1", ("yes", "no")))
    cursor, marks = advance(script, replace(ScriptCursor(), rounds=1), Field(TTS, asked, "south"))
    assert [mark.why.code for mark in marks if mark.why] == ["core.repeat-asked"]
    assert cursor.given is None or cursor.given.text == "end turn"


def test_a_repeat_that_has_gone_as_far_as_it_may_goes_on_below() -> None:
    drilled = drill("repeat R4 ahead until R4 at H8\nend turn", 3, 5)
    assert drilled.statuses == ["accepted", "accepted"]
    assert why(drilled, 0).startswith("tts.")


def test_a_repeat_that_is_refused_at_once_stops() -> None:
    drilled = drill("repeat 3 R1 charge E5\nR2 ahead")
    assert drilled.statuses == ["refused", "not-played"]
    assert drill("try repeat 3 R1 charge E5\nR2 ahead", 4).statuses == ["skipped", "accepted"]


def test_a_repeat_whose_condition_holds_gives_nothing() -> None:
    drilled = drill("repeat R1 ahead until R1 at D2\nR2 ahead", 4)
    assert drilled.statuses == ["skipped", "accepted"]
    assert why(drilled, 0) == "core.repeat-until"


def test_the_last_card_of_a_repeat_is_its_own() -> None:
    """The 9 before it does not end it."""
    drilled = drill("R2 turn left\nrepeat 3 R1 ahead until last card is 6 or more", 9, 3, 6)
    assert drilled.given == ("R2 turn left", "R1 ahead", "R1 ahead")


# --- conditions


def test_one_branch_is_played_and_the_other_skipped() -> None:
    text = "R2 ahead\nif it fails\nR3 ahead\nelse\nR1 ahead\nend if\nend turn"
    failed, passed = drill(text, 1, 4), drill(text, 5, 4)
    assert failed.given == ("R2 ahead", "R3 ahead", "end turn")
    assert failed.statuses == ["accepted", "accepted", "accepted", "skipped", "accepted"]
    assert why(failed, 3) == "core.other-branch"
    assert passed.given == ("R2 ahead", "R1 ahead", "end turn")
    assert passed.statuses == ["accepted", "skipped", "skipped", "accepted", "accepted"]
    assert why(passed, 1) == "core.condition-false"


def test_else_if_is_asked_where_the_first_is_not_so() -> None:
    text = "R2 turn left\nif last card below 4: R3 ahead\nelse if last card below 8: R1 ahead\nelse: end turn"
    assert drill(text, 3, 5).given[1:] == ("R3 ahead",) or drill(text, 3, 5).statuses[1] == "refused"
    assert drill(text, 6, 5).given[1:] == ("R1 ahead",)
    assert drill(text, 9).given[1:] == ("end turn",)


def test_the_state_is_asked_as_it_is_then() -> None:
    drilled = drill(
        "if D3 is empty: R1 ahead\nif R1 at D3 and D3 is not empty: R2 turn left\nif N2 is destroyed: stop", 4, 5
    )
    assert drilled.given == ("R1 ahead", "R2 turn left")
    assert drilled.statuses == ["accepted", "accepted", "skipped"]


def test_an_exception_takes_a_condition_back() -> None:
    text = "R1 ahead\nif it passes unless last card is 9 or more: R1 ahead\nelse: R2 turn left"
    assert drill(text, 5, 9).given[1:] == ("R1 ahead",)
    played = drill(text, 9, 9)
    assert played.given[1:] == ("R2 turn left",)
    refusal = played.outcomes[1].why
    assert refusal and refusal.params == {"condition": "it passes unless last card is 9 or more"}


def test_what_an_order_needs_is_known_before() -> None:
    text = "R1 ahead\nif R1 ahead needs at most 6: R1 ahead\nelse: R2 turn left"
    assert drill(text, 5, 9).given[1:] == ("R1 ahead",)
    assert drill(text, 6, 9).given[1:] == ("R2 turn left",)


def test_an_order_that_is_not_allowed_needs_nothing() -> None:
    text = "if R1 charge E5 needs at most 10: stop\nelse if R1 charge E5 needs more than 0: stop\nelse: R1 ahead"
    assert drill(text, 5).given == ("R1 ahead",)


def test_a_condition_about_nobody_is_refused() -> None:
    for text in ("if X9 is disordered: R1 ahead", "if R1 at Z9: R1 ahead", "if X9 ahead needs 5: R1 ahead"):
        drilled = drill(f"{text}\nR2 ahead")
        assert drilled.statuses == ["refused", "not-played"]
        assert drilled.given == ()


def test_a_miss_is_no_failure() -> None:
    text = "R2 shoot F4\nif it fails: end turn\nif it misses: R1 ahead\nif it hits: end turn"
    assert drill(text, 4, 2, 5).given == ("R2 shoot F4", "R1 ahead")
    assert drill(text, 1).given == ("R2 shoot F4", "end turn")
    assert drill(text, 4, 9, north=(10, 10)).given == ("R2 shoot F4", "end turn")


# --- stop


def test_a_stop_leaves_the_rest() -> None:
    text = "R1 ahead\nstop after a 7\nR2 turn left"
    stopped = drill(text, 8)
    assert stopped.statuses == ["accepted", "accepted", "not-played"]
    assert why(stopped, 2) == "core.script-stopped"
    assert drill(text, 7).given == ("R1 ahead",)
    assert drill(text, 6, 5).statuses == ["accepted", "skipped", "accepted"]


# --- the side's own questions


def test_a_policy_answers_by_what_is_needed() -> None:
    text = "on replay: yes if needs at most 6, else no\nR1 ahead\nR1 ahead\nif it fails: end turn\nelse: R1 ahead"
    worth = drill(text, 5, 3, 7, 9)
    assert worth.given == ("R1 ahead", "R1 ahead", "replay yes", "R1 ahead")
    assert len(worth.outcomes[0].spans) == 1
    assert worth.statuses[3:] == ["skipped", "accepted"]
    vain = drill(text, 6, 3)
    assert vain.given == ("R1 ahead", "R1 ahead", "replay no", "end turn")


def test_without_a_policy_the_next_line_may_answer() -> None:
    drilled = drill("R1 ahead\nif it fails: replay yes\nR1 ahead", 1, 5, 8)
    assert drilled.given == ("R1 ahead", "replay yes", "R1 ahead")
    assert drill("R1 ahead\nR2 ahead", 1).statuses == ["accepted", "not-played"]


def test_a_question_ends_a_repeat_so_that_it_can_be_answered() -> None:
    drilled = drill("repeat R1 ahead until it fails\nreplay yes\nR2 ahead", 5, 2, 7, 4)
    assert drilled.given == ("R1 ahead", "R1 ahead", "replay yes", "R2 ahead")


def test_an_answer_that_the_rules_refuse_makes_way_for_the_next() -> None:
    drilled = drill("on replay: yes with G2, yes with G1\nR1 ahead", 1, 5)
    assert drilled.given == ("R1 ahead", "replay yes with G2", "replay yes with G1")
    assert drilled.statuses == ["accepted", "accepted"]
    assert drilled.state.waiting is None


def test_the_replayed_card_is_the_last_one() -> None:
    drilled = drill("on replay: yes\nR1 ahead\nif last card is 4: R2 turn left", 1, 4, 5)
    assert drilled.given[-1] == "R2 turn left"


# --- bounds


def test_a_script_tries_so_many_orders_at_most() -> None:
    text = "\n".join(["repeat 20 standing evade R4 never"] * 30)
    drilled = drill(text)
    assert len(drilled.given) == MOST_ORDERS
    assert drilled.statuses == ["accepted"] * 20 + ["refused"] + ["not-played"] * 9
    assert why(drilled, 20) == "core.script-too-long"


# --- any game


def test_any_game_can_have_scripts() -> None:
    state = begun(TOY, 'ruleset = "toy"')
    state = replace(state, phase="duel", active="south")
    script = read(
        "if man south 100: walk 200\nelse: throw\nif walk 200 needs 0: walk 100", TOY.orders.parse, TOY.orders.senses
    )
    field = Field(TOY, state, "south")
    cursor, _ = advance(script, ScriptCursor(), field)
    assert cursor.given and cursor.given.text == "walk 200"
    cursor, _ = accepted(script, cursor, 1, 1)
    cursor, _ = advance(script, cursor, field)
    assert cursor.given and cursor.given.text == "walk 100"  # what it needs is found among the options


def test_a_later_order_to_a_unit_depends_on_the_earlier_one() -> None:
    """R1 moves, and stands where it cannot charge: neither at the start nor now, but not wrong from the start."""
    drilled = drill("R1 ahead\nR1 charge H8\nR2 ahead", 5, 4)
    assert drilled.statuses == ["accepted", "skipped", "accepted"]
    assert drill("R1 ahead\nR1 charge Z99\nR2 ahead", 5, 4).statuses == ["accepted", "refused", "not-played"]


def test_a_contribution_alone_names_nothing() -> None:
    course = ScriptCourse(Field(TTS, FIRST, "south"))
    course.tried("")
    assert not course.is_wrong("R1 ahead", Refusal("tts.corps-ended", "TTS-TRN-04"), FIRST)
