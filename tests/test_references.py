"""Every reference in code, docs and tests leads to something that exists.

Looked at are paths (`docs/time.md`, `server/clock.py`), names of pages and modules (`record-format.md`, `carrier.py`),
sections (`fairness.md 2`), decisions ("decision 7") and dotted names in backticks (`domain.log.record.UPCASTS`).
"""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = ("domain", "projections", "replay", "server", "tests", "benchmarks")
FOREIGN = "node_modules"
"""What others have written."""
TEXTS = {".py", ".md", ".toml", ".html", ".js", ".css", ".po"}
PATH = re.compile(rf"(?<![\w/.-])(?:docs|{'|'.join(PACKAGES)})/[\w./-]*\w/?(?![\w*{{<…])")
NAMED = re.compile(r"(?<![\w/.*{}-])[\w-]+\.(?:md|py)\b(?!-)")
SECTION = re.compile(r"\b([\w-]+\.md)\)?,? (?:sections? )?(\d+)\b")
NAMELESS = re.compile(r"(?<!\.md )(?<!\.md\), )\b[Ss]ections? \d+\b")
"""A section of which page? Only a page may leave its own name out."""
DECISION = re.compile(r"\b[Dd]ecision (\d+)\b|decisions/(\d{4})")
DOTTED = re.compile(rf"`((?:{'|'.join(PACKAGES)})(?:\.\w+)+)`")
ROOT_TEXTS = ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "pyproject.toml", "setup.py", ".ci/run")
MADE_UP = {"bot.py", "engine.py", "sleeper.py", "made_up.py", "index.md", "conf.py"}
"""Files that tests make for themselves."""
PLACEHOLDER = re.compile(r"/(?!README|CHANGELOG|CONTRIBUTING|LICENSE|LC_MESSAGES)[A-Z_]+(?=[/.]|$)")
"""A word of a path that stands for any name: `scenarios/NAME.toml`."""


def texts() -> Iterator[Path]:
    """The files that people write, this one excepted."""
    for name in ("docs", *PACKAGES):
        yield from (
            path for path in sorted((ROOT / name).rglob("*")) if path.suffix in TEXTS and FOREIGN not in path.parts
        )
    yield from (ROOT / name for name in ROOT_TEXTS)


@cache
def contents() -> dict[str, str]:
    """Path in the repository to text."""
    return {p.relative_to(ROOT).as_posix(): p.read_text(encoding="utf-8") for p in texts() if p != Path(__file__)}


@cache
def names() -> frozenset[str]:
    """The names of all files that are there."""
    return frozenset(path.rpartition("/")[2] for path in contents()) | {Path(__file__).name}


def found(pattern: re.Pattern[str], *signs: str) -> Iterator[tuple[str, re.Match[str]]]:
    """Where a pattern occurs, as `file:line`, and the match; in texts that have one of some signs."""
    for path, text in contents().items():
        if any(sign in text for sign in signs):
            for match in pattern.finditer(text):
                yield f"{path}:{text.count(chr(10), 0, match.start()) + 1}", match


def exists(path: str) -> bool:
    """Whether a file or folder is there (a module may be named without its ending), or any name is meant."""
    if PLACEHOLDER.search(path):
        return True
    return (ROOT / path).exists() or (ROOT / f"{path}.py").exists()


def defines(dotted: str) -> bool:
    """Whether a dotted name is a package, a module, or a name that a module has at its top or in a class."""
    parts = dotted.split(".")
    for length in range(len(parts), 0, -1):
        base = ROOT.joinpath(*parts[:length])
        module = base / "__init__.py" if base.is_dir() else base.with_suffix(".py")
        if module.exists():
            text = module.read_text(encoding="utf-8")
            return all(re.search(rf"^ *(?:class |(?:async )?def )?{name}\b", text, re.M) for name in parts[length:])
    return False


@cache
def numbered(page: str) -> frozenset[str]:
    """The numbers of the sections of a page."""
    pages = (text for path, text in contents().items() if path.endswith(f"/{page}"))
    return frozenset({number for text in pages for number in re.findall(r"^## (\d+)", text, re.M)})


def test_paths_lead_somewhere():
    lost = [f"{where} {match[0]}" for where, match in found(PATH, "/") if not exists(match[0].rstrip("/"))]
    assert not lost, "\n".join(lost)


def test_named_pages_and_modules_are_there():
    lost = [f"{where} {match[0]}" for where, match in found(NAMED, ".md", ".py") if match[0] not in names() | MADE_UP]
    assert not lost, "\n".join(lost)


def test_cited_sections_are_there():
    lost = [f"{where} {match[0]}" for where, match in found(SECTION, ".md") if match[2] not in numbered(match[1])]
    assert not lost, "\n".join(lost)


def test_code_names_the_page_of_a_section():
    code = (where for where, _ in found(NAMELESS, "ection") if where.partition(":")[0].endswith((".py", ".toml")))
    nameless = [where for where in code if not where.startswith("tests/cases/")]  # they declare rules of their game
    assert not nameless, "\n".join(nameless)


def test_cited_decisions_are_there():
    numbers = {path.name[:4] for path in (ROOT / "docs" / "decisions").glob("*.md")}
    cited = [(where, (match[1] or match[2]).zfill(4)) for where, match in found(DECISION, "ecision")]
    lost = [f"{where} {number}" for where, number in cited if number not in numbers]
    assert cited
    assert not lost, "\n".join(lost)


def test_dotted_names_are_defined():
    lost = [f"{where} {match[1]}" for where, match in found(DOTTED, "`") if not defines(match[1])]
    assert not lost, "\n".join(lost)


@pytest.mark.parametrize(
    ("pattern", "text", "wanted"),
    [
        (PATH, "see docs/nowhere.md, or `server/clock.py`.", ["docs/nowhere.md", "server/clock.py"]),
        (NAMED, "`nowhere.md` and carrier.py", ["nowhere.md", "carrier.py"]),
        (SECTION, "(fairness.md 9)", ["fairness.md 9"]),
        (DECISION, "decision 99", ["decision 99"]),
        (DOTTED, "`server.nowhere.at`", ["`server.nowhere.at`"]),
    ],
)
def test_references_are_recognised(pattern, text, wanted):
    assert [match[0] for match in pattern.finditer(text)] == wanted
