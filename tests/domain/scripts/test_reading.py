"""Every line of a script can be read in either language, and each bad one is named."""

import pytest

from domain.basics.commands import Command
from domain.basics.errors import Refusal
from domain.basics.spelling import plain_word
from domain.catalogue import RULESETS
from domain.contract.script_words import words_of
from domain.mechanics.conditions import ALWAYS, MOST, MOST_TESTS, Condition, bounds
from domain.scripts.conditions import GameTest, Grammar, It, LastDraw, Needs, Test, condition_of
from domain.scripts.program import BranchTo, GiveOrder, Jump, Policy, Repeat, ScriptLine, Stop
from domain.scripts.reading import DEEPEST, MOST_LETTERS, MOST_LINES, MOST_READING, MOST_ROUNDS, Unreadable, read

TTS = RULESETS["tts"]
GRAMMAR = Grammar(TTS.orders.parse, TTS.orders.senses, about_order=True)


def condition(text: str) -> Condition[Test]:
    return condition_of(words_of(text), GRAMMAR)


def script(text: str):
    return read(text, TTS.orders.parse, TTS.orders.senses)


def faults(text: str) -> list[tuple[int, str]]:
    """The bad lines of a text, each with its code."""
    with pytest.raises(Unreadable) as caught:
        script(text)
    return [(fault.line.number, fault.refusal.code) for fault in caught.value.faults]


# --- plain requests


def test_orders_alone_are_a_plain_script() -> None:
    read_ = script("R1 ahead # go\n\n  r2 avance\nend turn")
    assert read_.is_plain
    assert read_.orders == (ScriptLine(1, "R1 ahead", 1), ScriptLine(3, "r2 avance", 2), ScriptLine(4, "end turn", 3))
    assert [step.text for step in read_.program if isinstance(step, GiveOrder)] == ["R1 ahead", "r2 avance", "end turn"]


def test_a_semicolon_ends_an_order_not_a_line() -> None:
    read_ = script("R1 ahead; R2 ahead ;R3 ahead # three")
    assert [(step.line, step.text) for step in read_.program if isinstance(step, GiveOrder)] == [
        (0, "R1 ahead"),
        (0, "R2 ahead"),
        (0, "R3 ahead"),
    ]
    assert not read_.is_plain


def test_what_the_game_reads_as_an_order_is_an_order() -> None:
    """A unit may be called like a word of scripts."""
    for name in ("STOP", "TRY", "REPEAT", "IF", "ON", "ELSE"):
        assert script(f"{name} ahead").program == (GiveOrder(0, f"{name} ahead"),)


def test_indentation_and_case_mean_nothing() -> None:
    plain = script("R1 ahead\nif it fails\nR2 ahead\nelse\nR3 ahead\nend if")
    odd = script("   R1 ahead\n\tIF It Fails:\n            R2 ahead\n Else:\n  R3 ahead\n\n      End If")
    assert [type(step) for step in plain.program] == [type(step) for step in odd.program]
    assert [getattr(step, "to", None) for step in plain.program] == [getattr(step, "to", None) for step in odd.program]


# --- blocks


def test_an_if_jumps_to_its_else_and_over_it() -> None:
    program = script(
        "R1 ahead\nif it fails\nR2 ahead\nelse if R1 at E4\nR3 ahead\nelse\nstop\nend if\nend turn"
    ).program
    assert [type(step) for step in program] == [
        GiveOrder,
        BranchTo,
        GiveOrder,
        Jump,
        BranchTo,
        GiveOrder,
        Jump,
        Stop,
        GiveOrder,
    ]
    assert [getattr(step, "to", 0) for step in program] == [0, 4, 0, 8, 7, 0, 8, 0, 0]


def test_an_if_of_one_line_takes_an_else_of_one_line() -> None:
    program = script("R1 ahead\nif it fails: R2 ahead; R3 ahead\n# or\nelse if R1 at E4: stop\nelse: R4 ahead").program
    assert [type(step) for step in program] == [
        GiveOrder,
        BranchTo,
        GiveOrder,
        GiveOrder,
        Jump,
        BranchTo,
        Stop,
        Jump,
        GiveOrder,
    ]
    assert [getattr(step, "to", 0) for step in program] == [0, 5, 0, 0, 9, 8, 0, 9, 0]


def test_an_else_of_a_block_is_not_taken_by_a_line_within() -> None:
    program = script("if R1 at E4\nif R1 at E5: R2 ahead\nelse\nR3 ahead\nend if").program
    outer, inner = (step for step in program if isinstance(step, BranchTo))
    assert (outer.to, inner.to) == (4, 3)


