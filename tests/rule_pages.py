"""Writes docs/generated/rules/tts.md: each rule of To the Strongest!, where it is implemented, and what tests it.

python -m tests.rule_pages     # after a change of a rule, of its code, or of a case

Rules and sentences are those of `rules.toml`. Code is read, never run: a place implements a rule if it cites it, in a
docstring, a comment or a value, as `TTS-MEL-06` or shortened after a full one (`TTS-ACT-01, -02`, `TTS-SHT-03 … -11`).
"""

import ast
import io
import re
import tokenize
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from tests.support.cases import case_files

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "generated" / "rules" / "tts.md"
RULES = ROOT / "domain" / "games" / "to_the_strongest" / "data" / "rules.toml"
CODE = (ROOT / "domain", ROOT / "replay" / "lab")
"""What rules: the domain, and the lab for the rules of cases. All else tells, draws or explains."""
DATA = RULES.parent
OPINIONS = (
    *(DATA.parent / "shown" / f"{name}.py" for name in ("wording", "setup_wording", "captions", "setup_captions")),
    *(DATA.parent / "bot").glob("*.py"),
)
"""Modules that speak of rules, or guess what a place is worth, but rule nothing."""
TOOLS = frozenset({"rule_pages.py", "test_rule_pages.py"})
"""Files of the tests that name rules without testing them; likewise the folders `conformance` and `mutation`."""

CHAPTERS = {
    "GEO": "Geometry",
    "TRN": "Turns",
    "DCK": "Cards",
    "ACT": "Activation",
    "CMD": "Command radius",
    "GEN": "Generals and heroes",
    "MOV": "Movement",
    "GRP": "Groups and marches",
    "STK": "Stacking",
    "ZOC": "Zones of control",
    "SHT": "Shooting",
    "MEL": "Melee",
    "SAV": "Saves",
    "DIS": "Disorder and loss",
    "RLY": "Rally",
    "EVD": "Evade",
    "MOR": "Morale",
    "MED": "Medals",
    "CMP": "Camps",
    "TER": "Terrain",
    "SCT": "Scouting",
    "DEP": "Deployment",
    "STR": "Stratagems",
    "CAT": "Catalogue",
    "WIN": "Winning",
    "ORD": "Orders",
    "SCN": "Scenarios",
    "CASE": "Cases",
}

CITED = re.compile(r"TTS-(?P<chapter>[A-Z]+)-(?P<full>\d\d[a-z]?)|(?<=[\s,(…])-(?P<short>\d\d[a-z]?)\b")

HEAD = """# Rules of To the Strongest!

Made from rules, code and cases by `python -m tests.rule_pages`; a test fails when it is out of date, or when a rule has
no code or no test.

*Source*: `seed` the two French texts, `public` the author's free sheet and players' reports, `house` our choice where
both are silent. *Cases* are the numbers of the files in [tests/cases/tts](../../../tests/cases/tts) that expect the
rule in an event or declare it in their first lines; shared cases have numbers below 100.

The IDs `TTS-INT-…` and `TTS-GAP-…` of the rules text are informative: each explains why another rule reads as it does,
names that rule, and is not implemented by itself. Our own readings are in
[decisions/0005](../../decisions/0005-readings-of-the-rules.md).
"""


class Place(NamedTuple):
    """A place that cites a rule: a file of the repository, and the function, class or table in it ("" for the file)."""

    path: str
    name: str


@cache
def rules() -> dict[str, dict[str, object]]:
    """Every rule ID with title, text and source, in the order of the file."""
    table: dict[str, dict[str, object]] = tomllib.loads(RULES.read_text())["rules"]
    return table


def cited(text: str) -> Iterator[str]:
    """The rule IDs that a text names, shortened ones and ranges written out."""
    chapter = last = ""
    end = 0
    for match in CITED.finditer(text):
        if not match["chapter"] and not chapter:
            continue
        number = match["full"] or match["short"]
        ranges = text[end : match.end()].strip().startswith("…") and match["chapter"] in (None, chapter)
        chapter = match["chapter"] or chapter
        if ranges and last:
            yield from (f"TTS-{chapter}-{n:02}" for n in range(int(last[:2]) + 1, int(number[:2])))
        yield f"TTS-{chapter}-{number}"
        last, end = number, match.end()


# --- code


@cache
def implemented() -> dict[str, tuple[Place, ...]]:
    """Rule ID to the places of the code and of the catalogue that cite it."""
    files = [path for root in CODE for path in (sorted(root.rglob("*.py")) if root.is_dir() else [root])]
    places = [
        (rule, Place(_name(path), owner))
        for path in files
        if path not in OPINIONS
        for rule, owner in citations(path.read_text())
    ]
    for path in sorted(DATA.rglob("*.toml")):
        if path != RULES:
            places += [(rule, Place(_name(path), "")) for rule in cited(path.read_text())]
    return _gathered(places)


