"""The page of the rules of a game on the site of the docs: where each rule is implemented, and what tests it.

Rules and sentences are those of the game's `rules.toml`. Code is read, never run: a place implements a rule if it cites
it, in a docstring, a comment or a value, as `TTS-MEL-06` or shortened after a full one (`TTS-ACT-01, -02`,
`TTS-SHT-03 … -11`).
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
CASES = ROOT / "tests" / "cases"
GAMES = ROOT / "domain" / "games"
BESIDES = (ROOT / "replay" / "lab", ROOT / "projections" / "ratings")
"""Rules, besides the domain: those of cases and of ratings. All else tells, draws or explains."""
OPINIONS = ("shown/wording.py", "shown/setup_wording.py", "shown/captions.py", "shown/setup_captions.py", "bot/")
"""Modules of a game that speak of rules, or guess what a place is worth, but rule nothing."""
TOOLS = frozenset({"rule_pages.py", "test_rule_pages.py"})
"""Files of the tests that name rules without testing them; likewise the folders `conformance` and `mutation`."""

TTS_CHAPTERS = {
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

PRG_CHAPTERS = {
    "BRD": "Board",
    "ARM": "Armies",
    "DIE": "Dice",
    "SEQ": "Turns",
    "MOV": "Movement",
    "SHT": "Shooting",
    "REA": "Reaction",
    "CBT": "Combat",
    "RET": "Retreats",
    "VP": "Victory points",
    "EXT-SC": "Shock cavalry",
    "EXT-HA": "Horse archers",
    "EXT-LI": "Light infantry",
    "EXT-GE": "Generals",
    "EXT-TER": "Terrain markers",
    "ORD": "Orders",
    "SCN": "Scenarios",
    "CASE": "Cases",
    "INT": "Readings",
}

WMS_CHAPTERS = {
    "GEO": "Geometry",
    "LOS": "Lines of sight",
    "ARC": "Fire arcs",
    "PRO": "Profiles",
    "SEQ": "Turns and decisions",
    "DIE": "Dice",
    "TGT": "Targets",
    "HIT": "Hits",
    "SAV": "Saves",
    "CAS": "Stands lost",
    "DRV": "Drive-backs",
    "CNF": "Confusion",
    "CCF": "Charges and counter-charge fire",
    "WIN": "Winning",
    "ORD": "Orders",
    "SCN": "Scenarios",
    "CASE": "Cases",
    "INT": "Readings",
}

STP_CHAPTERS = {
    "GEN": "Dice",
    "GEO": "Geometry",
    "SEQ": "Turns and phases",
    "CMD": "Command",
    "ACT": "Activation",
    "MOV": "Movement",
    "FRM": "Formations",
    "VIS": "Sight",
    "MOR": "Morale of corps",
    "FIR": "Fire",
    "ART": "Artillery",
    "RES": "Results and markers",
    "MEL": "Melee",
    "BLD": "Buildings",
    "ZOC": "Control zones",
    "CHG": "Charges",
    "EVD": "Evading",
    "OPT": "Options",
    "WW1": "The Great War",
    "ACW": "The American Civil War",
    "AWI": "The American War of Independence",
    "EMP": "The Empire",
    "GSC": "The Grand Siècle",
    "ALG": "Algeria, 1857",
    "F70": "1870",
    "EVT": "Events of the D20",
    "FAC": "Factors",
    "ORD": "Orders",
    "DEC": "Decisions",
    "WIN": "Winning",
    "SCN": "Scenarios",
    "CASE": "Cases",
    "INT": "Readings",
    "GAP": "House rules",
}

CAM_CHAPTERS = {
    "CUP": "Cups",
    "STD": "Standings",
    "RAT": "Ladders",
    "LOG": "The log",
    "RND": "Rounds and results",
    "PPL": "People",
    "TIM": "Time",
    "RUL": "Rulings",
    "ORD": "Orders",
    "CLB": "Clubs",
    "TTS": "Forces of To the Strongest!",
    "CAR": "What a battle leaves",
    "LNK": "Linked campaigns",
    "MAP": "Maps",
    "FOG": "Fog",
}

MADE = """
Made from rules, code and cases when the site of the docs is built. A test fails when a rule has
no code or no test.
"""
TTS_HEAD = """
*Source*: `seed` the two French texts, `public` the author's free sheet and players' reports, `house` our choice where
both are silent. *Cases* are the numbers of the files in [tests/cases/tts](../../../tests/cases/tts) that expect the
rule in an event or declare it in their first lines; shared cases have numbers below 100.

