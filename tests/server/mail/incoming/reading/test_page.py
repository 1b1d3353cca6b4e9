"""docs/generated/hostile-mail.md says what happens."""

import pytest

from tests.server.mail import hostile_page


@pytest.mark.slow
def test_the_page_of_hostile_mail_is_up_to_date() -> None:
    assert hostile_page.PAGE.read_text() == hostile_page.page(), "run: python -m tests.server.mail.hostile_page"
