"""Every mail of the corpus is read as it must be."""

import pytest

from server.mail.incoming.reading import read_mail
from tests.server.mail.incoming.reading.corpus import CASES, OURS, Case
from tests.support.lanes import thinned


@pytest.mark.parametrize("case", thinned(CASES, 16), ids=lambda case: case.name)
def test_a_mail_of_the_corpus(case: Case) -> None:
    reading = read_mail(case.raw, OURS, case.trusted)
    assert (reading.what, reading.why) == (case.what, case.why)
    if case.text is not None:
        assert reading.text == case.text
    if case.dropped is not None:
        assert reading.dropped == case.dropped
    for name, value in case.also.items():
        found = getattr(reading, name)
        if name == "bounce":
            found = (found.tokens, found.recipient, found.status, found.is_hard)
        assert found == value, name


def test_the_names_are_of_one_case_each() -> None:
    assert len({case.name for case in CASES}) == len(CASES)
