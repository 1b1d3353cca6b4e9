"""A player's TOML is measured before it is parsed, whatever it is."""

import tracemalloc

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.basics.data import parse_toml, scenario_names
from domain.basics.errors import Refusal
from domain.basics.toml_limits import DEPTH_LIMIT, FILE_LIMIT, is_too_deep

DOTTED = ".".join("a" * (DEPTH_LIMIT + 2))
PARTS = ['"', '"""', "'", "'''", "\\", "#", "\n", "=", "1", "a", ".", "[", "]", "{", "}", ",", "é"]
MIB = 1 << 20


def code_of(text: str) -> str:
    with pytest.raises(Refusal) as refused:
        parse_toml(text, "mine.toml")
    assert refused.value.params["file"] == "mine.toml"
    return refused.value.code


def test_a_dotted_key_takes_no_memory() -> None:
    """Each prefix of a dotted key would be kept: 16 kB of dots took 325 MB."""
    tracemalloc.start()
    try:
        assert code_of(".".join(["a"] * 8000) + "=1") == "core.file-too-deep"
        assert tracemalloc.get_traced_memory()[1] < MIB
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    "text",
    [
        f"{DOTTED} = 1",
        f"[{DOTTED}]",
        f"[[{DOTTED}]]",
        f"x = {{ {DOTTED} = 1 }}",
        f'x = "a"\n{DOTTED} = 1',
        f"x = 'a\\'\n{DOTTED} = 1",
        f'x = """a\\""" """\n{DOTTED} = 1',
        f'x = """a"""""\n{DOTTED} = 1',
        f"x = '''a''''\n{DOTTED} = 1",
        f'# a comment with a quote "\n{DOTTED} = 1',
        DOTTED.replace(".", " . ") + " = 1",
        DOTTED.replace("a", '"a"') + " = 1",
        "x = " + "[" * (DEPTH_LIMIT + 1) + "]" * (DEPTH_LIMIT + 1),
        "x = " + "{a=" * (DEPTH_LIMIT + 1) + "1" + "}" * (DEPTH_LIMIT + 1),
        "x = " + "[" * 5000,
    ],
)
def test_what_nests_too_deep_is_refused(text: str) -> None:
    assert code_of(text) == "core.file-too-deep"


@pytest.mark.parametrize(
    "text",
    [
        f'x = "{DOTTED} [[[[[[[[[[ \\" {DOTTED}"',
        f"x = '{DOTTED} [[[[[[[[[['",
        f'x = """\n{DOTTED}\n[[[[[[[[[["""',
        f"# {DOTTED} [[[[[[[[[[",
        ".".join("a" * (DEPTH_LIMIT + 1)) + " = 1",
        "x = [1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5, 8.5, 9.5, 10.5]",
        "x = [" + "[1], " * 50 + "]",
    ],
)
def test_dots_and_brackets_elsewhere_are_none(text: str) -> None:
    assert parse_toml(text, "mine.toml") is not None


@pytest.mark.slow
@settings(max_examples=500)
@given(st.lists(st.sampled_from(PARTS), max_size=30).map("".join))
def test_no_text_hides_a_deep_key_behind_what_can_be_read(text: str) -> None:
    """What can be parsed up to its end ends where the scan thinks that it ends, in no string and no comment."""
    try:
        parse_toml(text, "mine.toml")
    except Refusal:
        return
    assert is_too_deep(f"{text}\n{DOTTED} = 1")


def test_a_file_that_is_too_large_is_refused() -> None:
    assert parse_toml("#" * FILE_LIMIT, "mine.toml") == {}
    assert code_of("#" * (FILE_LIMIT + 1)) == "core.file-too-large"
    assert code_of("#" + "é" * (FILE_LIMIT // 2)) == "core.file-too-large"


def test_what_is_no_ruleset_is_neither_read_nor_kept(tmp_path) -> None:
    (tmp_path / "scenarios").mkdir()
    (tmp_path / "scenarios" / "secret.toml").touch()
    for ruleset in (str(tmp_path), "../..", "core/..", "x" * 100_000):
        assert scenario_names(ruleset) == ()
