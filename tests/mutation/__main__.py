"""Plants faults in the rules and says which are not noticed. Run by hand; it takes minutes.

    python -m tests.mutation --module evade melee            every fault of these chapters
    python -m tests.mutation --rule TTS-EVD-02               one fault of the rule's code that a case of it notices
    python -m tests.mutation --module all --rule all --write    everything, into docs/generated/mutation.md

Exit code 0: everything is noticed, or listed in survivors.toml with the reason why it is harmless; 1: something is not.
"""

import argparse
import ast
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from tests import rule_pages
from tests.mutation.mutants import RULE_LABEL, Mutant
from tests.mutation.trial import ROOT, Bench, mutants_of, source_of
from tests.rule_pages import Place

PACKAGE = "domain.games.to_the_strongest.chapters"
SURVIVORS = Path(__file__).parent / "survivors.toml"
PAGE = ROOT / "docs" / "generated" / "mutation.md"
CHAPTERS = (
    *("activation", "command", "zones", "movement", "turning", "groups", "field", "shooting", "charges", "melee"),
    *("aftermath", "saves", "losses", "wounds", "generals", "rally", "evade", "morale", "medals", "camps"),
    *("elephants", "replays", "geometry", "stacking", "targets", "terrain", "armed"),
)
"""The chapters whose every fault is tried, and whose survivors have been gone through."""
UNSIFTED = ("scouting", "deployment", "placing", "stratagems", "plays", "plays_in_set_up", "plays_in_turns", "ambushes")
"""Chapters whose every fault is tried too, but some of whose survivors have neither a test nor a reason yet."""

FAR_TRIED = 60
"""So many faults of a chapter are tried for a rule that no function of it cites."""
UNBITTEN = {
    "TTS-SHT-04": "the markers at the start stand in units.toml, which case 472 compares",
    "TTS-DIS-02": "the steps stand in units.toml, which case 470 compares; the code only checks the file",
}
"""Rules for which no fault is shown that a case or test of theirs notices, and why."""
BEFORE_THE_TURNS = tuple(
    f"tests/domain/games/to_the_strongest/test_{name}.py" for name in ("secrets", "phases", "options_before")
)
"""Tests that go through the phases before the turns as a whole; they are asked about every fault of their chapters."""
CHAPTERS_BEFORE = frozenset(
    {"scouting", "terrain", "deployment", "placing", "stratagems", "plays", "plays_in_set_up", "ambushes", "armed"}
)
NEAR_THE_RULES = ("tests/domain/games/to_the_strongest/", "tests/replay/test_lab.py")
"""Tests of the rules themselves; those of pages, mails and servers that name a rule are not asked."""

HEAD = """# Mutation testing

A fault is planted in the code and the cases are played: does one of them fail? `tests/mutation/` plants comparisons
that are off by one, `and` for `or`, numbers that are too large, conditions negated or left out, steps left out, lines
of tables left out, `min` for `max`, and wrong rule IDs. It is run by hand:

<!-- shown, not run: it takes minutes -->

```sh
python -m tests.mutation --module evade melee
python -m tests.mutation --rule TTS-EVD-02
python -m tests.mutation --module all --rule all --write
```

Faults that nothing notices are listed in `tests/mutation/survivors.toml`, each with the reason why it is harmless; a
run fails for a fault that is neither noticed nor listed.

The figures on this page are a record of past runs, not a live count: {measured}

## Every fault of a chapter

*Cases*: noticed by a case. *Tests*: noticed by no case, but by a test in `tests/domain/games/to_the_strongest` that
names the function or a rule it cites (for the phases before the turns: that goes through them as a whole). *Harmless*:
noticed by nothing, listed with a reason. *Open*: noticed by nothing, and not explained yet.

| chapter | faults | cases | tests | harmless | open |
|---|---|---|---|---|---|
"""
RULES_HEAD = """
## For each rule, a fault that its own case notices

For each of these rules at least one fault was planted in a function, class or table that cites the rule (or, where only
a whole chapter does, in that chapter), and was noticed by a case or test that cites the rule too. Given is the number
of that case, or the file of that test. `python -m tests.mutation --rule ID` names the fault.

| chapter | rule: noticed by |
|---|---|
"""
LAST_HEAD = """
## Rules for which no fault is shown

| rule | why |
|---|---|
"""
MEASURED = "the whole of it was measured at commit {commit} ({day})."