@pytest.mark.parametrize(
    ("text", "bad"),
    [
        ("R1 ahead\nif it fails\nR2 ahead", [(2, "core.unclosed-if")]),
        ("else: R1 ahead", [(1, "core.no-open-if")]),
        ("R1 ahead\nend if", [(2, "core.no-open-if")]),
        ("if R1 at E4: R1 ahead\nR2 ahead\nelse: R3 ahead", [(3, "core.no-open-if")]),
        ("if R1 at E4\nelse\nelse\nend if", [(3, "core.no-open-if")]),
        ("if R1 at E4\nelse whatever\nend if", [(2, "core.bad-else")]),
        ("if R1 at E4\nend if now", [(2, "core.bad-else")]),
        ("if R1 at E4: if R2 at E5: R1 ahead", [(1, "core.if-within-line")]),
        ("R1 ahead; if it fails: R2 ahead", [(1, "core.if-within-line")]),
        ("if it fails: R1 ahead", [(1, "core.nothing-before")]),
        ("stop after a 7\nR1 ahead", [(1, "core.nothing-before")]),
        ("R1 ahead\nif it sulks: R2 ahead\nR2 flies", [(2, "core.bad-condition"), (3, "core.parse")]),
        ("if\nend if", [(1, "core.bad-condition")]),
        ("if needs at most 6: R1 ahead", [(1, "core.needs-what")]),
        ("if R1 flies needs at most 6: R1 ahead", [(1, "core.parse")]),
        ("if R1 ahead needs a lot: R1 ahead", [(1, "core.bad-condition")]),
        ("repeat R1 ahead", [(1, "core.bad-repeat")]),
        ("repeat 0 R1 ahead", [(1, "core.too-many-rounds")]),
        (f"repeat {MOST_ROUNDS + 1} R1 ahead", [(1, "core.too-many-rounds")]),
        ("repeat R1 flies until it fails", [(1, "core.parse")]),
        ("repeat R1 ahead until", [(1, "core.bad-condition")]),
        ("R1 ahead\nstop after lunch", [(2, "core.bad-stop")]),
        ("on replay", [(1, "core.bad-policy")]),
        ("on replay: ", [(1, "core.bad-policy")]),
        ("on replay: perhaps", [(1, "core.parse")]),
        ("on R1: ahead", [(1, "core.bad-policy")]),
        ("on replay: yes if it sulks", [(1, "core.bad-condition")]),
        ("try", [(1, "core.parse")]),
    ],
)  # fmt: skip
def test_a_bad_line_is_named(text: str, bad: list[tuple[int, str]]) -> None:
    assert faults(text) == bad


def test_ifs_stand_in_one_another_up_to_a_depth() -> None:
    def nested(depth: int) -> str:
        return "\n".join(["if R1 at E4"] * depth + ["R1 ahead"] + ["end if"] * depth)

    assert len(script(nested(DEEPEST)).orders) == DEEPEST + 1
    assert faults(nested(DEEPEST + 1))[0] == (DEEPEST + 1, "core.too-deep")


def test_a_script_has_so_many_lines_at_most() -> None:
    assert len(script("end turn\n# note\n\n" * MOST_LINES).orders) == MOST_LINES
    with pytest.raises(Refusal, match=r"core\.too-many-lines"):
        script("end turn\n" * (MOST_LINES + 1))


def test_a_line_has_so_many_characters_at_most() -> None:
    assert faults("end turn\n" + "x" * 1001) == [(2, "core.line-too-long")]
    assert len(script("; ".join(["end turn"] * 100)).program) == 100


# --- statements


def test_a_repeat_has_a_number_or_a_condition() -> None:
    text = "repeat 3 R1 ahead\nrepeat 3 times R1 ahead until R1 at E4\nrepeat R1 to E4 via D3 until needs more than 7"
    first, second, third = (step for step in script(text).program if isinstance(step, Repeat))
    assert (first.text, first.rounds, first.until) == ("R1 ahead", 3, None)
    assert (second.text, second.rounds) == ("R1 ahead", 3)
    assert second.until and second.until.wanted == (((False, GameTest(("at", "R1", "E4"))),),)
    assert (third.text, third.rounds) == ("R1 to E4 via D3", MOST_ROUNDS)
    assert third.until and third.until.wanted == (((False, Needs("", 8, MOST)),),)


