"""Plants faults in the rules and says which the cases do not notice. Run by hand; it takes minutes.

    python -m tests.mutation --module evade melee     every fault of these chapters
    python -m tests.mutation --rule TTS-EVD-02        one fault of the rule's code that a case of the rule notices
    python -m tests.mutation --rule all --write       the same for every rule, into docs/mutation.md

Exit code 0: everything is noticed, or listed in survivors.toml with the reason why it is harmless; 1: something is not.
"""

import argparse
import sys
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from tests import rule_pages
from tests.mutation.mutants import RULE_LABEL, Mutant
from tests.mutation.trial import ROOT, Bench, mutants_of

PACKAGE = "domain.rulesets.to_the_strongest"
SURVIVORS = Path(__file__).parent / "survivors.toml"
PAGE = ROOT / "docs" / "mutation.md"
CHAPTERS = (
    *("activation", "command", "zones", "movement", "turning", "groups", "field", "shooting", "charges", "melee"),
    *("aftermath", "saves", "losses", "wounds", "generals", "rally", "evade", "morale", "medals", "camps"),
    *("elephants", "replays", "geometry", "stacking", "targets"),
)
"""The chapters whose every fault is tried."""

FAR_TRIED = 60
"""So many faults of a chapter are tried for a rule that no function of it cites."""
UNBITTEN = {
    "TTS-SHT-04": "the markers at the start stand in units.toml, which case 472 compares",
    "TTS-DIS-02": "the steps stand in units.toml, which case 470 compares; the code only checks the file",
    "TTS-CMP-01": "the code counts no camps",
    "TTS-WIN-03": "resigning is common to all games (domain.ruleset), which cites no rule of this one",
    "TTS-WIN-04": "draws are common to all games (domain.ruleset), which cites no rule of this one",
    "TTS-ORD-02": "the place that cites it is not where a corps is found by its name",
    "TTS-CASE-01": "not tried yet: tests/replay/test_lab.py tests it, and the lab is what plays the cases here",
    "TTS-CASE-02": "not tried yet: tests/replay/test_lab.py tests it, and the lab is what plays the cases here",
    "TTS-WIN-02": "not tried yet: tests/domain/tts/test_decks.py tests it",
    "TTS-CAT-04": "not tried yet: only tests of army lists name it",
    "TTS-SCN-02": "not tried yet: no case can hold a bad scenario",
    **dict.fromkeys(("TTS-DCK-05", "TTS-DCK-06", "TTS-CMP-04", "TTS-SCN-03"), "not tried yet: built meanwhile"),
}
"""Rules for which no fault is shown that a case of theirs notices, and why; those not tried yet should leave it."""
UNTRIED_CHAPTERS = ("TER", "SCT", "DEP", "STR")
"""Chapters built while this tool was; `--rule all --write` tries them too."""
NEAR_THE_RULES = ("tests/domain/tts/", "tests/replay/test_lab.py")
"""Tests of the rules themselves; those of pages, mails and servers that name a rule are not asked."""

HEAD = """# Mutation testing

A fault is planted in the code, and the cases are played: does one fail? `tests/mutation/` plants comparisons that are
off by one, `and` for `or`, numbers too large, conditions turned round or left out, steps left out, lines of tables left
out, `min` for `max`, and wrong rule IDs. It runs by hand:

<!-- shown, not run: it takes minutes -->

```sh
python -m tests.mutation --rule all --write
python -m tests.mutation --module evade melee
```

The tool `mutmut` works with this layout too (`source_paths` a chapter, `also_copy` the four packages and `tests`), but
changes only the inside of functions, does not know which case belongs to which rule, and needs half a second for each
mutant; ours knows from one run which case goes through which function, and needs an eighth.

What no case notices is listed in `tests/mutation/survivors.toml`, each with the reason why it is harmless; a run fails
for what is neither noticed nor listed.

## For each rule, a fault that its own case notices

The fault stands in a function, class or table that cites the rule (or, where only a whole chapter does, in that
chapter); the case cites it too. `label` means that only the name of the rule in an event or refusal was changed: the
rule is one of words, or its numbers stand in data.

| rule | fault | noticed by |
|---|---|---|
"""


