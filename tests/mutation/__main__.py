"""Plants faults in the rules and says which are not noticed. Run by hand; it takes minutes.

    python -m tests.mutation tts --module evade melee        every fault of these chapters
    python -m tests.mutation tts --rule TTS-EVD-02           one fault of the rule's code that a case of it notices
    python -m tests.mutation singidunum --module all --rule all --write    everything, into the page of the game

Exit code 0: everything is noticed, or listed among the survivors with the reason why it is harmless; 1: something is
not.
"""

import argparse
import ast
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import groupby
from typing import NamedTuple

from tests import rule_pages
from tests.mutation.games import GAMES, Game
from tests.mutation.mutants import RULE_LABEL, Mutant
from tests.mutation.trial import ROOT, Bench, mutants_of, source_of
from tests.rule_pages import Place

OF_CASES = "tests/replay/lab/test_lab.py"
"""A test of the rules outside their folder: it plays cases."""
FAR_TRIED = 60
"""So many faults of a chapter are tried for a rule that no function of it cites."""
HEAD = """# Mutation testing{of_game}

A fault is planted in the code and the cases are played: does one of them fail? `tests/mutation/` plants comparisons
that are off by one, `and` for `or`, numbers that are too large, conditions negated or left out, steps left out, lines
of tables left out, `min` for `max`, and wrong rule IDs. It is run by hand:

<!-- shown, not run: it takes minutes -->

```sh
python -m tests.mutation {code} --module {chapter}
python -m tests.mutation {code} --rule {rule}
python -m tests.mutation {code} --module all --rule all --write
```

Faults that nothing notices are listed in `{survivors}`, each with the reason why it is harmless; a
run fails for a fault that is neither noticed nor listed.

The figures on this page are a record of past runs, not a live count: {measured}

## Every fault of a chapter

*Cases*: noticed by a case. *Tests*: noticed by no case, but by a test in `{tests}` that
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


def survivors(game: Game) -> dict[str, str]:
    """Key of a mutant that nothing notices to the reason why it is harmless."""
    listed: dict[str, str] = tomllib.loads(game.survivors.read_text())
    return listed


def tally_of(game: Game, bench: Bench, chapter: str) -> Tally:
    """Plant every fault of a chapter."""
    faults = mutants_of(f"{game.package}.{chapter}")
    missed = [mutant for mutant in faults if not bench.try_out(mutant, bench.candidates(mutant)).noticed_by]
    left = [mutant for mutant in missed if not bench.try_out(mutant, [], tests_near(game, bench, mutant)).noticed_by]
    reasons = survivors(game)
    unlisted = tuple(mutant.key for mutant in left if mutant.key not in reasons)
    needless = tuple({m.key for m in faults} & reasons.keys() - {m.key for m in left})
    return Tally(
        chapter, len(faults), len(faults) - len(missed), len(missed) - len(left), len(left), unlisted, needless
    )


def tests_near(game: Game, bench: Bench, mutant: Mutant) -> list[str]:
    """The tests of the rules (not cases) that name what a fault stands in, or test a rule that it cites; for the
    phases before the turns those that go through them as a whole too."""
    path = source_of(mutant.module).relative_to(ROOT).as_posix()
    cited = rule_pages.implemented(game.book)
    rules = {rule for rule, places in cited.items() if Place(path, mutant.owner) in places}
    by_rule = [test for rule in rules for test in tests_of(game, rule)]
    by_name = [test for test, names in names_in_tests(game.tests).items() if mutant.owner.rpartition(".")[2] in names]
    whole = game.whole if mutant.module.rpartition(".")[2] in game.before else ()
    return [test for test in dict.fromkeys([*by_name, *by_rule, *whole]) if bench.sound(test)]


@cache
def names_in_tests(folder: str) -> dict[str, frozenset[str]]:
    """Test of the rules (`file::name`) to the names that its own lines use."""
    found = {}
    for path in sorted((ROOT / folder).glob("test_*.py")):
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                names = frozenset(part.id for part in ast.walk(node) if isinstance(part, ast.Name))
                found[f"{path.relative_to(ROOT).as_posix()}::{node.name}"] = names
    return found


def tests_of(game: Game, rule: str) -> list[str]:
    """The tests of the rules that cite a rule, as `file::name`."""
    places = rule_pages.tested(game.book).get(rule, ())
    return [f"{path}::{name}" for path, name in places if path.startswith((game.tests, OF_CASES))]


def finding_of(game: Game, bench: Bench, rule: str) -> Finding:
    """A fault in the code of a rule that a case of the rule notices; if there is none, that a test of it notices."""
    cases = [stem for stem in bench.cases if stem.split("-")[0] in rule_pages.expected(game.book).get(rule, ())]
    faults = candidates_of(game, rule)
    tests = [test for test in tests_of(game, rule) if bench.sound(test)]
    played = {mutant: [name for name in bench.candidates(mutant, cases) if name in cases] for mutant in faults}
    by_cases = ((mutant, names, list[str]()) for mutant, names in played.items() if names)
    by_tests = ((mutant, list[str](), tests) for mutant in faults if tests)
    for mutant, names, asked in (*by_cases, *by_tests):
        outcome = bench.try_out(mutant, names, asked)
        if outcome.noticed_by and not outcome.noticed_by.startswith(("loading", "a crash")):
            return Finding(rule, mutant, outcome.noticed_by)
    return Finding(rule, None, "")


def candidates_of(game: Game, rule: str) -> list[Mutant]:
    """The faults of a rule's code: first in functions and tables that cite it, then in its chapters, then labels."""
    near, far, labels = [], [], []
    for path, name in rule_pages.implemented(game.book).get(rule, ()):
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


