"""What is written as TOML is read again as it was."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.basics.data import parse_toml
from domain.basics.toml_text import to_toml

TEXT = st.text(st.characters(codec="utf-8"), max_size=8)
PLAIN = st.one_of(st.booleans(), st.integers(-(2**53), 2**53), TEXT)
VALUE = st.recursive(PLAIN, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3))
TABLE = st.dictionaries(TEXT, VALUE, max_size=5)


@settings(max_examples=300)
@given(TABLE)
@pytest.mark.slow
def test_any_table_survives(table) -> None:
    assert parse_toml(to_toml(table), "table") == table


def test_small_tables_of_a_list_stand_one_to_a_line() -> None:
    corps = {"id": "I", "general": {"id": "G1"}, "units": [{"id": "R1", "hero": True}, {"id": "R2"}]}
    assert to_toml({"name": "Rome", "board": {"rows": 8}, "corps": [corps]}) == (
        'name = "Rome"\n'
        "\n[board]\nrows = 8\n"
        '\n[[corps]]\nid = "I"\ngeneral = { id = "G1" }\nunits = [\n'
        '  { id = "R1", hero = true },\n  { id = "R2" },\n]\n'
    )


def test_what_toml_cannot_say_is_an_error() -> None:
    with pytest.raises(TypeError, match="no form in TOML"):
        to_toml({"share": 0.5})
