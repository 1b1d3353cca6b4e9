"""What a player wishes of their letters; a word that nobody understands is refused and changes nothing."""

from collections.abc import Callable

import pytest

from domain.basics.errors import Refusal
from server.acts import wishes
from server.store.tables.correspondents import Correspondent

KEPT = Correspondent("anna")
Wished = Callable[[Correspondent, str], Correspondent]


@pytest.mark.parametrize(
    ("change", "written", "code"),
    [
        (wishes.with_letters, "sometimes", "core.bad-letters"),
        (wishes.with_quiet, "22-24", "core.bad-quiet"),
        (wishes.with_quiet, "8-8", "core.bad-quiet"),
        (wishes.with_quiet, "at night", "core.bad-quiet"),
        (wishes.with_language, "Klingon", "core.bad-language"),
        (wishes.with_zone, "Nowhere", "core.bad-zone"),
        (wishes.with_picture, "perhaps", "core.bad-picture"),
    ],
)
def test_a_word_that_means_nothing_is_refused(change: Wished, written: str, code: str) -> None:
    with pytest.raises(Refusal) as refused:
        change(KEPT, written)
    assert refused.value.code == code


@pytest.mark.parametrize(
    ("change", "written", "kept"),
    [
        (wishes.with_letters, "long", KEPT._replace(is_long=True)),
        (wishes.with_quiet, "22-8", KEPT._replace(quiet="22-8")),
        (wishes.with_language, "French", KEPT._replace(lang="fr")),
        (wishes.with_zone, "Paris", KEPT._replace(zone="Europe/Paris")),
        (wishes.with_picture, "off", KEPT._replace(picture=False)),
    ],
)
def test_a_wish_is_kept(change: Wished, written: str, kept: Correspondent) -> None:
    assert change(KEPT, written) == kept
