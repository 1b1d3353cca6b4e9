"""No mail of 1 MiB takes more than so many steps to read, however its limits are used up together.

Steps are counted; `python -m benchmarks.intake` measures the time of the same mails.
"""

import pytest

from server.mail.incoming.reading import read_mail
from tests.server.mail.incoming.reading.corpus import OURS
from tests.server.mail.incoming.reading.corpus.limits import AT_THE_LIMITS
from tests.support.counting import counted
from tests.support.lanes import thinned

MOST_CALLS = 2_000_000
"""Of functions; what takes most, HTML three times, needs 1.6 million."""


@pytest.mark.parametrize("name", thinned(AT_THE_LIMITS, 24))
def test_a_mail_that_uses_its_limits_up(name: str) -> None:
    raw = AT_THE_LIMITS[name]
    reading, calls = counted(lambda: read_mail(raw, OURS, ("mx",), lambda record: b"v=DKIM1; p="))
    assert calls < MOST_CALLS, (name, reading.what, reading.why)
