"""Whatever is written, a script gives only orders that are in it, and none twice for one line."""

from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from domain.basics.errors import Refusal
from domain.log.fairness import Stream
from domain.scripts.cursor import MOST_ORDERS
from domain.scripts.program import GiveOrder, Policy, Repeat
from domain.scripts.reading import Unreadable, read
from tests.support.drilling import TTS, run

ORDERS = st.sampled_from(
    [
        "R1 ahead",
        "R1 charge F4",
        "R2 shoot F4",
        "R3 ahead",
        "R4 ahead 2",
        "R4 charge H4",
        "R9 ahead",
        "corps II",
        "end turn",
        "replay yes",
    ]
)
TESTS = st.sampled_from(
    [
        "it fails",
        "it passes",
        "it misses",
        "last card is 6 or more",
        "R1 at D3",
        "E4 is not empty",
        "R1 ahead needs at most 6",
        "medals south < 3",
        "R1 is disordered",
        "X9 is disordered",
    ]
)
CONDITIONS = st.lists(TESTS, min_size=1, max_size=3).map(" or ".join) | st.lists(TESTS, min_size=2, max_size=2).map(
    " and not ".join
)
SIMPLE = st.one_of(
    ORDERS,
    ORDERS.map("try {}".format),
    st.tuples(st.integers(1, 20), ORDERS).map(lambda pair: f"repeat {pair[0]} {pair[1]}"),
    st.tuples(ORDERS, CONDITIONS).map(lambda pair: f"repeat {pair[0]} until {pair[1]} or needs more than 7"),
    st.tuples(ORDERS, ORDERS).map("; ".join),
    CONDITIONS.map("stop if {}".format),
    st.sampled_from(["stop after a 9", "on replay: yes if needs at most 6, else no", "on join: R1, R2"]),
)


def _block(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    bodies = st.lists(inner, max_size=3).map("\n".join)
    return st.one_of(
        st.tuples(CONDITIONS, bodies, bodies).map(lambda part: f"if {part[0]}\n{part[1]}\nelse\n{part[2]}\nend if"),
        st.tuples(CONDITIONS, SIMPLE, SIMPLE).map(lambda part: f"if {part[0]}: {part[1]}\nelse: {part[2]}"),
    )


SCRIPTS = st.lists(st.recursive(SIMPLE, _block, max_leaves=6), min_size=1, max_size=6).map(
    lambda lines: "\n".join(["standing evade R4 never", *lines])
)


class Cards:
    """Chance by a seed."""

    def __init__(self, seed: int) -> None:
        self.stream = Stream(seed.to_bytes(32, "big"))

    def card(self, scope: str, pile, t: int, deck: str) -> str:
        return pile[self.stream.below(len(pile))]

    def die(self, scope: str, sides: int, t: int = 0, values: Sequence[int] = ()) -> int:
        return self.stream.below(sides) + 1


@settings(max_examples=80)
@given(SCRIPTS, st.integers(0, 2**64))
@pytest.mark.slow
def test_nothing_is_given_that_is_not_written(text: str, seed: int) -> None:
    script = read(text, TTS.orders.parse, TTS.orders.senses)
    drilled = run(script, Cards(seed))
    written = {step.text for step in script.program if isinstance(step, (GiveOrder, Repeat))}
    written |= {answer.order for step in script.program if isinstance(step, Policy) for answer in step.answers}
    assert {order for order in drilled.given if not order.startswith("corps ")} <= written
    assert len(drilled.given) <= MOST_ORDERS
    assert [outcome.line for outcome in drilled.outcomes] == list(script.orders)
    assert set(drilled.statuses) <= {"accepted", "refused", "parked", "not-played", "skipped"}
    assert drilled.statuses.count("refused") <= 1
    spans = sorted(span for outcome in drilled.outcomes for span in outcome.spans)
    assert all(one[1] < other[0] for one, other in pairwise(spans))
    again = run(script, Cards(seed))
    assert (again.given, again.statuses, again.state) == (drilled.given, drilled.statuses, drilled.state)


@settings(max_examples=50)
@given(st.lists(ORDERS, min_size=1, max_size=8), st.integers(0, 2**64))
@example(["R9 ahead", "R3 ahead"], 0)
@example(["R4 charge H4", "R3 ahead"], 0)  # does N1 evade?
def test_nothing_is_played_after_a_refusal_or_a_question(orders: list[str], seed: int) -> None:
    drilled = run(read("\n".join(orders), TTS.orders.parse, TTS.orders.senses), Cards(seed))
    statuses = drilled.statuses
    assert set(statuses) <= {"accepted", "refused", "skipped", "not-played", "parked"}
    if "refused" in statuses:
        assert set(statuses[statuses.index("refused") + 1 :]) <= {"not-played"}
    if "parked" in statuses:
        assert set(statuses[statuses.index("parked") :]) == {"parked"}
    assert [order for order in drilled.given if order in orders] == list(drilled.given) or "corps II" in drilled.given


WORDS = st.sampled_from(
    [
        "if",
        "else",
        "end",
        "stop",
        "repeat",
        "until",
        "try",
        "on",
        "it",
        "fails",
        "needs",
        "last",
        "card",
        "is",
        "more",
        "than",
        "or",
        "and",
        "not",
        "R1",
        "ahead",
        "7",
        ":",
        ";",
        ",",
        "\n",
        "#",
        "at",
        "E4",
        "replay",
        "yes",
        "si",
        "sinon",
        "fin",
        "répète",
        "jusqu'à",
        "échec",
        "preview",
        "phrase",
    ]
)


@settings(max_examples=300)
@given(st.lists(WORDS, max_size=40).map(" ".join) | st.text(max_size=80))
@pytest.mark.slow
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        script = read(text, TTS.orders.parse, TTS.orders.senses)
    except Unreadable as unreadable:
        numbers = [fault.line.number for fault in unreadable.faults]
        assert numbers == sorted(set(numbers)) and numbers
        assert {fault.line for fault in unreadable.faults} <= set(unreadable.script.orders)
    except Refusal as refusal:
        assert refusal.code == "core.too-many-lines"
    else:
        assert all(0 <= step.line < len(script.orders) for step in script.program if hasattr(step, "line"))