class Tally(NamedTuple):
    """What came of planting every fault of a chapter."""

    chapter: str
    faults: int
    by_cases: int
    by_tests: int
    left: int
    unlisted: tuple[str, ...]  # keys of faults that nothing notices, and no reason is given why
    needless: tuple[str, ...]  # keys of faults that are listed, but are noticed


class Finding(NamedTuple):
    """What came of looking for a fault of a rule: the fault and the case or test, or nothing."""

    rule: str
    mutant: Mutant | None
    noticed_by: str


def survivors() -> dict[str, str]:
    """Key of a mutant that nothing notices to the reason why it is harmless."""
    listed: dict[str, str] = tomllib.loads(SURVIVORS.read_text())
    return listed


def tally_of(bench: Bench, chapter: str) -> Tally:
    """Plant every fault of a chapter."""
    faults = mutants_of(f"{PACKAGE}.{chapter}")
    missed = [mutant for mutant in faults if not bench.try_out(mutant, bench.candidates(mutant)).noticed_by]
    left = [mutant for mutant in missed if not bench.try_out(mutant, [], tests_near(bench, mutant)).noticed_by]
    reasons = survivors()
    unlisted = tuple(mutant.key for mutant in left if mutant.key not in reasons)
    needless = tuple({m.key for m in faults} & reasons.keys() - {m.key for m in left})
    return Tally(
        chapter, len(faults), len(faults) - len(missed), len(missed) - len(left), len(left), unlisted, needless
    )


def tests_near(bench: Bench, mutant: Mutant) -> list[str]:
    """The tests of the rules (not cases) that name what a fault stands in, or test a rule that it cites; for the
    phases before the turns those that go through them as a whole too."""
    path = source_of(mutant.module).relative_to(ROOT).as_posix()
    rules = {rule for rule, places in rule_pages.implemented().items() if Place(path, mutant.owner) in places}
    by_rule = [test for rule in rules for test in tests_of(rule)]
    by_name = [test for test, names in names_in_tests().items() if mutant.owner.rpartition(".")[2] in names]
    whole = BEFORE_THE_TURNS if mutant.module.rpartition(".")[2] in CHAPTERS_BEFORE else ()
    return [test for test in dict.fromkeys([*by_name, *by_rule, *whole]) if bench.sound(test)]


@cache
def names_in_tests() -> dict[str, frozenset[str]]:
    """Test of the rules (`file::name`) to the names that its own lines use."""
    found = {}
    for path in sorted((ROOT / NEAR_THE_RULES[0]).glob("test_*.py")):
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                names = frozenset(part.id for part in ast.walk(node) if isinstance(part, ast.Name))
                found[f"{path.relative_to(ROOT).as_posix()}::{node.name}"] = names
    return found


def tests_of(rule: str) -> list[str]:
    """The tests of the rules that cite a rule, as `file::name`."""
    places = rule_pages.tested().get(rule, ())
    return [f"{path}::{name}" for path, name in places if path.startswith(NEAR_THE_RULES)]


def finding_of(bench: Bench, rule: str) -> Finding:
    """A fault in the code of a rule that a case of the rule notices; if there is none, that a test of it notices."""
    cases = [stem for stem in bench.cases if stem.split("-")[0] in rule_pages.expected().get(rule, ())]
    faults = candidates_of(rule)
    tests = [test for test in tests_of(rule) if bench.sound(test)]
    played = {mutant: [name for name in bench.candidates(mutant, cases) if name in cases] for mutant in faults}
    by_cases = ((mutant, names, list[str]()) for mutant, names in played.items() if names)
    by_tests = ((mutant, list[str](), tests) for mutant in faults if tests)
    for mutant, names, asked in (*by_cases, *by_tests):
        outcome = bench.try_out(mutant, names, asked)
        if outcome.noticed_by and not outcome.noticed_by.startswith(("loading", "a crash")):
            return Finding(rule, mutant, outcome.noticed_by)
    return Finding(rule, None, "")