def page(game: Game, tallies: Sequence[Tally], findings: Iterable[Finding], measured: str) -> str:
    """The whole page of docs; `measured` says when the figures were taken."""
    rows = [(t.chapter, t.faults, t.by_cases, t.by_tests, t.left - len(t.unlisted), len(t.unlisted)) for t in tallies]
    sums = (sum(column) for column in list(zip(*rows, strict=True))[1:])
    chapters = [f"| {' | '.join(map(str, row))} |" for row in (*rows, ("**all**", *sums))]
    found = [f for f in findings if f.mutant]
    by_chapter = groupby(found, lambda finding: finding.rule.rpartition("-")[0])
    rules = [f"| {chapter} | {' · '.join(map(_short, group))} |" for chapter, group in by_chapter]
    unbitten = [f"| {rule} | {why} |" for rule, why in game.unbitten.items()]
    head = HEAD.format(
        measured=measured,
        code=game.book.code,
        of_game="" if game.book is rule_pages.TTS else f" of {game.book.title}",
        chapter=game.chapters[0],
        rule=next(iter(rule_pages.rules(game.book))),
        survivors=game.survivors.relative_to(ROOT).as_posix(),
        tests=game.tests.rstrip("/"),
    )
    parts = [head + "\n".join(chapters)]
    if game.by_rule:
        parts += [RULES_HEAD + "\n".join(rules), LAST_HEAD + "\n".join(unbitten)]
    return "\n".join(parts) + "\n"


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
    parser.add_argument("game", choices=GAMES)
    parser.add_argument("--module", nargs="*", default=[], metavar="M", help="chapters, or all")
    parser.add_argument("--rule", nargs="*", default=[], metavar="ID", help="rules, or all")
    parser.add_argument("--write", action="store_true", help="with all: write the page of the game")
    given = parser.parse_args(arguments)
    game = GAMES[given.game]
    bench, faults = Bench(game.cases), 0
    tallies, findings = [], []
    for chapter in game.chapters + game.unsifted if given.module == ["all"] else given.module:
        tally = tally_of(game, bench, chapter)
        tallies.append(tally)
        faults += (chapter not in game.unsifted) * len(tally.unlisted) + len(tally.needless)
        print(
            f"{chapter}: {tally.left} of {tally.faults} left, {len(tally.unlisted)} unlisted",
            *tally.unlisted,
            sep="\n  ",
        )
        print(*(f"  noticed, though listed: {key}" for key in tally.needless), sep="\n", flush=True)
    for rule in rule_pages.rules(game.book) if given.rule == ["all"] else given.rule:
        finding = finding_of(game, bench, rule)
        findings.append(finding)
        faults += finding.mutant is None and rule not in game.unbitten
        what = _fault(finding.mutant) or game.unbitten.get(rule, "nothing noticed")
        print(f"{rule:<13} {_noticed(finding.noticed_by):<40} {what}", flush=True)
    if given.write and given.module == ["all"] and (given.rule == ["all"] or not game.by_rule):
        game.page.write_text(page(game, tallies, findings, _measured()))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