def test_trying_goes_before_an_order_or_a_repeat() -> None:
    one, more = script("try R1 ahead\ntry repeat 2 R1 ahead").program
    assert isinstance(one, GiveOrder) and one.tries
    assert isinstance(more, Repeat) and more.tries


def test_a_policy_lists_answers_in_their_order() -> None:
    (policy,) = script(
        "on replay: yes with G2 if needs at most 6 and last card is not 5, yes with HERO, else no"
    ).program
    assert isinstance(policy, Policy)
    assert policy.kind == "replay"
    assert [answer.order for answer in policy.answers] == [
        "replay yes with G2",
        "replay yes with HERO",
        "replay no",
    ]
    assert [answer.condition == ALWAYS for answer in policy.answers] == [False, True, True]
    (joining,) = script("on join: U2, U3").program
    assert isinstance(joining, Policy) and joining.kind == "join"


def test_stopping_after_a_card_means_that_or_a_higher_one() -> None:
    cards = [step.condition for step in script("R1 ahead\nstop after a 7\nstop after 7 or less").program[1:]]
    assert [condition.wanted[0][0][1] for condition in cards] == [LastDraw(7, MOST), LastDraw(0, 7)]


# --- conditions


@pytest.mark.parametrize(
    ("text", "test"),
    [
        ("it fails", It("fails")),
        ("it failed", It("fails")),
        ("it passes", It("passes")),
        ("it is refused", It("refused")),
        ("it hits", It("hits")),
        ("it missed", It("misses")),
        ("the last card was 7 or less", LastDraw(0, 7)),
        ("last card is 7", LastDraw(7, 7)),
        ("last card below 4", LastDraw(0, 3)),
        ("last card is above 4", LastDraw(5, MOST)),
        ("last card >= 4", LastDraw(4, MOST)),
        ("last die is 4 or more", LastDraw(4, MOST)),
        ("the last roll is above 4", LastDraw(5, MOST)),
        ("last draw is 4", LastDraw(4, 4)),
        ("needs more than 7", Needs("", 8, MOST)),
        ("R1 to E4 needs 6 or less", Needs("R1 to E4", 0, 6)),
        ("R1 is disordered", GameTest(("disordered", "R1"))),
        ("n2 is destroyed", GameTest(("destroyed", "N2"))),
        ("R1 at e4", GameTest(("at", "R1", "E4"))),
        ("E4 is empty", GameTest(("empty", "E4"))),
        ("medals south < 3", GameTest(("medals", "south", "0", "2"))),
        ("R1 ammo at least 1", GameTest(("ammo", "R1", "1", str(MOST)))),
        # French
        ("échec", It("fails")),
        ("il échoue", It("fails")),
        ("ça réussit", It("passes")),
        ("il manque", It("misses")),
        ("la dernière carte est 7 ou moins", LastDraw(0, 7)),
        ("dernière carte au-dessus de 7", LastDraw(8, MOST)),
        ("le dernier dé est 4 ou plus", LastDraw(4, MOST)),
        ("besoin de plus de 7", Needs("", 8, MOST)),
        ("R1 avance a besoin d’au plus 6", Needs("R1 avance", 0, 6)),
        ("R1 est désordonné", GameTest(("disordered", "R1"))),
        ("R1 en E4", GameTest(("at", "R1", "E4"))),
        ("E4 est vide", GameTest(("empty", "E4"))),
        ("médailles nord au moins 3", GameTest(("medals", "north", "3", str(MOST)))),
    ],
)
def test_a_condition_is_read(text: str, test: object) -> None:
    assert condition(text).wanted == (((False, test),),)


@pytest.mark.parametrize("text", ["E4 is not empty", "not E4 is empty", "E4 n'est pas vide", "pas E4 est vide"])
def test_a_condition_can_be_denied(text: str) -> None:
    assert condition(text).wanted == (((True, GameTest(("empty", "E4"))),),)


def test_and_binds_closer_than_or() -> None:
    read_ = condition("it fails or last card is 7 or more and R1 at E4")
    assert [len(together) for together in read_.wanted] == [1, 2]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "it",
        "it fails or",
        "unless it fails",
        "it fails unless",
        "it fails unless it hits unless it hits",
        "medals east < 3",
        "R1 is",
        "R1 is is",
        "R1 at",
        "last card",
        "E4 empty now",
    ],
)
def test_what_is_no_condition_is_refused(text: str) -> None:
    with pytest.raises(Refusal, match=r"core\.bad-condition"):
        condition(text)