def candidates_of(rule: str) -> list[Mutant]:
    """The faults of a rule's code: first in functions and tables that cite it, then in its chapters, then labels."""
    near, far, labels = [], [], []
    for path, name in rule_pages.implemented().get(rule, ()):
        if path.endswith(".py"):
            for mutant in mutants_of(path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")):
                inside = mutant.owner == name or mutant.owner.startswith(f"{name}.")
                if mutant.kind == RULE_LABEL:
                    labels += [mutant] if rule in mutant.what else []
                elif name and inside:
                    near.append(mutant)
                else:
                    far.append(mutant)
    return [*near, *(labels if near else []), *far[:FAR_TRIED], *labels]


def page(tallies: Sequence[Tally], findings: Iterable[Finding], measured: str) -> str:
    """The whole page of docs; `measured` says when the figures were taken."""
    rows = [(t.chapter, t.faults, t.by_cases, t.by_tests, t.left - len(t.unlisted), len(t.unlisted)) for t in tallies]
    sums = (sum(column) for column in list(zip(*rows, strict=True))[1:])
    chapters = [f"| {' | '.join(map(str, row))} |" for row in (*rows, ("**all**", *sums))]
    found = [f for f in findings if f.mutant]
    by_chapter = groupby(found, lambda finding: finding.rule.rpartition("-")[0])
    rules = [f"| {chapter} | {' · '.join(map(_short, group))} |" for chapter, group in by_chapter]
    unbitten = [f"| {rule} | {why} |" for rule, why in UNBITTEN.items()]
    head = HEAD.format(measured=measured)
    return (
        "\n".join([head + "\n".join(chapters), RULES_HEAD + "\n".join(rules), LAST_HEAD + "\n".join(unbitten)]) + "\n"
    )


def _measured() -> str:
    """The commit that is measured and its day, as a sentence."""
    git = ("git", "-C", str(ROOT), "log", "-1", "--format=%h %cs")
    commit, day = subprocess.run(git, capture_output=True, text=True, check=True).stdout.split()
    return MEASURED.format(commit=commit, day=day)


def _fault(mutant: Mutant | None) -> str:
    return "" if mutant is None else mutant.key.replace("|", "\\|") + (" (label)" if mutant.kind == RULE_LABEL else "")


def _short(finding: Finding) -> str:
    """The last part of a rule's ID, and who notices a fault of it."""
    return f"{finding.rule.rpartition('-')[2]}: {_noticed(finding.noticed_by)}"


def _noticed(name: str) -> str:
    """The number of a case, or the file of a test, that noticed a fault."""
    stem = name.partition(": ")[0].rpartition("/")[2].partition("::")[0]
    return stem.partition("-")[0] if stem[:1].isdigit() else stem


def main(arguments: Sequence[str] | None = None) -> int:
    """Run; the exit code says whether anything unlisted is unnoticed."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutation")
    parser.add_argument("--module", nargs="*", default=[], metavar="M", help=f"chapters, or all: {' '.join(CHAPTERS)}")
    parser.add_argument("--rule", nargs="*", default=[], metavar="ID", help="rules, or all")
    parser.add_argument("--write", action="store_true", help="with both all: write docs/generated/mutation.md")
    given = parser.parse_args(arguments)
    bench, faults = Bench(), 0
    tallies, findings = [], []
    for chapter in CHAPTERS + UNSIFTED if given.module == ["all"] else given.module:
        tally = tally_of(bench, chapter)
        tallies.append(tally)
        faults += (chapter not in UNSIFTED) * len(tally.unlisted) + len(tally.needless)
        print(
            f"{chapter}: {tally.left} of {tally.faults} left, {len(tally.unlisted)} unlisted",
            *tally.unlisted,
            sep="\n  ",
        )
        print(*(f"  noticed, though listed: {key}" for key in tally.needless), sep="\n", flush=True)
    for rule in rule_pages.rules() if given.rule == ["all"] else given.rule:
        finding = finding_of(bench, rule)
        findings.append(finding)
        faults += finding.mutant is None and rule not in UNBITTEN
        what = _fault(finding.mutant) or UNBITTEN.get(rule, "nothing noticed")
        print(f"{rule:<13} {_noticed(finding.noticed_by):<40} {what}", flush=True)
    if given.write and given.module == given.rule == ["all"]:
        PAGE.write_text(page(tallies, findings, _measured()))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