def citations(source: str) -> Iterator[tuple[str, str]]:
    """(rule, name of the function, class or table it stands in) for each rule that a module cites."""
    if "TTS-" not in source:
        return
    owners = _owners(ast.parse(source))
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type in (tokenize.STRING, tokenize.COMMENT):
            for rule in cited(token.string):
                yield rule, _owner(owners, token.start[0])


def _owners(tree: ast.Module) -> list[tuple[int, int, str]]:
    """(first line, last line, qualified name) of all that has a name, outer before inner; decorators included."""
    found: list[tuple[int, int, str]] = []

    def visit(nodes: list[ast.stmt], prefix: str) -> None:
        for node in nodes:
            name, begin, end = _named(node), node.lineno, node.end_lineno or node.lineno
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                begin = min([begin, *(decorator.lineno for decorator in node.decorator_list)])
                found.append((begin, end, prefix + name))
                visit(node.body, f"{prefix}{name}.")
            elif name and not prefix:
                found.append((begin, end, name))
            elif found and not prefix and _is_text(node):  # the words below a table are its own
                found.append((found[-1][1] + 1, end, found[-1][2]))

    visit(tree.body, "")
    return found


def _named(node: ast.stmt) -> str:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return node.name
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
    return next((target.id for target in targets if isinstance(target, ast.Name)), "")


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def _owner(owners: list[tuple[int, int, str]], line: int) -> str:
    """The innermost function or class around a line, a table, or "" for the module."""
    return next((name for begin, end, name in reversed(owners) if begin <= line <= end), "")


# --- tests


@cache
def tested() -> dict[str, tuple[Place, ...]]:
    """Rule ID to the tests that are marked with it, or name it in their docstring or in a comment inside."""
    places = []
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        if path.name in TOOLS or {"conformance", "mutation"} & set(path.parts):
            continue
        for rule, owner in citations(path.read_text()):
            name = owner.rpartition(".")[2] if owner.rpartition(".")[2].startswith("test_") else owner.split(".")[0]
            if name.startswith("test_"):
                places.append((rule, Place(_name(path), name)))
    return _gathered(places)


@cache
def expected() -> dict[str, tuple[str, ...]]:
    """Rule ID to the numbers of the cases that expect or declare it."""
    found: dict[str, dict[str, None]] = {}
    for path in case_files():
        for line in path.read_text().splitlines():
            for rule in cited(line):
                found.setdefault(rule, {})[path.stem.partition("-")[0]] = None
    return {rule: tuple(numbers) for rule, numbers in found.items()}


def missing() -> dict[str, str]:
    """Rules without code or without a test, and which of the two they lack."""
    lacking = {}
    for rule in rules():
        lacks = [
            *(["code"] if rule not in implemented() else []),
            *(["test"] if rule not in tested() and rule not in expected() else []),
        ]
        if lacks:
            lacking[rule] = " and ".join(lacks)
    return lacking


def unknown() -> set[str]:
    """Rules that code or cases cite but `rules.toml` does not have."""
    return ({*implemented()} | {*expected()}) - {*rules()}


def _name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def _gathered(places: list[tuple[str, Place]]) -> dict[str, tuple[Place, ...]]:
    found: dict[str, dict[Place, None]] = {}
    for rule, place in places:
        found.setdefault(rule, {})[place] = None
    return {rule: tuple(names) for rule, names in found.items()}


# --- the page


def page() -> str:
    """The whole page."""
    parts = [HEAD]
    for chapter, title in CHAPTERS.items():
        parts += [
            f"\n## {title} (TTS-{chapter})\n",
            "| rule | | source | implemented in | tests |",
            "|---|---|---|---|---|",
        ]
        parts += [_line(rule) for rule in rules() if rule.split("-")[1] == chapter]
    return "\n".join(parts) + "\n"


def _line(rule: str) -> str:
    entry = rules()[rule]
    sources = entry["source"]
    source = ", ".join(sources) if isinstance(sources, list) else str(sources)
    words = f"**{entry['title']}.** {entry['text']}".replace("|", "\\|")
    return f"| {rule} | {words} | {source} | {_places(implemented().get(rule, ()))} | {_tests(rule)} |"


def _places(places: tuple[Place, ...]) -> str:
    """Files, each with a link and the names in it."""
    files: dict[str, list[str]] = {}
    for path, name in places:
        files.setdefault(path, []).extend([f"`{name}`"] if name else [])
    links = {path: f"[{Path(path).name}](../../../{path})" for path in files}
    return "; ".join(f"{links[path]} {', '.join(names)}".rstrip() for path, names in files.items())


def _tests(rule: str) -> str:
    parts = [f"cases {' '.join(expected()[rule])}"] if rule in expected() else []
    return "; ".join([*parts, *([_places(tested()[rule])] if rule in tested() else [])])


if __name__ == "__main__":
    PAGE.parent.mkdir(exist_ok=True)
    PAGE.write_text(page())
