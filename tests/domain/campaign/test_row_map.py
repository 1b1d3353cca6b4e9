"""Rows by name: a mapping that is never changed, and shares what it has with the one before."""

from hypothesis import given
from hypothesis import strategies as st

from domain.campaign.row_map import RowMap

CHANGES = st.lists(st.tuples(st.sampled_from(["a", "b", "c", "ab", "1.1", "1.10"]), st.none() | st.integers(0, 9)))


@given(CHANGES)
def test_it_is_as_a_dictionary_would_be(changes):
    rows: RowMap[int] = RowMap()
    plain: dict[str, int] = {}
    before = []
    for name, value in changes:
        before.append((rows, dict(plain)))
        if value is None:
            plain.pop(name, None)
            rows = rows.without(name)
        else:
            plain[name] = value
            rows = rows.with_row(name, value)
    assert rows == plain
    assert (list(rows), len(rows)) == (sorted(plain), len(plain))
    assert all(old == was for old, was in before)


def test_a_row_that_is_not_there_is_no_row():
    rows = RowMap({"a": 1})
    assert rows.get("b") is None and "b" not in rows and repr(rows) == "RowMap({'a': 1})"