@pytest.mark.parametrize(
    "text", ["R1 at E4 unless it fails or not E5 is empty", "R1 en E4 sauf s'il échoue ou E5 n'est pas vide"]
)
def test_unless_takes_back(text: str) -> None:
    read_ = condition(text)
    assert read_.wanted == (((False, GameTest(("at", "R1", "E4"))),),)
    assert read_.barred == (((False, It("fails")),), ((True, GameTest(("empty", "E5"))),))
    assert read_.text == text


def test_a_condition_has_so_many_parts_at_most() -> None:
    assert len(condition(" or ".join(["it fails"] * MOST_TESTS)).wanted) == MOST_TESTS
    with pytest.raises(Refusal) as refused:
        condition(" or ".join(["it fails"] * MOST_TESTS) + " unless R1 at E4")
    assert refused.value.code == "core.condition-too-long"
    assert refused.value.params == {"most": MOST_TESTS, "given": MOST_TESTS + 1}


@pytest.mark.parametrize(
    "line",
    [
        "stop if " + " or ".join(["it fails"] * MOST_TESTS),
        "repeat 2 R1 ahead until " + " or ".join(["R2 ahead needs 7"] * MOST_TESTS),
        "on replay: " + ", ".join(["yes"] * 150),
        "if it fails: " + "; ".join(["R1 ahead"] * 80),
    ],
)
def test_a_script_takes_so_much_reading_at_most(line: str) -> None:
    read_orders = 0

    def parse(text: str) -> Command:
        nonlocal read_orders
        read_orders += 1
        return TTS.orders.parse(text)

    with pytest.raises(Refusal) as refused:
        read("R1 ahead\n" + "\n".join([line] * 199), parse, TTS.orders.senses)
    assert refused.value.code == "core.script-too-large"
    assert 2 < refused.value.params["line"] < 199
    assert read_orders <= MOST_READING


def test_a_long_script_of_plain_conditions_can_be_read() -> None:
    script("\n".join(["R1 ahead", *["if it fails: try R2 ahead"] * 190]))


def test_words_keep_what_the_game_reads() -> None:
    words = words_of("R1 Avance a besoin d’au plus 6")
    assert [word.key for word in words] == ["r1", "avance", "needs", "at-most", "6"]
    assert [word.raw for word in words[:2]] == ["R1", "Avance"]


@pytest.mark.parametrize("keys", [[], ["x"], ["more-than"], ["at-most", "at-most", "3"], ["12345"], ["-1"], ["²"]])
def test_what_is_no_comparison_has_no_bounds(keys: list[str]) -> None:
    assert bounds(keys) is None


def test_french_reads_as_english() -> None:
    english = "on replay: yes if needs at most 6, else no\nrepeat R1 ahead until it fails or needs more than 7"
    english += "\nif last card is 6 or more: try R2 ahead\nelse: stop\nstop after a 7"
    french = "pour rejoue : oui si besoin d’au plus 6, sinon non\nrépète R1 avance jusqu’à échec ou besoin de plus de 7"
    french += "\nsi dernière carte est 6 ou plus : essaie R2 avance\nsinon : arrête\narrête après un 7"
    assert [type(step) for step in script(french).program] == [type(step) for step in script(english).program]
    tests = [
        [step.condition.wanted for step in script(text).program if isinstance(step, (BranchTo, Stop))]
        for text in (english, french)
    ]
    assert tests[0] == tests[1]


@pytest.mark.slow
def test_a_script_has_so_many_letters_at_most() -> None:
    line = "R1 ahead # " + "a note " * 100
    long = "\N{ARABIC LIGATURE SALLALLAHOU ALAYHE WASALLAM} " * 100
    assert script("\n".join([line] * MOST_LINES)).is_plain
    lines = MOST_LETTERS // len(long.strip())
    assert len(faults("\n".join([long] * lines))) == lines
    with pytest.raises(Refusal) as refused:
        script("\n".join([long] * (lines + 1)))
    assert (refused.value.code, refused.value.params) == ("core.script-too-large", {"line": lines + 1})


def test_words_of_strangers_are_not_kept_for_ever() -> None:
    kept = plain_word.cache_info().maxsize
    assert kept is not None
    for at in range(0, 2 * kept, 100):
        words_of(" ".join(f"word{at + i}" for i in range(100)))
    assert plain_word.cache_info().currsize <= kept
