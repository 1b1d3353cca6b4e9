"""What letters of every game print can be sent back, in every style; by hand it is done with thousands of letters."""

from benchmarks.copying import STYLES, copied
from domain.catalogue import RULESETS


def test_each_line_of_a_letter_is_read_as_meant_in_every_style() -> None:
    count = copied(len(RULESETS), 3, range(len(STYLES)), most=1)
    assert count.shown == []
    assert count.mails >= len(RULESETS) * 2 * len(STYLES)
