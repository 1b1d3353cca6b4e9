"""The benchmark of the intake still runs."""

from pathlib import Path

import pytest

from benchmarks import intake
from tests.server.mail.incoming.reading.corpus.limits import AT_THE_LIMITS


@pytest.mark.slow
def test_mails_are_parsed_read_and_taken_in(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    taken = intake.measured(tmp_path, intake.Sizes(rounds=1, each=1))
    assert {len(rounds[0]) for rounds in taken.values()} == {len(intake.mails())}
    intake.show(taken)
    assert intake.WHOLE in capsys.readouterr().out


@pytest.mark.slow
def test_the_slowest_mail_at_the_limits_is_named() -> None:
    seconds, name = intake.slowest()
    assert seconds > 0 and name in AT_THE_LIMITS
