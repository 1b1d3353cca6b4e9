"""What stays of a text that people have written."""

import pytest

from server.acts import plain_text


@pytest.mark.parametrize(
    ("letter", "stays"),
    [("a", True), ("é", True), (" ", True), ("\u00a0", True), ("\ue000", True), ("\u200b", False), ("\u202e", False)],
)
def test_spaces_and_private_signs_stay_and_what_nobody_sees_goes(letter: str, stays: bool) -> None:
    assert plain_text._is_visible(letter) is stays