The IDs `TTS-INT-…` and `TTS-GAP-…` of the rules text are informative: each explains why another rule reads as it does,
names that rule, and is not implemented by itself. Our own readings are in
[decisions/0005](../../decisions/0005-readings-of-the-rules.md).
"""
PRG_HEAD = """
*Source*: `seed` the questions and answers on the game, `public` what others have published about it, `house` our choice
where both are silent. *Cases* are the numbers of the files in
[tests/cases/singidunum](../../../tests/cases/singidunum) that expect the rule in an event or declare it in their first
lines. The whole text of the rules is [singidunum.md](../../rules/singidunum.md).
"""
WMS_HEAD = """
*Source*: `seed` the chapter that the rules are made from, `public` what has been published about its sister games,
`house` our choice where all are silent. *Cases* are the numbers of the files in
[tests/cases/warmaster-shooting](../../../tests/cases/warmaster-shooting) that expect the rule in an event or declare it
in their first lines; `WMS-EX-…` there are worked examples of the rules text, no rules. Options, orders, refusals and
scenarios are on [warmaster-shooting.md](../../rules/warmaster-shooting.md).
"""
STP_HEAD = """
*Source*: `seed` the draft that the rules are made from, `public` what has been published about its periods, `house` our
choice where both are silent. *Cases* are the numbers of the files in [tests/cases/stp](../../../tests/cases/stp) that
expect the rule in an event or declare it in their first lines; those of our own have numbers above 200. Options,
orders, refusals and scenarios are on [shot-to-pieces.md](../../rules/shot-to-pieces.md).
"""
CAM_HEAD = """
*Source*: `public` what others do, `house` our choice. *Cases* are the numbers of the files in
[tests/cases/campaign](../../../tests/cases/campaign) that name the rule.
"""


class Place(NamedTuple):
    """A place that cites a rule: a file of the repository, and the function, class or table in it ("" for the file)."""

    path: str
    name: str


class Book(NamedTuple):
    """The rules of a game: code and title, its folder, the prefix of its IDs, its chapters, the head of its page."""

    code: str
    title: str
    folder: str
    prefix: str
    chapters: tuple[tuple[str, str], ...]
    head: str
    examples: str = ""  # what stands in place of a chapter in the IDs of its worked examples, which are no rules
    home: Path = GAMES
    is_part: bool = False  # other chapters with this prefix have no sentences here

    @property
    def page_name(self) -> str:
        """The name of the page of the rules."""
        return f"{self.code}.md"

    @property
    def data(self) -> Path:
        """The folder of the game's tables."""
        return self.home / self.folder / "data"

    @property
    def cited(self) -> re.Pattern[str]:
        """A rule ID, or its short form behind another one."""
        full = (
            rf"{self.prefix}-(?!{self.examples or '-'}-)(?P<chapter>[A-Z][A-Z\d]*(?:-[A-Z]+)?)-(?P<full>\d\d[a-z]?|SEL)"
        )
        return re.compile(rf"{full}|(?<=[\s,(…])-(?P<short>\d\d[a-z]?)\b")


TTS = Book("tts", "To the Strongest!", "to_the_strongest", "TTS", tuple(TTS_CHAPTERS.items()), TTS_HEAD)
PRG = Book("singidunum", "Singidunum", "singidunum", "PRG", tuple(PRG_CHAPTERS.items()), PRG_HEAD)
WMS = Book(
    "warmaster-shooting",
    "Warmaster Evolution: the shooting phase",
    "warmaster_shooting",
    "WMS",
    tuple(WMS_CHAPTERS.items()),
    WMS_HEAD,
    "EX",
)
STP = Book("stp", "Shot to Pieces", "shot_to_pieces", "STP", tuple(STP_CHAPTERS.items()), STP_HEAD)
CAM = Book(
    "campaign",
    "campaigns",
    "campaign",
    "CAM",
    tuple(CAM_CHAPTERS.items()),
    CAM_HEAD,
    home=ROOT / "domain",
    is_part=True,
)
BOOKS = (TTS, PRG, WMS, STP, CAM)


@cache
def rules(book: Book = TTS) -> dict[str, dict[str, object]]:
    """Every rule ID with title, text and source, in the order of the file."""
    table: dict[str, dict[str, object]] = tomllib.loads((book.data / "rules.toml").read_text())["rules"]
    return table


def cited(text: str, book: Book = TTS) -> Iterator[str]:
    """The rule IDs that a text names, shortened ones and ranges written out."""
    chapter = last = ""
    end = 0
    for match in book.cited.finditer(text):
        if not match["chapter"] and not chapter:
            continue
        number = match["full"] or match["short"]
        ranges = text[end : match.end()].strip().startswith("…") and match["chapter"] in (None, chapter)
        chapter = match["chapter"] or chapter
        if ranges and last:
            yield from (f"{book.prefix}-{chapter}-{n:02}" for n in range(int(last[:2]) + 1, int(number[:2])))
        yield f"{book.prefix}-{chapter}-{number}"
        last, end = number, match.end()


# --- code