class Finding(NamedTuple):
    """What came of looking for a fault of a rule: the fault and the case, or how many were tried in vain."""

    rule: str
    mutant: Mutant | None
    noticed_by: str
    tried: int


def survivors() -> dict[str, str]:
    """Key of a mutant that nothing notices to the reason why it is harmless."""
    listed: dict[str, str] = tomllib.loads(SURVIVORS.read_text())
    return listed


def survivors_of(bench: Bench, chapter: str) -> Iterator[Mutant]:
    """The mutants of a chapter that no case notices."""
    for mutant in mutants_of(f"{PACKAGE}.{chapter}"):
        if not bench.try_out(mutant, bench.candidates(mutant)).noticed_by:
            yield mutant


def finding_of(bench: Bench, rule: str) -> Finding:
    """A fault in the code of a rule that a case or test of the rule notices."""
    cases = [stem for stem in bench.cases if stem.split("-")[0] in rule_pages.expected().get(rule, ())]
    places = [place for place in rule_pages.tested().get(rule, ()) if place.path.startswith(NEAR_THE_RULES)]
    tests = [test for test in (f"{path}::{name}" for path, name in places) if bench.sound(test)]
    tried = 0
    for mutant in candidates_of(rule):
        names = [name for name in bench.candidates(mutant, cases) if name in cases]
        if names or (tests and not cases):
            tried += 1
            outcome = bench.try_out(mutant, names, [] if cases else tests)
            if outcome.noticed_by and not outcome.noticed_by.startswith(("loading", "a crash")):
                return Finding(rule, mutant, outcome.noticed_by, tried)
    return Finding(rule, None, "", tried)


def candidates_of(rule: str) -> list[Mutant]:
    """The faults of a rule's code: first in functions and tables that cite it, then in its chapters, then labels."""
    near, far, labels = [], [], []
    for path, name in rule_pages.implemented().get(rule, ()):
        if path.endswith(".py"):
            for mutant in mutants_of(path.removesuffix(".py").replace("/", ".")):
                inside = mutant.owner == name or mutant.owner.startswith(f"{name}.")
                if mutant.kind == RULE_LABEL:
                    labels += [mutant] if rule in mutant.what else []
                elif name and inside:
                    near.append(mutant)
                else:
                    far.append(mutant)
    return [*near, *(labels if near else []), *far[:FAR_TRIED], *labels]


def page(findings: Iterable[Finding]) -> str:
    """The whole page of docs."""
    lines = [f"| {f.rule} | {_fault(f.mutant)} | {_noticed(f.noticed_by)} |" for f in findings if f.mutant]
    return HEAD + "\n".join(lines) + "\n"


def _fault(mutant: Mutant | None) -> str:
    return "" if mutant is None else mutant.key.replace("|", "\\|") + (" (label)" if mutant.kind == RULE_LABEL else "")


def _noticed(name: str) -> str:
    return name.partition(": ")[0].rpartition("/")[2]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run; the exit code says whether anything unlisted is unnoticed."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutation")
    parser.add_argument("--module", nargs="*", default=[], metavar="M", help=f"chapters, or all: {' '.join(CHAPTERS)}")
    parser.add_argument("--rule", nargs="*", default=[], metavar="ID", help="rules, or all")
    parser.add_argument("--write", action="store_true", help="with --rule all: write docs/mutation.md")
    given = parser.parse_args(arguments)
    bench, faults = Bench(), 0
    for chapter in CHAPTERS if given.module == ["all"] else given.module:
        unlisted = [mutant.key for mutant in survivors_of(bench, chapter) if mutant.key not in survivors()]
        faults += len(unlisted)
        print(f"{chapter}: {len(unlisted)} unlisted survivors", *unlisted, sep="\n  ", flush=True)
    findings = []
    for rule in rule_pages.rules() if given.rule == ["all"] else given.rule:
        finding = finding_of(bench, rule)
        findings.append(finding)
        faults += finding.mutant is None
        what = _fault(finding.mutant) or f"nothing noticed of {finding.tried} faults"
        print(f"{rule:<13} {_noticed(finding.noticed_by):<40} {what}", flush=True)
    if given.write and given.rule == ["all"]:
        PAGE.write_text(page(findings))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
