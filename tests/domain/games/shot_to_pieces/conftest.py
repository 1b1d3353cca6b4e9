"""The words of the game while it is not installed: its catalogue is asked as those of installed games are."""

from collections.abc import Iterator

import pytest

from replay.telling.words import catalogue

OWN = "domain.games.shot_to_pieces", "stp"


@pytest.fixture(autouse=True, scope="package")
def own_words() -> Iterator[None]:
    """The sentences of the game, for the tests of this folder."""
    is_added = OWN not in catalogue._sources
    catalogue.add(*OWN)
    yield
    if is_added:
        catalogue._sources.remove(OWN)
        catalogue.forget_sentences()