@cache
def implemented(book: Book = TTS) -> dict[str, tuple[Place, ...]]:
    """Rule ID to the places of the code and of the catalogue that cite it."""
    opinions = tuple(f"{(book.home / book.folder).relative_to(ROOT).as_posix()}/{name}" for name in OPINIONS)
    files = (path for root in (ROOT / "domain", *BESIDES) for path in sorted(root.rglob("*.py")))
    places = [
        (rule, Place(_name(path), owner))
        for path in files
        if not _name(path).startswith(opinions)
        for rule, owner in citations(path.read_text(), book)
    ]
    for path in sorted(book.data.rglob("*.toml")):
        if path.name != "rules.toml":
            places += [(rule, Place(_name(path), "")) for rule in cited(path.read_text(), book)]
    return _gathered(places)


def citations(source: str, book: Book = TTS) -> Iterator[tuple[str, str]]:
    """(rule, name of the function, class or table it stands in) for each rule that a module cites."""
    if f"{book.prefix}-" not in source:
        return
    owners = _owners(ast.parse(source))
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type in (tokenize.STRING, tokenize.COMMENT):
            for rule in cited(token.string, book):
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
def tested(book: Book = TTS) -> dict[str, tuple[Place, ...]]:
    """Rule ID to the tests that are marked with it, or name it in their docstring or in a comment inside."""
    places = []
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        if path.name in TOOLS or {"conformance", "mutation"} & set(path.parts):
            continue
        for rule, owner in citations(path.read_text(), book):
            name = owner.rpartition(".")[2] if owner.rpartition(".")[2].startswith("test_") else owner.split(".")[0]
            if name.startswith("test_"):
                places.append((rule, Place(_name(path), name)))
    return _gathered(places)


@cache
def expected(book: Book = TTS) -> dict[str, tuple[str, ...]]:
    """Rule ID to the numbers of the cases that expect or declare it."""
    found: dict[str, dict[str, None]] = {}
    for path in case_files(CASES / book.code):
        for line in path.read_text().splitlines():
            for rule in cited(line, book):
                found.setdefault(rule, {})[path.stem.partition("-")[0]] = None
    return {rule: tuple(numbers) for rule, numbers in found.items()}


def missing(book: Book = TTS) -> dict[str, str]:
    """Rules without code or without a test, and which of the two they lack."""
    lacking = {}
    for rule in rules(book):
        lacks = [
            *(["code"] if rule not in implemented(book) else []),
            *(["test"] if rule not in tested(book) and rule not in expected(book) else []),
        ]
        if lacks:
            lacking[rule] = " and ".join(lacks)
    return lacking


def unknown(book: Book = TTS) -> set[str]:
    """Rules that code or cases cite but `rules.toml` does not have."""
    known = {*implemented(book)} | {*expected(book)}
    if book.is_part:
        known = {rule for rule in known if chapter_of(rule) in dict(book.chapters)}
    return known - {*rules(book)}


def _name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def _gathered(places: list[tuple[str, Place]]) -> dict[str, tuple[Place, ...]]:
    found: dict[str, dict[Place, None]] = {}
    for rule, place in places:
        found.setdefault(rule, {})[place] = None
    return {rule: tuple(names) for rule, names in found.items()}


# --- the page


def chapter_of(rule: str) -> str:
    """The chapter that a rule ID names."""
    return rule.partition("-")[2].rpartition("-")[0]


def page(book: Book = TTS) -> str:
    """The whole page."""
    parts = [f"# Rules of {book.title}\n{MADE}{book.head}"]
    for chapter, title in book.chapters:
        parts += [
            f"\n## {title} ({book.prefix}-{chapter})\n",
            "| rule | | source | implemented in | tests |",
            "|---|---|---|---|---|",
        ]
        parts += [_line(book, rule) for rule in rules(book) if chapter_of(rule) == chapter]
    return "\n".join(parts) + "\n"


def _line(book: Book, rule: str) -> str:
    entry = rules(book)[rule]
    sources = entry["source"]
    source = ", ".join(sources) if isinstance(sources, list) else str(sources)
    words = f"**{entry['title']}.** {entry['text']}".replace("|", "\\|")
    places = _places(implemented(book).get(rule, ()))
    return f"| {rule} | {words} | {source} | {places} | {_tests(book, rule)} |"


def _places(places: tuple[Place, ...]) -> str:
    """Files, each with a link and the names in it."""
    files: dict[str, list[str]] = {}
    for path, name in places:
        files.setdefault(path, []).extend([f"`{name}`"] if name else [])
    links = {path: f"[{Path(path).name}](../../../{path})" for path in files}
    return "; ".join(f"{links[path]} {', '.join(names)}".rstrip() for path, names in files.items())


def _tests(book: Book, rule: str) -> str:
    cases, tests = expected(book).get(rule, ()), tested(book).get(rule, ())
    return "; ".join([*([f"cases {' '.join(cases)}"] if cases else []), *([_places(tests)] if tests else [])])
