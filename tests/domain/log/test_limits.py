"""What no file may hold is told from what it may, in one step, whatever the bytes."""

import json
from unicodedata import category, unidata_version

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.log import limits
from domain.log.canonical import FileFault, canonical, read_canonical
from domain.log.limits import NESTING_LIMIT, is_battle, is_deeper, is_host, is_player, is_time, unfit_text
from tests import unicode_table

NESTED = st.recursive(
    st.sampled_from(["", "{[", '"]', "\\", 1]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from('ab["\\'), inner, max_size=3),
    max_leaves=30,
)


def depth_of(value: object) -> int:
    if isinstance(value, dict):
        value = list(value.values())
    return 1 + max(map(depth_of, value), default=0) if isinstance(value, list) else 0


def nested(levels: int) -> bytes:
    return b'{"a":' + b"[" * (levels - 1) + b"]" * (levels - 1) + b"}"


# --- nesting


@pytest.mark.slow
@given(NESTED, st.integers(0, 8))
def test_nesting_is_counted_without_parsing(value, levels):
    assert is_deeper(json.dumps(value).encode(), levels) == (depth_of(value) > levels)


def test_as_many_levels_as_allowed_are_read_and_written():
    assert canonical(read_canonical(nested(NESTING_LIMIT), 1)) == nested(NESTING_LIMIT)
    with pytest.raises(FileFault, match="too-deep"):
        read_canonical(nested(NESTING_LIMIT + 1), 1)


def test_brackets_side_by_side_or_within_strings_are_no_nesting():
    assert read_canonical(b'{"a":[' + b",".join([b"[{}]"] * 1000) + b"]}", 1)
    assert read_canonical(b'{"a":"' + b"[" * 1000 + b'\\"' + b"{" * 1000 + b'"}', 1)


@given(st.binary(max_size=40).map(lambda odd: odd + b'[{"\\' * 20 + odd))
def test_whatever_the_bytes_the_answer_is_a_fault(line):
    with pytest.raises(FileFault):
        read_canonical(line, 3)


# --- sizes


def test_a_line_may_be_so_long_and_no_longer():
    parts = b",".join([b'"' + b"x" * 65_000 + b'"'] * 16)
    line = b'{"a":[%b,"%b"]}' % (parts, b"x" * (limits.LINE_LIMIT - len(parts) - 11))
    assert len(line) == limits.LINE_LIMIT
    assert canonical(read_canonical(line, 1)) == line
    longer = line.replace(b'"x', b'"xx', 1)
    with pytest.raises(FileFault, match="line-too-long"):
        read_canonical(longer, 1)


@pytest.mark.parametrize(
    ("character", "count"), [("x", limits.STRING_LIMIT), ("é", limits.STRING_LIMIT // 2), ("\n", limits.STRING_LIMIT)]
)
def test_a_string_is_measured_in_utf_8_before_it_is_escaped(character, count):
    assert canonical({"a": character * count})
    for value in ({"a": character * (count + 1)}, {"a": [{"b": character * (count + 1)}]}):
        with pytest.raises(FileFault, match="string-too-long"):
            read_canonical(json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode(), 1)


def test_a_key_is_a_string_too():
    with pytest.raises(FileFault, match="string-too-long"):
        read_canonical(b'{"' + b"k" * (limits.STRING_LIMIT + 1) + b'":1}', 1)


# --- text


@pytest.mark.slow
@pytest.mark.skipif(unidata_version != unicode_table.VERSION, reason="the table is of Unicode 14.0")
def test_the_table_is_that_of_unicode_14():
    assert unicode_table.MODULE.read_text(encoding="utf-8") == unicode_table.page()


@pytest.mark.slow
def test_every_code_point_that_14_0_has_assigned_may_stand_and_no_other():
    """With a later interpreter: what that one has not assigned was not assigned in 14.0 either."""
    fits = [unfit_text(chr(point)) != "unassigned" for point in range(0x110000)]
    known = [category(chr(point)) not in ("Cn", "Cs") for point in range(0x110000)]
    assert all(here for fit, here in zip(fits, known, strict=True) if fit)
    if unidata_version == unicode_table.VERSION:
        assert fits == known


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("le vent se lève 😀", ""),
        ("\ue000", ""),  # private use
        ("\U0001fae8", "unassigned"),  # shaking face, of Unicode 15.0
        ("\ufdd0", "unassigned"),
        ("\ud800", "unassigned"),
        ("e\u0301", "string-not-nfc"),
    ],
)
def test_text_is_of_unicode_14_and_normal(text, why):
    assert unfit_text(text) == why


# --- times and names


@pytest.mark.parametrize(
    "day", ["2000-01-01", "2024-02-29", "2000-02-29", "2026-02-28", "2026-04-30", "2026-12-31", "9999-12-31"]
)
def test_a_day_of_the_calendar_is_a_time(day):
    assert is_time(f"{day}T23:59:59.999Z")


@pytest.mark.parametrize(
    "day",
    ["1999-12-31", "2023-02-29", "2100-02-29", "2024-02-30", "2026-04-31", "2026-00-01", "2026-13-01", "2026-11-00"],
)
def test_a_day_that_no_calendar_has_is_no_time(day):
    assert not is_time(f"{day}T00:00:00.000Z")


@pytest.mark.parametrize(
    ("host", "fits"),
    [
        ("example.org", True),
        ("localhost", True),
        ("xn--bcher-kva.example", True),
        ("a.example:8080", True),
        ("a.example:65536", False),
        ("a.example:080", False),
        ("A.example", False),
        ("-a.example", False),
        ("a..example", False),
        ("a.example.", False),
        ("a b", False),
        ("x" * 64 + ".example", False),
        (".".join(["x" * 63] * 4), False),
        ("", False),
    ],
)
def test_a_host_is_a_name_in_lower_case_with_or_without_a_port(host, fits):
    assert is_host(host) == fits


@pytest.mark.parametrize(
    ("name", "fits"), [("a" * 64, True), ("a" * 65, False), ("-a", False), ("a_b", False), ("", False)]
)
def test_a_battle_has_a_short_plain_id(name, fits):
    assert is_battle(name) == fits


@pytest.mark.parametrize(
    ("name", "fits"), [("p-1._x", True), (".a", False), ("a b", False), ("é", False), ("a\n", False)]
)
def test_a_player_has_a_short_plain_id(name, fits):
    assert is_player(name) == fits
