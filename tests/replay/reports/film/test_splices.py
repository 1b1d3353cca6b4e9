"""Pictures told by what changes come back as they were."""

from hypothesis import given
from hypothesis import strategies as st

from replay.reports.film.splices import joined, spliced

TAGS = st.lists(st.sampled_from(["<svg>", "<g/>", "<g id='a'/>\n", "text", "</svg>"]), max_size=12).map("".join)


@given(st.lists(TAGS, max_size=8))
def test_pictures_come_back(pictures: list[str]) -> None:
    pieces, splices = spliced(pictures)
    assert list(joined(pieces, splices)) == pictures
    assert len(pieces) == len(set(pieces))


def test_what_stays_is_not_told_again() -> None:
    pieces, splices = spliced(["<svg><a/><b/><c/></svg>", "<svg><a/><d/><c/></svg>"])
    assert pieces == ["<svg>", "<a/>", "<b/>", "<c/>", "</svg>", "<d/>"]
    assert splices == [(0, 0, (0, 1, 2, 3, 4)), (2, 1, (5,))]
