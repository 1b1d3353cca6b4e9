"""The battles that tests of the read models share, played once because playing costs more than reading."""

import pytest

from tests.projections.played import Played


@pytest.fixture(scope="session")
def three_battles() -> list[Played]:
    """One that is over, one in the middle of a turn, one that a rewind took back and that went on."""
    over = Played("aaaaaaaa", 1).begin().play(4000)
    running = Played("bbbbbbbb", 2, readers="players").begin("p-bob", "p-cleo").play(60)
    rewound = Played("cccccccc", 3, readers="link").begin("p-anna", "p-cleo").play(50)
    rewound.rewind(to=len(rewound.lines) // 2)
    rewound.play(25)
    return [over, running, rewound]
